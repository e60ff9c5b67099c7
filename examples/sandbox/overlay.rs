//! The cells that a search has opened and closed, drawn over the ground.

use bevy::{prelude::*, sprite_render::AlphaMode2d};
use bevy_pathfind::{
    pathfind_core::{EventKind, Recording},
    prelude::*,
};

use crate::{
    flags::Flags,
    ground::{blank_image, layer, quad},
    orders::Selectable,
    theme,
};

/// Whether cells are shown, and of which search.
#[derive(Resource, Debug, Default)]
pub(crate) struct SearchView {
    /// Whether cells are drawn.
    pub cells: bool,
    /// The search that is shown: the user's latest, or anybody's while the user has ordered nothing.
    pub last: Option<LastSearch>,
    seen: u64,
}

/// The picture of the cells.
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

/// Searches are recorded while somebody looks.
fn record(view: Res<SearchView>, mut settings: ResMut<SolveSettings>) {
    if settings.record != view.cells {
        settings.record = view.cells;
    }
}

/// Several searches may end in a frame; an agent's own event comes when its search is the last one.
fn note_found(
    found: On<PathFound>,
    stats: Res<SolveStats>,
    mut view: ResMut<SearchView>,
    ours: Query<&Selectable>,
) {
    if stats.last.as_ref().is_some_and(|last| last.agent == found.entity) {
        view.take(&stats, &ours);
    }
}

fn note_last(stats: Res<SolveStats>, mut view: ResMut<SearchView>, ours: Query<&Selectable>) {
    view.take(&stats, &ours);
}

impl SearchView {
    /// Forgets what was seen.
    pub(crate) fn reset(&mut self) {
        self.last = None;
    }
}

trait Take {
    fn take(&mut self, stats: &SolveStats, ours: &Query<&Selectable>);
}

impl Take for ResMut<'_, SearchView> {
    fn take(&mut self, stats: &SolveStats, ours: &Query<&Selectable>) {
        if self.seen == stats.finished {
            return;
        }
        self.bypass_change_detection().seen = stats.finished;
        let Some(last) = &stats.last else { return };
        let ours_is_shown = self.last.as_ref().is_some_and(|shown| ours.contains(shown.agent));
        if ours.contains(last.agent) || !ours_is_shown {
            self.last = Some(last.clone());
        }
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
        paint(data, nav.grid().size(), recording);
    }
}

/// Closed cells from the first colour to the last in the order of their closing; open ones in their own.
fn paint(data: &mut [u8], size: UVec2, recording: &Recording) {
    data.fill(0);
    let closed = recording.events().iter().filter(|event| event.kind == EventKind::Closed).count().max(1);
    let mut order = 0;
    for event in recording.events() {
        let color = match event.kind {
            EventKind::Closed => {
                order += 1;
                theme::CLOSED[0].mix(&theme::CLOSED[1], order as f32 / closed as f32).with_alpha(0.45)
            }
            EventKind::Opened => theme::OPENED.with_alpha(0.75),
            _ => continue,
        };
        let at = (event.cell.y as usize * size.x as usize + event.cell.x as usize) * 4;
        if let Some(texel) = data.get_mut(at..at + 4) {
            texel.copy_from_slice(&color.to_srgba().to_u8_array());
        }
    }
}
