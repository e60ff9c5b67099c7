//! Formations: groups of agents that one order moves, each member at a place of its own.
//!
//! A group is an entity with a [`Formation`] and a `PathRequest`: one search finds the path of its centre. [`march`]
//! moves the centre along that path, as fast as the members keep up, and leads each member to its place: straight if it
//! sees the place, else along a path of its own. The shapes, the assignment and the measuring of the ground are in
//! `pathfind_core::steer::formation`.

mod lead;
mod locate;
mod march;
mod members;
mod settings;
mod state;

pub(super) use locate::locate;
pub(super) use march::{dismiss, march};
pub(super) use members::FormationPlace;
pub use members::{FormationMembers, FormationOf, FormationOfTemplate};
#[doc(no_inline)]
pub use pathfind_core::steer::formation::FormationShape;
pub use settings::Formation;
