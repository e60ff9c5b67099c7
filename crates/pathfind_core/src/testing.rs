//! What the tests of several files need: seeded numbers, maps and bodies.

use glam::Vec3;

use crate::steer::{Body, Chance};
use crate::{Grid, Terrain};

impl Chance {
    /// A whole number from 0 up to, but without, `end`.
    pub(crate) fn below(&mut self, end: u32) -> u32 {
        (self.bits() % u64::from(end)) as u32
    }

    /// A place in the box from -1 to 1.
    pub(crate) fn place(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }
}

/// A map with such a part of its cells walls, each where it falls.
pub(crate) fn scattered(chance: &mut Chance, width: u32, height: u32, walls: f32) -> Grid {
    Grid::from_fn(width, height, |_| if chance.unit() < walls { Terrain::WALL } else { Terrain::GROUND })
        .expect("the size is valid")
}

/// Bodies that stand anywhere in a box with such half sides.
pub(crate) fn standing(chance: &mut Chance, count: usize, half: Vec3) -> Vec<Body> {
    (0..count).map(|_| Body::new(chance.place() * half, Vec3::ZERO)).collect()
}
