//! Moves requests into the search queue, and answers out of it.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use super::job_run::CompletedSearches;
use super::pool::Pool;
use super::resources::SearchResources;
use super::search_queue::{Recipient, SearchJob};
use super::service_order::OpenRequests;
use super::snapshot::Ground;
use super::{SolveSettings, shared};
use crate::order::{
    Failures, PathError, Requester, Returned, SearchHandle, Ticket, TicketCounter, TicketState,
};

/// Makes search jobs of requests.
#[derive(SystemParam)]
pub(super) struct Dispatch<'w, 's> {
    pub(super) settings: Res<'w, SolveSettings>,
    pub(super) pool: ResMut<'w, Pool>,
    ground: Ground<'w, 's>,
    counter: Res<'w, TicketCounter>,
    open: ResMut<'w, OpenRequests>,
    returned: Res<'w, Returned>,
    failures: Failures<'w, 's>,
}

impl Dispatch<'_, '_> {
    /// Removes the jobs that no worker has begun from the search queue, and their requests wait again: requests made
    /// since may be due earlier, and searches get the grid as it is now. Returns the number of jobs removed.
    pub(super) fn take_back(&mut self, requesters: &mut Query<Requester>) -> usize {
        let unstarted = core::mem::take(&mut self.pool.queue.lock().waiting);
        let count = unstarted.len();
        for recipient in unstarted.into_iter().flat_map(|job| job.recipients) {
            if let Ok(mut requester) = requesters.get_mut(recipient.entity)
                && requester.ticket.number == recipient.input.number
                && matches!(requester.ticket.state, TicketState::Running { .. })
            {
                requester.ticket.put_back();
            }
        }
        count
    }

    /// Brings the list of waiting requests up to date. Marks the requests made in this run of the stage that share a
    /// search.
    pub(super) fn update_waiting(&mut self, requesters: &mut Query<Requester>) {
        let ticks_per_priority = u64::from(self.settings.ticks_per_priority);
        let changed = self.open.update(requesters, &self.returned, ticks_per_priority);
        shared::mark_shared(&changed, requesters, self.counter.round, &self.ground);
    }

    /// Adds search jobs for the first waiting requests, until the queue holds `count`; returns the length of the queue.
    pub(super) fn enqueue(&mut self, requesters: &mut Query<Requester>, count: usize) -> usize {
        let (queue, mut held) = (self.pool.queue.clone(), Vec::new());
        // The lock is held throughout: a worker that found the queue empty meanwhile would end.
        let mut state = queue.lock();
        while state.waiting.len() < count
            && let Some((key, entity)) = self.open.waiting.pop()
        {
            let Ok(mut requester) = requesters.get_mut(entity) else { continue };
            match self.ground.input_for(&requester) {
                Ok(input) => {
                    let snapshot = input.request_snapshot(&requester.request);
                    let shared = requester.ticket.shared && input.may_share();
                    let (handle, token) = SearchHandle::new();
                    let recipient = Recipient { entity, input, handle };
                    requester.ticket.hand_over(token, snapshot);
                    self.open.queued.push(entity);
                    match state.waiting.iter_mut().find(|job| shared && job.admits(&recipient)) {
                        Some(job) => job.recipients.push(recipient),
                        None => state.waiting.push_back(SearchJob { recipients: vec![recipient], shared }),
                    }
                }
                // The request waits until its grid is enabled again.
                Err(PathError::GridRemoved)
                    if requester.ticket.grid.is_some_and(|grid| self.ground.disabled.contains(grid)) =>
                {
                    held.push((key, entity));
                }
                Err(error) => self.failures.fail(&mut requester, error),
            }
        }
        self.open.waiting.extend(held);
        state.waiting.len()
    }
}

impl SearchJob {
    /// Whether the request of `recipient`, which has the same goal, may join the job.
    fn admits(&self, recipient: &Recipient) -> bool {
        self.shared
            && self.recipients.first().is_some_and(|first| first.input.can_share_with(&recipient.input))
    }
}

/// Queues the first requests in the order of service for the workers on the task pool.
pub(super) fn enqueue(
    mut dispatch: Dispatch,
    mut requesters: Query<Requester>,
    resources: Res<SearchResources>,
) {
    let unstarted = dispatch.take_back(&mut requesters);
    let count = dispatch.pool.batch.next(unstarted);
    dispatch.update_waiting(&mut requesters);
    let queued = dispatch.enqueue(&mut requesters, count);
    dispatch.pool.batch.note(queued);
    let settings = *dispatch.settings;
    dispatch.pool.start_workers(&settings, &resources);
}

/// Collects finished answers, and starts workers for the searches in the queue.
pub(super) fn collect(
    mut tickets: Query<&mut Ticket>,
    mut completed: ResMut<CompletedSearches>,
    mut pool: ResMut<Pool>,
    settings: Res<SolveSettings>,
    resources: Res<SearchResources>,
) {
    for (recipient, solved) in pool.queue.take_answers() {
        if let Ok(mut ticket) = tickets.get_mut(recipient)
            && ticket.number == solved.number
            && let TicketState::Running { is_outdated, .. } = ticket.state
        {
            ticket.state = TicketState::Answered { is_outdated };
            completed.0.push((recipient, solved));
        }
    }
    if settings.available_mode() == super::SolveMode::Background {
        pool.start_workers(&settings, &resources);
    }
}
