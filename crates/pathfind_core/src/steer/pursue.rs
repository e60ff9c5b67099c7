//! Pursuit: where a hunter aims, and which velocity it takes, to catch a moving prey.
//!
//! Three classic modes and one for comparison with tutorials, all functions of the positions and velocities of the
//! two:
//!
//! | mode | aims at |
//! |---|---|
//! | [`Basic`](PursuitMode::Basic) | the prey, each axis on its own |
//! | [`LineOfSight`](PursuitMode::LineOfSight) | the prey |
//! | [`Intercept`](PursuitMode::Intercept) | where both arrive at the same time, in [closed form](intercept_time) |
//! | [`ClosingTime`](PursuitMode::ClosingTime) | where the prey will be after \|gap\| / \|relative velocity\| |
//!
//! ```text
//!   prey ──────▶ · · · ◎ aim        ◎ = prey + velocity·t
//!                     ╱
//!                   ╱   speed·t, and the catch radius
//!   hunter ────── ╱
//! ```
//!
//! Source: D. Bourg & G. Seemann, *AI for Game Developers* (O'Reilly, 2004), chapter 2. Their intercepting hunter
//! estimates the time from the closing speed; here the meeting is solved exactly.
//!
//! ```
//! use glam::Vec3;
//! use pathfind_core::steer::pursue::{InterceptForecast, PursuitSettings, pursue};
//! use pathfind_core::steer::{Body, MotionLimits};
//!
//! let hunter = Body::new(Vec3::ZERO, Vec3::ZERO);
//! let prey = Body::new(Vec3::new(10.0, 0.0, 0.0), Vec3::new(0.0, 3.0, 0.0));
//! let pursuit = pursue(&PursuitSettings::default(), &hunter, &prey, &MotionLimits::new(5.0, 1.0 / 60.0));
//! assert_eq!(pursuit.aim.forecast, InterceptForecast::Meets);
//! assert!(pursuit.desired.y > 0.0, "it leads its prey");
//! ```
//!
//! # Measured
//!
//! Of 3,000 random starts each, in the plane: the prey starts 10 to 100 away and runs straight on; the hunter
//! starts with a random velocity and turns by at most 2π a second; catch radius 1, time limit two minutes. "Of the
//! least time" is the mean of the time taken over that of a hunter that turns at once and aims perfectly.
//!
//! | mode | caught, prey 1.3× as fast | of the least time | caught, prey 0.8× as fast | of the least time |
//! |---|---|---|---|---|
//! | `Basic` | 8.3 % | 1.07 | 100.0 % | 1.34 |
//! | `LineOfSight` | 5.9 % | 1.05 | 100.0 % | 1.36 |
//! | `ClosingTime` | 25.9 % | 2.67 | 96.1 % | 1.03 |
//! | `Intercept` | 26.1 % | 1.03 | 100.0 % | 1.02 |
//! | (possible) | 26.9 % | 1 | 100.0 % | 1 |
//!
//! Printed by `cargo run --release -p pathfind_core --example steering_tables capture`.
//!
//! Walls are not considered: a caller that needs it asks the grid whether the hunter sees the aim.

mod aim;
mod chase;
mod estimate;
mod intercept;
mod settings;

pub use aim::{Aim, InterceptForecast};
pub use chase::{Pursuit, pursue};
pub use estimate::{EstimateSettings, VelocityEstimate};
pub use intercept::intercept_time;
pub use settings::{PursuitMode, PursuitSettings, UncatchablePolicy};
