//! The path of an answer, from the parents that the nodes record; its cost and its length.

use glam::Vec2;

use super::PathQuery;
use super::nodes::{Node, Nodes, ParentEncoding};
use crate::grid::{Direction, Grid, GridCell};

/// The form of the leg from a node's parent to the node.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) enum Leg {
    /// A straight line at any angle; also a single step.
    Line,
    /// Diagonal steps, then straight ones.
    DiagonalFirst,
    /// Steps along a column, then along a row.
    ColumnFirst,
}

impl Leg {
    /// The cell where a leg turns; for a line, and where a leg does not turn, one of its ends.
    fn bend(self, from: GridCell, to: GridCell) -> GridCell {
        match self {
            Self::Line => from,
            Self::ColumnFirst => GridCell::new(from.x, to.y),
            Self::DiagonalFirst => {
                let (dx, dy) = (to.x - from.x, to.y - from.y);
                let diagonal = dx.abs().min(dy.abs());
                GridCell::new(from.x + diagonal * dx.signum(), from.y + diagonal * dy.signum())
            }
        }
    }
}

/// Start, turning points and end of the path to a node. `turns` is scratch memory.
pub(super) fn waypoints<L: ParentEncoding>(
    nodes: &Nodes,
    end: Node,
    leg: Leg,
    turns: &mut Vec<GridCell>,
) -> Vec<Vec2> {
    turns.clear();
    visit_turns::<L>(nodes, [end, nodes.parent::<L>(end)], leg, |cell| turns.push(cell));
    turns.iter().rev().map(|cell| cell.center()).collect()
}

/// Visits the cells where a path begins, turns or ends, from its end and the parent of that back to its start.
pub(super) fn visit_turns<L: ParentEncoding>(
    nodes: &Nodes,
    [end, mut parent]: [Node; 2],
    leg: Leg,
    mut visit: impl FnMut(GridCell),
) {
    let (mut node, mut cell, mut heading) = (end, end.cell(), None);
    loop {
        if parent == node {
            return visit(cell);
        }
        let bend = leg.bend(parent.cell(), node.cell());
        for before in [bend, parent.cell()] {
            if before == cell {
                continue;
            }
            let next = Direction::between(before, cell);
            if next != heading || next.is_none() {
                visit(cell);
            }
            (cell, heading) = (before, next);
        }
        node = parent;
        parent = nodes.parent::<L>(node);
    }
}

/// Direction and number of the steps of a leg; `None` for one at another angle or at the corner of a wall.
pub(super) fn steps_of(leg: &[Vec2]) -> Option<(Direction, u32)> {
    let (from, to) = (GridCell::containing(leg[0]), GridCell::containing(leg[1]));
    let is_between_centers = from.center() == leg[0] && to.center() == leg[1];
    let direction = Direction::between(from, to).filter(|_| is_between_centers)?;
    Some((direction, from.x.abs_diff(to.x).max(from.y.abs_diff(to.y))))
}

/// Cost and length of a path. Legs at any angle occur on uniform terrain only.
pub(super) fn measure(grid: &Grid, query: &PathQuery, weighted: bool, waypoints: &[Vec2]) -> (f64, f64) {
    let diagonal = query.steps.diagonal.value();
    let (mut straights, mut diagonals, mut other, mut cost) = (0.0, 0.0, 0.0, 0.0);
    for leg in waypoints.windows(2) {
        let [dx, dy] = (leg[1] - leg[0]).abs().to_array();
        let (long, short) = (f64::from(dx.max(dy)), f64::from(dx.min(dy)));
        // Between centres of cells: the coordinates of walls' corners are whole numbers.
        let is_of_steps = leg.iter().all(|at| at.x as i32 as f32 != at.x) && (short == 0.0 || short == long);
        if is_of_steps {
            straights += long - short;
            diagonals += short;
        } else {
            other += leg[0].as_dvec2().distance(leg[1].as_dvec2());
        }
        let Some((direction, steps)) = weighted.then(|| steps_of(leg)).flatten() else { continue };
        let mut cell = GridCell::containing(leg[0]);
        for _ in 0..steps {
            cost += grid.edge_rules().map_or(0.0, |rules| rules.surcharge(cell, direction));
            cell = cell.step(direction);
            let terrain = f64::from(grid.cost(query.kind, cell).expect("a path is walkable"));
            cost += terrain * if direction.is_diagonal() { diagonal } else { 1.0 };
        }
    }
    if !weighted {
        let terrain = grid.known(query.kind).costs.min;
        cost = f64::from(terrain) * (straights + diagonals * diagonal + other);
    }
    (cost, straights + diagonals * core::f64::consts::SQRT_2 + other)
}
