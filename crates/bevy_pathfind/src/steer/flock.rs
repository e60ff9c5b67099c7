//! Flocks: who belongs to which, what they fly by, and whom they follow.

mod fly;
mod leader;
mod members;
mod settings;

use fly::LeaderTrail;
pub(super) use fly::{Flight, Formation, fly, form_up, read_out, watch};
pub use leader::FlockLeader;
pub(super) use leader::lead;
pub use members::{FlockMembers, FlockOf, FlockOfTemplate, FlockReadout};
pub use settings::{Flock, FlockLaw};
