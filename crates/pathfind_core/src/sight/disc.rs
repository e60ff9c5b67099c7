//! The room that a disc takes on its way.

use glam::Vec2;

use super::way::Way;
use crate::grid::{AgentKind, AgentSize, Cell, CostTable, Grid, KindId};

/// The body of an agent that is a disc: bitmaps say where its centre may be on the middle of a cell, it
/// says whether it may go straight from there.
#[derive(Copy, Clone)]
pub(crate) struct Disc<'g> {
    radius: f32,
    costs: &'g CostTable,
}

impl<'g> Disc<'g> {
    /// The body of a kind of agent, if it is a disc that has any width.
    pub(crate) fn of(grid: &'g Grid, kind: KindId) -> Option<Self> {
        match grid.kind(kind)? {
            AgentKind { size: AgentSize::Disc(radius), costs } if *radius > 0.0 => {
                Some(Self { radius: *radius, costs })
            }
            _ => None,
        }
    }

    /// Whether it touches no blocked cell by more than its rim on its way along a segment.
    pub(crate) fn passes(self, grid: &Grid, from: Vec2, to: Vec2) -> bool {
        let is_free = |cell: Cell| {
            let is_passable = grid.terrain(cell).is_some_and(|terrain| self.costs.is_passable(terrain));
            is_passable || distance_to_cell(from, to, cell) >= self.radius - 1e-4
        };
        let way = Way::new(grid, from.as_dvec2(), (to - from).as_dvec2(), self.radius.into());
        way.rows().all(|y| way.columns(y, 1.0).all(|x| is_free(Cell::new(x, y))))
    }
}

/// How near a segment comes to a cell; nothing if it meets its inside.
fn distance_to_cell(from: Vec2, to: Vec2, cell: Cell) -> f32 {
    let (center, along) = (cell.center(), to - from);
    let length_squared = along.length_squared();
    let on_segment = |point: Vec2| {
        if length_squared == 0.0 {
            return from;
        }
        from + along * ((point - from).dot(along) / length_squared).clamp(0.0, 1.0)
    };
    let to_cell = |point: Vec2| ((point - center).abs() - 0.5).max(Vec2::ZERO).length();
    // The nearest points of a segment and a square: an end of the one, or a corner of the other.
    let corners = [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)].map(|half| center + Vec2::from(half));
    let ends = to_cell(from).min(to_cell(to));
    let nearest = corners.iter().map(|&corner| on_segment(corner).distance(corner)).fold(ends, f32::min);
    // Or the segment runs through, with both ends and all corners away from it.
    let sides = corners.map(|corner| along.perp_dot(corner - from));
    let straddles = sides.iter().any(|&side| side > 0.0) && sides.iter().any(|&side| side < 0.0);
    if straddles && to_cell(on_segment(center)) == 0.0 { 0.0 } else { nearest }
}
