//! Asking a grid: all at once, or a slice at a time.

use core::ops::Deref;

use super::run::Run;
use super::{Answer, Metrics, PathQuery, SearchError, SearchObserver, SearchScratch};
use crate::grid::Grid;

/// Whether a search goes on.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Progress {
    /// There is more to do.
    Running,
    /// The answer is there.
    Done,
}

/// A search that runs a few expansions at a time and can be dropped at any moment.
///
/// `G` is a grid by reference or in an `Arc`. However the work is sliced, the answer is the same.
///
/// ```
/// use pathfind_core::{Cell, Grid, Progress, PathQuery, Search, SearchScratch};
/// let grid = Grid::new(100, 100)?;
/// let query = PathQuery::new(Cell::new(0, 0), Cell::new(99, 40));
/// let mut search = Search::new(&grid, query, SearchScratch::default());
/// while search.step(20) == Progress::Running { /* draw a frame */ }
/// let (answer, scratch) = search.finish();
/// assert_eq!(answer?.end(), Cell::new(99, 40));
/// # let _ = scratch;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Search<G> {
    grid: G,
    query: PathQuery,
    scratch: SearchScratch,
    run: Run,
}

impl<G: Deref<Target = Grid>> Search<G> {
    /// Begins a search; what is wrong with the query is its answer.
    pub fn new(grid: G, mut query: PathQuery, mut scratch: SearchScratch) -> Self {
        query.steps = grid.steps_for(query.kind, query.steps);
        let run = Run::begin(&grid, &query, &mut scratch);
        Self { grid, query, scratch, run }
    }

    /// Expands at most so many nodes.
    pub fn step(&mut self, expansions: u32) -> Progress {
        self.step_with(expansions, &mut ())
    }

    /// Expands at most so many nodes, and tells a listener.
    pub fn step_with<L: SearchObserver>(&mut self, expansions: u32, observer: &mut L) -> Progress {
        self.run.step(&self.grid, &self.query, &mut self.scratch, expansions, observer)
    }

    /// What the search did so far.
    pub fn metrics(&self) -> Metrics {
        self.run.metrics
    }

    /// The grid that is searched.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The question.
    pub fn query(&self) -> &PathQuery {
        &self.query
    }

    /// Takes the answer, and the memory back.
    ///
    /// # Errors
    /// A [`SearchError`] that says what was wrong with the query, that nothing leads to the goal, or
    /// that the search was not [done](Progress::Done).
    pub fn finish(self) -> (Result<Answer, SearchError>, SearchScratch) {
        (self.run.answer(&self.grid, &self.query, &self.scratch), self.scratch)
    }
}

/// Searches in one go.
///
/// # Errors
/// A [`SearchError`] that says what was wrong with the query, or that nothing leads to the goal.
pub fn solve(grid: &Grid, query: &PathQuery, scratch: &mut SearchScratch) -> Result<Answer, SearchError> {
    let steps = grid.steps_for(query.kind, query.steps);
    // Copied only where the agent takes other steps than it was asked to.
    let other = (steps != query.steps).then(|| query.clone().with_steps(steps));
    let query = other.as_ref().unwrap_or(query);
    let mut run = Run::begin(grid, query, scratch);
    while run.step(grid, query, scratch, u32::MAX, &mut ()) == Progress::Running {}
    run.answer(grid, query, scratch)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn searches_and_their_memory_go_to_other_threads() {
        fn goes<T: Send + Sync>() {}
        goes::<SearchScratch>();
        goes::<Search<Arc<Grid>>>();
    }
}
