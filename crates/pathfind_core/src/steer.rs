//! Steering: the velocity that a moving body should have next, and how the step that follows is kept out of walls,
//! obstacles and other bodies.
//!
//! Everything here is a plain function of its arguments: bodies and settings in, velocities or positions out; no
//! ECS, no global state. Positions, velocities and lengths are in any unit of the caller's, as long as it is the
//! same throughout; times are in seconds, angles in radians.
//!
//! ```text
//!  pursue, seek, follow ─┐
//!  flock ────────────────┼─▶ blend ─▶ reciprocal ─▶ contact ─▶ the body's next position
//!  separate, avoid ──────┘   (one velocity)  (ORCA)    (hard layer)
//! ```
//!
//! All modules before [`contact`] only propose velocities; [`contact`] is a hard constraint: no step that it has
//! resolved ends inside a wall.

// Shared basics: planes, limits, turning, sums, directions between coincident bodies.
mod apart;
mod length;
mod motion_limits;
mod movement_plane;
mod sum;
pub mod turn;
mod wide;

// The places of groups.
pub mod formation;

// Behaviours: each proposes a velocity or an acceleration.
pub mod avoid;
pub mod classic;
pub mod flock;
pub mod follow;
pub mod pursue;
pub mod seek;
pub mod separate;

// From proposed velocities to the next position.
pub mod blend;
pub mod contact;
pub mod reciprocal;

// Obstacles, as `avoid` and `contact` query them.
pub mod obstacle;

pub use crate::body::Body;
pub use crate::rng::CounterRng;
pub use length::LengthError;
pub use motion_limits::MotionLimits;
pub use movement_plane::MovementPlane;
