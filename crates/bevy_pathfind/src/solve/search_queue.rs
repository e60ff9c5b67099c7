//! The search queue: search jobs that wait, searches that are suspended, and finished answers.
//!
//! Each tick, the requests that are due first are queued as jobs. Workers take one job after another, and hand in
//! each answer when it is found, so that a small search does not take a tick of its own. A worker is a task on the
//! pool, or the main thread as long as its budget lasts.
//!
//! A search that has used up its [turn](TURN_EXPANSIONS) is suspended in favour of waiting jobs, and from then on gets
//! every other turn: even with a single worker, a long search delays the others by no more than a turn at a time. Each
//! search under way takes memory, so at most [one more](MAX_SUSPENDED) than there are workers is begun; that memory is
//! freed when there are no more searches than workers. Of several long searches the oldest is finished first: the
//! suspended one has used no more than a turn, and takes no more memory than that.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bevy::prelude::*;

use super::assignment::Assignment;
use super::resources::SearchResources;
use super::{JobRun, Solved};
use crate::order::{CancelToken, Promise};

/// How many cells a worker expands before it checks whether the search was withdrawn, the time is up, or
/// another thread needs the core.
pub(super) const SLICE_EXPANSIONS: u32 = 512;
/// How many cells a search may expand before it has to let others run.
pub(super) const TURN_EXPANSIONS: u32 = 32 * SLICE_EXPANSIONS;
/// How many searches may be suspended at a time.
const MAX_SUSPENDED: usize = 1;

/// A requester and the input of its search.
pub(crate) struct Recipient {
    pub(crate) entity: Entity,
    pub(crate) assignment: Assignment,
    pub(crate) promise: Promise,
}

impl Recipient {
    pub(super) fn new(entity: Entity, assignment: Assignment) -> (Self, CancelToken) {
        let (promise, token) = Promise::new();
        (Self { entity, assignment, promise }, token)
    }

    /// Notes that a worker begins the search; false if it was withdrawn.
    fn begin(&self) -> bool {
        self.promise.begin()
    }

    fn is_withdrawn(&self) -> bool {
        self.promise.is_withdrawn()
    }
}

/// A search that waits: for one requester, or for several with the same goal.
pub(super) struct SearchJob {
    pub(super) recipients: Vec<Recipient>,
    pub(super) shared: bool,
}

/// A search under way.
pub(super) struct ActiveSearch {
    /// The number of the search, in the order in which searches were begun.
    number: u64,
    run: JobRun,
    /// How many cells it may still expand in this turn.
    turn: u32,
}

impl ActiveSearch {
    fn begin(number: u64, mut job: SearchJob, resources: &SearchResources) -> Option<Self> {
        job.recipients.retain(Recipient::begin);
        let run = JobRun::new(job, resources.clone())?;
        Some(Self { number, run, turn: TURN_EXPANSIONS })
    }

    /// Expands up to `budget` cells. Returns whether the search is over, and what was spent, in cells.
    pub(super) fn step(&mut self, budget: u32, queue: &SearchQueue) -> (bool, u64) {
        let before = self.run.expanded();
        let is_over = self.run.drop_withdrawn(Recipient::is_withdrawn) || self.run.step(budget);
        let spent = self.run.expanded() - before;
        self.turn = self.turn.saturating_sub(u32::try_from(spent).unwrap_or(u32::MAX));
        queue.answer(self.run.take_solved());
        (is_over, spent)
    }
}

/// The state of the queue: waiting jobs, suspended searches, and the number of workers.
#[derive(Default)]
pub(super) struct QueueState {
    pub(super) waiting: VecDeque<SearchJob>,
    suspended: VecDeque<ActiveSearch>,
    /// Whether the next turn is that of a suspended search.
    is_turn_of_suspended: bool,
    pub(super) workers: usize,
    /// How many searches have been begun.
    begun: u64,
}

impl QueueState {
    /// Whether there is no search to work on.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.suspended.is_empty()
    }

    /// The greatest number of searches that can be under way now: one for each worker, and the suspended ones.
    pub(super) fn under_way(&self) -> usize {
        self.workers + self.suspended.len()
    }

    /// The number of searches to work on, waiting and suspended.
    pub(super) fn len(&self) -> usize {
        self.waiting.len() + self.suspended.len()
    }
}

/// The queue that the main thread and the workers share.
#[derive(Default)]
pub(super) struct SearchQueue {
    state: Mutex<QueueState>,
    answers: Mutex<Vec<(Entity, Solved)>>,
}

impl SearchQueue {
    pub(super) fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes all finished answers.
    pub(super) fn take_answers(&self) -> Vec<(Entity, Solved)> {
        core::mem::take(&mut *self.answers.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn answer(&self, solved: impl Iterator<Item = (Entity, Solved)>) {
        let mut solved = solved.peekable();
        if solved.peek().is_some() {
            self.answers.lock().unwrap_or_else(PoisonError::into_inner).extend(solved);
        }
    }

    /// The next search that has not been withdrawn: a new one or, every other time, a suspended one. If there is none
    /// and `leaves` is set, the worker that asks is no longer counted.
    pub(super) fn take(&self, resources: &SearchResources, leaves: bool) -> Option<ActiveSearch> {
        loop {
            let mut state = self.lock();
            let resumes =
                !state.suspended.is_empty() && (state.is_turn_of_suspended || state.waiting.is_empty());
            state.is_turn_of_suspended = !resumes;
            if resumes {
                return state.suspended.pop_front();
            }
            let Some(job) = state.waiting.pop_front() else {
                state.workers -= usize::from(leaves);
                return None;
            };
            state.begun += 1;
            let number = state.begun;
            drop(state);
            if let Some(work) = ActiveSearch::begin(number, job, resources) {
                return Some(work);
            }
        }
    }

    /// Suspends a search whose turn is over, if others wait. Returns the search with which the worker goes on.
    pub(super) fn suspend(&self, mut work: ActiveSearch) -> Option<ActiveSearch> {
        if work.turn > 0 {
            return Some(work);
        }
        work.turn = TURN_EXPANSIONS;
        let mut state = self.lock();
        if state.suspended.len() < MAX_SUSPENDED {
            if state.waiting.is_empty() {
                return Some(work);
            }
            state.is_turn_of_suspended = false;
            state.suspended.push_back(work);
            return None;
        }
        // A search is suspended already, and two long ones would take twice the memory: go on with the older one.
        let older = state.suspended.partition_point(|other| other.number < work.number);
        state.suspended.insert(older, work);
        state.suspended.pop_front()
    }

    /// Suspends a search of the main thread until the next frame.
    pub(super) fn keep(&self, work: ActiveSearch) {
        let mut state = self.lock();
        state.suspended.push_front(work);
        state.is_turn_of_suspended = true;
    }
}
