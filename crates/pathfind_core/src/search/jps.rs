//! Jump point search on the grid's bitmaps, for eight directions under any corner rule or four.
//!
//! On a grid most cheapest paths differ only in the order of their steps. Of each family of paths that differ so, the
//! search keeps one, that with its diagonal steps first (the canonical ordering of N. R. Sturtevant and S. Rabin,
//! "Canonical Orderings on Grids", IJCAI 2016). A path in a straight run can then turn only where a wall beside
//! the run ends, at a jump point:
//!
//! ```text
//!   # # . .      J is a jump point under `Never`: no path to the cells above it is cheaper than the one
//!   → → J .      by J. Where corners are cut, the cell before J is the jump point, and diagonal runs
//!   . . . .      have jump points too
//! ```
//!
//! With four directions the steps along columns take the place of the diagonal ones: the canonical path goes along
//! its column first, and turns from a row into a column only where a wall beside the row ends. These are the stops
//! of rows under `Never`, so that both searches read the same tables.
//!
//! The next stop of a straight run is found 64 cells at a time: shift, and, count zeros. A diagonal run (with four
//! directions: a run along a column) goes step by step, and scans along row and column from each cell; the jump
//! points found there become successors of the expanded node itself, so that a cell where a path merely bends is
//! never put on the open list. A long diagonal run is followed in parts: its 64th cell is put on the open list, and
//! the run goes on when that cell's turn comes (bounded jumps, as BJPS in the paper named above).
//!
//! Where terrain costs differ, the search jumps inside areas of one cost. A run also stops at the border of an area,
//! at the first cell with a neighbour of another cost or beyond a cliff, or near an edge with a rule; that cell is
//! expanded to the neighbours that the costs of the 3×3 cells round it leave ([`WeightedPruning`]), and each of these
//! steps is the beginning of a run. All cells of a run cost the same: every one but the last has only neighbours of its
//! own cost. (Weighted jump point search, by M. Carlson, S. K. Moghadam, D. D. Harabor, P. J. Stuckey and M. Ebrahimi,
//! "Optimal Pathfinding on Weighted Grid Maps", AAAI 2023.)
//!
//! A run also stops where the search may end. So a path to any of several goals, or to within a range of one, needs
//! no other search. Where paths to many cells are looked for, runs pass these cells and note the paths ([`Arrivals`]).
//!
//! D. Harabor and A. Grastien, "Online Graph Pruning for Pathfinding on Grid Maps", AAAI 2011, and
//! "Improving Jump Point Search", ICAPS 2014: JPS (B+P), with block-based scanning and pruned intermediate points.

mod arrivals;
mod diagonal;
mod ends;
mod rule;
mod scan;

use core::marker::PhantomData;

pub(crate) use arrivals::Arrivals;
pub(crate) use ends::{Axis, Ends};
pub(crate) use rule::{Always, Four, InParts, Never, OneFree, Rule};
use scan::{is_set, scan};

use super::Heuristic;
use super::costs::StepCosts;
use super::nodes::{AnyParent, Node};
use super::strategy::{Expansion, Strategy, SuccessorSink};
use super::weighted_pruning::WeightedPruning;
use crate::grid::{
    Bitmap, Borders, CellRect, Classes, Grid, GridCell, JumpStops, KindId, Layer, StepRules, directions_of,
};

/// Jump point search under one rule, to one goal ([`GridCell`]) or to any of the [`Targets`](super::targets::Targets).
/// `WEIGHTED`: terrain costs differ, or there are cliffs.
pub(crate) struct Jumps<'g, R, E, const WEIGHTED: bool> {
    tables: JumpTables<'g>,
    ends: E,
    rule: PhantomData<R>,
}

impl<'g, R, E, const WEIGHTED: bool> Jumps<'g, R, E, WEIGHTED> {
    pub(crate) fn new(tables: JumpTables<'g>, ends: E) -> Self {
        Self { tables, ends, rule: PhantomData }
    }
}

/// The expansion of one node.
struct Jump<'j, 'g, R, E, O, const WEIGHTED: bool> {
    search: &'j Jumps<'g, R, E, WEIGHTED>,
    from: Expansion,
    open: &'j mut O,
}

/// The tables that the grid keeps for jump point search, and the costs of steps.
#[derive(Copy, Clone)]
pub(crate) struct JumpTables<'g> {
    rows: &'g Bitmap,
    columns: &'g Bitmap,
    /// The stops of runs along rows and along columns; not for rules that cut corners.
    stops: [&'g JumpStops; 2],
    costs: &'g StepCosts,
    /// The areas of one cost, if terrain costs differ, or there are cliffs or edges with rules.
    areas: Option<CostAreas<'g>>,
}

impl<'g> JumpTables<'g> {
    /// The tables for a kind of agent that the grid has.
    pub(crate) fn new(grid: &'g Grid, kind: KindId, steps: StepRules, costs: &'g StepCosts) -> Self {
        let Layer { rows, columns, row_stops, column_stops, borders, .. } = grid.known(kind);
        let pruning = WeightedPruning::new(grid, kind, steps, costs);
        let areas = borders.as_ref().zip(pruning).map(|(borders, pruning)| CostAreas {
            classes: grid.cost_classes(kind),
            borders,
            pruning,
        });
        Self { rows, columns, stops: [row_stops, column_stops], costs, areas }
    }

    /// Whether the words of every line are stored one after the other.
    pub(crate) fn are_whole(&self) -> bool {
        let borders = self.areas.iter().flat_map(|areas| [&areas.borders.rows, &areas.borders.columns]);
        [self.rows, self.columns].into_iter().chain(borders).all(Bitmap::is_whole)
            && self.stops.into_iter().all(JumpStops::is_whole)
    }
}

/// The areas of one terrain cost, in which no cliff and no rule of an edge keeps agents from any step.
#[derive(Copy, Clone)]
struct CostAreas<'g> {
    classes: &'g Classes,
    borders: &'g Borders,
    /// The pruning of steps out of border cells.
    pruning: WeightedPruning<'g>,
}

impl<R: Rule, E: Ends, const WEIGHTED: bool> Strategy for Jumps<'_, R, E, WEIGHTED> {
    type ParentEncoding = AnyParent;

    fn expand(&self, from: Expansion, open: &mut impl SuccessorSink) {
        Jump { search: self, from, open }.expand();
    }
}

impl<R: Rule, E: Ends, O: SuccessorSink, const WEIGHTED: bool> Jump<'_, '_, R, E, O, WEIGHTED> {
    fn expand(&mut self) {
        let Expansion { node, parent, g } = self.from;
        let cell = node.cell();
        if WEIGHTED
            && let Some(CostAreas { pruning, .. }) = &self.search.tables.areas
            && pruning.is_border((cell.x, cell.y))
        {
            return self.expand_border(pruning);
        }
        if parent == node {
            let heuristic = if R::FOUR { Heuristic::Manhattan } else { Heuristic::Octile };
            let estimate = |dx, dy| heuristic.estimate(self.search.tables.costs, dx, dy);
            if !WEIGHTED
                && let Some(goal) = self.search.ends.nearest(cell, estimate)
                && self.relax_direct(goal)
            {
                return;
            }
            let direct = |end| Some(g + self.direct(cell, end)?);
            if !WEIGHTED && !E::STOPS && self.search.ends.arrive_directly(node, direct) {
                return;
            }
            let (axes, diagonals): (&[Axis], &[(i32, i32)]) = if R::FOUR {
                (&[Axis::Row], &[(0, 1), (0, -1)])
            } else {
                (&[Axis::Row, Axis::Column], &[(1, 1), (-1, 1), (-1, -1), (1, -1)])
            };
            for &axis in axes {
                self.straight::<true>(axis, cell, g);
                self.straight::<false>(axis, cell, g);
            }
            for &(dx, dy) in diagonals {
                self.diagonal(dx, dy, [false; 2]);
            }
            return;
        }
        // A jump goes diagonally first, so it arrives by straight steps along the longer of columns and rows. With
        // four directions it arrives along a row: along a column only at an end of the search.
        let (dx, dy) = (cell.x - parent.x(), cell.y - parent.y());
        if R::FOUR || dx.abs() > dy.abs() {
            self.expand_straight(Axis::Row, dx.signum());
        } else if dx.abs() < dy.abs() {
            self.expand_straight(Axis::Column, dy.signum());
        } else {
            self.expand_diagonal(dx.signum(), dy.signum());
        }
    }

    /// Offers a path from the expanded node to a cell.
    #[inline]
    fn relax(&mut self, cell: impl Into<Node>, g: u64) {
        self.open.relax(cell.into(), self.from.node, g);
    }

    /// Expands a cell at the border of an area: each step that is not pruned begins a run.
    fn expand_border(&mut self, pruning: &WeightedPruning<'_>) {
        let cell = self.from.node.cell();
        let (dx, dy) = (cell.x - self.from.parent.x(), cell.y - self.from.parent.y());
        // The last step of the path from the parent.
        let last = match (dx.abs(), dy.abs()) {
            (x, _) if R::FOUR && x > 0 => (dx.signum(), 0),
            (x, y) if x > y => (dx.signum(), 0),
            (x, y) if x < y => (0, dy.signum()),
            _ => (dx.signum(), dy.signum()),
        };
        let g = self.from.g;
        for step in directions_of(pruning.steps::<false>((cell.x, cell.y), last)) {
            let (dx, dy) = step.offset();
            // Only the first step of a run can lead past an edge with a rule.
            self.from.g = g + pruning.surcharge(cell, step);
            match (dx, dy) {
                (_, 0) => self.straight_to(Axis::Row, cell, dx, self.from.g),
                (0, _) if !R::FOUR => self.straight_to(Axis::Column, cell, dy, self.from.g),
                _ => self.diagonal(dx, dy, [false; 2]),
            }
        }
        self.from.g = g;
    }

    /// Relaxes the goal, if a path to it is legal that costs no more than the estimate, a lower bound: the start needs no
    /// other successor then. Two such paths are tried, with the diagonal steps first and with the straight ones first.
    /// Returns whether one is legal.
    fn relax_direct(&mut self, goal: GridCell) -> bool {
        let (start, g) = (self.from.node.cell(), self.from.g);
        if let Some(cost) = self.direct(start, goal) {
            self.relax(goal, g + cost);
            return true;
        }
        // The cell where the path turns that takes its straight steps first: it is the other one, seen from the goal.
        let (across, down) = (goal.x - start.x, goal.y - start.y);
        let diagonals = across.abs().min(down.abs());
        let turn = if R::FOUR {
            GridCell::new(goal.x, start.y)
        } else {
            GridCell::new(goal.x - diagonals * across.signum(), goal.y - diagonals * down.signum())
        };
        // The nearest cell of a range may be blocked.
        if turn == start || turn == goal || !self.is_free(goal.x, goal.y) {
            return false;
        }
        let Some(cost) = self.direct(goal, start) else { return false };
        let straights = u64::from(start.x.abs_diff(turn.x) + start.y.abs_diff(turn.y));
        self.relax(turn, g + straights * self.search.tables.costs.straight);
        self.open.relax(goal.into(), turn.into(), g + cost);
        true
    }

    /// Expands a jump point that was reached by straight steps in the direction `ahead` (1 or -1) of an axis: straight
    /// on, and round each wall that ends beside the jump point.
    #[inline]
    fn expand_straight(&mut self, axis: Axis, ahead: i32) {
        let (cell, g) = (self.from.node.cell(), self.from.g);
        let (bits, line, i) = self.line(axis, cell);
        // The run straight ahead is part of the first diagonal run, if there is one.
        let mut has_straight = !R::FOUR;
        if R::FOUR {
            self.straight_to(axis, cell, ahead, g);
        }
        for side in [-1, 1] {
            let is_free = |place| is_set::<R>(bits, line + side, place);
            let ends = if R::CUTS {
                !is_free(i) && is_free(i + ahead) && (!R::NEEDS_ONE || is_set::<R>(bits, line, i + ahead))
            } else {
                !is_free(i - ahead) && is_free(i)
            };
            if !ends {
                continue;
            }
            match axis {
                _ if R::FOUR => self.diagonal(0, side, [false; 2]),
                Axis::Row => self.diagonal(ahead, side, [has_straight, !R::CUTS]),
                Axis::Column => self.diagonal(side, ahead, [!R::CUTS, has_straight]),
            }
            has_straight = false;
        }
        if has_straight {
            self.straight_to(axis, cell, ahead, g);
        }
    }

    /// Expands a jump point reached by steps `(dx, dy)`: along row and column, on, and towards its forced neighbours.
    fn expand_diagonal(&mut self, dx: i32, dy: i32) {
        self.diagonal(dx, dy, [true; 2]);
        let (along_columns, along_rows) = self.forced_neighbors(self.from.node.cell(), dx, dy);
        if along_columns {
            self.diagonal(-dx, dy, [false; 2]);
        }
        if along_rows {
            self.diagonal(dx, -dy, [false; 2]);
        }
    }

    #[inline]
    fn straight_to(&mut self, axis: Axis, cell: GridCell, ahead: i32, g: u64) {
        if ahead > 0 {
            self.straight::<true>(axis, cell, g);
        } else {
            self.straight::<false>(axis, cell, g);
        }
    }

    /// Relaxes the next jump point straight ahead of a cell of cost `g`, or an end of the search before it.
    #[inline]
    fn straight<const UP: bool>(&mut self, axis: Axis, cell: GridCell, g: u64) {
        let (bits, line, i) = self.line(axis, cell);
        let (stop, is_jump_point) = if R::CUTS {
            scan::<R, UP>(bits, self.borders(axis), line, i)
        } else {
            let stops = self.search.tables.stops[axis as usize];
            let stop = if R::WHOLE { stops.next::<UP>(line, i) } else { stops.next_in_parts::<UP>(line, i) };
            (stop, is_set::<R>(bits, line, stop))
        };
        self.relax_stop::<UP>(axis, (line, i), (stop, is_jump_point), g);
    }

    /// Relaxes the jump point at which a straight run from place `i` of a line stops, or the end of the search if one
    /// comes first; `g` is the cost at `i`.
    #[inline]
    fn relax_stop<const UP: bool>(&mut self, axis: Axis, at: (i32, i32), stop: (i32, bool), g: u64) {
        let ((line, i), (stop, is_jump_point), ends) = (at, stop, &self.search.ends);
        let cell =
            |place| if axis == Axis::Row { GridCell::new(place, line) } else { GridCell::new(line, place) };
        let path_to = |place: i32| {
            let [step, _] = self.step_costs(cell(if UP { i + 1 } else { i - 1 }));
            (Node::from(cell(place)), g + u64::from(place.abs_diff(i)) * step)
        };
        if !E::STOPS {
            let beyond = if UP { stop + i32::from(is_jump_point) } else { stop - i32::from(is_jump_point) };
            let mut at = i;
            while let Some(passed) = ends.first_before::<UP>(axis, line, at, beyond) {
                let (node, g) = path_to(passed);
                ends.arrive(node, self.from.node, g);
                at = passed;
            }
        }
        let end = if E::STOPS { ends.first_before::<UP>(axis, line, i, stop) } else { None };
        if let Some(end) = end.or(is_jump_point.then_some(stop)) {
            let (end, g) = path_to(end);
            self.relax(end, g);
        }
    }
}

/// Facts of the map: what a direct path costs, where borders are, which steps are legal, and which neighbours are forced.
impl<'g, R: Rule, E, O, const WEIGHTED: bool> Jump<'_, 'g, R, E, O, WEIGHTED> {
    /// The cost of the path of diagonal steps and then straight ones, if that path is legal (with four directions:
    /// along the column, then along the row).
    fn direct(&self, start: GridCell, goal: GridCell) -> Option<u64> {
        let JumpTables { rows, columns, costs, .. } = self.search.tables;
        let (across, down) = (goal.x - start.x, goal.y - start.y);
        let (dx, dy) = if R::FOUR { (0, down.signum()) } else { (across.signum(), down.signum()) };
        let steps = if R::FOUR { down.abs() } else { across.abs().min(down.abs()) };
        let mut cell = start;
        // The cells before, at and after this one in its row, and those of the next cell in the next row.
        let window = |cell: GridCell| rows.window3(cell.y, cell.x);
        let mut here = window(start);
        for _ in 0..steps {
            cell = GridCell::new(cell.x + dx, cell.y + dy);
            let next = window(cell);
            let beside = [here >> (1 + dx), next >> (1 - dx)].map(|bits| bits & 1 != 0);
            if next & 2 == 0 || !R::allows_diagonal(beside) {
                return None;
            }
            here = next;
        }
        let CellRect { min, max } = CellRect::new(cell, goal);
        let clear = if cell.y == goal.y {
            rows.all_walkable(cell.y, min.x, max.x)
        } else {
            columns.all_walkable(cell.x, min.y, max.y)
        };
        let straights = u64::from(cell.x.abs_diff(goal.x) + cell.y.abs_diff(goal.y));
        clear.then(|| u64::from(steps.unsigned_abs()) * costs.diagonal + straights * costs.straight)
    }

    /// Whether a neighbour of the cell costs something else, or lies beyond a cliff.
    #[inline]
    fn is_border(&self, cell: GridCell) -> bool {
        self.search.tables.areas.is_some_and(|areas| areas.borders.rows.get(cell.y, cell.x))
    }

    /// The costs of a straight and of a diagonal step onto a cell.
    #[inline]
    fn step_costs(&self, cell: GridCell) -> [u64; 2] {
        let JumpTables { costs, areas, .. } = &self.search.tables;
        match areas {
            Some(CostAreas { classes, .. }) if WEIGHTED => costs.onto(classes, cell),
            _ => [costs.straight, costs.diagonal],
        }
    }

    #[inline]
    fn is_free(&self, x: i32, y: i32) -> bool {
        is_set::<R>(self.search.tables.rows, y, x)
    }

    /// Whether a diagonal step from a walkable cell is legal.
    #[inline]
    fn can_step(&self, cell: GridCell, dx: i32, dy: i32) -> bool {
        self.is_free(cell.x + dx, cell.y + dy)
            && R::allows_diagonal([self.is_free(cell.x + dx, cell.y), self.is_free(cell.x, cell.y + dy)])
    }

    /// Whether a cell reached by the diagonal step `(dx, dy)` has forced neighbours, round a blocked cell: the one at
    /// `(-dx, dy)`, and the one at `(dx, -dy)`. Neither under `Never`.
    #[inline]
    fn forced_neighbors(&self, GridCell { x, y }: GridCell, dx: i32, dy: i32) -> (bool, bool) {
        if !R::CUTS {
            return (false, false);
        }
        let along_columns = !self.is_free(x - dx, y)
            && self.is_free(x - dx, y + dy)
            && (!R::NEEDS_ONE || self.is_free(x, y + dy));
        let along_rows = !self.is_free(x, y - dy)
            && self.is_free(x + dx, y - dy)
            && (!R::NEEDS_ONE || self.is_free(x + dx, y));
        (along_columns, along_rows)
    }

    /// The bitmap that has the axis as its lines, and a cell's line and place in that bitmap.
    #[inline]
    fn line(&self, axis: Axis, cell: GridCell) -> (&'g Bitmap, i32, i32) {
        let (line, place) = axis.line_and_place(cell);
        let JumpTables { rows, columns, .. } = self.search.tables;
        (if axis == Axis::Row { rows } else { columns }, line, place)
    }

    /// The borders between areas of different costs, with the axis as lines; `None` if there is one area only.
    #[inline]
    fn borders(&self, axis: Axis) -> Option<&'g Bitmap> {
        let borders = self.search.tables.areas.filter(|_| WEIGHTED).map(|areas| areas.borders);
        borders.map(|it| if axis == Axis::Row { &it.rows } else { &it.columns })
    }
}
