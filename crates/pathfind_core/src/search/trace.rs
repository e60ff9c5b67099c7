//! Watching a search: which cells it opened, closed and gave a better parent, in order.

use crate::grid::Cell;

/// One thing that a search did to a cell.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct SearchEvent {
    /// What it did.
    pub kind: SearchEventKind,
    /// To which cell.
    pub cell: Cell,
    /// The cell from which the best known path reaches it; the start is its own parent.
    pub parent: Cell,
    /// Cost of that path.
    pub g: f64,
    /// Estimate of the cost that is left.
    pub h: f64,
}

/// What a search can do to a cell.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum SearchEventKind {
    /// It was reached for the first time and put on the open list.
    Opened,
    /// A cheaper path to it was found before it was expanded.
    Reparented,
    /// It was expanded and put on the closed list.
    Closed,
}

/// Sees what a search does. Where A* runs after the algorithm that was asked for (see
/// [`Answer::algorithm`](super::Answer::algorithm)), it opens cells anew.
pub trait SearchObserver {
    /// Whether anybody listens; where this is `false` the search leaves every trace out.
    const ACTIVE: bool = true;

    /// Takes one event.
    fn event(&mut self, event: SearchEvent);
}

/// Nobody listens, at no cost.
impl SearchObserver for () {
    const ACTIVE: bool = false;

    fn event(&mut self, _: SearchEvent) {}
}

/// Keeps every event, so that the search can be replayed.
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
