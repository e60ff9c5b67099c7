//! The main thread as a worker: within the frame's budget in `Sliced` mode, until all is done in `Inline` mode.

use bevy::diagnostic::FrameCount;
use bevy::platform::time::Instant;
use bevy::prelude::*;

use super::SolveMode;
use super::dispatch::Dispatch;
use super::resources::SearchResources;
use super::search_queue::{SLICE_EXPANSIONS, SearchQueue};
use crate::order::Requester;

/// The cost of a finished search in addition to its expanded cells, so that the budget limits many tiny searches
/// too. Unit: cells.
const SEARCH_OVERHEAD: u64 = 8;
/// Up to how many jobs the queue is filled before the budget is checked again.
const BATCH_SIZE: usize = 64;

/// The rest of a frame's budget.
#[derive(Default)]
pub(super) struct FrameBudget {
    frame: Option<u32>,
    cells: u64,
    seconds: f32,
}

impl FrameBudget {
    /// Refills the budget in a new frame; a later tick of the same frame gets the rest. Without `micros`, cells are the only limit.
    fn open(&mut self, frame: Option<u32>, cells: u64, micros: Option<u32>) {
        if frame.is_none() || frame != self.frame {
            self.cells = cells;
            self.seconds = micros.map_or(f32::INFINITY, |micros| micros as f32 * 1e-6);
        }
        self.frame = frame;
        self.cells = self.cells.min(cells);
    }

    const fn is_empty(&self) -> bool {
        self.cells == 0 || self.seconds <= 0.0
    }
}

/// Continues the searches that have begun, then begins waiting ones, until the frame's budget is
/// spent. In `Inline` mode there is no budget.
pub(super) fn step(
    mut dispatch: Dispatch,
    mut requesters: Query<Requester>,
    frame: Option<Res<FrameCount>>,
    mut budget: Local<FrameBudget>,
    resources: Res<SearchResources>,
) {
    let settings = *dispatch.settings;
    match settings.available_mode() {
        SolveMode::Inline => budget.open(None, u64::MAX, None),
        _ => budget.open(
            frame.map(|frame| frame.0),
            u64::from(settings.expansions_per_frame.max(1)),
            settings.micros_per_frame,
        ),
    }
    let queue = dispatch.pool.queue.clone();
    resources.set_workers(1);
    dispatch.take_back(&mut requesters);
    dispatch.update_waiting(&mut requesters);
    loop {
        let has_jobs = dispatch.enqueue(&mut requesters, BATCH_SIZE) > 0;
        spend(&mut budget, &queue, &resources);
        if budget.is_empty() || !has_jobs {
            break;
        }
    }
}

/// Works on the search queue until the queue is empty or the budget is spent.
fn spend(budget: &mut FrameBudget, queue: &SearchQueue, resources: &SearchResources) {
    let mut held = None;
    while !budget.is_empty() {
        let began = Instant::now();
        let Some(mut work) = held.take().or_else(|| queue.take(resources, false)) else { return };
        let slice = u32::try_from(budget.cells).unwrap_or(u32::MAX).min(SLICE_EXPANSIONS);
        let (is_over, spent) = work.step(slice, queue);
        let overhead = if is_over { SEARCH_OVERHEAD } else { 0 };
        budget.cells = budget.cells.saturating_sub(spent + overhead);
        budget.seconds -= began.elapsed().as_secs_f32();
        if !is_over {
            held = queue.suspend(work);
        }
    }
    if let Some(work) = held {
        queue.suspend_for_frame(work);
    }
}
