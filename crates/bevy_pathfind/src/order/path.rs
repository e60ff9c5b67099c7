//! The answer to a request, as a component.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use pathfind_core::{Algorithm, KindId, Outcome};

use super::CornerRule;
use crate::world::{EditsSince, GridRef, Outline};

/// How far a path leads.
///
/// It is about what the search found. Where in a crowd the agent then stops is told by
/// [`PathArrived::arrival`](super::PathArrived::arrival).
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Default, Debug, PartialEq, Serialize, Deserialize)]
pub enum PathOutcome {
    /// To the goal.
    #[default]
    Complete,
    /// As near to the goal as one can get.
    Partial(PartialReason),
}

/// Why a path ends short of its goal.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Default, Debug, PartialEq, Serialize, Deserialize)]
pub enum PartialReason {
    /// The agent may not stand on the goal.
    GoalBlocked,
    /// No path leads to the goal.
    #[default]
    Unreachable,
    /// The search had expanded as many cells as it may.
    ExpansionLimit,
    /// Every way on costs more than the limit.
    CostLimit,
}

impl PathOutcome {
    /// Whether the map is what keeps the path from the goal, so that an edit may open the way.
    pub(crate) const fn is_for_the_map(self) -> bool {
        matches!(self, Self::Partial(PartialReason::GoalBlocked | PartialReason::Unreachable))
    }
}

impl From<Outcome> for PathOutcome {
    fn from(outcome: Outcome) -> Self {
        use pathfind_core::PartialReason as Reason;
        match outcome {
            Outcome::Complete => Self::Complete,
            Outcome::Partial { reason, .. } => Self::Partial(match reason {
                Reason::GoalBlocked => PartialReason::GoalBlocked,
                Reason::Unreachable => PartialReason::Unreachable,
                Reason::ExpansionLimit => PartialReason::ExpansionLimit,
                Reason::CostLimit => PartialReason::CostLimit,
            }),
        }
    }
}

/// The path that an entity has been given, and how far it has come on it.
///
/// Every leg was free of blocked cells when the path was made, and is checked again after each edit.
#[derive(Component, Reflect, Debug, Clone, PartialEq)]
#[reflect(Component, Debug, PartialEq)]
pub struct NavPath {
    #[entities]
    grid: Entity,
    lineage: u64,
    revision: u64,
    kind: u8,
    corners: CornerRule,
    outcome: PathOutcome,
    cost: f32,
    length: f32,
    aim: Vec2,
    found_end: Vec2,
    points: Vec<Vec2>,
    waypoints: Vec<Vec3>,
    next: usize,
    near: Near,
}

/// What is asked for each tick: the waypoints lie elsewhere in memory, and most agents walk one leg for long.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq)]
struct Near {
    /// Of all the points.
    outline: Outline,
    /// The waypoint passed last, the next, and the last.
    from: Vec2,
    to: Vec2,
    end: Vec2,
    /// The next, in world space.
    to_in_world: Vec3,
}

/// A path as the core found it, made to begin and end where it was asked to.
#[derive(Debug)]
pub(crate) struct FoundPath {
    pub(crate) points: Vec<Vec2>,
    /// The point that was wanted: the end of the path, or what it comes as near to as it can.
    pub(crate) aim: Vec2,
    pub(crate) outcome: Outcome,
    pub(crate) cost: f64,
    pub(crate) length: f64,
    pub(crate) cells: u32,
    pub(crate) kind: KindId,
    pub(crate) corners: CornerRule,
    pub(crate) algorithm: Algorithm,
}

impl NavPath {
    /// A path just found on `grid`.
    pub(crate) fn new(grid: &GridRef, found: FoundPath) -> Self {
        let mut path = Self {
            grid: grid.entity,
            lineage: grid.nav.lineage(),
            revision: grid.nav.revision(),
            kind: found.kind.0,
            corners: found.corners,
            outcome: found.outcome.into(),
            cost: found.cost as f32,
            length: 0.0,
            aim: found.aim,
            found_end: found.points.last().copied().unwrap_or(found.aim),
            points: found.points,
            waypoints: Vec::new(),
            next: 0,
            near: Near::default(),
        };
        // The start has been reached, unless it is the end as well.
        path.next = usize::from(path.points.len() > 1);
        path.carry(grid);
        path.length = path.waypoints.windows(2).map(|leg| leg[0].distance(leg[1])).sum();
        path
    }

    /// Start, turning points and end, in world space on the ground of the grid.
    #[must_use]
    pub fn waypoints(&self) -> &[Vec3] {
        &self.waypoints
    }

    /// The waypoints that are still to be reached; empty at the end.
    #[must_use]
    pub fn remaining(&self) -> &[Vec3] {
        &self.waypoints[self.next.min(self.waypoints.len())..]
    }

    /// Whether the last waypoint has been reached.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.remaining().is_empty()
    }

    /// The grid that the path was found on.
    #[must_use]
    pub const fn grid(&self) -> Entity {
        self.grid
    }

    /// The revision of the grid on which the path is known to be free.
    #[must_use]
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// The cost of the path before straightening: length in cells, weighted by terrain.
    #[must_use]
    pub const fn cost(&self) -> f32 {
        self.cost
    }

    /// The length from start to end, in world units.
    #[must_use]
    pub const fn length(&self) -> f32 {
        self.length
    }

    /// Whether the path reaches the goal.
    #[must_use]
    pub const fn outcome(&self) -> PathOutcome {
        self.outcome
    }

    /// The kind of agent that the path is for.
    pub(crate) const fn kind(&self) -> KindId {
        KindId(self.kind)
    }

    /// The corner rule that its legs obey.
    pub(crate) fn corners(&self) -> pathfind_core::CornerRule {
        self.corners.into()
    }

    /// Whether the grid has been edited or exchanged since the path was last checked.
    pub(crate) fn is_behind(&self, grid: &GridRef) -> bool {
        self.revision != grid.nav.revision() || self.lineage != grid.nav.lineage()
    }

    /// Whether the path was made for the very grid that stands there now.
    pub(crate) fn is_of(&self, grid: &GridRef) -> bool {
        self.lineage == grid.nav.lineage()
    }

    /// Notes that the path has been checked on the grid as it is now.
    pub(crate) fn mark_checked(&mut self, grid: &GridRef) {
        self.revision = grid.nav.revision();
        self.lineage = grid.nav.lineage();
    }

    /// The waypoints still to be reached, in grid space.
    pub(crate) fn remaining_points(&self) -> &[Vec2] {
        &self.points[self.next.min(self.points.len())..]
    }

    /// How many of the waypoints still to be reached can be reached from a point before something new touches the
    /// way, if it does.
    pub(crate) fn first_touched(&self, here: Vec2, news: &EditsSince) -> Option<usize> {
        let (_, next) = self.leg()?;
        let may_be = news.may_touch(here, next, &self.near.outline);
        may_be.then(|| news.first_touched(here, self.remaining_points())).flatten()
    }

    /// The last waypoint, in grid space.
    pub(crate) fn end(&self) -> Option<Vec2> {
        (!self.points.is_empty()).then_some(self.near.end)
    }

    /// The point that was wanted, in grid space: the goal, or for a path cut short by a limit its end.
    pub(crate) const fn aim(&self) -> Vec2 {
        self.aim
    }

    /// Where the search ended, in grid space; the path itself may end on a free place beside.
    pub(crate) const fn found_end(&self) -> Vec2 {
        self.found_end
    }

    /// The waypoint passed last and the next, in grid space.
    pub(crate) fn leg(&self) -> Option<(Vec2, Vec2)> {
        (self.next < self.points.len()).then_some((self.near.from, self.near.to))
    }

    /// The next waypoint, in world space.
    pub(crate) fn next_waypoint(&self) -> Option<Vec3> {
        (self.next < self.points.len()).then_some(self.near.to_in_world)
    }

    /// Leads from where the agent stands to another place instead.
    pub(crate) fn end_at(&mut self, grid: &GridRef, here: Vec2, way: &[Vec2]) {
        self.points.truncate(self.next);
        self.points.push(here);
        self.next = self.points.len();
        self.points.extend_from_slice(way);
        self.carry(grid);
    }

    /// Leads back to a point of its present leg before it goes on.
    pub(crate) fn rejoin(&mut self, grid: &GridRef, here: Vec2, point: Vec2) {
        let next = self.next.min(self.points.len());
        self.points.splice(next..next, [here, point]);
        self.next = next + 1;
        self.carry(grid);
    }

    /// Stands for the same order as an older path, which only led to another place.
    pub(crate) const fn stand_for(&mut self, older: &Self) {
        (self.outcome, self.aim, self.found_end) = (older.outcome, older.aim, older.found_end);
    }

    /// Goes on to the next waypoint.
    pub(crate) fn advance(&mut self) {
        self.next += 1;
        self.note_near();
    }

    /// Leaves only the next `keep` waypoints to go.
    pub(crate) fn cut(&mut self, keep: usize) {
        self.points.truncate(self.next + keep);
        self.waypoints.truncate(self.next + keep);
        self.note_near();
    }

    /// Follows its grid to where that lies now.
    pub(crate) fn carry(&mut self, grid: &GridRef) {
        self.waypoints.clear();
        self.waypoints.extend(self.points.iter().map(|&point| grid.place.to_world(point, 0.0)));
        self.near.outline = grid.outline(&self.points);
        self.note_near();
    }

    /// Notes what lies next.
    fn note_near(&mut self) {
        if let Some(&end) = self.points.last() {
            self.near.end = end;
        }
        if let (Some(&to), Some(&to_in_world)) = (self.points.get(self.next), self.waypoints.get(self.next)) {
            let from = self.points[self.next.saturating_sub(1)];
            self.near = Near { from, to, to_in_world, ..self.near };
        }
    }
}
