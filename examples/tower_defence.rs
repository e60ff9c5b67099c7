//! A tower defence with 5,000 creeps: all follow one flow field, towers shoot the creep that is nearest to the base by
//! its way, and no tower may seal the way. Click to build.

use bevy::prelude::*;
use bevy_pathfind::pathfind_core::Steps;
use bevy_pathfind::prelude::*;

const SIZE: IVec2 = IVec2::new(120, 64);
const CELL: f32 = 10.0;
const CREEPS: usize = 5_000;
const BASE: Cell = Cell::new(116, 32);
const SPAWN: Cell = Cell::new(2, 32);
/// How far a tower shoots, in world units.
const REACH: f32 = 120.0;

/// The flow field to the base.
#[derive(Resource)]
struct ToBase(Entity);

#[derive(Component)]
struct Creep;

#[derive(Component)]
struct Tower;

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, PathfindPlugins::default()))
        .add_systems(Startup, setup)
        .add_systems(FixedUpdate, (send, shoot).after(NavSystems::Motion))
        .add_systems(Update, build)
        .add_observer(|arrived: On<FieldArrived>, mut commands: Commands| {
            commands.entity(arrived.entity).despawn();
        })
        .run();
}

fn setup(mut commands: Commands) {
    commands.spawn(Camera2d);
    let is_rock = |cell: Cell| cell.x % 24 == 12 && cell.y / 16 % 2 == cell.x / 24 % 2 && cell.y % 16 > 2;
    let terrain = |cell| if is_rock(cell) { Terrain::WALL } else { Terrain::GROUND };
    let grid = Grid::from_fn(SIZE.x as u32, SIZE.y as u32, terrain).expect("it is small");
    for cell in grid.bounds().cells().filter(|&cell| is_rock(cell)) {
        commands.spawn(square(cell, 10.0, Color::srgb(0.4, 0.45, 0.5)));
    }
    let place = Transform::from_translation((SIZE.as_vec2() * -CELL / 2.0).extend(0.0));
    commands.spawn((NavGrid::new(grid).with_cell_size(CELL), place));
    commands.spawn(square(BASE, 24.0, Color::srgb(0.4, 0.7, 1.0)));
    let field = commands.spawn(FlowField::to(center(BASE))).id();
    commands.insert_resource(ToBase(field));
}

fn center(cell: Cell) -> Vec3 {
    ((IVec2::new(cell.x, cell.y) - SIZE / 2).as_vec2() * CELL + CELL / 2.0).extend(0.0)
}

fn square(cell: Cell, side: f32, color: Color) -> impl Bundle {
    (Sprite::from_color(color, Vec2::splat(side)), Transform::from_translation(center(cell)))
}

/// Twenty creeps a tick, until there are enough.
fn send(creeps: Query<(), With<Creep>>, to_base: Res<ToBase>, mut sent: Local<i32>, mut commands: Commands) {
    for _ in 0..CREEPS.saturating_sub(creeps.iter().count()).min(20) {
        *sent += 1;
        let square = square(Cell::new(SPAWN.x, 2 + *sent * 37 % 60), 5.0, Color::srgb(1.0, 0.75, 0.4));
        let body = (
            Agent { radius: 0.3, ..Agent::with_speed(6.0) }.scaled(CELL),
            Avoider::reciprocal().scaled(CELL),
        );
        commands.spawn((Creep, body, FollowField(to_base.0), square));
    }
}

/// Four times a second each tower removes the creep within its reach that has the shortest way to the base.
fn shoot(
    towers: Query<&Transform, With<Tower>>,
    creeps: Query<(Entity, &Transform), With<Creep>>,
    map: Single<(&NavGrid, &GlobalTransform)>,
    (fields, to_base): (Query<&FlowFieldValues>, Res<ToBase>),
    (time, mut gizmos, mut commands): (Res<Time>, Gizmos, Commands),
) -> Result {
    let (values, (nav, place)) = (fields.get(to_base.0)?, *map);
    let is_loaded = (time.elapsed_secs() * 4.0).fract() < time.delta_secs() * 4.0;
    for tower in towers.iter().filter(|_| is_loaded) {
        let near = creeps.iter().filter(|(_, at)| at.translation.distance(tower.translation) < REACH);
        let ways = near.filter_map(|(creep, at)| {
            let way = values.distance(nav.world_to_cell(place, at.translation))?;
            Some((way, creep, at.translation))
        });
        if let Some((_, creep, at)) = ways.min_by(|a, b| a.0.total_cmp(&b.0)) {
            gizmos.line(tower.translation, at, Color::srgb(1.0, 0.3, 0.3));
            // Two towers may have chosen the same one.
            commands.entity(creep).try_despawn();
        }
    }
    Ok(())
}

/// Builds a tower of 2x2 cells where the user clicks, unless it would seal the way.
fn build(
    buttons: Res<ButtonInput<MouseButton>>,
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform)>,
    map: Single<(&mut NavGrid, &GlobalTransform)>,
    mut commands: Commands,
) -> Result {
    let Some(pointer) = window.cursor_position().filter(|_| buttons.just_pressed(MouseButton::Left)) else {
        return Ok(());
    };
    let (mut nav, place) = map.into_inner();
    let cell = nav.world_to_cell(place, camera.0.viewport_to_world_2d(camera.1, pointer)?.extend(0.0));
    let rect = CellRect::new(cell, Cell::new(cell.x + 1, cell.y + 1));
    let cells = Vec::from_iter(rect.cells());
    if !nav.grid().would_disconnect(KindId::default(), Steps::default(), &cells, SPAWN, BASE) {
        nav.fill(rect, Terrain::WALL);
        commands.spawn((Tower, square(cell, 18.0, Color::srgb(0.8, 0.4, 0.5))));
    }
    Ok(())
}
