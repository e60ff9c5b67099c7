//! Steering: where a moving body would like to go next, and how it is kept from harm.
//!
//! Everything here is a plain function of its arguments: bodies and settings in, velocities out. Positions,
//! velocities and lengths are in any unit of the caller's, as long as it is the same throughout; times are
//! in seconds, angles in radians.
//!
//! ```text
//!  pursue, seek, follow ─┐
//!  flock ────────────────┼─▶ blend ─▶ reciprocal ─▶ contact ─▶ the body's next place
//!  separate, avoid ──────┘   (one velocity)  (ORCA)    (hard layer)
//! ```
//!
//! Soft rules ask; [`contact`] decides: nothing ends a tick inside a wall.

// What moves, where, and what it draws its chances from.
mod apart;
mod body;
mod motion_limits;
mod movement_plane;
mod rng;
pub mod turn;
mod wide;

// Wishes.
pub mod avoid;
pub mod flock;
pub mod follow;
pub mod pursue;
pub mod seek;
pub mod separate;

// From wishes to a place.
pub mod blend;
pub mod contact;
pub mod reciprocal;

// What stands in the way.
pub mod obstacle;

pub use body::Body;
pub use motion_limits::MotionLimits;
pub use movement_plane::MovementPlane;
pub use rng::CounterRng;
