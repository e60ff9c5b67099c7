//! Pursuit: where to run to catch what runs.
//!
//! Three classic modes and one for learners, all of them functions of where the two are and how they move:
//!
//! | mode | aims at |
//! |---|---|
//! | [`Basic`](PursuitMode::Basic) | the prey, each axis for itself |
//! | [`LineOfSight`](PursuitMode::LineOfSight) | the prey |
//! | [`Intercept`](PursuitMode::Intercept) | where both arrive together, in [closed form](intercept_time) |
//! | [`ClosingTime`](PursuitMode::ClosingTime) | where the prey will be after \|gap\| / \|relative velocity\| |
//!
//! ```text
//!   prey ──────▶ · · · ◎ aim        ◎ = prey + velocity·t
//!                     ╱
//!                   ╱   speed·t, and the catch radius
//!   hunter ────── ╱
//! ```
//!
//! Source: D. Bourg & G. Seemann, *AI for Game Developers* (O'Reilly, 2004), chapter 2. Their intercepting
//! hunter guesses the time from the closing speed; here the meeting is solved for exactly.
//!
//! ```
//! use glam::Vec3;
//! use pathfind_core::steer::pursue::{Prospect, PursuitSettings, pursue};
//! use pathfind_core::steer::{Body, Pace};
//!
//! let hunter = Body::new(Vec3::ZERO, Vec3::ZERO);
//! let prey = Body::new(Vec3::new(10.0, 0.0, 0.0), Vec3::new(0.0, 3.0, 0.0));
//! let pursuit = pursue(&PursuitSettings::default(), &hunter, &prey, &Pace::new(5.0, 1.0 / 60.0));
//! assert_eq!(pursuit.aim.prospect, Prospect::Meets);
//! assert!(pursuit.desired.y > 0.0, "it leads its prey");
//! ```
//!
//! Walls are not its business: who must not run through them asks the grid whether it sees the aim.

mod aim;
mod chase;
mod estimate;
mod intercept;
mod settings;

pub use aim::{Aim, Prospect};
pub use chase::{Pursuit, pursue};
pub use estimate::{EstimateSettings, VelocityEstimate};
pub use intercept::intercept_time;
pub use settings::{PursuitMode, PursuitSettings, Uncatchable};
