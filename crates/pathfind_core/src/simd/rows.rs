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
