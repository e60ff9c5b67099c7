//! Where an agent waits for its turn.

use bevy::ecs::entity::EntityHashMap;
use bevy::prelude::*;
use pathfind_core::corridor::is_narrow;
use pathfind_core::{GridCell, NearestCells, StepRules, line_of_sight};

use super::claims::Claims;
use super::request::{BESIDE, GATE_DISTANCE, StretchRequest};
use crate::order::NavPath;
use crate::world::GridRef;

/// How many cells round the mouth are searched for one to wait at, to bound the time. Not measured.
const MAX_CELLS: usize = 192;
/// By how much two bodies may overlap at the cells where they wait, in cells: a body as wide as a cell fits on one.
const ROUNDING: f32 = 0.01;

/// The centre of the nearest cell beside the mouth of a stretch at which an agent can wait: the mouth is in sight of it,
/// no other agent waits there, and no agent that comes out passes over it.
pub(super) fn waiting_slot(
    grid: &GridRef,
    path: &NavPath,
    own: &StretchRequest,
    requests: &EntityHashMap<StretchRequest>,
    claims: &Claims,
) -> Option<Vec2> {
    let (cells, kind, corners) = (grid.nav.grid(), path.kind(), path.corners());
    let gate = GridCell::containing(own.gate);
    let mut nearest = NearestCells::new(kind, StepRules::eight(corners), gate);
    nearest.begin_at(cells, gate);
    // Agents that come out go straight on at first.
    let out = own.stretch.cells.first().map_or(Vec2::ZERO, |step| -step.leave);
    let is_before_mouth = |at: Vec2| {
        let by = at - own.gate;
        by.dot(out) > -GATE_DISTANCE && by.perp_dot(out).abs() < 2.0 * own.radius + BESIDE
    };
    let is_taken = |at: Vec2| {
        requests.values().any(|other| {
            let apart = own.radius + other.radius - ROUNDING;
            let is_near = |slot: Vec2| slot.distance_squared(at) < apart * apart;
            other.version.0 == grid.entity && other.slot.is_some_and(is_near)
        })
    };
    (1..MAX_CELLS).map_while(|index| nearest.get(cells, index)).find_map(|cell| {
        let at = cell.center();
        let is_free = !is_narrow(cells, kind, own.side, cell)
            && !claims.is_way_out(grid.entity, cell)
            && !is_before_mouth(at)
            && !is_taken(at)
            && line_of_sight(cells, path.shape(), corners, at, own.gate);
        is_free.then_some(at)
    })
}
