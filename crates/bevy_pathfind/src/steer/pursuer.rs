//! Hunts one entity: at it or at where it will be, round walls by path.

mod hunt;
mod settings;

use bevy::prelude::*;

use crate::mirror::mirrored;
pub(super) use hunt::{call_off, pursue, reckoning};
pub use settings::{Pursuer, PursuerTemplate, PursuitMode, Uncatchable};

/// Where a pursuer aims, for show: the marker that a game may draw, and what will come of it.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq)]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct PursuitAim {
    /// The point that it runs for, in the world.
    pub point: Vec3,
    /// In how many seconds it expects its target there; 0 if it aims at where the target is now.
    pub time: f32,
    /// What will come of it if the target keeps its velocity.
    pub forecast: InterceptForecast,
}

mirrored! {
    /// What will come of a hunt if the target keeps its velocity.
    InterceptForecast of pathfind_core::steer::pursue::InterceptForecast {
        /// Nothing is foretold: the mode does not look ahead, or the target is out of sight.
        #[default]
        Open,
        /// The target is within the catch radius.
        Caught,
        /// The target will be caught.
        Meets,
        /// The target is too fast to be caught.
        Escapes,
        /// The target is too fast to be caught, and [given up](Uncatchable::GiveUp).
        Abandoned,
    }
}

/// A pursuer has its target within its catch radius (or touches it) and in sight. Told again only after the
/// target has been away.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct TargetCaught {
    /// The pursuer.
    pub entity: Entity,
    /// Whom it caught.
    pub target: Entity,
}

/// A pursuer's target is gone for good: despawned, or without a `Transform`. The pursuer stops. Told once.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct TargetLost {
    /// The pursuer.
    pub entity: Entity,
    /// Whom it hunted.
    pub target: Entity,
}

/// A pursuer gives up: its target is too fast, and [`Uncatchable::GiveUp`] is its policy. Told again only
/// after there was hope.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct TargetAbandoned {
    /// The pursuer.
    pub entity: Entity,
    /// Whom it hunted.
    pub target: Entity,
}
