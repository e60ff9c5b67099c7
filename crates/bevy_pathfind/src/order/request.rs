//! The request component: an entity wants a path to a goal.

use core::ops::Deref;
use std::sync::Arc;

use bevy::ecs::change_detection::Tick;
use bevy::ecs::query::QueryData;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{KnownPath, NavGoal, RequestSummary, SearchOptions, Ticket};
use crate::order::PathStatus;
use crate::template::templated;

/// Requests a path from where the entity stands and, if the entity is an `Agent`, moves it along that path.
///
/// Insert it to request a path, insert another to change the request, remove it (or despawn the entity) to cancel.
/// The answer comes as a `NavPath`, a `PathStatus` and the events `PathFound` or `PathFailed`; at the end
/// `AgentArrived` is sent or, for a partial path, `PathEndedShort`. The component
/// stays when the agent has arrived; insert it again to request again.
///
/// A request may be changed, or inserted again, as often as every tick: it keeps its place in the queue, and a
/// running search for the same goal continues. If the options are the same and the goal has moved only a little since
/// the search began (by at most a quarter of the distance from the start to the old goal, or by two cells if that is
/// more), the path found is still used, and the newest request is queued behind it; so not every request gets a
/// `PathFound` of its own, but the latest does. A search for a goal that moved farther is dropped, but never more
/// than three in a row.
///
/// # Order of service
///
/// Requests are served by due time, earliest first. A request is due `SolveSettings::ticks_per_priority` ticks after
/// it was made, or at its deadline if that is earlier. Each level of priority brings the due time forward by
/// `ticks_per_priority`: a request of priority 1 overtakes those of priority 0 that were made up to that many ticks
/// before it, and none that has waited longer. So every request is served in the end.
/// A replan, which the plugin requests, counts as one level higher; a search that only looks whether an edit has
/// opened a better path, as one level lower. Requests with the same due time are served in the order in which they
/// were made.
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
#[derive(Component, Reflect, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(default)]
#[require(Transform, PathStatus, Ticket, RequestSummary)]
pub struct PathRequest {
    /// Where the path is to lead.
    #[entities]
    pub goal: NavGoal,
    /// How the path is searched. Default: `None`, which takes the resource [`SearchOptions`](super::SearchOptions).
    pub options: Option<SearchOptions>,
    /// Requests of higher priority are served earlier, see above. Default: `0`.
    pub priority: i32,
    /// The answer is needed within this many ticks: the request is due by then, and fails with
    /// `PathError::DeadlineExceeded` afterwards. A replan does not fail, as the agent still has a path. Unit: ticks.
    /// Range: 1 and up (0 counts as 1). Default: `None`, no limit.
    pub deadline: Option<u32>,
    /// Whether the agent stops on a free cell near the goal if other agents occupy the goal itself, so that a crowd
    /// gathers round it; `AgentArrived::arrival` is then `Arrival::BesideGoal`. Of a goal of several points or cells
    /// ([`NavGoal::AnyOf`], [`NavGoal::Within`]) free ones come first. An agent that others block near the
    /// cell assigned to it arrives where it stands. If off, every agent goes to the goal itself: while one stays
    /// there, others with an `Avoider` queue and do not arrive, and the foremost of the queue gets `AgentStuck`.
    /// Default: `true`.
    pub spread_at_goal: bool,
}

/// The request that steering makes for an agent that pursues or flees. While it is there, the user's own [`PathRequest`]
/// waits.
#[derive(Component, Debug, Clone, Deref)]
#[require(Transform, PathStatus, Ticket, RequestSummary)]
pub(crate) struct SteeringRequest {
    #[deref]
    pub(crate) request: PathRequest,
    /// The path to the goal, if it is known without a search.
    pub(crate) known: Option<Arc<KnownPath>>,
}

impl SteeringRequest {
    /// A request for a path that has to be searched.
    pub(crate) fn to(goal: Vec3) -> Self {
        Self { request: PathRequest::to(goal), known: None }
    }
}

/// The request of an entity that is served: that of steering, if there is one, else its user's.
#[derive(QueryData)]
pub(crate) struct ServedRequest {
    requests: AnyOf<(Ref<'static, PathRequest>, Ref<'static, SteeringRequest>)>,
}

impl ServedRequestItem<'_, '_> {
    /// The request, and when it was written.
    fn served(&self) -> (&PathRequest, &dyn DetectChanges) {
        match &self.requests {
            (_, Some(steering)) => (&steering.request, steering),
            (Some(own), None) => (own, own),
            (None, None) => unreachable!("`AnyOf` finds entities with one of them"),
        }
    }

    /// The path to its goal, if it is known without a search.
    pub(crate) fn known(&self) -> Option<&KnownPath> {
        self.requests.1.as_ref()?.known.as_deref()
    }

    /// The tick in which it was last written.
    pub(crate) fn last_changed(&self) -> Tick {
        self.served().1.last_changed()
    }

    /// Whether it was written since the system ran last.
    pub(crate) fn is_changed(&self) -> bool {
        self.served().1.is_changed()
    }
}

impl Deref for ServedRequestItem<'_, '_> {
    type Target = PathRequest;

    fn deref(&self) -> &PathRequest {
        self.served().0
    }
}

/// Write access to the change tick of the request that is [served](ServedRequest), to have it served anew.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Requests {
    own: Option<&'static mut PathRequest>,
    steering: Option<&'static mut SteeringRequest>,
}

impl RequestsItem<'_, '_> {
    /// The tick in which the request that is served was last written; `None` without a request.
    pub(crate) fn last_changed(&self) -> Option<Tick> {
        let of_own = || self.own.as_ref().map(DetectChanges::last_changed);
        self.steering.as_ref().map(DetectChanges::last_changed).or_else(of_own)
    }

    /// Has the request served anew; returns whether there is one.
    pub(crate) fn serve_anew(&mut self) -> bool {
        match (&mut self.steering, &mut self.own) {
            (Some(steering), _) => steering.set_changed(),
            (None, Some(own)) => own.set_changed(),
            (None, None) => return false,
        }
        true
    }
}

impl Default for PathRequest {
    /// To the origin of the world.
    fn default() -> Self {
        Self { goal: NavGoal::default(), options: None, priority: 0, deadline: None, spread_at_goal: true }
    }
}

templated! {
    /// The scene template of a [`PathRequest`], whose goal may be another entity of the scene.
    PathRequestTemplate of PathRequest {
        entities { goal: NavGoal }
        settings { options: Option<SearchOptions>, priority: i32, deadline: Option<u32>, spread_at_goal: bool }
    }
}

impl PathRequest {
    /// A request for a path to a point of the world, to an entity, or to any other goal.
    #[must_use]
    pub fn to(goal: impl Into<NavGoal>) -> Self {
        Self { goal: goal.into(), ..Self::default() }
    }

    /// The same request with its own search options.
    #[must_use]
    pub const fn with_options(mut self, options: SearchOptions) -> Self {
        self.options = Some(options);
        self
    }

    /// The same request with a priority; higher is served earlier.
    #[must_use]
    pub const fn with_priority(mut self, priority: i32) -> Self {
        self.priority = priority;
        self
    }

    /// The same request with a deadline, in ticks.
    #[must_use]
    pub const fn with_deadline(mut self, ticks: u32) -> Self {
        self.deadline = Some(ticks);
        self
    }

    /// The same request, to a place of its own beside others that are sent there, or to the goal itself; see
    /// [`spread_at_goal`](Self::spread_at_goal).
    #[must_use]
    pub const fn with_spread(mut self, spread_at_goal: bool) -> Self {
        self.spread_at_goal = spread_at_goal;
        self
    }
}
