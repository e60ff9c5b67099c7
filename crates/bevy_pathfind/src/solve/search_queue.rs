//! The desk: where searches are laid out, taken up, set aside and answered.
//!
//! Each tick the head of the line is laid out on the desk; hands take from it one after another, and lay
//! back each answer when it is done. A hand is a task on the pool, or the main thread for as long as its
//! budget lasts. So small searches need no tick each.
//!
//! A search that has had its [turn](TURN) is set aside for those who wait, and gets every other
//! turn from then on: even where there is one hand only, a long search holds up nobody for longer. As each
//! search under way takes its memory, only [one more](MOST_ASIDE) than there are hands is ever begun, and what that
//! one took is freed when there are no more searches than hands. Of long searches the oldest is finished first: the
//! one that is set aside has come no further than a turn, and takes no more memory than that.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bevy::prelude::*;

use super::assignment::Assignment;
use super::resources::SearchResources;
use super::{Solved, Worker};
use crate::order::{CancelToken, Promise};

/// How many cells a hand expands before it looks whether the search has been withdrawn, or time is up, or
/// somebody else wants the core that it runs on.
pub(super) const SLICE: u32 = 512;
/// How many cells a search may expand before it has to let others in.
pub(super) const TURN: u32 = 32 * SLICE;
/// How many searches may lie set aside.
const MOST_ASIDE: usize = 1;

/// Somebody who asks, and what.
pub(crate) struct Asker {
    pub(crate) entity: Entity,
    pub(crate) assignment: Assignment,
    pub(crate) promise: Promise,
}

impl Asker {
    pub(super) fn new(entity: Entity, assignment: Assignment) -> (Self, CancelToken) {
        let (promise, token) = Promise::new();
        (Self { entity, assignment, promise }, token)
    }

    /// Notes that a hand has taken the search up; false if it has been withdrawn.
    fn begin(&self) -> bool {
        self.promise.begin()
    }

    fn is_withdrawn(&self) -> bool {
        self.promise.is_withdrawn()
    }
}

/// A search that is to be made: for one asker, or for several who want to go to the same place.
pub(super) struct SearchJob {
    pub(super) askers: Vec<Asker>,
    pub(super) shared: bool,
}

/// A search that is under way.
pub(super) struct ActiveSearch {
    /// Counted from the first search that was begun.
    number: u64,
    worker: Worker,
    /// What it may still expand in this turn.
    turn: u32,
}

impl ActiveSearch {
    fn begin(number: u64, mut order: SearchJob, resources: &SearchResources) -> Option<Self> {
        order.askers.retain(Asker::begin);
        let worker = Worker::new(order, resources.clone())?;
        Some(Self { number, worker, turn: TURN })
    }

    /// Expands up to `budget` cells; whether the search is over, and what was spent.
    pub(super) fn step(&mut self, budget: u32, queue: &SearchQueue) -> (bool, u64) {
        let before = self.worker.expanded();
        let is_over = self.worker.is_withdrawn(Asker::is_withdrawn) || self.worker.step(budget);
        let spent = self.worker.expanded() - before;
        self.turn = self.turn.saturating_sub(u32::try_from(spent).unwrap_or(u32::MAX));
        queue.answer(self.worker.take_solved());
        (is_over, spent)
    }
}

/// What is laid out, what is set aside, and how many hands there are to take it.
#[derive(Default)]
pub(super) struct Orders {
    pub(super) line: VecDeque<SearchJob>,
    aside: VecDeque<ActiveSearch>,
    /// Whether the next turn is that of who was set aside.
    is_asides_turn: bool,
    pub(super) workers: usize,
    /// How many have been taken up.
    begun: u64,
}

impl Orders {
    /// Whether there is anything to take up.
    pub(super) fn is_empty(&self) -> bool {
        self.line.is_empty() && self.aside.is_empty()
    }

    /// The most searches that can be under way: one in each hand, and those set aside.
    pub(super) fn under_way(&self) -> usize {
        self.workers + self.aside.len()
    }

    /// How many hands there is work for.
    pub(super) fn len(&self) -> usize {
        self.line.len() + self.aside.len()
    }
}

/// What the main thread and the other hands share.
#[derive(Default)]
pub(super) struct SearchQueue {
    orders: Mutex<Orders>,
    answers: Mutex<Vec<(Entity, Solved)>>,
}

impl SearchQueue {
    pub(super) fn orders(&self) -> MutexGuard<'_, Orders> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the answers that are there.
    pub(super) fn take_answers(&self) -> Vec<(Entity, Solved)> {
        core::mem::take(&mut *self.answers.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn answer(&self, solved: impl Iterator<Item = (Entity, Solved)>) {
        let mut solved = solved.peekable();
        if solved.peek().is_some() {
            self.answers.lock().unwrap_or_else(PoisonError::into_inner).extend(solved);
        }
    }

    /// The next search that somebody still wants: a fresh one, or every other time one that was set aside.
    /// Without any, the hand that asks has left if it says so.
    pub(super) fn take(&self, resources: &SearchResources, leaves: bool) -> Option<ActiveSearch> {
        loop {
            let mut orders = self.orders();
            let resumes = !orders.aside.is_empty() && (orders.is_asides_turn || orders.line.is_empty());
            orders.is_asides_turn = !resumes;
            if resumes {
                return orders.aside.pop_front();
            }
            let Some(order) = orders.line.pop_front() else {
                orders.workers -= usize::from(leaves);
                return None;
            };
            orders.begun += 1;
            let number = orders.begun;
            drop(orders);
            if let Some(work) = ActiveSearch::begin(number, order, resources) {
                return Some(work);
            }
        }
    }

    /// Sets a search aside whose turn is over, if others wait. Gives back what the hand is to go on with.
    pub(super) fn make_way(&self, mut work: ActiveSearch) -> Option<ActiveSearch> {
        if work.turn > 0 {
            return Some(work);
        }
        work.turn = TURN;
        let mut orders = self.orders();
        if orders.aside.len() < MOST_ASIDE {
            if orders.line.is_empty() {
                return Some(work);
            }
            orders.is_asides_turn = false;
            orders.aside.push_back(work);
            return None;
        }
        // All the memory there is for searches is out, and two that are long would take twice as much.
        let older = orders.aside.partition_point(|other| other.number < work.number);
        orders.aside.insert(older, work);
        orders.aside.pop_front()
    }

    /// Keeps a search of the main thread for the next frame.
    pub(super) fn keep(&self, work: ActiveSearch) {
        let mut orders = self.orders();
        orders.aside.push_front(work);
        orders.is_asides_turn = true;
    }
}
