//! How searches are run.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// Where and when searches run.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Default, Debug, PartialEq, Serialize, Deserialize)]
pub enum SolveMode {
    /// On Bevy's task pool; frames never wait. Without the feature `multi_threaded`, as `Sliced`.
    #[default]
    Background,
    /// On the main thread, some cells a frame.
    Sliced,
    /// On the main thread, in the tick of the request, in a fixed order: for lockstep and replays.
    Inline,
}

/// How searches are run. Insert it before the plugin to start with other values.
#[derive(Resource, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[reflect(Resource, Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SolveSettings {
    /// Where and when searches run. Default: `Background`.
    pub mode: SolveMode,
    /// How many searches may run on the task pool at once, each on a thread of its own if there are so
    /// many; 0 for all, one per thread of the pool. Each takes up the next request as soon as it has ended,
    /// in the same tick. Range: 0 and up. Default: `0`.
    #[reflect(@0..=32_u32)]
    pub workers: u32,
    /// How many cells the `Sliced` mode may expand in a frame, however many ticks that has. Unit: cells.
    /// Range: 1 and up. Default: `20_000`.
    #[reflect(@1..=200_000_u32)]
    pub expansions_per_frame: u32,
    /// For how long the `Sliced` mode may search in a frame, looked at every 512 cells; 0 for no limit,
    /// but that of cells, so that a run does not depend on how fast the machine is. Unit: microseconds. Range:
    /// 0 and up. Default: `0`.
    #[reflect(@0..=16_000_u32)]
    pub micros_per_frame: u32,
    /// How many ticks of waiting weigh as much as one level of priority; who names no deadline has so long.
    /// See [`PathRequest`](crate::order::PathRequest). Unit: ticks. Range: 1 and up. Default: `64`.
    #[reflect(@1..=640_u32)]
    pub ticks_per_priority: u32,
    /// How many answers are kept for who asks the same again on the same map; 0 for none. Unit: paths. Range: 0
    /// and up. Default: `1024`.
    #[reflect(@0..=16_384_u32)]
    pub cache_capacity: u32,
    /// Whether the latest search keeps a record of every cell that it opened and closed, for
    /// `LastSearch::recording`. Costs time and memory. Default: `false`.
    pub record: bool,
}

impl Default for SolveSettings {
    fn default() -> Self {
        Self {
            mode: SolveMode::default(),
            workers: 0,
            expansions_per_frame: 20_000,
            micros_per_frame: 0,
            ticks_per_priority: 64,
            cache_capacity: 1024,
            record: false,
        }
    }
}

impl SolveSettings {
    /// The mode that can be had in this build.
    pub(crate) const fn mode(&self) -> SolveMode {
        match self.mode {
            SolveMode::Background if cfg!(not(feature = "multi_threaded")) => SolveMode::Sliced,
            mode => mode,
        }
    }
}

/// Whether searches run on the task pool.
pub(super) fn in_background(settings: Res<SolveSettings>) -> bool {
    settings.mode() == SolveMode::Background
}
