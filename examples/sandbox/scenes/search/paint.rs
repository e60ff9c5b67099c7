//! Drawing of the searches over the boards: cells, parents, jump points, and the path.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, world::GridTransform};
use pathfind_core::{Algorithm, SearchEvent, SearchEventKind};

use super::{
    board::Board,
    replay::Replay,
    results::{LabSettings, SearchResults},
};
use crate::{
    grid_picture::{Pictures, blank_image, layer},
    overlay::paint_events,
    theme,
    view::View,
};

/// The gizmo group of paths, which are thicker than other lines.
#[derive(Default, Reflect, GizmoConfigGroup)]
pub(super) struct PathGizmos;

/// The picture over a board.
#[derive(Component)]
pub(super) struct Picture {
    image: Handle<Image>,
    /// The version of the results that it shows, and the number of events that are painted.
    version: u64,
    painted: usize,
}

/// The most parent lines that are drawn on a board.
const MAX_LINES: usize = 8000;

pub(super) fn thicken(mut store: ResMut<GizmoConfigStore>) {
    let (config, _) = store.config_mut::<PathGizmos>();
    config.line.width = 4.0;
    config.line.joints = GizmoLineJoint::Round(4);
}

/// Paints the events added since the last frame; all of them if the replay went back.
pub(super) fn paint_cells(
    boards: Query<(Entity, &Board, &NavGrid, &Transform, Option<&Children>)>,
    mut pictures: Query<&mut Picture>,
    (results, replay): (Res<SearchResults>, Res<Replay>),
    mut commands: Commands,
    mut assets: Pictures,
) {
    for (entity, board, nav, &place, children) in &boards {
        let Some(child) = children.into_iter().flatten().find(|&&child| pictures.contains(child)) else {
            let image = assets.images.add(blank_image(nav.grid().size()));
            let drawn = assets.over((nav, place), image.clone(), layer::CELLS);
            commands.spawn((ChildOf(entity), Picture { image, version: 0, painted: 0 }, drawn));
            continue;
        };
        let (Some(run), Ok(mut picture)) = (&results.runs[board.side], pictures.get_mut(*child)) else {
            continue;
        };
        let until = run.events_after(replay.shown());
        let is_new = picture.version != results.version;
        if !is_new && picture.painted == until {
            continue;
        }
        let Some(mut image) = assets.images.get_mut(&picture.image) else { continue };
        let Some(data) = &mut image.data else { continue };
        if is_new || until < picture.painted {
            data.fill(0);
            picture.painted = 0;
        }
        paint_events(data, nav.grid().width(), &run.recording, picture.painted..until, [0.6, 0.8]);
        (picture.version, picture.painted) = (results.version, until);
    }
}

/// Draws the lines: parents if wanted, jump points, and the path so far.
pub(super) fn draw_lines(
    boards: Query<(&Board, &NavGrid, &Transform)>,
    settings: Res<LabSettings>,
    (results, replay): (Res<SearchResults>, Res<Replay>),
    view: Res<View>,
    mut gizmos: Gizmos,
    mut thick: Gizmos<PathGizmos>,
) {
    for (board, nav, &place) in &boards {
        let Some(run) = results.runs[board.side].as_ref().filter(|_| board.side < settings.sides()) else {
            continue;
        };
        let place = GridTransform::new(nav, place);
        let world = |point: Vec2| place.to_world(point, 0.0).truncate();
        let events = &run.recording.events()[..run.events_after(replay.shown())];
        let jumps = run.answer.as_ref().is_ok_and(|answer| answer.algorithm == Algorithm::Jps);
        if settings.parents || jumps {
            let faint = theme::TEXT.with_alpha(if settings.parents { 0.4 } else { 0.12 });
            for event in
                events.iter().rev().filter(|event| event.kind != SearchEventKind::Closed).take(MAX_LINES)
            {
                gizmos.line_2d(world(event.cell.center()), world(event.parent.center()), faint);
            }
        }
        if jumps {
            let size = Vec2::splat(0.5_f32.max(3.0 * view.scale));
            let turned = |at| Isometry2d::new(at, Rot2::FRAC_PI_4);
            let opened = events.iter().filter(|event| event.kind == SearchEventKind::Opened).take(MAX_LINES);
            opened.for_each(|event| gizmos.rect_2d(turned(world(event.cell.center())), size, theme::OPENED));
        }
        match &run.answer {
            Ok(answer) if run.is_over(replay.shown()) => {
                if settings.side(board.side).straighten {
                    let found = answer.waypoints.iter().map(|&point| world(point));
                    gizmos.linestrip_2d(found, theme::TEXT.with_alpha(0.5));
                }
                thick.linestrip_2d(run.line.iter().map(|&point| world(point)), theme::TEXT);
            }
            _ => thick.linestrip_2d(path_to_newest(events).map(world), theme::PREY.with_alpha(0.8)),
        }
    }
}

/// The best known path from the newest closed cell back to the start.
fn path_to_newest(events: &[SearchEvent]) -> impl Iterator<Item = Vec2> {
    let newest = events.iter().rposition(|event| event.kind == SearchEventKind::Closed);
    newest.into_iter().flat_map(|at| chain(events, at))
}

/// The cells from that of an event back to the start, from parent to parent.
pub(super) fn chain(events: &[SearchEvent], at: usize) -> impl Iterator<Item = Vec2> {
    let mut next = Some((events[at].cell, at));
    std::iter::from_fn(move || {
        let (cell, until) = next?;
        // The last event of a cell, before it served as a parent, names its own parent.
        let at = events[..=until].iter().rposition(|event| event.cell == cell);
        next = at.map(|at| (events[at].parent, at)).filter(|&(parent, _)| parent != cell);
        Some(cell.center())
    })
}
