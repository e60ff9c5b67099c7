//! The boards: one or two copies of the map, with start and goal.

use bevy::{prelude::*, window::PrimaryWindow};
use bevy_egui::{EguiContexts, egui};
use bevy_pathfind::{
    prelude::*,
    show::panel::algorithm_label,
    world::{Grid, GridTransform},
};

use super::{
    SCENE,
    replay::Replay,
    results::{LabSettings, SearchResults},
};
use crate::{
    chrome::Chrome,
    grid_picture::layer,
    theme::{self, egui_color, grouped},
    view::View,
};

/// A copy of the map; edits of one board apply to both.
#[derive(Component, Debug)]
pub(super) struct Board {
    /// 0 on the left, 1 on the right.
    pub side: usize,
}

/// The marker of the start or goal.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marker {
    Start,
    Goal,
}

/// Gap between two boards, as a part of a board's width; and between boards one above the other, of its height.
const GAP: f32 = 0.06;
const ROW_GAP: f32 = 0.14;
/// The least radius of a marker, in logical pixels.
const MIN_MARKER: f32 = 6.0;

/// How the boards lie.
#[derive(Resource, Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    One,
    #[default]
    Beside,
    /// One above the other, in a high window.
    Stacked,
}

impl Layout {
    /// The layout in which two boards are larger, or one.
    fn of(two: bool, grid: &Grid, free: Rect) -> Self {
        let (size, free) = (grid.size().as_vec2(), free.size());
        let beside = (free.x / (size.x * (2.0 + GAP))).min(free.y / size.y);
        let stacked = (free.x / size.x).min(free.y / (size.y * (2.0 + ROW_GAP)));
        match two {
            false => Self::One,
            true if stacked > beside => Self::Stacked,
            true => Self::Beside,
        }
    }
}

/// Spawns both boards, each with its markers: a disc at the start, a ring at the goal.
pub(super) fn spawn(
    commands: &mut Commands,
    (meshes, materials): (&mut Assets<Mesh>, &mut Assets<ColorMaterial>),
    grid: &Grid,
    layout: Layout,
) {
    for side in 0..2 {
        let nav = NavGrid::new(grid.clone()).with_plane(GridPlane::XyDown);
        let place = Transform::from_translation(corner(grid, side, layout).extend(0.0));
        let shown =
            if side == 0 || layout != Layout::One { Visibility::Inherited } else { Visibility::Hidden };
        commands.spawn((SCENE.map(format!("Board {}", side + 1), nav, place), Board { side }, shown));
        let (disc, ring) = (meshes.add(Circle::new(1.0)), meshes.add(Annulus::new(0.5, 1.0)));
        for (marker, mesh, color) in [(Marker::Start, disc, theme::FRIEND), (Marker::Goal, ring, theme::PREY)]
        {
            let drawn = (Mesh2d(mesh), MeshMaterial2d(materials.add(color)));
            commands.spawn((marker, Board { side }, drawn, SCENE.despawn_on_exit()));
        }
    }
}

/// The upper left corner of a board, in world units.
fn corner(grid: &Grid, side: usize, layout: Layout) -> Vec2 {
    let size = grid.size().as_vec2();
    let (gap, row_gap) = (size.x * GAP, size.y * ROW_GAP);
    match (layout, side) {
        (Layout::One, _) => Vec2::new(-size.x, size.y) / 2.0,
        (Layout::Beside, 0) => Vec2::new(-size.x - gap / 2.0, size.y / 2.0),
        (Layout::Beside, _) => Vec2::new(gap / 2.0, size.y / 2.0),
        (Layout::Stacked, 0) => Vec2::new(-size.x / 2.0, size.y + row_gap / 2.0),
        (Layout::Stacked, _) => Vec2::new(-size.x / 2.0, -row_gap / 2.0),
    }
}

/// The rectangle that the camera fits: the boards, and space for their titles.
pub(super) fn home(grid: &Grid, layout: Layout) -> Rect {
    let size = grid.size().as_vec2();
    let first = corner(grid, 0, layout);
    let last = corner(grid, usize::from(layout != Layout::One), layout);
    Rect::from_corners(first + Vec2::new(0.0, size.y * 0.05), last + Vec2::new(size.x, -size.y))
}

/// Positions the boards, and hides the second one if it is not wanted.
pub(super) fn arrange(
    settings: Res<LabSettings>,
    mut boards: Query<(&Board, &NavGrid, &mut Transform, &mut Visibility)>,
    (mut view, mut layout): (ResMut<View>, ResMut<Layout>),
    (chrome, window): (Chrome, Single<&Window, With<PrimaryWindow>>),
) {
    let Some((_, nav, ..)) = boards.iter().next() else { return };
    let wanted = Layout::of(settings.compare, nav.grid(), chrome.free(window.size()));
    if *layout == wanted {
        return;
    }
    *layout = wanted;
    for (board, nav, mut place, mut visibility) in &mut boards {
        place.translation = corner(nav.grid(), board.side, wanted).extend(0.0);
        let is_shown = board.side < settings.sides();
        visibility.set_if_neq(if is_shown { Visibility::Inherited } else { Visibility::Hidden });
        if board.side == 0 {
            view.frame(home(nav.grid(), wanted));
        }
    }
}

/// The radius of a marker, in cells.
pub(super) fn marker_radius(scale: f32) -> f32 {
    (MIN_MARKER * scale).max(0.38)
}

/// Moves the markers to start and goal.
pub(super) fn place_markers(
    boards: Query<(&Board, &NavGrid, &Transform)>,
    settings: Res<LabSettings>,
    results: Res<SearchResults>,
    view: Res<View>,
    mut markers: Query<(&Marker, &Board, &mut Transform), Without<NavGrid>>,
) {
    for (&marker, board, mut transform) in &mut markers {
        let Some((_, nav, &place)) = boards.iter().find(|(of, ..)| of.side == board.side) else { continue };
        let cell = if marker == Marker::Start { results.start } else { results.goal };
        let at = GridTransform::new(nav, place).cell_center(cell).with_z(layer::ACTORS);
        let is_shown = board.side < settings.sides();
        let size = if is_shown { marker_radius(view.scale) } else { 0.0 };
        transform.set_if_neq(Transform::from_translation(at).with_scale(Vec3::splat(size)));
    }
}

/// Draws the title of each board: its algorithm and the progress of the replay.
pub(super) fn show_titles(
    mut contexts: EguiContexts,
    boards: Query<(&Board, &NavGrid, &Transform)>,
    settings: Res<LabSettings>,
    results: Res<SearchResults>,
    replay: Res<Replay>,
    view: Res<View>,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let middle = ctx.viewport_rect().center();
    let painter = ctx.layer_painter(egui::LayerId::background());
    for (board, nav, &place) in &boards {
        let Some(run) = results.runs[board.side].as_ref().filter(|_| board.side < settings.sides()) else {
            continue;
        };
        let corner = GridTransform::new(nav, place).to_world(Vec2::ZERO, 0.0).truncate();
        let at = view.on_screen(middle, corner) - egui::vec2(0.0, 5.0);
        let chosen = settings.side(board.side).algorithm;
        let ran = run.answer.as_ref().map_or(chosen, |answer| answer.algorithm);
        let expanded = u64::from(replay.shown()).min(run.metrics.expanded);
        let title = egui::FontId::proportional(15.0);
        let name =
            painter.text(at, egui::Align2::LEFT_BOTTOM, algorithm_label(ran), title, egui_color(theme::TEXT));
        let at = egui::pos2(name.right() + 10.0, at.y - 1.0);
        let mut words = settings.notes(board.side, ran);
        words.push(format!("{} expanded", grouped(expanded)));
        words.push(format!("{} opened", grouped(run.opened_after(replay.shown()))));
        // As many as there is room for above a small board.
        let room = nav.size().x as f32 / view.scale - (name.width() + 10.0);
        while !words.is_empty() && 7.0 * words.join(" · ").len() as f32 > room {
            words.pop();
        }
        painter.text(
            at,
            egui::Align2::LEFT_BOTTOM,
            words.join(" · "),
            egui::FontId::proportional(13.0),
            egui_color(theme::QUIET),
        );
    }
    Ok(())
}
