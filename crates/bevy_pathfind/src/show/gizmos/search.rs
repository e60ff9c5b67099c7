//! Gizmos of paths, and of the cells of the latest recorded search.

use bevy::prelude::*;
use pathfind_core::SearchEventKind;

use super::view::CameraViews;
use super::{SolveGizmos, ground_line, on_ground, square};
use crate::order::NavPath;
use crate::show::NavGizmos;
use crate::solve::SolveStats;
use crate::world::{GridTransform, NavGrid};

/// The most events of a search that are drawn, the latest ones.
const MAX_EVENTS: usize = 40_000;

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
