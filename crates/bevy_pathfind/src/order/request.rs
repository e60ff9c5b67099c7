//! The order itself: an entity wants a path to somewhere.

use bevy::prelude::*;

use super::{NavGoal, SearchOptions, Ticket};
use crate::order::PathStatus;
use crate::template::templated;

/// Asks for a path from where the entity stands, and for being walked along it if the entity is an
/// `Agent`.
///
/// Insert it to order, insert another to change the order, remove it (or despawn the entity) to cancel.
/// The answer comes as a `NavPath`, a `PathStatus` and the events `PathFound` or `PathFailed`; at the end comes
/// `PathArrived` or, for a partial path, `PathEndedShort`. The component
/// stays when the agent has arrived; insert it again to ask again.
///
/// An order may be changed, or given again, as often as every tick: its place in line stays, and a search
/// that is under way for the same goal goes on. If the goal has moved only a little since the search began
/// (a quarter of the way at most), its path is walked when it is found, and the newest order goes in line
/// behind it; so each order need not have a `PathFound` of its own, the latest has. A search for a goal
/// farther away is dropped, but never more than three in a row.
///
/// # Who is served first
///
/// Whoever's time is up first. Without a deadline of its own a request has `SolveSettings::patience` ticks, and each
/// level of priority brings that forward by as much again: a request of priority 1 overtakes everyone
/// of priority 0 who came up to `patience` ticks before it, and nobody who has waited for longer. So nobody waits without end.
/// One whose path an edit has cut stands in line as if a level higher; one that only looks whether
/// an edit has opened a better way, a level lower. Equals are served in the order of their arrival.
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
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Component, Default, Debug, PartialEq)]
#[require(Transform, PathStatus, Ticket)]
pub struct PathRequest {
    /// Where the path shall lead.
    #[entities]
    pub goal: NavGoal,
    /// What kind of path is wanted. Default: `None`, which takes those of [`DefaultSearch`](super::DefaultSearch).
    pub options: Option<SearchOptions>,
    /// How urgent it is: see above. Default: `0`.
    pub priority: i32,
    /// Within how many ticks the answer is of use: it is served before those who have more time, and fails
    /// as `PathError::DeadlineExceeded` when they are over. Unit: ticks. Range: 1 and up. Default: `None`, no limit.
    pub deadline: Option<u32>,
    /// Whether it ends on a free place near the goal if others who were sent there hold the goal itself, so
    /// that a crowd settles round it; then `PathArrived::arrival` is `Arrival::BesideGoal`. Default: `true`.
    pub spread_at_goal: bool,
}

impl Default for PathRequest {
    /// To the origin of the world.
    fn default() -> Self {
        Self { goal: NavGoal::default(), options: None, priority: 0, deadline: None, spread_at_goal: true }
    }
}

templated! {
    /// A [`PathRequest`] of a scene, whose goal may be another entity of the scene.
    PathRequestTemplate of PathRequest {
        entities { goal: NavGoal }
        settings { options: Option<SearchOptions>, priority: i32, deadline: Option<u32>, spread_at_goal: bool }
    }
}

impl PathRequest {
    /// To a point of the world, to an entity, or to any other goal.
    #[must_use]
    pub fn to(goal: impl Into<NavGoal>) -> Self {
        Self { goal: goal.into(), ..Self::default() }
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

    /// Of use only within so many ticks.
    #[must_use]
    pub const fn with_deadline(mut self, ticks: u32) -> Self {
        self.deadline = Some(ticks);
        self
    }

    /// To the goal itself, whoever else is sent there.
    #[must_use]
    pub const fn without_spread(mut self) -> Self {
        self.spread_at_goal = false;
        self
    }
}
