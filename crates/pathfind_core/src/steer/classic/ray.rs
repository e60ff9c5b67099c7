//! One ray ahead: the tutorials' avoidance of obstacles.

use glam::Vec3;

use crate::steer::avoid::{Avoidance, AvoidanceInput};
use crate::steer::obstacle::{Cast, LayerMask, ObstacleProbe};
use crate::steer::wide::size;

/// Turns aside by the normal of what a single ray along the heading hits: the new direction is the heading plus
/// the normal times a force, at the desired speed.
///
/// The rule of many tutorials (Unity's `AvoidingObstacles`). It has no width and no memory: a body clips obstacles
/// that its ray just misses, and turns back before one head-on. [`Sweep`](crate::steer::avoid::Sweep) has neither
/// fault.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Ray {
    /// Length of the ray. Unit: lengths. Range: 0 and up. Default: `20.0`.
    pub range: f32,
    /// Weight of the normal beside a heading of length 1. Range: 0 to 10⁶. Default: `50.0`.
    pub force: f32,
    /// The layers that the ray sees. Default: all.
    pub mask: LayerMask,
    /// The number of the obstacles that the ray does not see: those of the body itself. Default: `None`.
    pub except: Option<u64>,
}

impl Default for Ray {
    fn default() -> Self {
        Self { range: 20.0, force: 50.0, mask: LayerMask::ALL, except: None }
    }
}

impl Ray {
    /// The velocity for a body that faces `heading` (of any length). If the heading is zero, the desired direction
    /// replaces it.
    #[must_use]
    pub fn steer(
        &self,
        input: AvoidanceInput,
        heading: Vec3,
        probe: &(impl ObstacleProbe + ?Sized),
    ) -> Avoidance {
        let Some(input) = input.checked() else { return Avoidance::none(Vec3::ZERO) };
        let flat = |v: Vec3| input.plane.map_or(v, |plane| plane.flat(v));
        let ahead = flat(heading).try_normalize().or(input.desired.try_normalize());
        let Some(ahead) = ahead else { return Avoidance::none(input.desired) };
        let Self { range, mask, except, .. } = *self;
        let cast = Cast { mask, except, ..Cast::new(input.body.position, ahead, 0.0, size(range)) };
        let hit = probe.sweep(&cast);
        let velocity = hit.map_or(input.desired, |hit| {
            let direction = ahead + flat(hit.normal).normalize_or_zero() * size(self.force).min(1e6);
            direction.normalize_or_zero() * input.desired.length()
        });
        Avoidance { velocity, probed: Some(cast), hit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steer::obstacle::{Obstacles, Shape};
    use crate::steer::{Body, MovementPlane};

    #[test]
    fn the_direction_is_the_heading_plus_the_flattened_normal_times_the_force() {
        let field = Obstacles::of(None, [Shape::sphere(Vec3::new(4.0, -1.0, 1.0), 2.0)], 0.0);
        let input = AvoidanceInput {
            body: Body::new(Vec3::ZERO, Vec3::ZERO),
            desired: Vec3::X * 3.0,
            goal: None,
            plane: Some(MovementPlane::XZ),
        };
        let ray = Ray { range: 10.0, force: 2.0, ..Ray::default() };
        let told = ray.steer(input, Vec3::X, &field);
        let normal = told.hit.unwrap().normal.with_y(0.0).normalize();
        assert!(told.velocity.abs_diff_eq((Vec3::X + normal * 2.0).normalize() * 3.0, 1e-5), "{told:?}");
        assert_eq!(ray.steer(input, Vec3::Z, &field).velocity, input.desired, "nothing is that way");
        let blind = Ray { mask: LayerMask::NONE, ..ray };
        assert_eq!(blind.steer(input, Vec3::X, &field).hit, None, "it looks at no layer");
    }
}
