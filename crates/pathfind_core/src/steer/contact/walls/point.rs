//! Steps of points, which keep out of the cells that their kind cannot enter, and do not cross cliffs and fences.

use glam::{DVec2, Vec2};

use crate::grid::{Cliffs, CornerRule, Grid, GridCell, KindId};
use crate::sight::cells_before;

/// How far from a wall a stopped point stays, in cells. Exact in `f32` even on the widest grid; line of sight,
/// which rounds to the same grain, still tells the point from the wall.
const SKIN: f64 = 1.0 / 1024.0;
/// How near to a wall's corner a stopped point goes on round it, in cells.
const ROUNDED: f64 = 0.1;

/// Whether both ends of a step lie inside of one cell, off its edges, or of two cells side by side of which the second
/// is free and beyond no cliff: the only walls within a cell are at its edges. `false` for ends that are not finite or farther than
/// [`REACH`] from the origin.
#[inline]
pub(super) fn is_certainly_free(grid: &Grid, kind: KindId, from: Vec2, to: Vec2) -> bool {
    let is_near = |point: Vec2| point.x.abs() < REACH && point.y.abs() < REACH;
    let (home, end) = (low_corner(from), low_corner(to));
    let are_inside = from.cmpgt(home).all() && to.cmpgt(end).all();
    is_near(from) && is_near(to) && are_inside && (home == end || leads_beside(grid, kind, from, to))
}

/// How far from the origin [`low_corner`] is exact, in cells: 2²².
const REACH: f32 = 4_194_304.0;

/// The corner of least coordinates of the cell that holds a point within [`REACH`]. Computed by rounding alone: without
/// SSE4.1, `f32::floor` is a library call, and a conversion to whole numbers that saturates takes more instructions.
/// Measured with 10,000 agents: the motion stage takes 0.8 of the time that it takes with conversions.
#[inline]
fn low_corner(point: Vec2) -> Vec2 {
    // At this distance from 0, `f32` holds whole numbers only, so that the sum is rounded to one.
    const WHOLE: Vec2 = Vec2::splat(3.0 * REACH);
    let nearest = (point + WHOLE) - WHOLE;
    Vec2::select(nearest.cmpgt(point), nearest - 1.0, nearest)
}

/// Whether the cells of two points are side by side, the second is free, and there is no cliff between them.
#[inline(never)]
fn leads_beside(grid: &Grid, kind: KindId, from: Vec2, to: Vec2) -> bool {
    let (home, end) = (GridCell::containing(from), GridCell::containing(to));
    let are_beside = home.x.abs_diff(end.x).saturating_add(home.y.abs_diff(end.y)) == 1;
    are_beside
        && grid.is_walkable(kind, end)
        && grid.cliffs(kind).is_none_or(|cliffs| !cliffs.are_between(home, end))
}

/// Where the step of a point ends.
pub(super) fn slide(grid: &Grid, kind: KindId, corners: CornerRule, from: Vec2, to: Vec2) -> Vec2 {
    let home = GridCell::containing(from);
    let is_free = |cell| grid.is_walkable(kind, cell);
    let start = if is_free(home) { Some(home) } else { cells_before(home, from).find(|&cell| is_free(cell)) };
    start.map_or(to, |cell| Walk::new(grid, kind, corners, cell, (from, to)).end())
}

/// Where a step ends that does not cross a cliff; blocked cells do not stop it. A step that begins outside the grid
/// is not changed.
pub(super) fn stay_off_cliffs(grid: &Grid, kind: KindId, from: Vec2, to: Vec2) -> Vec2 {
    let home = GridCell::containing(from);
    if home == GridCell::containing(to) || grid.cliffs(kind).is_none() || !grid.contains(home) {
        return to;
    }
    Walk { has_walls: false, ..Walk::new(grid, kind, CornerRule::Never, home, (from, to)) }.end()
}

/// A point moving from cell to cell.
///
/// The point leaves its cell only over an edge to a free cell that is no cliff; at any other edge its goal is moved
/// back to the near side. It moves only in the directions of the step, so every walk ends.
struct Walk<'g> {
    grid: &'g Grid,
    kind: KindId,
    corners: CornerRule,
    cliffs: Option<&'g Cliffs>,
    /// Whether blocked cells stop the point, or only cliffs.
    has_walls: bool,
    /// End of the step without walls.
    to: DVec2,
    /// The free cell that the point is in.
    cell: GridCell,
    /// Position of the point: in the cell, or on its edge.
    at: DVec2,
    /// Where it goes, after walls met so far.
    goal: DVec2,
}

/// Where the path leaves a cell along an axis.
#[derive(Copy, Clone)]
struct Exit {
    axis: usize,
    /// 1 towards larger coordinates, -1 towards smaller.
    side: i32,
    edge: f64,
    /// Part of the remaining path covered by then. Range: 0 to 1.
    at: f64,
}

impl<'g> Walk<'g> {
    fn new(
        grid: &'g Grid,
        kind: KindId,
        corners: CornerRule,
        cell: GridCell,
        (from, to): (Vec2, Vec2),
    ) -> Self {
        let (from, to, cliffs) = (from.as_dvec2(), to.as_dvec2(), grid.cliffs(kind));
        Self { grid, kind, corners, cliffs, has_walls: true, to, cell, at: from, goal: to }
    }

    fn end(mut self) -> Vec2 {
        // A path crosses no more cells than this, and is stopped in each at most once along each axis.
        for _ in 0..3 * (self.grid.width() + self.grid.height()) + 8 {
            let Some(exit) = self.exit() else { break };
            let next = step(self.cell, exit.axis, exit.side);
            if self.leads(self.cell, next) {
                self.enter(next, exit);
            } else {
                self.stop(exit);
            }
        }
        self.place()
    }

    fn is_free(&self, cell: GridCell) -> bool {
        if self.has_walls { self.grid.is_walkable(self.kind, cell) } else { self.grid.contains(cell) }
    }

    /// Whether the point may go from a cell over its edge, or through its corner, to the next one.
    fn leads(&self, cell: GridCell, next: GridCell) -> bool {
        self.is_free(next) && !self.cliffs.is_some_and(|cliffs| cliffs.are_between(cell, next))
    }

    /// The first edge on the path to the goal; a goal on the edge of a wall counts as beyond that edge. Through a
    /// corner, the edge that leads into a free cell.
    fn exit(&self) -> Option<Exit> {
        let [x, y] = [0, 1].map(|axis| {
            let low = edge(self.cell, axis, -1);
            let high = edge(self.cell, axis, 1);
            let (at, goal) = (self.at[axis], self.goal[axis]);
            let (side, edge) = if goal >= high {
                (1, high)
            } else if goal < low || goal == low && !self.leads(self.cell, step(self.cell, axis, -1)) {
                (-1, low)
            } else {
                return None;
            };
            let part = if goal == at { 0.0 } else { ((edge - at) / (goal - at)).clamp(0.0, 1.0) };
            Some(Exit { axis, side, edge, at: part })
        });
        match (x, y) {
            (Some(x), Some(y)) => {
                let is_x = x.at < y.at || x.at == y.at && self.leads(self.cell, step(self.cell, 0, x.side));
                Some(if is_x { x } else { y })
            }
            (x, y) => x.or(y),
        }
    }

    /// Crosses an edge. Along the other axis the goal is the step's own again, as a wall that stopped it may end
    /// here.
    fn enter(&mut self, next: GridCell, exit: Exit) {
        let other = 1 - exit.axis;
        let along = self.along(exit);
        self.at[exit.axis] = exit.edge;
        self.at[other] = along;
        self.goal[other] = self.to[other];
        self.cell = next;
    }

    /// Where the path meets an edge, along it.
    fn along(&self, exit: Exit) -> f64 {
        let other = 1 - exit.axis;
        let along = self.at[other] + (self.goal[other] - self.at[other]) * exit.at;
        along.clamp(edge(self.cell, other, -1), edge(self.cell, other, 1))
    }

    /// Stays on the near side of an edge. If the wall behind the edge ends near by, and the step does not lead
    /// away from that end, the length that the wall takes away is used to go along the wall to its end and round
    /// it.
    fn stop(&mut self, exit: Exit) {
        let other = 1 - exit.axis;
        let outward = f64::from(exit.side);
        let stop = exit.edge - outward * SKIN;
        let (along, lost) = (self.along(exit), (self.goal[exit.axis] - stop).abs());
        self.goal[exit.axis] = stop;
        for side in [1, -1] {
            let (sign, end) = (f64::from(side), edge(self.cell, other, side));
            let (left, wish) = ((end - along) * sign, (self.goal[other] - along) * sign);
            let beside = step(self.cell, other, side);
            let beyond = step(beside, exit.axis, exit.side);
            let is_open = self.leads(self.cell, beside);
            let squeezes = || self.corners == CornerRule::Always && self.leads(self.cell, beyond);
            let can_pass = if is_open { self.leads(beside, beyond) } else { squeezes() };
            if left > ROUNDED || wish < 0.0 || !can_pass {
                continue;
            }
            let reached = wish.max(lost.min(if is_open { left + SKIN } else { left }));
            self.goal[other] = along + sign * reached;
            // The length used along the wall is not used again beyond it.
            self.to[exit.axis] -= outward * (reached - wish);
            if !is_open && reached >= left - SKIN {
                let pair = |this: f64, that: f64| {
                    DVec2::from_array(if exit.axis == 0 { [this, that] } else { [that, this] })
                };
                self.squeeze(beyond, pair(exit.edge, end), pair(outward, sign));
            }
            return;
        }
    }

    /// Passes the corner where two walls meet, and goes on if the step leads beyond it along both axes.
    fn squeeze(&mut self, beyond: GridCell, corner: DVec2, sides: DVec2) {
        self.cell = beyond;
        self.at = corner + sides * SKIN;
        let past = (self.to - corner) * sides;
        let past = if past.min_element() >= 0.0 { past.max(DVec2::splat(SKIN)) } else { DVec2::splat(SKIN) };
        self.goal = corner + sides * past;
    }

    /// The goal, clamped to the cell that was reached.
    fn place(&self) -> Vec2 {
        let low = Vec2::new(self.cell.x as f32, self.cell.y as f32);
        let below = |edge: f32| (edge + 1.0).next_down();
        self.goal.as_vec2().clamp(low, Vec2::new(below(low.x), below(low.y)))
    }
}

/// The neighbour of a cell along an axis.
fn step(cell: GridCell, axis: usize, side: i32) -> GridCell {
    match axis {
        0 => GridCell::new(cell.x + side, cell.y),
        _ => GridCell::new(cell.x, cell.y + side),
    }
}

/// The coordinate of a cell's edge along an axis.
fn edge(cell: GridCell, axis: usize, side: i32) -> f64 {
    let low = if axis == 0 { cell.x } else { cell.y };
    f64::from(low) + if side > 0 { 1.0 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steer::CounterRng;

    #[test]
    fn the_low_corner_is_that_of_the_cell_that_holds_the_point() {
        let mut rng = CounterRng::new(3, 0, 0);
        let edges = [0.0, -0.0, 0.5, -0.5, 1.5, -1.5, 1.0, -1.0, REACH - 1.0, 1.0 - REACH, f32::MIN_POSITIVE];
        let near_edges = edges.into_iter().flat_map(|x: f32| [x.next_down(), x, x.next_up()]);
        let scattered = (0..10_000).map(|i| rng.signed() * [2.0, 200.0, 2e4, REACH][i % 4]);
        let values: Vec<_> = near_edges.chain(scattered).filter(|x| x.abs() < REACH).collect();
        for point in values.iter().zip(values.iter().rev()).map(|(&x, &y)| Vec2::new(x, y)) {
            let cell = GridCell::containing(point);
            assert_eq!(low_corner(point), Vec2::new(cell.x as f32, cell.y as f32), "{point:?}");
        }
    }

    #[test]
    fn ends_far_away_or_not_finite_are_not_certainly_free() {
        let grid = Grid::new(4, 4).unwrap();
        for x in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, REACH, -REACH] {
            for end in [Vec2::new(x, 1.5), Vec2::new(1.5, x)] {
                assert!(!is_certainly_free(&grid, KindId::default(), end, end), "{end}");
            }
        }
    }
}
