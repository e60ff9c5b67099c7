//! One tick of motion for every agent.

use bevy::ecs::query::QueryData;
use bevy::math::Affine3A;
use bevy::prelude::*;

use super::frames::Frames;
use super::ground::Ground;
use super::{AdjustedVelocity, Agent, Facing, Velocity};
use crate::solve::{Path, PathError};
use crate::steer::{Avoider, SteerSettings};
use crate::world::{Grids, ObstacleMap, OnGrid};

/// An agent about to move.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct Mover {
    agent: &'static Agent,
    wanted: &'static AdjustedVelocity,
    velocity: &'static mut Velocity,
    transform: &'static mut Transform,
    path: Option<&'static Path>,
    on_grid: Option<&'static OnGrid>,
    avoider: Option<&'static Avoider>,
    parent: Option<&'static ChildOf>,
}

/// Moves every agent by one tick. Each depends on itself alone, so their order cannot show.
pub(super) fn integrate(
    mut movers: Query<Mover>,
    (grids, obstacles, frames): (Grids, Res<ObstacleMap>, Res<Frames>),
    settings: Option<Res<SteerSettings>>,
    time: Res<Time>,
) {
    let dt = time.delta_secs();
    if dt <= 0.0 {
        return;
    }
    let up = settings.and_then(|settings| settings.up);
    let grounds = grids.all();
    // Taken apart, an item is not copied.
    movers.par_iter_mut().for_each(|item| {
        let MoverItem { agent, wanted, mut velocity, mut transform, path, on_grid, avoider, parent } = item;
        let (frame, own) = (frames.of(parent), transform.translation);
        let from = frames.to_world(parent, own);
        let grid = grounds.of(on_grid, from);
        // Where no wall can be told where it is, nobody moves into one.
        if !from.is_finite() || matches!(grid, Err(PathError::BadGrid)) {
            velocity.set_if_neq(Velocity::default());
            return;
        }
        let ground = Ground { grid: grid.ok(), obstacles: &obstacles, up, since: 0.0 };
        let reached = accelerate(velocity.0, wanted.0, agent.acceleration * dt);
        let to = ground.settle(agent, path, avoider, from, from + reached * dt, dt);
        // Who is pushed away does not fly on at the speed of the push.
        let most = reached.length().max(agent.speed);
        velocity.set_if_neq(Velocity(((to - from) / dt).clamp_length_max(most)));
        if to == from {
            return;
        }
        if parent.is_none() {
            transform.translation = to;
        } else {
            let moved = frame.inverse().transform_point3(to);
            transform.translation = if moved.is_finite() { moved } else { own };
        }
        if agent.facing != Facing::None {
            transform.rotation = facing(agent, transform.rotation, to - from, ground.up(), frame, dt);
        }
    });
}

/// A rotation, turned to look along the way.
fn facing(agent: &Agent, now: Quat, way: Vec3, up: Option<Vec3>, frame: &Affine3A, dt: f32) -> Quat {
    let up = up.unwrap_or(agent.facing.usual_up());
    let inside = frame.inverse();
    let (way, up) = (inside.transform_vector3(way), inside.transform_vector3(up));
    agent.facing.turned(now, way, up, agent.turn_rate * dt)
}

/// A velocity that changes towards another by at most `most`.
fn accelerate(now: Vec3, wanted: Vec3, most: f32) -> Vec3 {
    let wanted = if wanted.is_finite() { wanted } else { Vec3::ZERO };
    let now = if now.is_finite() { now } else { Vec3::ZERO };
    if most.is_finite() { now.move_towards(wanted, most.max(0.0)) } else { wanted }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn velocity_changes_gradually_and_never_to_nonsense() {
        assert_eq!(accelerate(Vec3::ZERO, Vec3::X * 5.0, 2.0), Vec3::X * 2.0, "no faster than allowed");
        assert_eq!(accelerate(Vec3::ZERO, Vec3::X * 5.0, f32::INFINITY), Vec3::X * 5.0, "at once");
        assert_eq!(accelerate(Vec3::ZERO, Vec3::NAN, 9.0), Vec3::ZERO, "what is no number moves nobody");
    }
}
