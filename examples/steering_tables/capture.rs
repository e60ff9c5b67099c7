//! Capture: how often and how fast each pursuit mode catches a prey that runs straight on.

use glam::Vec3;
use pathfind_core::steer::pursue::{PursuitMode, PursuitSettings, intercept_time, pursue};
use pathfind_core::steer::turn::turned_velocity;
use pathfind_core::steer::{Body, CounterRng, MotionLimits};

/// Number of random starts for each mode and prey.
const STARTS: u64 = 3_000;
/// Time limit of a hunt, in seconds.
const TIME_LIMIT: f32 = 120.0;
/// Ticks per second.
const RATE: f32 = 60.0;
const CATCH_RADIUS: f32 = 1.0;
const SPEED: f32 = 5.0;
/// Turn rate of the hunter, in radians per second.
const TURN_RATE: f32 = core::f32::consts::TAU;
/// Speeds of the prey, relative to the hunter's.
const RATIOS: [f32; 2] = [1.3, 0.8];

/// The initial state of a hunt.
struct Start {
    gap: Vec3,
    /// The constant velocity of the prey.
    velocity: Vec3,
    /// The hunter's initial velocity.
    running: Vec3,
    /// The capture time of a hunter that turns instantly and aims perfectly; `None` if it cannot catch the prey.
    optimum: Option<f32>,
}

/// The results of a mode.
#[derive(Default)]
struct Score {
    caught: u32,
    /// The sum of capture time over optimum, for captures that have an optimum.
    ratios: f64,
    compared: u32,
}

/// Prints the table.
pub(crate) fn print() {
    println!(
        "| mode | caught, prey 1.3× as fast | of the least time | caught, prey 0.8× as fast | of the least time |"
    );
    println!("|---|---|---|---|---|");
    let fields = RATIOS.map(starts);
    for (name, mode) in [
        ("`Basic`", PursuitMode::Basic),
        ("`LineOfSight`", PursuitMode::LineOfSight),
        ("`ClosingTime`", PursuitMode::ClosingTime),
        ("`Intercept`", PursuitMode::Intercept),
    ] {
        let columns = fields.each_ref().map(|starts| Score::of(mode, starts).to_string());
        println!("| {name} | {} |", columns.join(" | "));
    }
    let feasible = fields.map(|starts| {
        let count = starts.iter().filter(|start| start.optimum.is_some()).count();
        format!("{:.1} % | 1", share(count as f64))
    });
    println!("| (possible) | {} |\n", feasible.join(" | "));
}

/// The random starts, the same for every mode: the prey 10 to 100 away, both running in random directions in the
/// plane.
fn starts(ratio: f32) -> Vec<Start> {
    let start = |agent| {
        let mut rng = CounterRng::new(0xC4A5E, agent, 0);
        let mut direction = || {
            let angle = rng.unit() * core::f32::consts::TAU;
            Vec3::new(libm::cosf(angle), libm::sinf(angle), 0.0)
        };
        let (aside, velocity, running) = (direction(), direction() * SPEED * ratio, direction() * SPEED);
        let gap = aside * (10.0 + 90.0 * rng.unit());
        let optimum = intercept_time(gap, velocity, SPEED, CATCH_RADIUS).filter(|&time| time <= TIME_LIMIT);
        Start { gap, velocity, running, optimum }
    };
    (0..STARTS).map(start).collect()
}

impl Score {
    fn of(mode: PursuitMode, starts: &[Start]) -> Self {
        let settings = PursuitSettings::new(mode).with_catch_radius(CATCH_RADIUS).with_horizon(TIME_LIMIT);
        let mut score = Self::default();
        for start in starts {
            let Some(time) = simulate(&settings, start) else { continue };
            score.caught += 1;
            if let Some(optimum) = start.optimum {
                score.ratios += f64::from(time / optimum);
                score.compared += 1;
            }
        }
        score
    }
}

impl core::fmt::Display for Score {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let caught = share(f64::from(self.caught));
        write!(out, "{caught:.1} % | {:.2}", self.ratios / f64::from(self.compared))
    }
}

/// Simulates a hunt; the capture time in seconds, or `None` if the prey was not caught.
fn simulate(settings: &PursuitSettings, start: &Start) -> Option<f32> {
    let limits = MotionLimits::new(SPEED, 1.0 / RATE);
    let mut hunter = Body::new(Vec3::ZERO, start.running);
    let mut prey = Body::new(start.gap, start.velocity);
    for tick in 0..(TIME_LIMIT * RATE) as u32 {
        if hunter.position.distance(prey.position) <= settings.catch_radius {
            return Some(tick as f32 / RATE);
        }
        let desired = pursue(settings, &hunter, &prey, &limits).desired;
        hunter.velocity = turned_velocity(hunter.velocity, desired, TURN_RATE * limits.dt, Vec3::Z);
        hunter.position += hunter.velocity * limits.dt;
        prey.position += prey.velocity * limits.dt;
    }
    None
}

fn share(count: f64) -> f64 {
    100.0 * count / STARTS as f64
}
