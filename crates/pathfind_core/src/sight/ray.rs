//! Ray casts that stop at the first cell where an agent may not stand. A ray has no width.

use glam::{DVec2, Vec2};

use crate::grid::{Cell, Grid, KindId};

/// The first contact of a ray or a [swept disc](super::sweep_disc) with a blocked cell.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct RayHit {
    /// The blocked cell; a cell beyond the border if ray or disc leaves the grid.
    pub cell: Cell,
    /// The point where the ray enters the cell, or where the disc touches it, in grid space.
    pub point: Vec2,
    /// The outward normal of the side by which the ray enters the cell, or the direction from `point` to the disc's
    /// centre; of length 1, or zero if ray or centre starts inside.
    pub normal: Vec2,
    /// How far along the ray `point` is, or how far along its segment the disc's centre is, as a fraction of the
    /// length. Range: 0 to 1.
    pub fraction: f32,
}

/// Casts a ray from one point of grid space to another; returns where it first enters a cell where an agent of the
/// kind may not stand. Cells beyond the border are such cells.
///
/// Cliffs do not stop a ray. At a corner of four cells it steps in y first. `None` if nothing is hit, if a point is
/// not finite, or if the kind is unknown. Visits only the cells that it crosses. (J. Amanatides and A. Woo, "A Fast
/// Voxel Traversal Algorithm for Ray Tracing", 1987.)
#[must_use]
pub fn cast_ray(grid: &Grid, kind: KindId, from: Vec2, to: Vec2) -> Option<RayHit> {
    if !(from.is_finite() && to.is_finite()) || grid.kind(kind).is_none() {
        return None;
    }
    let mut cell = Cell::containing(from);
    if !grid.is_walkable(kind, cell) {
        return Some(RayHit { cell, point: from, normal: Vec2::ZERO, fraction: 0.0 });
    }
    let (start, along) = (from.as_dvec2(), (to - from).as_dvec2());
    let inverse = DVec2::ONE / along;
    // The fraction of the ray at which it leaves the column or row of `cell`.
    let next = |at: f64, along: f64, inverse: f64, cell: i32| {
        if along == 0.0 {
            f64::INFINITY
        } else {
            (f64::from(cell) + f64::from(u8::from(along > 0.0)) - at) * inverse
        }
    };
    loop {
        let x = next(start.x, along.x, inverse.x, cell.x);
        let y = next(start.y, along.y, inverse.y, cell.y);
        let fraction = x.min(y);
        if fraction > 1.0 {
            return None;
        }
        let normal = if x < y {
            cell.x += along.x.signum() as i32;
            Vec2::new(-along.x.signum() as f32, 0.0)
        } else {
            cell.y += along.y.signum() as i32;
            Vec2::new(0.0, -along.y.signum() as f32)
        };
        if !grid.is_walkable(kind, cell) {
            let point = (start + along * fraction).as_vec2();
            return Some(RayHit { cell, point, normal, fraction: fraction as f32 });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rays_stop_at_the_first_wall() {
        let grid = Grid::from_ascii("....\n..#.\n....").unwrap();
        let hit = |a: (f32, f32), b: (f32, f32)| cast_ray(&grid, KindId::default(), a.into(), b.into());
        let east = hit((0.5, 1.5), (3.5, 1.5)).unwrap();
        assert_eq!((east.cell, east.normal), (Cell::new(2, 1), Vec2::NEG_X));
        assert_eq!((east.point, east.fraction), (Vec2::new(2.0, 1.5), 0.5));
        assert_eq!(hit((0.5, 0.5), (3.5, 0.5)), None);
        assert_eq!(hit((0.5, 0.5), (0.5, -3.0)).unwrap().cell, Cell::new(0, -1), "the border is a wall");
        assert_eq!(hit((2.5, 1.5), (0.5, 0.5)).unwrap().fraction, 0.0, "it starts inside");
        assert_eq!(hit((-3e38, 0.0), (3e38, 1.0)).unwrap().point, Vec2::new(-3e38, 0.0), "or far outside");
        assert_eq!(hit((f32::NAN, 0.0), (1.0, 1.0)), None);
        assert_eq!(hit((0.5, 1.5), (0.5, 1.5)), None, "a ray of no length");
    }
}
