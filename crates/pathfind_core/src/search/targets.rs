//! The cells where a search may end: chosen before the search begins, among the cells that the start can reach.

use super::cell_tree::CellTree;
use super::costs::StepCosts;
use super::nodes::Node;
use super::{Goal, Heuristic, Limits, PartialReason, PathQuery, SearchError};
use crate::grid::{CellRect, Directions, Grid, GridCell};

/// The cells where a search may end, as a list or as a range round one cell, and the estimate of the cost to them.
#[derive(Clone, Debug)]
pub(crate) struct Targets {
    /// The targets one by one, sorted by row and then by column; empty for a range.
    cells: Vec<Node>,
    /// The same with rows and columns exchanged; only if there are several.
    by_column: Vec<Node>,
    /// What a partial path is to end near to: the targets, or if the query's goals cannot be reached those inside the grid.
    /// The targets only for a query with limits; nothing for a range.
    near: CellTree,
    /// For a range: the greatest squared distance of a target from the range's centre, `rect.min`.
    within: Option<u64>,
    /// The bounding rectangle of `cells`; for a range the cell at its centre.
    rect: CellRect,
    /// Rectangles that together hold all targets, for the estimate, if there are several targets: each alone if there
    /// are few, else [`SIDE`]² rectangles at most; for a range the square round it.
    rects: Vec<CellRect>,
    /// For a range: the most by which the estimate to its centre exceeds that to the nearest target.
    slack: u64,
}

/// Many targets are held by at most this many rectangles in a row and in a column.
const SIDE: usize = 8;

impl Default for Targets {
    fn default() -> Self {
        let rect = CellRect::new(GridCell::default(), GridCell::default());
        Self {
            cells: Vec::new(),
            by_column: Vec::new(),
            near: CellTree::default(),
            within: None,
            rect,
            rects: Vec::new(),
            slack: 0,
        }
    }
}

impl Targets {
    /// Chooses where a search for the query may end. `Ok(None)` means the query's goal, `Ok(Some)` the reachable
    /// cells nearest to it, with the reason. `found` is scratch memory.
    pub(crate) fn set(
        &mut self,
        grid: &Grid,
        query: &PathQuery,
        costs: &StepCosts,
        found: &mut Vec<GridCell>,
    ) -> Result<Option<PartialReason>, SearchError> {
        let PathQuery { kind, steps, start, .. } = *query;
        let (regions, walkable) = grid.regions(kind, steps);
        let region = regions.region(walkable, start);
        self.clear();
        let reachable = |&cell: &GridCell| {
            grid.contains(cell)
                && walkable.rows.get(cell.y, cell.x)
                && regions.region(walkable, cell) == region
        };
        let first = query.goal.check(grid)?;
        let goals = query.goal.cells();
        if let Goal::Within { radius, .. } = query.goal {
            // A larger range holds every cell of the largest grid.
            let radius = f64::from(radius).min(f64::from(2 * Grid::MAX_SIDE));
            self.within = Some((radius * radius) as u64);
        }
        if let Some(squared) = self.within {
            let mut is_nearest_near = || {
                grid.nearest_in_region(kind, steps, region, &[first], found);
                found[0].distance_squared(first) <= squared
            };
            if reachable(&first) || is_nearest_near() {
                let reach = squared.isqrt() as i32;
                self.rect = CellRect::new(first, first);
                self.rects.push(CellRect::new(
                    GridCell::new(first.x.saturating_sub(reach), first.y.saturating_sub(reach)),
                    GridCell::new(first.x.saturating_add(reach), first.y.saturating_add(reach)),
                ));
                let straight = costs.straight as f64;
                let turn = match steps.directions {
                    Directions::Four => straight,
                    Directions::Eight => (costs.diagonal as f64 - straight).max(0.0),
                };
                self.slack = greatest_estimate(squared, straight, turn).ceil() as u64;
                return Ok(None);
            }
        } else if goals.iter().any(reachable) {
            self.take(goals.iter().filter(|cell| reachable(cell)).copied());
            if query.limits != Limits::default() {
                self.near.set(self.cells.iter().map(|node| node.cell()));
            }
            return Ok(None);
        }
        let is_blocked = query.goal.is_blocked(grid, kind);
        if !query.allow_partial {
            return Err(if is_blocked { SearchError::GoalBlocked(first) } else { SearchError::Unreachable });
        }
        // The targets are the cells of the start's region that are nearest to any of the goals.
        self.within = None;
        self.measure_from_all(grid, query);
        grid.nearest_in_region(kind, steps, region, self.near.cells(), found);
        self.take(found.iter().copied());
        Ok(Some(if is_blocked { PartialReason::GoalBlocked } else { PartialReason::Unreachable }))
    }

    /// Lets [`distance_squared`](Self::distance_squared) be that to the nearest of all goals on the grid.
    pub(crate) fn measure_from_all(&mut self, grid: &Grid, query: &PathQuery) {
        self.near.set(query.goal.cells().iter().filter(|&&cell| grid.contains(cell)).copied());
    }

    fn take(&mut self, cells: impl Iterator<Item = GridCell>) {
        self.cells.clear();
        self.cells.extend(cells.map(Node::from));
        self.cells.sort_unstable();
        self.cells.dedup();
        self.by_column.clear();
        if self.cells.len() > 1 {
            self.by_column.extend(self.cells.iter().map(|node| Node::new(node.y(), node.x())));
            self.by_column.sort_unstable();
        }
        let points = || self.cells.iter().map(|node| CellRect::new(node.cell(), node.cell()));
        let whole @ CellRect { min, max } = points().reduce(CellRect::union).expect("there is a target");
        self.rect = whole;
        self.rects.clear();
        if self.cells.len() == 1 {
            return;
        }
        if self.cells.len() <= SIDE * SIDE {
            self.rects.extend(points());
            return;
        }
        let mut parts = [None; SIDE * SIDE];
        let part =
            |at: i32, first: i32, last: i32| (at - first) as usize * SIDE / (last - first + 1) as usize;
        for point in points() {
            let GridCell { x, y } = point.min;
            let place = &mut parts[part(y, min.y, max.y) * SIDE + part(x, min.x, max.x)];
            *place = Some(place.map_or(point, |rect: CellRect| rect.union(point)));
        }
        self.rects.extend(parts.into_iter().flatten());
    }

    /// Removes all targets: a search then expands every cell that it can reach, and estimates 0.
    pub(crate) fn clear(&mut self) {
        let last = Grid::MAX_SIDE as i32 - 1;
        self.rect = CellRect::new(GridCell::new(0, 0), GridCell::new(last, last));
        self.cells.clear();
        self.by_column.clear();
        self.rects.clear();
        self.near.set([]);
        (self.within, self.slack) = (None, 0);
    }

    pub(crate) fn single(&self) -> Option<GridCell> {
        match (self.within, self.cells.as_slice()) {
            (None, [only]) => Some(only.cell()),
            _ => None,
        }
    }

    /// The targets one by one; empty for a range.
    pub(crate) fn nodes(&self) -> &[Node] {
        &self.cells
    }

    #[inline]
    pub(crate) fn contains(&self, node: Node) -> bool {
        match (self.within, self.cells.as_slice()) {
            (None, [only]) => node == *only,
            (None, cells) => cells.binary_search(&node).is_ok(),
            (Some(squared), _) => node.cell().distance_squared(self.rect.min) <= squared,
        }
    }

    #[inline]
    pub(crate) fn bounds(&self) -> CellRect {
        // For a range, `rects` holds the square round it.
        if self.within.is_some() { self.rects[0] } else { self.rect }
    }

    /// The targets, and of a range its blocked cells and those outside too; `None` if there are more than `SIDE`².
    pub(crate) fn few(&self) -> Option<impl Iterator<Item = GridCell>> {
        let square = self.rects.first().filter(|_| self.within.is_some());
        let reach = square.map_or(0, |square| square.max.x.abs_diff(square.min.x) as usize + 1);
        if reach > SIDE || self.cells.len() > SIDE * SIDE {
            return None;
        }
        let round = square.into_iter().flat_map(|square| square.cells());
        let round = round.filter(|&cell| self.contains(cell.into()));
        Some(self.cells.iter().map(|node| node.cell()).chain(round))
    }

    /// The first target beyond place `i` of a row (if `exchanged`, of a column), towards larger indices (`UP`) or
    /// smaller.
    #[inline]
    pub(crate) fn first_beyond<const UP: bool>(&self, exchanged: bool, line: i32, i: i32) -> Option<i32> {
        let CellRect { min, max } = self.rect;
        if let Some(squared) = self.within {
            let (center_line, center) = if exchanged { (min.x, min.y) } else { (min.y, min.x) };
            let across = u64::from(center_line.abs_diff(line));
            let half = squared.checked_sub(across * across)?.isqrt() as i32;
            let (low, high) = (center - half, center + half);
            return if UP {
                (i < high).then_some(low.max(i + 1))
            } else {
                (low < i).then_some(high.min(i - 1))
            };
        }
        let (first, last) = if exchanged { (min.x, max.x) } else { (min.y, max.y) };
        if !(first..=last).contains(&line) {
            return None;
        }
        let sorted = if exchanged { &self.by_column } else { &self.cells };
        Node::new(i, line).next_on_line::<UP>(sorted)
    }

    #[inline]
    pub(crate) fn estimate(&self, heuristic: Heuristic, costs: &StepCosts, node: Node) -> u64 {
        if self.rects.is_empty() {
            return across(self.rect, heuristic, costs, node);
        }
        self.estimate_to_many(heuristic, costs, node)
    }

    /// The estimate if there are several targets or a range.
    #[inline(never)]
    fn estimate_to_many(&self, heuristic: Heuristic, costs: &StepCosts, node: Node) -> u64 {
        let across = |rect: CellRect| across(rect, heuristic, costs, node);
        let nearest = self.rects.iter().map(|&rect| across(rect)).min().unwrap_or(0);
        if self.within.is_none() {
            return nearest;
        }
        // Both are lower bounds; the first is better along rows and columns, the second along diagonals.
        nearest.max(across(self.rect).saturating_sub(self.slack))
    }

    /// The squared distance from a cell to the nearest goal that can be reached, or to the nearest of all goals if none
    /// can be reached, if it is less than `bound`, else `bound`; for a range, to its centre. For a query with limits.
    pub(crate) fn distance_squared(&self, cell: GridCell, bound: u64) -> u64 {
        if self.within.is_some() {
            return self.rect.min.distance_squared(cell);
        }
        self.near.least_squared(cell, bound)
    }
}

/// An upper bound of the estimate between two cells whose squared distance is at most `squared`. An estimate is
/// `straight` for each column or row, whichever are more, plus `turn` for each of the others, which is at most
/// `straight`.
fn greatest_estimate(squared: u64, straight: f64, turn: f64) -> f64 {
    /// Up to this distance, all offsets are tried.
    const FEW: u64 = 16;
    let reach = squared.isqrt();
    if reach > FEW {
        // Along a line of length 1 at most the length of the vector (straight, turn).
        return (squared as f64).sqrt() * straight.hypot(turn);
    }
    let estimate = |more: u64| more as f64 * straight + (squared - more * more).isqrt() as f64 * turn;
    (0..=reach).map(estimate).fold(0.0, f64::max)
}

/// The estimate of the cost from a node to the nearest cell of a rectangle.
#[inline]
fn across(CellRect { min, max }: CellRect, heuristic: Heuristic, costs: &StepCosts, node: Node) -> u64 {
    let dx = (min.x - node.x()).max(node.x() - max.x).max(0);
    let dy = (min.y - node.y()).max(node.y() - max.y).max(0);
    heuristic.estimate(costs, dx as u32, dy as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{CellRect, Terrain};
    use crate::testing::work_of;
    use crate::{Outcome, PartialReason, SearchScratch, solve};

    /// The work is the number of blocks of 64x64 cells that are searched for the cells nearest to a goal.
    #[test]
    fn goals_that_cannot_be_reached_take_less_than_a_block_each() {
        let mut grid = Grid::new(1024, 1024).unwrap();
        grid.fill(CellRect::new(GridCell::new(600, 0), GridCell::new(600, 1023)), Terrain::WALL);
        // The first is far from the wall, and the nearest comes late.
        let goals: Vec<GridCell> = (0..5_000).map(|i| GridCell::new(1023 - i % 400, i * 7 % 1024)).collect();
        let mut scratch = SearchScratch::default();
        let mut outcome = |goals: &[GridCell]| {
            let query = PathQuery::new(GridCell::new(590, 500), Goal::AnyOf(goals.to_vec()));
            let mut found = None;
            let work = work_of(|| found = Some(solve(&grid, &query, &mut scratch).unwrap().outcome));
            (work, found.unwrap())
        };
        let ((one, _), (all, found)) = (outcome(&goals[..1]), outcome(&goals));
        assert!((one..goals.len() as u64).contains(&all), "one takes {one}, {} take {all}", goals.len());
        let Outcome::Partial { nearest, reason: PartialReason::Unreachable } = found else {
            panic!("{found:?}: no goal can be reached")
        };
        let least = goals.iter().map(|goal| goal.distance_squared(nearest)).min();
        let nearest_goal = goals.iter().map(|goal| goal.x.abs_diff(599)).min();
        assert_eq!(least, nearest_goal.map(|away| u64::from(away) * u64::from(away)), "the nearest of all");
    }

    /// The work is the number of goals that are looked at for the nearest one.
    #[test]
    fn under_a_limit_each_expansion_looks_at_few_goals() {
        let grid = Grid::new(200, 200).unwrap();
        let goals = (0..3_000).map(|i| GridCell::new(130 + i % 70, i * 7 % 200)).collect();
        let limits = Limits { expansions: None, cost: Some(90.0) };
        let query = PathQuery::new(GridCell::new(0, 0), Goal::AnyOf(goals)).with_limits(limits);
        let mut expanded = 0;
        let work = work_of(|| {
            expanded = solve(&grid, &query, &mut SearchScratch::default()).unwrap().metrics.expanded;
        });
        assert!(expanded > 5_000 && work < 60 * expanded, "{work} for {expanded} expansions");
    }
}
