//! The same flock in a straightforward implementation: a `HashMap` of cells, one agent and one neighbour at a time.

use std::collections::HashMap;
use std::time::Instant;

use glam::{IVec3, Vec3};
use pathfind_core::steer::flock::{FlockParts, FlockRules, FlockSettings};
use pathfind_core::steer::{Body, MovementPlane};

use crate::Times;
use crate::crowd::Crowd;
use crate::flock::RATE;

pub(crate) struct Flock {
    bodies: Vec<Body>,
    noise: Vec<Vec3>,
    settings: FlockSettings,
    rules: FlockRules,
    plane: Option<MovementPlane>,
    tick: u64,
}

impl Flock {
    pub(crate) fn new(crowd: Crowd) -> Self {
        Self {
            noise: vec![Vec3::ZERO; crowd.bodies.len()],
            bodies: crowd.bodies,
            settings: crowd.settings,
            rules: crowd.settings.rules(1.0 / RATE),
            plane: crowd.is_flat.then_some(MovementPlane::XY),
            tick: 0,
        }
    }

    pub(crate) fn tick(&mut self) -> Times {
        let start = Instant::now();
        let mut cells: HashMap<IVec3, Vec<usize>> = HashMap::new();
        for (index, body) in self.bodies.iter().enumerate() {
            cells.entry(self.cell(body.position)).or_default().push(index);
        }
        let built = Instant::now();
        let steering: Vec<Vec3> = (0..self.bodies.len()).map(|index| self.steering(&cells, index)).collect();
        let passed = Instant::now();
        for (index, steering) in steering.into_iter().enumerate() {
            self.rules.advance(&mut self.bodies[index], steering, self.plane);
            self.noise[index] =
                self.rules.random_push(self.noise[index], 1, index as u64, self.tick, self.plane);
        }
        self.tick += 1;
        Times { build: built - start, pass: passed - built, integrate: passed.elapsed() }
    }

    fn cell(&self, place: Vec3) -> IVec3 {
        (place / self.settings.alignment_radius).floor().as_ivec3()
    }

    fn steering(&self, cells: &HashMap<IVec3, Vec<usize>>, index: usize) -> Vec3 {
        let body = self.bodies[index];
        let FlockSettings { alignment_radius, separation_radius, .. } = self.settings;
        let (mut push, mut alignment, mut pull, mut weights) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO, 0.0);
        let layers = if self.plane.is_some() { 0..=0 } else { -1..=1 };
        for z in layers {
            for y in -1..=1 {
                for x in -1..=1 {
                    let Some(neighbors) = cells.get(&(self.cell(body.position) + IVec3::new(x, y, z))) else {
                        continue;
                    };
                    for &neighbor in neighbors {
                        let offset = self.bodies[neighbor].position - body.position;
                        let distance = offset.length();
                        if neighbor == index || distance >= alignment_radius || distance == 0.0 {
                            continue;
                        }
                        if distance < separation_radius {
                            push -= offset / distance * (1.0 - distance / separation_radius);
                        }
                        let weight = 1.0 - distance / alignment_radius;
                        weights += weight;
                        alignment += (self.bodies[neighbor].velocity - body.velocity) * weight;
                        pull += offset * weight;
                    }
                }
            }
        }
        let mut parts = FlockParts {
            separation: push * self.settings.separation_force,
            noise: self.noise[index],
            ..FlockParts::default()
        };
        if weights > 0.0 {
            parts.alignment = alignment / weights * self.settings.alignment_force;
            let pull = pull / (weights * alignment_radius / 4.0);
            parts.cohesion = pull.clamp_length_max(1.0) * self.settings.cohesion_force;
        }
        self.rules.total(&parts)
    }
}
