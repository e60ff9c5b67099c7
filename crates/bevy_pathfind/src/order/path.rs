//! The path of an agent as a component, and the agent's progress along it. Following a path is in
//! [`steer`](crate::steer), replanning in [`solve`](crate::solve).

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use pathfind_core::{
    AgentShape, Algorithm, CornerRule, GridCell, KindId, Outcome, PartialReason, VehicleLeg,
    can_walk_straight,
};

use super::path_check::PathCheck;
use crate::world::{GridBits, GridRef, Outline};

/// How far a path leads.
///
/// This is what the search found. Where the agent stops in a crowd is in
/// [`AgentArrived::arrival`](super::AgentArrived::arrival).
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Default, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum PathOutcome {
    /// To the goal.
    #[default]
    Complete,
    /// To the point nearest to the goal that the search could reach.
    Partial(PartialReason),
}

impl PathOutcome {
    /// Whether the map blocks the way to the goal (and no limit of the search), so that an edit may make it
    /// reachable.
    pub(crate) const fn is_blocked_by_map(self) -> bool {
        use PartialReason::{Breach, GoalBlocked, Unreachable};
        matches!(self, Self::Partial(GoalBlocked | Unreachable | Breach))
    }
}

impl From<Outcome> for PathOutcome {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Complete => Self::Complete,
            Outcome::Partial { reason, .. } => Self::Partial(reason),
        }
    }
}

/// The path of an agent, and the agent's progress along it.
///
/// When the path was found, no leg crossed a blocked cell; after each edit of the grid the rest of the path is
/// checked again. The plugin may change the path of an agent that was pushed off it, or that lets another one pass:
/// it then leads over another point, or has another end.
#[derive(Component, Reflect, Debug, Clone, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Debug, PartialEq)]
#[require(PathCheck)]
pub struct NavPath {
    #[entities]
    grid: Entity,
    /// The map id of the grid that the points belong to, and its revision when the path was found.
    pub(super) map_id: u64,
    revision: u64,
    /// The number of waypoints not yet reached.
    left: u32,
    shape: AgentShape,
    corners: CornerRule,
    outcome: PathOutcome,
    cost: f32,
    length: f32,
    /// The requested point, in grid space; the end of the path, if the path was cut short by a limit.
    pub(crate) aim: Vec2,
    /// See the method of this name.
    found_end: Vec2,
    /// The waypoints in grid space, and the same in world space.
    pub(super) points: Vec<Vec2>,
    waypoints: Vec<Vec3>,
    /// The links and paths that come after this one, and their grids.
    #[reflect(ignore)]
    pub(crate) onward: Vec<OnwardLeg>,
    #[reflect(ignore)]
    pub(crate) onward_grids: GridBits,
    #[reflect(ignore)]
    drive: Vec<VehicleLeg>,
    /// The cell that the agent has to break at the end of the path.
    barrier: Option<GridCell>,
    /// The requested point in the world, if the search considered links; `None` if it did not, so that the point is
    /// `aim`.
    pub(super) requested: Option<Vec3>,
}

/// An agent has left its path if it is farther than this from the present leg, in cells, and does not see its next
/// waypoint. The distance is greater than the quarter of a cell by which agents cut corners.
///
/// Measured at half and at twice this distance: a stream of 40 agents that winds through narrow places takes 42 and
/// 49 s, 80 agents before a door of one cell take 24 and 27 s. At half of it, two groups of ten agents that meet in a
/// door do not get through.
pub(crate) const OFF_PATH_DISTANCE: f32 = 0.35;

/// A path as the core found it, adapted to begin at the agent and to end at the requested point.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FoundPath {
    /// Start, turning points and end, in grid space.
    pub(crate) points: Vec<Vec2>,
    /// The requested point; the end of the path, if the path was cut short by a limit.
    pub(crate) aim: Vec2,
    pub(crate) outcome: Outcome,
    /// The cost of the whole route, links and the paths behind them included.
    pub(crate) cost: f64,
    /// The length in cells, and the number of cells.
    pub(crate) length: f64,
    pub(crate) cells: u32,
    pub(crate) shape: AgentShape,
    pub(crate) corners: CornerRule,
    pub(crate) algorithm: Algorithm,
    /// The links and paths that come after it, if it ends at a link.
    pub(crate) onward: Vec<OnwardLeg>,
    /// The arcs and straight legs of a vehicle's path, in grid space; empty for others.
    pub(crate) drive: Vec<VehicleLeg>,
    /// The cell before which the path was cut, because the agent has to break it.
    pub(crate) barrier: Option<GridCell>,
    /// The requested point in the world, if the search considered links: it may lie on another grid.
    pub(crate) requested: Option<Vec3>,
}

/// A link at the end of a path, and the path on the grid behind it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OnwardLeg {
    pub(crate) link: Entity,
    /// The grid behind the link, and the map id and the revision of it for which the path was checked last.
    pub(crate) grid: Entity,
    pub(crate) map_id: u64,
    pub(crate) revision: u64,
    /// The path on that grid, and its outline.
    pub(crate) path: FoundPath,
    pub(crate) outline: Outline,
}

impl OnwardLeg {
    /// The grid and the cell that the link leads to.
    pub(crate) fn landing(&self) -> (Entity, GridCell) {
        (
            self.grid,
            self.path
                .points
                .first()
                .map_or(GridCell::new(i32::MIN, i32::MIN), |&at| GridCell::containing(at)),
        )
    }
}

impl NavPath {
    /// A path just found on `grid`.
    pub(crate) fn new(grid: &GridRef, found: FoundPath) -> Self {
        let mut path = Self {
            grid: grid.entity,
            map_id: grid.nav.map_id(),
            revision: grid.nav.revision(),
            // The start counts as reached, unless it is also the end.
            left: (found.points.len() - usize::from(found.points.len() > 1)) as u32,
            shape: found.shape,
            corners: found.corners,
            outcome: found.outcome.into(),
            cost: found.cost as f32,
            length: 0.0,
            aim: found.aim,
            found_end: found.points.last().copied().unwrap_or(found.aim),
            points: found.points,
            waypoints: Vec::new(),
            onward_grids: found.onward.iter().map(|leg| leg.grid).collect(),
            onward: found.onward,
            drive: found.drive,
            barrier: found.barrier,
            requested: found.requested,
        };
        path.update_waypoints(grid);
        path.length = path.waypoints.windows(2).map(|leg| leg[0].distance(leg[1])).sum();
        path
    }

    /// The cell that the agent has to break before it can go on from the end of the path: see
    /// [`Breacher`](super::Breacher). Its grid is [`grid`](Self::grid).
    #[must_use]
    pub const fn barrier(&self) -> Option<GridCell> {
        self.barrier
    }

    /// The legs of a [`Vehicle`](crate::agent::Vehicle)'s path, in the space of the grid, in cells: which are arcs, and
    /// which are driven backwards. Empty for other agents. The waypoints are points on these legs.
    #[must_use]
    pub fn vehicle_legs(&self) -> &[VehicleLeg] {
        &self.drive
    }

    /// Start, turning points and end, in world space on the ground of the grid.
    #[must_use]
    pub fn waypoints(&self) -> &[Vec3] {
        &self.waypoints
    }

    /// The waypoints not yet reached; empty at the end.
    #[must_use]
    pub fn remaining(&self) -> &[Vec3] {
        self.waypoints.get(self.next()..).unwrap_or_default()
    }

    /// Whether the last waypoint has been reached.
    #[must_use]
    pub const fn is_finished(&self) -> bool {
        self.left == 0
    }

    /// The grid that the path was found on.
    #[must_use]
    pub const fn grid(&self) -> Entity {
        self.grid
    }

    /// The revision of the grid for which the path was found.
    #[must_use]
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// The cost of the path before straightening: length in cells, weighted by terrain.
    #[must_use]
    pub const fn cost(&self) -> f32 {
        self.cost
    }

    /// The length of the path as it was found, from start to end, in world units.
    #[must_use]
    pub const fn length(&self) -> f32 {
        self.length
    }

    /// The length of what is left of the path for an agent at `from`, in world units: to the next waypoint and along
    /// the others. 0 at the end.
    #[must_use]
    pub fn remaining_length(&self, from: Vec3) -> f32 {
        let mut at = from;
        self.remaining().iter().map(|&next| core::mem::replace(&mut at, next).distance(next)).sum()
    }

    /// Whether the path reaches the goal.
    #[must_use]
    pub const fn outcome(&self) -> PathOutcome {
        self.outcome
    }

    /// The [`NavLink`](crate::world::NavLink) at the end of this path; `None` if the path ends the route. The
    /// waypoints, [`length`](Self::length) and [`remaining_length`](Self::remaining_length) are those up to the link;
    /// [`outcome`](Self::outcome) and [`cost`](Self::cost) are those of the whole route.
    #[must_use]
    pub fn link(&self) -> Option<Entity> {
        self.onward.first().map(|leg| leg.link)
    }

    /// The links and paths that come after this one.
    pub(crate) fn onward(&self) -> &[OnwardLeg] {
        &self.onward
    }

    /// The kind of agent that the path is for.
    pub(crate) const fn kind(&self) -> KindId {
        self.shape.kind
    }

    pub(crate) const fn shape(&self) -> AgentShape {
        self.shape
    }

    /// The corner rule that its legs obey.
    pub(crate) fn corners(&self) -> CornerRule {
        self.corners
    }

    /// Whether its agent can go straight from one point of grid space to another.
    pub(crate) fn sees(&self, grid: &GridRef, from: Vec2, to: Vec2) -> bool {
        can_walk_straight(grid.nav.grid(), self.shape, self.corners, from, to)
    }

    /// Moves the path with the cells of its grid, if they have moved; the path is then one of the present map. Returns
    /// by how many columns and rows, and the map id that the grid had before.
    pub(crate) fn follow_canvas(&mut self, grid: &GridRef) -> Option<(IVec2, u64)> {
        let by = grid.nav.moved_by(self.map_id)?;
        let before = core::mem::replace(&mut self.map_id, grid.nav.map_id());
        let shift = by.as_vec2();
        self.points.iter_mut().for_each(|point| *point += shift);
        self.drive.iter_mut().for_each(|leg| leg.start.position += shift);
        self.aim += shift;
        self.found_end += shift;
        self.update_waypoints(grid);
        Some((by, before))
    }

    /// Makes a finished path one of the map that has replaced its own: its points in the world stay, and are
    /// converted to the new grid space.
    pub(crate) fn convert_to_map(&mut self, grid: &GridRef) {
        let end = |point: Vec2, old: Option<&Vec3>| old.map_or(point, |&at| grid.place.to_grid(at));
        let last = self.waypoints.last();
        (self.aim, self.found_end) = (end(self.aim, last), end(self.found_end, last));
        self.points = self.waypoints.iter().map(|&at| grid.place.to_grid(at)).collect();
        self.attribute_to_map(grid);
        self.update_waypoints(grid);
    }

    /// Makes the path one of the present map, without moving its points.
    pub(crate) fn attribute_to_map(&mut self, grid: &GridRef) {
        (self.map_id, self.revision) = (grid.nav.map_id(), grid.nav.revision());
    }

    /// The waypoints not yet reached, in grid space.
    pub(crate) fn remaining_points(&self) -> &[Vec2] {
        &self.points[self.next()..]
    }

    /// The last waypoint, in grid space.
    pub(crate) fn end(&self) -> Option<Vec2> {
        self.points.last().copied()
    }

    /// The end of the path that the search found, in grid space. The present path may end at a free cell beside it.
    pub(crate) const fn found_end(&self) -> Vec2 {
        self.found_end
    }

    /// The waypoint passed last and the next one, in grid space.
    pub(crate) fn leg(&self) -> Option<(Vec2, Vec2)> {
        let next = self.next();
        Some((*self.points.get(next.saturating_sub(1))?, *self.points.get(next)?))
    }

    /// Replaces the rest of the path: the agent goes from `here`, where it stands, along `rest`.
    pub(crate) fn end_at(&mut self, grid: &GridRef, here: Vec2, rest: &[Vec2]) {
        self.points.truncate(self.next());
        self.points.push(here);
        self.points.extend_from_slice(rest);
        self.left = rest.len() as u32;
        self.update_waypoints(grid);
    }

    /// Inserts a detour: the agent goes from `here`, where it stands, to `point` on the present leg.
    pub(crate) fn rejoin(&mut self, grid: &GridRef, here: Vec2, point: Vec2) {
        let next = self.next();
        self.points.splice(next..next, [here, point]);
        self.left += 1;
        self.update_waypoints(grid);
    }

    /// Copies outcome and goal from the older path for the same request: this path ends at a cell beside the goal.
    pub(crate) const fn copy_goal(&mut self, older: &Self) {
        (self.outcome, self.aim, self.found_end) = (older.outcome, older.aim, older.found_end);
        self.barrier = older.barrier;
    }

    /// Makes a point the goal of the path, and the end of what the search found.
    pub(crate) const fn set_goal(&mut self, at: Vec2) {
        (self.outcome, self.aim, self.found_end) = (PathOutcome::Complete, at, at);
    }

    /// Advances to the next waypoint.
    pub(crate) fn advance(&mut self) {
        self.left = self.left.saturating_sub(1);
    }

    /// Ends the path after the next `keep` waypoints.
    pub(crate) fn cut(&mut self, keep: usize) {
        let next = self.next();
        self.points.truncate(next + keep);
        self.waypoints.truncate(next + keep);
        self.left = (self.points.len() - next) as u32;
    }

    /// Recomputes the waypoints, after the points have changed or the grid has moved.
    pub(crate) fn update_waypoints(&mut self, grid: &GridRef) {
        self.waypoints.clear();
        self.waypoints.extend(self.points.iter().map(|&point| grid.above_ground(point, 0.0)));
    }

    /// The index of the first waypoint not yet reached.
    pub(super) fn next(&self) -> usize {
        self.points.len().saturating_sub(self.left as usize)
    }
}

/// The point of a segment that is nearest to another point.
pub(crate) fn nearest_on(from: Vec2, to: Vec2, point: Vec2) -> Vec2 {
    let along = to - from;
    let part = (point - from).dot(along) / along.length_squared();
    if part.is_finite() { from + along * part.clamp(0.0, 1.0) } else { to }
}
