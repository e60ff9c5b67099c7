//! What is asked for.

use std::fmt;

use clap::{Parser, ValueEnum};
use pathfind_core::simd::Simd;

/// How long a tick of a crowd takes.
#[derive(Parser)]
pub(crate) struct Options {
    /// What the agents do.
    #[arg(long, default_value = "flock")]
    pub(crate) behaviour: Behaviour,
    /// How many there are.
    #[arg(long, default_value_t = 100_000)]
    pub(crate) agents: usize,
    /// Dimensions: 2 or 3.
    #[arg(long, default_value_t = 2)]
    pub(crate) dim: usize,
    /// Neighbours of each in the mean.
    #[arg(long, default_value_t = 12.0)]
    pub(crate) neighbours: f32,
    /// How many ticks to measure.
    #[arg(long, default_value_t = 20)]
    pub(crate) ticks: usize,
    /// How many threads share the pass and the moving.
    #[arg(long, default_value_t = 1)]
    pub(crate) threads: usize,
    /// The instructions used; the widest that there are, if none are named.
    #[arg(long)]
    simd: Option<Instructions>,
    /// Run the whole plugin, Transforms included.
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

#[derive(Copy, Clone, ValueEnum)]
enum Instructions {
    Scalar,
    Sse2,
    Avx2,
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
        if self.ecs && self.simd.is_some() {
            return Err("--ecs: the plugin takes the widest instructions that there are".into());
        }
        if !self.simd().is_available() {
            return Err(format!("this processor has no {:?}", self.simd()));
        }
        Ok(())
    }

    pub(crate) fn simd(&self) -> Simd {
        match self.simd {
            None => Simd::widest(),
            Some(Instructions::Scalar) => Simd::Scalar,
            Some(Instructions::Sse2) => Simd::Sse2,
            Some(Instructions::Avx2) => Simd::Avx2,
        }
    }

    pub(crate) fn simd_name(&self) -> String {
        format!("{:?}", self.simd()).to_lowercase()
    }
}

impl fmt::Display for Behaviour {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Flock => "flock",
            Self::Orca => "orca",
            Self::Separate => "separate",
        })
    }
}
