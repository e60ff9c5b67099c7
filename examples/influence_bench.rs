//! What layers of influence cost: searches on a map of which a tenth is touched, beside the same searches without; and
//! ticks of agents that mind sources that move about, beside the same ticks without.
//!
//! `cargo run --release --example influence_bench -- --agents 1000 --sources 20 --side 512 --json`
//!
//! Agents patrol between random cells of scattered blocks of wall; sources move in circles at the speed of the agents.

#[expect(dead_code, reason = "answers and edits are counted by the storm alone")]
#[path = "storm_bench/measure.rs"]
mod measure;

use std::time::{Duration, Instant};

use bevy::ecs::entity::EntityHashMap;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pathfind::{order::PathCause, prelude::*, world::Grid};
use clap::Parser;
use pathfind_core::{PathQuery, SearchScratch, StepRules, solve};
use serde_json::json;

use measure::{Measured, add_clocks, print_stages, quantiles};

/// Ticks and frames per second.
const RATE: u32 = 64;
/// Radius of sources, in cells.
const RADIUS: f32 = 12.0;

/// What layers of influence cost.
#[derive(Parser, Clone)]
struct Flags {
    /// Width and height of the map, in cells
    #[arg(long, value_name = "N", default_value_t = 512)]
    side: u32,
    /// Number of agents
    #[arg(long, value_name = "N", default_value_t = 1000)]
    agents: usize,
    /// Number of sources that move
    #[arg(long, value_name = "N", default_value_t = 20)]
    sources: usize,
    /// Number of searches
    #[arg(long, value_name = "N", default_value_t = 300)]
    queries: usize,
    /// Duration of the measurement, in seconds of game time
    #[arg(long, value_name = "S", default_value_t = 20)]
    seconds: u32,
    /// Print one JSON object as the last line
    #[arg(long)]
    json: bool,
}

fn main() {
    let flags = Flags::parse();
    let mut random = Random(7);
    let maps = [("open", 0), ("blocks", 7)].map(|(name, share)| (name, map(flags.side, share)));
    let ratios = maps.each_ref().map(|(name, map)| (*name, searches(&flags, map, &mut random)));
    let [_, (_, map)] = maps;
    let [(without, _), (with, changes)] = [0, flags.sources].map(|sources| ticks(&flags, &map, sources));
    if flags.json {
        let line = json!({
            "search_ratio_open": ratios[0].1,
            "search_ratio_blocks": ratios[1].1,
            "tick_ms_p50_without": without[0],
            "tick_ms_p50": with[0],
            "tick_ms_p99_without": without[1],
            "tick_ms_p99": with[1],
            "path_changes_per_second": changes.0,
            "least_seconds_between_changes": changes.1,
        });
        println!("{line}");
    }
}

/// Blocks of 3 by 3 cells of wall, one in `share`; none if that is 0.
fn map(side: u32, share: u32) -> Grid {
    let mut random = Random(3);
    let blocks = side.div_ceil(3) as usize;
    let walls: Vec<bool> = (0..blocks * blocks).map(|_| share > 0 && random.below(share) == 0).collect();
    let is_wall = |cell: GridCell| walls[cell.y as usize / 3 * blocks + cell.x as usize / 3];
    let terrain = |cell| if is_wall(cell) { Terrain::WALL } else { Terrain::GROUND };
    Grid::from_fn(side, side, terrain).expect("the side is legal")
}

/// The time of searches on a map of which sources touch a tenth, in times of the same searches without.
fn searches(flags: &Flags, map: &Grid, random: &mut Random) -> f64 {
    let kind = KindId::default();
    let mut scratch = SearchScratch::default();
    let queries: Vec<PathQuery> =
        (0..flags.queries).map(|_| PathQuery::new(random.cell(map), random.cell(map))).collect();
    let mut touched = map.clone();
    let count = (map.width() * map.height()) as f32 / 10.0 / (RADIUS * RADIUS * core::f32::consts::PI);
    for _ in 0..count.ceil() as u32 {
        let center = random.cell(map);
        let away = |cell: GridCell| (cell.distance_squared(center) as f32).sqrt() / RADIUS;
        let rect = CellRect::new(center, center).grown(RADIUS as i32);
        let before = touched.clone();
        let extra = |cell| (8.0 * (1.0 - away(cell))).max(before.extra_cost(kind, cell));
        touched.set_extra_costs(kind, &[rect], extra).expect("the default kind is there");
    }
    // In turn, so that the speed of the machine hardly matters.
    let mut time = |grid: &Grid| {
        let began = Instant::now();
        for query in &queries {
            std::hint::black_box(solve(grid, query, &mut scratch).is_ok());
        }
        began.elapsed().as_secs_f64()
    };
    let rounds: Vec<[f64; 2]> = (0..7).map(|_| [time(map), time(&touched)]).collect();
    let median =
        |read: &dyn Fn(&[f64; 2]) -> f64| quantiles(&mut rounds.iter().map(read).collect::<Vec<_>>())[0];
    let ratio = median(&|[before, after]| after / before);
    let [before, after] = [0, 1].map(|at| median(&|times| times[at]) * 1e6 / queries.len() as f64);
    println!(
        "a search on {}²: {before:.1} µs, with a tenth touched {after:.1} µs ({ratio:.2} times)",
        map.width()
    );
    ratio
}

/// The least time between two changes of an agent's path by itself, and the number of changes.
#[derive(Resource, Default)]
struct Changes {
    last: EntityHashMap<Duration>,
    least: Option<Duration>,
    count: u32,
}

/// A source, and the middle of the circle in which it moves.
#[derive(Component)]
struct Circling(Vec3);

/// Quantiles of the time of a tick; changes of path in a second, and the least time between two of one agent.
fn ticks(flags: &Flags, map: &Grid, sources: usize) -> ([f64; 3], (f64, Option<f32>)) {
    let mut random = Random(11);
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PathfindPlugins::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .init_resource::<Changes>()
        .add_observer(note_change);
    let mut layers = app.world_mut().resource_mut::<InfluenceLayers>();
    let danger = layers.add("danger");
    layers.set_cost(danger, KindId::default(), InfluenceCost::default());
    add_clocks(&mut app, circle);
    app.world_mut().spawn(NavGrid::new(map.clone()));
    for _ in 0..flags.agents {
        let [from, to] = [(); 2].map(|()| random.cell(map).center().extend(0.0));
        app.world_mut().spawn((
            Agent::new(4.0),
            Avoider::default(),
            GoalQueue::ping_pong([from, to]),
            Transform::from_translation(from),
        ));
    }
    for _ in 0..sources {
        let at = random.cell(map).center().extend(0.0);
        let source = InfluenceSource::new(danger, RADIUS).with_strength(8.0);
        app.world_mut().spawn((source, Circling(at), Transform::from_translation(at)));
    }
    (0..2 * RATE).for_each(|_| app.update());
    Measured::restart(&mut app);
    app.insert_resource(Changes::default());
    (0..flags.seconds * RATE).for_each(|_| app.update());
    let mut measured = Measured::restart(&mut app);
    println!("{} agents, {sources} sources that move:", flags.agents);
    print_stages(&mut measured);
    let Changes { least, count, .. } = app.world().resource::<Changes>();
    let (per_second, least) =
        (f64::from(*count) / f64::from(flags.seconds), least.map(|it| it.as_secs_f32()));
    println!("{per_second:.1} changes of path in a second; least time between two of one agent: {least:?} s");
    (quantiles(&mut measured.frames), (per_second, least))
}

fn circle(mut sources: Query<(&Circling, &mut Transform)>, time: Res<Time>) {
    for (Circling(middle), mut at) in &mut sources {
        let (sin, cos) = (time.elapsed_secs() / 5.0 + middle.x).sin_cos();
        at.translation = middle + 20.0 * Vec3::new(cos, sin, 0.0);
    }
}

fn note_change(on: On<PathFound>, time: Res<Time>, mut changes: ResMut<Changes>) {
    if on.cause == PathCause::ShorterWay {
        let (now, changes) = (time.elapsed(), &mut *changes);
        changes.count += 1;
        if let Some(before) = changes.last.insert(on.entity, now) {
            changes.least = Some(changes.least.map_or(now - before, |least| least.min(now - before)));
        }
    }
}

/// A linear congruential generator with Knuth's constants.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(n)) as u32
    }

    /// A random cell that is joined with most of the map.
    fn cell(&mut self, grid: &Grid) -> GridCell {
        let middle = grid.nearest_walkable(KindId::default(), (grid.size() / 2).as_ivec2().into());
        loop {
            let cell = GridCell::new(self.below(grid.width()) as i32, self.below(grid.height()) as i32);
            if grid.connected(KindId::default(), StepRules::default(), cell, middle.unwrap_or(cell)) {
                return cell;
            }
        }
    }
}
