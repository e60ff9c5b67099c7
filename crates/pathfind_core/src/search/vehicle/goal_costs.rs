//! The estimate: costs of paths of steps to the goal, searched backwards from it as far as they are asked for.

use glam::DVec2;

use super::query::VehicleQuery;
use super::wide_steps::WideSteps;
use crate::grid::{Grid, GridCell, KindId, StepRules};
use crate::search::astar::KeyOrder;
use crate::search::nodes::{AdjacentParent, Node};
use crate::search::run::{Slice, prepare_flood};
use crate::search::strategy::{Kernel, Stop, UnitLimits};
use crate::search::{Heuristic, Metrics, SearchScratch};
use crate::sight::Solid;

/// Dijkstra's search backwards from the goal, which goes on when a cost is asked for that is not known yet.
#[derive(Debug)]
pub(super) struct GoalCosts {
    pub(super) scratch: SearchScratch,
    agent: (KindId, StepRules),
    goal: GridCell,
    is_begun: bool,
    /// Whether all cells from which a path leads to the goal are known.
    is_whole: bool,
    /// The least cost of a cell.
    least: f64,
    /// The radius of a disc inside of the body, if it does not fit wherever steps lead.
    disc: Option<f64>,
    /// Whether steps lead to the goal, but none that the disc can take.
    pub(super) is_too_wide: bool,
}

impl GoalCosts {
    /// The number of expansions of a turn; always the same, so that slices do not change what is known.
    pub(super) const TURN: u32 = 64;

    /// The greatest radius of a disc that is tried, so that one edge is not compared with too many walls.
    const MAX_RADIUS: f64 = 4.0;

    /// For a kind that the grid has and a goal where it can stand.
    pub(super) fn new(grid: &Grid, query: &VehicleQuery, mut scratch: SearchScratch) -> Self {
        let (agent, goal) = ((query.kind, query.steps(grid)), query.goal_cell());
        scratch.costs.set(grid, agent.0, agent.1, 1);
        prepare_flood(grid, &mut scratch);
        let least = grid.least_cost(agent.0).into();
        // Half of a cell fits between any two cells where the agent can stand.
        let radius = query.body.half().min_element().min(Self::MAX_RADIUS);
        let (disc, is_too_wide) = ((radius > 0.5).then_some(radius), false);
        Self { scratch, agent, goal, is_begun: false, is_whole: false, least, disc, is_too_wide }
    }

    /// Without any costs, for a query that has no answer.
    pub(super) fn idle(goal: GridCell, scratch: SearchScratch) -> Self {
        let agent = (KindId::default(), StepRules::default());
        let (disc, is_too_wide) = (None, false);
        Self { scratch, agent, goal, is_begun: true, is_whole: true, least: 1.0, disc, is_too_wide }
    }

    /// Whether all cells cost the same and nothing but walls keeps steps from them.
    pub(super) fn is_uniform(&self) -> bool {
        !self.scratch.costs.weighted
    }

    pub(super) const fn least(&self) -> f64 {
        self.least
    }

    /// Searches on until the cost of a cell is known, for one [turn](Self::TURN). Returns whether it is known.
    pub(super) fn advance(&mut self, grid: &Grid, cell: GridCell) -> bool {
        if self.is_whole || self.scratch.nodes.is_closed(cell.into()) {
            return true;
        }
        let SearchScratch { nodes, buckets, heap, costs, targets, .. } = &mut self.scratch;
        let goal = [Node::from(self.goal)];
        let starts = if std::mem::replace(&mut self.is_begun, true) { &[] } else { goal.as_slice() };
        let (metrics, limits) = (&mut Metrics::default(), &mut UnitLimits::none());
        let kernel = Kernel { nodes, costs, targets, heuristic: Heuristic::Chebyshev, metrics, limits };
        let mut slice = Slice { kernel, starts, buckets, heap, budget: Self::TURN, observer: &mut () };
        let solid = Solid::of(grid, self.agent.0);
        let stop = match self.disc.zip(solid) {
            Some((radius, solid)) => slice.on_buckets(&WideSteps { solid, agent: self.agent, costs, radius }),
            None => slice.cell_by_cell::<true>(grid, self.agent, KeyOrder::Cost, true),
        };
        self.is_whole = stop == Stop::Exhausted;
        self.is_whole || self.scratch.nodes.is_closed(cell.into())
    }

    /// Begins again with any steps, where those of the disc do not lead to the goal from a cell: to tell whether it
    /// is too wide. Returns whether it does.
    pub(super) fn narrow(&mut self, grid: &Grid, cell: GridCell) -> bool {
        let begins = self.disc.is_some() && !self.scratch.nodes.is_closed(cell.into());
        if begins {
            prepare_flood(grid, &mut self.scratch);
            (self.disc, self.is_too_wide) = (None, true);
            (self.is_begun, self.is_whole) = (false, false);
        }
        begins
    }

    /// The cost of the path from a cell; `None` if there is none.
    fn known(&self, cell: GridCell) -> Option<f64> {
        let SearchScratch { nodes, costs, .. } = &self.scratch;
        nodes.is_closed(cell.into()).then(|| costs.cost(nodes.g::<AdjacentParent>(cell.into())))
    }

    /// The estimated cost from a point: by way of the best of the four nearest cells. `None` if no path leads to the
    /// goal from the cell of the point.
    pub(super) fn estimate(&mut self, grid: &Grid, at: DVec2) -> Option<f64> {
        let cell = GridCell::containing(at.as_vec2());
        if !grid.is_walkable(self.agent.0, cell) {
            return None;
        }
        while !self.advance(grid, cell) {}
        self.known(cell)?;
        let side = |at: f64, cell: i32| if at < f64::from(cell) + 0.5 { -1 } else { 1 };
        let (dx, dy) = (side(at.x, cell.x), side(at.y, cell.y));
        let near =
            [(0, 0), (dx, 0), (0, dy), (dx, dy)].map(|(dx, dy)| GridCell::new(cell.x + dx, cell.y + dy));
        let by_way_of = |cell: GridCell| {
            let known = grid.is_walkable(self.agent.0, cell).then(|| self.known(cell))??;
            Some(known + self.least * at.distance(cell.center().as_dvec2()))
        };
        near.into_iter().filter_map(by_way_of).reduce(f64::min)
    }
}
