//! One tick of motion for every agent.

use bevy::ecs::query::QueryData;
use bevy::math::Affine3A;
use bevy::prelude::*;

use super::frames::Frames;
use super::ground::Ground;
use super::{AdjustedVelocity, Agent, Facing, Velocity};
use crate::solve::{Path, PathError};
use crate::steer::{Avoider, SteerSettings};
use crate::world::{Grids, Grounds, ObstacleMap, OnGrid};

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
}

/// Moves every agent by one tick. Each depends on itself alone, so their order cannot show.
pub(super) fn integrate(
    mut free: Query<Mover, Without<ChildOf>>,
    mut children: Query<(Mover, &ChildOf)>,
    (grids, obstacles, frames): (Grids, Res<ObstacleMap>, Res<Frames>),
    settings: Option<Res<SteerSettings>>,
    time: Res<Time>,
) {
    let dt = time.delta_secs();
    if dt <= 0.0 {
        return;
    }
    let up = settings.and_then(|settings| settings.up);
    let setting = Setting { grounds: grids.all(), obstacles: &obstacles, up, dt };
    // Apart, so that nearly all move without the frame that few have.
    free.par_iter_mut().for_each(|mover| setting.advance(mover, None));
    children.par_iter_mut().for_each(|(mover, parent)| setting.advance(mover, frames.of(Some(parent))));
}

/// Where agents move.
struct Setting<'a> {
    grounds: Grounds<'a>,
    obstacles: &'a ObstacleMap,
    /// Away from the ground, where there is no grid.
    up: Option<Vec3>,
    /// The length of the tick, in seconds.
    dt: f32,
}

impl Setting<'_> {
    /// Moves an agent, in its parent's frame if it has one.
    #[inline(always)]
    fn advance(&self, mover: MoverItem, frame: Option<Affine3A>) {
        let &Self { ref grounds, obstacles, up, dt } = self;
        // Taken apart, an item is not copied.
        let MoverItem { agent, wanted, mut velocity, mut transform, path, on_grid, avoider } = mover;
        let own = transform.translation;
        let from = frame.map_or(own, |frame| frame.transform_point3(own));
        let grid = grounds.of(on_grid, from);
        // Where no wall can be told where it is, nobody moves into one.
        if !from.is_finite() || matches!(grid, Err(PathError::BadGrid)) {
            velocity.set_if_neq(Velocity::default());
            return;
        }
        let ground = Ground { grid: grid.ok(), obstacles, up, since: 0.0 };
        let reached = accelerate(velocity.0, wanted.0, agent.acceleration * dt);
        let to = ground.settle(agent, path, avoider, from, from + reached * dt, dt);
        // Who is pushed away does not fly on at the speed of the push.
        let most = reached.length().max(agent.speed);
        velocity.set_if_neq(Velocity(((to - from) / dt).clamp_length_max(most)));
        if to == from {
            return;
        }
        let inside = frame.map(|frame| frame.inverse());
        let moved = inside.map_or(to, |inside| inside.transform_point3(to));
        transform.translation = if moved.is_finite() { moved } else { own };
        if agent.facing != Facing::None {
            let (mut way, mut up) = (to - from, ground.up().unwrap_or(agent.facing.usual_up()));
            if let Some(inside) = inside {
                (way, up) = (inside.transform_vector3(way), inside.transform_vector3(up));
            }
            transform.rotation = agent.facing.turned(transform.rotation, way, up, agent.turn_rate * dt);
        }
    }
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
