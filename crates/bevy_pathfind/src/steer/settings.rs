//! The settings of the steering stage, and its tick counter.

use bevy::prelude::*;
use pathfind_core::steer::blend::BlendSettings;
use serde::{Deserialize, Serialize};

/// Settings for the steering of all agents. Insert the resource before the plugins to start with other values, or
/// change it at any time.
#[derive(Resource, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Resource, Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SteerSettings {
    /// Seed of all random numbers: the same seed gives the same run. Default: `0`.
    pub seed: u64,
    /// Weight of [`Separation`](super::Separation), which gets acceleration after obstacle avoidance and before the
    /// goal velocity and the flock. Range: 0 and up. Default: `1.0`.
    #[reflect(@0.0..=5.0_f32)]
    pub separation_weight: f32,
    /// Weight of the goal velocity (paths, pursuit, behaviours), which gets acceleration after separation. Range: 0
    /// and up. Default: `1.0`.
    #[reflect(@0.0..=5.0_f32)]
    pub goal_weight: f32,
    /// Weight of the flock, which gets the acceleration that is left. Range: 0 and up. Default: `1.0`.
    #[reflect(@0.0..=5.0_f32)]
    pub flock_weight: f32,
    /// Whether agents on paths go one way at a time where two of them do not fit side by side: the others wait beside the
    /// mouth, or go back to where there is room for one to pass. If `false`, all go in at once. Default: `true`.
    pub right_of_way: bool,
    /// Whether an agent that has arrived and was pushed away goes back to the point where it stood: one that was pushed
    /// by more than two radii, once it stands still and if it sees the point, unless a goal of its own or a flock has
    /// led it away since. It is [`Arrived`](crate::order::PathStatus::Arrived) meanwhile. An agent that does not get
    /// through in four times the time that the way takes alone waits twice as long before each further attempt.
    /// Default: `true`.
    pub return_when_pushed: bool,
    /// How many searches for refuges and for the distances of threats all [`Fugitive`](super::Fugitive)s together make in
    /// a tick; those who have waited longest come first. Range: 1 and up (0 counts as 1). Default: `4`, enough for 50
    /// agents that each decide five times a second at 64 ticks a second.
    #[reflect(@1..=64_u32)]
    pub flee_searches: u32,
}

impl Default for SteerSettings {
    fn default() -> Self {
        let BlendSettings { separation, goal, rest, .. } = BlendSettings::default();
        Self {
            seed: 0,
            separation_weight: separation,
            goal_weight: goal,
            flock_weight: rest,
            right_of_way: true,
            return_when_pushed: true,
            flee_searches: 4,
        }
    }
}

impl SteerSettings {
    pub(super) fn blend(&self) -> BlendSettings {
        let &Self { separation_weight: separation, goal_weight: goal, flock_weight: rest, .. } = self;
        BlendSettings { separation, goal, rest, ..BlendSettings::default() }
    }
}

/// The number of ticks that the stage has run. Random numbers are drawn by seed and tick.
#[derive(Resource, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Resource, Default, Debug, PartialEq, Serialize, Deserialize)]
pub struct SteerTick(pub u64);

pub(super) fn count_ticks(mut tick: ResMut<SteerTick>) {
    tick.0 = tick.0.wrapping_add(1);
}
