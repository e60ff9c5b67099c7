//! The cell under the pointer: its costs in both searches, and the chain of its parents.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use bevy_pathfind::{prelude::*, world::GridTransform};
use pathfind_core::SearchEvent;

use super::{
    board::Board,
    paint::{PathGizmos, chain},
    replay::Replay,
    results::{LabSettings, Run, SearchResults},
};
use crate::{hud::label, pointer::Pointer, theme, view::View};

/// The cell under the pointer.
#[derive(Resource, Default)]
pub(super) struct Hovered(Option<GridCell>);

type Boards<'w, 's> = Query<'w, 's, (&'static Board, &'static NavGrid, &'static Transform)>;

/// Notes the cell under the pointer, on whichever board, unless a button is down.
pub(super) fn find(
    boards: Boards,
    settings: Res<LabSettings>,
    pointer: Res<Pointer>,
    mut hovered: ResMut<Hovered>,
) {
    let is_drawing =
        [MouseButton::Left, MouseButton::Right].into_iter().any(|button| pointer.is_dragging(button));
    let cells =
        boards.iter().filter(|(board, ..)| board.side < settings.sides()).filter_map(|(_, nav, &place)| {
            let cell = GridTransform::new(nav, place).cell_at(pointer.world.extend(0.0));
            nav.grid().contains(cell).then_some(cell)
        });
    hovered.0 = cells.last().filter(|_| !pointer.is_over_panel && !is_drawing);
}

/// The last event of a cell so far, and its index.
fn last_event(run: &Run, shown: u32, cell: GridCell) -> Option<(usize, &SearchEvent)> {
    let events = &run.recording.events()[..run.events_after(shown)];
    events.iter().enumerate().rfind(|(_, event)| event.cell == cell)
}

/// Draws the chain of parents from the cell to the start, on each board.
pub(super) fn draw_chain(
    boards: Boards,
    (hovered, results, replay): (Res<Hovered>, Res<SearchResults>, Res<Replay>),
    settings: Res<LabSettings>,
    mut thick: Gizmos<PathGizmos>,
) {
    let Some(cell) = hovered.0 else { return };
    for (board, nav, &place) in boards.iter().filter(|(board, ..)| board.side < settings.sides()) {
        let place = GridTransform::new(nav, place);
        let world = |point: Vec2| place.to_world(point, 0.0).truncate();
        thick.rect_2d(world(cell.center()), Vec2::splat(nav.cell_size()), theme::FRIEND);
        let run = results.runs[board.side].as_ref();
        if let Some((run, (at, _))) = run.and_then(|run| Some((run, last_event(run, replay.shown(), cell)?)))
        {
            thick.linestrip_2d(chain(run.recording.events(), at).map(world), theme::FRIEND);
        }
    }
}

/// Writes the costs of the cell beside it, on each board.
pub(super) fn show_costs(
    mut contexts: EguiContexts,
    boards: Boards,
    (hovered, results, replay): (Res<Hovered>, Res<SearchResults>, Res<Replay>),
    (settings, view): (Res<LabSettings>, Res<View>),
) -> Result {
    let Some(cell) = hovered.0 else { return Ok(()) };
    let ctx = contexts.ctx_mut()?;
    let middle = ctx.viewport_rect().center();
    let painter = ctx.layer_painter(egui::LayerId::background());
    for (board, nav, &place) in boards.iter().filter(|(board, ..)| board.side < settings.sides()) {
        let Some(run) = &results.runs[board.side] else { continue };
        let text = last_event(run, replay.shown(), cell).map_or_else(
            || "not looked at".to_owned(),
            |(_, event)| format!("g {:.1} + h {:.1} = f {:.1}", event.g, event.h, event.g + event.h),
        );
        let at = GridTransform::new(nav, place).cell_center(cell).truncate();
        let at = view.on_screen(middle, at) + egui::vec2(0.0, -0.5 * nav.cell_size() / view.scale - 5.0);
        label(&painter, at, egui::Align2::CENTER_BOTTOM, text, theme::TEXT);
    }
    Ok(())
}
