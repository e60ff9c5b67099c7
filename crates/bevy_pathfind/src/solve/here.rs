//! Searches on the main thread: a slice a frame, or all at once.

use bevy::diagnostic::FrameCount;
use bevy::prelude::*;

use super::line::Place;
use super::snapshot::Snapshots;
use super::worker::Outbox;
use super::{Client, ClientItem, Failures, SolveMode, SolveSettings, Solved};
use crate::request::{Job, Ticket, TicketState};

/// What a search is charged beyond the cells that it expands, so that many tiny ones have a price too.
const OVERHEAD: u64 = 8;

/// Whether any search is under way on the main thread.
pub(super) fn has_slices(tickets: Query<&Ticket>) -> bool {
    tickets.iter().any(|ticket| matches!(ticket.state, TicketState::Running(Job::Slice(_))))
}

/// What is left of a frame's budget.
#[derive(Default)]
pub(super) struct Purse {
    frame: Option<u32>,
    left: u64,
}

impl Purse {
    /// What may be spent: all of it in a new frame, the rest in a later tick of the same.
    fn open(&mut self, frame: Option<u32>, budget: u64) -> u64 {
        if frame.is_none() || frame != self.frame {
            self.left = budget;
        }
        self.frame = frame;
        self.left.min(budget)
    }
}

/// Goes on with the searches that have begun, then begins those that wait, until the frame's budget is spent.
pub(super) fn step(
    mut clients: Query<Client>,
    settings: Res<SolveSettings>,
    frame: Option<Res<FrameCount>>,
    mut purse: Local<Purse>,
    snapshots: Snapshots,
    mut outbox: ResMut<Outbox>,
    mut failures: Failures,
) {
    let begins_new = settings.mode() != SolveMode::Background;
    let mut budget = match settings.mode() {
        SolveMode::Inline => u64::MAX,
        _ => purse.open(frame.map(|frame| frame.0), u64::from(settings.expansions_per_frame.max(1))),
    };
    let mut line: Vec<_> = clients
        .iter()
        .filter(|client| match client.ticket.state {
            TicketState::Running(Job::Slice(_)) => true,
            _ => begins_new && client.ticket.is_waiting(),
        })
        .map(|client| {
            let place = Place::new(client.request.priority, client.ticket.number);
            (client.ticket.is_waiting(), place, client.entity)
        })
        .collect();
    line.sort_by_key(|&(waits, place, _)| (waits, place));
    for (_, _, entity) in line {
        if budget == 0 {
            break;
        }
        let Ok(mut client) = clients.get_mut(entity) else { continue };
        match advance(&mut client, &snapshots, &mut budget) {
            Ok(Some(solved)) => {
                client.ticket.state = TicketState::Answered;
                outbox.0.push((entity, solved));
            }
            Ok(None) => client.show_searching(),
            Err(error) => failures.fail(&mut client, error),
        }
    }
    purse.left = budget;
}

/// Goes on with one search, or begins it, within what is left of the budget.
fn advance(
    client: &mut ClientItem,
    snapshots: &Snapshots,
    budget: &mut u64,
) -> Result<Option<Solved>, super::PathError> {
    if client.ticket.is_waiting() {
        let assignment = snapshots.assignment(client)?;
        let asked = assignment.asked(client.request);
        client.ticket.begin(Job::Slice(Box::new(snapshots.worker(assignment))), asked);
    }
    let TicketState::Running(Job::Slice(worker)) = &mut client.ticket.state else { return Ok(None) };
    let before = worker.expanded();
    let solved = worker.step(u32::try_from(*budget).unwrap_or(u32::MAX));
    let after = solved.as_ref().map_or_else(|| worker.expanded(), |solved| solved.metrics.expanded);
    *budget = budget.saturating_sub(after.saturating_sub(before).saturating_add(OVERHEAD));
    Ok(solved)
}
