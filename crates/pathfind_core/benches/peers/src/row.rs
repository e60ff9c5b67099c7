//! A table row: the results of one entrant on one scenario, or on all of them.

use serde::Serialize;

use crate::entrants::{THETA_YARDSTICK, YARDSTICK};

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) scenario: String,
    pub(crate) name: &'static str,
    pub(crate) rule: &'static str,
    #[serde(skip)]
    pub(crate) is_own: bool,
    pub(crate) problems: usize,
    pub(crate) solved: usize,
    pub(crate) failed: usize,
    /// The share of optimal answers among those with a known optimum.
    pub(crate) optimal: Option<f64>,
    /// Mean length relative to the optimum.
    pub(crate) length: Option<f64>,
    pub(crate) mean_us: f64,
    pub(crate) median_us: f64,
    /// Mean speed-up over the textbook A*.
    pub(crate) times_astar: Option<f64>,
    /// Mean speed-up over the textbook Theta*, if that took part.
    pub(crate) times_theta: Option<f64>,
    pub(crate) prepare_ms: f64,
}

impl Row {
    /// Computes the speed-ups of one scenario.
    pub(crate) fn compare(rows: &mut [Self]) {
        let mean = |name: &str| rows.iter().find(|row| row.name == name).map(|row| row.mean_us);
        let (astar, theta) = (mean(YARDSTICK), mean(THETA_YARDSTICK));
        for row in rows {
            row.times_astar = astar.map(|mean| mean / row.mean_us);
            row.times_theta = theta.map(|mean| mean / row.mean_us);
        }
    }

    /// One row per entrant over all scenarios: geometric means of ratios, medians and lengths, arithmetic means of
    /// the rest.
    pub(crate) fn summarise(rows: &[Self], scenario: &str) -> Vec<Self> {
        let mut names: Vec<&str> = Vec::new();
        for row in rows {
            if !names.contains(&row.name) {
                names.push(row.name);
            }
        }
        let summary = names.iter().map(|&name| {
            let of: Vec<&Self> = rows.iter().filter(|row| row.name == name).collect();
            let mean =
                |value: &dyn Fn(&Self) -> f64| of.iter().map(|row| value(row)).sum::<f64>() / of.len() as f64;
            let total = |value: &dyn Fn(&Self) -> usize| of.iter().map(|row| value(row)).sum();
            Self {
                scenario: scenario.into(),
                problems: total(&|row| row.problems),
                solved: total(&|row| row.solved),
                failed: total(&|row| row.failed),
                optimal: known_mean(&of, |row| row.optimal),
                length: known_mean(&of, |row| row.length),
                mean_us: mean(&|row| row.mean_us),
                median_us: geometric(&of, |row| Some(row.median_us)).unwrap_or_default(),
                times_astar: geometric(&of, |row| row.times_astar),
                times_theta: geometric(&of, |row| row.times_theta),
                prepare_ms: mean(&|row| row.prepare_ms),
                ..of[0].clone()
            }
        });
        summary.collect()
    }
}

/// The mean of known values, weighted by the number of problems.
fn known_mean(rows: &[&Row], value: impl Fn(&Row) -> Option<f64>) -> Option<f64> {
    let known = rows.iter().filter_map(|row| Some((value(row)?, row.problems as f64)));
    let (sum, weight) = known.fold((0.0, 0.0), |(sum, of), (value, by)| (sum + value * by, of + by));
    (weight > 0.0).then_some(sum / weight)
}

/// The geometric mean.
fn geometric(rows: &[&Row], value: impl Fn(&Row) -> Option<f64>) -> Option<f64> {
    let logarithms: Option<Vec<f64>> = rows.iter().map(|row| Some(value(row)?.ln())).collect();
    let logarithms = logarithms?;
    Some((logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp())
}
