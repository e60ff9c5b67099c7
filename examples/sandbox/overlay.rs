//! The cells that a search has opened and closed, drawn over the map.

use std::ops::Range;

use bevy::{prelude::*, sprite_render::AlphaMode2d};
use bevy_pathfind::{
    pathfind_core::{Recording, SearchEvent, SearchEventKind},
    prelude::*,
};

use crate::{
    flags::Flags,
    grid_picture::{blank_image, layer, quad},
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

/// The entity with the picture of the cells.
#[derive(Component)]
struct Cells {
    image: Handle<Image>,
    grid: Entity,
}

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
    mut view: ResMut<SearchView>,
    ours: Query<&Selectable>,
) {
    if stats.last.as_ref().is_some_and(|last| last.agent == found.entity) {
        take(&mut view, &stats, &ours);
    }
}

fn note_last(stats: Res<SolveStats>, mut view: ResMut<SearchView>, ours: Query<&Selectable>) {
    take(&mut view, &stats, &ours);
}

impl SearchView {
    /// Forgets the search that is shown.
    pub(crate) fn reset(&mut self) {
        self.last = None;
    }
}

/// Shows the latest search, unless a user's search is shown and the latest is of another agent.
fn take(view: &mut ResMut<SearchView>, stats: &SolveStats, ours: &Query<&Selectable>) {
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
    mut pictures: Query<(&Cells, &mut Visibility)>,
    mut commands: Commands,
    mut images: ResMut<Assets<Image>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    let shown = view
        .last
        .as_ref()
        .filter(|_| view.cells)
        .and_then(|last| Some((last.grid, last.recording.as_ref()?)));
    for (cells, mut visibility) in &mut pictures {
        let is_shown = shown.is_some_and(|(grid, _)| grid == cells.grid);
        visibility.set_if_neq(if is_shown { Visibility::Inherited } else { Visibility::Hidden });
    }
    let Some((entity, recording)) = shown else { return };
    let Ok((nav, &transform)) = grids.get(entity) else { return };
    let picture = pictures.iter().find(|(cells, _)| cells.grid == entity);
    let image = picture.map(|(cells, _)| cells.image.clone()).unwrap_or_else(|| {
        let image = images.add(blank_image(nav.grid().size()));
        let material = materials.add(ColorMaterial {
            texture: Some(image.clone()),
            alpha_mode: AlphaMode2d::Blend,
            ..default()
        });
        let mesh = meshes.add(quad(nav, transform, layer::CELLS));
        let cells = Cells { image: image.clone(), grid: entity };
        commands.spawn((ChildOf(entity), cells, Mesh2d(mesh), MeshMaterial2d(material)));
        image
    });
    if let Some(mut image) = images.get_mut(&image)
        && let Some(data) = &mut image.data
    {
        data.fill(0);
        paint_events(data, nav.grid().width(), recording, 0..recording.events().len(), [0.45, 0.75]);
    }
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
        let Cell { x, y } = event.cell;
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
