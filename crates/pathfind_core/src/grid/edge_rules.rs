//! Rules of edges: what a step over the edge between two cells costs in addition, in each direction, and whether there
//! is such a step at all. For ledges to drop down, turnstiles, conveyors and slopes.
//!
//! ```text
//!   a > b     a one-way edge: steps lead from a to b, none back. So no diagonal step leads from b to c, nor from d to
//!             a, but from a to d and from c to b. A diagonal step stands for two ways of straight steps round the
//!   c   d     corner, and costs in addition what the dearer of the two does; a closed step costs infinitely much
//! ```
//!
//! The greater of the two, because the surcharge of a line of edges is then paid once however the line is crossed, and
//! a single edge cannot be avoided by cutting its corner. A rule at the side of a wall counts where the corner rule
//! allows to cut the corner of that wall.
//!
//! Rules are for plans: searches and fields. Bodies, sight and rays pass; what they do not pass is a
//! [fence](super::fences). Connected regions do not know the rules. Cells near an edge with a rule are
//! [borders](super::Borders) of every kind of agents: jumps stop there. A grid without rules has no memory for them,
//! and searches on it no work.

use std::collections::BTreeMap;

use glam::Vec2;

use super::{
    CellRect, CopyOnWriteRows, CostTable, Direction, Edge, EdgeSet, Grid, GridCell, GridError, directions_of,
    leg_parts,
};

/// What stands on the edge between two cells: nothing, a fence, or a rule for the steps over it.
///
/// ```
/// use pathfind_core::{Direction, EdgeRule, Grid, GridCell, PathQuery, SearchScratch, StepRules, solve};
/// // A ledge between the rows: agents drop down everywhere, and come up in the last column only.
/// let mut grid = Grid::new(6, 2)?;
/// for x in 0..5 {
///     grid.set_edge(GridCell::new(x, 0), Direction::S, EdgeRule::ONE_WAY)?;
/// }
/// let cost = |from, to| {
///     let query = PathQuery::new(GridCell::from(from), GridCell::from(to)).with_steps(StepRules::FOUR);
///     solve(&grid, &query, &mut SearchScratch::default()).map(|path| path.cost)
/// };
/// assert_eq!((cost((0, 0), (0, 1))?, cost((0, 1), (0, 0))?), (1.0, 11.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum EdgeRule {
    /// Nothing.
    #[default]
    Open,
    /// A [fence](Grid::set_fence): a wall without width.
    Fence,
    /// A rule for plans: what the step over the edge costs in addition to its terrain, in the unit of
    /// [terrain costs](CostTable); `None` if there is no such step. Range: 0 to [`CostTable::MAX_COST`].
    Directed {
        /// In the direction that was given for the edge.
        there: Option<f32>,
        /// In the opposite direction.
        back: Option<f32>,
    },
}

impl EdgeRule {
    /// Steps lead over the edge in the direction that was given, at no surcharge, and not back.
    pub const ONE_WAY: Self = Self::Directed { there: Some(0.0), back: None };

    /// Steps lead both ways, and cost so much in addition.
    #[must_use]
    pub const fn surcharge(there: f32, back: f32) -> Self {
        Self::Directed { there: Some(there), back: Some(back) }
    }

    /// The same rule, seen from the other side of the edge.
    #[must_use]
    pub const fn turned(self) -> Self {
        match self {
            Self::Directed { there, back } => Self::Directed { there: back, back: there },
            other => other,
        }
    }

    /// The rule with these surcharges, infinite where there is no step.
    fn of(surcharges: [f32; 2]) -> Self {
        if surcharges == [0.0; 2] {
            return Self::Open;
        }
        let [there, back] = surcharges.map(|surcharge| Some(surcharge).filter(|it| it.is_finite()));
        Self::Directed { there, back }
    }

    /// The surcharges in both directions; infinite where there is no step.
    fn surcharges(self) -> Result<[f32; 2], GridError> {
        let Self::Directed { there, back } = self else { return Ok([0.0; 2]) };
        let is_valid = |surcharge: &f32| (0.0..=CostTable::MAX_COST).contains(surcharge);
        match [there, back].into_iter().flatten().find(|surcharge| !is_valid(surcharge)) {
            Some(surcharge) => Err(GridError::BadSurcharge(surcharge)),
            // Zero without its sign.
            None => Ok([there, back].map(|surcharge| surcharge.map_or(f32::INFINITY, f32::abs))),
        }
    }
}

/// The rules of a grid's edges, apart from fences.
#[derive(Clone, Debug)]
pub(crate) struct EdgeRules {
    /// The edges that have a rule.
    edges: EdgeSet,
    /// For each straight direction the surcharge of the step out of each cell; infinite if there is none.
    surcharges: [CopyOnWriteRows<f32, 64>; 4],
    /// How many steps have each surcharge but 0, by its bits: numbers that are not negative have the order of their
    /// bits.
    counts: BTreeMap<u32, u32>,
}

impl EdgeRules {
    fn new(width: u32, height: u32) -> Self {
        let none = CopyOnWriteRows::new(height as usize, width as usize, 0.0);
        let surcharges = std::array::from_fn(|_| none.clone());
        Self { edges: EdgeSet::new(width, height), surcharges, counts: BTreeMap::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The finite surcharges that occur, each once, the least first.
    pub(crate) fn present(&self) -> impl DoubleEndedIterator<Item = f32> {
        self.counts.keys().map(|&bits| f32::from_bits(bits)).filter(|surcharge| surcharge.is_finite())
    }

    /// The surcharge of a step between two cells of the grid.
    pub(crate) fn surcharge(&self, cell: GridCell, direction: Direction) -> f64 {
        let turned = |by: u8| Direction::from_index(direction as u8 + by);
        if !direction.is_diagonal() {
            let rows = &self.surcharges[direction as usize / 2];
            return rows.get(cell.y as usize, cell.x as usize).into();
        }
        let way = |first, last| self.surcharge(cell, first) + self.surcharge(cell.step(first), last);
        way(turned(7), turned(1)).max(way(turned(1), turned(7)))
    }

    /// The surcharge of the step from a cell in a direction; with `BACK`, of the step that leads from there to the
    /// cell.
    #[inline]
    pub(crate) fn over<const BACK: bool>(&self, cell: GridCell, direction: Direction) -> f64 {
        if BACK {
            self.surcharge(cell.step(direction), direction.opposite())
        } else {
            self.surcharge(cell, direction)
        }
    }

    /// Of legal steps out of a cell, one bit for each of [`SUCCESSORS`](super::SUCCESSORS), those that no rule closes;
    /// with `BACK`, those that lead back to the cell.
    pub(crate) fn open_steps<const BACK: bool>(&self, cell: GridCell, steps: u8) -> u8 {
        let closed = directions_of(steps).zip(super::ones(steps.into()));
        let closed = closed.filter(|&(direction, _)| self.over::<BACK>(cell, direction).is_infinite());
        closed.fold(steps, |steps, (_, bit)| steps & !(1 << bit))
    }

    /// Whether any step between the 3×3 cells round a cell may have a rule.
    #[inline]
    pub(crate) fn are_near(&self, x: i32, y: i32) -> bool {
        let EdgeSet { east, south } = &self.edges;
        let beside = [y - 1, y, y + 1].into_iter().fold(0, |bits, line| bits | east.window3(line, x));
        let below = south.window3(y - 1, x) | south.window3(y, x);
        beside & 3 != 0 || below != 0
    }

    /// The cells of a word that are [near](Self::are_near) an edge with a rule.
    pub(super) fn near_word(&self, y: i32, x: i32) -> u64 {
        self.edges.near_word(y, x)
    }

    /// The surcharges along a straight leg between two points over the grid; infinite if it goes where no step leads.
    pub(super) fn along(&self, from: Vec2, to: Vec2) -> f64 {
        let mut before = None;
        let crossings = leg_parts(from, to).filter_map(|(cell, _)| {
            let last = before.replace(cell)?;
            Some(self.surcharge(last, Direction::between(last, cell)?))
        });
        crossings.sum()
    }

    fn put(&mut self, edge: Edge, surcharges: [f32; 2]) {
        let direction = edge.direction();
        for ((cell, direction), new) in
            edge.cells().into_iter().zip([direction, direction.opposite()]).zip(surcharges)
        {
            let row = &mut self.surcharges[direction as usize / 2];
            let old = row.get(cell.y as usize, cell.x as usize);
            if old != 0.0 {
                let count = self.counts.entry(old.to_bits()).or_insert(1);
                *count -= 1;
                if *count == 0 {
                    self.counts.remove(&old.to_bits());
                }
            }
            if new != 0.0 {
                *self.counts.entry(new.to_bits()).or_default() += 1;
            }
            row.set(cell.y as usize, cell.x as usize, new);
        }
        self.edges.put(edge, surcharges != [0.0; 2]);
    }

    /// Gives back the memory of what has become empty in a rectangle.
    pub(super) fn release(&mut self, rect: CellRect) {
        self.edges.release(rect);
        let sides = [[rect.min.y, rect.max.y], [rect.min.x, rect.max.x]];
        let [rows, columns] = sides.map(|ends| ends.map(|end| end as usize));
        self.surcharges.iter_mut().for_each(|surcharges| surcharges.release(rows, columns));
    }

    /// See [`Bitmap::moved`](super::Bitmap::moved).
    pub(super) fn moved(&self, width: u32, height: u32, [columns, rows]: [isize; 2]) -> Self {
        let size = [height as usize, width as usize];
        Self {
            edges: self.edges.moved(width, height, [columns, rows]),
            surcharges: self.surcharges.each_ref().map(|values| values.moved(size, [64 * rows, columns])),
            counts: self.counts.clone(),
        }
    }
}

impl Grid {
    /// Sets what stands on the edge between a cell and the next one in a straight direction, in place of what stood
    /// there; returns whether that changed the grid. [`set_fence`](Self::set_fence) is the short form for fences.
    ///
    /// Searches and fields obey the rule, for every kind of agents; of a wide agent the edge counts that its own cell
    /// crosses. A diagonal step past the end of an edge costs in addition what the dearer of the two ways of straight
    /// steps round the corner does, and is no step where one of them is closed. Bodies, lines of sight and rays pass
    /// all but fences, and [`connected`](Self::connected) knows no rules but fences.
    ///
    /// # Errors
    /// [`GridError::DiagonalEdge`], [`GridError::Outside`] if one of the two cells does not lie on the grid, and
    /// [`GridError::BadSurcharge`] for a surcharge that is NaN or out of range.
    pub fn set_edge(
        &mut self,
        cell: GridCell,
        direction: Direction,
        rule: EdgeRule,
    ) -> Result<bool, GridError> {
        self.edit(|edit| edit.set_edge(cell, direction, rule))
    }

    /// What stands on the edge between a cell and the next one in a direction. [`EdgeRule::Open`] for a diagonal
    /// direction, and at the border and outside of the grid.
    #[must_use]
    pub fn edge(&self, cell: GridCell, direction: Direction) -> EdgeRule {
        if self.has_fence(cell, direction) {
            return EdgeRule::Fence;
        }
        let is_inside = [cell, cell.step(direction)].into_iter().all(|cell| self.contains(cell));
        let rules = self.edge_rules().filter(|_| is_inside && !direction.is_diagonal());
        rules.map_or(EdgeRule::Open, |rules| {
            let both = [rules.over::<false>(cell, direction), rules.over::<true>(cell, direction)];
            EdgeRule::of(both.map(|surcharge| surcharge as f32))
        })
    }

    /// The edges with a [directed](EdgeRule::Directed) rule, each once: the cell of smaller coordinates, and the
    /// direction over the edge, `E` or `S`. First those between cells of a row, row by row, then those between cells of
    /// a column. For saving and drawing; [`fences`](Self::fences) gives the fences.
    pub fn directed_edges(&self) -> impl Iterator<Item = (GridCell, Direction, EdgeRule)> {
        let edges = self.ruled_around(self.bounds()).map(|edge| (edge.cell, edge.direction()));
        edges.map(|(cell, direction)| (cell, direction, self.edge(cell, direction)))
    }

    /// Whether an edge may have a fence or another rule.
    #[must_use]
    pub const fn has_edges(&self) -> bool {
        self.fences.is_some() || self.edge_rules.is_some()
    }

    /// The surcharges of the edges that a straight leg between two points of grid space crosses; infinite if it crosses
    /// one in a direction in which no step leads, and 0 if an end lies outside the grid. Fences do not count.
    #[must_use]
    pub fn edge_cost(&self, from: Vec2, to: Vec2) -> f64 {
        let is_inside = || [from, to].into_iter().all(|point| self.holds(point));
        self.edge_rules().filter(|_| is_inside()).map_or(0.0, |rules| rules.along(from, to))
    }

    #[inline]
    pub(crate) fn edge_rules(&self) -> Option<&EdgeRules> {
        self.edge_rules.as_deref()
    }

    /// The edges with a directed rule at any side of a cell of a rectangle.
    pub(super) fn ruled_around(&self, rect: CellRect) -> impl Iterator<Item = Edge> {
        self.edge_rules.iter().flat_map(move |rules| rules.edges.around(rect))
    }

    /// Sets what stands on an edge between two cells of the grid, seen from its own cell. Returns whether that is a
    /// change.
    pub(super) fn put_edge(&mut self, edge: Edge, rule: EdgeRule) -> Result<bool, GridError> {
        let surcharges = rule.surcharges()?;
        let is_fence = rule == EdgeRule::Fence;
        let before = self.edge(edge.cell, edge.direction());
        if before == if is_fence { rule } else { EdgeRule::of(surcharges) } {
            return Ok(false);
        }
        let Self { width, height, fences, edge_rules, .. } = self;
        if is_fence || before == EdgeRule::Fence {
            fences.get_or_insert_with(|| Box::new(EdgeSet::new(*width, *height))).put(edge, is_fence);
        }
        if edge_rules.is_some() || surcharges != [0.0; 2] {
            let rules = edge_rules.get_or_insert_with(|| Box::new(EdgeRules::new(*width, *height)));
            rules.put(edge, surcharges);
        }
        Ok(true)
    }
}
