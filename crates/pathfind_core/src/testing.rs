//! What the tests of several files need: seeded numbers, maps and bodies.

use std::cell::Cell;

use glam::Vec3;

use crate::steer::{Body, CounterRng};
use crate::{Grid, Terrain};

impl CounterRng {
    /// A whole number from 0 up to, but without, `end`.
    pub(crate) fn below(&mut self, end: u32) -> u32 {
        (self.bits() % u64::from(end)) as u32
    }

    /// A place in the box from -1 to 1.
    pub(crate) fn place(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }
}

/// Numbers at which computing with squares ends, and others that are seldom thought of.
const EXTREMES: [f32; 18] = [
    -0.0,
    1e-45,
    -1e-45,
    f32::MIN_POSITIVE,
    1e-30,
    1e9,
    -1e9,
    1e17,
    -1e18,
    1.1e18,
    1e19,
    -1e19,
    1e30,
    f32::MAX,
    f32::MIN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];

impl CounterRng {
    /// A number of ordinary size or, one time in eight, any other.
    pub(crate) fn any_number(&mut self) -> f32 {
        match self.below(16) {
            0 => EXTREMES[self.below(EXTREMES.len() as u32) as usize],
            1 => f32::from_bits(self.bits() as u32),
            _ => self.signed() * 4.0,
        }
    }

    /// A vector of such numbers.
    pub(crate) fn any_vector(&mut self) -> Vec3 {
        Vec3::new(self.any_number(), self.any_number(), self.any_number())
    }

    /// Bodies of such numbers, some of them in one place.
    pub(crate) fn any_bodies(&mut self, count: usize) -> Vec<Body> {
        let mut bodies: Vec<Body> = Vec::new();
        for _ in 0..count {
            let mut body = Body::new(self.any_vector(), self.any_vector()).with_radius(self.any_number());
            if let Some(last) = bodies.last()
                && self.below(4) == 0
            {
                body.position = last.position;
            }
            bodies.push(body);
        }
        bodies
    }
}

/// The bits of vectors: NaN is the same as NaN, and 0 is not the same as -0.
pub(crate) fn bits(vectors: impl IntoIterator<Item = Vec3>) -> Vec<[u32; 3]> {
    vectors.into_iter().map(|vector| vector.to_array().map(f32::to_bits)).collect()
}

/// A map with such a part of its cells walls, each where it falls.
pub(crate) fn scattered(rng: &mut CounterRng, width: u32, height: u32, walls: f32) -> Grid {
    Grid::from_fn(width, height, |_| if rng.unit() < walls { Terrain::WALL } else { Terrain::GROUND })
        .expect("the size is valid")
}

/// Bodies that stand anywhere in a box with such half sides.
pub(crate) fn standing(rng: &mut CounterRng, count: usize, half: Vec3) -> Vec<Body> {
    (0..count).map(|_| Body::new(rng.place() * half, Vec3::ZERO)).collect()
}

std::thread_local! {
    static WORK: Cell<u64> = const { Cell::new(0) };
}

/// Counts some work of this thread, for tests of how the work grows: such a test does not depend on the speed of the
/// computer.
pub(crate) fn count(work: usize) {
    WORK.with(|all| all.set(all.get() + work as u64));
}

/// The work that is counted while `run` runs.
pub(crate) fn work_of(run: impl FnOnce()) -> u64 {
    let before = WORK.with(Cell::get);
    run();
    WORK.with(Cell::get) - before
}
