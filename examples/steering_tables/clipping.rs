//! Clipping: how often a body that crosses a field of obstacles touches one, for each avoidance rule.

use core::f32::consts::TAU;

use glam::Vec3;
use pathfind_core::steer::avoid::{AvoidState, AvoidanceInput, Sweep};
use pathfind_core::steer::classic::Ray;
use pathfind_core::steer::contact::Step;
use pathfind_core::steer::contact::obstacles::is_clear;
use pathfind_core::steer::obstacle::{Cast, Hit, LayerMask, ObstacleProbe, Obstacles, Shape};
use pathfind_core::steer::{Body, CounterRng, MovementPlane};

/// Runs per kind of field, each through a different field.
const RUNS: u64 = 600;
/// Ticks per second.
const RATE: f32 = 60.0;
const RADIUS: f32 = 0.5;
const SPEED: f32 = 5.0;
/// The largest change of velocity per second.
const ACCELERATION: f32 = 20.0;
/// Distance from start to goal, and the half-width of the field of obstacles between them.
const LENGTH: f32 = 40.0;
const WIDTH: f32 = 10.0;
/// The least gap between two obstacles, and round start and goal: the body fits through.
const GAP: f32 = 1.4;
/// Time limit of a run, in seconds: two and a half times the straight path.
const TIME_LIMIT: f32 = 2.5 * LENGTH / SPEED;
/// The look-ahead of rules that have none of their own.
const RANGE: f32 = 4.0;
/// Names of the fields, and their numbers of obstacles.
const FIELDS: [(&str, u32); 2] = [("sparse", 25), ("dense", 90)];

/// An avoidance rule: from the desired velocity to the one to have.
type Rule = fn(AvoidanceInput, &mut AvoidState, &Obstacles) -> Vec3;

/// The results of a rule in one kind of field.
#[derive(Default)]
struct Score {
    touched: u32,
    arrived: u32,
    seconds: f32,
}

/// Prints the table.
pub(crate) fn print() {
    let heads = FIELDS.map(|(name, _)| format!("{name}: touches | arrives | after"));
    println!("| rule | {} |\n|---|---|---|---|---|---|---|", heads.join(" | "));
    let rules: [(&str, Rule); 6] = [
        ("none", |input, _, _| input.desired),
        ("`Ray`, force 50", ray),
        ("swept width, forward + normal · 50", swept_normal),
        ("three whiskers", whiskers),
        ("context steering, 16 slots", context),
        ("`Sweep`", sweep),
    ];
    for (name, rule) in rules {
        let scores = FIELDS.map(|(_, count)| Score::of(rule, count).to_string());
        println!("| {name} | {} |", scores.join(" | "));
    }
    println!();
}

impl Score {
    fn of(rule: Rule, obstacles: u32) -> Self {
        let mut score = Self::default();
        for run in 0..RUNS {
            let (touched, arrival) = cross(rule, &field(run, obstacles));
            score.touched += u32::from(touched);
            score.arrived += u32::from(arrival.is_some());
            score.seconds += arrival.unwrap_or_default();
        }
        score
    }
}

impl core::fmt::Display for Score {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let share = |count: u32| 100.0 * count as f32 / RUNS as f32;
        write!(out, "{:.1} % | {:.1} % | ", share(self.touched), share(self.arrived))?;
        match self.arrived {
            0 => write!(out, "-"),
            count => write!(out, "{:.1} s", self.seconds / count as f32),
        }
    }
}

/// A random field of circles between the start and the goal.
fn field(run: u64, count: u32) -> Obstacles {
    let mut rng = CounterRng::new(0xF1E1D, run, 0);
    let ends = [Vec3::ZERO, Vec3::X * LENGTH];
    let mut circles: Vec<(Vec3, f32)> = Vec::new();
    for _ in 0..count {
        // If no free place is found in 50 tries, the obstacle is left out.
        for _ in 0..50 {
            let place = Vec3::new(rng.unit() * LENGTH, rng.signed() * WIDTH, 0.0);
            let reach = 0.5 + rng.unit();
            let is_apart = |other: Vec3, room: f32| place.distance(other) > reach + room;
            if ends.iter().all(|&end| is_apart(end, RADIUS + GAP))
                && circles.iter().all(|&(other, radius)| is_apart(other, radius + GAP))
            {
                circles.push((place, reach));
                break;
            }
        }
    }
    let mut field = Obstacles::new(Some(MovementPlane::XY));
    field.rebuild(circles.into_iter().map(|(place, radius)| Shape::sphere(place, radius)), 0.0);
    field
}

/// Simulates one run: whether the body touched anything, and its arrival time.
fn cross(rule: Rule, field: &Obstacles) -> (bool, Option<f32>) {
    let goal = Vec3::X * LENGTH;
    let mut body = Body::new(Vec3::ZERO, Vec3::X * SPEED).with_radius(RADIUS);
    let (mut state, mut touched) = (AvoidState::default(), false);
    for tick in 0..(TIME_LIMIT * RATE) as u32 {
        let desired = (goal - body.position).normalize_or_zero() * SPEED;
        let input = AvoidanceInput { body, desired, goal: Some(goal), plane: Some(MovementPlane::XY) };
        let wanted = rule(input, &mut state, field);
        body.velocity = body.velocity.move_towards(wanted, ACCELERATION / RATE);
        body.position += body.velocity / RATE;
        let Body { position, radius, .. } = body;
        let here = Step {
            from: position,
            to: position,
            radius: radius - 1e-3,
            mask: LayerMask::ALL,
            except: None,
            dt: 0.0,
            since: 0.0,
        };
        touched |= !is_clear(here, field);
        if body.position.distance(goal) < RADIUS {
            return (touched, Some(tick as f32 / RATE));
        }
    }
    (touched, None)
}

fn ray(input: AvoidanceInput, _: &mut AvoidState, field: &Obstacles) -> Vec3 {
    let ray = Ray { range: RANGE, ..Ray::default() };
    ray.steer(input, input.body.velocity, field).velocity
}

fn sweep(input: AvoidanceInput, state: &mut AvoidState, field: &Obstacles) -> Vec3 {
    let sweep = Sweep { braking: 0.5 * ACCELERATION, ..Sweep::default() };
    sweep.steer(input, state, 1.0 / RATE, field).velocity
}

/// As [`Ray`], but sweeping the body's width.
fn swept_normal(input: AvoidanceInput, _: &mut AvoidState, field: &Obstacles) -> Vec3 {
    let ahead = input.body.velocity.normalize_or(Vec3::X);
    turned_by(input, ahead, probe(input, field, ahead, RADIUS, RANGE))
}

/// A long whisker ahead and two short ones 30° to the sides, each as wide as the body; the nearest hit counts.
fn whiskers(input: AvoidanceInput, _: &mut AvoidState, field: &Obstacles) -> Vec3 {
    let ahead = input.body.velocity.normalize_or(Vec3::X);
    let (side, (sin, cos)) = (Vec3::Z.cross(ahead), libm::sincosf(TAU / 12.0));
    let whiskers = [(ahead, 1.0), (ahead * cos + side * sin, 0.6), (ahead * cos - side * sin, 0.6)];
    let hits = whiskers
        .into_iter()
        .filter_map(|(direction, part)| probe(input, field, direction, RADIUS, RANGE * part));
    turned_by(input, ahead, hits.reduce(|a, b| if b.distance < a.distance { b } else { a }))
}

/// Context steering with sixteen directions: interest is the direction's component towards the goal, danger the
/// shortness of the free path. Takes the most interesting of the least dangerous directions.
fn context(input: AvoidanceInput, _: &mut AvoidState, field: &Obstacles) -> Vec3 {
    let slots: [(Vec3, f32); 16] = core::array::from_fn(|slot| {
        let (sin, cos) = libm::sincosf(TAU * slot as f32 / 16.0);
        let direction = Vec3::new(cos, sin, 0.0);
        let hit = probe(input, field, direction, RADIUS, RANGE);
        (direction, hit.map_or(0.0, |hit| 1.0 - hit.distance / RANGE))
    });
    let least = slots.iter().map(|&(_, danger)| danger).fold(f32::INFINITY, f32::min);
    let safe = slots.iter().filter(|&&(_, danger)| danger <= least);
    let best = safe.max_by(|a, b| a.0.dot(input.desired).total_cmp(&b.0.dot(input.desired)));
    best.map_or(Vec3::ZERO, |&(direction, _)| direction * SPEED)
}

fn probe(input: AvoidanceInput, field: &Obstacles, direction: Vec3, radius: f32, range: f32) -> Option<Hit> {
    field.sweep(&Cast::new(input.body.position, direction, radius, range))
}

fn turned_by(input: AvoidanceInput, ahead: Vec3, hit: Option<Hit>) -> Vec3 {
    hit.map_or(input.desired, |hit| (ahead + hit.normal * 50.0).normalize_or_zero() * SPEED)
}
