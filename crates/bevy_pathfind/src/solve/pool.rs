//! Workers on the task pool.

use std::sync::Arc;

use bevy::prelude::*;
use bevy::tasks::futures::check_ready;
use bevy::tasks::futures_lite::future::yield_now;
use bevy::tasks::{AsyncComputeTaskPool, Task, TaskPool};

use super::SolveSettings;
use super::batch::BatchSize;
use super::resources::SearchResources;
use super::search_queue::{SLICE_EXPANSIONS, SearchQueue};

/// The search queue, and the tasks that work on it. Dropping it ends each task after its present slice.
#[derive(Resource, Default)]
pub(super) struct Pool {
    pub(super) queue: Arc<SearchQueue>,
    pub(super) batch: BatchSize,
    tasks: Vec<Task<()>>,
}

impl Pool {
    /// Starts as many workers as there are searches for, up to the limit of the settings.
    pub(super) fn start_workers(&mut self, settings: &SolveSettings, resources: &SearchResources) {
        self.tasks.retain_mut(|task| check_ready(task).is_none());
        let mut state = self.queue.lock();
        let max = max_workers(settings);
        resources.set_workers(max);
        let new_workers = max.saturating_sub(state.workers).min(state.len());
        state.workers += new_workers;
        let pool = AsyncComputeTaskPool::get_or_init(TaskPool::default);
        for _ in 0..new_workers {
            self.tasks.push(pool.spawn(work(self.queue.clone(), resources.clone())));
        }
    }
}

/// The greatest number of workers.
fn max_workers(settings: &SolveSettings) -> usize {
    match settings.workers {
        None => AsyncComputeTaskPool::get_or_init(TaskPool::default).thread_num().max(1),
        Some(workers) => workers.max(1) as usize,
    }
}

/// Works on the search queue until it is empty. It yields between slices, so that dropping the task
/// ends the work.
async fn work(queue: Arc<SearchQueue>, resources: SearchResources) {
    let mut held = None;
    while let Some(mut work) = held.take().or_else(|| queue.take(&resources, true)) {
        let (is_over, _) = work.step(SLICE_EXPANSIONS, &queue);
        if !is_over {
            held = queue.suspend(work);
        }
        yield_now().await;
        // If there are fewer cores than threads, the threads that run frames go first.
        std::thread::yield_now();
    }
}
