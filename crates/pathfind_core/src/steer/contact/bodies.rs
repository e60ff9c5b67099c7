//! Contact between bodies: overlapping pairs are pushed apart.
//!
//! After the next position of every body is known, overlapping pairs are pushed apart along the line between their
//! centres, in sweeps. Each sweep reads the positions that the last one wrote, so it can be divided among threads
//! and does not depend on the order of bodies (Jacobi's scheme; M. Müller et al., "Position based dynamics",
//! 2007). Sums are kept in integers, so rounding does not depend on the order either. Where there is no room, as
//! in a crowd pressed against a wall, overlaps remain: they are shared out evenly and reported.
//!
//! The work of a sweep grows with the number of bodies, not with its square, however many are at one position: in a
//! dense crowd a body with more than 48 others near it is pushed by a sample of at most 48 or, until 12 or more of the
//! sample overlap it, by samples twice as large. The sample depends on positions and ids only. A heap of bodies spreads
//! from its edge inwards: 1,000 at one position take some 260 ticks of 8 sweeps to come apart, 8,000 some 2,000.
//!
//! A few bodies far away, or a few that are much wider than the others, do not make the cells of the others larger:
//! where cells are full, bodies whose radii differ by a factor of 4 or more get cells of their own size.
//!
//! Walls are not considered: keep the positions out of walls afterwards.

use std::ops::Range;

use glam::Vec3;

use crate::neighbors::Neighbors;
use crate::simd::Simd;
use crate::steer::LengthError;
use crate::steer::apart::apart;
use crate::steer::sum::Sum;
use crate::steer::{Body, MovementPlane};

mod crowded;
mod solver;

use crowded::{MARGIN, SweepBatch};
pub use solver::ContactSolver;

/// Settings of contact between bodies.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct BodyContact {
    /// The most sweeps in a tick. Range: 0 and up. Default: `8`.
    pub sweeps: u32,
    /// The overlap that may remain, as a part of the sum of the pair's radii; a pair that overlaps by no more than
    /// half of it is not pushed. Range: 0 to 1. Default: `0.01`.
    pub tolerance: f32,
}

impl Default for BodyContact {
    fn default() -> Self {
        Self { sweeps: 8, tolerance: 0.01 }
    }
}

/// How a body reacts to pushes.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactBody {
    /// A number that identifies the body for its life, different from every other's. Range: any. Default: `0`.
    pub id: u64,
    /// Weight of its share of a push: of a pair, each body moves by its part of the sum of both. A body that
    /// cannot be moved has 0. Range: 0 to 1. Default: `1.0`.
    pub yields: f32,
}

impl Default for ContactBody {
    fn default() -> Self {
        Self { id: 0, yields: 1.0 }
    }
}

/// One sweep, from positions to positions.
#[derive(Copy, Clone, Debug)]
pub struct ContactSweep<'a> {
    /// The plane in which two bodies at the same position part; `None` in space.
    plane: Option<MovementPlane>,
    /// Bodies by where they are; built of `bodies`.
    neighbors: &'a Neighbors,
    /// The bodies at the positions they would like to reach or, once pushed far, at the positions they have been
    /// pushed to.
    bodies: &'a [Body],
    /// How each body reacts to pushes, by its index among the bodies.
    contact_bodies: &'a [ContactBody],
    /// The present positions, by slot in [`Neighbors::order`].
    from: &'a [Vec3],
    /// The radius of the widest body.
    widest: f32,
    /// The overlap that is ignored, as a part of a pair's radii. Range: 0 to 1.
    tolerance: f32,
    /// The farthest that any body has been pushed since `neighbors` was built.
    drift: f32,
}

/// Statistics of a sweep.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct SweepStats {
    /// The deepest overlap before it, as a part of the sum of the pair's radii. Range: 0 to 1.
    pub deepest: f32,
    /// The farthest that any body has been pushed since the neighbours were built, this sweep included. Unit: lengths.
    /// Range: 0 and up.
    pub drift: f32,
}

impl SweepStats {
    /// The statistics of two parts of a sweep together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self { deepest: self.deepest.max(other.deepest), drift: self.drift.max(other.drift) }
    }
}

impl ContactSweep<'_> {
    /// Writes the positions after the sweep of the bodies at some slots. The positions do not depend on how the
    /// slots are divided.
    ///
    /// # Errors
    /// [`LengthError`] if the arrays do not fit together.
    pub fn run(&self, slots: Range<usize>, out: &mut [Vec3]) -> Result<SweepStats, LengthError> {
        LengthError::unless_equal("places for the slots", slots.len(), out.len())?;
        LengthError::unless_enough("sorted bodies", slots.end, self.neighbors.len())?;
        Ok(self.run_with(Simd::widest(), slots, out))
    }

    fn run_with(&self, simd: Simd, slots: Range<usize>, out: &mut [Vec3]) -> SweepStats {
        simd.batch(SweepBatch { sweep: *self, slots, out })
    }

    /// The push on a body, and its deepest overlap.
    fn push(&self, index: usize, at: Vec3) -> (Vec3, f32) {
        let mut stride = 1;
        if self.neighbors.is_crowded() {
            let mut near = 0;
            self.for_each_range(index, |range| near += range.len());
            stride = near.div_ceil(SAMPLE).max(1);
        }
        let mut contacts = self.contacts((index, at), stride);
        while stride > 1 && contacts.count < ENOUGH {
            stride /= 2;
            contacts = self.contacts((index, at), stride);
        }
        let Contacts { unit, sum, count, deepest } = contacts;
        // With one other body the overlap is resolved at once. Of several pushes only a share is applied, so as
        // not to overshoot.
        let scale = unit * (2.0 / count.max(2) as f32);
        (if count > 0 { sum.total() * scale } else { Vec3::ZERO }, deepest)
    }

    /// Visits ranges of slots with all bodies that may overlap a body.
    fn for_each_range(&self, index: usize, visit: impl FnMut(Range<usize>)) {
        let Body { position, radius, .. } = self.bodies[index];
        let center = self.neighbors.axes.grid(position);
        // Since the neighbours were built, both may have come nearer by the drift.
        let reach = |widest: f32| radius.max(0.0) + widest + 2.0 * self.drift;
        self.neighbors.for_each_range_by_radius(center, self.widest, reach, visit);
    }

    /// The overlaps of a body with the bodies in the cells around it: with all, or with every `stride`-th.
    fn contacts(&self, (index, at): (usize, Vec3), stride: usize) -> Contacts {
        let radius = self.bodies[index].radius.max(0.0);
        let unit = radius + self.neighbors.narrowest(self.widest);
        let mut contacts = Contacts { unit, ..Contacts::default() };
        let farthest = (radius + self.widest) * MARGIN;
        // At one position a sample holds the slots that have the same remainder as the body's own: of two bodies
        // either both are in each other's sample, or neither is.
        let mut skipped = self.neighbors.slot(index).unwrap_or(0) % stride;
        self.for_each_range(index, |range| {
            let mut slot = range.start + skipped;
            while slot < range.end {
                #[cfg(test)]
                crate::testing::count(1);
                let place = self.from[slot];
                if at.distance_squared(place) <= farthest * farthest {
                    self.touch(&mut contacts, (index, at), (self.neighbors.order()[slot] as usize, place));
                }
                slot += stride;
            }
            skipped = slot - range.end;
        });
        contacts
    }

    /// Adds the push of another body, if the two overlap.
    #[inline]
    fn touch(&self, contacts: &mut Contacts, (index, at): (usize, Vec3), (other, place): (usize, Vec3)) {
        let (own, its) = (&self.contact_bodies[index], &self.contact_bodies[other]);
        let both = self.bodies[index].radius.max(0.0) + self.bodies[other].radius.max(0.0);
        let yields = own.yields + its.yields;
        if other == index || yields <= 0.0 {
            return;
        }
        if let Some((direction, distance)) = apart((own.id, at), (its.id, place), self.plane.as_ref())
            && distance < both * (1.0 - self.tolerance)
        {
            contacts.count += 1;
            contacts.deepest = contacts.deepest.max((both - distance) / both);
            let part = ((both - distance) / contacts.unit).min(MAX_PART);
            contacts.sum.add(direction * (part * (own.yields / yields)));
        }
    }
}

/// The most other bodies in the first sample. Half and twice that, as of [`ENOUGH`], make no difference in the tests of
/// crowds: there bodies have fewer neighbours, and samples are taken only in heaps.
const SAMPLE: usize = 48;

/// The longest push that is summed, in [units](Contacts::unit).
const MAX_PART: f32 = 1_048_576.0;

/// How many of a sample have to overlap the body for the sample to stand for all near bodies.
const ENOUGH: u32 = 12;

/// The overlaps of a body: sum of the pushes, number, deepest.
#[derive(Default)]
struct Contacts {
    /// The length in which pushes are summed: the widest sum of radii or, if radii differ much, a smaller one, in which
    /// small pushes are not rounded away.
    unit: f32,
    sum: Sum<32>,
    count: u32,
    deepest: f32,
}

#[cfg(test)]
mod tests;
