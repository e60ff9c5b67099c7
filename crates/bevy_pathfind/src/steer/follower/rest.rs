//! Agents that have arrived and were pushed away go back to where they stood.

use bevy::prelude::*;
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

/// Where an agent stands at the end of its path.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Rest {
    /// The vector from the end of the path to where it stood when it arrived, in cells; `None` before it has arrived,
    /// and once it has gone away by itself.
    place: Option<Vec2>,
    /// For how long it has stood elsewhere, in seconds.
    away: f32,
    returns: bool,
}

/// What an agent that has arrived does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Resting {
    Stays,
    /// It goes to a point of grid space, no faster than this, in cells per second.
    Returns {
        to: Vec2,
        speed: f32,
    },
}

impl Rest {
    pub(super) fn at(here: Vec2, path: &NavPath) -> Self {
        Self { place: Some(here - path.found_end()), ..Self::default() }
    }

    /// What an agent does that stands `here`, in a tick of `dt` seconds. `last` says what moved it in the last tick: one
    /// that goes elsewhere for a goal of its own or with a flock has left its place for good.
    pub(super) fn update(
        &mut self,
        agent: &Agent,
        path: &NavPath,
        grid: &GridRef,
        (here, velocity): (Vec2, Vec3),
        (last, dt): (&SteeringBreakdown, f32),
    ) -> Resting {
        let Some(place) = self.place else { return Resting::Stays };
        let is_idle = match last.source {
            GoalSource::None => last.flock == Vec3::ZERO,
            GoalSource::Hold | GoalSource::Escape | GoalSource::Path | GoalSource::Return => true,
            _ => false,
        };
        if !is_idle {
            self.place = None;
            return Resting::Stays;
        }
        let (to, cell) = (path.found_end() + place, grid.place.cell_size());
        let distance = here.distance(to);
        if !self.returns {
            let is_away = distance * cell > TOLERANCE * agent.valid_radius().max(agent.arrive_radius);
            let stands = velocity.length() <= STANDS * agent.speed;
            self.away = if is_away && stands { self.away + dt } else { 0.0 };
            self.returns = self.away > PAUSE;
        } else if distance * cell <= agent.arrive_radius.max(cell * 1e-3) {
            (self.returns, self.away) = (false, 0.0);
        }
        if !self.returns {
            return Resting::Stays;
        }
        let [speed, acceleration] = [agent.speed, agent.acceleration].map(|value| value / cell);
        Resting::Returns { to, speed: speed.min(braking_speed(distance, acceleration, dt, 0.0)) }
    }
}
