//! Observing a search: events for each cell that it opens, closes, or finds a better parent for, in order.

use crate::grid::Cell;

/// One change of a cell's state in a search.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SearchEvent {
    /// What happened to the cell.
    pub kind: SearchEventKind,
    /// The cell.
    pub cell: Cell,
    /// The parent of the cell on the best known path; the start is its own parent.
    pub parent: Cell,
    /// Cost of the best known path to the cell.
    pub g: f64,
    /// Estimate of the cost from the cell to the goal.
    pub h: f64,
}

/// The changes of a cell's state.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum SearchEventKind {
    /// The cell was reached for the first time, and put on the open list.
    Opened,
    /// A cheaper path to the cell was found before it was expanded.
    Reparented,
    /// The cell was taken from the open list and closed.
    Closed,
}

/// Receives the events of a search. Where a second algorithm runs after the first (see
/// [`Answer::algorithm`](super::Answer::algorithm)), it opens the cells anew.
pub trait SearchObserver {
    /// Whether events are sent; if `false`, the search makes none.
    const ACTIVE: bool = true;

    /// Receives one event.
    fn event(&mut self, event: SearchEvent);
}

/// Ignores all events, at no cost.
impl SearchObserver for () {
    const ACTIVE: bool = false;

    fn event(&mut self, _: SearchEvent) {}
}

/// An observer that keeps every event, so that the search can be replayed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    events: Vec<SearchEvent>,
}

impl Recording {
    /// All events in order.
    #[must_use]
    pub fn events(&self) -> &[SearchEvent] {
        &self.events
    }
}

impl SearchObserver for Recording {
    fn event(&mut self, event: SearchEvent) {
        self.events.push(event);
    }
}
