//! The cost of walking along straight lines over the terrain, in any direction; steps from cell to cell are in `moves`.

use glam::Vec2;

use super::{Grid, GridCell, KindId};

impl Grid {
    /// The cost for a kind of agent to walk along straight legs from point to point: the sum of the length in each
    /// cell times the cost of the cell. Points are in grid space. `None` if a crossed cell is not walkable, a leg
    /// crosses a cliff or a fence, or a point lies outside the grid.
    ///
    /// A part of a leg along the edge between two cells counts for the cell of larger coordinates. The
    /// time is in proportion to the number of crossed cells. What crossed edges cost in addition is part of it, and a
    /// leg over an edge that a [rule](super::EdgeRule) closes has no cost.
    #[must_use]
    pub fn travel_cost(&self, kind: KindId, points: &[Vec2]) -> Option<f64> {
        if !points.iter().all(|&point| self.holds(point)) {
            return None;
        }
        let cost = points.windows(2).map(|leg| self.leg_cost(kind, leg[0], leg[1])).sum::<f64>();
        cost.is_finite().then_some(cost)
    }

    /// The least cost among the terrain classes that are passable for a kind of agent and occur on the grid; 1 if there
    /// is none.
    #[must_use]
    pub fn least_cost(&self, kind: KindId) -> f32 {
        self.layer(kind).map_or(1.0, |layer| layer.costs.min)
    }

    /// The part of [`travel_cost`](Self::travel_cost) that [extra costs](Self::set_extra_costs) add.
    #[must_use]
    pub fn extra_travel_cost(&self, kind: KindId, points: &[Vec2]) -> f64 {
        if !points.iter().all(|&point| self.holds(point)) {
            return 0.0;
        }
        let legs = points.windows(2).flat_map(|leg| leg_parts(leg[0], leg[1]));
        legs.map(|(cell, length)| f64::from(self.extra_cost(kind, cell)) * length).sum()
    }

    /// Whether a point lies in a cell of the grid.
    pub(super) fn holds(&self, point: Vec2) -> bool {
        point.is_finite() && self.contains(GridCell::containing(point))
    }

    /// The cost of a straight leg: the sum of its length in each cell times the cost of the cell, and the surcharges of
    /// crossed edges. Infinite if a crossed cell is not walkable, the leg crosses a cliff or goes where no step leads,
    /// or an end lies outside the grid.
    pub(crate) fn leg_cost(&self, kind: KindId, from: Vec2, to: Vec2) -> f64 {
        let is_parted = || self.cliffs(kind).is_some_and(|cliffs| !cliffs.lets_pass(from, to));
        if !(self.holds(from) && self.holds(to)) || is_parted() {
            return f64::INFINITY;
        }
        let costs = leg_parts(from, to).map(|(cell, length)| {
            let cost = self.cost(kind, cell).map_or(f64::INFINITY, f64::from);
            cost * length
        });
        costs.sum::<f64>() + self.edge_rules().map_or(0.0, |rules| rules.along(from, to))
    }
}

/// The cells that a straight leg between two points of grid space crosses, in order, and the length of the leg in each.
/// A part along the edge between two cells counts for the cell of larger coordinates.
pub(crate) fn leg_parts(from: Vec2, to: Vec2) -> impl Iterator<Item = (GridCell, f64)> {
    let (start, along) = (from.as_dvec2(), (to - from).as_dvec2());
    let length = along.length();
    let mut cuts = [(start.x, along.x), (start.y, along.y)].map(|(start, along)| LineCuts::new(start, along));
    let (mut from, mut is_over) = (0.0, false);
    let next_part = move || {
        let to = cuts[0].next.min(cuts[1].next).min(1.0);
        for cuts in cuts.iter_mut().filter(|cuts| cuts.next <= to) {
            cuts.advance();
        }
        let part = [std::mem::replace(&mut from, to), to];
        (!std::mem::replace(&mut is_over, to >= 1.0)).then_some(part)
    };
    std::iter::from_fn(next_part).filter(|part| part[1] - part[0] > 1e-9).map(move |part| {
        // In `f64`: as `f32`, a point close to a corner could be rounded into a cell that the leg does not cross.
        let middle = (start + along * (part[0] + part[1]) / 2.0).as_ivec2();
        (middle.into(), (part[1] - part[0]) * length)
    })
}

/// Where a leg crosses the lines between columns, or those between rows, as parts of its length in order.
struct LineCuts {
    start: f64,
    along: f64,
    line: f64,
    /// The next cut; infinite if there is none any more.
    next: f64,
}

impl LineCuts {
    fn new(start: f64, along: f64) -> Self {
        let line = if along > 0.0 { start.floor() } else { start.ceil() };
        let mut cuts = Self { start, along, line, next: 0.0 };
        cuts.advance();
        cuts
    }

    fn advance(&mut self) {
        if self.along == 0.0 {
            self.next = f64::INFINITY;
            return;
        }
        self.line += self.along.signum();
        self.next = (self.line - self.start) / self.along;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(map: &str, points: &[(f32, f32)]) -> Option<f64> {
        let points: Vec<Vec2> = points.iter().map(|&point| point.into()).collect();
        Grid::from_ascii(map).unwrap().travel_cost(KindId::default(), &points)
    }

    #[test]
    fn each_cell_is_paid_for_by_length() {
        let near = |found: Option<f64>, cost: f64| (found.unwrap() - cost).abs() < 1e-4;
        assert!(near(cost("..5..", &[(0.5, 0.5), (4.5, 0.5)]), 3.0 + 5.0), "one cell of five");
        assert!(near(cost("..5..", &[(4.5, 0.5), (2.5, 0.5)]), 1.5 + 2.5), "the other way, half of it");
        assert!(near(cost(".5\n5.", &[(0.5, 0.5), (1.5, 1.5)]), 2.0_f64.sqrt()), "through the corner");
        let bent = cost("...\n...", &[(0.5, 0.5), (2.5, 1.5), (0.5, 1.5)]);
        assert!(near(bent, 5.0_f64.sqrt() + 2.0), "two legs");
    }

    #[test]
    fn a_wall_close_beside_a_leg_does_not_block_it() {
        let grid = crate::testing::walled(70, 70, |cell| cell == GridCell::new(64, 64));
        let beside = 1.0 / 262_144.0;
        let leg = [Vec2::new(64.5, 63.5), Vec2::new(63.5 - beside, 64.5)];
        let cost = grid.travel_cost(KindId::default(), &leg).expect("it passes the corner of the wall");
        assert!((cost - 2.0_f64.sqrt()).abs() < 1e-4, "{cost}");
    }

    #[test]
    fn a_wall_has_no_price() {
        assert_eq!(cost("..#..", &[(0.5, 0.5), (4.5, 0.5)]), None);
        assert_eq!(cost(".....", &[(0.5, 0.5), (9.5, 0.5)]), None, "nor has the outside");
        assert_eq!(cost(".....", &[(0.5, 0.5), (f32::NAN, 0.5)]), None);
        assert_eq!(cost(".....", &[(0.5, 0.5)]), Some(0.0), "to stand is free");
    }
}
