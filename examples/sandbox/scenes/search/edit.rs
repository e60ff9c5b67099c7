//! Editing the boards with the pointer: moving start and goal, drawing, erasing.

use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    world::{Grid, GridTransform},
};

use super::{
    board::{Board, Marker, marker_radius},
    results::{LabSettings, SearchResults},
};
use crate::{
    brush::along,
    pointer::Pointer,
    strokes::{Strokes, edge_at, edges_along},
    view::View,
};

/// The chosen brush, and the drag in progress.
#[derive(Resource, Debug, Default)]
pub(super) struct MapEditor {
    pub brush: usize,
    drag: Option<Drag>,
}

/// The action of a drag.
#[derive(Debug, Clone, Copy)]
enum Drag {
    /// Moving a marker.
    Moving(Marker),
    /// Drawing this terrain, from the last position of the pointer.
    Drawing(Terrain, Vec2),
    /// Drawing fences, or taking them away.
    Fencing(bool, Vec2),
}

/// The brushes: name, and terrain; that of fences has none.
pub(super) const BRUSHES: &[(&str, Option<Terrain>)] = &[
    ("wall", Some(Terrain::WALL)),
    ("cost 2", Some(Terrain::weight(2))),
    ("cost 5", Some(Terrain::weight(5))),
    ("cost 9", Some(Terrain::weight(9))),
    ("fence", None),
];

/// Follows the buttons from press to release.
pub(super) fn edit_boards(
    mut boards: Query<(Entity, &Board, &mut NavGrid, &Transform)>,
    settings: Res<LabSettings>,
    pointer: Res<Pointer>,
    view: Res<View>,
    (mut editor, mut strokes): (ResMut<MapEditor>, ResMut<Strokes>),
    mut results: ResMut<SearchResults>,
) {
    let held =
        [MouseButton::Left, MouseButton::Right].into_iter().find(|&button| pointer.is_dragging(button));
    let ended = pointer.just_released(MouseButton::Left) || pointer.just_released(MouseButton::Right);
    if held.is_none() && !ended {
        editor.drag = None;
        return;
    }
    let on_board =
        |nav: &NavGrid, place: &Transform| GridTransform::new(nav, *place).to_grid(pointer.world.extend(0.0));
    let shown = boards.iter().filter(|(_, board, ..)| board.side < settings.sides());
    let points: Vec<_> = shown.map(|(_, _, nav, place)| (on_board(nav, place), nav.grid().clone())).collect();
    let Some((at, grid)) = points
        .into_iter()
        .find(|(point, grid)| grid.contains(GridCell::containing(*point)) && point.is_finite())
    else {
        return;
    };
    let cell = GridCell::containing(at);
    let begins = pointer.just_pressed(MouseButton::Left) || pointer.just_pressed(MouseButton::Right);
    if begins {
        let erases = pointer.just_pressed(MouseButton::Right);
        if let Some((first, ..)) = boards.iter().find(|(_, board, ..)| board.side == 0) {
            strokes.begin(first);
        }
        editor.drag = Some(begin(&results, &grid, at, editor.brush, erases, marker_radius(view.scale)));
    }
    match &mut editor.drag {
        Some(Drag::Moving(marker)) => {
            let end = if *marker == Marker::Start { &mut results.start } else { &mut results.goal };
            if *end != cell && grid.is_walkable(KindId::default(), cell) {
                *end = cell;
            }
        }
        Some(Drag::Drawing(terrain, last)) => {
            let ends = [results.start, results.goal];
            let stroke = along(*last, at, 1.0).filter(|cell| !ends.contains(cell));
            for cell in stroke {
                boards.iter_mut().for_each(|(.., mut nav, _)| strokes.set(&mut nav, cell, *terrain));
            }
            *last = at;
        }
        Some(Drag::Fencing(is_fenced, last)) => {
            for edge in edges_along(*last, at) {
                boards.iter_mut().for_each(|(.., mut nav, _)| strokes.set_fence(&mut nav, edge, *is_fenced));
            }
            *last = at;
        }
        None => {}
    }
}

/// The action of a press: on a marker, moving it; on what the brush draws, or with the right button, erasing;
/// otherwise drawing.
fn begin(results: &SearchResults, grid: &Grid, at: Vec2, brush: usize, erases: bool, radius: f32) -> Drag {
    let gap = |cell: GridCell| cell.center().distance(at);
    let nearest = if gap(results.start) <= gap(results.goal) { Marker::Start } else { Marker::Goal };
    let reach = radius.max(0.5) * 1.3;
    if !erases && gap(results.start).min(gap(results.goal)) <= reach {
        return Drag::Moving(nearest);
    }
    let Some(terrain) = BRUSHES[brush].1 else {
        let is_there = edge_at(at).is_some_and(|(cell, side)| grid.has_fence(cell, side));
        return Drag::Fencing(!erases && !is_there, at);
    };
    let is_there = grid.terrain(GridCell::containing(at)) == Some(terrain);
    Drag::Drawing(if erases || is_there { Terrain::GROUND } else { terrain }, at)
}
