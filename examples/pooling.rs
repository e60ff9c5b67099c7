//! Pooling: shots and enemies that are gone are disabled, not despawned, and used again. Nothing is spawned once the game
//! has as many as it needs.

use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy_pathfind::prelude::*;

/// How many runners are under way at once.
pub(crate) const RUNNERS: usize = 40;
const WIDTH: i32 = 48;
const HEIGHT: i32 = 26;

#[derive(Component)]
pub(crate) struct Runner;

/// How many runners have arrived.
#[derive(Resource, Default)]
pub(crate) struct Arrivals(pub(crate) u32);

fn main() {
    App::new().add_plugins((DefaultPlugins, game)).run();
}

pub(crate) fn game(app: &mut App) {
    app.add_plugins(PathfindPlugins::default())
        .init_resource::<Arrivals>()
        .add_systems(Startup, setup)
        .add_systems(FixedUpdate, send.before(NavSystems::World))
        .add_observer(retire);
}

fn setup(mut commands: Commands) {
    commands.spawn((Camera2d, Transform::from_scale(Vec3::splat(0.05))));
    let is_wall = |cell: Cell| cell.x % 6 == 3 && cell.y % 9 < 5;
    let terrain = |cell| if is_wall(cell) { Terrain::WALL } else { Terrain::GROUND };
    let grid = Grid::from_fn(WIDTH as u32, HEIGHT as u32, terrain).expect("it is small");
    for cell in grid.bounds().cells().filter(|&cell| is_wall(cell)) {
        let look = Sprite::from_color(Color::srgb(0.36, 0.42, 0.5), Vec2::ONE);
        commands.spawn((look, Transform::from_translation(place(cell.x, cell.y))));
    }
    commands.spawn((NavGrid::new(grid), Transform::from_translation(place(0, 0) - Vec3::new(0.5, 0.5, 0.0))));
}

fn place(x: i32, y: i32) -> Vec3 {
    Vec3::new((x - WIDTH / 2) as f32, (y - HEIGHT / 2) as f32, 0.0)
}

/// Sends a runner every fifth tick: one from the pool, or a new one as long as there are too few.
fn send(
    runners: Query<(), With<Runner>>,
    pool: Query<Entity, (With<Runner>, With<Disabled>)>,
    mut tick: Local<i32>,
    mut commands: Commands,
) {
    *tick += 1;
    if *tick % 5 != 0 || runners.iter().count() >= RUNNERS {
        return;
    }
    let row = *tick * 7 % HEIGHT;
    let run =
        (PathRequest::to(place(WIDTH - 1, HEIGHT - 1 - row)), Transform::from_translation(place(0, row)));
    if let Some(runner) = pool.iter().next() {
        // Its velocity is that of its last run.
        commands.entity(runner).insert((run, AgentVelocity::default())).remove::<Disabled>();
    } else {
        let look = Sprite::from_color(Color::hsl(*tick as f32 * 9.0 % 360.0, 0.7, 0.6), Vec2::splat(0.8));
        commands.spawn((Runner, Agent::with_speed(6.0), Avoider::reciprocal(), look, run));
    }
}

/// Who has arrived goes back into the pool.
fn retire(arrived: On<PathArrived>, mut arrivals: ResMut<Arrivals>, mut commands: Commands) {
    arrivals.0 += 1;
    commands.entity(arrived.entity).insert(Disabled);
}
