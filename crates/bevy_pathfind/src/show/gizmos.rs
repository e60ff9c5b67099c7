//! Lines drawn with gizmos, one group a stage.

use bevy::gizmos::config::GizmoConfigStore;
use bevy::prelude::*;
use pathfind_core::{Cell, EventKind, KindId};

use super::ShowSettings;
use crate::motion::{Agent, Velocity};
use crate::plugins::NavSystems;
use crate::solve::{Path, SolveStats};
use crate::steer::Pursuer;
use crate::world::{GridPlace, Grids, NavGrid, OnGrid};

/// Longest side of a grid whose cells are drawn.
const MOST_LINES: u32 = 256;

/// What `world` shows: grids.
#[derive(Default, Reflect, GizmoConfigGroup)]
pub struct WorldGizmos;

/// What `solve` shows: searches and paths.
#[derive(Default, Reflect, GizmoConfigGroup)]
pub struct SolveGizmos;

/// What `steer` shows: who hunts whom.
#[derive(Default, Reflect, GizmoConfigGroup)]
pub struct SteerGizmos;

/// What `motion` shows: bodies and velocities.
#[derive(Default, Reflect, GizmoConfigGroup)]
pub struct MotionGizmos;

/// Set once the systems are in place.
#[derive(Resource)]
struct Wired;

/// Adds the groups and systems, if the application has gizmos; once.
pub(super) fn wire(app: &mut App) {
    if app.world().contains_resource::<Wired>() || !app.world().contains_resource::<GizmoConfigStore>() {
        return;
    }
    app.insert_resource(Wired)
        .init_gizmo_group::<WorldGizmos>()
        .init_gizmo_group::<SolveGizmos>()
        .init_gizmo_group::<SteerGizmos>()
        .init_gizmo_group::<MotionGizmos>()
        .add_systems(
            PostUpdate,
            (
                draw_grids.run_if(is_on(|show| show.grid)),
                draw_search.run_if(is_on(|show| show.search)),
                draw_paths.run_if(is_on(|show| show.paths)),
                draw_targets.run_if(is_on(|show| show.targets)),
                draw_agents.run_if(is_on(|show| show.agents)),
            )
                .chain()
                .run_if(resource_exists::<GizmoConfigStore>)
                .in_set(NavSystems::Show),
        );
}

/// A condition on one of the switches.
fn is_on(switch: fn(&ShowSettings) -> bool) -> impl Fn(Option<Res<ShowSettings>>) -> bool + Clone {
    move |show| show.is_some_and(|show| switch(&show))
}

fn draw_grids(
    mut gizmos: Gizmos<WorldGizmos>,
    grids: Query<(&NavGrid, &GridPlace)>,
    show: Res<ShowSettings>,
) {
    for (grid, place) in &grids {
        let (width, height) = (grid.grid().width(), grid.grid().height());
        let end = Vec2::new(width as f32, height as f32);
        let outline = [Vec2::ZERO, Vec2::new(end.x, 0.0), end, Vec2::new(0.0, end.y)];
        gizmos.lineloop(outline.map(|point| place.to_world(point, 0.0)), show.grid_color);
        if width.max(height) > MOST_LINES {
            continue;
        }
        let mut line = |a: Vec2, b: Vec2| {
            gizmos.line(place.to_world(a, 0.0), place.to_world(b, 0.0), show.grid_color);
        };
        (1..width).for_each(|x| line(Vec2::new(x as f32, 0.0), Vec2::new(x as f32, end.y)));
        (1..height).for_each(|y| line(Vec2::new(0.0, y as f32), Vec2::new(end.x, y as f32)));
        let is_wall = |&cell: &Cell| !grid.grid().is_walkable(KindId::default(), cell);
        for center in grid.grid().bounds().cells().filter(is_wall).map(Cell::center) {
            line(center - 0.5, center + 0.5);
            line(center + Vec2::new(-0.5, 0.5), center + Vec2::new(0.5, -0.5));
        }
    }
}

fn draw_search(
    mut gizmos: Gizmos<SolveGizmos>,
    grids: Query<&GridPlace>,
    stats: Res<SolveStats>,
    show: Res<ShowSettings>,
) {
    let Some(last) = &stats.last else { return };
    let (Some(recording), Ok(place)) = (&last.recording, grids.get(last.grid)) else { return };
    for event in recording.events() {
        let (inset, color) = match event.kind {
            EventKind::Opened => (0.3, show.opened_color),
            EventKind::Closed => (0.15, show.closed_color),
            EventKind::Reparented => continue,
        };
        let half = 0.5 - inset;
        let corners = [(-half, -half), (half, -half), (half, half), (-half, half)];
        let square = corners.map(|corner| place.to_world(event.cell.center() + Vec2::from(corner), 0.0));
        gizmos.lineloop(square, color);
    }
}

fn draw_paths(
    mut gizmos: Gizmos<SolveGizmos>,
    paths: Query<(&Path, &GlobalTransform)>,
    grids: Query<&GridPlace>,
    show: Res<ShowSettings>,
) {
    for (path, at) in &paths {
        let (false, Ok(place)) = (path.is_finished(), grids.get(path.grid())) else { continue };
        let here = place.to_world(place.to_grid(at.translation()), 0.0);
        gizmos.linestrip(core::iter::once(here).chain(path.remaining().iter().copied()), show.path_color);
    }
}

fn draw_targets(
    mut gizmos: Gizmos<SteerGizmos>,
    pursuers: Query<(&Pursuer, &GlobalTransform)>,
    targets: Query<&GlobalTransform>,
    show: Res<ShowSettings>,
) {
    for (pursuer, at) in &pursuers {
        if let Ok(target) = targets.get(pursuer.target) {
            gizmos.line(at.translation(), target.translation(), show.target_color);
        }
    }
}

fn draw_agents(
    mut gizmos: Gizmos<MotionGizmos>,
    agents: Query<(&Agent, &Velocity, &GlobalTransform, Option<&OnGrid>)>,
    grids: Grids,
    show: Res<ShowSettings>,
) {
    for (agent, velocity, at, on_grid) in &agents {
        let up = grids.of(on_grid, at.translation()).map_or(Vec3::Z, |grid| grid.place.up());
        let body = Isometry3d::new(at.translation(), Quat::from_rotation_arc(Vec3::Z, up));
        gizmos.circle(body, agent.radius, show.agent_color);
        if velocity.0 != Vec3::ZERO {
            gizmos.arrow(at.translation(), at.translation() + velocity.0 * 0.25, show.velocity_color);
        }
    }
}
