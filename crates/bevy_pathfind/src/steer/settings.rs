//! What holds for all steering.

use bevy::prelude::*;
use pathfind_core::steer::blend::BlendSettings;
use serde::{Deserialize, Serialize};

/// What holds for all agents. Insert your own before the plugins, or change it at any time.
#[derive(Resource, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[reflect(Resource, Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SteerSettings {
    /// What all chance is drawn from: the same seed, the same run. Default: `0`.
    pub seed: u64,
    /// Away from the ground for agents that stand on no grid; `None` has them move in space. Default: `None`.
    pub up: Option<Vec3>,
    /// Weight of keeping off others ([`Separation`](super::Separation)), which is served first. Range: 0 and
    /// up. Default: `1.0`.
    #[reflect(@0.0..=5.0_f32)]
    pub separation_weight: f32,
    /// Weight of getting somewhere (paths, pursuit, behaviours), which is served second. Range: 0 and up.
    /// Default: `1.0`.
    #[reflect(@0.0..=5.0_f32)]
    pub goal_weight: f32,
    /// Weight of the flock, which gets what acceleration is left. Range: 0 and up. Default: `1.0`.
    #[reflect(@0.0..=5.0_f32)]
    pub flock_weight: f32,
    /// Whether one of two agents that meet head-on where only one can pass goes back to where the other gets past
    /// ([`PathYielded`](crate::solve::PathYielded) tells of it). Without it the two stand. Default: `true`.
    pub back_off: bool,
    /// How many threads may work on the agents of a tick, that which the schedule runs on among them; 0 for all of
    /// Bevy's compute pool and that one. It changes no result. Range: 0 and up. Default: `0`.
    #[reflect(@0..=32_u32)]
    pub threads: u32,
}

impl Default for SteerSettings {
    fn default() -> Self {
        let BlendSettings { separation, goal, rest, .. } = BlendSettings::default();
        Self {
            seed: 0,
            up: None,
            separation_weight: separation,
            goal_weight: goal,
            flock_weight: rest,
            back_off: true,
            threads: 0,
        }
    }
}

impl SteerSettings {
    /// Which way is up for agents that stand on no grid, at length 1.
    pub(super) fn sky(&self) -> Option<Vec3> {
        self.up.and_then(Vec3::try_normalize)
    }

    pub(super) fn blend(&self) -> BlendSettings {
        let &Self { separation_weight: separation, goal_weight: goal, flock_weight: rest, .. } = self;
        BlendSettings { separation, goal, rest, ..BlendSettings::default() }
    }
}

/// How many ticks steering has worked: the time by which chance is drawn.
#[derive(Resource, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Resource, Default, Debug, PartialEq, Serialize, Deserialize)]
pub struct SteerTick(pub u64);

pub(super) fn count(mut tick: ResMut<SteerTick>) {
    tick.0 = tick.0.wrapping_add(1);
}
