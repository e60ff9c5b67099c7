//! A request's place in line. The ticket owns whatever is computed for it: closing or dropping the ticket
//! ends the work.

use bevy::ecs::change_detection::Tick;
use bevy::prelude::*;
use pathfind_core::Cell;

use super::{CancelToken, PathRequest};

/// How far a request has come.
#[derive(Default)]
pub(crate) enum TicketState {
    /// Nothing is asked for, or all is answered.
    #[default]
    Closed,
    /// In line.
    Waiting,
    /// Laid out to be searched, or being searched.
    Running(CancelToken),
    /// Searched; the answer is about to be applied.
    Answered,
}

/// What a search that is under way was begun for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked {
    pub(crate) request: PathRequest,
    /// From where to where, in grid space.
    pub(crate) from: Vec2,
    pub(crate) to: Vec2,
}

/// A request's place in line, and the work for it.
#[derive(Component, Default)]
pub(crate) struct Ticket {
    /// Answers that carry another number are for an older request; 0 for no request at all.
    pub(crate) number: u64,
    /// The tick in which it was opened.
    pub(crate) opened: u64,
    /// The round in which it was opened: requests of one round may be served together.
    pub(crate) round: u64,
    /// When the `PathRequest` was changed that was checked last. Bevy forgets what was changed while an entity was
    /// disabled.
    pub(crate) checked: Option<Tick>,
    /// The run of the solve stage that saw the entity last; 0 for none.
    pub(crate) seen: u64,
    /// The grid that the request was accepted for.
    pub(crate) grid: Option<Entity>,
    /// Whether the map made this request, not the user.
    pub(crate) replan: bool,
    /// Whether this only looks if an edit has opened a better way: nobody hears of it unless it has.
    pub(crate) recheck: bool,
    /// Whether it is served together with others who want to go to the same place.
    pub(crate) shared: bool,
    /// Whether the map kept the path that there is from its goal.
    pub(crate) falls_short: bool,
    /// The place near the goal that it holds, if it was given one.
    pub(crate) place: Option<Cell>,
    /// How many answers to it died because the map had changed.
    pub(crate) stale_retries: u8,
    /// What the search under way was begun for.
    pub(crate) asked: Option<Box<Asked>>,
    /// Whether the request has changed since the search began: it goes in line again after the answer.
    pub(crate) outdated: bool,
    /// How many searches in a row were dropped for a newer order.
    pub(crate) drops: u8,
    /// Lineage and revision of the grid that the latest answer is for.
    pub(crate) answered: Option<(u64, u64)>,
    /// The tick of the solve stage before which no edit makes it look again.
    pub(crate) rests_until: u64,
    pub(crate) state: TicketState,
}

impl Ticket {
    /// Puts a new request in line; work for the one before is dropped.
    pub(crate) fn open(&mut self, counter: &mut TicketCounter, grid: Entity, replan: bool) {
        self.take_number(counter);
        (self.grid, self.replan, self.state) = (Some(grid), replan, TicketState::Waiting);
    }

    /// Puts the question in line whether an edit has opened a better way. The place near the goal is kept.
    pub(crate) fn look_again(&mut self, counter: &mut TicketCounter, grid: Entity, rests_until: u64) {
        let place = self.place;
        self.open(counter, grid, true);
        (self.recheck, self.rests_until, self.place) = (true, rests_until, place);
    }

    /// Gives a new request a number, but no place in line; work for the one before is dropped.
    pub(crate) fn take_number(&mut self, counter: &mut TicketCounter) {
        counter.number += 1;
        *self = Self {
            number: counter.number,
            opened: counter.tick,
            round: counter.round,
            checked: self.checked,
            seen: self.seen,
            rests_until: self.rests_until,
            falls_short: self.falls_short,
            ..Self::default()
        };
    }

    /// Notes that the search is laid out.
    pub(crate) fn begin(&mut self, token: CancelToken, asked: Asked) {
        (self.state, self.asked) = (TicketState::Running(token), Some(Box::new(asked)));
    }

    /// Puts the request back in its place in line; the next search for it is for what it asks then.
    pub(crate) fn put_back(&mut self) {
        (self.state, self.asked, self.outdated) = (TicketState::Waiting, None, false);
    }

    /// Whether there is a request, answered or not.
    pub(crate) const fn is_taken(&self) -> bool {
        self.number != 0
    }

    /// Ends the request; work for it is dropped.
    pub(crate) fn close(&mut self) {
        (self.state, self.asked, self.recheck) = (TicketState::Closed, None, false);
        (self.outdated, self.drops) = (false, 0);
    }

    pub(crate) const fn is_closed(&self) -> bool {
        matches!(self.state, TicketState::Closed)
    }

    /// Whether the agent has its answer, though the stage may look for a better one.
    pub(crate) const fn is_settled(&self) -> bool {
        self.is_closed() || self.recheck
    }

    pub(crate) const fn is_waiting(&self) -> bool {
        matches!(self.state, TicketState::Waiting)
    }

    /// Whether a search was laid out whose answer will not come any more: it came while the entity was disabled.
    pub(crate) fn has_missed_its_answer(&self) -> bool {
        match &self.state {
            TicketState::Running(token) => !token.may_be_answered(),
            // Answers are applied in the run of the stage in which they are collected.
            TicketState::Answered => true,
            TicketState::Closed | TicketState::Waiting => false,
        }
    }
}

/// The number of the latest request, and those of the tick and of the round.
#[derive(Resource, Default)]
pub(crate) struct TicketCounter {
    number: u64,
    /// Ticks of time that goes on: deadlines and patience are measured in them.
    pub(crate) tick: u64,
    /// How often the stage has run, also while time stands still.
    pub(crate) round: u64,
}

impl TicketCounter {
    /// Begins a round, and a tick if time goes on.
    pub(crate) fn begin_round(&mut self, time_goes_on: bool) {
        self.round += 1;
        self.tick += u64::from(time_goes_on);
    }
}
