//! The benchmark of a flock by `pathfind_core`.

use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pathfind_core::neighbors::Neighbors;
use pathfind_core::steer::flock::{FlockGroup, FlockMember, FlockMoved, FlockPass, FlockRules, FlockStep};
use pathfind_core::steer::{Body, MovementPlane};

use crate::Times;
use crate::crowd::Crowd;
use crate::options::Options;

/// Ticks per second.
pub(crate) const RATE: f32 = 60.0;

/// Agents per chunk: a chunk is steered and then moved, so that its steps stay in the cache in between.
const CHUNK: usize = 1024;

/// The agents, in the order of the last sort: neighbours are close in memory.
pub(crate) struct Flock {
    bodies: Vec<Body>,
    members: Vec<FlockMember>,
    neighbors: Neighbors,
    moved: (Vec<Body>, Vec<FlockMember>),
    rules: FlockRules,
    plane: Option<MovementPlane>,
    threads: usize,
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
            rules: crowd.settings.rules(1.0 / RATE),
            plane: crowd.is_flat.then_some(MovementPlane::XY),
            bodies: crowd.bodies,
            threads: options.threads,
            tick: 0,
        }
    }

    pub(crate) fn tick(&mut self) -> Times {
        let start = Instant::now();
        self.neighbors.build(self.rules.reach(), &self.bodies, &[]);
        let built = Instant::now();
        let [pass, integrate] = self.steer_and_move();
        let (elapsed, both) = (built.elapsed(), pass + integrate);
        self.tick += 1;
        // Divide the wall time of both parts in the ratio of their thread times.
        let pass = elapsed.mul_f64(pass.as_secs_f64() / both.as_secs_f64().max(f64::MIN_POSITIVE));
        Times { build: built - start, pass, integrate: elapsed.saturating_sub(pass) }
    }

    /// Steers and moves all agents; returns the time of each part, summed over threads.
    fn steer_and_move(&mut self) -> [Duration; 2] {
        let Self { neighbors, members, bodies, moved, tick, .. } = self;
        let (rules, groups) = ([self.rules], [FlockGroup::new(&[], None, self.plane)]);
        let pass = FlockPass::new(neighbors, members, &rules, &groups);
        let pass = pass.with_plane(self.plane);
        let times = Mutex::new([Duration::ZERO; 2]);
        let share = bodies.len().div_ceil(self.threads).max(1);
        let parts = moved.0.chunks_mut(share).zip(moved.1.chunks_mut(share)).enumerate();
        run_parallel(parts, |(part, (to, to_members))| {
            let mut steps = [FlockStep::default(); CHUNK];
            let mut took = [Duration::ZERO; 2];
            let places = to.chunks_mut(CHUNK).zip(to_members.chunks_mut(CHUNK));
            for (few, (to, to_members)) in places.enumerate() {
                let start = part * share + few * CHUNK;
                let (slots, steps) = (start..start + to.len(), &mut steps[..to.len()]);
                let begun = Instant::now();
                pass.run(slots.clone(), steps).unwrap();
                let passed = Instant::now();
                pass.advance(
                    slots,
                    bodies,
                    steps,
                    (1, *tick),
                    FlockMoved { bodies: to, members: to_members },
                )
                .unwrap();
                took = [took[0] + (passed - begun), took[1] + passed.elapsed()];
            }
            let mut times = times.lock().unwrap_or_else(PoisonError::into_inner);
            *times = [times[0] + took[0], times[1] + took[1]];
        });
        std::mem::swap(&mut self.bodies, &mut self.moved.0);
        std::mem::swap(&mut self.members, &mut self.moved.1);
        times.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// All bodies, with their ids.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = (u64, &Body)> {
        self.members.iter().map(|member| member.id).zip(&self.bodies)
    }
}

/// Runs `work` on all parts in parallel, with one thread for each part but the first.
pub(crate) fn run_parallel<T: Send>(mut parts: impl Iterator<Item = T>, work: impl Fn(T) + Sync) {
    let Some(first) = parts.next() else { return };
    thread::scope(|scope| {
        for part in parts {
            let work = &work;
            scope.spawn(move || work(part));
        }
        work(first);
    });
}
