//! The three velocities of an agent: what it wants, what the others leave of it, what it does.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::numbers::is_finite;

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

/// A velocity that changes towards another by at most `most`.
#[inline(always)]
pub(crate) fn accelerate(now: Vec3, wanted: Vec3, most: f32) -> Vec3 {
    let wanted = if is_finite(wanted) { wanted } else { Vec3::ZERO };
    let now = if is_finite(now) { now } else { Vec3::ZERO };
    if most.is_nan() {
        return wanted;
    }
    let most = most.max(0.0);
    let change = (wanted - now).length_squared();
    // No length is needed to see that it is near, unless squares are beyond all numbers.
    if change <= most * most && change < f32::INFINITY { wanted } else { now.move_towards(wanted, most) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn velocity_changes_gradually_and_never_to_nonsense() {
        assert_eq!(accelerate(Vec3::ZERO, Vec3::X * 5.0, 2.0), Vec3::X * 2.0, "no faster than allowed");
        assert_eq!(accelerate(Vec3::ZERO, Vec3::X * 5.0, f32::INFINITY), Vec3::X * 5.0, "at once");
        assert_eq!(accelerate(Vec3::ZERO, Vec3::NAN, 9.0), Vec3::ZERO, "what is no number moves nobody");
    }
}
