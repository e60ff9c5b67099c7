//! The search queue: jobs that wait, searches that are suspended, and finished answers. Jobs are searches for paths and
//! for the best cells; workers take one of each in turn.
//!
//! Each tick, the requests that are due first are queued as jobs. Workers take one job after another and add each
//! answer to the list as soon as it is found, so that a worker can finish many small searches in a tick. A worker is
//! a task on the pool, or the main thread as long as its budget lasts. In which order requests are queued is decided
//! in `service_order`.
//!
//! A search that has used up its [turn](TURN_EXPANSIONS) is suspended in favour of waiting jobs, and from then on
//! gets every other turn: a single long search delays the others by no more than a turn at a time. Each search under
//! way takes memory, so at most [one more](MAX_SUSPENDED) than there are workers is begun; that memory is freed when
//! there are no more searches than workers. If a second search becomes long while one is suspended, the worker goes
//! on with the older of the two until that one has ended: the newer one has used a single turn, and so takes little
//! memory while it is suspended. With a single worker, waiting jobs then wait for the end of the older search.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bevy::ecs::change_detection::Tick;
use bevy::prelude::*;

use super::cell_input::{CellInput, CellRun};
use super::resources::SearchResources;
use super::search_input::SearchInput;
use super::{JobRun, Solved};
use crate::order::SearchHandle;

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
    pub(crate) input: SearchInput,
    pub(crate) handle: SearchHandle,
}

/// A search that waits: for one requester, or for several with the same goal.
pub(super) struct SearchJob {
    pub(super) recipients: Vec<Recipient>,
    pub(super) shared: bool,
}

/// A search for the best cells that waits.
pub(super) struct CellJob {
    pub(super) entity: Entity,
    /// The change tick of the request.
    pub(super) asked: Tick,
    pub(super) input: CellInput,
    pub(super) handle: SearchHandle,
}

/// A search for the best cells under way; once it is over, its answer.
pub(super) struct BegunCells {
    pub(super) entity: Entity,
    /// The change tick of the request.
    pub(super) asked: Tick,
    pub(super) run: CellRun,
    handle: SearchHandle,
}

enum ActiveRun {
    Paths(JobRun),
    /// `None` once it is over.
    Cells(Option<Box<BegunCells>>),
}

/// A search under way.
pub(super) struct ActiveSearch {
    /// The number of the search, in the order in which searches were begun.
    number: u64,
    run: ActiveRun,
    /// How many cells it may still expand in this turn.
    turn: u32,
}

impl ActiveSearch {
    /// Begins a job; `None` if all its requesters have withdrawn.
    fn begin(number: u64, mut job: SearchJob, resources: &SearchResources) -> Option<Self> {
        job.recipients.retain(|recipient| recipient.handle.begin());
        let run = ActiveRun::Paths(JobRun::new(job, resources.clone())?);
        Some(Self { number, run, turn: TURN_EXPANSIONS })
    }

    /// Begins a search for the best cells; `None` if it was withdrawn.
    fn begin_cells(number: u64, job: CellJob, resources: &SearchResources) -> Option<Self> {
        let CellJob { entity, asked, input, handle } = job;
        if !handle.begin() {
            return None;
        }
        let begun = BegunCells { entity, asked, run: input.begin(resources.lend()), handle };
        Some(Self { number, run: ActiveRun::Cells(Some(Box::new(begun))), turn: TURN_EXPANSIONS })
    }

    /// Expands up to `budget` cells. Returns whether the search is over, and what was spent, in cells.
    pub(super) fn step(&mut self, budget: u32, queue: &SearchQueue) -> (bool, u64) {
        let (is_over, spent) = match &mut self.run {
            ActiveRun::Paths(run) => {
                let before = run.expanded();
                let is_over = run.drop_withdrawn() || run.step(budget);
                queue.answer(run.take_solved());
                (is_over, run.expanded() - before)
            }
            ActiveRun::Cells(cells) => {
                let is_over = cells.as_mut().is_none_or(|it| it.handle.is_withdrawn() || it.run.step(budget));
                let answer = cells.take_if(|_| is_over).map(|answer| *answer);
                queue.cell_answers.lock().unwrap_or_else(PoisonError::into_inner).extend(answer);
                // The last slice counts in full.
                (is_over, u64::from(budget))
            }
        };
        self.turn = self.turn.saturating_sub(u32::try_from(spent).unwrap_or(u32::MAX));
        (is_over, spent)
    }
}

/// The state of the queue: waiting jobs, suspended searches, and the number of workers.
#[derive(Default)]
pub(super) struct SearchQueueState {
    pub(super) waiting: VecDeque<SearchJob>,
    pub(super) cells: VecDeque<CellJob>,
    /// Whether the next new search is one for the best cells.
    is_turn_of_cells: bool,
    suspended: VecDeque<ActiveSearch>,
    /// Whether the next turn is that of a suspended search.
    is_turn_of_suspended: bool,
    pub(super) workers: usize,
    /// How many searches have been begun.
    begun: u64,
}

impl SearchQueueState {
    /// The greatest number of searches that can be under way now: one for each worker, and the suspended ones.
    pub(super) fn under_way(&self) -> usize {
        self.workers + self.suspended.len()
    }

    /// The number of searches to work on, waiting and suspended.
    pub(super) fn len(&self) -> usize {
        self.waiting.len() + self.cells.len() + self.suspended.len()
    }

    fn has_waiting(&self) -> bool {
        !self.waiting.is_empty() || !self.cells.is_empty()
    }
}

/// The queue that the main thread and the workers share.
#[derive(Default)]
pub(super) struct SearchQueue {
    state: Mutex<SearchQueueState>,
    answers: Mutex<Vec<(Entity, Solved)>>,
    cell_answers: Mutex<Vec<BegunCells>>,
}

impl SearchQueue {
    pub(super) fn lock(&self) -> MutexGuard<'_, SearchQueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes all finished answers.
    pub(super) fn take_answers(&self) -> Vec<(Entity, Solved)> {
        core::mem::take(&mut *self.answers.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes all searches for the best cells that are over, also those that were withdrawn meanwhile.
    pub(super) fn take_cell_answers(&self) -> Vec<BegunCells> {
        core::mem::take(&mut *self.cell_answers.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn answer(&self, solved: impl Iterator<Item = (Entity, Solved)>) {
        let mut solved = solved.peekable();
        if solved.peek().is_some() {
            self.answers.lock().unwrap_or_else(PoisonError::into_inner).extend(solved);
        }
    }

    /// The next search that has not been withdrawn: a new one or, every other time, a suspended one. If there is none
    /// and `ends_worker` is true, the number of workers is reduced by one: the calling worker ends.
    pub(super) fn take(&self, resources: &SearchResources, ends_worker: bool) -> Option<ActiveSearch> {
        loop {
            let mut state = self.lock();
            let resumes = !state.suspended.is_empty() && (state.is_turn_of_suspended || !state.has_waiting());
            state.is_turn_of_suspended = !resumes;
            if resumes {
                return state.suspended.pop_front();
            }
            state.begun += 1;
            let number = state.begun;
            let takes_cells = state.is_turn_of_cells || state.waiting.is_empty();
            let cells = if takes_cells { state.cells.pop_front() } else { None };
            state.is_turn_of_cells = cells.is_none();
            let work = if let Some(job) = cells {
                drop(state);
                ActiveSearch::begin_cells(number, job, resources)
            } else if let Some(job) = state.waiting.pop_front() {
                drop(state);
                ActiveSearch::begin(number, job, resources)
            } else {
                state.workers -= usize::from(ends_worker);
                return None;
            };
            if work.is_some() {
                return work;
            }
        }
    }

    /// Suspends a search whose turn is over if other jobs wait. Returns the search with which the worker goes on;
    /// `None` if it has to [take](Self::take) another.
    pub(super) fn suspend(&self, mut work: ActiveSearch) -> Option<ActiveSearch> {
        if work.turn > 0 {
            return Some(work);
        }
        work.turn = TURN_EXPANSIONS;
        let mut state = self.lock();
        if state.suspended.len() < MAX_SUSPENDED {
            if !state.has_waiting() {
                return Some(work);
            }
            state.is_turn_of_suspended = false;
            state.suspended.push_back(work);
            return None;
        }
        // A search is suspended already. To keep both at work would take twice the memory: go on with the older one.
        let older = state.suspended.partition_point(|other| other.number < work.number);
        state.suspended.insert(older, work);
        state.suspended.pop_front()
    }

    /// Suspends a search of the main thread until the next frame, in which it is continued first.
    pub(super) fn suspend_for_frame(&self, work: ActiveSearch) {
        let mut state = self.lock();
        state.suspended.push_front(work);
        state.is_turn_of_suspended = true;
    }
}
