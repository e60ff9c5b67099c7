//! Agents that have arrived and were pushed away go back to where they stood.

use bevy::prelude::*;
use pathfind_core::steer::follow::braking_speed;

use super::arrival_distance;
use crate::agent::Agent;
use crate::order::NavPath;
use crate::steer::{GoalSource, GoalVelocity, SteeringBreakdown};
use crate::world::GridRef;

/// How far an agent may be pushed and stay where it is then, in radii of its body: less than that would also be undone
/// by contact with the others round it, again and again. Not measured.
const TOLERANCE: f32 = 2.0;
/// An agent slower than this part of its top speed stands. Not measured.
const STANDS: f32 = 0.1;
/// How long an agent stands where it was pushed before it goes back, in seconds: an agent that makes way for others
/// waits until they have passed. Not measured.
const PAUSE: f32 = 0.5;
/// How many times as long as the way takes alone an agent tries to go back. Not measured.
const PATIENCE: f32 = 4.0;

/// Where an agent stands at the end of its path.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Rest {
    /// The vector from the end of the path to where the agent stood when it arrived, in cells; `None` before it has
    /// arrived, and once it has gone away by itself. The end of the path moves with the cells of its grid.
    from_end: Option<Vec2>,
    /// For how long it has stood elsewhere, in seconds.
    away: f32,
    /// For how long it has to stand elsewhere before it goes back, in seconds: twice as long after each attempt that fails.
    pause: f32,
    /// How much longer it tries to go back, in seconds; 0 if it does not.
    patience: f32,
}

impl Rest {
    /// The rest of an agent that has arrived `here`, at a point of grid space.
    pub(super) fn new(here: Vec2, path: &NavPath) -> Self {
        Self { from_end: Some(here - path.found_end()), pause: PAUSE, ..Self::default() }
    }

    /// The goal velocity of an agent that was pushed away and goes back; `None` if it stays.
    ///
    /// `at` and `velocity` are those of the agent in the world, and `dt` is the length of the tick in seconds. `last` says
    /// what moved the agent in the last tick: one that goes elsewhere for a goal of its own or with a flock has left for
    /// good.
    pub(super) fn goal_velocity(
        &mut self,
        (agent, path): (&Agent, &NavPath),
        grid: &GridRef,
        (at, velocity): (Vec3, Vec3),
        (last, dt): (&SteeringBreakdown, f32),
    ) -> Option<GoalVelocity> {
        let point = path.found_end() + self.from_end?;
        let is_idle = match last.source {
            GoalSource::None => last.flock == Vec3::ZERO,
            GoalSource::Hold | GoalSource::Escape | GoalSource::Path | GoalSource::Return => true,
            _ => false,
        };
        if !is_idle {
            self.from_end = None;
            return None;
        }
        let end = grid.place.to_world(point, grid.place.height(at));
        let way = grid.place.flatten(end - at);
        let distance = way.length();
        if self.patience > 0.0 {
            self.patience -= dt;
            if self.patience <= 0.0 {
                // Others stand in the way, or on the point by now.
                self.pause *= 2.0;
            } else if distance <= arrival_distance(agent, grid) {
                (self.patience, self.pause) = (0.0, PAUSE);
            }
        } else {
            let is_away = distance > TOLERANCE * agent.valid_radius().max(agent.arrive_radius);
            let stands = velocity.length() <= STANDS * agent.speed;
            self.away = if is_away && stands { self.away + dt } else { 0.0 };
            if self.away > self.pause {
                self.away = 0.0;
                let here = grid.place.to_grid(at);
                let sees = path.sees(grid, here, point);
                let alone = distance / agent.speed + agent.speed / agent.acceleration;
                // Without speed the time is infinite.
                self.patience = if sees && alone.is_finite() { PATIENCE * alone } else { 0.0 };
            }
        }
        let goes = self.patience > 0.0;
        goes.then(|| {
            let speed = agent.speed.min(braking_speed(distance, agent.acceleration, dt, 0.0));
            GoalVelocity::new(way.normalize_or_zero() * speed).with_end(end)
        })
    }
}
