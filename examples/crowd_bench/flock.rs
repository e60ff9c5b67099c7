//! A flock by `pathfind_core`.

use std::thread;
use std::time::Instant;

use glam::Vec3;
use pathfind_core::neighbors::Neighbors;
use pathfind_core::simd::Simd;
use pathfind_core::steer::Body;
use pathfind_core::steer::flock::{FlockGroup, FlockMember, FlockMoved, FlockPass, FlockRules, FlockStep};

use crate::Times;
use crate::crowd::Crowd;
use crate::options::Options;

/// Ticks in a second.
pub(crate) const RATE: f32 = 60.0;

/// Agents, in the order in which they were sorted last: neighbours lie near each other in memory.
pub(crate) struct Flock {
    bodies: Vec<Body>,
    members: Vec<FlockMember>,
    neighbors: Neighbors,
    steps: Vec<FlockStep>,
    moved: (Vec<Body>, Vec<FlockMember>),
    rules: FlockRules,
    normal: Option<Vec3>,
    threads: usize,
    simd: Simd,
    tick: u64,
}

impl Flock {
    pub(crate) fn new(crowd: Crowd, options: &Options) -> Self {
        let count = crowd.bodies.len();
        let members: Vec<_> =
            (0..count as u64).map(|id| FlockMember { id, ..FlockMember::default() }).collect();
        Self {
            moved: (crowd.bodies.clone(), members.clone()),
            members,
            neighbors: Neighbors::default(),
            steps: vec![FlockStep::default(); count],
            rules: crowd.settings.rules(1.0 / RATE),
            normal: crowd.is_flat.then_some(Vec3::Z),
            bodies: crowd.bodies,
            threads: options.threads,
            simd: options.simd(),
            tick: 0,
        }
    }

    pub(crate) fn tick(&mut self) -> Times {
        let start = Instant::now();
        self.neighbors.build(self.rules.reach(), &self.bodies, &[]);
        let built = Instant::now();
        self.pass();
        let passed = Instant::now();
        self.integrate();
        let end = Instant::now();
        Times { build: built - start, pass: passed - built, integrate: end - passed }
    }

    fn pass(&mut self) {
        let Self { neighbors, members, steps, .. } = self;
        let (rules, groups) = ([self.rules], [FlockGroup::new(&[], None, self.normal)]);
        let pass = FlockPass::new(neighbors, members, &rules, &groups);
        let pass = pass.with_normal(self.normal).with_simd(self.simd);
        let share = steps.len().div_ceil(self.threads);
        in_parts(steps.chunks_mut(share).enumerate(), |(part, steps)| {
            pass.run(part * share..part * share + steps.len(), steps);
        });
    }

    fn integrate(&mut self) {
        let Self { neighbors, members, bodies, steps, moved, .. } = self;
        let rules = [self.rules];
        let pass = FlockPass::new(neighbors, members, &rules, &[]);
        let pass = pass.with_normal(self.normal).with_simd(self.simd);
        let share = steps.len().div_ceil(self.threads);
        let parts = moved.0.chunks_mut(share).zip(moved.1.chunks_mut(share)).enumerate();
        in_parts(parts, |(part, (to, to_members))| {
            let slots = part * share..part * share + to.len();
            let to = FlockMoved { bodies: to, members: to_members };
            pass.advance(slots.clone(), bodies, &steps[slots], (1, self.tick), to);
        });
        std::mem::swap(&mut self.bodies, &mut self.moved.0);
        std::mem::swap(&mut self.members, &mut self.moved.1);
        self.tick += 1;
    }

    /// Who there is.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = (u64, &Body)> {
        self.members.iter().map(|member| member.id).zip(&self.bodies)
    }
}

/// Does the parts at once, a thread for each but the first.
pub(crate) fn in_parts<T: Send>(mut parts: impl Iterator<Item = T>, work: impl Fn(T) + Sync) {
    let Some(first) = parts.next() else { return };
    thread::scope(|scope| {
        for part in parts {
            let work = &work;
            scope.spawn(move || work(part));
        }
        work(first);
    });
}
