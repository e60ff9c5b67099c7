//! Observation of a search: an event for each cell that the search opens, closes, or finds a better parent for, in
//! the order in which this happens.

use crate::grid::GridCell;

/// One change of a cell's state in a search.
///
/// Jump point search sends events for jump points only, not for the cells that it jumps over. Anya (see
/// [`Algorithm::AnyAngle`](super::Algorithm::AnyAngle)) expands intervals of grid lines instead of cells: it opens a
/// cell when it finds a path that may turn at the cell's corner, and closes the cell at the middle of each interval
/// that it expands. So Anya may open or close a cell several times, or close a cell that was never opened. A
/// hierarchical search closes only the cells that stand for the areas along its path, each when it is first reached.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SearchEvent {
    /// What happened to the cell.
    pub kind: SearchEventKind,
    /// The cell.
    pub cell: GridCell,
    /// The parent of the cell on the best known path; the start is its own parent. A parent need not be a neighbour:
    /// with jump point search and with paths at any angle it may be far away.
    pub parent: GridCell,
    /// The cost of the best known path to the cell, in the units of [`Answer::cost`](super::Answer::cost). If Anya
    /// closes the cell: to the parent.
    pub g: f64,
    /// The heuristic's estimate of the cost from the cell to the goal, in the same units, without the weight of
    /// weighted A*.
    pub h: f64,
}

/// The changes of a cell's state.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum SearchEventKind {
    /// The cell was reached for the first time, and put on the open list.
    Opened,
    /// A cheaper path to the cell was found after the cell was opened and before it was closed.
    Reparented,
    /// The cell was taken from the open list and expanded. The event's parent is final: Lazy Theta* may choose another
    /// one at this moment.
    Closed,
}

/// Receives the events of a search, in order. If the search runs a second algorithm because the first had no answer
/// (see [`Answer::algorithm`](super::Answer::algorithm)), the events of the second follow, from the start on.
pub trait SearchObserver {
    /// Whether events are sent. If `false`, the code that makes them is compiled out. Default: `true`.
    const ACTIVE: bool = true;

    /// Receives one event.
    fn event(&mut self, event: SearchEvent);
}

/// No observer: no events are made, so a search without an observer costs nothing more.
impl SearchObserver for () {
    const ACTIVE: bool = false;

    fn event(&mut self, _: SearchEvent) {}
}

/// An observer that stores every event, so that the search can be replayed. Its memory grows with the search: one
/// event for each cell that is opened and each that is closed, at least.
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
