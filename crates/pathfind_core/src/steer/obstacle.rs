//! What stands in the way, and how it is felt for.
//!
//! Rules of avoidance see obstacles through one door: an [`ObstacleProbe`] is asked how far a ball may go
//! before it touches something. Two live here, [`GridWalls`] of a grid and [`Obstacles`] of their own shapes; a
//! physics engine makes a third one. Several are asked as one by a tuple or a slice: the nearest hit wins.
//!
//! A ball that touches or overlaps something at the start is stopped only on its way deeper into it; a way
//! out, or along, is free.

mod layer_mask;
mod nearest;
mod rounded;
mod set;
mod shape;
mod walls;

use glam::Vec3;

pub use layer_mask::LayerMask;
pub(crate) use rounded::touch;
pub use set::Obstacles;
pub use shape::{Shape, ShapeKind};
pub use walls::GridWalls;

/// A ball sent along a straight line: the question to a probe.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Cast {
    /// Where its centre starts.
    pub origin: Vec3,
    /// Where it goes. Length 1.
    pub direction: Vec3,
    /// Its radius. Range: 0 (a ray) and up.
    pub radius: f32,
    /// How far it goes at most. Range: 0 and up.
    pub max: f32,
    /// How fast it goes, per second, to meet what moves where it will be; 0 takes everything to stand still.
    /// Range: 0 and up. Default: `0.0`.
    pub speed: f32,
    /// The layers that it sees. Default: all.
    pub mask: LayerMask,
}

impl Cast {
    /// A cast that sees every layer, and everything as if it stood still.
    #[must_use]
    pub const fn new(origin: Vec3, direction: Vec3, radius: f32, max: f32) -> Self {
        Self { origin, direction, radius, max, speed: 0.0, mask: LayerMask::ALL }
    }

    /// The same cast by a body of this speed.
    #[must_use]
    pub const fn with_speed(mut self, speed: f32) -> Self {
        self.speed = speed;
        self
    }

    /// The same cast at these layers.
    #[must_use]
    pub const fn with_mask(mut self, mask: LayerMask) -> Self {
        self.mask = mask;
        self
    }

    /// Where the ball's centre is after a distance.
    #[must_use]
    pub fn at(&self, distance: f32) -> Vec3 {
        self.origin + self.direction * distance
    }

    /// Whether it can be answered: every number is one, and neither radius nor length is negative.
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

/// What a ball touches first.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Hit {
    /// How far its centre has gone by then. Range: 0 to [`Cast::max`].
    pub distance: f32,
    /// Where the two touch.
    pub point: Vec3,
    /// Out of the obstacle, towards the ball. Length 1.
    pub normal: Vec3,
    /// Whom it touches, in whatever way the probe numbers them.
    pub who: u64,
}

/// Something that knows what stands in the way.
pub trait ObstacleProbe {
    /// What a ball touches first on its way; `None` if nothing, or if the cast is not
    /// [valid](Cast::is_valid).
    fn sweep(&self, cast: &Cast) -> Option<Hit>;

    /// Calls `ask` with a probe that says the same of every cast by this mask that keeps, with all of its ball,
    /// within `reach` of a place: whoever has several such questions is answered sooner. Of obstacles that are
    /// met at the same moment it may name another.
    ///
    /// Default: this probe itself.
    fn within(&self, center: Vec3, reach: f32, mask: LayerMask, ask: &mut dyn FnMut(&dyn ObstacleProbe)) {
        let _ = (center, reach, mask);
        ask(&All(self));
    }
}

/// A probe as it is, of known size.
struct All<'a, P: ?Sized>(&'a P);

impl<P: ObstacleProbe + ?Sized> ObstacleProbe for All<'_, P> {
    fn sweep(&self, cast: &Cast) -> Option<Hit> {
        self.0.sweep(cast)
    }

    fn within(&self, _: Vec3, _: f32, _: LayerMask, ask: &mut dyn FnMut(&dyn ObstacleProbe)) {
        ask(self);
    }
}

/// The open: there is nothing to hit.
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
        let at = |x: f32| {
            let mut obstacles = Obstacles::new(None);
            obstacles.rebuild([Shape::sphere(Vec3::X * x, 1.0)], 0.0);
            obstacles
        };
        let cast = Cast::new(Vec3::ZERO, Vec3::X, 0.5, 20.0);
        let (near, far) = (at(5.0), at(9.0));
        assert_eq!((&far, &near).sweep(&cast).map(|hit| hit.distance), Some(3.5));
        let probes: [&dyn ObstacleProbe; 3] = [&(), &near, &far];
        assert_eq!(probes.sweep(&cast).map(|hit| hit.distance), Some(3.5), "a slice is asked like one");
        assert_eq!((None::<GridWalls>, ()).sweep(&cast), None, "nothing hits nothing");
    }
}
