//! Paths between cells' centres made shorter: each turn moves to a neighbouring cell, or is left out, while the path
//! becomes shorter and its legs stay free.

use glam::Vec2;

use super::PathQuery;
use crate::grid::{Direction, Grid, GridCell};
use crate::sight::line_of_sight;

/// In each round a turn moves by one cell. On maps of rooms and of walls at random, no path became shorter after the 8th.
const ROUNDS: usize = 8;

pub(super) fn tighten(grid: &Grid, query: &PathQuery, waypoints: &mut Vec<Vec2>) {
    let sees = |a, b| line_of_sight(grid, query.shape(), query.steps.corners, a, b);
    for _ in 0..ROUNDS {
        let (mut kept, mut is_shorter) = (1, false);
        for next in 2..waypoints.len() {
            let [before, at, after] = [kept - 1, next - 1, next].map(|index| waypoints[index]);
            if sees(before, after) {
                is_shorter = true;
                continue;
            }
            let length = |turn: Vec2| {
                let [before, turn, after] = [before, turn, after].map(|point| point.as_dvec2());
                before.distance(turn) + turn.distance(after)
            };
            let cell = GridCell::containing(at);
            let near = Direction::ALL.map(|direction| cell.step(direction).center());
            let is_better =
                |&turn: &Vec2| length(turn) < length(at) && sees(before, turn) && sees(turn, after);
            let best = near.into_iter().filter(is_better).min_by(|&a, &b| length(a).total_cmp(&length(b)));
            is_shorter |= best.is_some();
            waypoints[kept] = best.unwrap_or(at);
            kept += 1;
        }
        if !is_shorter {
            return;
        }
        waypoints[kept] = waypoints[waypoints.len() - 1];
        waypoints.truncate(kept + 1);
    }
}
