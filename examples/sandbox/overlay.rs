//! The cells that a search has opened and closed, drawn over the map.

use std::ops::Range;

use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    solve::{LastSearch, SolveSettings, SolveStats},
};
use pathfind_core::{Recording, SearchEvent, SearchEventKind};

use crate::{
    flags::Flags,
    grid_picture::{Pictures, blank_image, layer},
    orders::Selectable,
    theme,
};

/// Whether searched cells are drawn, and of which search.
#[derive(Resource, Debug, Default)]
pub(crate) struct SearchView {
    /// Whether cells are drawn.
    pub cells: bool,
    /// The search that is shown: the latest of a user's agent; of any agent before the user has given an order.
    pub last: Option<LastSearch>,
    seen: u64,
}

/// Marks the picture of the cells.
#[derive(Component)]
struct Cells;

pub(crate) fn plugin(app: &mut App) {
    let cells = app.world().resource::<Flags>().cells;
    app.insert_resource(SearchView { cells, ..default() })
        .add_observer(note_found)
        .add_systems(Update, (note_last, record, paint_cells.run_if(resource_changed::<SearchView>)).chain());
}

/// Recording of searches follows the switch when it changes; the tuning panel can set it otherwise.
fn record(view: Res<SearchView>, mut settings: ResMut<SolveSettings>, mut before: Local<Option<bool>>) {
    if before.replace(view.cells) != Some(view.cells) {
        settings.record = view.cells;
    }
}

/// Several searches may end in a frame; at an agent's own event its search is the last one in the stats.
fn note_found(
    found: On<PathFound>,
    stats: Res<SolveStats>,
    view: ResMut<SearchView>,
    ours: Query<&Selectable>,
) {
    if stats.last.as_ref().is_some_and(|last| last.agent == found.entity) {
        note_last(stats, view, ours);
    }
}

/// Shows the latest search, unless a user's search is shown and the latest is of another agent.
fn note_last(stats: Res<SolveStats>, mut view: ResMut<SearchView>, ours: Query<&Selectable>) {
    if view.seen == stats.finished {
        return;
    }
    view.bypass_change_detection().seen = stats.finished;
    let Some(last) = &stats.last else { return };
    let ours_is_shown = view.last.as_ref().is_some_and(|shown| ours.contains(shown.agent));
    if ours.contains(last.agent) || !ours_is_shown {
        view.last = Some(last.clone());
    }
}

fn paint_cells(
    view: Res<SearchView>,
    grids: Query<(&NavGrid, &Transform)>,
    shown: Query<Entity, With<Cells>>,
    mut commands: Commands,
    mut pictures: Pictures,
) {
    shown.iter().for_each(|cells| commands.entity(cells).try_despawn());
    let Some(last) = view.last.as_ref().filter(|_| view.cells) else { return };
    let (Some(recording), Ok((nav, &place))) = (&last.recording, grids.get(last.grid)) else { return };
    let mut image = blank_image(nav.grid().size());
    if let Some(data) = &mut image.data {
        paint_events(data, nav.grid().width(), recording, 0..recording.events().len(), [0.45, 0.75]);
    }
    let image = pictures.images.add(image);
    commands.spawn((ChildOf(last.grid), Cells, pictures.over((nav, place), image, layer::CELLS)));
}

/// Paints some events of a search on a picture `width` cells wide: closed cells in a gradient in the order of
/// closing, opened ones in one colour; each colour with its opacity.
pub(crate) fn paint_events(
    data: &mut [u8],
    width: u32,
    recording: &Recording,
    events: Range<usize>,
    [closed, opened]: [f32; 2],
) {
    let all = recording.events();
    let closings =
        |events: &[SearchEvent]| events.iter().filter(|event| event.kind == SearchEventKind::Closed).count();
    let (mut order, last) = (closings(&all[..events.start]), closings(all).max(1));
    for event in &all[events] {
        let color = match event.kind {
            SearchEventKind::Closed => {
                order += 1;
                theme::CLOSED[0].mix(&theme::CLOSED[1], order as f32 / last as f32).with_alpha(closed)
            }
            SearchEventKind::Opened => theme::OPENED.with_alpha(opened),
            _ => continue,
        };
        let GridCell { x, y } = event.cell;
        // Searches on cell corners have one column and one row more than the map.
        if x < 0 || x >= width as i32 || y < 0 {
            continue;
        }
        let at = (y as usize * width as usize + x as usize) * 4;
        if let Some(texel) = data.get_mut(at..at + 4) {
            texel.copy_from_slice(&color.to_srgba().to_u8_array());
        }
    }
}
