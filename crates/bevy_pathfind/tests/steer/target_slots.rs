//! Slots at targets and reservations of cells: who gets them, who waits, and what releases them.

use std::collections::{HashMap, HashSet};

use bevy::prelude::*;
use bevy_pathfind::order::{CellRequest, CellsFound, ReservationEnd, ReservationEnded, SlotLayout};
use bevy_pathfind::{prelude::*, solve::SolveMode, world::Grid};

use crate::support::*;

const RADIUS: f32 = 0.4;
const SPEED: f32 = 4.0;

fn fighter(target: Entity) -> impl Bundle {
    (Agent { radius: RADIUS, ..Agent::new(SPEED) }, Avoider::default(), Pursuer::intercept(target))
}

/// A target that goes in a circle, at a speed.
#[derive(Component)]
struct Circling(f32);

fn circle(mut circling: Query<(&Circling, &mut ManualVelocity, &mut Transform)>, time: Res<Time>) {
    for (&Circling(speed), mut velocity, mut transform) in &mut circling {
        let angle = time.elapsed_secs() * speed / 8.0;
        velocity.0 = speed * Vec3::new(angle.cos(), angle.sin(), 0.0);
        transform.rotation = Quat::from_rotation_z(angle);
    }
}

fn world(map: Grid) -> App {
    let mut app = app(SolveMode::Inline);
    app.insert_resource(SearchOptions::default()).add_systems(FixedPreUpdate, circle);
    spawn_grid(&mut app, map);
    app
}

fn slot(app: &App, agent: Entity) -> Option<u32> {
    app.world().get::<SlotClaim>(agent).and_then(SlotClaim::slot)
}

/// Whether an agent stands in its slot, within half a body.
fn is_in_slot(app: &App, agent: Entity) -> bool {
    let claim = app.world().get::<SlotClaim>(agent).filter(|claim| claim.slot().is_some());
    claim.is_some_and(|claim| claim.point().distance(position(app, agent)) <= RADIUS)
}

/// How the agents that wait change their headings: how often by more than 45 degrees while they move.
#[derive(Default)]
struct Headings {
    last: HashMap<Entity, Vec3>,
    changes: HashMap<Entity, usize>,
}

impl Headings {
    fn note(&mut self, agent: Entity, velocity: Vec3) {
        if velocity.length() < 0.1 * SPEED {
            return;
        }
        let heading = velocity.normalize();
        let last = self.last.entry(agent).or_insert(heading);
        if last.dot(heading) < 0.5_f32.sqrt() {
            *last = heading;
            *self.changes.entry(agent).or_default() += 1;
        }
    }
}

/// What was measured of a melee.
#[derive(Debug)]
struct Melee {
    /// When the first slot was filled, and when all, in seconds.
    first_after: f32,
    full_after: f32,
    /// The share of slots that are filled from then on, on average.
    filled: f32,
    /// The least time between two changes of slot of one agent, in seconds, and how many changes there were in all.
    least_between: f32,
    changes: usize,
    /// Heading changes of an agent that waits in a second: the mean, and the most of one agent.
    mean_headings: f32,
    most_headings: f32,
}

/// A hundred fighters and a target that goes with a speed, for so many seconds.
fn melee(speed: f32, start: impl Fn(usize) -> Vec3, seconds: usize) -> Melee {
    let sp: f32 = std::env::var("SP").ok().and_then(|it| it.parse().ok()).unwrap_or(1.25);
    let mut app = world(open(120, 120));
    let ogre = (Agent { radius: 0.8, ..Agent::new(SPEED) }, Avoider::default(), Circling(speed));
    let at = Transform::from_xyz(60.0, 60.0, 0.0);
    let target = app.world_mut().spawn((ogre, ManualVelocity::default(), TargetSlots::ring(2.0, 2.0).with_spacing(sp), at)).id();
    let agents: Vec<_> = (0..100)
        .map(|index| app.world_mut().spawn((fighter(target), Transform::from_translation(start(index)))).id())
        .collect();
    let slots = (core::f32::consts::TAU * 2.0 / sp).floor() as usize;
    let (mut first_after, mut full_after, mut filled, mut counted) = (f32::INFINITY, f32::INFINITY, 0.0, 0);
    let mut last: HashMap<Entity, (Option<u32>, f32)> = HashMap::new();
    let (mut least_between, mut changes) = (f32::INFINITY, 0);
    let mut headings = Headings::default();
    let mut waited = 0.0;
    for tick in 0..64 * seconds {
        app.update();
        let now = (tick + 1) as f32 / 64.0;
        let held: Vec<_> = agents.iter().filter_map(|&agent| slot(&app, agent)).collect();
        assert_eq!(held.len(), held.iter().collect::<HashSet<_>>().len(), "no two share a slot, {now} s");
        let there = agents.iter().filter(|&&agent| is_in_slot(&app, agent)).count();
        if there > 0 {
            first_after = first_after.min(now);
        }
        if tick % 32 == 0 {
            print!("{there} ");
        }
        if std::env::var("DBG").is_ok() && tick % 16 == 0 && now > 1.5 && now < 6.0 {
            for &agent in &agents {
                if slot(&app, agent).is_some() && !is_in_slot(&app, agent) {
                    let claim = app.world().get::<SlotClaim>(agent).unwrap();
                    println!("DBG {now} {agent} at {} slot {} v {} b {:?}", position(&app, agent)-position(&app,target), claim.point()-position(&app,target), velocity(&app, agent), app.world().get::<bevy_pathfind::steer::SteeringBreakdown>(agent));
                }
            }
        }
        if there == slots {
            full_after = full_after.min(now);
        }
        if full_after.is_finite() {
            filled += there as f32 / slots as f32;
            counted += 1;
        }
        for &agent in &agents {
            let has = slot(&app, agent);
            match last.get_mut(&agent) {
                None => _ = last.insert(agent, (has, f32::NEG_INFINITY)),
                Some((before, changed)) if *before != has => {
                    least_between = least_between.min(now - *changed);
                    (*before, *changed) = (has, now);
                    changes += 1;
                }
                _ => (),
            }
            if has.is_none() && now > 3.0 {
                headings.note(agent, velocity(&app, agent));
                waited += 1.0 / 64.0;
            } else {
                headings.last.remove(&agent);
            }
        }
    }
    let of_one = (seconds - 3) as f32;
    Melee {
        first_after,
        full_after,
        filled: filled / counted as f32,
        least_between,
        changes,
        mean_headings: headings.changes.values().sum::<usize>() as f32 / waited,
        most_headings: headings.changes.values().copied().max().unwrap_or(0) as f32 / of_one,
    }
}

#[test]
fn a_hundred_fighters_surround_one_target() {
    // A block to the left of the target, and a ring round it.
    let block = |index: usize| Vec3::new(55.5 - (index / 10) as f32, 55.5 + (index % 10) as f32, 0.0);
    let round = |index: usize| {
        let (angle, radius) = (index as f32 * 2.4, 4.0 + index as f32 * 0.06);
        Vec3::new(60.0 + radius * angle.cos(), 60.0 + radius * angle.sin(), 0.0)
    };
    let all = [
        ("block, stands", melee(0.0, block, 12)),
        ("block, moves", melee(1.5, block, 12)),
        ("round, stands", melee(0.0, round, 12)),
        ("round, moves", melee(1.5, round, 12)),
    ];
    for (name, measured) in &all {
        println!("{name}: {measured:?}");
    }
    for (name, measured) in all {
        assert!(measured.full_after <= 3.0, "{name}: the ring is full after {} s", measured.full_after);
        assert!(measured.least_between >= 1.0, "{name}: another slot after {} s", measured.least_between);
        assert!(measured.mean_headings < 1.0 && measured.most_headings < 1.0, "{name}: {measured:?}");
        assert!(measured.filled > 0.9, "{name}: {} of the ring is filled", measured.filled);
    }
}
