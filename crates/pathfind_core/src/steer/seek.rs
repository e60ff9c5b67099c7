//! Simple behaviours: towards a point, away from it, at a distance from it, or wandering.
//!
//! Each maps a body and its target to a desired velocity, no faster than its [`MotionLimits`](super::MotionLimits)
//! allow. The velocity is zero if input is not finite or there is no direction. If body and target lie in a plane,
//! so does the velocity.
//!
//! | behaviour | desired velocity |
//! |---|---|
//! | [`seek`] | to a point at full speed |
//! | [`flee`] | away from a point |
//! | [`evade`] | away from where a hunter will be |
//! | [`arrive`](fn@arrive) | to a point, to stop there |
//! | [`keep_distance`] | into a band of distances from a point |
//! | [`Wander`] | a smooth random walk |
//!
//! Pursuit has a [chapter of its own](super::pursue).
//!
//! Source: C. Reynolds, "Steering Behaviors For Autonomous Characters", Game Developers Conference 1999. There
//! a behaviour is a force, the desired velocity less the current one; here it is the desired velocity, and
//! [`blend`](super::blend) takes the difference.

mod arrive;
mod point;
mod wander;

pub use arrive::{arrive, keep_distance};
pub use point::{evade, flee, seek};
pub use wander::{Wander, WanderSettings};
