//! Simple behaviours: towards a point, away from it, near it, or nowhere in particular.
//!
//! Each is a function from a body and what it minds to the velocity that it wishes for, no faster than its
//! [`MotionLimits`](super::MotionLimits) allows; where no velocity makes sense (nothing is finite, there is no direction),
//! it is zero. In a plane they stay in it.
//!
//! | behaviour | wish |
//! |---|---|
//! | [`seek`] | to a point at full speed |
//! | [`flee`] | away from a point |
//! | [`evade`] | away from where a hunter will be |
//! | [`arrive`] | to a point, and to stand there |
//! | [`keep_distance`] | neither too near to a point nor too far from it |
//! | [`Wander`] | about, without jerks |
//!
//! Pursuit has a [chapter of its own](super::pursue).
//!
//! Source: C. Reynolds, "Steering Behaviors For Autonomous Characters", Game Developers Conference 1999. There
//! a behaviour is a force, the desired velocity less the current one; here it is the desired velocity, and
//! [`blend`](super::blend) takes the difference.

mod arrive;
mod evade;
mod point;
mod wander;

pub use arrive::{arrive, keep_distance};
pub use evade::evade;
pub use point::{flee, seek};
pub use wander::{Wander, WanderSettings};
