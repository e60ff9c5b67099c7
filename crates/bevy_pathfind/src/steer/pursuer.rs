//! Hunts one entity: straight at it where the grid lets it be seen, by path where not.

mod hunt;

use bevy::prelude::*;

pub(super) use hunt::{call_off, pursue};

use crate::motion::Agent;
use crate::request::Ticket;
use crate::solve::PathStatus;
use hunt::Chase;

/// How a pursuer goes for a target that it sees.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Default, Debug, PartialEq)]
#[non_exhaustive]
pub enum PursuitMode {
    /// Straight at it.
    #[default]
    LineOfSight,
}

/// Hunts another entity, round walls if need be.
///
/// While the target is in sight on the grid, the pursuer goes for it; when it is not, the pursuer orders
/// itself a path with a `PathRequest` (one of yours on the same entity is replaced), and another only when
/// the target has left the neighbourhood of the place that the path leads to. Remove the component to call
/// the hunt off: the request that it wrote goes with it.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// fn spawn(mut commands: Commands) {
///     let prey = commands.spawn((Agent::default(), Driven(Vec3::X))).id();
///     commands.spawn((Pursuer::line_of_sight(prey), Transform::from_xyz(9.5, 2.5, 0.0)));
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Component, Default, Debug, PartialEq)]
#[require(Agent, Chase, PathStatus, Ticket)]
pub struct Pursuer {
    /// Whom to hunt. Default: nobody, which is told as [`TargetLost`].
    pub target: Entity,
    /// How to go for a target in sight. Default: `LineOfSight`.
    pub mode: PursuitMode,
    /// How near counts as caught, in world units between the centres. Range: 0 and up. Default: `0.8`.
    #[reflect(@0.0..=10.0_f32)]
    pub catch_radius: f32,
    /// How far an unseen target may stray from where the path leads to before another is asked for, in
    /// cells along either axis. Range: 1 and up. Default: `2.0`.
    #[reflect(@1.0..=16.0_f32)]
    pub replan_distance: f32,
}

impl Default for Pursuer {
    fn default() -> Self {
        Self {
            target: Entity::PLACEHOLDER,
            mode: PursuitMode::default(),
            catch_radius: 0.8,
            replan_distance: 2.0,
        }
    }
}

impl Pursuer {
    /// Goes straight at the target whenever it is in sight.
    #[must_use]
    pub fn line_of_sight(target: Entity) -> Self {
        Self { target, mode: PursuitMode::LineOfSight, ..Self::default() }
    }

    /// With another catch radius, in world units.
    #[must_use]
    pub const fn with_catch_radius(mut self, catch_radius: f32) -> Self {
        self.catch_radius = catch_radius;
        self
    }
}

/// A pursuer has its target within its catch radius and in sight. Told again only after the target has
/// been away.
#[derive(EntityEvent, Debug, Clone, PartialEq)]
pub struct TargetCaught {
    /// The pursuer.
    pub entity: Entity,
    /// Whom it caught.
    pub target: Entity,
}

/// A pursuer's target is gone for good: despawned, or without a `Transform`. The pursuer stops. Told once.
#[derive(EntityEvent, Debug, Clone, PartialEq)]
pub struct TargetLost {
    /// The pursuer.
    pub entity: Entity,
    /// Whom it hunted.
    pub target: Entity,
}
