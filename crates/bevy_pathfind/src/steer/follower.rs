//! Walks agents along their paths.

use bevy::ecs::query::QueryData;
use bevy::prelude::*;
use pathfind_core::line_of_sight;
use pathfind_core::steer::follow::{braking_speed, turning_speed};

use super::Wish;
use crate::motion::Agent;
use crate::request::{Ticket, TicketCounter};
use crate::solve::{Path, PathArrived, PathStatus};
use crate::world::{GridRef, Grids, Positions};

/// How far from a turn an agent may start to take it, and by how much it may leave its line, in cells.
const LEEWAY: f32 = 0.25;
/// How many turns ahead an agent minds.
const LOOK_AHEAD: usize = 8;
/// After how long without coming nearer an agent that cannot see its next waypoint asks for a new path,
/// in seconds.
const PATIENCE: f32 = 0.5;

/// An agent on a path.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct Walker {
    entity: Entity,
    agent: &'static Agent,
    path: &'static mut Path,
    ticket: &'static mut Ticket,
    status: &'static mut PathStatus,
    wish: &'static mut Wish,
    progress: &'static mut Progress,
}

/// How near an agent has come to its next waypoint, and when it last came nearer.
#[derive(Component, Debug, Default)]
pub(crate) struct Progress {
    next: usize,
    nearest: f32,
    stalled: f32,
}

/// States the wishes of agents with a path, and notices who has arrived and who is stuck.
pub(super) fn follow(
    mut walkers: Query<Walker>,
    grids: Grids,
    positions: Positions,
    time: Res<Time>,
    mut counter: ResMut<TicketCounter>,
    mut commands: Commands,
) {
    let dt = time.delta_secs();
    let (mut arrived, mut stuck) = (Vec::new(), Vec::new());
    for mut walker in &mut walkers {
        if walker.path.is_finished() || dt <= 0.0 {
            continue;
        }
        let Some(grid) = grids.get(walker.path.grid()) else { continue };
        let Some(at) = positions.of(walker.entity).filter(|at| at.is_finite()) else { continue };
        take_turns(&mut walker, &grid, at);
        if has_arrived(&walker, &grid, at) {
            walker.path.advance();
            *walker.status = PathStatus::Arrived;
            arrived.push(PathArrived { entity: walker.entity, outcome: walker.path.outcome() });
            continue;
        }
        walker.wish.bypass_change_detection().follow = Some(velocity(&walker, &grid, at, dt));
        if is_stuck(&mut walker, &grid, at, dt) {
            stuck.push(walker.entity);
        }
    }
    arrived.sort_by_key(|arrived| arrived.entity.index_u32());
    for event in arrived {
        commands.trigger(event);
    }
    stuck.sort_by_key(|entity| entity.index_u32());
    for entity in stuck {
        if let Ok(mut walker) = walkers.get_mut(entity) {
            let grid = walker.path.grid();
            walker.ticket.open(&mut counter, grid, true);
            *walker.status = PathStatus::Waiting;
        }
    }
}

/// Goes on to the next waypoint where the turn is near enough and the leg behind it is in sight.
fn take_turns(walker: &mut WalkerItem, grid: &GridRef, at: Vec3) {
    let here = grid.place.to_grid(at);
    while let [turn, beyond, ..] = *walker.path.remaining_points() {
        let distance = here.distance(turn);
        let sees = || line_of_sight(grid.nav.grid(), walker.path.kind(), walker.path.corners(), here, beyond);
        if distance > LEEWAY || (distance > 1e-3 && !sees()) {
            break;
        }
        walker.path.bypass_change_detection().advance();
    }
}

/// Whether the end of the path is near enough. While a new path is being made, no end is the end.
fn has_arrived(walker: &WalkerItem, grid: &GridRef, at: Vec3) -> bool {
    let [last] = *walker.path.remaining() else { return false };
    let near = walker.agent.arrive_radius.max(grid.place.cell_size() * 1e-3);
    walker.ticket.is_settled() && grid.place.flatten(last - at).length() <= near
}

/// Towards the next waypoint, as fast as the turns and the end ahead allow.
fn velocity(walker: &WalkerItem, grid: &GridRef, at: Vec3, dt: f32) -> Vec3 {
    let ahead = walker.path.remaining();
    let agent = walker.agent;
    let leeway = grid.place.cell_size() * LEEWAY;
    let mut leg = grid.place.flatten(ahead[0] - at);
    let way = leg.normalize_or_zero();
    let (mut distance, mut speed) = (0.0, agent.speed);
    for i in 0..ahead.len().min(LOOK_AHEAD) {
        distance += leg.length();
        let pass = match ahead.get(i + 1) {
            Some(&beyond) => {
                let next = grid.place.flatten(beyond - ahead[i]);
                let cosine = leg.normalize_or_zero().dot(next.normalize_or_zero());
                leg = next;
                turning_speed(cosine, agent.acceleration, dt, leeway)
            }
            None => 0.0,
        };
        if pass < speed {
            speed = speed.min(braking_speed(distance, agent.acceleration, dt, pass));
        }
    }
    way * speed
}

/// Whether the agent has not come nearer for a while, and cannot see where it should go.
fn is_stuck(walker: &mut WalkerItem, grid: &GridRef, at: Vec3, dt: f32) -> bool {
    let here = grid.place.to_grid(at);
    let Some(&next) = walker.path.remaining_points().first() else { return false };
    let distance = here.distance(next);
    let left = walker.path.remaining_points().len();
    let progress = walker.progress.bypass_change_detection();
    if progress.next != left || distance < progress.nearest - 0.01 {
        *progress = Progress { next: left, nearest: distance, stalled: 0.0 };
        return false;
    }
    progress.stalled += dt;
    if progress.stalled < PATIENCE || !walker.ticket.is_settled() {
        return false;
    }
    progress.stalled = 0.0;
    !line_of_sight(grid.nav.grid(), walker.path.kind(), walker.path.corners(), here, next)
}
