//! The path of an agent as a component, the agent's progress along it, and what is needed to tell which paths an edit
//! touches. Following a path is in [`steer`](crate::steer), replanning in [`solve`](crate::solve).

use bevy::ecs::entity::MapEntities;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use pathfind_core::{Algorithm, Cell, CornerRule, KindId, Outcome, PartialReason};

use crate::world::{EditsSince, GridBits, GridRef, Outline};

/// How far a path leads.
///
/// This is what the search found. Where the agent stops in a crowd is in
/// [`PathArrived::arrival`](super::PathArrived::arrival).
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
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
        matches!(self, Self::Partial(PartialReason::GoalBlocked | PartialReason::Unreachable))
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
#[reflect(Component, Debug, PartialEq)]
pub struct NavPath {
    #[entities]
    current: Current,
    #[entities]
    checked: Checked,
    outcome: PathOutcome,
    cost: f32,
    length: f32,
    /// See the methods of these names.
    found_end: Vec2,
    shift: Vec2,
    /// The waypoints in grid space, and the same in world space.
    points: Vec<Vec2>,
    waypoints: Vec<Vec3>,
    /// The links and paths that come after this one, and their grids.
    #[reflect(ignore)]
    onward: Vec<OnwardLeg>,
    #[reflect(ignore)]
    onward_grids: GridBits,
    /// See the method of this name.
    requested: Option<Vec3>,
}

/// The data that is read of every path in every tick, in one cache line: the rest of a path takes several more lines,
/// its waypoints lie elsewhere in memory, and most agents stay on one leg for many ticks.
#[derive(Reflect, MapEntities, Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
struct Current {
    #[entities]
    grid: Entity,
    /// The waypoint passed last, the next one, and the last one of the path.
    from: Vec2,
    to: Vec2,
    end: Vec2,
    /// The requested point; the end of the path, if the path was cut short by a limit.
    aim: Vec2,
    /// The next waypoint, in world space.
    to_in_world: Vec3,
    /// The number of waypoints not yet reached.
    left: u32,
    /// How far from the next waypoint the agent sees the one after it, in cells; negative until it is computed.
    leeway: f32,
    corners: CornerRule,
}

/// The data that is read of every path after an edit, in another cache line.
#[derive(Reflect, MapEntities, Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
struct Checked {
    /// The same as in [`Current`].
    #[entities]
    grid: Entity,
    /// The outline of the path, grown by [`OFF_PATH_DISTANCE`]: of all places from which an agent still follows it.
    outline: Outline,
    /// The lineage and the revision of the grid for which the path was checked last.
    lineage: u64,
    revision: u64,
    kind: KindId,
}

const _: () = assert!(size_of::<Current>() == 64 && size_of::<Checked>() == 64);
// Two pairs of cache lines: processors fetch lines in aligned pairs.
const _: () = assert!(size_of::<NavPath>() <= 256);

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
    pub(crate) kind: KindId,
    pub(crate) corners: CornerRule,
    pub(crate) algorithm: Algorithm,
    /// The links and paths that come after it, if it ends at a link.
    pub(crate) onward: Vec<OnwardLeg>,
    /// The requested point in the world, if the search considered links: it may lie on another grid.
    pub(crate) requested: Option<Vec3>,
}

/// A link at the end of a path, and the path on the grid behind it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OnwardLeg {
    /// The entity of the link.
    pub(crate) link: Entity,
    /// The grid behind the link, and the lineage and the revision of it for which the path was checked last.
    pub(crate) grid: Entity,
    pub(crate) lineage: u64,
    pub(crate) revision: u64,
    /// The path on that grid, and its outline.
    pub(crate) path: FoundPath,
    pub(crate) outline: Outline,
}

impl OnwardLeg {
    /// The grid and the cell that the link leads to.
    pub(crate) fn landing(&self) -> (Entity, Cell) {
        (
            self.grid,
            self.path.points.first().map_or(Cell::new(i32::MIN, i32::MIN), |&at| Cell::containing(at)),
        )
    }
}

impl NavPath {
    /// A path just found on `grid`.
    pub(crate) fn new(grid: &GridRef, found: FoundPath) -> Self {
        let mut path = Self {
            current: Current {
                grid: grid.entity,
                from: Vec2::ZERO,
                to: Vec2::ZERO,
                end: Vec2::ZERO,
                aim: found.aim,
                to_in_world: Vec3::ZERO,
                left: 0,
                leeway: -1.0,
                corners: found.corners,
            },
            checked: Checked {
                grid: grid.entity,
                outline: Outline::default(),
                lineage: grid.nav.lineage(),
                revision: grid.nav.revision(),
                kind: found.kind,
            },
            outcome: found.outcome.into(),
            cost: found.cost as f32,
            length: 0.0,
            found_end: found.points.last().copied().unwrap_or(found.aim),
            shift: Vec2::ZERO,
            points: found.points,
            waypoints: Vec::new(),
            onward_grids: found.onward.iter().map(|leg| leg.grid).collect(),
            onward: found.onward,
            requested: found.requested,
        };
        // The start counts as reached, unless it is also the end.
        let reached = usize::from(path.points.len() > 1);
        path.current.left = (path.points.len() - reached) as u32;
        path.update_waypoints(grid);
        path.length = path.waypoints.windows(2).map(|leg| leg[0].distance(leg[1])).sum();
        path
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
        self.current.left == 0
    }

    /// The grid that the path was found on.
    #[must_use]
    pub const fn grid(&self) -> Entity {
        self.current.grid
    }

    /// The latest revision of the grid for which the path was checked.
    #[must_use]
    pub const fn revision(&self) -> u64 {
        self.checked.revision
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

    /// The requested point in the world, if the search considered links; `None` if it did not, so that the point is
    /// [`aim`](Self::aim).
    pub(crate) const fn requested(&self) -> Option<Vec3> {
        self.requested
    }

    /// The links and paths that come after this one.
    pub(crate) fn onward(&self) -> &[OnwardLeg] {
        &self.onward
    }

    /// The grids of these paths.
    pub(crate) const fn onward_grids(&self) -> GridBits {
        self.onward_grids
    }

    /// [`onward`](Self::onward), to mark its paths as checked.
    pub(crate) fn onward_mut(&mut self) -> &mut [OnwardLeg] {
        &mut self.onward
    }

    /// The kind of agent that the path is for.
    pub(crate) const fn kind(&self) -> KindId {
        self.checked.kind
    }

    /// The corner rule that its legs obey.
    pub(crate) fn corners(&self) -> CornerRule {
        self.current.corners
    }

    /// The [`grid`](Self::grid), from the part of the path that a check for edits reads in any case.
    pub(crate) const fn grid_to_check(&self) -> Entity {
        self.checked.grid
    }

    /// Whether the grid has been edited or replaced since the path was last checked.
    pub(crate) fn is_behind(&self, grid: &GridRef) -> bool {
        self.checked.revision != grid.nav.revision() || self.checked.lineage != grid.nav.lineage()
    }

    /// Whether the path was last checked for this grid, not for one that it has replaced.
    pub(crate) fn is_of(&self, grid: &GridRef) -> bool {
        self.checked.lineage == grid.nav.lineage()
    }

    /// Moves the path with the cells of its grid, if they have moved since the path was last checked; the path is
    /// then one of the present map. Returns by how many columns and rows, and the lineage that the grid had before.
    pub(crate) fn follow_canvas(&mut self, grid: &GridRef) -> Option<(IVec2, u64)> {
        let by = grid.nav.moved_by(self.checked.lineage)?;
        let before = core::mem::replace(&mut self.checked.lineage, grid.nav.lineage());
        let shift = by.as_vec2();
        self.points.iter_mut().for_each(|point| *point += shift);
        self.current.aim += shift;
        self.found_end += shift;
        self.shift += shift;
        self.update_waypoints(grid);
        Some((by, before))
    }

    /// How far the cells of the grid have moved since the path was found, in cells.
    pub(crate) const fn shift(&self) -> Vec2 {
        self.shift
    }

    /// Makes a finished path one of the map that has replaced its own: its points in the world stay, and are
    /// converted to the new grid space.
    pub(crate) fn convert_to_map(&mut self, grid: &GridRef) {
        let end = |point: Vec2, old: Option<&Vec3>| old.map_or(point, |&at| grid.place.to_grid(at));
        let last = self.waypoints.last();
        (self.current.aim, self.found_end) = (end(self.current.aim, last), end(self.found_end, last));
        self.points = self.waypoints.iter().map(|&at| grid.place.to_grid(at)).collect();
        self.mark_checked(grid);
        self.update_waypoints(grid);
    }

    /// Notes that the path has been checked on the present revision of the grid.
    pub(crate) fn mark_checked(&mut self, grid: &GridRef) {
        self.checked.revision = grid.nav.revision();
        self.checked.lineage = grid.nav.lineage();
    }

    /// The number of waypoints not yet reached.
    pub(crate) const fn left(&self) -> u32 {
        self.current.left
    }

    /// The waypoints not yet reached, in grid space.
    pub(crate) fn remaining_points(&self) -> &[Vec2] {
        &self.points[self.next()..]
    }

    /// Whether an edit may touch the path of an agent that is no farther than [`OFF_PATH_DISTANCE`] from it: a cheap
    /// test, without false negatives, to run before [`first_touched`](Self::first_touched).
    pub(crate) fn may_be_touched(&self, edits: &EditsSince) -> bool {
        edits.may_touch(&self.checked.outline)
    }

    /// The index, among the waypoints not yet reached, of the first whose leg an edit touches; `None` if no leg is
    /// touched. `here` is where the agent is: the first leg begins there, and is skipped if it is `None`.
    pub(crate) fn first_touched(&self, here: impl Fn() -> Option<Vec2>, edits: &EditsSince) -> Option<usize> {
        let next = self.next();
        let is_touched = |&waypoint: &usize| {
            let leg = waypoint.saturating_sub(1);
            let from = || if waypoint == next { here() } else { Some(self.points[leg]) };
            edits.may_touch_leg(&self.checked.outline, leg)
                && from().is_some_and(|from| edits.touches(from, self.points[waypoint]))
        };
        (next..self.points.len()).find(is_touched).map(|waypoint| waypoint - next)
    }

    /// The last waypoint, in grid space.
    pub(crate) fn end(&self) -> Option<Vec2> {
        // The list of points, in another cache line, is not read for a path that has waypoints left.
        (!self.is_finished() || !self.points.is_empty()).then_some(self.current.end)
    }

    /// The requested point, in grid space; the end of the path, if the path was cut short by a limit.
    pub(crate) const fn aim(&self) -> Vec2 {
        self.current.aim
    }

    /// The end of the path that the search found, in grid space. The present path may end at a free cell beside it.
    pub(crate) const fn found_end(&self) -> Vec2 {
        self.found_end
    }

    /// The waypoint passed last and the next one, in grid space.
    pub(crate) fn leg(&self) -> Option<(Vec2, Vec2)> {
        (!self.is_finished()).then_some((self.current.from, self.current.to))
    }

    /// The next waypoint, in world space.
    pub(crate) fn next_waypoint(&self) -> Option<Vec3> {
        (!self.is_finished()).then_some(self.current.to_in_world)
    }

    /// How far from the next waypoint the agent sees the one after it, in cells. `compute` is called once for each
    /// leg: after an edit of the grid the value may be out of date.
    pub(crate) fn leeway(&mut self, compute: impl FnOnce() -> f32) -> f32 {
        if self.current.leeway < 0.0 {
            self.current.leeway = compute();
        }
        self.current.leeway
    }

    /// Replaces the rest of the path: the agent goes from `here`, where it stands, along `rest`.
    pub(crate) fn end_at(&mut self, grid: &GridRef, here: Vec2, rest: &[Vec2]) {
        self.points.truncate(self.next());
        self.points.push(here);
        self.points.extend_from_slice(rest);
        self.current.left = rest.len() as u32;
        self.update_waypoints(grid);
    }

    /// Inserts a detour: the agent goes from `here`, where it stands, to `point` on the present leg.
    pub(crate) fn rejoin(&mut self, grid: &GridRef, here: Vec2, point: Vec2) {
        let next = self.next();
        self.points.splice(next..next, [here, point]);
        self.current.left += 1;
        self.update_waypoints(grid);
    }

    /// Copies outcome and goal from the older path for the same request: this path ends at a cell beside the goal.
    pub(crate) const fn copy_goal(&mut self, older: &Self) {
        (self.outcome, self.current.aim, self.found_end) =
            (older.outcome, older.current.aim, older.found_end);
    }

    /// Advances to the next waypoint.
    pub(crate) fn advance(&mut self) {
        self.current.left = self.current.left.saturating_sub(1);
        self.update_current();
    }

    /// Ends the path after the next `keep` waypoints.
    pub(crate) fn cut(&mut self, keep: usize) {
        let next = self.next();
        self.points.truncate(next + keep);
        self.waypoints.truncate(next + keep);
        self.current.left = (self.points.len() - next) as u32;
        self.update_current();
    }

    /// Recomputes waypoints and outline, after the points have changed or the grid has moved.
    pub(crate) fn update_waypoints(&mut self, grid: &GridRef) {
        self.waypoints.clear();
        self.waypoints.extend(self.points.iter().map(|&point| grid.above_ground(point, 0.0)));
        self.checked.outline = grid.outline(&self.points, OFF_PATH_DISTANCE);
        self.update_current();
    }

    /// The index of the first waypoint not yet reached.
    fn next(&self) -> usize {
        self.points.len().saturating_sub(self.current.left as usize)
    }

    /// Recomputes the data of the present leg.
    fn update_current(&mut self) {
        let next = self.next();
        if let Some(&end) = self.points.last() {
            self.current.end = end;
        }
        if let (Some(&to), Some(&to_in_world)) = (self.points.get(next), self.waypoints.get(next)) {
            let from = self.points[next.saturating_sub(1)];
            self.current = Current { from, to, to_in_world, leeway: -1.0, ..self.current };
        }
    }
}

/// The point of a segment that is nearest to another point.
pub(crate) fn nearest_on(from: Vec2, to: Vec2, point: Vec2) -> Vec2 {
    let along = to - from;
    let part = (point - from).dot(along) / along.length_squared();
    if part.is_finite() { from + along * part.clamp(0.0, 1.0) } else { to }
}
