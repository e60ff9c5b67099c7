//! Whether a rectangle at any angle overlaps a wall or a fence.

use glam::DVec2;

use super::{Barrier, Solid};
use crate::grid::{CellRect, GridCell, floor};

/// An overlap that is less deep than this counts as a touch, in cells.
const TOUCH: f64 = 1e-4;

/// A rectangle at any angle, in grid space.
#[derive(Copy, Clone, Debug)]
pub(crate) struct TurnedRectangle {
    pub(crate) center: DVec2,
    /// The direction of its length, a vector of length 1.
    pub(crate) along: DVec2,
    /// Half of its length and half of its width.
    pub(crate) half: DVec2,
}

impl TurnedRectangle {
    /// By the separating axes of both: those of the grid and those of the rectangle.
    fn overlaps(&self, [low, high]: [DVec2; 2]) -> bool {
        let (away, half) = ((low + high) / 2.0 - self.center, (high - low) / 2.0);
        let reach = |axis: DVec2| {
            let own = [self.along, self.along.perp()].map(|side| side.dot(axis).abs());
            self.half.x * own[0] + self.half.y * own[1] + half.dot(axis.abs())
        };
        let axes = [self.along, self.along.perp(), DVec2::X, DVec2::Y];
        axes.into_iter().all(|axis| away.dot(axis).abs() < reach(axis) - TOUCH)
    }
}

impl Solid<'_> {
    /// Whether a rectangle overlaps no wall and no fence, by more than [`TOUCH`].
    pub(crate) fn lets_stand(self, body: &TurnedRectangle) -> bool {
        let extent = body.half.x * body.along.abs() + body.half.y * body.along.perp().abs() - TOUCH;
        let corner = |point: DVec2| GridCell::new(floor(point.x), floor(point.y));
        let around = CellRect::new(corner(body.center - extent), corner(body.center + extent));
        let is_inside = self.grid.contains(around.min) && self.grid.contains(around.max);
        let rows = self.grid.rows(self.kind).filter(|_| is_inside && !self.is_disc());
        if let Some(rows) = rows.filter(|_| !self.grid.has_edges()) {
            let hits =
                |cell: GridCell| !rows.get(cell.y, cell.x) && body.overlaps(Barrier::Wall(cell).corners());
            let row = |y: i32| (around.min.x..=around.max.x).map(move |x| GridCell::new(x, y));
            let is_clear = |y: i32| rows.all_walkable(y, around.min.x, around.max.x) || !row(y).any(hits);
            return (around.min.y..=around.max.y).all(is_clear);
        }
        !self.barriers(around).any(|barrier| body.overlaps(barrier.corners()))
    }

    /// Whether a disc overlaps no wall and no fence, by more than [`TOUCH`], with its middle somewhere on an edge of a
    /// cell: from the corner of the least coordinates along x (axis 0) or y (1).
    pub(crate) fn has_room_on_edge(self, corner: GridCell, axis: usize, radius: f64) -> bool {
        let radius = radius - TOUCH;
        let from = DVec2::new(corner.x.into(), corner.y.into());
        let ends = [from - radius, from + DVec2::AXES[axis] + radius];
        if self.is_open_between(ends[0], ends[1]) {
            return true;
        }
        let [min, max] = ends.map(|end| GridCell::new(floor(end.x), floor(end.y)));
        // The part of the edge's line that a barrier takes from the middle.
        let taken = |barrier: Barrier| {
            let [low, high] = barrier.corners();
            let away = (from - from.clamp(low, high))[1 - axis];
            let reach = (radius * radius - away * away).sqrt();
            (away.abs() < radius).then(|| [low[axis] - reach, high[axis] + reach])
        };
        // Past all that is in the way, from the beginning of the edge on.
        let (mut free, end) = (from[axis], from[axis] + 1.0);
        while free <= end {
            let taken = self.barriers(CellRect::new(min, max)).filter_map(taken);
            let past = taken.filter(|[low, high]| *low < free && free < *high).fold(free, |a, b| a.max(b[1]));
            if past == free {
                return true;
            }
            free = past;
        }
        false
    }

    /// Whether no wall and no fence lies in a rectangle along the axes; for a kind of a disc `false` also where the
    /// disc does not fit.
    pub(crate) fn is_open_between(self, low: DVec2, high: DVec2) -> bool {
        self.grid.is_open_all_over(self.kind, low.as_vec2(), high.as_vec2())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Direction, Grid, KindId};

    #[test]
    fn a_rectangle_stands_where_it_overlaps_nothing() {
        let mut grid = Grid::from_ascii("......\n......\n..#...\n......\n......").unwrap();
        grid.set_fence(GridCell::new(4, 1), Direction::E, true).unwrap();
        let stands = |x: f64, y: f64, degrees: f64, length: f64, width: f64| {
            let (sin, cos) = libm::sincos(degrees.to_radians());
            let half = DVec2::new(length, width) / 2.0;
            let body = TurnedRectangle { center: DVec2::new(x, y), along: DVec2::new(cos, sin), half };
            Solid::of(&grid, KindId::default()).unwrap().lets_stand(&body)
        };
        assert!(stands(2.5, 1.5, 0.0, 3.0, 1.0), "it touches the wall");
        assert!(!stands(2.5, 1.5, 0.0, 3.0, 1.01), "it overlaps the wall");
        assert!(stands(1.3, 1.3, 135.0, 1.0, 1.9), "before the corner of the wall, at an angle");
        assert!(!stands(1.3, 1.3, 135.0, 1.0, 2.1), "into the corner");
        assert!(
            !stands(5.0, 1.5, 0.0, 1.0, 0.2) && stands(5.0, 0.4, 0.0, 1.0, 0.8),
            "across the fence, beside it"
        );
        assert!(!stands(0.4, 4.0, 0.0, 1.0, 0.5), "over the border");
    }

    #[test]
    fn a_disc_finds_room_on_an_edge() {
        let mut grid = Grid::from_ascii("......\n......\n.#..#.\n......\n......").unwrap();
        grid.set_fence(GridCell::new(3, 3), Direction::S, true).unwrap();
        let has_room = |x: i32, y: i32, axis: usize, radius: f64| {
            let solid = Solid::of(&grid, KindId::default()).unwrap();
            solid.has_room_on_edge(GridCell::new(x, y), axis, radius)
        };
        assert!(has_room(3, 2, 1, 1.0) && !has_room(3, 2, 1, 1.01), "between walls 2 apart");
        assert!(!has_room(2, 2, 1, 0.01), "along a wall");
        assert!(has_room(2, 1, 1, 1.0) && !has_room(2, 1, 1, 1.01), "only at the end of the edge");
        assert!(has_room(3, 3, 1, 0.9) && !has_room(3, 3, 1, 1.01), "before a fence");
    }
}
