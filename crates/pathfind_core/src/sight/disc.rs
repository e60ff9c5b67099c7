//! The clearance test for agents that are discs: whether walls are far enough from a segment.

use glam::Vec2;

use super::swept_disc::SweptDisc;
use crate::grid::{AgentKind, AgentSize, CostTable, Grid, GridCell, KindId};

/// The body of an agent that is a disc. The grid's bitmaps say on which cell centres the disc fits; this type says
/// whether it fits along a straight segment.
#[derive(Copy, Clone)]
pub(crate) struct Disc<'g> {
    radius: f32,
    costs: &'g CostTable,
}

impl<'g> Disc<'g> {
    /// The body of a kind of agent; `None` unless it is a disc with a radius above 0.
    pub(crate) fn of(grid: &'g Grid, kind: KindId) -> Option<Self> {
        match grid.kind(kind)? {
            AgentKind { size: AgentSize::Disc(radius), costs, .. } if *radius > 0.0 => {
                Some(Self { radius: *radius, costs })
            }
            _ => None,
        }
    }

    /// Whether the disc overlaps no blocked cell, by more than 1e-4 of a cell, along a segment.
    pub(crate) fn passes(self, grid: &Grid, from: Vec2, to: Vec2) -> bool {
        let is_free = |cell: GridCell| {
            let is_passable = grid.terrain(cell).is_some_and(|terrain| self.costs.is_passable(terrain));
            is_passable || distance_to_cell(from, to, cell) >= self.radius - 1e-4
        };
        let covered = SweptDisc::new(grid, from.as_dvec2(), (to - from).as_dvec2(), self.radius.into());
        covered.rows().all(|y| covered.columns(y, 1.0).all(|x| is_free(GridCell::new(x, y))))
    }
}

/// The distance between a segment and a cell; 0 if they overlap.
fn distance_to_cell(from: Vec2, to: Vec2, cell: GridCell) -> f32 {
    let (center, along) = (cell.center(), to - from);
    let length_squared = along.length_squared();
    let on_segment = |point: Vec2| {
        if length_squared == 0.0 {
            return from;
        }
        from + along * ((point - from).dot(along) / length_squared).clamp(0.0, 1.0)
    };
    let to_cell = |point: Vec2| ((point - center).abs() - 0.5).max(Vec2::ZERO).length();
    // If a segment and a square do not meet, an end of the segment or a corner of the square is a nearest point.
    let corners = [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)].map(|half| center + Vec2::from(half));
    let ends = to_cell(from).min(to_cell(to));
    let nearest = corners.iter().map(|&corner| on_segment(corner).distance(corner)).fold(ends, f32::min);
    // The segment may also pass through the square with both ends outside: then corners lie on both sides of it.
    let sides = corners.map(|corner| along.perp_dot(corner - from));
    let straddles = sides.iter().any(|&side| side > 0.0) && sides.iter().any(|&side| side < 0.0);
    if straddles && to_cell(on_segment(center)) == 0.0 { 0.0 } else { nearest }
}
