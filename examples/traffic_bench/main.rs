//! Many bodies at narrow places, headless: how many arrangements of a scene resolve, and how long they take.
//!
//! `cargo run --release --example traffic_bench -- counter-flow --width 1 --agents 6 --against 6 --json`
//!
//! Each arrangement puts every agent elsewhere by up to 0.15 cells. An arrangement resolves if all agents arrive within
//! the time limit. The time alone is that of one agent without the others.

mod scene;

use std::process::ExitCode;

use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pathfind::prelude::*;
use bevy_pathfind::solve::{SolveMode, SolveSettings};
use bevy_pathfind::world::Grid;
use clap::{Parser, ValueEnum};
use pathfind_core::{AgentKind, AgentSize, KindId};
use serde_json::json;

use scene::{Kind, Scene};

/// Ticks per second.
const RATE: u32 = 64;
/// Top speed of all agents, in cells per second.
const SPEED: f32 = 3.0;
/// By how much arrangements move a start at most, in cells.
const JITTER: f32 = 0.15;

/// Many bodies at narrow places.
#[derive(Parser)]
struct Flags {
    /// The scene
    scene: Kind,
    /// Width of its narrowest place, in cells
    #[arg(long, value_name = "N", default_value_t = 1)]
    width: u32,
    /// Number of agents that go one way
    #[arg(long, value_name = "N", default_value_t = 20)]
    agents: usize,
    /// Number of agents that go the other way, or stand in the way
    #[arg(long, value_name = "N", default_value_t = 0)]
    against: usize,
    /// Radius of all bodies, in cells
    #[arg(long, value_name = "R", default_value_t = 0.3)]
    radius: f32,
    /// What keeps out of walls: the whole body or its centre
    #[arg(long, value_name = "BODY", default_value = "disc")]
    body: BodyShape,
    /// What a length costs more where crowds need twice the time for it; 0 for paths that ignore crowds
    #[arg(long, value_name = "W", default_value_t = 0.0)]
    crowding: f32,
    /// Number of arrangements
    #[arg(long, value_name = "N", default_value_t = 27)]
    arrangements: u32,
    /// Number of the first arrangement
    #[arg(long, value_name = "N", default_value_t = 0)]
    first: u32,
    /// Time limit, in seconds of the game
    #[arg(long, value_name = "S", default_value_t = 240)]
    seconds: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum BodyShape {
    Disc,
    Point,
}

/// When agents have arrived, in ticks.
#[derive(Resource, Default)]
struct Arrivals(Vec<u32>, u32);

/// What became of one arrangement.
#[derive(Default)]
struct Outcome {
    arrivals: Vec<u32>,
    is_resolved: bool,
    /// How often an agent that moved came to a stop for a second.
    stops: u32,
    /// The greatest overlap of two bodies, in cells.
    overlap: f32,
}

fn main() -> ExitCode {
    let flags = Flags::parse();
    let scene = Scene::new(flags.scene, flags.width, [flags.agents, flags.against]);
    let count = scene.walkers.len();
    let alone = [0, count / 2, count - 1].map(|only| run(&flags, &scene, 0, Some(only)).last(&flags));
    let alone = alone.into_iter().fold(0.0, f64::max);
    let runs = flags.first..flags.first + flags.arrangements;
    let outcomes: Vec<Outcome> = runs.map(|arrangement| run(&flags, &scene, arrangement, None)).collect();
    let mut times: Vec<f64> = outcomes.iter().map(|outcome| outcome.last(&flags)).collect();
    let mut flows: Vec<f64> = outcomes.iter().filter_map(Outcome::flow).collect();
    times.sort_by(f64::total_cmp);
    flows.sort_by(f64::total_cmp);
    let median = |sorted: &[f64]| sorted.get(sorted.len() / 2).copied().unwrap_or(0.0);
    let resolved = outcomes.iter().filter(|outcome| outcome.is_resolved).count();
    let minutes: f64 = times.iter().sum::<f64>() * count as f64 / 60.0;
    let stops =
        f64::from(outcomes.iter().map(|outcome| outcome.stops).sum::<u32>()) / minutes.max(f64::EPSILON);
    let overlap = outcomes.iter().map(|outcome| outcome.overlap).fold(0.0, f32::max);
    if flags.json {
        let line = json!({
            "scene": flags.scene.to_possible_value().map(|value| value.get_name().to_owned()),
            "width": flags.width, "radius": flags.radius, "agents": count,
            "resolved": resolved, "of": flags.arrangements,
            "alone_s": alone, "median_s": median(&times), "worst_s": times.last(),
            "flow_per_s": median(&flows), "stops_per_agent_minute": stops, "overlap": overlap,
        });
        println!("{line}");
    } else {
        println!(
            "{resolved} of {} resolved; alone {alone:.1} s, median {:.1} s, worst {:.1} s; {:.2} agents a second; {stops:.2} stops an agent and minute; overlap {overlap:.3}",
            flags.arrangements,
            median(&times),
            times.last().unwrap_or(&0.0),
            median(&flows),
        );
    }
    ExitCode::SUCCESS
}

impl Outcome {
    /// When the last agent arrived, in seconds; the time limit if one did not.
    fn last(&self, flags: &Flags) -> f64 {
        let last = self.arrivals.last().filter(|_| self.is_resolved);
        last.map_or(f64::from(flags.seconds), |&tick| f64::from(tick) / f64::from(RATE))
    }

    /// How many agents arrive a second, from the first fifth to the fourth.
    fn flow(&self) -> Option<f64> {
        let count = self.arrivals.len();
        let (from, to) = (count / 5, count * 4 / 5);
        let ticks = self.arrivals.get(to)?.checked_sub(*self.arrivals.get(from)?)?;
        (ticks > 0).then(|| (to - from) as f64 * f64::from(RATE) / f64::from(ticks))
    }
}

/// Runs an arrangement, or `only` one agent of it.
fn run(flags: &Flags, scene: &Scene, arrangement: u32, only: Option<usize>) -> Outcome {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PathfindPlugins::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(SolveSettings { mode: SolveMode::Inline, ..default() })
        .init_resource::<Arrivals>()
        .add_observer(|on: On<AgentArrived>, mut arrivals: ResMut<Arrivals>, mut commands: Commands| {
            let now = arrivals.1;
            arrivals.0.push(now);
            commands.entity(on.entity).despawn();
        });
    let terrain = |cell: GridCell| if scene.is_wall(cell) { Terrain::WALL } else { Terrain::GROUND };
    let mut grid = Grid::from_fn(scene.size.x, scene.size.y, terrain).expect("a scene has a size");
    let kind = match flags.body {
        BodyShape::Disc => KindId::default(),
        BodyShape::Point => {
            grid.add_kind(AgentKind::default().with_size(AgentSize::Disc(0.0))).expect("a point is a size")
        }
    };
    let world = app.world_mut();
    world.spawn(NavGrid::new(grid));
    if flags.crowding > 0.0 {
        let mut layers = world.resource_mut::<InfluenceLayers>();
        let crowding = layers.add(InfluenceLayers::CROWDING);
        layers.set_cost(crowding, kind, InfluenceCost::weight(flags.crowding));
    }
    let agent = Agent { radius: flags.radius, kind, arrive_radius: 0.4, ..Agent::new(SPEED) };
    let mut random = u64::from(arrangement) + 1;
    let mut jitter = || {
        random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        ((random >> 40) as f32 / (1 << 23) as f32 - 1.0) * JITTER
    };
    let mut walkers = HashMap::new();
    for (index, walker) in scene.walkers.iter().enumerate() {
        let at =
            (walker.from + Vec2::new(jitter(), jitter())).max(Vec2::splat(flags.radius + 0.05)).extend(0.0);
        if only.is_none_or(|only| only == index) {
            let goal = NavGoal::within(walker.to.extend(0.0), walker.within);
            let bundle = (agent, Avoider::default(), Transform::from_translation(at), PathRequest::to(goal));
            walkers.insert(world.spawn(bundle).id(), Progress { at, slow: 0, has_moved: false });
        }
    }
    for &at in scene.idle.iter().filter(|_| only.is_none()) {
        world.spawn((agent, Avoider::default(), Transform::from_translation(at.extend(0.0))));
    }
    let mut outcome = Outcome::default();
    for tick in 1..=RATE * flags.seconds {
        app.world_mut().resource_mut::<Arrivals>().1 = tick;
        app.update();
        if tick % (RATE / 2) == 0 {
            outcome.observe(&app, &mut walkers, flags.radius);
        }
        if app.world().resource::<Arrivals>().0.len() == walkers.len() {
            outcome.is_resolved = true;
            break;
        }
    }
    outcome.arrivals = app.world().resource::<Arrivals>().0.clone();
    outcome
}

/// Where an agent was half a second ago, for how many half seconds it has been slow, and whether it has moved since its
/// last stop.
struct Progress {
    at: Vec3,
    slow: u32,
    has_moved: bool,
}

impl Outcome {
    fn observe(&mut self, app: &App, walkers: &mut HashMap<Entity, Progress>, radius: f32) {
        let mut places: Vec<Vec3> = Vec::new();
        for (&entity, progress) in walkers {
            let Some(at) = app.world().get::<Transform>(entity).map(|it| it.translation) else { continue };
            let moved = at.distance(core::mem::replace(&mut progress.at, at));
            places.push(at);
            progress.slow = if moved < 0.08 { progress.slow + 1 } else { 0 };
            progress.has_moved |= moved > 0.7;
            if progress.slow == 2 && core::mem::take(&mut progress.has_moved) {
                self.stops += 1;
            }
        }
        for (index, at) in places.iter().enumerate() {
            for other in &places[..index] {
                self.overlap = self.overlap.max(2.0 * radius - at.distance(*other));
            }
        }
    }
}
