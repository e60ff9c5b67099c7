//! Goals that an agent visits one after another: queues of goals, and patrols. Requests for them are made in
//! [`request`](crate::request).

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::NavGoal;
use crate::agent::Agent;

/// Sends an agent to several goals, one after another: a queue of move orders, or a patrol.
///
/// For each goal the plugin inserts a [`PathRequest`](super::PathRequest); the options, priority and so on of a
/// request that is there already are kept. At the goal, or as near to it as a path leads, the agent goes on to the
/// next one after [`wait`](Self::wait). A goal to which there is no path at all is skipped; after a round in which
/// all goals were skipped the agent stays where it is until the queue is changed.
///
/// A request of your own for another goal comes first: when it has ended, the agent goes on with the queue at once,
/// without a wait. While the agent has a [`Pursuer`](crate::steer::Pursuer), the queue makes no requests. Insert
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
///     commands.spawn((Agent::default(), GoalQueue::patrol(guard).with_wait(2.0)));
///     commands.entity(unit).insert(GoalQueue::to([Vec3::X])); // instead of all orders before
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(default)]
#[require(Agent, QueueState)]
pub struct GoalQueue {
    /// The goals, in the order of visits.
    #[entities]
    pub goals: Vec<NavGoal>,
    /// What comes after the last goal. Default: `Stop`.
    pub at_end: AtEnd,
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
pub enum AtEnd {
    /// The agent stays at the last goal until goals are added.
    #[default]
    Stop,
    /// The agent goes to the first goal again, and visits all in the same order.
    Repeat,
    /// The agent visits the goals in reverse order back to the first, and then forward again.
    TurnBack,
}

/// The progress of an agent through its [`GoalQueue`], apart from [`GoalQueue::next`].
#[derive(Component, Debug, Clone, Default, PartialEq)]
pub(crate) struct QueueState {
    /// Whether the goals are visited in reverse order.
    is_backwards: bool,
    /// How many goals in a row had no path.
    failures: usize,
    /// How long the agent has stayed at the present goal, in seconds.
    pub(crate) stayed: f32,
    /// The goal of the latest request that the queue made.
    pub(crate) requested: Option<NavGoal>,
}

/// On an agent with a [`GoalQueue`] that makes no requests, because the agent pursues a target.
#[derive(Component, Debug, Clone, Copy, Default)]
pub(crate) struct QueueRests;

impl GoalQueue {
    /// A queue of these goals, visited once.
    #[must_use]
    pub fn to<G: Into<NavGoal>>(goals: impl IntoIterator<Item = G>) -> Self {
        Self { goals: goals.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// A queue of these goals, visited again and again in the same order.
    #[must_use]
    pub fn rounds<G: Into<NavGoal>>(goals: impl IntoIterator<Item = G>) -> Self {
        Self { at_end: AtEnd::Repeat, ..Self::to(goals) }
    }

    /// A queue of these goals, visited to and fro between the first and the last.
    #[must_use]
    pub fn patrol<G: Into<NavGoal>>(goals: impl IntoIterator<Item = G>) -> Self {
        Self { at_end: AtEnd::TurnBack, ..Self::to(goals) }
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
        self.goals.get(self.next).copied()
    }

    /// Goes on to the next goal; `has_failed` says that there was no path to the present one. Returns whether there
    /// is a next goal.
    pub(crate) fn advance(&mut self, state: &mut QueueState, has_failed: bool) -> bool {
        state.failures = if has_failed { state.failures + 1 } else { 0 };
        state.stayed = 0.0;
        let count = self.goals.len();
        if state.failures >= self.round() && self.at_end != AtEnd::Stop {
            return false;
        }
        let last = count.saturating_sub(1);
        if self.at_end == AtEnd::TurnBack {
            let is_at_end = self.next >= last && !state.is_backwards || self.next == 0 && state.is_backwards;
            state.is_backwards ^= is_at_end;
        }
        self.next = match self.at_end {
            AtEnd::TurnBack if state.is_backwards => self.next.min(last).saturating_sub(1),
            AtEnd::TurnBack => (self.next + 1).min(last),
            AtEnd::Repeat if self.next >= last => 0,
            _ => (self.next + 1).min(count),
        };
        self.next < count
    }

    /// Whether no goal of a whole round had a path.
    pub(crate) fn has_given_up(&self, state: &QueueState) -> bool {
        !self.goals.is_empty() && state.failures >= self.round()
    }

    /// The number of visits after which each goal was visited at least once, whichever was the first.
    fn round(&self) -> usize {
        let count = self.goals.len();
        if self.at_end == AtEnd::TurnBack { (2 * count).saturating_sub(2).max(1) } else { count.max(1) }
    }
}

impl QueueState {
    /// Resets the count of failures, after the queue was changed.
    pub(crate) fn reset_failures(&mut self) {
        self.failures = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The indices of the first `count` goals that are visited.
    fn visited(mut queue: GoalQueue, count: usize) -> Vec<usize> {
        let mut state = QueueState::default();
        let mut visited = vec![queue.next];
        while visited.len() < count && queue.advance(&mut state, false) {
            visited.push(queue.next);
        }
        visited
    }

    #[test]
    fn goals_come_in_their_order() {
        let three = [Vec3::X, Vec3::Y, Vec3::Z];
        assert_eq!(visited(GoalQueue::to(three), 9), [0, 1, 2]);
        assert_eq!(visited(GoalQueue::rounds(three), 7), [0, 1, 2, 0, 1, 2, 0]);
        assert_eq!(visited(GoalQueue::patrol(three), 9), [0, 1, 2, 1, 0, 1, 2, 1, 0]);
        assert_eq!(visited(GoalQueue::patrol([Vec3::X]), 3), [0, 0, 0], "a single goal is visited again");
        assert_eq!(visited(GoalQueue::patrol([Vec3::X, Vec3::Y]), 4), [0, 1, 0, 1]);
        let none = GoalQueue::patrol([Vec3::X; 0]);
        assert_eq!((none.goal(), visited(none, 3)), (None, vec![0]), "without goals nothing is visited");
        let beyond = GoalQueue { next: 99, ..GoalQueue::patrol(three) };
        assert_eq!(visited(beyond, 3), [99, 1, 0], "an index out of range counts as the last");
    }

    #[test]
    fn a_patrol_gives_up_only_after_each_goal_has_failed() {
        let mut queue = GoalQueue { next: 1, ..GoalQueue::patrol([Vec3::X, Vec3::Y, Vec3::Z]) };
        let mut state = QueueState::default();
        for next in [2, 1, 0] {
            assert!(queue.advance(&mut state, true), "goal 0 has not been tried");
            assert_eq!(queue.next, next);
        }
    }

    #[test]
    fn a_round_of_failures_ends() {
        for mut queue in [GoalQueue::rounds([Vec3::X, Vec3::Y]), GoalQueue::patrol([Vec3::X, Vec3::Y])] {
            let mut state = QueueState::default();
            assert!(queue.advance(&mut state, true), "the other goal may have a path");
            assert!(!queue.advance(&mut state, true) && queue.has_given_up(&state));
            state.reset_failures();
            assert!(!queue.has_given_up(&state));
        }
    }
}
