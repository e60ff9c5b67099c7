//! A simulated world of bodies with goals.

use glam::Vec3;
use pathfind_core::neighbors::Neighbors;
use pathfind_core::steer::contact::bodies::{BodyContact, ContactBody, ContactSolver};
use pathfind_core::steer::contact::slowed;
use pathfind_core::steer::reciprocal::{
    AgentPreference, CrowdState, ReciprocalPass, ReciprocalSettings, Wall,
};
use pathfind_core::steer::{Body, MovementPlane};

pub(crate) const RADIUS: f32 = 0.5;
pub(crate) const SPEED: f32 = 2.0;
pub(crate) const DT: f32 = 1.0 / 30.0;

/// Bodies that visit their stations one after the other.
#[derive(Default)]
pub(crate) struct World {
    pub(crate) plane: MovementPlane,
    pub(crate) bodies: Vec<Body>,
    /// The ids of the bodies.
    pub(crate) ids: Vec<u64>,
    /// The remaining stations of each body, last first.
    pub(crate) stations: Vec<Vec<Vec3>>,
    pub(crate) walls: Vec<Wall>,
    /// The deepest overlap of two bodies so far, as a length.
    pub(crate) deepest: f32,
    /// The deepest overlap of a body with a wall so far.
    pub(crate) in_wall: f32,
    /// Whether bodies are pushed out of each other after each tick.
    pub(crate) is_hard: bool,
    /// The largest change of velocity, in units of length per second²; `None` if velocities change at once.
    pub(crate) acceleration: Option<f32>,
    pub(crate) neighbors: Neighbors,
    pub(crate) crowd_state: CrowdState,
    pub(crate) solver: ContactSolver,
}

impl World {
    /// Adds a body with its stations.
    pub(crate) fn add(&mut self, at: Vec3, stations: &[Vec3]) {
        self.ids.push(self.ids.len() as u64);
        self.bodies.push(Body::new(at, Vec3::ZERO).with_radius(RADIUS));
        self.stations.push(stations.iter().rev().copied().collect());
    }

    /// Runs until all bodies are within a distance of their last station, for at most some seconds; returns the
    /// number of ticks.
    pub(crate) fn run(&mut self, seconds: f32, near: f32) -> Option<usize> {
        let ticks = (seconds / DT) as usize;
        (0..ticks).find(|_| {
            self.tick();
            self.bodies
                .iter()
                .zip(&self.stations)
                .all(|(body, stations)| stations.len() == 1 && body.position.distance(stations[0]) < near)
        })
    }

    pub(crate) fn tick(&mut self) {
        let preferences: Vec<AgentPreference> =
            (0..self.bodies.len()).map(|index| self.preference(index)).collect();
        self.neighbors.build(5.0, &self.bodies, &[]);
        self.crowd_state.gather(self.plane, &self.neighbors, &self.bodies, &preferences);
        let pass = ReciprocalPass {
            settings: ReciprocalSettings::default(),
            neighbors: &self.neighbors,
            crowd_state: &self.crowd_state,
            walls: &self.walls,
            dt: DT,
        };
        let mut velocities = vec![Vec3::ZERO; self.neighbors.len()];
        pass.run(0..velocities.len(), &mut velocities).unwrap();
        for (&index, velocity) in self.neighbors.order().iter().zip(velocities) {
            let body = &mut self.bodies[index as usize];
            assert!(velocity.is_finite() && velocity.length() <= SPEED * 1.0001, "too fast: {velocity}");
            let most = self.acceleration.map_or(f32::INFINITY, |acceleration| acceleration * DT);
            body.velocity = body.velocity.move_towards(velocity, most);
            body.position += body.velocity * DT;
        }
        if self.is_hard {
            let contact_bodies: Vec<ContactBody> =
                self.ids.iter().map(|&id| ContactBody { id, yields: 1.0 }).collect();
            let contact = BodyContact { sweeps: 32, ..BodyContact::default() };
            let before: Vec<Vec3> = self.bodies.iter().map(|body| body.position).collect();
            self.solver.solve(&contact, Some(self.plane), &mut self.bodies, &contact_bodies).unwrap();
            for (body, before) in self.bodies.iter_mut().zip(before) {
                body.velocity = slowed(body.velocity, body.position - before, DT);
            }
        }
        self.measure();
    }

    fn preference(&mut self, index: usize) -> AgentPreference {
        let (body, stations) = (&self.bodies[index], &mut self.stations[index]);
        while stations.len() > 1 && body.position.distance(stations[stations.len() - 1]) < 1.0 {
            stations.pop();
        }
        let goal = stations[stations.len() - 1];
        let (gap, is_last) = (goal - body.position, stations.len() == 1);
        let remaining = if is_last { gap.length() } else { f32::INFINITY };
        AgentPreference::new(self.ids[index], (gap / 0.5).clamp_length_max(SPEED), SPEED).remaining(remaining)
    }

    fn measure(&mut self) {
        for (index, one) in self.bodies.iter().enumerate() {
            for other in &self.bodies[index + 1..] {
                let overlap = one.radius + other.radius - one.position.distance(other.position);
                self.deepest = self.deepest.max(overlap);
            }
            for wall in &self.walls {
                let along = wall.to - wall.from;
                let part = ((one.position - wall.from).dot(along) / along.length_squared()).clamp(0.0, 1.0);
                let distance = one.position.distance(wall.from + along * part);
                self.in_wall = self.in_wall.max(one.radius - distance);
            }
        }
    }
}
