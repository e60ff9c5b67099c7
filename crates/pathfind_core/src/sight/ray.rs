//! Ray casts that stop at the first cell where an agent may not stand, or at a fence before it. A ray has no width.

use glam::Vec2;

use crate::grid::{Direction, Grid, GridCell, KindId};

/// The first contact of a ray or a [swept disc](super::sweep_disc) with a blocked cell or a fence.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct RayHit {
    /// The blocked cell; a cell beyond the border if ray or disc leaves the grid; behind a fence, the cell beyond it.
    pub cell: GridCell,
    /// The point where the ray enters the cell, or where the disc touches it, in grid space.
    pub point: Vec2,
    /// The outward normal of the side by which the ray would enter the cell, or the direction from `point` to the disc's
    /// centre; of length 1, or zero if ray or centre starts inside.
    pub normal: Vec2,
    /// How far along the ray `point` is, or how far along its segment the disc's centre is, as a fraction of the
    /// length. Range: 0 to 1.
    pub fraction: f32,
}

/// Casts a ray from one point of grid space to another; returns where it first enters a cell where an agent of the
/// kind may not stand, or meets a [fence](Grid::set_fence). Cells beyond the border are such cells.
///
/// Cliffs do not stop a ray. At a corner of four cells it steps in y first. `None` if nothing is hit, if a point is
/// not finite, or if the kind is unknown. Visits only the cells that it crosses. (J. Amanatides and A. Woo, "A Fast
/// Voxel Traversal Algorithm for Ray Tracing", 1987.)
#[must_use]
pub fn cast_ray(grid: &Grid, kind: KindId, from: Vec2, to: Vec2) -> Option<RayHit> {
    if !(from.is_finite() && to.is_finite()) || grid.kind(kind).is_none() {
        return None;
    }
    let mut cell = GridCell::containing(from);
    if !grid.is_walkable(kind, cell) {
        return Some(RayHit { cell, point: from, normal: Vec2::ZERO, fraction: 0.0 });
    }
    let (start, end) = (from.as_dvec2(), to.as_dvec2());
    let (length, forward) = ((end - start).abs(), end.cmpge(start));
    // How far it is along an axis to the edge at which the ray leaves the column or row of `cell`.
    let to_edge = |axis: usize, cell: i32| {
        let edge = f64::from(cell) + f64::from(u8::from(forward.test(axis)));
        if length[axis] == 0.0 { f64::INFINITY } else { (edge - start[axis]).abs() }
    };
    let step = |axis: usize| if forward.test(axis) { 1 } else { -1 };
    let over = |axis: usize| match (axis, forward.test(axis)) {
        (0, true) => Direction::E,
        (0, false) => Direction::W,
        (_, true) => Direction::S,
        (_, false) => Direction::N,
    };
    loop {
        let (x, y) = (to_edge(0, cell.x), to_edge(1, cell.y));
        let is_column = is_less(x, length.y, y, length.x);
        let (gone, whole) = if is_column { (x, length.x) } else { (y, length.y) };
        if gone > whole {
            return None;
        }
        let is_fenced = grid.has_fence(cell, over(usize::from(!is_column)));
        let normal = if is_column {
            cell.x += step(0);
            Vec2::new(-step(0) as f32, 0.0)
        } else {
            cell.y += step(1);
            Vec2::new(0.0, -step(1) as f32)
        };
        if is_fenced || !grid.is_walkable(kind, cell) {
            let fraction = gone / whole;
            let point = (start + (end - start) * fraction).as_vec2();
            return Some(RayHit { cell, point, normal, fraction: fraction as f32 });
        }
    }
}

/// Whether `a · b` is less than `c · d`, exactly: where they round to the same, the rounding errors decide.
fn is_less(a: f64, b: f64, c: f64, d: f64) -> bool {
    let (one, other) = (a * b, c * d);
    one < other || one == other && a.mul_add(b, -one) < c.mul_add(d, -other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steer::CounterRng;
    use crate::testing::walled;

    #[test]
    fn rays_stop_at_the_first_wall() {
        let grid = Grid::from_ascii("....\n..#.\n....").unwrap();
        let hit = |a: (f32, f32), b: (f32, f32)| cast_ray(&grid, KindId::default(), a.into(), b.into());
        let east = hit((0.5, 1.5), (3.5, 1.5)).unwrap();
        assert_eq!((east.cell, east.normal), (GridCell::new(2, 1), Vec2::NEG_X));
        assert_eq!((east.point, east.fraction), (Vec2::new(2.0, 1.5), 0.5));
        assert_eq!(hit((0.5, 0.5), (3.5, 0.5)), None);
        assert_eq!(hit((0.5, 0.5), (0.5, -3.0)).unwrap().cell, GridCell::new(0, -1), "the border is a wall");
        assert_eq!(hit((2.5, 1.5), (0.5, 0.5)).unwrap().fraction, 0.0, "it starts inside");
        assert_eq!(hit((-3e38, 0.0), (3e38, 1.0)).unwrap().point, Vec2::new(-3e38, 0.0), "or far outside");
        assert_eq!(hit((f32::NAN, 0.0), (1.0, 1.0)), None);
        assert_eq!(hit((0.5, 1.5), (0.5, 1.5)), None, "a ray of no length");
        assert_eq!(hit((0.5, 1.5), (2.0, 1.5)).unwrap().fraction, 1.0, "the wall begins at the very end");
    }

    /// A ray through a corner enters the cell that is next in y.
    #[test]
    fn at_every_exact_corner_y_comes_first() {
        let mut rng = CounterRng::new(19, 0, 0);
        let beside = [(49, 49), (50, 49), (49, 50), (50, 50)].map(GridCell::from);
        let grids = beside.map(|wall| walled(100, 100, |cell| cell == wall));
        for round in 0..20_000 {
            let [dx, dy] = [(); 2].map(|()| (1 + rng.below(40)) as f32);
            let (x, y) = (if rng.below(2) == 0 { dx } else { -dx }, if rng.below(2) == 0 { dy } else { -dy });
            let corner = Vec2::splat(50.0);
            // All coordinates are exact.
            let [before, after] = [(); 2].map(|()| Vec2::new(x, y) * ((1 + rng.below(64)) as f32 / 64.0));
            let which = usize::from(x < 0.0) + 2 * usize::from(y > 0.0);
            let hit = cast_ray(&grids[which], KindId::default(), corner - before, corner + after);
            assert_eq!(hit.map(|hit| hit.cell), Some(beside[which]), "round {round}: {before} {after}");
        }
    }
}
