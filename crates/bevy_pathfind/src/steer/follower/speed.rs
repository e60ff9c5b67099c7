//! How fast an agent on a path goes: as fast as the turns and the end ahead of it allow.

use bevy::prelude::*;
use pathfind_core::steer::follow::{braking_speed, turning_speed};

use super::waypoints::REACHED;
use super::{LEEWAY, Walker};
use crate::order::nearest_on;
use crate::world::GridRef;

/// How many waypoints ahead may limit an agent's speed, to bound the time. Not measured.
const LOOK_AHEAD: usize = 8;

/// How far the agent still goes if it brakes from now on, in world units; 0 for settings that give no number.
pub(super) fn braking_distance(walker: &Walker) -> f32 {
    let distance = walker.velocity.length_squared() / (2.0 * walker.agent.acceleration);
    if distance.is_finite() { distance } else { 0.0 }
}

/// The velocity towards `next`, the next waypoint or a point that replaces it: as fast as the turns and the end ahead
/// allow.
// Inline: only the agents near a turn need more than a few instructions, and positions stay in registers.
#[inline(always)]
pub(super) fn velocity(walker: &mut Walker, grid: &GridRef, (at, next): (Vec3, Vec3), dt: f32) -> Vec3 {
    let agent = walker.agent;
    let leg = grid.place.flatten(next - at);
    let direction = leg.normalize_or_zero();
    // The braking distance from top speed, and a tick: what lies farther ahead does not limit the speed yet.
    let sight = agent.speed * agent.speed / (2.0 * agent.acceleration) + agent.speed * dt;
    if leg.length_squared() > sight * sight {
        return direction * agent.speed;
    }
    direction * speed_before_turns(walker, grid, at, (leg, sight), dt)
}

/// The speed of an agent that has a turn or the end of its path within `sight`, its braking distance and a tick. `leg`
/// leads from where it is to the next point.
#[inline(never)]
fn speed_before_turns(
    walker: &mut Walker,
    grid: &GridRef,
    at: Vec3,
    (mut leg, sight): (Vec3, f32),
    dt: f32,
) -> f32 {
    let agent = walker.agent;
    let cell_size = grid.place.cell_size();
    let first_leeway = leeway(walker, grid, grid.place.to_grid(at), dt);
    let ahead = walker.path.remaining();
    let (mut distance, mut speed) = (0.0, agent.speed);
    for i in 0..ahead.len().min(LOOK_AHEAD) {
        distance += leg.length();
        if distance > sight {
            break;
        }
        let pass = match ahead.get(i + 1) {
            Some(&beyond) => {
                let next = grid.place.flatten(beyond - ahead[i]);
                let cosine = leg.normalize_or_zero().dot(next.normalize_or_zero());
                leg = next;
                let leeway = cell_size * if i == 0 { first_leeway } else { LEEWAY };
                let pass = turning_speed(cosine, agent.acceleration, dt, leeway);
                // It must not pass in one tick all of the stretch where it sees the waypoint behind the turn.
                if leeway < cell_size * LEEWAY { pass.min(leeway / dt) } else { pass }
            }
            // It does not stop at a link.
            None if walker.path.link().is_some() => agent.speed,
            None => 0.0,
        };
        if pass < speed {
            speed = speed.min(braking_speed(distance, agent.acceleration, dt, pass));
        }
    }
    speed
}

/// How far from the next waypoint an agent may turn to the one behind it, in cells: at the most [`LEEWAY`], and less
/// where it sees that one only from nearer, or has missed the stretch of its leg from where it does. Lines of sight are
/// tested only for turns that it has to brake for, and where it has come to the waypoint without a view of the next.
fn leeway(walker: &mut Walker, grid: &GridRef, here: Vec2, dt: f32) -> f32 {
    let &[turn, beyond, ..] = walker.path.remaining_points() else { return LEEWAY };
    let Some((from, _)) = walker.leg.ends() else { return LEEWAY };
    let is_near = here.distance_squared(turn) <= LEEWAY * LEEWAY;
    let cosine = (turn - here).normalize_or_zero().dot((beyond - turn).normalize_or_zero());
    let [speed, acceleration] =
        [walker.agent.speed, walker.agent.acceleration].map(|value| value / grid.place.cell_size());
    if !is_near && turning_speed(cosine, acceleration, dt, LEEWAY) >= speed {
        return LEEWAY;
    }
    let path = &*walker.path;
    // At a corner that the path touches it comes into sight behind the waypoint.
    let is_seen = |back: Vec2| path.sees(grid, turn + back, beyond) || path.sees(grid, turn - back, beyond);
    let back = (from - turn).clamp_length_max(LEEWAY);
    let leeway = walker.leg.leeway(|| {
        if is_seen(back) {
            return LEEWAY;
        }
        let parts = [0.5, 0.25].map(|part| back * part);
        parts.into_iter().find(|&back| is_seen(back)).map_or(REACHED, Vec2::length)
    });
    let is_missed = is_near && here.distance_squared(nearest_on(from, turn, here)) > leeway * leeway;
    if is_missed { REACHED } else { leeway.max(REACHED) }
}
