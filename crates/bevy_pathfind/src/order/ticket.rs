//! Tickets: the place of a request in the queue, and the owner of the work for it. Closing or dropping a ticket
//! cancels the work.

use bevy::ecs::change_detection::Tick;
use bevy::prelude::*;
use pathfind_core::GridCell;

use super::cancel::CancelToken;
use super::{PathCause, PathRequest};
use crate::agent::AgentBody;

/// The state of the search for a request.
#[derive(Default)]
pub(crate) enum TicketState {
    /// There is no request, or it is answered.
    #[default]
    Closed,
    /// Queued.
    Waiting,
    /// Handed to the search queue, or being searched. `is_outdated`: the request has changed since then, and is queued
    /// again after the answer.
    Running { token: CancelToken, searched: Box<RequestSnapshot>, is_outdated: bool },
    /// Searched; the answer is applied in this run of the stage.
    Answered { is_outdated: bool },
}

/// A request with its start and goal, as they were when it was handed to the search queue.
#[derive(Debug, Clone)]
pub(crate) struct RequestSnapshot {
    pub(crate) request: PathRequest,
    pub(crate) body: AgentBody,
    /// Start and goal, in grid space.
    pub(crate) from: Vec2,
    pub(crate) to: Vec2,
}

/// The place of a request in the queue, and the search for it.
#[derive(Component, Default)]
pub(crate) struct Ticket {
    /// The number of the request: an answer with another number belongs to an older request. 0 without a request.
    pub(crate) number: u64,
    /// The tick in which the ticket was opened.
    pub(crate) opened: u64,
    /// The run of the request stage in which it was opened: requests of one run may share a search.
    pub(crate) round: u64,
    /// The change tick of the `PathRequest` when it was last checked, also if it was refused. It is kept here because
    /// Bevy's change detection misses changes made while an entity was disabled.
    pub(crate) checked: Option<Tick>,
    /// The grid that the request was accepted for.
    pub(crate) grid: Option<Entity>,
    /// Why a path is searched.
    pub(crate) cause: PathCause,
    /// Whether one search serves this request together with others for the same goal.
    pub(crate) shared: bool,
    /// The arrival slot that the agent holds, a cell near its goal, if it was given one.
    pub(crate) slot: Option<GridCell>,
    /// How many answers were discarded because the map had changed.
    pub(crate) stale_retries: u8,
    /// The body that the latest search was for; `None` before the first.
    pub(crate) searched_body: Option<AgentBody>,
    /// How many searches in a row were dropped for a newer request.
    pub(crate) drops: u8,
    /// Map id and revision of the grid, and version of the links, that the latest answer is for. A path to a slot
    /// answers nothing about the goal, and leaves it as it was.
    pub(crate) answered: Option<(u64, u64, u64)>,
    /// The tick of the solve stage before which no edit causes a recheck.
    pub(crate) recheck_after: u64,
    pub(crate) state: TicketState,
}

impl Ticket {
    /// Queues a new request; the work for the old one is dropped.
    pub(crate) fn open(&mut self, counter: &mut TicketCounter, grid: Entity, cause: PathCause) {
        self.take_number(counter);
        (self.grid, self.cause, self.state) = (Some(grid), cause, TicketState::Waiting);
    }

    /// Queues a search for another path to the same goal. The agent keeps its slot, and follows the old path
    /// meanwhile.
    pub(crate) fn queue_replan(&mut self, counter: &mut TicketCounter, grid: Entity, cause: PathCause) {
        let kept = (self.slot, self.answered);
        self.open(counter, grid, cause);
        (self.slot, self.answered) = kept;
    }

    /// Queues a recheck: a search for a better path after an edit. The agent keeps its slot.
    pub(crate) fn queue_recheck(&mut self, counter: &mut TicketCounter, grid: Entity, recheck_after: u64) {
        self.queue_replan(counter, grid, PathCause::ShorterWay);
        self.recheck_after = recheck_after;
    }

    /// Gives a new request a number, without queueing it; the work for the old one is dropped.
    pub(crate) fn take_number(&mut self, counter: &mut TicketCounter) {
        counter.number += 1;
        *self = Self {
            number: counter.number,
            opened: counter.tick,
            round: counter.round,
            checked: self.checked,
            recheck_after: self.recheck_after,
            searched_body: self.searched_body,
            ..Self::default()
        };
    }

    /// Notes that the request was handed to the search queue.
    pub(crate) fn hand_over(&mut self, token: CancelToken, searched: RequestSnapshot) {
        self.searched_body = Some(searched.body);
        self.state = TicketState::Running { token, searched: Box::new(searched), is_outdated: false };
    }

    /// Queues the request again, with its old place in the queue; the next search takes the request as it is then.
    pub(crate) fn put_back(&mut self) {
        self.state = TicketState::Waiting;
    }

    /// Whether there is a request, answered or not.
    pub(crate) const fn has_request(&self) -> bool {
        self.number != 0
    }

    /// Ends the request; the work for it is dropped.
    pub(crate) fn close(&mut self) {
        (self.state, self.drops) = (TicketState::Closed, 0);
    }

    /// Whether the plugin began the search, not the user.
    pub(crate) fn is_replan(&self) -> bool {
        self.cause != PathCause::Requested
    }

    /// Whether the search only looks for a better path after an edit: there are no events unless it finds one.
    pub(crate) const fn is_recheck(&self) -> bool {
        matches!(self.cause, PathCause::ShorterWay)
    }

    pub(crate) const fn is_closed(&self) -> bool {
        matches!(self.state, TicketState::Closed)
    }

    /// Whether the agent has its answer; a recheck may be under way.
    pub(crate) const fn has_answer(&self) -> bool {
        self.is_closed() || self.is_recheck()
    }

    pub(crate) const fn is_waiting(&self) -> bool {
        matches!(self.state, TicketState::Waiting)
    }

    /// Whether the answer of a search was lost: it came while the entity was disabled.
    pub(crate) fn has_missed_its_answer(&self) -> bool {
        match &self.state {
            TicketState::Running { token, .. } => !token.may_be_answered(),
            // Answers are applied in the run of the stage in which they are collected, so this one was missed.
            TicketState::Answered { .. } => true,
            TicketState::Closed | TicketState::Waiting => false,
        }
    }
}

/// The facts about a request that the stages read in every tick, in 16 bytes: the request and its ticket are larger,
/// and are read only where something has changed.
#[derive(Component, Debug, Default)]
pub(crate) struct RequestSummary {
    /// The run of the request stage in which the entity was last seen; 0 for none.
    pub(crate) last_seen: u64,
    /// Whether the goal is an entity, which may move.
    pub(crate) has_moving_goal: bool,
    pub(crate) has_deadline: bool,
    /// Whether the present path ends short of its goal because of the map.
    pub(crate) falls_short: bool,
}

/// Counts requests, ticks, and runs of the request stage.
#[derive(Resource, Default)]
pub(crate) struct TicketCounter {
    /// The number of the latest request.
    number: u64,
    /// The number of ticks in which time advanced: the unit of deadlines and due times.
    pub(crate) tick: u64,
    /// The number of runs of the stage, pauses included.
    pub(crate) round: u64,
}
