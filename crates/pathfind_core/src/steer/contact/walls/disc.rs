//! A disc keeps its rim out of walls.

use glam::{DVec2, Vec2};

use super::OVERLAP;
use super::touching::Touching;
use crate::sight::{Solid, first_contact};

/// How often a step may meet another wall.
const MEETINGS: usize = 6;
/// How often a disc is pushed out of the wall that it overlaps most.
const PUSHES: usize = 4;
/// How much farther than it has to a disc stays from a wall that it touches, in cells: more than what rounding
/// takes away on maps up to a thousand cells wide, and much less than [`OVERLAP`].
const STAND_OFF: f64 = 1e-4;

/// Where the step of a disc ends.
pub(super) fn slide(solid: Solid, radius: f32, from: Vec2, to: Vec2) -> Vec2 {
    if solid.holds(from) {
        return to;
    }
    let room = solid.room(from, radius);
    let (start, room) =
        if has_room(room, radius) { (from, room) } else { push_out(solid, radius, from, room) };
    let reach = if has_room(room, radius) { radius - OVERLAP } else { room }.max(0.0);
    let end = advance(solid, reach.into(), start.as_dvec2(), to.as_dvec2() - from.as_dvec2());
    let end = end.as_vec2();
    if end == to && start == from || is_free(solid, reach, end) { end } else { start }
}

/// Whether a disc has all the room that it needs, with some tolerance for rounding.
fn has_room(room: f32, radius: f32) -> bool {
    room >= radius - 1.5 * OVERLAP
}

/// Whether a disc of a radius may end its step at a place.
fn is_free(solid: Solid, radius: f32, at: Vec2) -> bool {
    !solid.holds(at) && solid.room(at, radius) >= radius - OVERLAP
}

/// A place nearby where a disc overlaps no wall, or as little as is found, and its room there. All the way to
/// it the disc has no less room than at its start.
fn push_out(solid: Solid, radius: f32, from: Vec2, room: f32) -> (Vec2, f32) {
    let (mut at, mut best) = (from, (from, room));
    for _ in 0..PUSHES {
        let walls = solid.near(at.as_dvec2(), radius.into());
        let Some(nearest) = walls.reduce(|a, b| if b.gap < a.gap { b } else { a }) else { break };
        let push = nearest.normal * (f64::from(radius) - nearest.gap);
        at = advance(solid, nearest.gap, at.as_dvec2(), push).as_vec2();
        let room = solid.room(at, radius);
        if room > best.1 && !solid.holds(at) {
            best = (at, room);
        }
        if has_room(best.1, radius) {
            break;
        }
    }
    best
}

/// Where the centre of a disc of radius `reach` ends that goes along a displacement and slides along the walls
/// that it meets. All the way it stays so far from every wall that was farther at the start, and goes no deeper
/// into any other.
fn advance(solid: Solid, reach: f64, mut at: DVec2, along: DVec2) -> DVec2 {
    // Longer than the grid is no way on the grid, and would cost precision.
    let longest = f64::from(solid.grid().width() + solid.grid().height());
    let mut rest = along.clamp_length_max(longest);
    for _ in 0..MEETINGS {
        let touching = Touching::new(solid, at, reach + f64::from(OVERLAP));
        let way = touching.displacement(rest, reach + STAND_OFF);
        let met = first_contact(solid, at, way, reach + STAND_OFF * 0.5, |cell| !touching.has(cell));
        let Some(contact) = met else { return at + way };
        at += way * contact.at;
        rest = way * (1.0 - contact.at);
    }
    at
}
