//! [`ObstacleProbe`] for a set, and for a few of its shapes.

use glam::Vec3;

use super::{Obstacles, Solid};
use crate::steer::obstacle::{Cast, Hit, LayerMask, ObstacleProbe, Shape};

impl ObstacleProbe for Obstacles {
    fn sweep(&self, cast: &Cast) -> Option<Hit> {
        let to = cast.origin + cast.direction * cast.max;
        cast.is_valid().then(|| first_hit(cast, self.near(cast.origin, to, cast.radius, cast.mask)))?
    }

    fn within(&self, center: Vec3, reach: f32, mask: LayerMask, ask: &mut dyn FnMut(&dyn ObstacleProbe)) {
        let (mut few, mut count) = ([None; FEW], 0);
        // Directions have length 1 only up to rounding.
        let reach = reach * 1.001;
        for solid in self.near(center, center, reach, mask) {
            let Shape { position, velocity, .. } = *solid.shape();
            if velocity == Vec3::ZERO && solid.is_beyond(center - position, reach) {
                continue;
            }
            let Some(place) = few.get_mut(count) else { return ask(self) };
            *place = Some(solid);
            count += 1;
        }
        ask(&Few(&few[..count]));
    }
}

/// The most shapes that are copied out of a set; with more, the set itself is queried.
const FEW: usize = 16;

/// A few shapes of a set.
struct Few<'a>(&'a [Option<&'a Solid>]);

impl ObstacleProbe for Few<'_> {
    fn sweep(&self, cast: &Cast) -> Option<Hit> {
        let seen = |solid: &&Solid| solid.shape().layers.meets(cast.mask);
        cast.is_valid().then(|| first_hit(cast, self.0.iter().copied().flatten().filter(seen)))?
    }
}

/// The first contact of a cast with these shapes.
#[inline]
fn first_hit<'a>(cast: &Cast, solids: impl Iterator<Item = &'a Solid>) -> Option<Hit> {
    let displacement = cast.direction * cast.max;
    let time = if cast.speed > 0.0 { cast.max / cast.speed } else { 0.0 };
    let mut best: Option<(f64, Hit)> = None;
    for solid in solids.filter(|solid| Some(solid.shape().who) != cast.except) {
        let Shape { position, velocity, who, .. } = *solid.shape();
        let met = solid.meets(cast.origin - position, displacement - velocity * time, cast.radius);
        if let Some((at, normal)) = met
            && best.as_ref().is_none_or(|&(nearest, _)| at < nearest)
        {
            let distance = at as f32 * cast.max;
            let point = cast.at(distance) - normal * cast.radius;
            best = Some((at, Hit { distance, point, normal, who }));
        }
    }
    best.map(|(_, hit)| hit)
}
