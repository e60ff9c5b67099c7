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
    pub(super) fn take_back(&mut self, clients: &mut Query<Requester>) -> usize {
        let left = core::mem::take(&mut self.pool.desk.orders().line);
        let count = left.len();
        for asker in left.into_iter().flat_map(|order| order.askers) {
            if let Ok(mut client) = clients.get_mut(asker.entity)
                && client.ticket.number == asker.assignment.number
                && matches!(client.ticket.state, TicketState::Running(_))
            {
                client.ticket.put_back();
            }
        }
        count
    }

    /// Those who wait, in the order in which they are served; who has just come is told whether to go
    /// with others.
    pub(super) fn line<'q, 's>(
        &self,
        clients: &'q mut Query<'_, 's, Requester>,
    ) -> Vec<RequesterItem<'q, 's>> {
        let ticks_per_priority = u64::from(self.settings.ticks_per_priority);
        let mut line = service_order::waiting(clients.iter_mut(), ticks_per_priority);
        let is_fresh = |client: &&mut RequesterItem| client.ticket.round == self.counter.round;
        shared::mark_shared(line.iter_mut().filter(is_fresh), &self.snapshots);
        line
    }

    /// Lays out requests from the head of the line, `count` searches at most; how many there were.
    pub(super) fn lay_out<'q, 's: 'q>(
        &mut self,
        line: &mut impl Iterator<Item = RequesterItem<'q, 's>>,
        count: usize,
    ) -> usize {
        let desk = self.pool.desk.clone();
        // Held all the while: a hand that came between would find the desk empty, and leave.
        let mut orders = desk.orders();
        while orders.line.len() < count
            && let Some(mut client) = line.next()
        {
            match self.snapshots.assignment(&client) {
                Ok(assignment) => {
                    let (asked, shared) = (assignment.asked(client.request), client.ticket.shared);
                    let (asker, claim) = Asker::new(client.entity, assignment);
                    client.ticket.begin(claim, asked);
                    match orders.line.iter_mut().find(|order| shared && order.takes(&asker)) {
                        Some(order) => order.askers.push(asker),
                        None => orders.line.push_back(SearchJob { askers: vec![asker], shared }),
                    }
                }
                // The request stays in line until its grid is enabled again.
                Err(PathError::GridRemoved) if self.snapshots.waits_for_its_grid(&client) => (),
                Err(error) => self.failures.fail(&mut client, error),
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
pub(super) fn lay_out(mut dispatch: Dispatch, mut clients: Query<Requester>, tools: Res<SearchResources>) {
    let left = dispatch.take_back(&mut clients);
    let count = dispatch.pool.batch.next(left);
    let mut line = dispatch.line(&mut clients).into_iter();
    let laid_out = dispatch.lay_out(&mut line, count);
    drop(line);
    dispatch.pool.batch.note(laid_out);
    let settings = *dispatch.settings;
    dispatch.pool.staff(&settings, &tools);
}

/// Takes the answers that are there, and sees to it that somebody works on what is laid out.
pub(super) fn collect(
    mut tickets: Query<&mut Ticket>,
    mut outbox: ResMut<CompletedSearches>,
    mut pool: ResMut<Pool>,
    settings: Res<SolveSettings>,
    tools: Res<SearchResources>,
) {
    for (asker, solved) in pool.desk.take_answers() {
        if let Ok(mut ticket) = tickets.get_mut(asker)
            && ticket.number == solved.number
            && matches!(ticket.state, TicketState::Running(_))
        {
            ticket.state = TicketState::Answered;
            outbox.0.push((asker, solved));
        }
    }
    if settings.mode() == super::SolveMode::Background {
        pool.staff(&settings, &tools);
    }
}
