//! Obstacles, and the query that avoidance makes of them: how far a ball can move in a direction before it touches
//! something.
//!
//! [`ObstacleProbe`] is that query. Two sources of obstacles are here, the walls of a grid ([`GridWalls`]) and
//! shapes ([`Obstacles`]); an adapter to a physics engine can implement the same trait. A tuple or a slice of
//! probes is queried as one: the nearest hit wins.
//!
//! A ball that touches or overlaps an obstacle at the start is stopped only if it moves deeper into it; to move
//! out or along is free.

mod layer_mask;
mod nearest;
mod set;
mod shape;
mod walls;

use glam::Vec3;

pub use layer_mask::LayerMask;

pub use set::Obstacles;
pub use shape::{Shape, ShapeKind};
pub use walls::GridWalls;

/// A ball moved along a straight line: the query to a probe.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Cast {
    /// Start of the ball's centre. Unit: lengths. Range: finite.
    pub origin: Vec3,
    /// Direction of the movement. Length 1.
    pub direction: Vec3,
    /// Its radius. Unit: lengths. Range: 0 (a ray) and up, finite.
    pub radius: f32,
    /// Length of the movement: what is farther is not hit. Unit: lengths. Range: 0 and up, finite; else nothing is hit.
    pub max: f32,
    /// Speed of the ball: a moving obstacle is hit where it will be by then. At 0 all obstacles stand still.
    /// Unit: lengths/s. Range: 0 and up, finite. Default: `0.0`.
    pub speed: f32,
    /// The layers of obstacles that it can hit. Default: all.
    pub mask: LayerMask,
    /// The number of the obstacles that it cannot hit: those of the body itself. Default: `None`.
    pub except: Option<u64>,
}

impl Cast {
    /// A cast at every layer, with all obstacles standing still.
    #[must_use]
    pub const fn new(origin: Vec3, direction: Vec3, radius: f32, max: f32) -> Self {
        Self { origin, direction, radius, max, speed: 0.0, mask: LayerMask::ALL, except: None }
    }

    /// The same cast at these layers.
    #[must_use]
    pub const fn with_mask(mut self, mask: LayerMask) -> Self {
        self.mask = mask;
        self
    }

    /// The ball's centre after a distance.
    #[must_use]
    pub fn at(&self, distance: f32) -> Vec3 {
        self.origin + self.direction * distance
    }

    /// Whether the cast can be answered: every number is finite, the direction has length 1, and radius, length
    /// and speed are not negative.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        let is_size = |v: f32| v.is_finite() && v >= 0.0;
        self.origin.is_finite()
            && self.direction.is_normalized()
            && is_size(self.radius)
            && is_size(self.max)
            && is_size(self.speed)
    }
}

/// The first contact of a [`Cast`].
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Hit {
    /// Distance that the ball's centre has moved by then. Unit: lengths. Range: 0 to [`Cast::max`].
    pub distance: f32,
    /// The point of contact. Unit: lengths.
    pub point: Vec3,
    /// Normal of the obstacle's surface, towards the ball. Length 1.
    pub normal: Vec3,
    /// The number that the probe gives the obstacle.
    pub who: u64,
}

/// A source of obstacles that can be queried with a [`Cast`].
pub trait ObstacleProbe {
    /// The first contact of a cast; `None` if there is none, or if the cast is not [valid](Cast::is_valid).
    fn sweep(&self, cast: &Cast) -> Option<Hit>;

    /// Calls `ask` with a probe that answers every cast with this mask whose ball stays within `reach` of `center`
    /// as this probe does, and possibly faster: use it for several such casts. If obstacles are hit at the same
    /// distance, it may name another of them.
    ///
    /// Default: this probe itself.
    fn within(&self, center: Vec3, reach: f32, mask: LayerMask, ask: &mut dyn FnMut(&dyn ObstacleProbe)) {
        let _ = (center, reach, mask);
        ask(&self);
    }
}

/// No obstacles.
impl ObstacleProbe for () {
    fn sweep(&self, _: &Cast) -> Option<Hit> {
        None
    }
}

impl<P: ObstacleProbe + ?Sized> ObstacleProbe for &P {
    fn sweep(&self, cast: &Cast) -> Option<Hit> {
        (**self).sweep(cast)
    }

    fn within(&self, center: Vec3, reach: f32, mask: LayerMask, ask: &mut dyn FnMut(&dyn ObstacleProbe)) {
        (**self).within(center, reach, mask, ask);
    }
}

impl<P: ObstacleProbe> ObstacleProbe for Option<P> {
    fn sweep(&self, cast: &Cast) -> Option<Hit> {
        self.as_ref()?.sweep(cast)
    }

    fn within(&self, center: Vec3, reach: f32, mask: LayerMask, ask: &mut dyn FnMut(&dyn ObstacleProbe)) {
        match self {
            Some(probe) => probe.within(center, reach, mask, ask),
            None => ask(&()),
        }
    }
}

impl<A: ObstacleProbe, B: ObstacleProbe> ObstacleProbe for (A, B) {
    fn sweep(&self, cast: &Cast) -> Option<Hit> {
        nearer(self.0.sweep(cast), self.1.sweep(cast))
    }

    fn within(&self, center: Vec3, reach: f32, mask: LayerMask, ask: &mut dyn FnMut(&dyn ObstacleProbe)) {
        self.0.within(center, reach, mask, &mut |a| {
            self.1.within(center, reach, mask, &mut |b| ask(&(a, b)));
        });
    }
}

impl<P: ObstacleProbe> ObstacleProbe for [P] {
    fn sweep(&self, cast: &Cast) -> Option<Hit> {
        self.iter().fold(None, |best, probe| nearer(best, probe.sweep(cast)))
    }
}

/// The nearer of two hits; of two at the same distance, the first.
fn nearer(a: Option<Hit>, b: Option<Hit>) -> Option<Hit> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.distance < a.distance { b } else { a }),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_probes_the_nearest_hit_wins() {
        let at = |x: f32| Obstacles::of(None, [Shape::sphere(Vec3::X * x, 1.0)], 0.0);
        let cast = Cast::new(Vec3::ZERO, Vec3::X, 0.5, 20.0);
        let (near, far) = (at(5.0), at(9.0));
        assert_eq!((&far, &near).sweep(&cast).map(|hit| hit.distance), Some(3.5));
        let probes: [&dyn ObstacleProbe; 3] = [&(), &near, &far];
        assert_eq!(probes.sweep(&cast).map(|hit| hit.distance), Some(3.5), "a slice is asked like one");
        assert_eq!((None::<GridWalls>, ()).sweep(&cast), None, "nothing hits nothing");
    }
}
