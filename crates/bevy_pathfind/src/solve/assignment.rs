//! The input of a search, and how its answer becomes a path from the agent's position to the requested point.

use std::sync::Arc;

use bevy::prelude::*;
use pathfind_core::graph::{GraphAnswer, GraphQuery, GridId, Place};
use pathfind_core::{Answer, Cell, Goal, Grid, Outcome, PartialReason, PathQuery, line_of_sight, straighten};

use crate::order::{Asked, CornerRule, FoundPath, OnwardLeg, PathRequest};
use crate::world::{Outline, WorldGraph};

/// The least distance from the border of its cell at which a path ends if a wall lies beyond the border, in cells:
/// line-of-sight tests cannot tell a point that is nearer from the wall.
const BRINK: f32 = 2e-3;

/// Everything that a search needs; a copy, which does not change while the search runs.
pub(crate) struct Assignment {
    /// The number of the request.
    pub(crate) number: u64,
    pub(crate) grid: Entity,
    pub(crate) lineage: u64,
    pub(crate) snapshot: Arc<Grid>,
    /// The position of the agent, in grid space.
    pub(crate) from: Vec2,
    /// The goal points, in grid space, nearest first.
    pub(crate) to: Vec<Vec2>,
    pub(crate) question: PathQuery,
    pub(crate) corners: CornerRule,
    pub(crate) straighten: bool,
    pub(crate) record: bool,
    /// The capacity of the cache of answers.
    pub(crate) cached: u32,
    /// Set if the path may lead over links: `to` and the goal of `question` are then on the goal's grid.
    pub(crate) over_links: Option<OverLinks>,
    /// The version of links and grids when the search began, with which later ones are compared.
    pub(crate) links_version: u64,
    /// Whether the goal lies beyond what is loaded: then the path only leads towards it.
    pub(crate) is_beyond: bool,
}

/// The graph that a search over links is for.
pub(crate) struct OverLinks {
    pub(crate) world: Arc<WorldGraph>,
    /// The grid of the agent, and that of the goal.
    pub(crate) from: GridId,
    pub(crate) to: GridId,
    /// The first point of the goal, in the world.
    pub(crate) goal: Vec3,
}

impl Assignment {
    /// The request, start and goal for which the search is begun, for the ticket.
    pub(crate) fn asked(&self, request: &PathRequest) -> Asked {
        // Both in the space of the agent's grid.
        let on_own = |over: &OverLinks| over.world.place(over.from).to_grid(over.goal);
        let to = self.over_links.as_ref().map_or(self.to[0], on_own);
        Asked { request: *request, from: self.from, to }
    }

    /// Makes the answer begin at the agent's position and, if it is complete, end at the requested
    /// point; then removes the turning points that line of sight makes needless.
    pub(super) fn shape(&self, mut answer: Answer) -> FoundPath {
        answer.outcome = self.outcome(answer.outcome, answer.end());
        self.shape_on(&self.snapshot, self.from, &self.to, answer)
    }

    /// How far a path leads that ends on a cell.
    const fn outcome(&self, found: Outcome, nearest: Cell) -> Outcome {
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
        Some(GraphQuery { from, to, path: self.question.clone() })
    }

    /// If nothing of the goal's grid can be reached: the query for the place nearest to the goal in the world of
    /// those that can be reached.
    pub(super) fn nearest_query(&self, answer: &GraphAnswer) -> Option<(GraphQuery, PartialReason)> {
        let &OverLinks { ref world, from, to, goal } = self.over_links.as_ref()?;
        let is_elsewhere = answer.legs.last().is_some_and(|leg| leg.grid != to);
        let Outcome::Partial { reason, .. } = answer.outcome else { return None };
        let is_unreachable = matches!(reason, PartialReason::Unreachable | PartialReason::GoalBlocked);
        if !is_elsewhere || !is_unreachable {
            return None;
        }
        let start = Place::new(from, self.question.start);
        let (kind, steps) = (self.question.kind, self.question.steps);
        let reachable =
            world.graph.nearest_reachable(start, kind, steps, |grid| world.place(grid).cell_at(goal));
        let gap = |place: &Place| {
            let height = world.graph.grids()[place.grid.0 as usize].elevation(place.cell);
            world.place(place.grid).to_world(place.cell.center(), height).distance_squared(goal)
        };
        let nearest = reachable.into_iter().min_by(|a, b| gap(a).total_cmp(&gap(b)))?;
        let path = PathQuery { goal: Goal::Cell(nearest.cell), ..self.question.clone() };
        Some((GraphQuery { from, to: nearest.grid, path }, reason))
    }

    /// The path on the agent's grid, with those behind the links on its way. `short`: why it leads to a place near
    /// the goal and not to the goal.
    pub(super) fn shape_legs(&self, mut answer: GraphAnswer, short: Option<PartialReason>) -> FoundPath {
        let OverLinks { world, .. } = self.over_links.as_ref().expect("the search was over links");
        if let Some(last) = answer.legs.last() {
            answer.outcome = self.outcome(answer.outcome, last.path.end());
        }
        if let (Some(reason), Some(last), Outcome::Complete) = (short, answer.legs.last(), answer.outcome) {
            answer.outcome = Outcome::Partial { nearest: last.path.end(), reason };
        }
        let mut onward: Vec<OnwardLeg> = Vec::new();
        let mut legs = answer.legs.into_iter().rev().peekable();
        loop {
            let leg = legs.next().expect("a path has at least one leg");
            let grid = &world.graph.grids()[leg.grid.0 as usize];
            // Where the leg ends: at the goal, or where its link begins.
            let goals = match leg.link {
                None if short.is_some() => vec![leg.path.end().center()],
                None => self.to.clone(),
                Some(used) => vec![world.graph.ends(used)[0].cell.center()],
            };
            let before = legs.peek().and_then(|before| before.link);
            let start = before.map_or(self.from, |used| world.graph.ends(used)[1].cell.center());
            let mut path = self.shape_on(grid, start, &goals, leg.path);
            (path.outcome, path.cost) = (answer.outcome, answer.cost);
            let Some(used) = before else {
                path.onward = onward;
                return path;
            };
            let (entity, lineage) = world.grid(leg.grid);
            let link = world.link(used);
            let size = Vec2::new(grid.width() as f32, grid.height() as f32);
            let outline = Outline::of_points(size, &path.points, 0.0);
            let revision = grid.revision();
            onward.insert(0, OnwardLeg { link, grid: entity, lineage, revision, path, outline });
        }
    }

    /// A path on a grid `from` a point to the nearest of some goals.
    fn shape_on(&self, grid: &Grid, from: Vec2, to: &[Vec2], answer: Answer) -> FoundPath {
        let (kind, corners) = (self.question.kind, self.corners);
        let sees = |a: Vec2, b: Vec2| line_of_sight(grid, kind, corners, a, b);
        let cells = answer.cells().count() as u32;
        let end = answer.end();
        let mut points = answer.waypoints;
        if points.len() > 1 && sees(from, points[1]) {
            points[0] = from;
        } else {
            points.insert(0, from);
        }
        let very_end = to.iter().copied().find(|&to| Cell::containing(to) == end).map(|to| {
            let middle = end.center();
            let inside = Vec2::splat(0.5 - BRINK);
            if sees(middle, to) { to } else { to.clamp(middle - inside, middle + inside) }
        });
        if answer.outcome == Outcome::Complete
            && let Some(to) = very_end
        {
            let before_last = points[points.len().saturating_sub(2)];
            if points.len() > 1 && sees(before_last, to) {
                points.pop();
            }
            points.push(to);
        }
        if self.straighten {
            points = straighten(grid, kind, corners, &points);
        }
        let is_short_of_goal = matches!(
            answer.outcome,
            Outcome::Partial { reason: PartialReason::GoalBlocked | PartialReason::Unreachable, .. }
        );
        let last = *points.last().expect("a path has at least its start");
        FoundPath {
            aim: if is_short_of_goal { to[0] } else { last },
            points,
            outcome: answer.outcome,
            cost: answer.cost,
            length: answer.length,
            cells,
            kind,
            corners: self.corners,
            algorithm: answer.algorithm,
            onward: Vec::new(),
            requested: self.over_links.as_ref().map(|over| over.goal),
        }
    }
}
