//! An agent under the user's hand.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{GoalSource, GoalVelocity, Wish};
use crate::agent::Agent;

/// An agent that goes where the user says, with an agent's manners: no faster than its top speed, turning
/// at its turn rate, and never through walls.
///
/// The value is the wished velocity, in world units per second; it holds until it is written again. While
/// it is zero the agent's path and target have their say.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
#[require(Agent)]
pub struct SteeringOverride(pub Vec3);

/// States the wishes of driven agents.
pub(super) fn drive(mut driven: Query<(&SteeringOverride, Wish)>) {
    for (&SteeringOverride(velocity), mut wish) in &mut driven {
        if velocity != Vec3::ZERO {
            wish.state(GoalSource::Override, GoalVelocity::new(velocity));
        }
    }
}
