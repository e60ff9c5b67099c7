//! A leader that wanders in a box: the box, its state, and the velocity of the next tick.

use glam::Vec3;

use super::limits::{Turn, rotate_towards};
use crate::simd::{OneLane, Vectors};
use crate::steer::{Body, CounterRng};

/// A box that a leader wanders in, as the `FlockController` of Unity's island demo: the leader flies forward at
/// constant speed and turns towards a random point of the box; when it comes near, the next point is drawn.
///
/// The book's version centres the box on twice the start position, by mistake; here it is centred on `center`.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct WanderBox {
    /// Centre of the box. Unit: lengths. Default: the origin.
    pub center: Vec3,
    /// Half of the box's size; 0 along an axis keeps the leader in a plane. Unit: lengths. Range: 0 and up.
    /// Default: `40`, `10`, `40`.
    pub bound: Vec3,
    /// Speed of the leader. Unit: lengths/s. Range: 0 and up. Default: `8`.
    pub speed: f32,
    /// Turn rate of the leader. Unit: radians/s. Range: 0 and up. Default: `1`.
    pub turn_speed: f32,
    /// Distance to its target at which the leader picks another; at least the diameter of the circle in which it
    /// can turn. Unit: lengths. Range: 0 and up. Default: `20`.
    pub near: f32,
}

impl Default for WanderBox {
    fn default() -> Self {
        Self {
            center: Vec3::ZERO,
            bound: Vec3::new(40.0, 10.0, 40.0),
            speed: 8.0,
            turn_speed: 1.0,
            near: 20.0,
        }
    }
}

/// The state of a leader's wandering.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WanderState {
    /// The point that it flies to; `None` before the first tick. Unit: lengths.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::saved::finite"))]
    pub target: Option<Vec3>,
    /// How many points it has picked: the counter of the random stream. Range: 0 and up. Default: `0`.
    pub picked: u64,
}

impl WanderBox {
    /// The leader's velocity for the next `dt` seconds. The points are random by `seed`, `id` and
    /// [`WanderState::picked`].
    #[must_use]
    pub fn velocity(&self, wander: &mut WanderState, body: &Body, dt: f32, seed: u64, id: u64) -> Vec3 {
        let speed = if self.speed > 0.0 && self.speed.is_finite() { self.speed } else { 0.0 };
        let turn_speed = if self.turn_speed > 0.0 { self.turn_speed } else { 0.0 };
        // The leader could circle for ever round a point within its turning circle. In a box smaller than the
        // circle it picks a point each tick, which is bounded work.
        let near = self.near.max(if turn_speed > 0.0 { 2.0 * speed / turn_speed } else { 0.0 });
        let is_ahead = |target: Vec3| target.distance_squared(body.position) > near * near;
        if !wander.target.is_some_and(is_ahead) {
            let mut rng = CounterRng::new(seed, id, wander.picked);
            wander.picked = wander.picked.wrapping_add(1);
            let at = Vec3::new(rng.signed(), rng.signed(), rng.signed());
            wander.target = Some(self.center + at * self.bound).filter(|target| target.is_finite());
        }
        let to_target = wander.target.map_or(Vec3::ZERO, |target| target - body.position);
        let wished = to_target.try_normalize().unwrap_or(body.velocity);
        let (velocity, wished) = (Vectors::<OneLane>::splat(body.velocity), Vectors::splat(wished));
        let turned = rotate_towards(velocity, wished, Turn::new(turn_speed * dt), None);
        turned.first().normalize_or_zero() * speed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leader_roams_its_box_and_stays_near_it() {
        let walls = WanderBox { center: Vec3::new(100.0, 0.0, 0.0), ..WanderBox::default() };
        let mut wander = WanderState::default();
        let mut body = Body::new(walls.center, Vec3::ZERO);
        let (mut low, mut high) = (walls.center, walls.center);
        for _ in 0..20_000 {
            body.velocity = walls.velocity(&mut wander, &body, 1.0 / 60.0, 3, 4);
            body.position += body.velocity / 60.0;
            assert!((body.velocity.length() - 8.0).abs() < 1e-3, "one speed: {}", body.velocity);
            (low, high) = (low.min(body.position), high.max(body.position));
        }
        assert!(wander.picked > 20, "it goes from point to point: {}", wander.picked);
        let size = high - low;
        assert!(size.x > 25.0 && size.z > 25.0, "it sees its box: {size}");
        let farthest = (low - walls.center).abs().max((high - walls.center).abs());
        assert!(farthest.max_element() < 60.0, "and stays there: {low} to {high}");
    }

    #[test]
    fn a_flat_box_keeps_its_leader_in_the_plane_and_odd_ones_keep_it_finite() {
        let flat = WanderBox { bound: Vec3::new(30.0, 30.0, 0.0), ..WanderBox::default() };
        let odd = [
            WanderBox { bound: Vec3::NAN, ..flat },
            WanderBox { speed: f32::NAN, ..flat },
            WanderBox { turn_speed: -1.0, near: f32::NAN, ..flat },
            WanderBox { bound: Vec3::ZERO, near: 0.0, turn_speed: 0.0, ..flat },
        ];
        for walls in [flat].into_iter().chain(odd) {
            let mut wander = WanderState::default();
            let mut body = Body::new(Vec3::ZERO, Vec3::ZERO);
            for _ in 0..2000 {
                body.velocity = walls.velocity(&mut wander, &body, 1.0 / 30.0, 3, 4);
                body.position += body.velocity / 30.0;
                assert!(body.is_finite() && body.position.z == 0.0, "{body:?} in {walls:?}");
            }
        }
    }
}
