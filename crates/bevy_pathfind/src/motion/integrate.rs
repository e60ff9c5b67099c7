//! One tick of motion for every agent.

use bevy::ecs::query::QueryData;
use bevy::math::Affine3A;
use bevy::prelude::*;
use pathfind_core::CornerRule;
use pathfind_core::steer::contact::walls;

use super::{AdjustedVelocity, Agent, Velocity};
use crate::solve::{Path, PathError};
use crate::world::{GridRef, Grids, OnGrid};

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
    parent: Option<&'static ChildOf>,
}

/// Moves every agent by one tick. Each depends on itself alone, so their order cannot show.
pub(super) fn integrate(
    mut movers: Query<Mover>,
    parents: Query<&GlobalTransform>,
    grids: Grids,
    time: Res<Time>,
) {
    let dt = time.delta_secs();
    if dt <= 0.0 {
        return;
    }
    for mut mover in &mut movers {
        let parent = mover.parent.and_then(|child| parents.get(child.parent()).ok());
        let frame = parent.map_or(Affine3A::IDENTITY, GlobalTransform::affine);
        let from = frame.transform_point3(mover.transform.translation);
        if !from.is_finite() {
            mover.velocity.set_if_neq(Velocity::default());
            continue;
        }
        let grid = grids.of(mover.on_grid, from);
        if matches!(grid, Err(PathError::BadGrid)) {
            // No wall can be told where it is: nobody moves into one.
            mover.velocity.set_if_neq(Velocity::default());
            continue;
        }
        let grid = grid.ok();
        let velocity = accelerate(mover.velocity.0, mover.wanted.0, mover.agent.acceleration * dt);
        let to = stay_out(grid.as_ref(), mover.agent, mover.path, from, from + velocity * dt);
        mover.velocity.set_if_neq(Velocity((to - from) / dt));
        if to == from {
            continue;
        }
        let moved = if parent.is_some() { frame.inverse().transform_point3(to) } else { to };
        if moved.is_finite() {
            mover.transform.translation = moved;
        }
        let up = grid.map_or(Vec3::Z, |grid| grid.place.up());
        let inside = frame.inverse();
        mover.transform.rotation = mover.agent.facing.turned(
            mover.transform.rotation,
            inside.transform_vector3(to - from),
            inside.transform_vector3(up),
            mover.agent.turn_rate * dt,
        );
    }
}

/// A velocity that changes towards another by at most `most`.
fn accelerate(now: Vec3, wanted: Vec3, most: f32) -> Vec3 {
    let wanted = if wanted.is_finite() { wanted } else { Vec3::ZERO };
    let now = if now.is_finite() { now } else { Vec3::ZERO };
    if most.is_finite() { now.move_towards(wanted, most.max(0.0)) } else { wanted }
}

/// Where a step ends that keeps out of blocked cells; the height above the ground changes as it would.
fn stay_out(grid: Option<&GridRef>, agent: &Agent, path: Option<&Path>, from: Vec3, to: Vec3) -> Vec3 {
    let Some(grid) = grid else { return to };
    if from == to {
        return to;
    }
    let (start, aim) = (grid.place.to_grid(from), grid.place.to_grid(to));
    let corners = path.map_or(CornerRule::Never, Path::corners);
    let end = walls::slide(grid.nav.grid(), agent.kind, corners, start, aim);
    if end == aim { to } else { grid.place.to_world(end, grid.place.height(to)) }
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
