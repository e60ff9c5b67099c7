//! The input of a search, and the conversion of its answer to a path from the agent's position to the requested
//! point. The input is collected in [`snapshot`](super::snapshot).

use std::sync::Arc;

use bevy::prelude::*;
use pathfind_core::{
    Algorithm, Answer, Goal, Grid, GridCell, Outcome, PartialReason, PathQuery, VehiclePath, VehicleQuery,
    can_walk_straight,
    graph::{GraphAnswer, GraphQuery, GridId, Place},
    straighten,
};

use crate::agent::AgentBody;
use crate::order::{CornerRule, FoundPath, KnownPath, OnwardLeg, PathRequest, RequestSnapshot};
use crate::world::{Outline, WorldGraph};

/// How far inside its cell a path ends if the goal point lies on the border of the cell and a wall is beyond, in
/// cells. For points nearer to the wall, line-of-sight tests cannot tell on which side of the border they are.
const WALL_MARGIN: f32 = 2e-3;

/// Everything that a search needs; a copy, which does not change while the search runs.
pub(crate) struct SearchInput {
    pub(crate) number: u64,
    pub(crate) grid: Entity,
    pub(crate) map_id: u64,
    pub(crate) snapshot: Arc<Grid>,
    /// The position of the agent, in grid space.
    pub(crate) from: Vec2,
    /// The goal points, in grid space, nearest first.
    pub(crate) to: Vec<Vec2>,
    pub(crate) query: PathQuery,
    pub(crate) body: AgentBody,
    /// The search for the path of a vehicle, which is then run instead of `query`.
    pub(crate) vehicle: Option<VehicleQuery>,
    /// Whether the path may lead through cells that the body may not enter: then it is cut before the first of them.
    pub(crate) is_breach: bool,
    /// The side of a cell, in world units.
    pub(crate) cell_size: f32,
    pub(crate) corners: CornerRule,
    pub(crate) straighten: bool,
    /// Whether the events of the search are recorded.
    pub(crate) record: bool,
    /// The capacity of the cache of answers.
    pub(crate) cache_capacity: u32,
    /// Set if the path may lead over links: `to` and the goal of `query` are then on the goal's grid.
    pub(crate) over_links: Option<OverLinks>,
    /// The version of links and grids when the search began, with which later ones are compared.
    pub(crate) links_version: u64,
    /// Whether the goal lies on a part of the grid that is not loaded: then the path only leads towards it.
    pub(crate) is_beyond: bool,
    /// The answer, if it is known without a search.
    pub(crate) known: Option<Arc<Answer>>,
}

/// The additional input of a search over links.
pub(crate) struct OverLinks {
    pub(crate) world: Arc<WorldGraph>,
    pub(crate) from: GridId,
    pub(crate) to: GridId,
    /// The first point of the goal, in the world.
    pub(crate) goal: Vec3,
}

impl SearchInput {
    /// The same input, with a path that is known, if that is a path of this grid as it is now and leads over the start.
    pub(super) fn with_known(mut self, path: Option<&KnownPath>) -> Self {
        let asked = ((self.map_id, self.snapshot.revision()), self.query.kind);
        let is_on_one_grid = self.over_links.as_ref().is_none_or(|over| over.from == over.to);
        let path = path.filter(|path| (path.map, path.kind) == asked && is_on_one_grid);
        self.known = path.and_then(|path| path.answer_from(self.query.start));
        self.straighten &= self.known.is_none() || path.is_none_or(|path| path.may_straighten);
        self
    }

    /// The request, start and goal for which the search is begun, for the ticket.
    pub(crate) fn request_snapshot(&self, request: &PathRequest) -> RequestSnapshot {
        // Both in the space of the agent's grid.
        let on_own = |over: &OverLinks| over.world.place(over.from).to_grid(over.goal);
        let to = self.over_links.as_ref().map_or(self.to[0], on_own);
        RequestSnapshot { request: request.clone(), body: self.body, from: self.from, to }
    }

    /// The path of a vehicle.
    pub(super) fn shape_drive(&self, path: VehiclePath) -> FoundPath {
        /// How far apart the waypoints are, in cells.
        const SPACING: f32 = 0.25;
        let points: Vec<Vec2> = path.points(SPACING).collect();
        let aim = path.end.position;
        FoundPath {
            cells: points.len() as u32,
            points,
            aim,
            outcome: self.outcome(path.outcome, path.end_cell()),
            cost: path.cost,
            length: path.length,
            shape: self.body.shape(self.cell_size),
            corners: self.corners,
            algorithm: Algorithm::AStar,
            onward: Vec::new(),
            barrier: None,
            requested: None,
            drive: path.legs,
        }
    }

    /// The path of an answer. It begins at the agent's position and, if it is complete, ends at the requested point.
    /// The path is straightened if the request says so.
    pub(super) fn shape(&self, mut answer: Answer) -> FoundPath {
        answer.outcome = self.outcome(answer.outcome, answer.end());
        let barrier = self.cut_at_barrier(&mut answer);
        let path = self.shape_on((&self.snapshot, self.cell_size), self.from, &self.to, answer);
        FoundPath { barrier, ..path }
    }

    /// Cuts a path on the agent's grid before the first cell that the body may not enter, and returns that cell.
    fn cut_at_barrier(&self, answer: &mut Answer) -> Option<GridCell> {
        let is_free = |cell| self.snapshot.is_walkable(self.body.kind, cell);
        if self.is_breach { answer.cut_before(is_free) } else { None }
    }

    /// The outcome of a path that ends on the cell `nearest`: partial if the goal is not loaded.
    const fn outcome(&self, found: Outcome, nearest: GridCell) -> Outcome {
        match found {
            Outcome::Complete if self.is_beyond => {
                Outcome::Partial { nearest, reason: PartialReason::Unreachable }
            }
            _ => found,
        }
    }

    /// The query for the graph, if the search is over links.
    pub(super) fn graph_query(&self) -> Option<GraphQuery> {
        let &OverLinks { from, to, .. } = self.over_links.as_ref()?;
        Some(GraphQuery { from, to, path: self.query.clone() })
    }

    /// The query for a second search, if the first one could not reach any cell of the goal's grid: its goal is the
    /// reachable cell that is nearest to the goal in the world. `None` if no second search is needed.
    pub(super) fn nearest_query(&self, answer: &GraphAnswer) -> Option<(GraphQuery, PartialReason)> {
        let &OverLinks { ref world, from, to, goal } = self.over_links.as_ref()?;
        let is_elsewhere = answer.legs.last().is_some_and(|leg| leg.grid != to);
        let Outcome::Partial { reason, .. } = answer.outcome else { return None };
        let is_unreachable = matches!(reason, PartialReason::Unreachable | PartialReason::GoalBlocked);
        if !is_elsewhere || !is_unreachable {
            return None;
        }
        let start = Place::new(from, self.query.start);
        let (kind, steps) = (self.query.kind, self.query.steps);
        let reachable =
            world.graph.nearest_reachable(start, kind, steps, |grid| world.place(grid).cell_at(goal));
        let gap = |place: &Place| {
            let height = world.graph.grids()[place.grid.0 as usize].elevation(place.cell);
            world.place(place.grid).to_world(place.cell.center(), height).distance_squared(goal)
        };
        let nearest = reachable.into_iter().min_by(|a, b| gap(a).total_cmp(&gap(b)))?;
        let path = PathQuery { goal: Goal::GridCell(nearest.cell), ..self.query.clone() };
        Some((GraphQuery { from, to: nearest.grid, path }, reason))
    }

    /// The path of an answer over links: the path on the agent's grid, with the paths behind its links in `onward`.
    /// `fallback` is the reason if the answer is that of a [second search](Self::nearest_query).
    pub(super) fn shape_legs(&self, mut answer: GraphAnswer, fallback: Option<PartialReason>) -> FoundPath {
        let OverLinks { world, .. } = self.over_links.as_ref().expect("the search was over links");
        if let Some(last) = answer.legs.last() {
            answer.outcome = self.outcome(answer.outcome, last.path.end());
        }
        if let (Some(reason), Some(last), Outcome::Complete) = (fallback, answer.legs.last(), answer.outcome)
        {
            answer.outcome = Outcome::Partial { nearest: last.path.end(), reason };
        }
        let ends = |used| world.graph.ends(used).expect("the links of an answer are those of its graph");
        let mut onward: Vec<OnwardLeg> = Vec::new();
        let mut legs = answer.legs.into_iter().rev().peekable();
        loop {
            let mut leg = legs.next().expect("a path has at least one leg");
            let grid = &world.graph.grids()[leg.grid.0 as usize];
            // Where the leg ends: at the goal, or where its link begins.
            let goals = match leg.link {
                None if fallback.is_some() => vec![leg.path.end().center()],
                None => self.to.clone(),
                Some(used) => vec![ends(used)[0].cell.center()],
            };
            let before = legs.peek().and_then(|before| before.link);
            let barrier = if before.is_none() { self.cut_at_barrier(&mut leg.path) } else { None };
            let start = before.map_or(self.from, |used| ends(used)[1].cell.center());
            let cell_size = world.place(leg.grid).cell_size();
            let mut path = self.shape_on((grid, cell_size), start, &goals, leg.path);
            path.cost = answer.cost;
            if barrier.is_some() {
                return FoundPath { barrier, ..path };
            }
            path.outcome = answer.outcome;
            let Some(used) = before else {
                path.onward = onward;
                return path;
            };
            let (entity, map_id) = world.grid(leg.grid);
            let link = world.link(used);
            let size = Vec2::new(grid.width() as f32, grid.height() as f32);
            let outline = Outline::of_points(size, &path.points, 0.0);
            let revision = grid.revision();
            onward.insert(0, OnwardLeg { link, grid: entity, map_id, revision, path, outline });
        }
    }

    /// A path on a grid from the point `from` to the nearest of the goal points `to`.
    fn shape_on(
        &self,
        (grid, cell_size): (&Grid, f32),
        from: Vec2,
        to: &[Vec2],
        answer: Answer,
    ) -> FoundPath {
        let (shape, corners) = (self.body.shape(cell_size), self.corners);
        let sees = |a: Vec2, b: Vec2| can_walk_straight(grid, shape, corners, a, b);
        let cells = answer.cells().count() as u32;
        let end = answer.end();
        let mut points = answer.waypoints;
        if points.len() > 1 && sees(from, points[1]) {
            points[0] = from;
        } else {
            points.insert(0, from);
        }
        let end_point = to.iter().copied().find(|&to| GridCell::containing(to) == end).map(|to| {
            let middle = end.center();
            let inside = Vec2::splat(0.5 - WALL_MARGIN);
            let to = if sees(middle, to) { to } else { to.clamp(middle - inside, middle + inside) };
            // A disc may be kept from a part of its goal's cell by a wall beside the cell.
            if sees(middle, to) { to } else { last_seen(middle, to, sees) }
        });
        if answer.outcome == Outcome::Complete
            && let Some(to) = end_point
        {
            let before_last = points[points.len().saturating_sub(2)];
            if points.len() > 1 && sees(before_last, to) {
                points.pop();
            }
            points.push(to);
        }
        if self.straighten {
            points = straighten(grid, shape, corners, &points);
        }
        let is_short_of_goal = matches!(
            answer.outcome,
            Outcome::Partial {
                reason: PartialReason::GoalBlocked | PartialReason::Unreachable | PartialReason::Breach,
                ..
            }
        );
        let last = *points.last().expect("a path has at least its start");
        FoundPath {
            aim: if is_short_of_goal { to[0] } else { last },
            points,
            outcome: answer.outcome,
            cost: answer.cost,
            length: answer.length,
            cells,
            shape,
            corners: self.corners,
            algorithm: answer.algorithm,
            onward: Vec::new(),
            barrier: None,
            requested: self.over_links.as_ref().map(|over| over.goal),
            drive: Vec::new(),
        }
    }
}

/// The last point in sight on the line from `middle`, which is in sight, to a point that is not.
fn last_seen(middle: Vec2, to: Vec2, sees: impl Fn(Vec2, Vec2) -> bool) -> Vec2 {
    let (mut seen, mut hidden) = (0.0, 1.0);
    for _ in 0..10 {
        let half = 0.5 * (seen + hidden);
        if sees(middle, middle.lerp(to, half)) {
            seen = half;
        } else {
            hidden = half;
        }
    }
    middle.lerp(to, seen)
}
