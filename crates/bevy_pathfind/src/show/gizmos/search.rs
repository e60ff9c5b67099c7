//! Gizmos of paths, of the cells of the latest recorded search, and of the candidates of requests for cells.

use bevy::prelude::*;
use pathfind_core::SearchEventKind;

use super::view::CameraViews;
use super::{SolveGizmos, ground_line, on_ground, square};
use crate::agent::Agent;
use crate::order::{CellRequest, NavPath};
use crate::show::NavGizmos;
use crate::solve::{NavQuery, SolveStats};
use crate::world::{GridTransform, NavGrid};

/// The most events of a search that are drawn, the latest ones.
const MAX_EVENTS: usize = 40_000;
/// The most agents whose candidates are drawn.
const MAX_ASKING: usize = 4;
/// The most candidates of an agent that are drawn.
const MAX_CANDIDATES: u32 = 400;

pub(super) fn draw_search(
    mut gizmos: Gizmos<SolveGizmos>,
    grids: Query<(&NavGrid, &GridTransform)>,
    views: CameraViews,
    stats: Res<SolveStats>,
    show: Res<NavGizmos>,
) {
    let Some(last) = &stats.last else { return };
    let (Some(recording), Ok((nav, place))) = (&last.recording, grids.get(last.grid)) else { return };
    let frusta = views.frusta();
    for event in recording.events().iter().rev().take(MAX_EVENTS) {
        let (half, color) = match event.kind {
            SearchEventKind::Opened => (0.2, show.opened_color),
            SearchEventKind::Closed => (0.35, show.closed_color),
            _ => continue,
        };
        if !frusta.intersects(on_ground(nav, place, event.cell.center()), place.cell_size()) {
            continue;
        }
        gizmos.lineloop(square(nav, place, event.cell, half), color);
    }
}

pub(super) fn draw_candidates(
    mut gizmos: Gizmos<SolveGizmos>,
    asking: Query<(&CellRequest, &GlobalTransform, Option<&Agent>)>,
    grids: Query<(&NavGrid, &GridTransform)>,
    ground: NavQuery,
    views: CameraViews,
) {
    let frusta = views.frusta();
    let seen = asking.iter().filter(|(_, at, _)| frusta.intersects(at.translation(), 1.0));
    for (request, at, agent) in seen.take(MAX_ASKING) {
        let kind = agent.map(|agent| agent.kind).unwrap_or_default();
        let request = request.clone().with_count(MAX_CANDIDATES);
        let found = ground.of_kind(kind).best_cells(at.translation(), &request).unwrap_or_default();
        let [Some(best), Some(worst)] = [found.first(), found.last()].map(|it| it.map(|it| it.score)) else {
            continue;
        };
        for cell in &found {
            let Ok((nav, place)) = grids.get(cell.grid) else { continue };
            let share = if best > worst { (cell.score - worst) / (best - worst) } else { 1.0 };
            let color = Color::hsl(120.0 * share as f32, 0.9, 0.5);
            gizmos.lineloop(square(nav, place, cell.cell, 0.4), color);
        }
    }
}

pub(super) fn draw_paths(
    mut gizmos: Gizmos<SolveGizmos>,
    paths: Query<(&NavPath, &GlobalTransform)>,
    grids: Query<(&NavGrid, &GridTransform)>,
    views: CameraViews,
    show: Res<NavGizmos>,
) {
    let frusta = views.frusta();
    for (path, at) in &paths {
        let (false, Ok((nav, place))) = (path.is_finished(), grids.get(path.grid())) else { continue };
        let mut from = place.to_grid(at.translation());
        for &to in path.remaining_points() {
            let [start, end] = [from, to].map(|point| on_ground(nav, place, point));
            if frusta.intersects(start.midpoint(end), start.distance(end) * 0.5) {
                gizmos.linestrip(ground_line(nav, place, from, to), show.path_color);
            }
            from = to;
        }
    }
}
