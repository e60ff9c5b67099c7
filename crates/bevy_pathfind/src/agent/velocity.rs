//! The velocities of an agent: desired, adjusted for one tick, and actual.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::numbers::is_finite;

/// The velocity that the agent's goal and flock ask for, before obstacles and other agents are considered; at most
/// its top speed. Unit: world units per second. Written by `steer`.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
pub struct DesiredVelocity(pub Vec3);

/// The velocity that the agent is to have at the end of this tick, after avoiding obstacles and other agents.
///
/// It is one tick ahead, not a target: it differs from [`AgentVelocity`] by at most the acceleration of one tick.
/// Unit: world units per second. Written by `steer`; read by `motion`, or by your own system if you drive a physics
/// engine. Such a system has to write [`AgentVelocity`] each tick.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
pub struct AdjustedVelocity(pub Vec3);

/// The actual velocity of the agent in the last tick: the one it reached or, if a wall, obstacle or agent blocked it,
/// the one at which it moved. Unit: world units per second. Written by `motion`.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentVelocity(pub Vec3);

/// The velocity `now`, changed towards `wanted` by at most `most`; NaN is no limit. Velocities that are not finite
/// count as zero.
#[inline(always)]
pub(crate) fn accelerate(now: Vec3, wanted: Vec3, most: f32) -> Vec3 {
    let wanted = if is_finite(wanted) { wanted } else { Vec3::ZERO };
    let now = if is_finite(now) { now } else { Vec3::ZERO };
    if most.is_nan() {
        return wanted;
    }
    let most = most.max(0.0);
    let change = (wanted - now).length_squared();
    // No square root is needed if `wanted` is within reach, unless the squared length overflows.
    if change <= most * most && change < f32::INFINITY { wanted } else { now.move_towards(wanted, most) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn velocity_changes_within_the_limit_and_stays_finite() {
        assert_eq!(accelerate(Vec3::ZERO, Vec3::X * 5.0, 2.0), Vec3::X * 2.0, "no faster than allowed");
        assert_eq!(accelerate(Vec3::ZERO, Vec3::X * 5.0, f32::INFINITY), Vec3::X * 5.0, "at once");
        assert_eq!(accelerate(Vec3::ZERO, Vec3::NAN, 9.0), Vec3::ZERO, "a velocity that is NaN is ignored");
    }
}
