//! A scripted run of 2,000 ticks and its checksums, which are the same on every platform: the test of `.ci/run web`
//! compares those of this program built for the desktop and for the web.

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_pathfind::{
    prelude::*,
    solve::{SolveMode, SolveSettings},
    world::Grid,
};

const AGENTS: u64 = 300;
const TICKS: u32 = 2_000;
/// How many ticks lie between two checksums that are printed: the first one that differs tells when the runs
/// diverged.
const REPORT: u32 = 250;

fn main() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, PathfindPlugins::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(SolveSettings { mode: SolveMode::Inline, ..default() })
        .add_systems(Startup, setup)
        .add_systems(FixedUpdate, play.before(NavSystems::World));
    app.update();
    let mut sum = 0xcbf2_9ce4_8422_2325;
    for tick in 1..=TICKS {
        app.update();
        sum = app.world_mut().run_system_cached_with(checksum, sum).expect("it reads what always exists");
        if tick % REPORT == 0 {
            report(&format!("tick {tick}: {sum:016x}"));
        }
    }
}

/// Hunters, prey, walkers with facing and avoidance, and a flock behind its leader, on a map of walls with doors.
fn setup(mut commands: Commands) {
    let wall = |cell: GridCell| cell.x % 9 == 4 && cell.y % 7 > 1 && cell.y % 21 != 10;
    let grid = Grid::from_fn(64, 64, |cell| if wall(cell) { Terrain::WALL } else { Terrain::GROUND });
    commands.spawn(NavGrid::new(grid.expect("it is small")));
    // Three fifths and four fifths are a rotation without a sine.
    let turned = Transform::from_rotation(Quat::from_xyzw(0.0, 0.0, 0.6, 0.8));
    for i in 0..12 {
        let at = turned.with_translation(Vec3::new(6.5 + i as f32 * 4.5, 30.0, 0.0));
        commands.spawn((Obstacle::cuboid(Vec3::new(0.7, 0.2, 1.0)), at, Post(i)));
    }
    let bound = Vec3::new(20.0, 20.0, 0.0);
    let leader = commands.spawn((AgentId(AGENTS), FlockLeader { bound, near: 5.0, ..default() })).id();
    let mut last = leader;
    for id in 0..AGENTS {
        let at = Transform::from_xyz(1.5 + (id % 25) as f32 * 2.5, 0.5 + (id / 25) as f32 * 5.0, 0.0);
        let body = Agent { radius: 0.3, turn_rate: 3.0, facing: AgentFacing::Right, ..Agent::default() };
        let mut agent = commands.spawn((AgentId(id), body, at));
        match id % 5 {
            0 => agent.insert((Avoider::default(), PathRequest::to(goal(id)))),
            1 => agent.insert((Avoider::contact(), Separation::default(), PathRequest::to(goal(id)))),
            2 => agent.insert((Pursuer::intercept(last), Avoider::default())),
            3 => agent.insert((Behavior::wander(), Avoider::contact())),
            _ => agent.insert((Flock::default(), FlockOf(leader))),
        };
        last = agent.id();
    }
}

/// The number of an obstacle that moves to and fro.
#[derive(Component)]
struct Post(u32);

/// Moves the obstacles; now and then builds or removes a wall, and gives a walker another goal.
fn play(
    mut posts: Query<(&Post, &mut Transform)>,
    mut grid: Single<&mut NavGrid>,
    walkers: Query<(Entity, &AgentId), With<PathRequest>>,
    mut commands: Commands,
    mut tick: Local<u32>,
) {
    *tick += 1;
    for (post, mut at) in posts.iter_mut().filter(|(post, _)| post.0 % 2 == 0) {
        at.translation.y = 27.0 + (((*tick + 20 * post.0) % 200) as f32 * 0.03 - 3.0).abs();
    }
    if *tick % 40 == 20 {
        let cell = GridCell::new((*tick / 40 * 17 % 64) as i32, (*tick / 40 * 29 % 64) as i32);
        let is_open = grid.grid().is_walkable(KindId::default(), cell);
        let terrain = if is_open { Terrain::WALL } else { Terrain::GROUND };
        grid.set(cell, terrain).expect("the cell lies on the grid");
    }
    let sent = u64::from(*tick * 7) % AGENTS;
    if let Some((walker, _)) = walkers.iter().find(|(_, id)| id.0 == sent) {
        commands.entity(walker).insert(PathRequest::to(goal(sent + u64::from(*tick))));
    }
}

/// The centre of a cell of the map, by a number.
fn goal(number: u64) -> Vec3 {
    Vec3::new(0.5 + (number * 37 % 64) as f32, 0.5 + (number * 53 % 64) as f32, 0.0)
}

/// A sum over the places, headings and velocities of all agents in the order of their ids (FNV-1a).
fn checksum(In(sum): In<u64>, agents: Query<(&AgentId, &GlobalTransform, &AgentVelocity)>) -> u64 {
    let mut agents: Vec<_> = agents.iter().collect();
    agents.sort_unstable_by_key(|(id, ..)| id.0);
    let numbers = agents.into_iter().flat_map(|(_, at, velocity)| {
        let (place, ahead) = (at.translation(), at.affine().x_axis);
        [place, ahead.into(), velocity.0].into_iter().flat_map(|vector| vector.to_array())
    });
    numbers.fold(sum, |sum, number| (sum ^ u64::from(number.to_bits())).wrapping_mul(0x100_0000_01b3))
}

#[cfg(not(target_arch = "wasm32"))]
fn report(line: &str) {
    println!("{line}");
}

#[cfg(target_arch = "wasm32")]
fn report(line: &str) {
    #[wasm_bindgen::prelude::wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_namespace = console)]
        fn log(line: &str);
    }
    log(line);
}
