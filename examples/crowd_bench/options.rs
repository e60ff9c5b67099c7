//! The command-line options.

use std::fmt;

use clap::{Parser, ValueEnum};

/// Measures how long a tick of a crowd takes.
#[derive(Parser)]
pub(crate) struct Options {
    /// What the agents do.
    #[arg(long, default_value = "flock")]
    pub(crate) behaviour: Behaviour,
    /// Number of agents.
    #[arg(long, default_value_t = 100_000)]
    pub(crate) agents: usize,
    /// Dimensions: 2 or 3.
    #[arg(long, default_value_t = 2)]
    pub(crate) dim: usize,
    /// Mean number of neighbours per agent.
    #[arg(long, default_value_t = 12.0)]
    pub(crate) neighbours: f32,
    /// Number of ticks to measure.
    #[arg(long, default_value_t = 20)]
    pub(crate) ticks: usize,
    /// Number of threads for steering and moving.
    #[arg(long, default_value_t = 1)]
    pub(crate) threads: usize,
    /// Run the whole plugin, including writing Transforms.
    #[arg(long)]
    pub(crate) ecs: bool,
    /// Print one JSON object as the last line.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Copy, Clone, ValueEnum)]
pub(crate) enum Behaviour {
    Flock,
    Orca,
    Separate,
}

impl Options {
    pub(crate) fn check(&self) -> Result<(), String> {
        if !matches!(self.dim, 2 | 3) {
            return Err(format!("--dim is 2 or 3, not {}", self.dim));
        }
        if self.dim == 3 && matches!(self.behaviour, Behaviour::Orca) {
            return Err("--behaviour orca is for bodies in a plane: --dim 2".into());
        }
        if !(self.neighbours > 0.0 && self.neighbours.is_finite()) {
            return Err(format!("--neighbours is more than 0, not {}", self.neighbours));
        }
        if self.agents == 0 || self.ticks == 0 || self.threads == 0 {
            return Err("--agents, --ticks and --threads are at least 1".into());
        }
        Ok(())
    }
}

impl fmt::Display for Behaviour {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value().expect("no behaviour is hidden from the command line");
        formatter.write_str(value.get_name())
    }
}
