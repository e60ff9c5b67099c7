//! The boards: one or two copies of the map, with start and goal.

use bevy::prelude::*;
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
    grid_picture::layer,
    theme::{self, egui_color},
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

/// Gap between two boards, as a part of a board's width.
const GAP: f32 = 0.06;
/// The least radius of a marker, in logical pixels.
const MIN_MARKER: f32 = 6.0;

/// Spawns both boards, each with its markers: a disc at the start, a ring at the goal.
pub(super) fn spawn(
    commands: &mut Commands,
    (meshes, materials): (&mut Assets<Mesh>, &mut Assets<ColorMaterial>),
    grid: &Grid,
    two: bool,
) {
    for side in 0..2 {
        let nav = NavGrid::new(grid.clone()).with_plane(GridPlane::XyDown);
        let place = Transform::from_translation(corner(grid, side, two).extend(0.0));
        let shown = if side == 0 || two { Visibility::Inherited } else { Visibility::Hidden };
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
fn corner(grid: &Grid, side: usize, two: bool) -> Vec2 {
    let size = grid.size().as_vec2();
    let gap = size.x * GAP;
    let x = match (two, side) {
        (false, _) => -size.x / 2.0,
        (true, 0) => -size.x - gap / 2.0,
        (true, _) => gap / 2.0,
    };
    Vec2::new(x, size.y / 2.0)
}

/// The rectangle that the camera fits: the boards, and space for their titles.
pub(super) fn home(grid: &Grid, two: bool) -> Rect {
    let size = grid.size().as_vec2();
    let left = corner(grid, 0, two);
    let width = if two { size.x * (2.0 + GAP) } else { size.x };
    Rect::from_corners(left + Vec2::new(0.0, size.y * 0.05), left + Vec2::new(width, -size.y))
}

/// Positions the boards, and hides the second one if it is not wanted.
pub(super) fn arrange(
    settings: Res<LabSettings>,
    mut boards: Query<(&Board, &NavGrid, &mut Transform, &mut Visibility)>,
    mut view: ResMut<View>,
    mut was_two: Local<Option<bool>>,
) {
    if was_two.replace(settings.compare).is_none_or(|was| was == settings.compare) {
        return;
    }
    for (board, nav, mut place, mut visibility) in &mut boards {
        place.translation = corner(nav.grid(), board.side, settings.compare).extend(0.0);
        let is_shown = board.side < settings.sides();
        visibility.set_if_neq(if is_shown { Visibility::Inherited } else { Visibility::Hidden });
        if board.side == 0 {
            view.frame(home(nav.grid(), settings.compare));
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
        words.push(format!("{expanded} expanded"));
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
