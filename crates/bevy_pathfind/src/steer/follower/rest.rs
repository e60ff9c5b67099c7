//! Agents that have arrived and were pushed away go back to where they stood.

use bevy::prelude::*;
use pathfind_core::line_of_sight;
use pathfind_core::steer::follow::braking_speed;

use crate::agent::Agent;
use crate::order::NavPath;
use crate::steer::{GoalSource, SteeringBreakdown};
use crate::world::GridRef;

/// How far an agent may be pushed and stay where it is then, in radii of its body: less than that would also be undone
/// by contact with the others round it, again and again. Not measured.
const TOLERANCE: f32 = 2.0;
/// An agent slower than this part of its top speed stands. Not measured.
const STANDS: f32 = 0.1;
/// How long an agent stands where it was pushed before it goes back, in seconds: those who make room for others wait
/// until they have passed. Not measured.
const PAUSE: f32 = 0.5;
/// How many times as long as the way takes alone an agent tries to go back. Not measured.
const PATIENCE: f32 = 4.0;

/// Where an agent stands at the end of its path.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Rest {
    /// The vector from the end of the path to where it stood when it arrived, in cells; `None` before it has arrived,
    /// and once it has gone away by itself.
    place: Option<Vec2>,
    /// For how long it has stood elsewhere, in seconds.
    away: f32,
    /// For how long it has to stand elsewhere before it goes back, in seconds: twice as long after each attempt that fails.
    pause: f32,
    /// How much longer it tries to go back, in seconds; 0 if it does not.
    patience: f32,
}

impl Rest {
    pub(super) fn at(here: Vec2, path: &NavPath) -> Self {
        Self { place: Some(here - path.found_end()), pause: PAUSE, ..Self::default() }
    }

    /// The point of grid space to which an agent goes back that stands `here`, and its speed, in cells per second; `None`
    /// if it stays. `dt` is the length of the tick in seconds; `last` says what moved it in the last tick: one that goes
    /// elsewhere for a goal of its own or with a flock has left its place for good.
    pub(super) fn update(
        &mut self,
        agent: &Agent,
        path: &NavPath,
        grid: &GridRef,
        (here, velocity): (Vec2, Vec3),
        (last, dt): (&SteeringBreakdown, f32),
    ) -> Option<(Vec2, f32)> {
        let place = self.place?;
        let is_idle = match last.source {
            GoalSource::None => last.flock == Vec3::ZERO,
            GoalSource::Hold | GoalSource::Escape | GoalSource::Path | GoalSource::Return => true,
            _ => false,
        };
        if !is_idle {
            self.place = None;
            return None;
        }
        let (to, cell) = (path.found_end() + place, grid.place.cell_size());
        let [speed, acceleration] = [agent.speed, agent.acceleration].map(|value| value / cell);
        let distance = here.distance(to);
        if self.patience > 0.0 {
            self.patience -= dt;
            if self.patience <= 0.0 {
                // Others stand in its way, or there by now.
                self.pause *= 2.0;
            } else if distance * cell <= agent.arrive_radius.max(cell * 1e-3) {
                (self.patience, self.pause) = (0.0, PAUSE);
            }
        } else {
            let is_away = distance * cell > TOLERANCE * agent.valid_radius().max(agent.arrive_radius);
            self.away =
                if is_away && velocity.length() <= STANDS * agent.speed { self.away + dt } else { 0.0 };
            if self.away > self.pause {
                self.away = 0.0;
                if line_of_sight(grid.nav.grid(), path.shape(), path.corners(), here, to) {
                    self.patience = PATIENCE * (distance / speed + speed / acceleration);
                }
            }
        }
        let goes = self.patience > 0.0;
        goes.then(|| (to, speed.min(braking_speed(distance, acceleration, dt, 0.0))))
    }
}
