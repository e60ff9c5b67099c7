//! Velocities by this project.

use core_glam::Vec3;
use pathfind_core::neighbors::Neighbors;
use pathfind_core::steer::reciprocal::{AgentPreference, CrowdState, ReciprocalPass, ReciprocalSettings};
use pathfind_core::steer::{Body, MovementPlane};

use crate::agents::{Agents, DT, HORIZON, Pair, RADIUS, SPEED};

pub(crate) struct Own {
    settings: ReciprocalSettings,
    bodies: Vec<Body>,
    preferences: Vec<AgentPreference>,
    neighbors: Neighbors,
    crowd_state: CrowdState,
    velocities: Vec<Vec3>,
}

impl Own {
    pub(crate) fn new(agents: &Agents) -> Self {
        let flat = |[x, y]: Pair| Vec3::new(x, y, 0.0);
        let places = agents.positions.iter().zip(&agents.velocities);
        Self {
            settings: ReciprocalSettings {
                time_horizon: HORIZON,
                range: agents.range,
                max_neighbors: agents.neighbors as u32,
                // `dodgy_2d` has no side bias.
                side_bias: 0.0,
                ..ReciprocalSettings::default()
            },
            bodies: places.map(|(&at, &by)| Body::new(flat(at), flat(by)).with_radius(RADIUS)).collect(),
            preferences: (0..)
                .zip(&agents.preferred)
                .map(|(id, &preferred)| AgentPreference::new(id, flat(preferred), SPEED))
                .collect(),
            neighbors: Neighbors::default(),
            crowd_state: CrowdState::default(),
            velocities: vec![Vec3::ZERO; agents.positions.len()],
        }
    }

    /// Builds the neighbour search.
    pub(crate) fn build(&mut self) {
        self.neighbors.build(self.settings.range, &self.bodies, &[]);
        self.crowd_state.gather(MovementPlane::XY, &self.neighbors, &self.bodies, &self.preferences);
    }

    /// Computes the velocities.
    pub(crate) fn decide(&mut self) {
        let Self { settings, neighbors, crowd_state, .. } = self;
        let pass = ReciprocalPass { settings: *settings, neighbors, crowd_state, walls: &(), dt: DT };
        let run = pass.run(0..self.velocities.len(), &mut self.velocities);
        run.expect("there is a place for each velocity");
    }

    /// The computed velocities, by agent.
    pub(crate) fn decided(&self) -> Vec<Pair> {
        let mut decided = vec![[0.0; 2]; self.bodies.len()];
        for (&index, velocity) in self.neighbors.order().iter().zip(&self.velocities) {
            decided[index as usize] = [velocity.x, velocity.y];
        }
        decided
    }
}
