//! A request's place in line. The ticket owns whatever is computed for it: closing or dropping the ticket
//! ends the work.

use bevy::prelude::*;
use bevy::tasks::Task;

use crate::solve::{Solved, Worker};

/// The work for one request.
pub(crate) enum Job {
    /// On the task pool; dropping it cancels the task at its next slice.
    Task(Task<Solved>),
    /// Sliced on the main thread.
    Slice(Box<Worker>),
}

/// How far a request has come.
#[derive(Default)]
pub(crate) enum TicketState {
    /// Nothing is asked for, or all is answered.
    #[default]
    Closed,
    /// In line.
    Waiting,
    /// Being searched.
    Running(Job),
    /// Searched; the answer is about to be applied.
    Answered,
}

/// A request's place in line, and the work for it.
#[derive(Component, Default)]
pub(crate) struct Ticket {
    /// Answers that carry another number are for an older request; 0 for no request at all.
    pub(crate) number: u64,
    /// The grid that the request was accepted for.
    pub(crate) grid: Option<Entity>,
    /// Whether the map made this request, not the user.
    pub(crate) replan: bool,
    /// How many answers to it died because the map had changed.
    pub(crate) deaths: u8,
    pub(crate) state: TicketState,
}

impl Ticket {
    /// Puts a new request in line; work for the one before is dropped.
    pub(crate) fn open(&mut self, counter: &mut TicketCounter, grid: Entity, replan: bool) {
        self.take_number(counter);
        (self.grid, self.replan, self.state) = (Some(grid), replan, TicketState::Waiting);
    }

    /// Gives a new request a number, but no place in line; work for the one before is dropped.
    pub(crate) fn take_number(&mut self, counter: &mut TicketCounter) {
        counter.0 += 1;
        *self = Self { number: counter.0, ..Self::default() };
    }

    /// Whether there is a request, answered or not.
    pub(crate) const fn is_taken(&self) -> bool {
        self.number != 0
    }

    /// Ends the request; work for it is dropped.
    pub(crate) fn close(&mut self) {
        self.state = TicketState::Closed;
    }

    pub(crate) const fn is_closed(&self) -> bool {
        matches!(self.state, TicketState::Closed)
    }

    pub(crate) const fn is_waiting(&self) -> bool {
        matches!(self.state, TicketState::Waiting)
    }

    pub(crate) const fn is_running(&self) -> bool {
        matches!(self.state, TicketState::Running(_))
    }
}

/// The number of the latest request.
#[derive(Resource, Default)]
pub(crate) struct TicketCounter(u64);
