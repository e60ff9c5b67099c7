//! Costs of steps as integers, so that sums are exact and equal costs compare equal.
//!
//! A floating-point sum depends on the order of its terms, so that two equally long paths can compare as
//! different, and A* expands both. Integer sums do not have this fault. The unit is chosen so that every step that
//! occurs, straight or diagonal, has a relative rounding error of at most two millionths if terrain costs have at
//! most two decimals, and of two hundred-thousandths otherwise. The error of √2 itself is 1.5 millionths.

use super::nodes::{AnyParent, Node, ParentEncoding};
use crate::grid::{
    Classes, CostSpan, DiagonalCost, Direction, Directions, EdgeRules, Grid, GridCell, KindId, StepRules,
    directions_of,
};

/// The cost of each step for one kind of agent, in integer units of the search.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct StepCosts {
    /// A straight step onto the cheapest terrain that occurs.
    pub(crate) straight: u64,
    /// A diagonal step onto the cheapest terrain that occurs.
    pub(crate) diagonal: u64,
    /// An upper bound of the cost of every step that occurs.
    pub(crate) greatest: u64,
    /// Units per cost of 1.
    pub(crate) unit: f64,
    /// Greatest relative amount by which rounding raises the cost of a step.
    rounding: f64,
    /// Whether terrain costs differ, cliffs keep agents from steps, or edges have rules. Only then `by_class` is
    /// filled.
    pub(crate) weighted: bool,
    /// Cost of a straight and of a diagonal step onto each terrain class; empty for uniform terrain.
    pub(crate) by_class: Vec<[u32; 2]>,
}

impl StepCosts {
    /// Sets the costs for a kind of agent on a grid, and reuses the memory.
    ///
    /// Lines at any angle are rounded to a unit too, and need a finer one: `finer` times finer, or less where the
    /// longest path that fits on the grid would exceed the range of a record. Lines at any angle occur on uniform
    /// terrain only; where terrain costs differ, `finer` has no effect.
    pub(crate) fn set(&mut self, grid: &Grid, kind: KindId, steps: StepRules, finer: u64) {
        let CostSpan { min, max } = grid.known(kind).costs;
        // A path covers at most two thirds of the cells, fewer if diagonal: 408 · 2/3 units a cell are below 300.
        let longest = 300 * u64::from(grid.width()) * u64::from(grid.height());
        self.weighted = min < max || grid.cliffs(kind).is_some() || grid.edge_rules().is_some();
        let finer = if self.weighted { 1 } else { finer.min(AnyParent::MAX_COST / longest).max(1) };
        // Convergents of √2: 577/408 is off by 1.5 in a million.
        let [straight, diagonal]: [u64; 2] = match (steps.directions, steps.diagonal) {
            (Directions::Four, _) | (_, DiagonalCost::One) => [1, 1],
            (_, DiagonalCost::FourteenTenths) => [5, 7],
            (_, DiagonalCost::Sqrt2) => [408 * finer, 577 * finer],
        };
        self.by_class.clear();
        self.rounding = DIAGONAL_ROUNDING;
        if !self.weighted {
            self.straight = straight;
            self.diagonal = diagonal;
            self.greatest = diagonal;
            self.unit = straight as f64 / f64::from(min);
        } else {
            let (scale, rounding) = scale(grid, kind, [straight, diagonal]);
            self.rounding += rounding;
            // Not `round`, which is a function call on most processors: the table has 512 costs.
            let units = |cost: f32, step: u64| (f64::from(cost) * (scale * step) as f64 + 0.5) as u32;
            let table = grid.known(kind).cost_table();
            self.by_class.extend((0..=255).map(|class| {
                let cost = table.cost(crate::grid::Terrain(class)).unwrap_or(1.0);
                [units(cost, straight), units(cost, diagonal)]
            }));
            self.straight = u64::from(units(min, straight));
            self.diagonal = u64::from(units(min, diagonal)).min(2 * self.straight);
            self.unit = (scale * straight) as f64;
            let [far, near] = [f64::from(max) * self.unit, straight as f64];
            // A diagonal step goes past two edges.
            let surcharge = grid.edge_rules().and_then(|rules| rules.present().next_back());
            let most = surcharge.map_or(0, |surcharge| self.surcharge(2.0 * f64::from(surcharge)));
            self.greatest = (far * diagonal as f64 / near).ceil() as u64 + 1 + most;
        }
    }

    /// The costs of a straight and of a diagonal step onto a cell. `classes` are those by which the costs of the kind
    /// are found.
    #[inline]
    pub(crate) fn onto(&self, classes: &Classes, cell: GridCell) -> [u64; 2] {
        if self.weighted {
            self.by_class[usize::from(classes.get(cell.y as usize, cell.x as usize))].map(u64::from)
        } else {
            [self.straight, self.diagonal]
        }
    }

    /// The legal steps out of a walkable cell, in the order of [`SUCCESSORS`](crate::grid::SUCCESSORS), with the cells
    /// that they lead to and their costs. With `BACK`, the steps that lead from the neighbours to the cell.
    pub(crate) fn legal_steps<const BACK: bool>(
        &self,
        grid: &Grid,
        (kind, steps): (KindId, StepRules),
        cell: GridCell,
    ) -> impl Iterator<Item = (Direction, GridCell, u64)> {
        let (classes, rules) = (grid.cost_classes(kind), grid.edge_rules());
        directions_of(grid.legal_steps::<BACK>(kind, steps, cell)).map(move |direction| {
            let next = cell.step(direction);
            let [straight, diagonal] = self.onto(classes, if BACK { cell } else { next });
            let surcharge = rules.map_or(0, |rules| self.surcharge(rules.over::<BACK>(cell, direction)));
            (direction, next, surcharge + if direction.is_diagonal() { diagonal } else { straight })
        })
    }

    /// The surcharge of a step past edges with rules.
    #[inline]
    pub(crate) fn surcharge(&self, surcharge: f64) -> u64 {
        (surcharge * self.unit + 0.5) as u64
    }

    /// The cost of a straight line between two cells' centres, on uniform terrain.
    #[inline]
    pub(crate) fn distance(&self, a: Node, b: Node) -> u64 {
        let (dx, dy) = (a.x() - b.x(), a.y() - b.y());
        // Signed integers convert to and from floating-point numbers faster than unsigned ones.
        (f64::from(dx * dx + dy * dy).sqrt() * self.straight as i64 as f64 + 0.5) as i64 as u64
    }

    /// Units of the search as a cost in terms of the query.
    pub(crate) fn cost(&self, units: u64) -> f64 {
        units as f64 / self.unit
    }

    /// A limit of cost, in terms of the query, as units of the search.
    pub(crate) fn units(&self, cost: f64) -> u64 {
        // Rounded up by the error of a step, so that a path of exactly that cost is within the limit.
        (cost * self.unit * (1.0 + self.rounding)) as u64
    }
}

/// Twice the relative error of 577/408 as an approximation of √2.
const DIAGONAL_ROUNDING: f64 = 3e-6;

/// The factor for the units of a straight and a diagonal step (`base`) that makes every step that occurs nearly a
/// whole number of units, and the greatest relative error that is left.
fn scale(grid: &Grid, kind: KindId, base: [u64; 2]) -> (u64, f64) {
    const GOOD_ENOUGH: f64 = 2e-6;
    // Products of 2 and 5: multiplied by them, tenths, hundredths and binary fractions become whole numbers.
    const SCALES: [u64; 12] = [1, 2, 4, 5, 8, 10, 20, 25, 40, 50, 64, 100];
    /// Units of the cheapest step where no scale is good enough. A step of this many units or more has an error
    /// below 2e-5, and the dearest step that a [`CostTable`] allows is below 2^32 units.
    ///
    /// [`CostTable`]: crate::grid::CostTable
    const FINE: f64 = 26_112.0;
    let [straight, _] = base;
    let least = if straight < 100 { 100 } else { 1 };
    let cheapest = grid.known(kind).costs.min;
    let error = |scale: u64| {
        // The cost of what is rounded, and of what is paid with it.
        let steps = grid.present_costs(kind).flat_map(|cost| base.map(|step| (cost, 0.0, step)));
        let surcharges = grid.edge_rules().into_iter().flat_map(EdgeRules::present);
        let all = steps.chain(surcharges.map(|surcharge| (surcharge, cheapest, straight)));
        all.fold(0.0f64, |worst, (cost, other, step)| {
            let unit = (scale * step) as f64;
            let exact = f64::from(cost) * unit;
            worst.max((exact.round() - exact).abs() / (exact + f64::from(other) * unit))
        })
    };
    let with_error = |scale: u64| (scale, error(scale));
    let mut scales = SCALES.into_iter().map(|scale| with_error(scale * least));
    scales
        .find(|&(_, error)| error <= GOOD_ENOUGH)
        .unwrap_or_else(|| with_error((FINE / (f64::from(cheapest) * straight as f64)).ceil() as u64))
}
