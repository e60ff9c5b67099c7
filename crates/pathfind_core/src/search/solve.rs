//! Running a search: in one call, or in slices.

use core::ops::Deref;

use super::hierarchical::Hierarchical;
use super::run::{SearchContext, SearchRun};
use super::{Answer, Metrics, PathQuery, SearchError, SearchObserver, SearchScratch};
use crate::grid::Grid;

/// Whether a search has to be continued.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Progress {
    /// There is no answer yet: continue the search.
    Running,
    /// The search has ended, and its answer or error can be taken.
    Done,
}

/// A search that runs in slices of a given number of expansions, and can be dropped between any two.
///
/// `G` is a reference to a grid, or an `Arc`. The answer is the same however the work is sliced.
///
/// ```
/// use pathfind_core::{GridCell, Grid, Progress, PathQuery, Search, SearchScratch};
/// let grid = Grid::new(100, 100)?;
/// let query = PathQuery::new(GridCell::new(0, 0), GridCell::new(99, 40));
/// let mut search = Search::new(&grid, query, SearchScratch::default());
/// while search.step(20) == Progress::Running { /* draw a frame */ }
/// let (answer, scratch) = search.finish();
/// assert_eq!(answer?.end(), GridCell::new(99, 40));
/// # let _ = scratch;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Search<G> {
    grid: G,
    query: PathQuery,
    scratch: SearchScratch,
    state: State,
}

/// The state of a search: on one level, or on two.
#[derive(Debug)]
enum State {
    Single(SearchRun),
    Hierarchical(Box<Hierarchical>),
}

impl State {
    fn begin(context: &mut SearchContext<'_>) -> Self {
        match Hierarchical::begin(context) {
            Some(search) => Self::Hierarchical(Box::new(search)),
            None => Self::Single(SearchRun::begin(context)),
        }
    }

    fn step<L: SearchObserver>(
        &mut self,
        context: &mut SearchContext<'_>,
        budget: u32,
        observer: &mut L,
    ) -> Progress {
        match self {
            Self::Single(run) => run.step(context, budget, observer),
            Self::Hierarchical(search) => search.step(context, budget, observer),
        }
    }

    fn answer(&self, context: &mut SearchContext<'_>) -> Result<Answer, SearchError> {
        match self {
            Self::Single(run) => run.answer(context),
            Self::Hierarchical(search) => search.answer(context),
        }
    }
}

impl<G: Deref<Target = Grid>> Search<G> {
    /// Begins a search. An error in the query is returned by [`finish`](Self::finish).
    pub fn new(grid: G, mut query: PathQuery, mut scratch: SearchScratch) -> Self {
        query.steps = grid.steps_for(query.kind, query.steps);
        let state = State::begin(&mut SearchContext { grid: &grid, query: &query, scratch: &mut scratch });
        Self { grid, query, scratch, state }
    }

    /// Expands at most `expansions` nodes.
    pub fn step(&mut self, expansions: u32) -> Progress {
        self.step_with(expansions, &mut ())
    }

    /// Expands at most `expansions` nodes (0 and up; a hierarchical search up to 3 more), and sends events to an
    /// observer. Returns [`Progress::Done`] if the search has ended, now or before; else [`Progress::Running`], also
    /// where it has not used up all `expansions`.
    pub fn step_with<L: SearchObserver>(&mut self, expansions: u32, observer: &mut L) -> Progress {
        let Self { grid, query, scratch, state } = self;
        state.step(&mut SearchContext { grid, query, scratch }, expansions, observer)
    }

    /// Counts of what the search did so far.
    pub fn metrics(&self) -> Metrics {
        match &self.state {
            State::Single(run) => run.metrics,
            State::Hierarchical(search) => search.metrics(),
        }
    }

    /// The grid that is searched.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The query, with the steps that the kind of agent takes for it: a disc cuts no corners.
    pub fn query(&self) -> &PathQuery {
        &self.query
    }

    /// Ends the search, and returns its answer and its memory.
    ///
    /// # Errors
    /// A [`SearchError`] if the query is invalid, if no path leads to the goal (or within the limits) and the query
    /// allows no partial path, or if the search was not [done](Progress::Done).
    pub fn finish(mut self) -> (Result<Answer, SearchError>, SearchScratch) {
        let Self { grid, query, scratch, state } = &mut self;
        (state.answer(&mut SearchContext { grid, query, scratch }), self.scratch)
    }
}

/// Answers a query in one call.
///
/// # Errors
/// A [`SearchError`] if the query is invalid, or if no path leads to the goal (or within the limits) and the query
/// allows no partial path.
pub fn solve(grid: &Grid, query: &PathQuery, scratch: &mut SearchScratch) -> Result<Answer, SearchError> {
    let steps = grid.steps_for(query.kind, query.steps);
    // The query is cloned only where the kind of agent takes other steps than the query's.
    let other = (steps != query.steps).then(|| query.clone().with_steps(steps));
    let query = other.as_ref().unwrap_or(query);
    let context = &mut SearchContext { grid, query, scratch };
    let mut search = State::begin(context);
    while search.step(context, u32::MAX, &mut ()) == Progress::Running {}
    search.answer(context)
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
