//! Flight by path from threats: where to run is found by `pathfind_core::find_refuge`, paths are followed by `follower`.

mod flee;
mod settings;
mod threat_fields;

use bevy::prelude::*;

pub(super) use flee::{FugitiveState, end_flights, flee};
pub use settings::Fugitive;
pub(super) use threat_fields::ThreatFields;

/// A [`Fugitive`] stays where it is, because its threats can shut it in wherever it goes. Triggered once, and again only
/// after it has run on or has been safe. Triggered in [`NavSystems::Steer`](crate::stage::NavSystems::Steer).
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct FugitiveCornered {
    /// The fugitive.
    pub entity: Entity,
}

/// How much all [`Fugitive`]s together have computed since the start of the application. Read-only.
#[derive(Resource, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[type_path = "bevy_pathfind"]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct FleeStats {
    /// The searches for the distances of all cells from a threat: one each time that a threat has come to another cell or
    /// the map has changed, however many agents flee from it.
    pub threat_fields: u64,
    /// The searches for a cell to flee to.
    pub refuges: u64,
}
