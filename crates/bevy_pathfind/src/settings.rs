//! Settings that several stages read. The settings of one stage are in the module of that stage.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// Settings of all stages. Insert your own before the plugins, or change them at any time.
#[derive(Resource, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Resource, Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct NavSettings {
    /// Direction away from the ground for agents that stand on no grid: steering keeps their height along it. `None`
    /// lets them move in all three dimensions. An agent on a grid moves along that grid's plane, whatever is set
    /// here. Range: any direction, of any length above 0. Default: `None`.
    pub up: Option<Vec3>,
    /// How many threads may work on the agents of a tick, the thread that runs the schedule included. It
    /// changes no result. Range: 1 and up. Default: `None`, all threads of Bevy's compute pool and that one.
    #[reflect(@1..=32_u32)]
    pub threads: Option<u32>,
    /// Whether requests are accepted and searched, and grids are updated, while `Time<Virtual>` is paused: once a
    /// frame, see [`NavSystems`](crate::NavSystems). Deadlines do not count down meanwhile. Turn it off where
    /// runs must be bit-identical although pauses last for different numbers of frames. Default: `true`.
    pub while_paused: bool,
}

impl Default for NavSettings {
    fn default() -> Self {
        Self { up: None, threads: None, while_paused: true }
    }
}

impl NavSettings {
    /// These settings with another direction away from the ground; see [`up`](Self::up).
    #[must_use]
    pub const fn with_up(mut self, up: Vec3) -> Self {
        self.up = Some(up);
        self
    }

    /// These settings with another number of threads; see [`threads`](Self::threads).
    #[must_use]
    pub const fn with_threads(mut self, threads: u32) -> Self {
        self.threads = Some(threads);
        self
    }

    /// `up` at length 1; `None` if it is not set, zero or not finite.
    pub(crate) fn unit_up(&self) -> Option<Vec3> {
        self.up.and_then(Vec3::try_normalize)
    }
}
