//! A search as a test case: the map and the query, as RON text.

use bevy::ecs::system::SystemState;
use bevy::prelude::*;
use pathfind_core::{Answer, PathQuery, SearchError, SearchScratch, solve};
use serde::{Deserialize, Serialize};

use crate::agent::Agent;
use crate::order::{NavPath, PathRequest, SearchOptions};
use crate::world::{Grids, NavGrid, Positions};

/// A search with everything that it depends on, so that a request that fails in a game can be repeated in a test.
/// The panel copies it to the clipboard as RON.
///
/// ```
/// # use bevy_pathfind::{prelude::*, show::panel::SearchCase};
/// # use pathfind_core::{GridCell, PathQuery};
/// # let grid = NavGrid::from_ascii("..#.\n..#.\n..#.").expect("a map");
/// # let case = SearchCase { grid, question: PathQuery::new(GridCell::new(0, 0), GridCell::new(3, 0)).with_partial(false) };
/// # let text = case.to_ron();
/// let case = SearchCase::from_ron(&text).expect("what was copied can be read");
/// assert!(case.run().is_err(), "a wall is in the way");
/// ```
#[derive(Serialize, Deserialize, Debug, Clone)]
pub struct SearchCase {
    /// The map, with its kinds of agents.
    pub grid: NavGrid,
    /// The query: start, goal, kind of agent, and options.
    pub question: PathQuery,
}

impl SearchCase {
    /// The last request of an agent, and its grid. The start is the first waypoint of its path, or its position if
    /// it has none.
    pub(super) fn of(world: &mut World, agent: Entity) -> Option<(Self, Entity)> {
        let mut state = SystemState::<(Grids, Positions, Option<Res<SearchOptions>>)>::new(world);
        let (grids, positions, defaults) = state.get(world).ok()?;
        let (path, request) = (world.get::<NavPath>(agent), world.get::<PathRequest>(agent));
        let at = positions.of(agent)?;
        let grid = path
            .and_then(|path| grids.get(path.grid()))
            .or_else(|| grids.of((world.get(agent), world.get(agent), world.get(agent), None), at).ok())?;
        let from = path.and_then(|path| path.waypoints().first()).copied().unwrap_or(at);
        let asked = request.and_then(|request| request.goal.points(&positions).ok());
        let points = asked.or_else(|| Some(vec![*path?.waypoints().last()?]))?;
        let cells: Vec<_> = points.iter().map(|&point| grid.cell(point)).collect();
        let goal = request.map(|request| request.goal.clone()).unwrap_or_default().on(&grid, cells);
        let own = request.and_then(|request| request.options);
        let options = own.unwrap_or_else(|| defaults.map(|defaults| *defaults).unwrap_or_default());
        let kind = world.get::<Agent>(agent).map(|agent| agent.kind).unwrap_or_default();
        let question = options.path_query(grid.cell(from), goal, kind);
        Some((Self { grid: grid.nav.clone(), question }, grid.entity))
    }

    /// Runs the search, synchronously.
    ///
    /// # Errors
    /// The [`SearchError`] of the search.
    pub fn run(&self) -> Result<Answer, SearchError> {
        solve(self.grid.grid(), &self.question, &mut SearchScratch::default())
    }

    /// The case as text.
    #[must_use]
    pub fn to_ron(&self) -> String {
        ron::to_string(self).expect("grids and questions can be written")
    }

    /// Reads a case from text.
    ///
    /// # Errors
    /// For text that is not a valid case.
    pub fn from_ron(text: &str) -> Result<Self, ron::error::SpannedError> {
        ron::from_str(text)
    }
}
