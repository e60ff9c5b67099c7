//! Pursuit of an entity: straight to its present or predicted position while it is in sight, along a path while it is
//! not. The aims are computed in `pathfind_core::steer::pursue`.

mod patience;
mod pursue;
mod settings;

use bevy::prelude::*;

#[doc(no_inline)]
pub use pathfind_core::steer::pursue::{InterceptForecast, PursuitMode, UncatchablePolicy};
pub(super) use pursue::{end_pursuits, pursue, withdraw_request};
pub use settings::{Pursuer, PursuerTemplate};

use crate::attributes::WorldPoint;

/// The point that a pursuer aims at, and the forecast of its pursuit. Read-only, for markers and panels: writing has
/// no effect.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct PursuitAim {
    /// The point that it runs towards, in the world.
    #[reflect(@WorldPoint)]
    pub point: Vec3,
    /// In how many seconds it expects the target at `point`; 0 if it aims at where the target is now.
    pub time: f32,
    /// How the pursuit will end if the target keeps its velocity.
    pub forecast: InterceptForecast,
    /// Whether it sees the target: on the same grid, with no wall between.
    pub is_in_sight: bool,
}

/// A pursuer has its target within its catch radius (or touches it) and in sight. Triggered again only after the
/// target has been out of reach or out of sight, or the [`Pursuer`] has been taken off and put on. Triggered in
/// [`NavSystems::Steer`](crate::stage::NavSystems::Steer). [`CaughtBy`] is triggered for the target.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct CaughtTarget {
    /// The pursuer.
    pub entity: Entity,
    /// The entity that it caught.
    pub target: Entity,
}

/// An entity has been caught by a pursuer: the counterpart of [`CaughtTarget`], triggered for the target.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct CaughtBy {
    /// The entity that was caught.
    pub entity: Entity,
    /// The pursuer.
    pub pursuer: Entity,
}

/// A pursuer has lost its target, and stops. A target that is merely out of sight is still pursued, without an event:
/// see [`PursuitAim::is_in_sight`].
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct LostTarget {
    /// The pursuer.
    pub entity: Entity,
    /// The entity that it pursued.
    pub target: Entity,
    /// Why it is lost.
    pub reason: LossReason,
}

/// Why a pursuer has lost its target.
#[derive(Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[type_path = "bevy_pathfind"]
#[reflect(Debug, PartialEq)]
#[non_exhaustive]
pub enum LossReason {
    /// It is despawned, or has no `Transform`. Told once.
    Gone,
    /// It is too fast, and [`UncatchablePolicy::GiveUp`] is the pursuer's policy. Told again only after the forecast has
    /// changed in between, or for another target.
    TooFast,
}
