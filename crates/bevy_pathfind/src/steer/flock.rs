//! Flocks: their members and settings, the forces on members, and leaders.
//!
//! The flocking models themselves are in `pathfind_core::steer::flock`.

mod force;
mod leader;
mod members;
mod settings;

use force::LeaderVelocity;
pub(super) use force::{FlockForce, FlockState, compute_forces, estimate_leaders, measure, update_members};
pub use leader::FlockLeader;
pub(super) use leader::wander;
pub use members::{FlockMembers, FlockOf, FlockOfTemplate, FlockStats};
#[doc(no_inline)]
pub use pathfind_core::steer::flock::FlockModel;
pub use settings::Flock;
