//! A tower defence: runners, swimmers and wide bosses follow flow fields, flyers come straight; towers shoot the
//! creep that has the shortest path to the base. Click to build, unless that seals off the base; Space pauses, so
//! that one can plan.

use bevy::prelude::*;
use bevy_pathfind::{
    order::FlowFieldValues,
    prelude::*,
    world::{Grid, GridTransform},
};

const SIZE: IVec2 = IVec2::new(120, 64);
const CELL: f32 = 10.0;
const BASE: GridCell = GridCell::new(115, 32);
pub(crate) const SPAWN: GridCell = GridCell::new(4, 32);
const REACH: f32 = 12.0 * CELL;
/// The kinds of creeps on the ground, by their ids on the grid: runners and flyers, swimmers, bosses.
const KINDS: [KindId; 3] = [KindId(0), KindId(1), KindId(2)];

/// The number of creeps at a time, and the flow field of each kind.
#[derive(Resource)]
pub(crate) struct Game {
    pub(crate) wave: usize,
    pub(crate) to_base: [Entity; 3],
}

#[derive(Component)]
pub(crate) struct Creep;
#[derive(Component)]
pub(crate) struct Tower;

#[derive(Event)]
pub(crate) struct Build(pub(crate) Vec3);

/// A shot from one point to another.
#[derive(Event)]
pub(crate) struct Shot(Vec3, Vec3);

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, game))
        .add_systems(Update, input)
        .add_observer(|it: On<Shot>, mut gizmos: Gizmos| gizmos.line(it.0, it.1, Color::srgb(1.0, 0.3, 0.3)))
        .run();
}

pub(crate) fn game(app: &mut App) {
    app.add_plugins(PathfindPlugins::default())
        .add_systems(Startup, setup)
        .add_systems(FixedUpdate, (send, shoot).after(NavSystems::Motion))
        .add_observer(build)
        .add_observer(|it: On<AgentArrived>, mut commands: Commands| commands.entity(it.entity).despawn());
}

fn setup(mut commands: Commands, mut kinds: ResMut<AgentKinds>) -> Result {
    commands.spawn(Camera2d);
    let terrain = |cell: GridCell| match cell.x {
        70..=72 if cell.y % 32 > 8 => Terrain::WATER,
        12 | 36 | 60 | 84 | 108 if cell.y / 16 % 2 == cell.x / 24 % 2 && cell.y % 16 > 2 => Terrain::WALL,
        _ => Terrain::GROUND,
    };
    let grid = Grid::from_fn(SIZE.x as u32, SIZE.y as u32, terrain)?;
    kinds.add(AgentKind::default().with_cost(Terrain::WATER, 1.5)?)?;
    kinds.add(AgentKind::default().with_size(AgentSize::Disc(1.5)))?;
    for cell in grid.bounds().cells().filter(|&cell| terrain(cell) != Terrain::GROUND) {
        let depth = if terrain(cell) == Terrain::WALL { 0.4 } else { 0.2 };
        commands.spawn(square(cell, CELL, Color::srgb(depth, depth, 0.5)));
    }
    let corner = (SIZE.as_vec2() * -CELL / 2.0).extend(0.0);
    commands.spawn((NavGrid::new(grid).with_cell_size(CELL), Transform::from_translation(corner)));
    commands.spawn(square(BASE, 24.0, Color::srgb(0.4, 0.7, 1.0)));
    let to_base = KINDS.map(|kind| commands.spawn(FlowField::to(center(BASE)).with_kind(kind)).id());
    commands.insert_resource(Game { wave: 5_000, to_base });
    Ok(())
}

pub(crate) fn center(cell: GridCell) -> Vec3 {
    ((IVec2::new(cell.x, cell.y) - SIZE / 2).as_vec2() * CELL + CELL / 2.0).extend(0.0)
}

fn square(cell: GridCell, side: f32, color: Color) -> (Sprite, Transform) {
    (Sprite::from_color(color, Vec2::splat(side)), Transform::from_translation(center(cell)))
}

/// Twenty creeps a tick, until there are enough: every 200th is a boss, every 10th flies, every 4th swims.
fn send(creeps: Query<(), With<Creep>>, game: Res<Game>, mut sent: Local<i32>, mut commands: Commands) {
    for _ in 0..game.wave.saturating_sub(creeps.iter().count()).min(20) {
        *sent += 1;
        let (kind, radius, color) = match *sent {
            n if n % 200 == 0 => (2, 1.4, Color::srgb(0.8, 0.2, 0.9)),
            n if n % 4 == 0 => (1, 0.3, Color::srgb(0.4, 0.8, 1.0)),
            _ => (0, 0.3, Color::srgb(1.0, 0.75, 0.4)),
        };
        let at = GridCell::new(SPAWN.x, 4 + *sent * 37 % 56);
        let agent = Agent::new(6.0 * CELL).with_radius(radius * CELL).with_kind(KINDS[kind]);
        let body = (Creep, agent, Avoider::default());
        let mut creep = commands.spawn((body, square(at, radius * 2.0 * CELL - 1.0, color)));
        match *sent % 10 {
            3 => creep.insert((Airborne, PathRequest::to(center(BASE)).with_spread(false))),
            _ => creep.insert(FollowField(game.to_base[kind])),
        };
    }
}

/// Four times a second each tower hits the creep within its reach that has the shortest path to the base.
fn shoot(
    towers: Query<&Transform, With<Tower>>,
    creeps: Query<(Entity, &Transform, Option<&FollowField>), With<Creep>>,
    (map, fields): (Single<&GridTransform>, Query<&FlowFieldValues>),
    (time, mut commands): (Res<Time>, Commands),
) {
    let is_loaded = (time.elapsed_secs() * 4.0).fract() < time.delta_secs() * 4.0;
    let left = |at: Vec3, field: Option<&FollowField>| match field {
        Some(field) => fields.get(field.0).ok()?.distance(map.cell_at(at)),
        None => Some(at.distance(center(BASE)) / CELL),
    };
    for from in towers.iter().filter(|_| is_loaded).map(|tower| tower.translation) {
        let near = creeps.iter().filter(|(_, at, _)| at.translation.distance(from) < REACH);
        let distances = near.filter_map(|it| Some((left(it.1.translation, it.2)?, it.0, it.1.translation)));
        if let Some((_, nearest, at)) = distances.min_by(|a, b| a.0.total_cmp(&b.0)) {
            commands.trigger(Shot(from, at));
            // Two towers may have chosen the same one.
            commands.entity(nearest).try_despawn();
        }
    }
}

/// Builds a tower of 2x2 cells, unless it would seal the base off from any kind of creep.
fn build(order: On<Build>, map: Single<(&mut NavGrid, &GridTransform)>, mut commands: Commands) {
    let (mut nav, place) = map.into_inner();
    let cell = place.cell_at(order.0);
    let rect = CellRect::new(cell, GridCell::new(cell.x + 1, cell.y + 1));
    let (cells, steps) = (Vec::from_iter(rect.cells()), SearchOptions::default().steps());
    let is_free = |cell: &GridCell| nav.grid().terrain(*cell) == Some(Terrain::GROUND);
    let is_sealed = |kind| nav.grid().would_disconnect(kind, steps, &cells, SPAWN, BASE);
    if cells.iter().all(is_free) && !KINDS.into_iter().any(is_sealed) {
        nav.fill(rect, Terrain::WALL);
        commands.spawn((Tower, square(cell, 18.0, Color::srgb(0.8, 0.4, 0.5))));
    }
}

fn input(
    (buttons, keys): (Res<ButtonInput<MouseButton>>, Res<ButtonInput<KeyCode>>),
    (window, camera): (Single<&Window>, Single<(&Camera, &GlobalTransform)>),
    (mut time, mut commands): (ResMut<Time<Virtual>>, Commands),
) -> Result {
    if keys.just_pressed(KeyCode::Space) {
        if time.is_paused() { time.unpause() } else { time.pause() }
    }
    if let Some(pointer) = window.cursor_position().filter(|_| buttons.just_pressed(MouseButton::Left)) {
        commands.trigger(Build(camera.0.viewport_to_world_2d(camera.1, pointer)?.extend(0.0)));
    }
    Ok(())
}
