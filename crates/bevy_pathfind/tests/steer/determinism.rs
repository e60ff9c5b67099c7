//! Determinism: a run of 500 mixed agents, and short ones of 20,000 and of 6,000 on paths, give the same result in
//! every run, for any order of spawning and any number of threads.

use bevy::app::{TaskPoolOptions, TaskPoolPlugin, TaskPoolThreadAssignmentPolicy};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pathfind::{
    prelude::*,
    solve::{SolveMode, SolveSettings},
    steer::SteerSettings,
    world::Grid,
};

use crate::fixture::{Xorshift, place, put};
use crate::support::{Checksum, position, ticks};

/// The checksum of the run of a thousand ticks: it changes only if behaviour does. After an intended change of
/// behaviour, pin the new number.
const PINNED: u64 = 3_529_149_583_944_804_213;

const AGENTS: u64 = 500;
/// The environment variable that tells a child process its number of compute threads.
const THREADS: &str = "STEER_TEST_THREADS";

/// An application with this number of compute threads; the first application of a process decides.
fn app(threads: usize) -> App {
    let compute = TaskPoolThreadAssignmentPolicy {
        min_threads: threads,
        max_threads: threads,
        percent: 1.0,
        on_thread_spawn: None,
        on_thread_destroy: None,
    };
    let pools = TaskPoolPlugin { task_pool_options: TaskPoolOptions { compute, ..default() } };
    let mut app = App::new();
    app.add_plugins((MinimalPlugins.set(pools), PathfindPlugins::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(SolveSettings { mode: SolveMode::Inline, ..default() });
    app.update();
    app
}

/// Gives an agent the components of its sort, chosen by its id.
fn equip(app: &mut App, id: u64, all: &[Entity]) {
    let mut rng = Xorshift::new(id + 1);
    let (me, other) = (all[id as usize], all[(id as usize * 7 + 13) % all.len()]);
    let mut it = app.world_mut().entity_mut(me);
    let goal = Vec3::new(32.5 + rng.signed() * 30.0, 32.5 + rng.signed() * 30.0, 0.0);
    let small = Agent { radius: 0.3, ..Agent::default() };
    match id % 10 {
        0 | 1 => drop(it.insert((small, Avoider::default(), PathRequest::to(goal)))),
        2 => drop(it.insert((small, Avoider::contact(), PathRequest::to(goal)))),
        3 => drop(it.insert((small, Pursuer::intercept(other).with_arrives(false), Avoider::default()))),
        4 => drop(it.insert((small, Pursuer::line_of_sight(other).with_arrives(false).with_turn_rate(4.0)))),
        5 => drop(it.insert((Behavior::wander(), Avoider::contact(), Separation::default()))),
        6 => drop(it.insert((Behavior::evade(other), Avoider::ray(3.0)))),
        7 | 8 => {
            it.insert((Agent::new(8.0), Flock::default(), Separation::default()));
            if id % 20 != 7 {
                it.insert(FlockOf(all[(id as usize / 100) * 100 + 9]));
            }
        }
        _ => drop(it.insert(FlockLeader { bound: Vec3::new(20.0, 20.0, 0.0), near: 5.0, ..default() })),
    }
}

/// The checksum of the run, with agents spawned and equipped in this order.
fn run(threads: usize, count: usize, order: impl Fn(u64) -> u64) -> u64 {
    let mut app = app(threads);
    let grid = Grid::from_fn(64, 64, |cell| {
        let is_wall = cell.x % 9 == 4 && cell.y % 7 > 1 && cell.y % 21 != 10;
        if is_wall { Terrain::WALL } else { Terrain::GROUND }
    });
    let nav = app.world_mut().spawn(NavGrid::new(grid.unwrap())).id();
    let mut all = vec![Entity::PLACEHOLDER; AGENTS as usize];
    for id in (0..AGENTS).map(&order) {
        let at = place(1.5 + (id % 25) as f32 * 2.5, 0.5 + (id / 25) as f32 * 3.0);
        all[id as usize] = app.world_mut().spawn((AgentId(id), Agent::default(), at)).id();
    }
    (0..AGENTS).map(order).for_each(|id| equip(&mut app, id, &all));
    let posts: Vec<_> = (0..12)
        .map(|i| app.world_mut().spawn((Obstacle::sphere(0.4), place(6.5 + i as f32 * 4.5, 30.0))).id())
        .collect();
    let mut sum = Checksum::default();
    for tick in 0..count {
        for (i, &post) in posts.iter().enumerate().filter(|(i, _)| i % 2 == 0) {
            // Back and forth, without trigonometric functions: they differ between platforms.
            let offset = ((tick + 20 * i) % 200) as f32 * 0.03;
            put(&mut app, post, Vec3::new(6.5 + i as f32 * 4.5, 30.0 + (offset - 3.0).abs(), 0.0));
        }
        if tick % 100 == 50 {
            let cell = GridCell::new(10 + tick as i32 / 40, 12 + tick as i32 / 50);
            let mut nav = app.world_mut().get_mut::<NavGrid>(nav).unwrap();
            nav.set(cell, Terrain::WALL).expect("the cell lies on the grid");
            let one = all[tick / 2 * 10 % 500];
            app.world_mut().entity_mut(one).insert(PathRequest::to(Vec3::new(60.5, 60.5, 0.0)));
        }
        ticks(&mut app, 1);
        if tick % 10 == 9 {
            for &agent in &all {
                sum.add(position(&app, agent));
            }
        }
    }
    sum.0
}

#[test]
fn a_run_of_500_agents_is_reproducible() {
    let forth = run(2, 1000, |id| id);
    // A stride that is coprime to the number of agents visits each once.
    let mixed = run(2, 1000, |id| id * 137 % AGENTS);
    assert_eq!(forth, mixed, "the order of spawning does not show");
    assert_eq!(forth, PINNED, "the run of today is that of yesterday, on every machine");
}

/// Prints the checksum with this process's number of threads.
#[test]
#[ignore = "run by `the_number_of_threads_does_not_change_the_run`, in processes of its own"]
fn print_checksum() {
    let threads = std::env::var(THREADS).expect("the other test says how many").parse();
    println!("hash={}", run(threads.expect("a number of threads"), 200, |id| id));
}

#[test]
fn the_number_of_threads_does_not_change_the_run() {
    let hash = |threads: usize| {
        let child = std::process::Command::new(std::env::current_exe().expect("this test is a program"))
            .args(["--ignored", "--exact", "determinism::print_checksum", "--nocapture"])
            .env(THREADS, threads.to_string())
            .output()
            .expect("it runs");
        let text = String::from_utf8_lossy(&child.stdout).into_owned();
        let start = text.find("hash=").unwrap_or_else(|| panic!("{threads} threads: {text}")) + 5;
        text[start..].chars().take_while(char::is_ascii_digit).collect::<String>()
    };
    let one = hash(1);
    for threads in [2, 4] {
        assert_eq!(hash(threads), one, "{threads} threads are as one");
    }
}

/// The checksum of a crowd that is large enough for parallel processing, with at most this many threads.
fn crowd(threads: u32) -> u64 {
    let mut app = app(3);
    app.insert_resource(SteerSettings { seed: 4, ..default() })
        .insert_resource(NavSettings::default().with_up(Vec3::Z).with_threads(threads));
    let parent = app.world_mut().spawn(Transform::from_xyz(3.0, -2.0, 0.0)).id();
    let mut rng = Xorshift::new(8);
    let all: Vec<_> = (0..20_000)
        .map(|id| {
            let at = place(rng.signed() * 80.0, rng.signed() * 80.0);
            let velocity = Vec3::new(rng.signed(), rng.signed(), 0.0) * 4.0;
            let mut it =
                app.world_mut().spawn((AgentId(id), Agent::default().with_facing(AgentFacing::Right), at));
            match id % 4 {
                0 | 1 => drop(it.insert((Flock::default(), AgentVelocity(velocity)))),
                2 => drop(it.insert((Separation::default(), ManualVelocity(velocity)))),
                _ => drop(it.insert((Avoider::default(), ManualVelocity(velocity)))),
            }
            if id % 50 < 2 {
                it.insert(ChildOf(parent));
            }
            it.id()
        })
        .collect();
    ticks(&mut app, 15);
    checksum(&app, &all)
}

/// The checksum of 6,000 agents on paths between walls, with at most this many threads: enough agents that several
/// threads follow paths. Some arrive, some meet others in gaps.
fn walkers(threads: u32) -> u64 {
    let mut app = app(3);
    app.insert_resource(NavSettings::default().with_threads(threads));
    let grid = Grid::from_fn(100, 100, |cell| {
        if cell.x % 10 == 5 && cell.y % 10 > 2 { Terrain::WALL } else { Terrain::GROUND }
    });
    app.world_mut().spawn(NavGrid::new(grid.unwrap()));
    let spawn = |id: u64| {
        let goal = Vec3::new((id * 37 % 100) as f32 + 0.5, (id * 53 % 10) as f32 * 10.0 + 1.5, 0.0);
        let at = place((id % 100) as f32 + 0.5, (id / 100) as f32 + 0.5);
        let body = Agent { radius: 0.2, ..Agent::default() };
        let mut it = app.world_mut().spawn((AgentId(id), body, PathRequest::to(goal), at));
        if id.is_multiple_of(2) {
            it.insert(Avoider::default());
        }
        it.id()
    };
    let all: Vec<_> = (0..6000).map(spawn).collect();
    ticks(&mut app, 40);
    let walking = all.iter().filter(|&&it| app.world().get(it) == Some(&PathStatus::Following)).count();
    assert!((2000..6000).contains(&walking), "many are under way and some are not: {walking}");
    checksum(&app, &all)
}

fn checksum(app: &App, all: &[Entity]) -> u64 {
    let mut sum = Checksum::default();
    all.iter().for_each(|&agent| sum.add(position(app, agent)));
    sum.0
}

#[test]
fn a_large_crowd_is_the_same_for_any_number_of_threads() {
    for run in [crowd as fn(u32) -> u64, walkers] {
        let one = run(1);
        for threads in [0, 2, 3] {
            assert_eq!(run(threads), one, "{threads} threads are as one");
        }
    }
}
