//! Searches on the task pool.
//!
//! Each tick the head of the line is laid out on a desk; a few workers take from it one request after
//! another, and lay back each answer when it is done. So small searches need no tick each, and whoever has
//! drawn a long one holds up nobody as long as another worker is free.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bevy::prelude::*;
use bevy::tasks::futures::check_ready;
use bevy::tasks::futures_lite::future::yield_now;
use bevy::tasks::{AsyncComputeTaskPool, Task, TaskPool};

use super::line::waiting;
use super::snapshot::Snapshots;
use super::worker::{Assignment, Outbox, Spaces};
use super::{Client, Failures, SolveSettings, Solved, Worker};
use crate::request::{Job, Ticket, TicketState};

/// How many cells a task expands before it looks whether it has been cancelled.
const SLICE: u32 = 2048;
/// How many requests are laid out for each worker in a tick: more small ones than it can search in that time.
const BATCH: usize = 64;

const LAID_OUT: u8 = 0;
const BEGUN: u8 = 1;
const DROPPED: u8 = 2;

/// The asker's hold on a search on the task pool: dropping it cancels the search.
pub(crate) struct Errand(Arc<AtomicU8>);

impl Errand {
    /// Whether a worker has taken it from the desk.
    pub(super) fn has_begun(&self) -> bool {
        self.0.load(Ordering::Relaxed) == BEGUN
    }

    /// Cancels it if no worker has taken it yet, and says so: then no answer will come.
    pub(crate) fn recall(&self) -> bool {
        self.0.compare_exchange(LAID_OUT, DROPPED, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}

impl Drop for Errand {
    fn drop(&mut self) {
        self.0.store(DROPPED, Ordering::Relaxed);
    }
}

/// A search that is to be made.
struct Order {
    asker: Entity,
    assignment: Assignment,
    stage: Arc<AtomicU8>,
}

/// What is laid out, and how many workers there are to take it.
#[derive(Default)]
struct Orders {
    line: VecDeque<Order>,
    workers: usize,
}

/// What the main thread and the workers share.
#[derive(Default)]
struct Desk {
    orders: Mutex<Orders>,
    answers: Mutex<Vec<(Entity, Solved)>>,
}

impl Desk {
    fn orders(&self) -> MutexGuard<'_, Orders> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answers(&self) -> MutexGuard<'_, Vec<(Entity, Solved)>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next order that somebody still wants; without one the worker who asked has left.
    fn next(&self) -> Option<Order> {
        let mut orders = self.orders();
        while let Some(order) = orders.line.pop_front() {
            let (from, to) = (LAID_OUT, BEGUN);
            if order.stage.compare_exchange(from, to, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                return Some(order);
            }
        }
        orders.workers -= 1;
        None
    }
}

/// The desk, and the workers at it. Dropping it ends them at their next slice.
#[derive(Resource, Default)]
pub(super) struct Away {
    desk: Arc<Desk>,
    tasks: Vec<Task<()>>,
}

impl Away {
    /// The number of workers at the desk.
    pub(super) fn workers(&self) -> usize {
        self.desk.orders().workers
    }

    /// Calls as many workers as there is work for.
    fn staff(&mut self, settings: &SolveSettings, spaces: &Spaces) {
        self.tasks.retain_mut(|task| check_ready(task).is_none());
        let mut orders = self.desk.orders();
        if orders.line.is_empty() {
            return;
        }
        let called = most_workers(settings).saturating_sub(orders.workers).min(orders.line.len());
        orders.workers += called;
        let pool = AsyncComputeTaskPool::get_or_init(TaskPool::default);
        for _ in 0..called {
            self.tasks.push(pool.spawn(work(self.desk.clone(), spaces.clone())));
        }
    }
}

/// How many workers there may be.
fn most_workers(settings: &SolveSettings) -> usize {
    match settings.workers {
        0 => AsyncComputeTaskPool::get_or_init(TaskPool::default).thread_num().max(1),
        workers => workers as usize,
    }
}

/// Takes the answers that are there, and sees to it that somebody works on what is laid out.
pub(super) fn collect(
    mut tickets: Query<&mut Ticket>,
    mut outbox: ResMut<Outbox>,
    mut away: ResMut<Away>,
    settings: Res<SolveSettings>,
    spaces: Res<Spaces>,
) {
    for (asker, solved) in core::mem::take(&mut *away.desk.answers()) {
        if let Ok(mut ticket) = tickets.get_mut(asker)
            && ticket.number == solved.number
            && matches!(ticket.state, TicketState::Running(Job::Away(_)))
        {
            ticket.state = TicketState::Answered;
            outbox.0.push((asker, solved));
        }
    }
    away.staff(&settings, &spaces);
}

/// Lays out the requests of those who have waited longest, by priority.
///
/// What nobody has begun goes back in line first, so that the desk is always that of this tick: who comes
/// later may be served earlier, and searches get the map as it is now.
pub(super) fn dispatch(
    mut clients: Query<Client>,
    settings: Res<SolveSettings>,
    spaces: Res<Spaces>,
    snapshots: Snapshots,
    mut away: ResMut<Away>,
    mut failures: Failures,
) {
    let desk = away.desk.clone();
    // Held all the while: a worker who came between would find the desk empty, and leave.
    let mut orders = desk.orders();
    for order in orders.line.drain(..) {
        if let Ok(mut client) = clients.get_mut(order.asker)
            && client.ticket.number == order.assignment.number
            && matches!(client.ticket.state, TicketState::Running(Job::Away(_)))
        {
            client.ticket.put_back();
        }
    }
    for mut client in waiting(clients.iter_mut()) {
        if orders.line.len() == BATCH.saturating_mul(most_workers(&settings)) {
            break;
        }
        match snapshots.assignment(&client) {
            Ok(assignment) => {
                let stage = Arc::new(AtomicU8::new(LAID_OUT));
                let asked = assignment.asked(client.request);
                client.ticket.begin(Job::Away(Errand(stage.clone())), asked);
                client.show_searching();
                orders.line.push_back(Order { asker: client.entity, assignment, stage });
            }
            Err(error) => failures.fail(&mut client, error),
        }
    }
    drop(orders);
    away.staff(&settings, &spaces);
}

/// Works on what lies on the desk until it is empty. Between slices it yields, so that dropping the task
/// ends the work.
async fn work(desk: Arc<Desk>, spaces: Spaces) {
    while let Some(Order { asker, assignment, stage }) = desk.next() {
        let mut worker = Worker::new(assignment, spaces.clone());
        while stage.load(Ordering::Relaxed) != DROPPED {
            if let Some(solved) = worker.step(SLICE) {
                desk.answers().push((asker, solved));
                break;
            }
            yield_now().await;
        }
        yield_now().await;
    }
}
