//! The benchmark of bodies that avoid each other (ORCA), or only separate, by `pathfind_core`.

use std::collections::HashMap;
use std::time::Instant;

use glam::{IVec3, Vec3};
use pathfind_core::neighbors::Neighbors;
use pathfind_core::steer::reciprocal::{
    AgentPreference, CrowdState, ReciprocalPass, ReciprocalSettings, Wall,
};
use pathfind_core::steer::separate::Separation;
use pathfind_core::steer::{Body, MovementPlane};

use crate::Times;
use crate::crowd::Crowd;
use crate::flock::{RATE, run_parallel};
use crate::options::{Behaviour, Options};

const DT: f32 = 1.0 / RATE;

/// The benchmark has no walls.
const WALLS: [Wall; 0] = [];

/// The bodies, in the order of the last sort.
pub(crate) struct Avoidance {
    rule: Rule,
    bodies: Vec<Body>,
    ids: Vec<u64>,
    preferences: Vec<AgentPreference>,
    neighbors: Neighbors,
    crowd_state: CrowdState,
    /// By slot: preferred velocities, or displacements.
    steering: Vec<Vec3>,
    plane: Option<MovementPlane>,
    radius: f32,
    threads: usize,
}

enum Rule {
    Reciprocal(ReciprocalSettings),
    Separate(Separation),
}

impl Avoidance {
    pub(crate) fn new(crowd: Crowd, options: &Options) -> Self {
        let radius = crowd.settings.alignment_radius;
        let rule = if matches!(options.behaviour, Behaviour::Orca) {
            let max_neighbors = options.neighbours as u32;
            Rule::Reciprocal(ReciprocalSettings { range: radius, max_neighbors, ..Default::default() })
        } else {
            Rule::Separate(Separation { radius, ..Default::default() })
        };
        let bodies: Vec<Body> = crowd.bodies.iter().map(|body| body.with_radius(0.5)).collect();
        let preference = |(id, body): (u64, &Body)| AgentPreference::new(id, body.velocity, 12.0);
        Self {
            rule,
            ids: (0..bodies.len() as u64).collect(),
            preferences: (0..).zip(&bodies).map(preference).collect(),
            neighbors: Neighbors::default(),
            crowd_state: CrowdState::default(),
            steering: vec![Vec3::ZERO; bodies.len()],
            plane: crowd.is_flat.then_some(MovementPlane::XY),
            radius,
            threads: options.threads,
            bodies,
        }
    }

    pub(crate) fn tick(&mut self) -> Times {
        let start = Instant::now();
        self.neighbors.build(self.radius, &self.bodies, &[]);
        if let (Rule::Reciprocal(_), Some(plane)) = (&self.rule, self.plane) {
            self.crowd_state.gather(plane, &self.neighbors, &self.bodies, &self.preferences);
        }
        let built = Instant::now();
        self.pass();
        let passed = Instant::now();
        let order = self.neighbors.order().iter().map(|&index| index as usize);
        self.ids = order.clone().map(|index| self.ids[index]).collect();
        self.preferences = order.clone().map(|index| self.preferences[index]).collect();
        self.bodies = order
            .zip(&self.steering)
            .map(|(index, &steering)| self.rule.moved(self.bodies[index], steering))
            .collect();
        Times { build: built - start, pass: passed - built, integrate: passed.elapsed() }
    }

    fn pass(&mut self) {
        let Self { neighbors, crowd_state, bodies, ids, steering, .. } = self;
        let share = steering.len().div_ceil(self.threads);
        run_parallel(steering.chunks_mut(share).enumerate(), |(part, steering)| {
            let slots = part * share..part * share + steering.len();
            match self.rule {
                Rule::Reciprocal(settings) => {
                    ReciprocalPass { settings, neighbors, crowd_state, walls: &WALLS, dt: DT }
                        .run(slots, steering)
                        .unwrap();
                }
                Rule::Separate(separation) => {
                    separation.run(self.plane.as_ref(), neighbors, (ids, bodies), slots, steering).unwrap();
                }
            }
        });
    }

    /// A tick in a straightforward implementation: a `HashMap` of cells, one body at a time.
    pub(crate) fn baseline_tick(&mut self) -> Times {
        let start = Instant::now();
        let cell = |place: Vec3| (place / self.radius).floor().as_ivec3();
        let mut cells: HashMap<IVec3, Vec<usize>> = HashMap::new();
        for (index, body) in self.bodies.iter().enumerate() {
            cells.entry(cell(body.position)).or_default().push(index);
        }
        let built = Instant::now();
        let layers = if self.plane.is_some() { 0..=0 } else { -1..=1 };
        let mut steering = Vec::new();
        for (own, body) in self.bodies.iter().enumerate() {
            let center = cell(body.position);
            let around = layers
                .clone()
                .flat_map(|z| (-1..=1).flat_map(move |y| (-1..=1).map(move |x| IVec3::new(x, y, z))));
            let near = around.filter_map(|step| cells.get(&(center + step))).flatten().copied();
            let others = near.filter(|&other| {
                other != own
                    && body.position.distance_squared(self.bodies[other].position) < self.radius.powi(2)
            });
            steering.push(match &self.rule {
                Rule::Reciprocal(settings) => settings.adjusted(
                    &self.plane.unwrap_or_default(),
                    (body, &self.preferences[own]),
                    others.map(|other| (&self.bodies[other], &self.preferences[other])),
                    &WALLS,
                    DT,
                ),
                Rule::Separate(separation) => separation.push(
                    self.plane.as_ref(),
                    (self.ids[own], body),
                    others.map(|other| (self.ids[other], &self.bodies[other])),
                ),
            });
        }
        let passed = Instant::now();
        for (body, steering) in self.bodies.iter_mut().zip(steering) {
            *body = self.rule.moved(*body, steering);
        }
        Times { build: built - start, pass: passed - built, integrate: passed.elapsed() }
    }

    /// All bodies, with their ids.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = (u64, &Body)> {
        self.ids.iter().copied().zip(&self.bodies)
    }
}

impl Rule {
    fn moved(&self, mut body: Body, steering: Vec3) -> Body {
        body.velocity = match self {
            Self::Reciprocal(_) => steering,
            Self::Separate(_) => (body.velocity + steering * DT).clamp_length_max(12.0),
        };
        body.position += body.velocity * DT;
        body
    }
}
