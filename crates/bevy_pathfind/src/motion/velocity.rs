//! The three velocities of an agent: what it wants, what the others leave of it, what it does.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// Where the agent wants to go, before it minds anybody else. Unit: world units per second. Written by
/// `steer`.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
pub struct DesiredVelocity(pub Vec3);

/// What is left of the desired velocity once the agent minds others. Unit: world units per second. Written
/// by `steer`; read by `motion`, or by your own system if you drive physics.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
pub struct AdjustedVelocity(pub Vec3);

/// The velocity that the agent reached in the last tick; where something held it, how it really moved. Unit: world
/// units per second. Written by `motion`.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentVelocity(pub Vec3);
