//! Formations: the places of a group, who takes which place, and how much ground there is along the way.
//!
//! Places are points (x to the right, y forward) round the centre of the group. The centre moves along a [`Track`], and
//! each place moves with it: y along the track, x across it. [`Room`] says how far the ground is free on both sides of
//! the track. [`assign`] chooses who takes which place.

mod assign;
mod room;
mod shape;
mod track;

pub use assign::{MAX_EXACT, assign};
pub use room::{Room, TightGround, across};
pub use shape::{FormationShape, extent, rows};
pub use track::Track;
