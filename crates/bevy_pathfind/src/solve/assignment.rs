//! The input of a search, and how its answer becomes a path from the agent's position to the requested point.

use std::sync::Arc;

use bevy::prelude::*;
use pathfind_core::{Answer, Cell, Grid, Outcome, PartialReason, PathQuery, line_of_sight, straighten};

use crate::order::{Asked, CornerRule, FoundPath, PathRequest};

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
}

impl Assignment {
    /// The request, start and goal for which the search is begun, for the ticket.
    pub(crate) fn asked(&self, request: &PathRequest) -> Asked {
        Asked { request: *request, from: self.from, to: self.to[0] }
    }

    /// Makes the answer begin at the agent's position and, if it is complete, end at the requested
    /// point; then removes the turning points that line of sight makes needless.
    pub(super) fn shape(&self, answer: Answer) -> FoundPath {
        let grid = &self.snapshot;
        let (kind, corners) = (self.question.kind, self.corners);
        let sees = |a: Vec2, b: Vec2| line_of_sight(grid, kind, corners, a, b);
        let cells = answer.cells().count() as u32;
        let end = answer.end();
        let mut points = answer.waypoints;
        if points.len() > 1 && sees(self.from, points[1]) {
            points[0] = self.from;
        } else {
            points.insert(0, self.from);
        }
        let very_end = self.to.iter().copied().find(|&to| Cell::containing(to) == end).map(|to| {
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
            aim: if is_short_of_goal { self.to[0] } else { last },
            points,
            outcome: answer.outcome,
            cost: answer.cost,
            length: answer.length,
            cells,
            kind,
            corners: self.corners,
            algorithm: answer.algorithm,
        }
    }
}
