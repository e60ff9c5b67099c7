//! Bodies read as rows of eight numbers, without copying.

use std::slice;

use super::{LANES, SimdF32x8};
use crate::body::Body;

/// The number of `f32` fields of a body.
const FIELDS: usize = size_of::<Body>() / size_of::<f32>();

const _: () =
    assert!(FIELDS == LANES - 1 && align_of::<Body>() == align_of::<f32>(), "a body is seven numbers");

/// Bodies as rows of eight lanes: position, velocity, radius. The last lane is padding, of any value, and ignored.
#[derive(Copy, Clone)]
pub(crate) struct BodyRows<'a> {
    bodies: &'a [Body],
    numbers: &'a [f32],
}

impl<'a> BodyRows<'a> {
    pub(crate) fn new(bodies: &'a [Body]) -> Self {
        // SAFETY: a body consists of seven consecutive `f32` (`repr(C)`), and bodies follow each other without padding.
        let numbers = unsafe { slice::from_raw_parts(bodies.as_ptr().cast(), bodies.len() * FIELDS) };
        Self { bodies, numbers }
    }

    /// The row of a body.
    #[inline(always)]
    pub(crate) fn row<L: SimdF32x8>(self, index: usize) -> L {
        match self.numbers.get(index * FIELDS..index * FIELDS + LANES) {
            Some(row) => L::read(row, 0),
            // Behind the last body there is no eighth number to read.
            None => L::load(&self.bodies[index].row()),
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::simd::{Pass, Simd};

    struct Read<'a>(&'a [Body]);

    impl Pass for Read<'_> {
        type Output = Vec<[f32; LANES]>;

        #[inline(always)]
        fn run<L: SimdF32x8>(self) -> Self::Output {
            let rows = BodyRows::new(self.0);
            (0..self.0.len()).map(|index| rows.row::<L>(index).to_array()).collect()
        }
    }

    #[test]
    fn each_row_holds_the_numbers_of_its_body_the_last_as_well() {
        let body =
            |at: f32| Body::new(Vec3::new(at, at + 1.0, at + 2.0), Vec3::splat(-at)).with_radius(at / 2.0);
        let bodies = [10.0, 20.0, 30.0].map(body);
        for simd in Simd::ALL {
            let rows = simd.run(Read(&bodies));
            for (row, body) in rows.iter().zip(&bodies) {
                assert_eq!(row[..FIELDS], body.row()[..FIELDS], "{simd:?}");
            }
            assert_eq!(simd.run(Read(&[])), [[0.0; LANES]; 0], "{simd:?}: no body, no row");
        }
    }
}
