//! [`ObstacleProbe`] for a set, and for a few of its shapes.

use glam::Vec3;

use super::{Obstacles, PreparedShape};
use crate::steer::obstacle::{Cast, Hit, LayerMask, ObstacleProbe, Shape};

impl ObstacleProbe for Obstacles {
    fn sweep(&self, cast: &Cast) -> Option<Hit> {
        let path = (cast.origin, cast.origin + cast.direction * cast.max);
        cast.is_valid().then(|| first_hit(cast, self.near(path, cast.radius, cast.mask, cast.except)))?
    }

    fn within(&self, center: Vec3, reach: f32, mask: LayerMask, ask: &mut dyn FnMut(&dyn ObstacleProbe)) {
        let (mut few, mut count) = ([None; FEW], 0);
        // Directions have length 1 only up to rounding.
        let reach = reach * 1.001;
        for solid in self.near((center, center), reach, mask, None) {
            let Shape { position, velocity, .. } = solid.shape;
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
struct Few<'a>(&'a [Option<&'a PreparedShape>]);

impl ObstacleProbe for Few<'_> {
    fn sweep(&self, cast: &Cast) -> Option<Hit> {
        let seen = |solid: &&PreparedShape| {
            let Shape { layers, who, .. } = solid.shape;
            layers.meets(cast.mask) && Some(who) != cast.except
        };
        cast.is_valid().then(|| first_hit(cast, self.0.iter().copied().flatten().filter(seen)))?
    }
}

/// The first contact of a cast with these shapes.
#[inline]
fn first_hit<'a>(cast: &Cast, solids: impl Iterator<Item = &'a PreparedShape>) -> Option<Hit> {
    let displacement = cast.direction * cast.max;
    let time = if cast.speed > 0.0 { cast.max / cast.speed } else { 0.0 };
    let hits = solids.filter_map(|solid| {
        let Shape { position, velocity, who, .. } = solid.shape;
        let along = displacement - velocity * time;
        solid.meets(cast.origin - position, along, cast.radius).map(|(at, normal)| (at, normal, who))
    });
    let (at, normal, who) = hits.reduce(|first, next| if next.0 < first.0 { next } else { first })?;
    let distance = at as f32 * cast.max;
    Some(Hit { distance, point: cast.at(distance) - normal * cast.radius, normal, who })
}
