//! Lanes: agents on paths that meet others coming the other way in a narrow passage keep to its right half.
//!
//! Without lanes, two streams of agents that meet in a corridor plug it: each agent avoids its nearest neighbours
//! only, and these go in its own direction. With lanes each stream has a half of its own, as pedestrians form them
//! (D. Helbing and P. Molnár, 1995).
//!
//! - [`Streams`] records in which directions agents walk in each part of a grid. It is rebuilt every [`PERIOD`]
//!   ticks.
//! - [`Lane`] is the state of one agent. Once in [`PERIOD`] ticks the agent looks along its path for oncoming agents
//!   in `Streams`. After it has seen some it keeps to the right, until it has looked [`LOOKS_KEPT`] times in vain.
//! - [`keep_right`] gives the point that such an agent heads for: the middle of the right half of the passage.
//!
//! Passages where only one agent can pass are not handled here, but in [`right_of_way`](super::super::right_of_way).

use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use pathfind_core::cast_ray;

use super::Walker;
use crate::numbers::octant;
use crate::order::{NavPath, nearest_on};
use crate::steer::CrowdIndex;
use crate::world::GridRef;

/// How often the record of streams is rebuilt, and how often each agent looks into it, in ticks. Not
/// measured.
const PERIOD: u64 = 8;
/// The side of the squares by which agents are recorded, in cells: the distance of the points of [`LOOK_AHEAD`].
const SQUARE: f32 = 4.0;
/// At which distances ahead on its path an agent looks for others that come the other way, in cells. Not measured.
const LOOK_AHEAD: [f32; 4] = [0.0, 4.0, 8.0, 12.0];
/// How much of an oncoming agent's leg, behind and ahead of that agent, has to be in sight of the path of the agent
/// that looks, in cells: if a wall is in between, the two do not meet. Not measured.
const SIGHT_RANGE: f32 = 3.0;
/// The shortest leg on which agents are recorded and look for others, in cells. On shorter ones, where a path turns,
/// the agent's own stream may come the other way.
const MIN_LEG: f32 = 2.0 * SIGHT_RANGE;
/// For how many looks an agent keeps to the right after the last one that found oncoming agents: 64 ticks.
/// Not measured.
const LOOKS_KEPT: u8 = 8;
/// How far ahead on the path the width of the passage is measured; the agent heads for the right half at that point.
/// In cells. Not measured.
const ENTRY_DISTANCE: f32 = 1.5;
/// The widest passage in which agents keep to the right, in cells. Measured with 100 agents each way: at 10 cells
/// they take 25 s with lanes and 34 s without, at 12 cells lanes make no difference.
const MAX_WIDTH: f32 = 12.0;

/// The record of streams: for each square of a grid and each of eight directions, the agent with the lowest id of
/// those that are in the square and walk in that direction.
#[derive(Resource)]
pub(in crate::steer) struct Streams {
    squares: HashMap<(Entity, IVec2), [Option<OnLeg>; 8]>,
    /// Whether agents are recorded; `false` while no agent has looked into the record for a period.
    is_kept: bool,
    /// Whether an agent has looked since the record was begun.
    is_read: bool,
}

impl Default for Streams {
    fn default() -> Self {
        Self { squares: HashMap::default(), is_kept: true, is_read: false }
    }
}

/// An agent on a leg of its path.
#[derive(Debug, Clone, Copy)]
struct OnLeg {
    /// Its crowd index. Indices are in the order of ids, and are unique, which ids need not be.
    index: usize,
    /// The ends of the part of its leg from [`SIGHT_RANGE`] behind it to [`SIGHT_RANGE`] ahead of it.
    part: [Vec2; 2],
}

/// An entry of the record: an agent, its square and its direction.
#[derive(Debug)]
pub(super) struct StreamRecord {
    square: (Entity, IVec2),
    octant: usize,
    walker: OnLeg,
}

/// Whether an agent keeps to the right, because it has seen others come the other way.
#[derive(Debug, Default)]
pub(super) struct Lane {
    /// For how many more looks it keeps to the right; 0 if it does not.
    kept: u8,
}

impl Streams {
    /// Begins a tick. Returns whether agents are recorded in it; then the old record has been cleared.
    pub(super) fn begin(&mut self, tick: u64) -> bool {
        let is_due = tick.is_multiple_of(PERIOD);
        if is_due {
            self.squares.clear();
            self.is_kept = std::mem::take(&mut self.is_read) || tick == 0;
        }
        is_due
    }

    /// The entry for an agent on a leg of its path; `None` if agents are not recorded now, or the leg is too short.
    pub(super) fn record_of(
        &self,
        grid: Entity,
        crowd_index: CrowdIndex,
        here: Vec2,
        (from, to): (Vec2, Vec2),
    ) -> Option<StreamRecord> {
        if !self.is_kept || from.distance_squared(to) < MIN_LEG * MIN_LEG {
            return None;
        }
        let part = [-SIGHT_RANGE, SIGHT_RANGE]
            .map(|far| nearest_on(from, to, here + (to - from).normalize_or_zero() * far));
        Some(StreamRecord {
            square: (grid, square(here)),
            octant: octant(to - from),
            walker: OnLeg { index: crowd_index.index(), part },
        })
    }

    /// Adds agents to the record. `has_looked`: whether an agent has looked into it in this tick.
    pub(super) fn record(&mut self, stream_records: Vec<StreamRecord>, has_looked: bool) {
        self.is_read |= has_looked;
        for StreamRecord { square, octant, walker } in stream_records {
            let found = &mut self.squares.entry(square).or_default()[octant];
            if found.is_none_or(|other| walker.index < other.index) {
                *found = Some(walker);
            }
        }
    }

    /// Looks along the path of an agent for others that come the other way, if it is the agent's turn in this tick,
    /// and if it avoids others. Returns whether it has looked.
    pub(super) fn look(&self, tick: u64, walker: &mut Walker, grid: &GridRef, here: Vec2) -> bool {
        // Turns are spread by id over the ticks of a period but the first, in which agents are recorded.
        if walker.id.0 % (PERIOD - 1) + 1 != tick % PERIOD || !walker.avoids_others() {
            return false;
        }
        let is_met = LOOK_AHEAD.into_iter().any(|distance| {
            ahead(walker.path, here, distance)
                .is_some_and(|(at, leg)| leg.length() >= MIN_LEG && self.meets(walker, grid, at, leg))
        });
        let kept = &mut walker.lane.kept;
        *kept = if is_met { LOOKS_KEPT } else { kept.saturating_sub(1) };
        true
    }

    /// Whether an agent near a point of this agent's path walks against it there. The other one has to be in sight:
    /// behind a wall, or round the end of one, this agent's own stream may come back.
    fn meets(&self, walker: &Walker, grid: &GridRef, at: Vec2, leg: Vec2) -> bool {
        let Some(found) = self.squares.get(&(grid.entity, square(at))) else { return false };
        let own = octant(leg);
        let against = (3..=5).filter_map(|turn| found[(own + turn) % 8]);
        let is_beside = |point: Vec2| walker.path.sees(grid, at + (point - at).project_onto(leg), point);
        against.into_iter().any(|other| other.part.into_iter().all(is_beside))
    }
}

/// The point, in grid space, that an agent heads for while it keeps to the right: the middle of the right half of a
/// narrow passage. `None` if it does not keep to the right, or the passage is not a narrow one.
pub(super) fn keep_right(walker: &Walker, grid: &GridRef, here: Vec2) -> Option<Vec2> {
    if walker.lane.kept == 0 || !walker.avoids_others() {
        return None;
    }
    let (at, leg) = ahead(walker.path, here, ENTRY_DISTANCE)?;
    // Right as seen from above, like the side bias of reciprocal avoidance. In grid space it is the left if the grid
    // is mirrored.
    let corner = |x, y| grid.place.to_world(Vec2::new(x, y), 0.0);
    let (columns, rows) = (corner(1.0, 0.0) - corner(0.0, 0.0), corner(0.0, 1.0) - corner(0.0, 0.0));
    let is_mirrored = columns.cross(rows).dot(grid.place.up()) < 0.0;
    let left = leg.normalize_or_zero().perp();
    let right = if is_mirrored { left } else { -left };
    let free_distance = |side: Vec2| {
        let hit = cast_ray(grid.nav.grid(), walker.path.kind(), at, at + side * MAX_WIDTH);
        hit.map_or(MAX_WIDTH, |hit| hit.fraction * MAX_WIDTH)
    };
    let (to_right, to_left) = (free_distance(right), free_distance(-right));
    let width = to_right + to_left;
    let radius = walker.agent.radius / grid.place.cell_size();
    // Two bodies have to fit side by side.
    if !(4.0 * radius..=MAX_WIDTH).contains(&width) {
        return None;
    }
    let point = at + right * (to_right - (width / 4.0).max(radius));
    walker.path.sees(grid, here, point).then_some(point)
}

fn square(at: Vec2) -> IVec2 {
    (at / SQUARE).floor().as_ivec2()
}

/// The point of a path at a distance ahead of the path's point nearest to an agent, and the leg that it lies on;
/// `None` beyond the end of the path.
fn ahead(path: &NavPath, here: Vec2, distance: f32) -> Option<(Vec2, Vec2)> {
    let (start, next) = path.leg()?;
    along((start, next), &path.remaining_points()[1..], here, distance)
}

fn along(first: (Vec2, Vec2), beyond: &[Vec2], here: Vec2, distance: f32) -> Option<(Vec2, Vec2)> {
    let (mut leg, mut at, mut left) = (first, nearest_on(first.0, first.1, here), distance);
    let mut beyond = beyond.iter();
    loop {
        let (from, to) = leg;
        let (length, whole) = (at.distance(to), to - from);
        if length >= left && whole != Vec2::ZERO {
            return Some((at + whole.normalize_or_zero() * left, whole));
        }
        (leg, at, left) = ((to, *beyond.next()?), to, left - length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_ahead_are_found_up_to_the_end_of_the_path() {
        let (first, second) = (Vec2::new(3.0, 0.0), Vec2::new(0.0, 4.0));
        let (leg, beyond) = ((Vec2::ZERO, first), [first + second]);
        let ahead = |here: (f32, f32), distance| along(leg, &beyond, here.into(), distance);
        assert_eq!(
            ahead((1.0, 0.5), 2.0),
            Some((Vec2::new(3.0, 0.0), first)),
            "from a point beside the path"
        );
        assert_eq!(ahead((0.0, 0.0), 5.0), Some((Vec2::new(3.0, 2.0), second)), "beyond the turn");
        assert_eq!(
            ahead((4.0, 0.0), 1.0),
            Some((Vec2::new(3.0, 1.0), second)),
            "from a point that has passed the turn"
        );
        assert_eq!(ahead((0.0, 0.0), 50.0), None, "the path has ended");
        assert_eq!(along((Vec2::ZERO, Vec2::ZERO), &[], Vec2::ZERO, 0.0), None, "the leg has no direction");
    }
}
