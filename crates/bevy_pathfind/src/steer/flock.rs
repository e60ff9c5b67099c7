//! Flocks: who belongs to which, what they fly by, and whom they follow.

mod force;
mod leader;
mod members;
mod settings;

use force::LeaderTrail;
pub(super) use force::{FlockForce, FlockState, fly, form_up, read_out, watch};
pub use leader::FlockLeader;
pub(super) use leader::lead;
pub use members::{FlockMembers, FlockOf, FlockOfTemplate, FlockStats};
pub use settings::{Flock, FlockModel};
