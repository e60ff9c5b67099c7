//! From what the nodes remember to the path that is answered.

use glam::Vec2;

use super::Query;
use super::nodes::{Node, Nodes};
use crate::grid::{Cell, Direction, Grid};

/// Start, turning points and end of a path, from each node to its parent: straight there at any
/// angle, or by steps, diagonal ones first.
pub(super) fn waypoints(nodes: &Nodes, end: Node, any_angle: bool) -> Vec<Vec2> {
    let turns = || turns(nodes, end, any_angle);
    let mut points = Vec::with_capacity(turns().count());
    points.extend(turns().map(Cell::center));
    points.reverse();
    points
}

/// The cells of a path, from its end back, where it begins, turns or ends.
fn turns(nodes: &Nodes, end: Node, any_angle: bool) -> impl Iterator<Item = Cell> {
    let path = std::iter::successors(Some(end), |&node| {
        let parent = nodes.parent(node);
        (parent != node).then_some(parent)
    });
    let cells = path.flat_map(move |node| {
        let (from, to) = (nodes.parent(node).cell(), node.cell());
        let bend = if any_angle { to } else { bend(from, to) };
        [Some(to), (bend != to && bend != from).then_some(bend)].into_iter().flatten()
    });
    let mut cells = cells.peekable();
    let mut heading = None;
    std::iter::from_fn(move || {
        loop {
            let cell = cells.next()?;
            let next = cells.peek().and_then(|&before| Direction::between(before, cell));
            let turns = next != heading || next.is_none();
            heading = next;
            if turns {
                return Some(cell);
            }
        }
    })
}

/// Where a way of diagonal steps and then straight ones turns.
fn bend(from: Cell, to: Cell) -> Cell {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let diagonal = dx.abs().min(dy.abs());
    Cell::new(from.x + diagonal * dx.signum(), from.y + diagonal * dy.signum())
}

/// Cost and length of a path.
pub(super) fn measure(grid: &Grid, query: &Query, weighted: bool, waypoints: &[Vec2]) -> (f64, f64) {
    let diagonal = query.steps.diagonal.value();
    let (mut straights, mut diagonals, mut other, mut cost) = (0u64, 0u64, 0.0, 0.0);
    for leg in waypoints.windows(2) {
        let (mut cell, to) = (Cell::containing(leg[0]), Cell::containing(leg[1]));
        let by_steps =
            Direction::between(cell, to).filter(|_| cell.center() == leg[0] && to.center() == leg[1]);
        let Some(direction) = by_steps else {
            other += leg[0].as_dvec2().distance(leg[1].as_dvec2());
            continue;
        };
        let steps = u64::from(cell.x.abs_diff(to.x).max(cell.y.abs_diff(to.y)));
        *(if direction.is_diagonal() { &mut diagonals } else { &mut straights }) += steps;
        while weighted && cell != to {
            cell = cell.step(direction);
            let terrain = f64::from(grid.cost(query.kind, cell).expect("a path is walkable"));
            cost += terrain * if direction.is_diagonal() { diagonal } else { 1.0 };
        }
    }
    let (straights, diagonals) = (straights as f64, diagonals as f64);
    if !weighted {
        let terrain = grid.cost_span(query.kind).expect("the kind was checked").min;
        cost = f64::from(terrain) * (straights + diagonals * diagonal + other);
    }
    (cost, straights + diagonals * core::f64::consts::SQRT_2 + other)
}
