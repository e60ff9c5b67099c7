//! When an agent goes on to the next waypoint of its path, and how it cuts a corner that others block.

use bevy::prelude::*;

use super::{LEEWAY, Walker};
use crate::order::nearest_on;
use crate::world::{GridRef, ObstacleMap};

/// A waypoint counts as reached within this distance even if the next one is not in sight, in cells. In a passage as
/// wide as the body, and between two walls that meet in a corner, the next waypoint comes into sight only at the
/// present one. Contact with the walls then guides the body.
pub(super) const REACHED: f32 = 0.02;
/// A hindered agent (see [`is_hindered`]) may skip a waypoint nearer than this if it sees the next one, in cells.
/// Measured at 1.5, 3 and 6: the stream of 40 in the tests of narrow places winds through in 50.5, 45.3, 45.3 s.
const SKIP_RADIUS: f32 = 3.0;
/// A hindered agent nearer than this to its waypoint may head for a point on the leg beyond the waypoint, in cells.
/// Measured at half and at twice that, in the scenes of [`LEEWAY`]: 43 and 53 s, 26 and 29 s; and at twice that ten
/// agents each way do not get through a door.
const CUT_RADIUS: f32 = 1.5;
/// How far beyond the waypoint that point may lie at most, in cells. Measured at half and at twice that, in the
/// scenes of [`LEEWAY`]: 47 and 44 s, 26 and 24 s.
const CUT_LENGTH: f32 = 2.0;

/// Goes on to the next waypoint where the present one is near enough and the leg behind it is in sight. For an agent
/// that others hinder, a waypoint farther away counts as reached too, because only one body at a time fits on the
/// waypoint.
pub(super) fn advance_waypoints(walker: &mut Walker, grid: &GridRef, obstacles: &ObstacleMap, here: Vec2) {
    while let Some((_, turn)) = walker.leg.ends() {
        let distance = here.distance_squared(turn);
        let is_within = |radius: f32| distance <= radius * radius;
        let is_near = is_within(LEEWAY);
        let is_file_near = walker.passage.is_in_file && is_within(SKIP_RADIUS);
        if !(is_near || is_file_near || is_within(SKIP_RADIUS) && is_hindered(walker, here)) {
            break;
        }
        let &[_, beyond, ..] = walker.path.remaining_points() else { break };
        let is_free = match is_near {
            _ if walker.passage.is_in_file && is_on_leg(turn, beyond, here) => true,
            true => is_within(REACHED) || walker.path.sees(grid, here, beyond),
            false => walker.has_free_way(grid, obstacles, here, beyond),
        };
        if !is_free {
            break;
        }
        walker.leg.advance(walker.path);
    }
}

/// Whether an agent has come to the leg after its next waypoint: beside it, past its beginning, and with no room for a
/// wall between.
fn is_on_leg(from: Vec2, to: Vec2, here: Vec2) -> bool {
    const HALF_CELL: f32 = 0.5;
    let is_past = (here - from).dot(to - from) > 0.0;
    is_past && here.distance_squared(nearest_on(from, to, here)) < HALF_CELL * HALF_CELL
}

/// Whether an agent that avoids others has left its leg, or comes no nearer to its next waypoint.
fn is_hindered(walker: &Walker, here: Vec2) -> bool {
    let is_off_leg =
        |(from, to): (Vec2, Vec2)| here.distance_squared(nearest_on(from, to, here)) > LEEWAY * LEEWAY;
    walker.avoids_others() && (walker.stall.is_stalled() || walker.leg.ends().is_some_and(is_off_leg))
}

/// The point that a hindered agent heads for near a turn, if it does not see the waypoint after the turn: of four
/// points on the leg after the turn, the farthest that it sees. So agents at a corner go round it side by side.
pub(super) fn corner_cut(
    walker: &Walker,
    grid: &GridRef,
    obstacles: &ObstacleMap,
    here: Vec2,
) -> Option<Vec2> {
    let (_, turn) = walker.leg.ends()?;
    if here.distance_squared(turn) > CUT_RADIUS * CUT_RADIUS || !is_hindered(walker, here) {
        return None;
    }
    let &[_, beyond, ..] = walker.path.remaining_points() else { return None };
    let leg = beyond - turn;
    let farthest = leg.normalize_or_zero() * leg.length().min(CUT_LENGTH);
    let points = [1.0, 0.5, 0.25, 0.125].map(|part| turn + farthest * part);
    points.into_iter().find(|&point| walker.has_free_way(grid, obstacles, here, point))
}
