//! The order itself: an entity wants a path to somewhere.

use bevy::prelude::*;

use super::{SearchOptions, Ticket};
use crate::solve::PathStatus;

/// Where a path shall lead.
#[derive(Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Default, Debug, PartialEq)]
pub enum NavGoal {
    /// A point of the world; it is dropped onto the grid.
    Point(Vec3),
    /// Where an entity stands when the search starts. To keep after one that moves, use a `Pursuer`.
    Entity(Entity),
}

impl Default for NavGoal {
    /// The origin of the world.
    fn default() -> Self {
        Self::Point(Vec3::ZERO)
    }
}

impl From<Vec3> for NavGoal {
    fn from(point: Vec3) -> Self {
        Self::Point(point)
    }
}

impl From<Entity> for NavGoal {
    fn from(entity: Entity) -> Self {
        Self::Entity(entity)
    }
}

/// Asks for a path from where the entity stands, and for being walked along it if the entity is an
/// `Agent`.
///
/// Insert it to order, insert another to change the order, remove it (or despawn the entity) to cancel.
/// The answer comes as a `Path`, a `PathStatus` and the events `PathFound` or `PathFailed`. The component
/// stays when the agent has arrived; insert it again to ask again.
///
/// An order may be changed, or given again, as often as every tick: its place in line stays, and a search
/// that is under way for the same goal goes on. If the goal has moved only a little since the search began
/// (a quarter of the way at most), its path is walked when it is found, and the newest order goes in line
/// behind it; so each order need not have a `PathFound` of its own, the latest has. A search for a goal
/// farther away is dropped, but never more than three in a row.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// fn order(mut commands: Commands, units: Query<Entity, With<Agent>>) {
///     for unit in &units {
///         commands.entity(unit).insert(PathRequest::to(Vec3::new(12.5, 3.5, 0.0)));
///     }
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq)]
#[reflect(Component, Default, Debug, PartialEq)]
#[require(Transform, PathStatus, Ticket)]
pub struct PathRequest {
    /// Where the path shall lead.
    pub goal: NavGoal,
    /// What kind of path is wanted. Default: `None`, which takes those of [`DefaultSearch`](super::DefaultSearch).
    pub options: Option<SearchOptions>,
    /// Requests of higher priority are served first; equals in the order of their arrival. Default: `0`.
    pub priority: i32,
}

impl PathRequest {
    /// To a point of the world or to where an entity stands.
    #[must_use]
    pub fn to(goal: impl Into<NavGoal>) -> Self {
        Self { goal: goal.into(), options: None, priority: 0 }
    }

    /// With options of its own.
    #[must_use]
    pub const fn with_options(mut self, options: SearchOptions) -> Self {
        self.options = Some(options);
        self
    }

    /// With a priority; higher is served first.
    #[must_use]
    pub const fn with_priority(mut self, priority: i32) -> Self {
        self.priority = priority;
        self
    }
}
