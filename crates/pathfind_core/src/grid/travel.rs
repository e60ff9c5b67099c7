//! What it costs to go along a line.

use glam::Vec2;

use super::{Cell, Grid, KindId};

impl Grid {
    /// What a kind of agent pays to go straight from point to point: the length in each cell times what the
    /// cell costs. Points in grid space. `None` if a cell on the way is blocked, or a point is not finite.
    ///
    /// A stretch along an edge counts as in the cell of larger coordinates, or in the other if that one is
    /// blocked. Takes time in the number of cells crossed.
    #[must_use]
    pub fn travel_cost(&self, kind: KindId, points: &[Vec2]) -> Option<f32> {
        points.windows(2).map(|leg| self.leg_cost(kind, leg[0], leg[1])).sum()
    }

    /// The least cost of any terrain that a kind of agent may walk on and that occurs; 1 if there is none.
    #[must_use]
    pub fn least_cost(&self, kind: KindId) -> f32 {
        self.cost_span(kind).map_or(1.0, |span| span.min)
    }

    fn leg_cost(&self, kind: KindId, from: Vec2, to: Vec2) -> Option<f32> {
        let inside = |point: Vec2| self.contains(Cell::containing(point));
        if !(from.is_finite() && to.is_finite() && inside(from) && inside(to)) {
            return None;
        }
        let (along, length) = (to - from, from.distance(to));
        let (mut cost, mut here) = (0.0, 0.0);
        while here < 1.0 {
            let at = from + along * here;
            // Where the line next crosses an edge of columns or of rows.
            let crossing = |axis: usize| {
                let line = if along[axis] > 0.0 { at[axis].floor() + 1.0 } else { at[axis].ceil() - 1.0 };
                if along[axis] == 0.0 { 1.0 } else { (line - from[axis]) / along[axis] }
            };
            let next = crossing(0).min(crossing(1)).max(here + 1e-6).min(1.0);
            let middle = from + along * ((here + next) * 0.5);
            cost += length * (next - here) * self.cost_at(kind, middle, along)?;
            here = next;
        }
        Some(cost)
    }

    /// The cost at a point within a cell or, on an edge that the way runs along, beside it.
    fn cost_at(&self, kind: KindId, point: Vec2, along: Vec2) -> Option<f32> {
        let cell = Cell::containing(point);
        let beside = |is_on_edge: bool, dx: i32, dy: i32| {
            is_on_edge.then(|| self.cost(kind, Cell::new(cell.x - dx, cell.y - dy))).flatten()
        };
        let runs_on_edge = |axis: usize| along[axis] == 0.0 && point[axis].fract() == 0.0;
        self.cost(kind, cell)
            .or_else(|| beside(runs_on_edge(0), 1, 0))
            .or_else(|| beside(runs_on_edge(1), 0, 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(map: &str, points: &[(f32, f32)]) -> Option<f32> {
        let points: Vec<Vec2> = points.iter().map(|&point| point.into()).collect();
        Grid::from_ascii(map).unwrap().travel_cost(KindId::default(), &points)
    }

    #[test]
    fn each_cell_is_paid_for_by_length() {
        let near = |found: Option<f32>, cost: f32| (found.unwrap() - cost).abs() < 1e-4;
        assert!(near(cost("..5..", &[(0.5, 0.5), (4.5, 0.5)]), 3.0 + 5.0), "one cell of five");
        assert!(near(cost("..5..", &[(4.5, 0.5), (2.5, 0.5)]), 1.5 + 2.5), "the other way, half of it");
        assert!(near(cost(".5\n5.", &[(0.5, 0.5), (1.5, 1.5)]), 2.0_f32.sqrt()), "through the corner");
        assert!(
            near(cost("...\n...", &[(0.5, 0.5), (2.5, 1.5), (0.5, 1.5)]), 5.0_f32.sqrt() + 2.0),
            "two legs"
        );
        assert!(near(cost("...\n###", &[(0.5, 1.0), (2.5, 1.0)]), 2.0), "along the edge of a wall");
    }

    #[test]
    fn a_wall_has_no_price() {
        assert_eq!(cost("..#..", &[(0.5, 0.5), (4.5, 0.5)]), None);
        assert_eq!(cost(".....", &[(0.5, 0.5), (9.5, 0.5)]), None, "nor has the outside");
        assert_eq!(cost(".....", &[(0.5, 0.5), (f32::NAN, 0.5)]), None);
        assert_eq!(cost(".....", &[(0.5, 0.5)]), Some(0.0), "to stand is free");
    }
}
