//! Groups: formations through a door and a corridor, beside as many single agents; and slots round a target that moves.
//!
//! `cargo run --release --example squad_bench -- --members 40 --fighters 100 --json`

use std::collections::{HashMap, HashSet};

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pathfind::{prelude::*, world::Grid};
use clap::Parser;
use pathfind_core::steer::formation::assign;
use serde_json::{Value, json};

/// Ticks per second.
const RATE: f32 = 64.0;
/// Top speed, in cells per second, and radius of all agents.
const SPEED: f32 = 4.0;
const RADIUS: f32 = 0.4;
/// Duration of the fight, in seconds of game time.
const SECONDS: u32 = 20;

/// Groups: formations through narrow ground, and slots round a target.
#[derive(Parser)]
struct Flags {
    /// Number of members of a formation
    #[arg(long, value_name = "N", default_value_t = 40)]
    members: usize,
    /// Number of agents that surround the target
    #[arg(long, value_name = "N", default_value_t = 100)]
    fighters: usize,
    /// Speed of the target, in cells per second
    #[arg(long, value_name = "V", default_value_t = 1.0)]
    speed: f32,
    /// Print one JSON object as the last line
    #[arg(long)]
    json: bool,
}

fn main() {
    let flags = Flags::parse();
    let squads = [("door", 1, 1), ("corridor", 20, 2)].map(|walls| squad(&flags, walls));
    let fight = fight(&flags);
    if flags.json {
        println!("{}", json!({ "formations": squads, "slots": fight }));
    }
}

fn app(map: Grid) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PathfindPlugins::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.world_mut().spawn(NavGrid::new(map));
    app.update();
    app
}

fn body(x: f32, y: f32) -> impl Bundle {
    (Agent::new(SPEED).with_radius(RADIUS), Avoider::default(), Transform::from_xyz(x, y, 0.0))
}

fn places(app: &App, agents: &[Entity]) -> Vec<Vec2> {
    agents.iter().filter_map(|&it| Some(app.world().get::<Transform>(it)?.translation.truncate())).collect()
}

/// A line and as many single agents through a wall with a gap, until the last of them is through.
fn squad(flags: &Flags, (name, depth, gap): (&str, i32, i32)) -> Value {
    let (wall, end) = (30..30 + depth, 30 + depth);
    let is_wall = |cell: GridCell| wall.contains(&cell.x) && !(16..16 + gap).contains(&cell.y);
    let terrain = |cell: GridCell| if is_wall(cell) { Terrain::WALL } else { Terrain::GROUND };
    let goal = Vec3::new(end as f32 + 20.5, 16.5, 0.0);
    let [(alone, _), (together, off)] = [false, true].map(|is_group| {
        let mut app = app(Grid::from_fn(end as u32 + 40, 33, terrain).expect("the size is legal"));
        let group = app.world_mut().spawn(Formation::line()).id();
        let agents: Vec<_> = (0..flags.members)
            .map(|index| {
                let at = Vec2::new(4.5 + (index / 16) as f32 * 1.3, 6.5 + (index % 16) as f32 * 1.3);
                let mut agent = app.world_mut().spawn(body(at.x, at.y));
                match is_group {
                    true => agent.insert(FormationOf::new(group)).id(),
                    false => agent.insert(PathRequest::to(goal)).id(),
                }
            })
            .collect();
        if is_group {
            app.world_mut().commands().entity(group).go_to(goal);
        }
        let is_through = |app: &App| places(app, &agents).iter().all(|at| at.x > end as f32);
        let mut seconds = 0.0;
        while seconds < 300.0 && !is_through(&app) {
            (seconds, _) = (seconds + 1.0 / RATE, app.update());
        }
        (0..3 * RATE as u32).for_each(|_| app.update());
        (seconds, off(&places(&app, &agents)))
    });
    let ratio = together / alone;
    println!(
        "{} through the {name}: alone {alone:.1} s, in line {together:.1} s ({ratio:.2}); 3 s later {off:.2} off",
        flags.members
    );
    json!({ "ground": name, "seconds": together, "seconds_alone": alone, "ratio": ratio, "in_form_distance": off })
}

/// The mean distance of agents from the places (x to the right, y forward) of a line that looks to the right of the map.
fn off(agents: &[Vec2]) -> f32 {
    let mean = |points: &[Vec2]| points.iter().sum::<Vec2>() / points.len() as f32;
    let line = Formation::line();
    let ideal = line.shape.places(agents.len(), None);
    let turned = |place: &Vec2| mean(agents) + -(*place - mean(&ideal)).perp() * line.spacing;
    let places: Vec<_> = ideal.iter().map(turned).collect();
    let gaps = agents.iter().zip(assign(agents, &places)).map(|(at, place)| at.distance(places[place]));
    gaps.sum::<f32>() / agents.len() as f32
}

/// Agents all round a target that goes in a circle.
fn fight(flags: &Flags) -> Value {
    let mut app = app(Grid::new(160, 160).expect("the size is legal"));
    let slots = TargetSlots::ring(2.0, 2.0);
    let count = (core::f32::consts::TAU * 2.0 / slots.spacing) as usize;
    let target = app.world_mut().spawn((body(80.0, 80.0), slots, ManualVelocity::default())).id();
    let agents: Vec<_> = (0..flags.fighters)
        .map(|index| {
            let at = 80.0 + (4.0 + index as f32 * 0.06) * Vec2::from_angle(index as f32 * 2.4);
            app.world_mut().spawn((body(at.x, at.y), Pursuer::intercept(target))).id()
        })
        .collect();
    let (mut full, mut shared, mut changes, mut had) = (None, 0, 0, HashMap::new());
    for tick in 1..=SECONDS * RATE as u32 {
        let now = tick as f32 / RATE;
        let way = Vec2::from_angle(now * flags.speed / 8.0) * flags.speed;
        app.world_mut().entity_mut(target).insert(ManualVelocity(way.extend(0.0)));
        app.update();
        let claims: Vec<_> =
            agents.iter().filter_map(|&it| Some((it, *app.world().get::<SlotClaim>(it)?))).collect();
        let held: Vec<_> = claims.iter().filter_map(|(_, claim)| claim.slot()).collect();
        shared += held.len() - held.iter().collect::<HashSet<_>>().len();
        changes += claims
            .iter()
            .filter(|(it, claim)| had.insert(*it, claim.slot()).is_some_and(|before| before != claim.slot()))
            .count();
        let gap = |it: Entity, claim: &SlotClaim| places(&app, &[it])[0].distance(claim.point().truncate());
        let filled = claims.iter().filter(|(it, claim)| claim.slot().is_some() && gap(*it, claim) <= RADIUS);
        full = full.or((filled.count() == count).then_some(now));
    }
    let changes = changes as f32 / SECONDS as f32 / flags.fighters as f32;
    println!(
        "{} round a target: {count} slots filled after {full:?} s, {shared} shared; {changes:.3} changes of slot for each in a second",
        flags.fighters
    );
    json!({ "slots": count, "full_after_seconds": full, "shared": shared, "changes_per_agent_and_second": changes })
}
