//! Velocities by `dodgy_2d`.

use std::borrow::Cow;

use dodgy_2d::{Agent, AvoidanceOptions, Vec2};

use crate::agents::{Agents, DT, HORIZON, Pair, RADIUS, SPEED};

pub(crate) struct Theirs {
    agents: Vec<Agent>,
    /// The neighbours of each agent, found beforehand.
    near: Vec<Vec<Cow<'static, Agent>>>,
    preferred: Vec<Vec2>,
}

impl Theirs {
    pub(crate) fn new(agents: &Agents) -> Self {
        let places = agents.positions.iter().zip(&agents.velocities);
        let all: Vec<Agent> = places
            .map(|(&position, &velocity)| Agent {
                position: position.into(),
                velocity: velocity.into(),
                radius: RADIUS,
                avoidance_responsibility: 1.0,
            })
            .collect();
        let near = agents.near();
        let lay = |near: &Vec<usize>| near.iter().map(|&other| Cow::Owned(all[other].clone())).collect();
        let near = near.iter().map(lay).collect();
        Self {
            agents: all,
            near,
            preferred: agents.preferred.iter().map(|&preferred| preferred.into()).collect(),
        }
    }

    /// The mean number of neighbours.
    pub(crate) fn neighbors(&self) -> f64 {
        self.near.iter().map(Vec::len).sum::<usize>() as f64 / self.near.len() as f64
    }

    /// Computes the velocities.
    pub(crate) fn decide(&self) -> Vec<Pair> {
        let options = AvoidanceOptions {
            obstacle_margin: RADIUS,
            time_horizon: HORIZON,
            obstacle_time_horizon: HORIZON,
        };
        let asked = self.agents.iter().zip(&self.near).zip(&self.preferred);
        asked
            .map(|((agent, near), &preferred)| {
                agent.compute_avoiding_velocity(near, &[], preferred, SPEED, DT, &options).to_array()
            })
            .collect()
    }
}
