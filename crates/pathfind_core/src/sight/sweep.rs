//! Sweeps of discs along a segment over the grid, up to the first wall or fence. All positions and lengths are in grid space,
//! where a cell has side 1.

use glam::{DVec2, Vec2};

use super::solid::{Barrier, Solid};
use super::swept_disc::SweptDisc;
use super::{RayHit, cast_ray};
use crate::grid::{Grid, GridCell, KindId};
use crate::rounded::touch;

/// Sweeps a disc along the segment that its centre covers, in grid space; returns where the disc first touches a
/// wall. `radius` is in cells. Grazing a wall is not touching it.
///
/// A wall is a cell where an agent of the kind may not stand; for a kind that is a
/// [disc](crate::grid::AgentSize::Disc), a cell whose terrain is blocked for the kind, since `radius` already
/// accounts for the size of the body. All cells beyond the border are walls, and so are [fences](Grid::set_fence).
///
/// The hit's `point` is where disc and wall touch, its `fraction` how far along the segment the centre is then, and
/// its `normal` points from the wall to the centre. A wall that the disc touches or overlaps at the start stops it at
/// fraction 0 if the disc moves deeper into the wall, and is ignored otherwise. A disc whose centre starts inside a
/// wall is stopped at fraction 0 with a zero normal. A centre on the edge between a wall and a free cell is outside
/// the wall.
///
/// `None` if nothing is hit, if an argument is NaN or infinite, if the radius is negative, or if the kind is unknown.
/// Visits only the cells near the segment.
#[must_use]
pub fn sweep_disc(grid: &Grid, kind: KindId, from: Vec2, to: Vec2, radius: f32) -> Option<RayHit> {
    let solid = Solid::of(grid, kind)?;
    if !(from.is_finite() && to.is_finite() && radius.is_finite() && radius >= 0.0) {
        return None;
    }
    // A ray cast is faster. For a kind that is a disc it would be wrong: it would also stop at free cells that are
    // too near to a wall for the disc.
    if radius == 0.0 && !solid.is_disc() {
        return cast_ray(grid, kind, from, to);
    }
    if solid.holds(from) {
        let cell = GridCell::containing(from);
        return Some(RayHit { cell, point: from, normal: Vec2::ZERO, fraction: 0.0 });
    }
    let (start, along, radius) = (from.as_dvec2(), (to - from).as_dvec2(), f64::from(radius));
    first_contact(solid, start, along, radius, |_| true).map(|Contact { barrier, at, normal }| RayHit {
        cell: barrier.cell_behind(normal),
        point: (start + along * at - normal * radius).as_vec2(),
        normal: normal.as_vec2(),
        fraction: at as f32,
    })
}

/// The first contact of a disc of radius `radius` with a wall or a fence, while its centre moves from `start` to `start +
/// along`; `None` if there is none. Barriers for which `is_tested` is false are ignored.
pub(crate) fn first_contact(
    solid: Solid,
    start: DVec2,
    along: DVec2,
    radius: f64,
    is_tested: impl Fn(Barrier) -> bool,
) -> Option<Contact> {
    let covered = SweptDisc::new(solid.grid(), start, along, radius);
    let mut first: Option<Contact> = None;
    for y in covered.rows() {
        // Search only up to the earliest contact so far: later ones do not matter.
        let end = first.as_ref().map_or(1.0, |contact| contact.at);
        for barrier in solid.barriers(covered.row(y, end)).filter(|&barrier| is_tested(barrier)) {
            if let Some(contact) = Contact::with(barrier, start, along, radius)
                && first.as_ref().is_none_or(|first| contact.at < first.at)
            {
                first = Some(contact);
            }
        }
    }
    first
}

/// The least radius of what stops at a fence, in cells: so that a point does not pass between two of its points.
const LEAST_RADIUS: f64 = 1e-6;

/// The first contact of a swept disc with a wall or a fence.
pub(crate) struct Contact {
    barrier: Barrier,
    /// How far along the segment the disc's centre is, as a fraction of its length. Range: 0 to 1.
    pub(crate) at: f64,
    /// The direction from the barrier to the centre of the disc, of length 1.
    pub(crate) normal: DVec2,
}

impl Contact {
    /// The first contact with one barrier; `None` if there is none, or the disc touches it and moves no deeper.
    fn with(barrier: Barrier, start: DVec2, along: DVec2, radius: f64) -> Option<Self> {
        let [low, high] = barrier.corners();
        let reach = if matches!(barrier, Barrier::Fence(_)) { radius.max(LEAST_RADIUS) } else { radius };
        // `touch` tests boxes in 3D; with infinite height, only x and y matter.
        let half = ((high - low) * 0.5).extend(f64::INFINITY);
        let hit = touch(half, reach, (start - (low + high) * 0.5).extend(0.0), along.extend(0.0))?;
        Some(Self { barrier, at: hit.at, normal: hit.normal.truncate() })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::steer::CounterRng;
    use crate::testing::{distance_to_wall, scattered};

    fn sweep(map: &str, from: (f32, f32), to: (f32, f32), radius: f32) -> Option<RayHit> {
        sweep_disc(&Grid::from_ascii(map).unwrap(), KindId::default(), from.into(), to.into(), radius)
    }

    #[test]
    fn a_disc_stops_a_radius_before_the_wall() {
        let hit = sweep("....\n...#\n....", (0.5, 1.5), (3.5, 1.5), 0.5).unwrap();
        assert_eq!((hit.cell, hit.normal), (GridCell::new(3, 1), Vec2::NEG_X));
        assert_eq!((hit.point, hit.fraction), (Vec2::new(3.0, 1.5), 2.0 / 3.0));
        assert!(sweep("....\n...#\n....", (0.5, 0.5), (3.5, 0.5), 0.5).is_none(), "grazing is no hit");
        assert_eq!(sweep("....", (0.5, 0.5), (0.5, -7.0), 0.25).unwrap().fraction, 0.25 / 7.5, "the border");
    }

    #[test]
    fn a_disc_that_overlaps_a_wall_may_leave_but_not_go_deeper() {
        let map = ".....\n..#..\n.....";
        assert!(sweep(map, (1.8, 1.5), (0.5, 1.5), 0.5).is_none(), "away from it");
        assert!(sweep(map, (1.8, 1.5), (1.8, 0.6), 0.5).is_none(), "along it");
        assert_eq!(sweep(map, (1.8, 1.5), (2.5, 1.5), 0.5).unwrap().fraction, 0.0, "into it");
        assert!(sweep(map, (2.0, 1.5), (0.5, 1.5), 0.5).is_none(), "away from it, from its edge");
        let into = sweep(map, (2.0, 1.5), (3.5, 1.5), 0.5).unwrap();
        assert_eq!((into.fraction, into.normal), (0.0, Vec2::NEG_X), "into it, from its edge");
        assert_eq!(sweep(map, (2.5, 1.5), (4.5, 1.5), 0.4).unwrap().normal, Vec2::ZERO, "starts inside");
    }

    #[test]
    fn invalid_arguments_hit_nothing_and_long_segments_end_at_the_border() {
        for radius in [f32::NAN, -1.0, f32::INFINITY] {
            assert_eq!(sweep("....", (0.5, 0.5), (3.0, 0.5), radius), None);
        }
        assert_eq!(sweep("....", (f32::NAN, 0.5), (3.0, 0.5), 0.1), None);
        assert!(sweep("....\n....", (0.5, 0.5), (3e30, 2e30), 0.1).unwrap().fraction < 1e-20);
    }

    proptest! {
        #[test]
        fn a_sweep_stops_where_small_steps_would(
            seed in any::<u64>(), from in [0.0f32..12.0, 0.0f32..12.0], along in [-14.0f32..14.0, -14.0f32..14.0],
            radius in 0.0f32..2.0,
        ) {
            let grid = scattered(&mut CounterRng::new(seed, 0, 0), 12, 12, 0.15);
            let kind = KindId::default();
            let (from, along) = (Vec2::from(from), Vec2::from(along));
            prop_assume!(distance_to_wall(&grid, kind, from, radius) >= radius);
            let overlaps = |fraction: f32| distance_to_wall(&grid, kind, from + along * fraction, radius) < radius - 1e-4;
            let free_until = match sweep_disc(&grid, kind, from, from + along, radius) {
                Some(hit) => {
                    let center = from + along * hit.fraction;
                    prop_assert!((hit.point.distance(center) - radius).abs() < 1e-4, "they touch");
                    prop_assert!(hit.normal.dot(along) <= 1e-4, "the disc moves towards the wall");
                    hit.fraction
                }
                None => 1.0,
            };
            for step in 0..=200 {
                let fraction = step as f32 / 200.0;
                prop_assert!(fraction > free_until || !overlaps(fraction), "free up to the hit");
            }
            if let Some(ray) = cast_ray(&grid, kind, from, from + along) {
                prop_assert!(free_until <= ray.fraction + 1e-5, "a disc gets no farther than a ray");
            }
        }
    }
}
