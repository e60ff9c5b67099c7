//! Wandering: a smooth random walk.

use glam::{DVec3, Vec3};

use crate::steer::turn::left_of;
use crate::steer::wide::{narrow, unit};
use crate::steer::{Body, CounterRng, MotionLimits, MovementPlane};

/// The settings of wandering.
///
/// ```text
///                  ╭───────╮
///    body ─▶ · · · │   ·   ● ← the target point, which wanders over the sphere
///                  ╰───────╯
///           distance   radius
/// ```
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct WanderSettings {
    /// Distance of the sphere's centre ahead of the body. Unit: lengths. Range: 0 and up, finite; less counts as 0.
    /// Default: `2.0`.
    pub distance: f32,
    /// Radius of the sphere: the larger, the sharper the turns. Unit: lengths. Range: 0 and up, finite; less counts as
    /// 0. Default: `1.2`.
    pub radius: f32,
    /// Standard deviation of the point's random walk over the sphere, along each axis of its surface. Unit: radians/√s.
    /// Range: 0 and up, finite; less counts as 0. Default: `1.5`.
    pub jitter: f32,
    /// The plane of movement, in which the sphere is a circle; `None` wanders in space. Default:
    /// [`MovementPlane::XY`].
    pub plane: Option<MovementPlane>,
}

impl Default for WanderSettings {
    fn default() -> Self {
        Self { distance: 2.0, radius: 1.2, jitter: 1.5, plane: Some(MovementPlane::XY) }
    }
}

/// Reynolds' wandering: the body moves towards a target point that walks randomly over a sphere ahead of it.
///
/// The spread of the point after a second does not depend on the length of a tick, and the body follows the circular
/// arc to the point (curvature 2·sin α / d, for a point at distance d whose direction is the angle α off the
/// heading). So the path has the same statistics at any tick rate. Random numbers come from the caller's
/// [`CounterRng`]: give each tick its own.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Wander {
    /// Heading, of length 1; zero before the first tick.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::saved::finite"))]
    heading: DVec3,
    /// From the sphere's centre to the point, of length 1; it turns with the heading.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::saved::finite"))]
    offset: DVec3,
}

/// The sine of the angle to the plane from which on a direction counts as outside it: more than rounding.
const LEAVES_PLANE: f64 = 1e-9;

impl Wander {
    /// Advances by a tick and returns the velocity: the top speed along the new heading, in units per second.
    ///
    /// A moving body turns from the direction of its velocity, a standing one from its last heading, or from a random
    /// one in its first tick. Zero if body or settings are not finite, or if [`MotionLimits::can_move`] is false.
    pub fn step(
        &mut self,
        body: &Body,
        settings: &WanderSettings,
        rng: &mut CounterRng,
        limits: &MotionLimits,
    ) -> Vec3 {
        let is_known = body.is_finite() && settings.is_finite() && limits.can_move();
        if !is_known {
            return Vec3::ZERO;
        }
        let normal = settings.plane.map_or(DVec3::ZERO, |plane| unit(plane.up().as_dvec3()));
        self.take_heading(direction_in(body.velocity.as_dvec3(), normal), normal, rng);
        self.move_point(settings, normal, rng, f64::from(limits.dt));
        let ahead = self.ahead(settings);
        let aside = ahead - self.heading * ahead.dot(self.heading);
        if aside != DVec3::ZERO {
            // The arc to the point has the curvature 2·sin α / |ahead|, and sin α is |aside| / |ahead|.
            let curvature = 2.0 * aside.length() / ahead.length_squared();
            let angle =
                (curvature * f64::from(limits.speed) * f64::from(limits.dt)).min(core::f64::consts::PI);
            self.turn_to(rotated_in(self.heading, unit(aside), angle));
        }
        narrow(self.heading * f64::from(limits.speed))
    }

    /// The target point, for display, in the same space as the body's position.
    #[must_use]
    pub fn point(&self, body: &Body, settings: &WanderSettings) -> Vec3 {
        narrow(body.position.as_dvec3() + self.ahead(settings))
    }

    /// The offset from the body to the target point.
    fn ahead(&self, settings: &WanderSettings) -> DVec3 {
        let (distance, radius) = (f64::from(settings.distance.max(0.0)), f64::from(settings.radius.max(0.0)));
        self.heading * distance + self.offset * radius
    }

    /// Sets the heading to `moving`, the direction in which the body moves; zero if it stands. A standing body keeps
    /// its last heading, or draws a random one if it has none.
    fn take_heading(&mut self, moving: DVec3, normal: DVec3, rng: &mut CounterRng) {
        for direction in [&mut self.heading, &mut self.offset] {
            // The plane may be another one than in the last tick.
            if direction.dot(normal).abs() > LEAVES_PLANE {
                *direction = direction_in(*direction, normal);
            }
        }
        if self.offset == DVec3::ZERO {
            self.offset = self.heading;
        }
        if self.heading == DVec3::ZERO {
            let random = direction_in(rng.direction().as_dvec3(), normal);
            self.heading = if moving == DVec3::ZERO { random } else { moving };
            self.offset = self.heading;
        } else if moving != DVec3::ZERO {
            self.turn_to(moving);
        }
    }

    /// Moves the point over the sphere by a random step whose standard deviation is `jitter`·√dt.
    fn move_point(&mut self, settings: &WanderSettings, normal: DVec3, rng: &mut CounterRng, dt: f64) {
        let deviation = f64::from(settings.jitter.max(0.0)) * dt.sqrt();
        let left = left_of(self.offset, normal);
        let mut step = left * f64::from(rng.normal());
        if normal == DVec3::ZERO {
            step += self.offset.cross(left) * f64::from(rng.normal());
        }
        let angle = step.length() * deviation;
        self.offset = rotated_in(self.offset, unit(step), angle);
    }

    /// Turns the body to a new heading, and the target point with it.
    fn turn_to(&mut self, heading: DVec3) {
        let (cosine, axis) = (self.heading.dot(heading), self.heading.cross(heading));
        // Rodrigues' formula for the rotation from the old heading to the new one; for opposite headings the axis is
        // undefined.
        self.offset = if cosine > -1.0 + 1e-12 {
            unit(
                self.offset * cosine
                    + axis.cross(self.offset)
                    + axis * (axis.dot(self.offset) / (1.0 + cosine)),
            )
        } else {
            -self.offset
        };
        self.heading = heading;
    }
}

impl WanderSettings {
    fn is_finite(&self) -> bool {
        self.distance.is_finite() && self.radius.is_finite() && self.jitter.is_finite()
    }
}

/// The direction of a vector's part in the plane with this normal; of the whole vector if the normal is zero. A vector
/// along the normal has none: its part in the plane is a rounding error.
fn direction_in(vector: DVec3, normal: DVec3) -> DVec3 {
    let flat = vector - normal * vector.dot(normal);
    if flat.length() > LEAVES_PLANE * vector.length() { unit(flat) } else { DVec3::ZERO }
}

/// A direction, turned by an angle in radians towards `across`, which is perpendicular to it.
fn rotated_in(direction: DVec3, across: DVec3, angle: f64) -> DVec3 {
    let (sine, cosine) = libm::sincos(angle);
    unit(direction * cosine + across * sine)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By how many radians a wanderer's heading changes over each second; `rate` is in ticks per second.
    fn turns(rate: u16, seconds: u16, agent: u64, settings: &WanderSettings) -> Vec<f32> {
        let limits = MotionLimits::new(3.0, 1.0 / f32::from(rate));
        let (mut wander, mut body) = (Wander::default(), Body::new(Vec3::ZERO, Vec3::X));
        let mut turns = Vec::new();
        for second in 0..u64::from(seconds) {
            let before = body.velocity.normalize();
            for tick in 0..u64::from(rate) {
                let mut rng = CounterRng::new(5, agent, second * u64::from(rate) + tick);
                body.velocity = wander.step(&body, settings, &mut rng, &limits);
            }
            turns.push(libm::acosf(before.dot(body.velocity.normalize()).clamp(-1.0, 1.0)));
        }
        turns
    }

    #[test]
    fn the_path_turns_as_much_at_every_tick_rate() {
        for plane in [Some(MovementPlane::XY), None] {
            let settings = WanderSettings { plane, ..WanderSettings::default() };
            let means = [30, 60, 144].map(|rate| {
                let turns: Vec<f32> = (0..60).flat_map(|agent| turns(rate, 20, agent, &settings)).collect();
                turns.iter().sum::<f32>() / turns.len() as f32
            });
            assert!(means[0] > 0.3, "it does wander: {means:?} radians a second");
            for mean in means {
                assert!((mean / means[0] - 1.0).abs() < 0.1, "by the same at any rate: {means:?}");
            }
        }
    }

    /// The velocity after a tick of a body with this velocity.
    fn step(wander: &mut Wander, velocity: Vec3, plane: MovementPlane, tick: u64) -> Vec3 {
        let settings = WanderSettings { plane: Some(plane), ..WanderSettings::default() };
        let (mut rng, limits) = (CounterRng::new(5, 1, tick), MotionLimits::new(3.0, 1.0 / 60.0));
        let next = wander.step(&Body::new(Vec3::ZERO, velocity), &settings, &mut rng, &limits);
        assert!(next.dot(plane.up()).abs() < 1e-5, "tick {tick}: {next} leaves the plane {plane:?}");
        assert!((next.length() - 3.0).abs() < 1e-4, "tick {tick}: it moves at its speed: {next}");
        next
    }

    #[test]
    fn in_another_plane_it_moves_in_that_plane_at_once() {
        for stands in [false, true] {
            let (mut wander, mut velocity) = (Wander::default(), Vec3::X * 3.0);
            for tick in 0..600 {
                let plane = [MovementPlane::XY, MovementPlane::XZ][usize::from(tick >= 300)];
                velocity = step(&mut wander, if stands { Vec3::ZERO } else { velocity }, plane, tick);
            }
        }
    }

    #[test]
    fn a_body_that_moved_along_the_normal_wanders_in_the_plane() {
        for seed in 0..200 {
            let plane = MovementPlane::from_up(CounterRng::new(seed, 0, 0).direction()).expect("a direction");
            let up = unit(plane.up().as_dvec3());
            // In the first tick it moves straight up; in the other it stands, and moved up last.
            step(&mut Wander::default(), plane.up() * 4.0, plane, seed);
            step(&mut Wander { heading: up, offset: up }, Vec3::ZERO, plane, seed);
        }
    }

    #[test]
    fn it_turns_smoothly_from_the_direction_of_the_body() {
        let (mut wander, mut velocity) = (Wander::default(), Vec3::X * 3.0);
        // The sharpest arc to a point of the sphere has the curvature 2·radius / (distance² - radius²).
        let most = 2.0 * 1.2 / (2.0_f32 * 2.0 - 1.2 * 1.2) * 3.0 / 60.0;
        for tick in 0..5_000 {
            let next = step(&mut wander, velocity, MovementPlane::XY, tick);
            assert!(next.angle_between(velocity) <= most + 1e-3, "smoothly");
            velocity = next;
        }
        for heading in [Vec3::X, Vec3::NEG_X, Vec3::Y] {
            let next = step(&mut wander, heading, MovementPlane::XY, 1);
            assert!(next.normalize().dot(heading) > 0.99, "hardly off {heading}: {next}");
        }
    }
}
