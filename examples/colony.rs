//! A colony: workers fetch ore to the store. Each takes the job that is nearest by true travel cost, digging included.
//! The gate lets workers through and keeps the wolf out; workers keep away from its smell where that costs little. A click
//! turns rock into ground.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, world::GridTransform};
use examples::bevy_version::PointerClick;

/// `#` is a wall for all, `T` rock that workers dig through, `W` ore, `2` the gate.
const MAP: &str = "
########################
#......#...............#
#......#..TTTTT........#
#......#..TTWTT....TTT.#
#......2..TTTTT....TWT.#
#......#...........TTT.#
#......#...TTT.........#
#......#...TWT.....W...#
#......#...TTT.........#
########################";
const ROCK: Terrain = Terrain::TREES;
const ORE: Terrain = Terrain::WATER;
const GATE: Terrain = Terrain::weight(2);
const SPEED: f32 = 3.0;
const STORE: Vec3 = Vec3::new(3.5, -5.5, 0.0);
const DIG: f32 = 1.5; // How long it takes to dig through a cell, in seconds.

#[derive(Component, Default)]
pub(crate) struct Worker {
    job: Option<GridCell>,
    digging: Option<(GridCell, f32)>,
    is_loaded: bool,
}

#[derive(Component)]
pub(crate) struct Wolf;

/// How much ore is in the store, and the kind for which workers plan.
#[derive(Resource, Default)]
pub(crate) struct Colony {
    pub(crate) stock: u32,
    digger: KindId,
}

fn main() {
    App::new().add_plugins((DefaultPlugins, game)).run();
}

pub(crate) fn game(app: &mut App) {
    app.add_plugins(PathfindPlugins::default())
        .insert_resource(NavGizmos {
            grid: true,
            terrain: true,
            paths: true,
            agents: true,
            influence: true,
            ..default()
        })
        .init_resource::<Colony>()
        .add_systems(Startup, setup)
        .add_systems(FixedUpdate, (take_jobs, dig).chain().after(NavSystems::Motion))
        .add_observer(|blocked: On<PathBlocked>, mut workers: Query<&mut Worker>| {
            if let Ok(mut worker) = workers.get_mut(blocked.entity) {
                worker.digging = Some((blocked.cell, DIG));
            }
        })
        .add_observer(arrive);
}

fn setup(
    mut colony: ResMut<Colony>,
    (mut kinds, mut layers): (ResMut<AgentKinds>, ResMut<InfluenceLayers>),
    mut commands: Commands,
) -> Result {
    commands.spawn((Camera2d, Transform::from_xyz(12.0, -5.0, 0.0).with_scale(Vec3::splat(0.02))));
    // Rock and ore are blocked for everybody, the gate for all but workers, who plan to dig.
    kinds.set(KindId::default(), AgentKind::default().with_blocked(GATE))?;
    let worker = kinds.add(AgentKind::default())?;
    let digging = AgentKind::default().with_cost(ROCK, DIG * SPEED)?.with_cost(ORE, DIG * SPEED)?;
    colony.digger = kinds.add(digging)?;
    let smell = layers.add("smell");
    layers.set_cost(smell, colony.digger, InfluenceCost::weight(3.0));
    let grid = NavGrid::from_ascii(MAP)?;
    for cell in grid.bounds().cells() {
        let at = Transform::from_xyz(cell.x as f32 + 0.5, -(cell.y as f32) - 0.5, -1.0);
        commands
            .spawn((Sprite::from_color(Color::srgb(0.2, 0.24, 0.2), Vec2::ONE), Pickable::default(), at))
            .observe(move |_: On<PointerClick>, mut grid: Single<&mut NavGrid>| {
                if grid.terrain(cell) == Some(ROCK) {
                    _ = grid.set(cell, Terrain::GROUND);
                }
            });
    }
    commands.spawn(grid);
    for index in 0..4 {
        let body = (Agent::new(SPEED).with_radius(0.3).with_kind(worker), Avoider::default());
        let at = Transform::from_xyz(2.5 + index as f32, -3.5, 0.0);
        let look = Sprite::from_color(Color::srgb(0.5, 0.8, 1.0), Vec2::splat(0.5));
        commands.spawn((Worker::default(), body, Breacher { kind: colony.digger }, look, at));
    }
    let rounds =
        GoalQueue::ping_pong([(9.5, -1.5), (22.5, -1.5), (17.5, -8.5)].map(|(x, y)| Vec3::new(x, y, 0.0)));
    let look = Sprite::from_color(Color::srgb(1.0, 0.4, 0.4), Vec2::splat(0.6));
    commands.spawn((
        Wolf,
        Agent::new(2.0),
        rounds,
        InfluenceSource::new(smell, 3.0),
        look,
        Transform::from_xyz(9.5, -1.5, 0.0),
    ));
    Ok(())
}

/// An idle worker takes the ore that is nearest for it, of those that nobody goes to.
fn take_jobs(
    mut workers: Query<(Entity, &mut Worker, &Transform)>,
    map: Single<(&NavGrid, &GridTransform)>,
    (nav, colony, mut commands): (NavQuery, Res<Colony>, Commands),
) {
    let taken: Vec<GridCell> = workers.iter().filter_map(|(_, worker, _)| worker.job).collect();
    let is_free = |cell: &GridCell| map.0.terrain(*cell) == Some(ORE) && !taken.contains(cell);
    let mut jobs: Vec<GridCell> = map.0.bounds().cells().filter(is_free).collect();
    for (entity, mut worker, at) in
        workers.iter_mut().filter(|(_, worker, _)| worker.job.is_none() && !worker.is_loaded)
    {
        let points: Vec<Vec3> = jobs.iter().map(|cell| map.1.to_world(cell.center(), 0.0)).collect();
        if let Some((nearest, _)) = nav.of_kind(colony.digger).nearest(at.translation, &points) {
            worker.job = Some(jobs.swap_remove(nearest));
            commands.entity(entity).go_to(points[nearest]);
        }
    }
}

/// Workers dig; what they dig out becomes ground, and the next worker walks through.
fn dig(mut workers: Query<&mut Worker>, mut map: Single<&mut NavGrid>, time: Res<Time>) -> Result {
    for mut worker in &mut workers {
        let Some((cell, left)) = worker.digging else { continue };
        let left = left - time.delta_secs();
        worker.digging = (left > 0.0).then_some((cell, left));
        if left <= 0.0 {
            map.set(cell, Terrain::GROUND)?;
        }
    }
    Ok(())
}

fn arrive(
    arrived: On<AgentArrived>,
    mut workers: Query<&mut Worker>,
    (mut colony, mut commands): (ResMut<Colony>, Commands),
) {
    let Ok(mut worker) = workers.get_mut(arrived.entity) else { return };
    if worker.job.take().is_some() {
        worker.is_loaded = true;
        commands.entity(arrived.entity).go_to(NavGoal::within(STORE, 1.5));
    } else if core::mem::take(&mut worker.is_loaded) {
        colony.stock += 1;
    }
}
