//! Paths that are known without a search: that of a fugitive is found together with its refuge.

use std::sync::Arc;

use bevy::prelude::*;
use pathfind_core::{Algorithm, Answer, GridCell, KindId, Metrics, Outcome};

/// A path of legal steps on a grid.
#[derive(Debug)]
pub(crate) struct KnownPath {
    /// Map id and revision of the grid.
    pub(crate) map: (u64, u64),
    /// The kind of agent whose steps they are.
    pub(crate) kind: KindId,
    /// The cells from start to goal, at least one.
    pub(crate) cells: Vec<GridCell>,
    /// The cost of the whole path.
    pub(crate) cost: f64,
    /// Whether the path may be straightened; if not, a straight line could lead over a cell that it goes round.
    pub(crate) may_straighten: bool,
}

impl KnownPath {
    /// The rest of the path from a cell on, as the answer of a search; `None` if the path does not lead over the cell.
    pub(crate) fn answer_from(&self, start: GridCell) -> Option<Arc<Answer>> {
        let first = self.cells.iter().position(|&cell| cell == start)?;
        let cells = &self.cells[first..];
        let last = cells.len() - 1;
        let step = |index: usize| IVec2::from(cells[index]) - IVec2::from(cells[index - 1]);
        let is_turn = |&index: &usize| index == 0 || index == last || step(index) != step(index + 1);
        let waypoints: Vec<Vec2> = (0..=last).filter(is_turn).map(|index| cells[index].center()).collect();
        let length = waypoints.windows(2).map(|leg| f64::from(leg[0].distance(leg[1]))).sum();
        Some(Arc::new(Answer {
            outcome: Outcome::Complete,
            waypoints,
            cost: self.cost,
            length,
            algorithm: Algorithm::Dijkstra,
            suboptimality_bound: None,
            metrics: Metrics::default(),
            revision: self.map.1,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_a_path_begins_at_the_start_and_turns_where_the_path_does() {
        let cells = [(0, 0), (1, 0), (2, 0), (3, 1), (4, 2)].map(GridCell::from).to_vec();
        let path = KnownPath { map: (1, 2), kind: KindId::default(), cells, cost: 4.8, may_straighten: true };
        let points =
            |start: (i32, i32)| path.answer_from(start.into()).map(|answer| answer.waypoints.clone());
        let center = |x: i32, y: i32| GridCell::new(x, y).center();
        assert_eq!(points((0, 0)), Some(vec![center(0, 0), center(2, 0), center(4, 2)]));
        assert_eq!(points((1, 0)), Some(vec![center(1, 0), center(2, 0), center(4, 2)]));
        assert_eq!(points((4, 2)), Some(vec![center(4, 2)]), "at the goal");
        assert_eq!(points((9, 9)), None, "beside the path");
    }
}
