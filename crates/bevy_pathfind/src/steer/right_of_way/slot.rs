//! Where an agent waits for its turn: beside the mouth of a stretch or, if it is in the stretch already, where it leaves
//! room for those that come against it.
//!
//! ```text
//! ########      ########
//! #.1><2.#  ─▶  #.<<<2.#
//! ##.#####      ##1#####
//! ```

use bevy::ecs::entity::EntityHashMap;
use bevy::prelude::*;
use pathfind_core::corridor::is_narrow;
use pathfind_core::{Direction, GridCell, NearestCells, StepRules};

use super::claims::Claims;
use super::request::{BESIDE, GATE_DISTANCE, ROUNDING, StretchRequest};
use crate::order::{NavPath, nearest_on};
use crate::world::GridRef;

/// How many cells are searched for one to wait at, to bound the time. Not measured.
const MAX_CELLS: usize = 192;

/// The centre of the nearest cell beside the mouth of a stretch at which an agent can wait: the mouth is in sight of it,
/// no other agent waits there, and no agent that comes out passes over it.
pub(super) fn waiting_slot(
    grid: &GridRef,
    path: &NavPath,
    own: &StretchRequest,
    requests: &EntityHashMap<StretchRequest>,
    claims: &Claims,
) -> Option<Vec2> {
    let (cells, kind) = (grid.nav.grid(), path.kind());
    let gate = GridCell::containing(own.gate);
    let mut nearest = NearestCells::new(kind, StepRules::eight(path.corners()), gate);
    nearest.begin_at(cells, gate);
    // Agents that come out go straight on at first.
    let out = own.stretch.cells.first().map_or(Vec2::ZERO, |step| -step.leave);
    let is_before_mouth = |at: Vec2| {
        let by = at - own.gate;
        by.dot(out) > -GATE_DISTANCE && by.perp_dot(out).abs() < 2.0 * own.radius + BESIDE
    };
    (1..MAX_CELLS).map_while(|index| nearest.get(cells, index)).find_map(|cell| {
        let at = cell.center();
        let is_free = !is_narrow(cells, kind, own.side, cell)
            && !claims.is_way_out(grid.entity, cell)
            && !is_before_mouth(at)
            && !is_taken(at, own, requests)
            && path.sees(grid, at, own.gate);
        is_free.then_some(at)
    })
}

/// Whether another agent waits so near to a point that this one has no room there.
fn is_taken(at: Vec2, own: &StretchRequest, requests: &EntityHashMap<StretchRequest>) -> bool {
    requests.values().any(|other| {
        let apart = own.radius + other.radius - ROUNDING;
        let is_near = |slot: Vec2| slot.distance_squared(at) < apart * apart;
        other.version.0 == own.version.0 && other.slot.is_some_and(is_near)
    })
}

/// An agent that comes against another one in a stretch, in grid space.
pub(super) struct Oncoming<'a> {
    pub(super) here: Vec2,
    pub(super) radius: f32,
    /// The points of its path ahead.
    pub(super) ahead: &'a [Vec2],
}

impl Oncoming<'_> {
    /// Whether it bars a step of a body of this radius: by standing at its end, or before that.
    fn bars(&self, from: Vec2, to: Vec2, radius: f32) -> bool {
        let away = self.here - from;
        let along = (to - from).dot(away.normalize_or_zero());
        let touch = radius + self.radius - ROUNDING;
        along > ROUNDING && (along > away.length() || to.distance_squared(self.here) < touch * touch)
    }

    /// Whether it can pass a body of this radius at a point, and does not stop beside it: that one would be shut in.
    fn passes(&self, point: Vec2, radius: f32) -> bool {
        let from = core::iter::once(&self.here).chain(self.ahead);
        let leg_distance = |(&from, &to)| nearest_on(from, to, point).distance(point);
        let off = from.zip(self.ahead).map(leg_distance).fold(self.here.distance(point), f32::min);
        let end = self.ahead.last().unwrap_or(&self.here).distance(point);
        off >= radius + self.radius - ROUNDING && end > off + ROUNDING
    }
}

/// The way of an agent in a stretch, cell by cell, to the nearest cell at which it lets others pass that come against it;
/// `None` if it cannot get to any. A breadth-first search.
pub(super) fn way_back(
    grid: &GridRef,
    path: &NavPath,
    own: &StretchRequest,
    oncoming: &[Oncoming],
    requests: &EntityHashMap<StretchRequest>,
) -> Option<Vec<Vec2>> {
    // Each cell, and the index of the cell that it was reached from.
    let mut cells = vec![(GridCell::containing(own.here), 0)];
    let mut index = 0;
    while index < cells.len() && cells.len() < MAX_CELLS {
        let cell = cells[index].0;
        let from = if index == 0 { own.here } else { cell.center() };
        for direction in [Direction::E, Direction::S, Direction::W, Direction::N] {
            let next = cell.step(direction);
            let to = next.center();
            if cells.iter().any(|&(known, _)| known == next)
                || oncoming.iter().any(|other| other.bars(from, to, own.radius))
                // By rounding, a disc that touches a wall sees nothing: it has room to go to the middle of its cell first.
                || !path.sees(grid, from, to) && !path.sees(grid, cell.center(), to)
            {
                continue;
            }
            cells.push((next, index));
            if oncoming.iter().all(|other| other.passes(to, own.radius)) && !is_taken(to, own, requests) {
                let before = |&at: &usize| (at > 0).then(|| cells[at].1);
                let mut way: Vec<Vec2> = core::iter::successors(Some(cells.len() - 1), before)
                    .filter(|&at| at > 0)
                    .map(|at| cells[at].0.center())
                    .collect();
                way.reverse();
                return Some(way);
            }
        }
        index += 1;
    }
    None
}
