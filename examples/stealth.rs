//! A stealth game: bring the thief to the treasure. A click sends him, a right click opens or shuts a door.
//! A guard chases him when he is in its cone of sight with no wall or shut door between, until it loses him.

use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    world::{Grid, GridTransform, TerrainSpeed},
};
use examples::bevy_version::PointerClick;
use pathfind_core::cast_ray;

/// `#` is a wall, `2` an open door (half as fast as ground, and so of twice its cost), `T` a shut door.
const MAP: &str = "\
#############################
#.......#...........#.......#
#.......2...........2.......#
#.......#...........#.......#
####2######...###########2###
#...........................#
#...........................#
####2########2##########T####
#.......#...........#.......#
#.......T...........T.......#
#############################";
const OPEN: Terrain = Terrain::weight(2);
const SHUT: Terrain = Terrain::TREES;
const START: (i32, i32) = (2, 9);
const TREASURE: (i32, i32) = (26, 2);
const SIGHT: f32 = 7.0; // How far a guard sees.
const HALF_ANGLE: f32 = 0.6; // How far to each side of its heading, in radians.
pub(crate) const GIVE_UP: f32 = 2.0; // How long it chases the thief without sight of him, in seconds.

#[derive(Component)]
pub(crate) struct Thief;

#[derive(Component)]
pub(crate) struct Guard {
    rounds: GoalQueue,
    last_seen: Vec3,
    unseen_for: f32,
}

/// Opens or shuts the door on a cell.
#[derive(Event)]
pub(crate) struct ToggleDoor(pub(crate) GridCell);

#[derive(Event)]
pub(crate) struct Won;

fn main() {
    App::new().add_plugins((DefaultPlugins, game)).add_systems(Update, draw).run();
}

pub(crate) fn game(app: &mut App) {
    app.add_plugins(PathfindPlugins::default())
        .insert_resource(TerrainSpeed::default().with(OPEN, 0.5))
        .insert_resource(NavGizmos { grid: true, terrain: true, paths: true, ..default() })
        .add_systems(Startup, setup)
        .add_systems(FixedUpdate, watch.after(NavSystems::Motion))
        .add_observer(toggle)
        .add_observer(begin_again)
        .add_observer(win);
}

fn setup(mut commands: Commands) {
    commands.spawn((Camera2d, Transform::from_xyz(14.5, -5.5, 0.0).with_scale(Vec3::splat(0.03))));
    let grid = Grid::from_ascii(MAP).expect("the map is sound");
    let tile = |rgb, side, at| (Sprite::from_color(rgb, Vec2::splat(side)), Transform::from_translation(at));
    let thief = commands.spawn((Thief, Agent::new(3.5), tile(Color::WHITE, 0.6, center(START)))).id();
    for cell in grid.bounds().cells().filter(|&cell| grid.terrain(cell) != Some(Terrain::WALL)) {
        let at = center((cell.x, cell.y));
        let floor = tile(Color::srgb(0.36, 0.42, 0.5), 1.0, at.with_z(-2.0));
        commands.spawn((floor, Pickable::default())).observe(
            move |click: On<PointerClick>, mut commands: Commands| match click.button {
                PointerButton::Primary => _ = commands.entity(thief).insert(PathRequest::to(at)),
                _ => commands.trigger(ToggleDoor(cell)),
            },
        );
    }
    commands.spawn(NavGrid::new(grid).with_plane(GridPlane::XyDown));
    let treasure = tile(Color::srgb(1.0, 0.8, 0.4), 0.8, center(TREASURE).with_z(-1.0));
    commands.spawn((treasure, Pickable::IGNORE)); // A click on it goes to the floor.
    for goals in [[(2, 2), (18, 3)], [(2, 6), (26, 3)], [(10, 8), (18, 9)]].map(|it| it.map(center)) {
        let rounds = GoalQueue::ping_pong(goals).with_wait(1.0);
        let guard = Guard { rounds: rounds.clone(), last_seen: goals[0], unseen_for: 0.0 };
        let look = tile(Color::srgb(1.0, 0.45, 0.4), 0.6, goals[0]);
        commands.spawn((guard, rounds, Agent::new(2.0).with_facing(AgentFacing::Right), look));
    }
}

pub(crate) fn center((x, y): (i32, i32)) -> Vec3 {
    Vec3::new(x as f32 + 0.5, -(y as f32) - 0.5, 0.0)
}

/// At which part of the line from one point to another a wall or a shut door blocks the view.
fn barrier(map: (&NavGrid, &GridTransform), from: Vec3, to: Vec3) -> Option<f32> {
    cast_ray(map.0.grid(), KindId::default(), map.1.to_grid(from), map.1.to_grid(to)).map(|hit| hit.fraction)
}

type Watcher<'a> = (Entity, &'a mut Guard, &'a mut GoalQueue, &'a mut Agent, &'a mut Transform, Has<Pursuer>);

fn watch(
    mut guards: Query<(Watcher, &AgentVelocity), Without<Thief>>,
    thief: Single<(Entity, &Transform), With<Thief>>,
    (map, time, mut commands): (Single<(&NavGrid, &GridTransform)>, Res<Time>, Commands),
) {
    for ((guard_id, mut guard, mut queue, mut agent, mut at, is_chasing), velocity) in &mut guards {
        let offset = thief.1.translation - at.translation;
        let is_in_cone = offset.length() < SIGHT && at.right().angle_between(offset) < HALF_ANGLE;
        if is_in_cone && barrier(*map, at.translation, thief.1.translation).is_none() {
            (guard.last_seen, guard.unseen_for, agent.speed) = (thief.1.translation, 0.0, 4.5);
            commands.entity(guard_id).insert_if_new(Pursuer::intercept(thief.0));
        } else if is_chasing {
            guard.unseen_for += time.delta_secs();
            if guard.unseen_for > GIVE_UP {
                agent.speed = 2.0;
                *queue = GoalQueue::to([guard.last_seen]).with_wait(4.0);
                commands.entity(guard_id).remove::<Pursuer>();
            }
        } else if queue.goal().is_none() {
            *queue = guard.rounds.clone();
        } else if velocity.0.length() < 0.05 {
            at.rotate_z(2.0 * time.delta_secs()); // It waits, and looks around.
        }
    }
}

fn begin_again(caught: On<CaughtBy>, mut commands: Commands) {
    commands.entity(caught.entity).remove::<PathRequest>().teleport_to(center(START));
}

fn win(arrived: On<AgentArrived>, thief: Query<&Transform, With<Thief>>, mut commands: Commands) {
    if thief.get(arrived.entity).is_ok_and(|at| at.translation.distance(center(TREASURE)) < 1.0) {
        info!("The treasure is yours.");
        commands.trigger(Won);
    }
}

fn toggle(door: On<ToggleDoor>, mut map: Single<&mut NavGrid>) -> Result {
    match map.ground(door.0) {
        Some(OPEN) => map.set(door.0, SHUT)?,
        Some(SHUT) => map.set(door.0, OPEN)?,
        _ => false,
    };
    Ok(())
}

fn draw(guards: Query<&Transform, With<Guard>>, map: Single<(&NavGrid, &GridTransform)>, mut gizmos: Gizmos) {
    for (at, side) in guards.iter().flat_map(|at| (-8..=8).map(move |i| (at, i as f32 / 8.0))) {
        let ray = Quat::from_rotation_z(side * HALF_ANGLE) * at.right() * SIGHT;
        let part = barrier(*map, at.translation, at.translation + ray).unwrap_or(1.0);
        gizmos.ray(at.translation, ray * part, Color::srgb(1.0, 0.9, 0.5));
    }
}
