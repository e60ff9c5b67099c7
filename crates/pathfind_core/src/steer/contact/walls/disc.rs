//! Steps of discs, which keep their rim out of walls and off fences. Walls are meant to include fences here.

use glam::{DVec2, Vec2};

use super::OVERLAP;
use super::touching::Touching;
use crate::sight::{Solid, first_contact};

/// The most walls that a step meets in turn. It bounds the time.
const MEETINGS: usize = 6;
/// The most pushes of a disc, each out of the wall that it overlaps most. It bounds the time.
const PUSHES: usize = 4;
/// Extra distance that a disc keeps from a wall that it touches, in cells: more than rounding errors on maps up to
/// a thousand cells wide, and much less than [`OVERLAP`].
const STAND_OFF: f64 = 1e-4;

/// Where the step of a disc ends: first out of walls that it overlaps, then along the step.
pub(super) fn slide(solid: Solid, radius: f32, from: Vec2, to: Vec2) -> Vec2 {
    // Most steps touch nothing, and some begin inside of a wall.
    if solid.lets_pass(radius, from, to) || solid.holds(from) {
        return to;
    }
    let gap = solid.distance_to_wall(from, radius);
    let (start, gap) = if is_clear(gap, radius) { (from, gap) } else { push_out(solid, radius, from, gap) };
    let reach = if is_clear(gap, radius) { radius - OVERLAP } else { gap }.max(0.0);
    let end = advance(solid, reach.into(), start.as_dvec2(), to.as_dvec2() - from.as_dvec2());
    let end = end.as_vec2();
    if end == to && start == from || is_free(solid, reach, end) { end } else { start }
}

/// Whether a disc whose centre is so far from the nearest wall overlaps none, up to rounding.
fn is_clear(gap: f32, radius: f32) -> bool {
    gap >= radius - 1.5 * OVERLAP
}

/// Whether a disc of this radius may end its step here.
fn is_free(solid: Solid, radius: f32, at: Vec2) -> bool {
    !solid.holds(at) && solid.distance_to_wall(at, radius) >= radius - OVERLAP
}

/// A nearby position where a disc overlaps no wall, or as little as was found, and its distance to the nearest wall
/// there. On the path to it that distance is nowhere less than `gap`, which it is at the start.
fn push_out(solid: Solid, radius: f32, from: Vec2, gap: f32) -> (Vec2, f32) {
    let (mut at, mut best) = (from, (from, gap));
    for _ in 0..PUSHES {
        let walls = solid.near(at.as_dvec2(), radius.into());
        let Some(nearest) = walls.reduce(|a, b| if b.gap < a.gap { b } else { a }) else { break };
        let push = nearest.normal * (f64::from(radius) - nearest.gap);
        at = advance(solid, nearest.gap, at.as_dvec2(), push).as_vec2();
        let gap = solid.distance_to_wall(at, radius);
        if gap > best.1 && !solid.holds(at) {
            best = (at, gap);
        }
        if is_clear(best.1, radius) {
            break;
        }
    }
    best
}

/// Where the centre of a disc of radius `reach` ends that moves along a displacement and slides along the walls
/// that it meets. All the way it stays at least `reach` from every wall that was as far at the start, and goes no
/// deeper into any other.
fn advance(solid: Solid, reach: f64, mut at: DVec2, along: DVec2) -> DVec2 {
    // A displacement longer than the grid has no meaning on it, and would cost precision.
    let longest = f64::from(solid.grid().width() + solid.grid().height());
    let mut rest = along.clamp_length_max(longest);
    for _ in 0..MEETINGS {
        let touching = Touching::new(solid, at, reach + f64::from(OVERLAP));
        let shift = touching.displacement(rest, reach + STAND_OFF);
        let met = first_contact(solid, at, shift, reach + STAND_OFF * 0.5, |barrier| !touching.has(barrier));
        let Some(contact) = met else { return at + shift };
        at += shift * contact.at;
        rest = shift * (1.0 - contact.at);
    }
    at
}
