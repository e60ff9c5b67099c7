//! Direct control: the user, or the game, gives the goal velocity of an agent, or lets it stand where it is.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{GoalSource, GoalVelocity, SteeringGoal};
use crate::agent::Agent;

/// Direct control of an agent: its desired velocity, in world units per second. With zero it stands. The agent's limits
/// hold: it goes no faster than its top speed, accelerates and turns within its limits, and never goes through walls.
///
/// The value holds until it is written again. Remove the component to let the agent follow its path, pursuit or
/// behaviour again. On a grid the part of the velocity across the grid's plane raises or lowers the agent.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
#[require(Agent)]
pub struct ManualVelocity(pub Vec3);

/// An agent with this component brakes and stands where it is, and keeps its orders: a unit under a spell, a guard at its
/// post, a boss, an engine that is being repaired. Remove it to let the agent go on.
///
/// Nobody pushes it: other agents that avoid it go round it, and contact moves only the others. Neither flock nor
/// separation moves it, and while it stands it is not stuck. An agent on a link waits there. One that stands where it
/// may not, in a wall, walks out first.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
#[require(Agent)]
pub struct HoldPosition;

/// States the goal velocities of agents under direct control.
pub(super) fn control_directly(
    mut holding: Query<SteeringGoal, With<HoldPosition>>,
    mut driven: Query<(&ManualVelocity, SteeringGoal), Without<HoldPosition>>,
) {
    for mut goal in &mut holding {
        goal.state(GoalSource::Hold, GoalVelocity::default());
    }
    for (&ManualVelocity(velocity), mut goal) in &mut driven {
        goal.state(GoalSource::Manual, GoalVelocity::new(velocity));
    }
}
