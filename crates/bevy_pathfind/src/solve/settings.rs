//! Settings of the search stage.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::attributes::{MeasuredIn, ZeroMeans};

/// On which thread searches run, and when.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Default, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum SolveMode {
    /// On Bevy's task pool; frames do not wait for searches. Without the feature `multi_threaded`, and on the
    /// web, which has no threads, as `Sliced`.
    #[default]
    Background,
    /// On the main thread, with a budget per frame.
    Sliced,
    /// On the main thread, in the tick of the request, in a fixed order: for lockstep and replays.
    Inline,
}

/// How searches are run. Insert it before the plugin to start with other values.
#[derive(Resource, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Resource, Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SolveSettings {
    /// On which thread searches run, and when. Default: `Background`.
    pub mode: SolveMode,
    /// How many searches may run on the task pool at once, each on its own thread if there are as
    /// many. A worker takes the next request as soon as its search has ended,
    /// in the same tick. Range: 1 and up. Default: `None`, one per thread of the pool.
    #[reflect(@1..=32_u32)]
    pub workers: Option<u32>,
    /// How many cells the `Sliced` mode may expand in a frame, in all ticks of the frame together. Unit: cells.
    /// Range: 1 and up. Default: `20_000`.
    #[reflect(@1..=200_000_u32, @MeasuredIn("cells"))]
    pub expansions_per_frame: u32,
    /// How long the `Sliced` mode may search in a frame, checked every 512 cells. Unit:
    /// microseconds. Range: 1 and up. Default: `None`, no limit but that of cells, so that a run does not depend on
    /// the speed of the machine.
    #[reflect(@1..=16_000_u32, @MeasuredIn("microseconds"))]
    pub micros_per_frame: Option<u32>,
    /// By how many ticks one level of priority brings the due time of a request forward; also the due time of a
    /// request without a deadline, counted from when it was made.
    /// See [`PathRequest`](crate::order::PathRequest). Unit: ticks. Range: 1 and up. Default: `64`.
    #[reflect(@1..=640_u32, @MeasuredIn("ticks"))]
    pub ticks_per_priority: u32,
    /// How many answers are cached for equal requests on an unchanged map; 0 for none. Unit: paths. Range: 0
    /// and up. Default: `1024`.
    #[reflect(@0..=16_384_u32, @MeasuredIn("paths"), @ZeroMeans("none"))]
    pub cache_capacity: u32,
    /// Up to which distance in columns or rows [`Algorithm::Auto`](pathfind_core::Algorithm::Auto) finds least costs.
    /// To a goal farther away it searches as [`Algorithm::Hierarchical`](pathfind_core::Algorithm::Hierarchical)
    /// does: no path measured cost over 2 % more, and over open ground they are found many times as fast. Unit:
    /// cells. Range: 0 and up; from 16,384 on all costs are least. Default: `4096`.
    #[reflect(@0..=16_384_u32, @MeasuredIn("cells"))]
    pub exact_within: u32,
    /// Whether the latest search keeps a record of every cell that it opened and closed, for
    /// `LastSearch::recording`. Costs time and memory. Default: `false`.
    pub record: bool,
    /// Whether an agent also replans when an edit may have opened a shorter path for it. This costs one search per
    /// such agent, at most every eighth tick. Agents whose path an edit touches, and agents that the map kept from
    /// their goal, replan in any case. Default: `false`.
    pub seek_shortcuts: bool,
    /// How much cheaper a new path must be to replace the old one, as a fraction of the cost left. Range: 0 to 1.
    /// Default: `0.02`.
    #[reflect(@0.0..=1.0_f32)]
    pub min_gain: f32,
    /// How much less a new path must also cost to replace the old one. Unit: cost; a straight step on open ground costs
    /// 1. Range: 0 and up. Default: `0.5`.
    #[reflect(@0.0..=20.0_f32, @MeasuredIn("cost"))]
    pub min_saving: f32,
    /// How often an agent on its way looks for a cheaper path after the [influence](crate::world::InfluenceLayers) that
    /// its kind minds has changed; agents take turns. So no agent changes its path more often. Unit: seconds. Range: 0,
    /// for every tick, and up; infinite for never. Default: `1.0`.
    #[reflect(@0.0..=10.0_f32, @MeasuredIn("seconds"))]
    pub reconsider_every: f32,
}

impl Default for SolveSettings {
    fn default() -> Self {
        Self {
            mode: SolveMode::default(),
            workers: None,
            expansions_per_frame: 20_000,
            micros_per_frame: None,
            ticks_per_priority: 64,
            cache_capacity: 1024,
            exact_within: 4096,
            record: false,
            seek_shortcuts: false,
            min_gain: 0.02,
            min_saving: 0.5,
            reconsider_every: 1.0,
        }
    }
}

impl SolveSettings {
    /// The mode that is available in this build.
    pub(crate) const fn available_mode(&self) -> SolveMode {
        match self.mode {
            SolveMode::Background if cfg!(any(not(feature = "multi_threaded"), target_family = "wasm")) => {
                SolveMode::Sliced
            }
            mode => mode,
        }
    }
}

/// Whether searches run on the task pool.
pub(super) fn in_background(settings: Res<SolveSettings>) -> bool {
    settings.available_mode() == SolveMode::Background
}
