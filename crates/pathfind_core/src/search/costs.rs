//! Costs in whole units, so that sums are exact and ties are real ties.
//!
//! A sum of floating-point steps depends on their order, and two equally long paths compare as
//! different: A* then wanders among them. Whole units have neither fault. The unit is chosen so that
//! every step that occurs, straight or diagonal, is met to two millionths if terrain costs have at most two
//! decimals, and to two hundred-thousandths otherwise. √2 itself is met to 1.5 millionths.

use super::nodes::{AnyParent, Node, ParentEncoding};
use crate::grid::{CostSpan, DiagonalCost, Directions, Grid, KindId, Steps};

/// What steps cost in a search's units.
#[derive(Clone, Debug, Default)]
pub(crate) struct StepCosts {
    /// A straight step onto the cheapest terrain that occurs.
    pub(crate) straight: u64,
    /// A diagonal step onto the cheapest terrain that occurs.
    pub(crate) diagonal: u64,
    /// The dearest step that occurs.
    pub(crate) greatest: u64,
    /// Units that make a cost of 1.
    pub(crate) unit: f64,
    /// By what part a step may cost more units than it should.
    rounding: f64,
    /// Whether terrain costs differ; only then are the tables filled.
    pub(crate) weighted: bool,
    /// Straight and diagonal steps onto each terrain class, empty for uniform terrain.
    pub(crate) by_class: Vec<[u32; 2]>,
}

impl StepCosts {
    /// Sets the costs for a kind of agent; memory is used again.
    ///
    /// Straight lines at any angle are rounded to the unit too, and want a finer one: so many times finer,
    /// or as much as leaves the longest way that the grid has room for within the range of numbers.
    /// They run on uniform terrain only.
    pub(crate) fn set(&mut self, grid: &Grid, kind: KindId, steps: Steps, finer: u64) {
        let CostSpan { min, max } = grid.cost_span(kind).expect("the kind was checked");
        // At most two cells in three lie on one way, fewer where it is diagonal.
        let longest = 300 * u64::from(grid.width()) * u64::from(grid.height());
        let finer = if min < max { 1 } else { finer.min(AnyParent::MAX_COST / longest).max(1) };
        // Convergents of √2: 577/408 is off by 1.5 in a million.
        let [straight, diagonal]: [u64; 2] = match (steps.directions, steps.diagonal) {
            (Directions::Four, _) | (_, DiagonalCost::One) => [1, 1],
            (_, DiagonalCost::FourteenTenths) => [5, 7],
            (_, DiagonalCost::Sqrt2) => [408 * finer, 577 * finer],
        };
        self.by_class.clear();
        self.weighted = min < max;
        self.rounding = DIAGONAL_ROUNDING;
        if !self.weighted {
            self.straight = straight;
            self.diagonal = diagonal;
            self.unit = straight as f64 / f64::from(min);
        } else {
            let (scale, rounding) = scale(grid, kind, [straight, diagonal]);
            self.rounding += rounding;
            let units = |cost: f32, step: u64| (f64::from(cost) * (scale * step) as f64).round() as u32;
            let table = &grid.kind(kind).expect("the kind was checked").costs;
            self.by_class.extend((0..=255).map(|class| {
                let cost = table.cost(crate::grid::Terrain(class)).unwrap_or(1.0);
                [units(cost, straight), units(cost, diagonal)]
            }));
            self.straight = u64::from(units(min, straight));
            self.diagonal = u64::from(units(min, diagonal)).min(2 * self.straight);
            self.unit = (scale * straight) as f64;
        }
        let [far, near] = [f64::from(max) * self.unit, straight as f64];
        self.greatest = (far * diagonal as f64 / near).ceil() as u64 + 1;
    }

    /// A straight line between two cells' centres, on uniform terrain.
    #[inline]
    pub(crate) fn distance(&self, a: Node, b: Node) -> u64 {
        let (dx, dy) = (f64::from(a.x() - b.x()), f64::from(a.y() - b.y()));
        ((dx * dx + dy * dy).sqrt() * self.straight as f64 + 0.5) as u64
    }

    /// A cost in the query's terms.
    pub(crate) fn cost(&self, units: u64) -> f64 {
        units as f64 / self.unit
    }

    /// The most units that a cost in the query's terms holds.
    pub(crate) fn units(&self, cost: f64) -> u64 {
        // A path of exactly that cost is within the limit, however its steps were rounded.
        (cost * self.unit * (1.0 + self.rounding)) as u64
    }
}

/// Twice the relative error of 577/408 as √2.
const DIAGONAL_ROUNDING: f64 = 3e-6;

/// The factor by which the base units of a straight and a diagonal step are multiplied so that every step that
/// occurs is nearly a whole number of units, and the greatest relative error that is left.
fn scale(grid: &Grid, kind: KindId, base: [u64; 2]) -> (u64, f64) {
    const GOOD_ENOUGH: f64 = 2e-6;
    // Products of 2 and 5 make tenths, hundredths and binary fractions whole.
    const SCALES: [u64; 12] = [1, 2, 4, 5, 8, 10, 20, 25, 40, 50, 64, 100];
    /// A step of so many units or more is off by less than 2e-5. With it the dearest step that a [`CostTable`]
    /// allows comes to less than 2^32 units.
    ///
    /// [`CostTable`]: crate::grid::CostTable
    const FINE: f64 = 26_112.0;
    let [straight, _] = base;
    let least = if straight < 100 { 100 } else { 1 };
    let error = |scale: u64| {
        let steps = grid.present_costs(kind).flat_map(|cost| base.map(|step| (cost, step)));
        steps.fold(0.0f64, |worst, (cost, step)| {
            let exact = f64::from(cost) * (scale * step) as f64;
            worst.max((exact.round() - exact).abs() / exact)
        })
    };
    let found = SCALES.into_iter().map(|scale| scale * least).find(|&scale| error(scale) <= GOOD_ENOUGH);
    let scale = found.unwrap_or_else(|| {
        let CostSpan { min, .. } = grid.cost_span(kind).expect("the kind was checked");
        (FINE / (f64::from(min) * straight as f64)).ceil() as u64
    });
    (scale, error(scale))
}
