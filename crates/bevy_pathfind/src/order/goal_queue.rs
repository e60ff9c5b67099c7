//! Goals that an agent visits one after another: queues of goals, and patrols.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{NavGoal, PathError, PathRequest, PathStatus, QueueFinished, SlotClaim, Ticket};
use crate::agent::Agent;

/// After a round of goals that the agent has not moved for, how long it stays before each further goal, in seconds.
/// Each of these visits costs a search and sends two events, and the map may open a path at any time. Not measured.
const RETRY_PAUSE: f32 = 1.0;

/// Sends an agent to several goals, one after another: a queue of move orders, or a patrol.
///
/// For each goal the plugin inserts a [`PathRequest`](super::PathRequest); the options, priority and so on of a
/// request that is there already are kept. At the goal, or as near to it as a path leads, the agent goes on to the
/// next one after [`wait`](Self::wait). A goal to which there is no path at all is skipped. If the agent itself cannot
/// have a path, such as one that stands on no grid, the queue asks again for the same goal once a second.
///
/// With [`QueueEnd::Loop`] and [`QueueEnd::PingPong`] the visits never end. After a whole round in which the agent has not
/// moved, because each goal was skipped or the way to it is shut right where it stands, it tries one goal a second.
///
/// A request of your own for another goal comes first: when it has ended, the agent goes on with the queue at once,
/// without a wait. While the agent has a [`Pursuer`](crate::steer::Pursuer), the queue makes no requests; what it
/// asks for waits while a [`Fugitive`](crate::steer::Fugitive) flees. Insert
/// another queue to give other orders: a request of the old queue is replaced. Remove the component to stop; the
/// present request stays.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// fn orders(mut commands: Commands, unit: Single<(Entity, &mut GoalQueue)>) {
///     let (unit, mut queue) = unit.into_inner();
///     queue.goals.push(Vec3::new(8.5, 2.5, 0.0).into()); // a click with Shift: one more goal
///     let guard = [Vec3::new(1.5, 1.5, 0.0), Vec3::new(9.5, 1.5, 0.0)];
///     commands.spawn((Agent::default(), GoalQueue::ping_pong(guard).with_wait(2.0)));
///     commands.entity(unit).insert(GoalQueue::to([Vec3::X])); // instead of all orders before
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(default)]
#[require(Agent, GoalQueueProgress)]
pub struct GoalQueue {
    /// The goals, in the order of visits.
    #[entities]
    pub goals: Vec<NavGoal>,
    /// What comes after the last goal. Default: `Stop`.
    pub at_end: QueueEnd,
    /// How long the agent stays at each goal. Unit: seconds. Range: 0 and up. Default: `0`.
    pub wait: f32,
    /// The index of the goal that the agent is on its way to, or stays at; the number of goals when it has visited
    /// all.
    pub next: usize,
}

/// What an agent does after the last goal of its [`GoalQueue`].
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Default, Debug, PartialEq)]
#[non_exhaustive]
pub enum QueueEnd {
    /// The agent stays at the last goal until goals are added.
    #[default]
    Stop,
    /// The agent goes to the first goal again, and visits all in the same order.
    #[serde(alias = "Repeat")]
    Loop,
    /// The agent visits the goals in reverse order back to the first, and then forward again.
    #[serde(alias = "TurnBack")]
    PingPong,
}

/// The progress of an agent through its [`GoalQueue`], apart from [`GoalQueue::next`].
#[derive(Component, Debug, Clone, Default, PartialEq)]
pub(crate) struct GoalQueueProgress {
    /// Whether the goals are visited in reverse order.
    is_backwards: bool,
    /// For how many goals in a row the agent has not moved: there was no path, or the path ended where it stood.
    idle_visits: usize,
    /// Where the agent stood at the latest request that the queue made: the `translation` of its `Transform`.
    pub(crate) from: Vec3,
    /// How long the agent has stayed at the present goal, in seconds.
    pub(crate) stayed: f32,
    /// The goal of the latest request that the queue made.
    pub(crate) requested: Option<NavGoal>,
}

/// On an agent with a [`GoalQueue`] that makes no requests, because the agent pursues a target.
#[derive(Component, Debug, Clone, Copy, Default)]
pub(crate) struct QueueSuspended;

impl GoalQueue {
    /// A queue of these goals, visited once.
    #[must_use]
    pub fn to<G: Into<NavGoal>>(goals: impl IntoIterator<Item = G>) -> Self {
        Self { goals: goals.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// A queue of these goals, visited again and again in the same order.
    #[must_use]
    pub fn looped<G: Into<NavGoal>>(goals: impl IntoIterator<Item = G>) -> Self {
        Self { at_end: QueueEnd::Loop, ..Self::to(goals) }
    }

    /// A queue of these goals, visited to and fro between the first and the last.
    #[must_use]
    pub fn ping_pong<G: Into<NavGoal>>(goals: impl IntoIterator<Item = G>) -> Self {
        Self { at_end: QueueEnd::PingPong, ..Self::to(goals) }
    }

    /// The same queue with a stay at each goal, in seconds.
    #[must_use]
    pub const fn with_wait(mut self, wait: f32) -> Self {
        self.wait = wait;
        self
    }

    /// The goal that the agent is on its way to, or stays at; `None` after the last.
    #[must_use]
    pub fn goal(&self) -> Option<NavGoal> {
        self.goals.get(self.next).cloned()
    }

    /// How long the agent stays at its present goal, or for which it has failed to get a path, in seconds. `has_moved`:
    /// it has moved since the request.
    pub(crate) fn stay(&self, state: &GoalQueueProgress, failure: Option<PathError>, has_moved: bool) -> f32 {
        let is_idle_round =
            self.at_end != QueueEnd::Stop && !has_moved && state.idle_visits + 1 >= self.round();
        let is_retry = is_idle_round || failure.is_some_and(PathError::is_of_agent);
        let pause = if is_retry { RETRY_PAUSE } else { 0.0 };
        if failure.is_none() { self.wait.max(pause) } else { pause }
    }

    /// Goes on to the next goal; `has_moved` says whether the agent has moved for the present one. Returns whether
    /// there is a next goal.
    pub(crate) fn advance(&mut self, state: &mut GoalQueueProgress, has_moved: bool) -> bool {
        state.idle_visits = if has_moved { 0 } else { state.idle_visits + 1 };
        state.stayed = 0.0;
        let count = self.goals.len();
        let last = count.saturating_sub(1);
        if self.at_end == QueueEnd::PingPong {
            let is_at_end = self.next >= last && !state.is_backwards || self.next == 0 && state.is_backwards;
            state.is_backwards ^= is_at_end;
        }
        self.next = match self.at_end {
            QueueEnd::PingPong if state.is_backwards => self.next.min(last).saturating_sub(1),
            QueueEnd::PingPong => (self.next + 1).min(last),
            QueueEnd::Loop if self.next >= last => 0,
            _ => (self.next + 1).min(count),
        };
        self.next < count
    }

    /// The number of visits after which each goal was visited at least once, whichever was the first.
    fn round(&self) -> usize {
        let count = self.goals.len();
        if self.at_end == QueueEnd::PingPong { (2 * count).saturating_sub(2).max(1) } else { count.max(1) }
    }
}

impl GoalQueueProgress {
    /// Notes that the queue requests a goal for an agent whose `Transform` has this translation.
    pub(crate) fn request(&mut self, goal: &NavGoal, from: Vec3) {
        (self.requested, self.from, self.stayed) = (Some(goal.clone()), from, 0.0);
    }
}

/// The components of an agent with a queue.
type Queued = (
    Entity,
    (&'static mut GoalQueue, &'static mut GoalQueueProgress),
    (&'static Agent, &'static Transform),
    Option<(Ref<'static, PathRequest>, &'static Ticket, Option<&'static SlotClaim>)>,
    Option<&'static PathStatus>,
    Has<QueueSuspended>,
);

/// Requests the first goal of agents without a request, and the next one of those that have visited a goal.
pub(super) fn request_next(mut queues: Query<Queued>, time: Option<Res<Time>>, mut commands: Commands) {
    let dt = time.map_or(0.0, |time| time.delta_secs());
    for (entity, (mut queue, mut state), (agent, transform), request, status, is_suspended) in &mut queues {
        let here = transform.translation;
        if queue.is_changed() {
            // A new round begins.
            state.idle_visits = 0;
        }
        let Some(goal) = queue.goals.get(queue.next).filter(|_| !is_suspended) else { continue };
        let Some((request, ticket, claim)) = request else {
            state.request(goal, here);
            commands.entity(entity).try_insert(PathRequest::to(goal.clone()));
            continue;
        };
        let ask = |goal: &NavGoal| PathRequest { goal: goal.clone(), ..(*request).clone() };
        // A request that the old queue made is replaced; one of the user's own is served first.
        if request.goal != *goal && state.requested.as_ref() == Some(&request.goal) {
            state.request(goal, here);
            commands.entity(entity).try_insert(ask(goal));
            continue;
        }
        // The status is still that of the previous request.
        let checked = claim.and_then(|claim| claim.order).or(ticket.checked);
        if checked != Some(request.last_changed()) {
            continue;
        }
        let failure = match status {
            Some(PathStatus::Arrived | PathStatus::EndedShort(_)) => None,
            Some(&PathStatus::Failed(error)) => Some(error),
            _ => continue,
        };
        // After a request of the user's own for another goal, the present goal has not been visited yet.
        let is_visited = request.goal == *goal;
        // A body that others push a little has not moved.
        let has_moved =
            failure.is_none() && here.distance(state.from) > agent.arrive_radius + agent.radius.max(0.0);
        if is_visited && state.stayed < queue.stay(&state, failure, has_moved) {
            state.stayed += dt;
            continue;
        }
        // Without change detection: a change of the queue begins a new round.
        let queue = queue.bypass_change_detection();
        let is_over = is_visited && !failure.is_some_and(PathError::is_of_agent);
        let has_next = !is_over || queue.advance(&mut state, has_moved);
        match queue.goals.get(queue.next).filter(|_| has_next) {
            Some(goal) => {
                state.request(goal, here);
                commands.entity(entity).try_insert(ask(goal));
            }
            None => commands.trigger(QueueFinished { entity }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The indices of the first `count` goals that are visited.
    fn visited(mut queue: GoalQueue, count: usize) -> Vec<usize> {
        let mut state = GoalQueueProgress::default();
        let mut visited = vec![queue.next];
        while visited.len() < count && queue.advance(&mut state, true) {
            visited.push(queue.next);
        }
        visited
    }

    #[test]
    fn goals_come_in_their_order() {
        let three = [Vec3::X, Vec3::Y, Vec3::Z];
        assert_eq!(visited(GoalQueue::to(three), 9), [0, 1, 2]);
        assert_eq!(visited(GoalQueue::looped(three), 7), [0, 1, 2, 0, 1, 2, 0]);
        assert_eq!(visited(GoalQueue::ping_pong(three), 9), [0, 1, 2, 1, 0, 1, 2, 1, 0]);
        assert_eq!(visited(GoalQueue::ping_pong([Vec3::X]), 3), [0, 0, 0], "a single goal is visited again");
        assert_eq!(visited(GoalQueue::ping_pong([Vec3::X, Vec3::Y]), 4), [0, 1, 0, 1]);
        let none = GoalQueue::ping_pong([Vec3::X; 0]);
        assert_eq!((none.goal(), visited(none, 3)), (None, vec![0]), "without goals nothing is visited");
        let beyond = GoalQueue { next: 99, ..GoalQueue::ping_pong(three) };
        assert_eq!(visited(beyond, 3), [99, 1, 0], "an index out of range counts as the last");
    }

    #[test]
    fn after_a_round_without_a_move_each_try_waits() {
        let failure = Some(PathError::Unreachable);
        let loops = [
            GoalQueue::looped([Vec3::X, Vec3::Y, Vec3::Z]),
            GoalQueue::ping_pong([Vec3::X, Vec3::Y, Vec3::Z]),
        ];
        for mut queue in loops {
            let mut state = GoalQueueProgress::default();
            let round = queue.round();
            let mut visit = |failure, has_moved| {
                let stay = queue.stay(&state, failure, has_moved);
                assert!(queue.advance(&mut state, has_moved), "it never ends");
                stay
            };
            for _ in 1..round {
                assert_eq!(visit(failure, false), 0.0, "another goal may have a path");
            }
            for failure in [failure, None, failure] {
                assert_eq!(visit(failure, false), RETRY_PAUSE, "one goal a pause");
            }
            assert_eq!((visit(None, true), visit(failure, false)), (0.0, 0.0), "it has moved: a new round");
        }
        let mut orders = GoalQueue::to([Vec3::X]).with_wait(3.0);
        let mut state = GoalQueueProgress::default();
        assert_eq!(orders.stay(&state, Some(PathError::NoGrid), false), RETRY_PAUSE, "the goal is kept");
        assert_eq!((orders.stay(&state, failure, false), orders.stay(&state, None, false)), (0.0, 3.0));
        assert!(!orders.advance(&mut state, false), "an order without a path is skipped");
    }
}
