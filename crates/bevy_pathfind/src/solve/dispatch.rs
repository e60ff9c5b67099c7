//! From the line to the desk, and from the desk to the outbox.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use super::pool::Pool;
use super::resources::SearchResources;
use super::search_queue::{Asker, SearchJob};
use super::snapshot::Snapshots;
use super::worker::CompletedSearches;
use super::{SolveSettings, service_order, shared};
use crate::order::{Failures, PathError, Requester, RequesterItem, Ticket, TicketCounter, TicketState};

/// Lays out requests.
#[derive(SystemParam)]
pub(super) struct Dispatch<'w, 's> {
    pub(super) settings: Res<'w, SolveSettings>,
    pub(super) pool: ResMut<'w, Pool>,
    snapshots: Snapshots<'w, 's>,
    counter: Res<'w, TicketCounter>,
    failures: Failures<'w, 's>,
}

impl Dispatch<'_, '_> {
    /// Puts what nobody has begun back in line, so that the desk is always that of this tick: who comes
    /// later may be served earlier, and searches get the map as it is now. How many searches it was.
    pub(super) fn take_back(&mut self, requesters: &mut Query<Requester>) -> usize {
        let left = core::mem::take(&mut self.pool.queue.orders().line);
        let count = left.len();
        for asker in left.into_iter().flat_map(|order| order.askers) {
            if let Ok(mut requester) = requesters.get_mut(asker.entity)
                && requester.ticket.number == asker.assignment.number
                && matches!(requester.ticket.state, TicketState::Running(_))
            {
                requester.ticket.put_back();
            }
        }
        count
    }

    /// Those who wait, in the order in which they are served; who has just come is told whether to go
    /// with others.
    pub(super) fn line<'q, 's>(
        &self,
        requesters: &'q mut Query<'_, 's, Requester>,
    ) -> Vec<RequesterItem<'q, 's>> {
        let ticks_per_priority = u64::from(self.settings.ticks_per_priority);
        let mut line = service_order::waiting(requesters.iter_mut(), ticks_per_priority);
        let is_fresh = |requester: &&mut RequesterItem| requester.ticket.round == self.counter.round;
        shared::mark_shared(line.iter_mut().filter(is_fresh), &self.snapshots);
        line
    }

    /// Lays out requests from the head of the line, `count` searches at most; how many there were.
    pub(super) fn lay_out<'q, 's: 'q>(
        &mut self,
        line: &mut impl Iterator<Item = RequesterItem<'q, 's>>,
        count: usize,
    ) -> usize {
        let queue = self.pool.queue.clone();
        // Held all the while: a hand that came between would find the desk empty, and leave.
        let mut orders = queue.orders();
        while orders.line.len() < count
            && let Some(mut requester) = line.next()
        {
            match self.snapshots.assignment(&requester) {
                Ok(assignment) => {
                    let (asked, shared) = (assignment.asked(requester.request), requester.ticket.shared);
                    let (asker, token) = Asker::new(requester.entity, assignment);
                    requester.ticket.begin(token, asked);
                    match orders.line.iter_mut().find(|order| shared && order.takes(&asker)) {
                        Some(order) => order.askers.push(asker),
                        None => orders.line.push_back(SearchJob { askers: vec![asker], shared }),
                    }
                }
                // The request stays in line until its grid is enabled again.
                Err(PathError::GridRemoved) if self.snapshots.waits_for_its_grid(&requester) => (),
                Err(error) => self.failures.fail(&mut requester, error),
            }
        }
        orders.line.len()
    }
}

impl SearchJob {
    /// Whether somebody may join who wants to go to the same place.
    fn takes(&self, asker: &Asker) -> bool {
        self.shared && self.askers.first().is_some_and(|first| first.assignment.goes_with(&asker.assignment))
    }
}

/// Lays out the requests of those who are first in line for the hands on the task pool.
pub(super) fn lay_out(
    mut dispatch: Dispatch,
    mut requesters: Query<Requester>,
    resources: Res<SearchResources>,
) {
    let left = dispatch.take_back(&mut requesters);
    let count = dispatch.pool.batch.next(left);
    let mut line = dispatch.line(&mut requesters).into_iter();
    let laid_out = dispatch.lay_out(&mut line, count);
    drop(line);
    dispatch.pool.batch.note(laid_out);
    let settings = *dispatch.settings;
    dispatch.pool.staff(&settings, &resources);
}

/// Takes the answers that are there, and sees to it that somebody works on what is laid out.
pub(super) fn collect(
    mut tickets: Query<&mut Ticket>,
    mut completed: ResMut<CompletedSearches>,
    mut pool: ResMut<Pool>,
    settings: Res<SolveSettings>,
    resources: Res<SearchResources>,
) {
    for (asker, solved) in pool.queue.take_answers() {
        if let Ok(mut ticket) = tickets.get_mut(asker)
            && ticket.number == solved.number
            && matches!(ticket.state, TicketState::Running(_))
        {
            ticket.state = TicketState::Answered;
            completed.0.push((asker, solved));
        }
    }
    if settings.mode() == super::SolveMode::Background {
        pool.staff(&settings, &resources);
    }
}
