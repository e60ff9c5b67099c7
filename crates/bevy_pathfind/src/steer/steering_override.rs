//! Direct control: the user, or the game, gives the goal velocity of an agent.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{GoalSource, GoalVelocity, GoalWriter};
use crate::agent::Agent;

/// Direct control of an agent: its desired velocity, in world units per second. The agent's limits hold: it goes no
/// faster than its top speed, accelerates and turns within its limits, and never goes through walls.
///
/// The value holds until it is written again. While it is zero, the agent follows its path, pursuit or behaviour. On
/// a grid the part of it across the grid's plane raises or lowers the agent.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
#[require(Agent)]
pub struct SteeringOverride(pub Vec3);

/// States the goal velocities of agents under direct control.
pub(super) fn override_goals(mut agents: Query<(&SteeringOverride, GoalWriter)>) {
    for (&SteeringOverride(velocity), mut goal) in &mut agents {
        if velocity != Vec3::ZERO {
            goal.state(GoalSource::Override, GoalVelocity::new(velocity));
        }
    }
}
