//! The path of an agent, as a component.

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
    /// Whether the map keeps the path from the goal, so that an edit may make the goal reachable.
    pub(crate) const fn is_for_the_map(self) -> bool {
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
/// checked again.
#[derive(Component, Reflect, Debug, Clone, PartialEq)]
#[reflect(Component, Debug, PartialEq)]
pub struct NavPath {
    #[entities]
    current: Current,
    #[entities]
    checked: Checked,
    corners: CornerRule,
    outcome: PathOutcome,
    cost: f32,
    length: f32,
    found_end: Vec2,
    shift: Vec2,
    points: Vec<Vec2>,
    waypoints: Vec<Vec3>,
    next: usize,
    #[reflect(ignore)]
    onward: Vec<OnwardLeg>,
    /// The grids of these legs.
    #[reflect(ignore)]
    onward_grids: GridBits,
    requested: Option<Vec3>,
}

/// The data that is read of every path in every tick, in one cache line of its own: the rest of a path is several
/// lines more, its waypoints lie elsewhere in memory, and most agents stay on one leg for many ticks.
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
    /// How near the next waypoint the one behind it comes into sight, in cells; `None` until it is computed.
    leeway: Option<f32>,
}

/// The data that is read of every path after an edit, in another cache line.
#[derive(Reflect, MapEntities, Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
struct Checked {
    /// The same as in [`Current`].
    #[entities]
    grid: Entity,
    /// The outline of all places from which an agent still follows the path: no farther than [`OFF_PATH_DISTANCE`].
    outline: Outline,
    /// The map that the path is for, and its revision for which the path was checked last.
    lineage: u64,
    revision: u64,
    kind: KindId,
}

const _: () = assert!(size_of::<Current>() == 64 && size_of::<Checked>() == 64);

/// An agent farther than this from its leg, in cells, that does not see its next waypoint has left its path. More
/// than the quarter of a cell that a turn may take it off. Measured at half and at twice that, with a stream of 40
/// agents that winds through narrow places and 80 agents before a door of one cell: they take 42 and 49 s, 24 and 27
/// s; but at half ten agents each way do not get through a door.
pub(crate) const OFF_PATH_DISTANCE: f32 = 0.35;

/// A path as the core found it, adapted to begin at the agent and to end at the requested point.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FoundPath {
    pub(crate) points: Vec<Vec2>,
    /// The requested point; the end of the path, if the path was cut short by a limit.
    pub(crate) aim: Vec2,
    pub(crate) outcome: Outcome,
    /// The cost of the whole way, links and the paths behind them included.
    pub(crate) cost: f64,
    pub(crate) length: f64,
    pub(crate) cells: u32,
    pub(crate) kind: KindId,
    pub(crate) corners: CornerRule,
    pub(crate) algorithm: Algorithm,
    /// What comes after it, if it ends at a link.
    pub(crate) onward: Vec<OnwardLeg>,
    /// The requested point, in the world, if the search was one over links: it may lie on another grid.
    pub(crate) requested: Option<Vec3>,
}

/// A link at the end of a path, and the path on the grid behind it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OnwardLeg {
    /// The entity of the link.
    pub(crate) link: Entity,
    /// The grid behind it, its lineage and the revision for which the path was checked last.
    pub(crate) grid: Entity,
    pub(crate) lineage: u64,
    pub(crate) revision: u64,
    /// The path there.
    pub(crate) path: FoundPath,
    /// The outline of this path.
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
                leeway: None,
            },
            checked: Checked {
                grid: grid.entity,
                outline: Outline::default(),
                lineage: grid.nav.lineage(),
                revision: grid.nav.revision(),
                kind: found.kind,
            },
            corners: found.corners,
            outcome: found.outcome.into(),
            cost: found.cost as f32,
            length: 0.0,
            found_end: found.points.last().copied().unwrap_or(found.aim),
            shift: Vec2::ZERO,
            points: found.points,
            waypoints: Vec::new(),
            next: 0,
            onward_grids: found.onward.iter().map(|leg| leg.grid).collect(),
            onward: found.onward,
            requested: found.requested,
        };
        // The start counts as reached, unless it is also the end.
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

    /// The waypoints not yet reached; empty at the end.
    #[must_use]
    pub fn remaining(&self) -> &[Vec3] {
        &self.waypoints[self.next.min(self.waypoints.len())..]
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

    /// The length from start to end, in world units.
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

    /// The [`NavLink`](crate::world::NavLink) at the end of this path; `None` if it is the last part of the way. The
    /// waypoints, [`length`](Self::length) and [`remaining_length`](Self::remaining_length) are of this grid; outcome
    /// and [`cost`](Self::cost) of the whole way.
    #[must_use]
    pub fn link(&self) -> Option<Entity> {
        self.onward.first().map(|leg| leg.link)
    }

    /// The requested point, in the world; `None` if the search was on one grid, and [`aim`](Self::aim) tells.
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

    /// The paths and links again, to note that they have been checked.
    pub(crate) fn onward_mut(&mut self) -> &mut [OnwardLeg] {
        &mut self.onward
    }

    /// The kind of agent that the path is for.
    pub(crate) const fn kind(&self) -> KindId {
        self.checked.kind
    }

    /// The corner rule that its legs obey.
    pub(crate) fn corners(&self) -> CornerRule {
        self.corners
    }

    /// The [`grid`](Self::grid), from the part of the path that a check for edits reads in any case.
    pub(crate) const fn grid_to_check(&self) -> Entity {
        self.checked.grid
    }

    /// Whether the grid has been edited or replaced since the path was last checked.
    pub(crate) fn is_behind(&self, grid: &GridRef) -> bool {
        self.checked.revision != grid.nav.revision() || self.checked.lineage != grid.nav.lineage()
    }

    /// Whether the path was found on this grid, not on one that was replaced by it.
    pub(crate) fn is_of(&self, grid: &GridRef) -> bool {
        self.checked.lineage == grid.nav.lineage()
    }

    /// If the cells of the grid have moved since the path was last checked, moves the path with them, which is then
    /// one of the present map. Returns by how many columns and rows, and the lineage that the grid had before.
    pub(crate) fn follow_canvas(&mut self, grid: &GridRef) -> Option<(IVec2, u64)> {
        let by = grid.nav.moved_by(self.checked.lineage)?;
        let before = core::mem::replace(&mut self.checked.lineage, grid.nav.lineage());
        let shift = by.as_vec2();
        self.points.iter_mut().for_each(|point| *point += shift);
        self.current.aim += shift;
        self.found_end += shift;
        self.shift += shift;
        self.carry(grid);
        Some((by, before))
    }

    /// How far the cells of the grid have moved since the path was found, in cells.
    pub(crate) const fn shift(&self) -> Vec2 {
        self.shift
    }

    /// Takes over the map that the grid has become, for a path at its end: its waypoints are those of the world.
    pub(crate) fn stay_on(&mut self, grid: &GridRef) {
        let end = |point: Vec2, old: Option<&Vec3>| old.map_or(point, |&at| grid.place.to_grid(at));
        let last = self.waypoints.last();
        (self.current.aim, self.found_end) = (end(self.current.aim, last), end(self.found_end, last));
        self.points = self.waypoints.iter().map(|&at| grid.place.to_grid(at)).collect();
        self.mark_checked(grid);
        self.carry(grid);
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
        &self.points[self.next.min(self.points.len())..]
    }

    /// Whether an edit may touch the path, for an agent no farther than [`OFF_PATH_DISTANCE`] from it. A cheap test,
    /// without false negatives, to run before [`first_touched`](Self::first_touched).
    pub(crate) fn may_be_touched(&self, edits: &EditsSince) -> bool {
        edits.may_touch(&self.checked.outline)
    }

    /// The index, among the waypoints not yet reached, of the first whose leg an edit touches; the legs begin where
    /// the agent is, at `here`. `None` if no leg is touched, or the first may be and the agent is nowhere.
    pub(crate) fn first_touched(&self, here: impl Fn() -> Option<Vec2>, edits: &EditsSince) -> Option<usize> {
        let is_touched = |&waypoint: &usize| {
            let leg = waypoint.saturating_sub(1);
            let from = || if waypoint == self.next { here() } else { Some(self.points[leg]) };
            edits.may_touch_leg(&self.checked.outline, leg)
                && from().is_some_and(|from| edits.touches(from, self.points[waypoint]))
        };
        (self.next..self.points.len()).find(is_touched).map(|waypoint| waypoint - self.next)
    }

    /// The last waypoint, in grid space.
    pub(crate) fn end(&self) -> Option<Vec2> {
        (!self.points.is_empty()).then_some(self.current.end)
    }

    /// The requested point, in grid space; for a path cut short by a limit its end.
    pub(crate) const fn aim(&self) -> Vec2 {
        self.current.aim
    }

    /// The end of the path that the search found, in grid space. The present path may lead to a free place beside it.
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

    /// How near the next waypoint the one behind it comes into sight, in cells. It is computed once for each leg:
    /// after an edit of the grid it may be out of date.
    pub(crate) fn leeway(&mut self, compute: impl FnOnce() -> f32) -> f32 {
        let leeway = self.current.leeway.unwrap_or_else(compute);
        self.current.leeway = Some(leeway);
        leeway
    }

    /// Replaces the rest of the path: from where the agent stands along `rest`.
    pub(crate) fn end_at(&mut self, grid: &GridRef, here: Vec2, rest: &[Vec2]) {
        self.points.truncate(self.next);
        self.points.push(here);
        self.next = self.points.len();
        self.points.extend_from_slice(rest);
        self.carry(grid);
    }

    /// Inserts a detour: from where the agent stands to a point of the present leg.
    pub(crate) fn rejoin(&mut self, grid: &GridRef, here: Vec2, point: Vec2) {
        let next = self.next.min(self.points.len());
        self.points.splice(next..next, [here, point]);
        self.next = next + 1;
        self.carry(grid);
    }

    /// Takes outcome and goal from an older path for the same request, which this one replaces with another end.
    pub(crate) const fn stand_for(&mut self, older: &Self) {
        (self.outcome, self.current.aim, self.found_end) =
            (older.outcome, older.current.aim, older.found_end);
    }

    /// Advances to the next waypoint.
    pub(crate) fn advance(&mut self) {
        self.next += 1;
        self.note_current();
    }

    /// Cuts the path after the next `keep` waypoints.
    pub(crate) fn cut(&mut self, keep: usize) {
        self.points.truncate(self.next + keep);
        self.waypoints.truncate(self.next + keep);
        self.note_current();
    }

    /// Recomputes the waypoints in world space after the grid has moved.
    pub(crate) fn carry(&mut self, grid: &GridRef) {
        self.waypoints.clear();
        self.waypoints.extend(self.points.iter().map(|&point| grid.above_ground(point, 0.0)));
        self.checked.outline = grid.outline(&self.points, OFF_PATH_DISTANCE);
        self.note_current();
    }

    /// Updates the data of the present leg.
    fn note_current(&mut self) {
        self.current.left = self.points.len().saturating_sub(self.next) as u32;
        if let Some(&end) = self.points.last() {
            self.current.end = end;
        }
        if let (Some(&to), Some(&to_in_world)) = (self.points.get(self.next), self.waypoints.get(self.next)) {
            let from = self.points[self.next.saturating_sub(1)];
            self.current = Current { from, to, to_in_world, leeway: None, ..self.current };
        }
    }
}

/// The point of a segment that is nearest to another point.
pub(crate) fn nearest_on(from: Vec2, to: Vec2, point: Vec2) -> Vec2 {
    let along = to - from;
    let part = (point - from).dot(along) / along.length_squared();
    if part.is_finite() { from + along * part.clamp(0.0, 1.0) } else { to }
}
