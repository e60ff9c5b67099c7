//! Searches on the task pool.

use bevy::prelude::*;
use bevy::tasks::futures::check_ready;
use bevy::tasks::futures_lite::future::yield_now;
use bevy::tasks::{AsyncComputeTaskPool, Task, TaskPool};

use super::line::waiting;
use super::snapshot::Snapshots;
use super::worker::Outbox;
use super::{Client, Failures, PathStatus, SolveSettings, Solved, Worker};
use crate::request::{Job, Ticket, TicketState};

/// How many cells a task expands before it looks whether it has been cancelled.
const SLICE: u32 = 2048;

/// Takes the answers of the tasks that are done.
pub(super) fn collect(mut tickets: Query<(Entity, &mut Ticket)>, mut outbox: ResMut<Outbox>) {
    for (entity, mut ticket) in &mut tickets {
        if let TicketState::Running(Job::Task(task)) = &mut ticket.bypass_change_detection().state
            && let Some(solved) = check_ready(task)
        {
            ticket.state = TicketState::Answered;
            outbox.0.push((entity, solved));
        }
    }
}

/// Gives free workers to those who have waited longest, by priority.
pub(super) fn dispatch(
    mut clients: Query<Client>,
    settings: Res<SolveSettings>,
    snapshots: Snapshots,
    mut failures: Failures,
) {
    let pool = AsyncComputeTaskPool::get_or_init(TaskPool::default);
    let workers = if settings.workers == 0 { pool.thread_num().max(1) } else { settings.workers as usize };
    let busy = clients.iter().filter(|client| client.ticket.is_running()).count();
    let mut free = workers.saturating_sub(busy);
    if free == 0 {
        return;
    }
    for mut client in waiting(clients.iter_mut()) {
        match snapshots.worker(&client) {
            Ok(worker) => {
                client.ticket.state = TicketState::Running(Job::Task(run(pool, worker)));
                *client.status = PathStatus::Searching;
                free -= 1;
            }
            Err(error) => failures.fail(&mut client, error),
        }
        if free == 0 {
            break;
        }
    }
}

/// Runs a search to its end. Between slices the task yields, so that dropping it ends the work.
fn run(pool: &TaskPool, mut worker: Worker) -> Task<Solved> {
    pool.spawn(async move {
        loop {
            if let Some(solved) = worker.step(SLICE) {
                return solved;
            }
            yield_now().await;
        }
    })
}
