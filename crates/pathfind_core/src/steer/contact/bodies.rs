//! Contact between bodies: overlapping pairs are pushed apart.
//!
//! After the next position of every body is known, overlapping pairs are pushed apart along the line between their
//! centres, in sweeps. Each sweep reads the positions that the last one wrote, so it can be divided among threads
//! and does not depend on the order of bodies (Jacobi's scheme; M. Müller et al., "Position based dynamics",
//! 2007). Sums are kept in integers, so rounding does not depend on the order either. Where there is no room, as
//! in a crowd pressed against a wall, overlaps remain: they are shared out evenly and reported.
//!
//! The work of a sweep grows with the number of bodies, not with its square, however many are at one position: a
//! body with more than 48 others near it is pushed by a sample of at most 48, if 12 or more of the sample overlap
//! it. The sample depends on positions and ids only. A heap of bodies spreads from its edge inwards: 1,000 at one
//! position take some 260 ticks of 8 sweeps to come apart, 8,000 some 2,000.
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

use crowded::{MARGIN, Run};

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
    /// A number that identifies the body for its life, different from every other's.
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
    pub(super) plane: Option<MovementPlane>,
    /// Bodies by where they are; built of `bodies`.
    pub(super) neighbors: &'a Neighbors,
    /// The bodies at the positions they would like to reach or, once pushed far, at the positions they have been
    /// pushed to.
    pub(super) bodies: &'a [Body],
    /// How each body reacts to pushes, by its index among the bodies.
    pub(super) contact_bodies: &'a [ContactBody],
    /// The present positions, by slot in [`Neighbors::order`].
    pub(super) from: &'a [Vec3],
    /// The slot of each body, by its index.
    pub(super) slots: &'a [u32],
    /// The radius of the widest body.
    pub(super) widest: f32,
    /// The overlap that is ignored, as a part of a pair's radii. Range: 0 to 1.
    pub(super) tolerance: f32,
    /// The farthest that any body has been pushed since `neighbors` was built.
    pub(super) drift: f32,
}

/// Statistics of a sweep.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct SweepStats {
    /// The deepest overlap before it, as a part of the sum of the pair's radii.
    pub deepest: f32,
    /// The farthest that any body has been pushed since the neighbours were built, this sweep included.
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
        simd.batch(Run { sweep: *self, slots, out })
    }

    /// The push on a body, and its deepest overlap.
    fn push(&self, index: usize, at: Vec3) -> (Vec3, f32) {
        let radius = self.bodies[index].radius.max(0.0);
        // Since the neighbours were built, both may have come nearer by the drift.
        let reach = radius + self.widest + 2.0 * self.drift;
        let center = self.neighbors.axes().grid(self.bodies[index].position);
        let mut stride = 1;
        if self.neighbors.is_crowded() {
            let mut near = 0;
            self.neighbors.for_each_range(center, reach, |range| near += range.len());
            stride = near.div_ceil(SAMPLE).max(1);
        }
        let mut contacts = self.contacts((index, at), (center, reach), stride);
        if stride > 1 && contacts.count < ENOUGH {
            contacts = self.contacts((index, at), (center, reach), 1);
        }
        let Contacts { sum, count, deepest } = contacts;
        // With one other body the overlap is resolved at once. Of several pushes only a share is applied, so as
        // not to overshoot.
        let scale = (radius + self.widest) * (2.0 / count.max(2) as f32);
        (if count > 0 { sum.total() * scale } else { Vec3::ZERO }, deepest)
    }

    /// The overlaps of a body with the bodies in the cells around it: with all, or with every `stride`-th.
    fn contacts(&self, (index, at): (usize, Vec3), (center, reach): (Vec3, f32), stride: usize) -> Contacts {
        let mut contacts = Contacts::default();
        let farthest = (self.bodies[index].radius.max(0.0) + self.widest) * MARGIN;
        // At one position a sample holds the slots that have the same remainder as the body's own: of two bodies
        // either both are in each other's sample, or neither is.
        let mut skipped = self.slots[index] as usize % stride;
        self.neighbors.for_each_range(center, reach, |range| {
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
        let (own, contact_body) = (&self.contact_bodies[index], &self.contact_bodies[other]);
        let both = self.bodies[index].radius.max(0.0) + self.bodies[other].radius.max(0.0);
        let parts = own.yields + contact_body.yields;
        if other == index || parts <= 0.0 {
            return;
        }
        if let Some((direction, distance)) =
            apart((own.id, at), (contact_body.id, place), self.plane.as_ref())
            && distance < both * (1.0 - self.tolerance)
        {
            contacts.count += 1;
            contacts.deepest = contacts.deepest.max((both - distance) / both);
            let widest = self.bodies[index].radius.max(0.0) + self.widest;
            contacts.sum.add(direction * ((both - distance) / widest * (own.yields / parts)));
        }
    }
}

/// The most other bodies in a sample.
const SAMPLE: usize = 48;

/// How many of a sample have to overlap the body for the sample to stand for all near bodies.
const ENOUGH: u32 = 12;

/// The overlaps of a body: sum of the pushes, number, deepest.
#[derive(Default)]
struct Contacts {
    sum: Sum<32>,
    count: u32,
    deepest: f32,
}

/// Pushes bodies apart, sweep by sweep. Keep it from tick to tick: once warm, it allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct ContactSolver {
    places: [Vec<Vec3>; 2],
    slots: Vec<u32>,
    neighbors: Neighbors,
}

impl ContactSolver {
    /// Pushes bodies apart and writes their new positions, on one thread. Returns the deepest overlap that the
    /// last sweep found, as a part of the sum of the pair's radii: above the tolerance only if there were too few
    /// sweeps or there is no room. Bodies with a number that is NaN, infinite or beyond ±10¹⁸ are not moved.
    ///
    /// # Errors
    /// [`LengthError`] if the arrays do not fit together.
    pub fn solve(
        &mut self,
        contact: &BodyContact,
        plane: Option<MovementPlane>,
        bodies: &mut [Body],
        contact_bodies: &[ContactBody],
    ) -> Result<f32, LengthError> {
        self.solve_with(contact, plane, bodies, contact_bodies, |sweep, out| sweep.run(0..out.len(), out))
    }

    /// As [`solve`](Self::solve), with `run` to execute each sweep over all slots, in parts on threads of the
    /// caller's.
    ///
    /// # Errors
    /// [`LengthError`] if the arrays do not fit together.
    pub fn solve_with(
        &mut self,
        contact: &BodyContact,
        plane: Option<MovementPlane>,
        bodies: &mut [Body],
        contact_bodies: &[ContactBody],
        mut run: impl FnMut(&ContactSweep, &mut [Vec3]) -> Result<SweepStats, LengthError>,
    ) -> Result<f32, LengthError> {
        LengthError::unless_equal("contact bodies", bodies.len(), contact_bodies.len())?;
        let widest =
            bodies.iter().filter(|body| body.is_in_range()).map(|body| body.radius).fold(0.0, f32::max);
        self.find_neighbors(widest, bodies, contact_bodies);
        // NaN counts as 0. Half of what may remain is ignored.
        let most = if contact.tolerance > 0.0 { contact.tolerance.min(1.0) } else { 0.0 };
        let tolerance = 0.5 * most;
        let mut sweep_stats = SweepStats::default();
        for _ in 0..contact.sweeps {
            // Once bodies have drifted far, the search radius would be too large: rebuild.
            if sweep_stats.drift > widest {
                self.write(bodies);
                self.find_neighbors(widest, bodies, contact_bodies);
                sweep_stats.drift = 0.0;
            }
            let Self { places: [from, to], slots, neighbors } = &mut *self;
            let drift = sweep_stats.drift;
            let sweep = ContactSweep {
                plane,
                neighbors,
                bodies,
                contact_bodies,
                from,
                slots,
                widest,
                tolerance,
                drift,
            };
            sweep_stats = run(&sweep, to)?;
            if sweep_stats.deepest <= most {
                break;
            }
            std::mem::swap(from, to);
        }
        self.write(bodies);
        Ok(sweep_stats.deepest)
    }

    /// Builds the neighbours of the bodies at their present positions.
    fn find_neighbors(&mut self, widest: f32, bodies: &[Body], contact_bodies: &[ContactBody]) {
        let Self { places: [from, to], slots, neighbors } = self;
        neighbors.build_by(2.0 * widest, bodies, &[], Some(&|index| contact_bodies[index].id));
        slots.clear();
        slots.resize(bodies.len(), 0);
        from.clear();
        for (slot, &index) in neighbors.order().iter().enumerate() {
            slots[index as usize] = slot as u32;
            from.push(bodies[index as usize].position);
        }
        to.clear();
        to.resize(neighbors.len(), Vec3::ZERO);
    }

    /// Writes the pushed positions to the bodies.
    fn write(&self, bodies: &mut [Body]) {
        for (&index, &place) in self.neighbors.order().iter().zip(&self.places[0]) {
            bodies[index as usize].position = place;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steer::CounterRng;
    use crate::testing::{bits, standing, work_of};

    fn body(x: f32, y: f32) -> Body {
        Body::new(Vec3::new(x, y, 0.0), Vec3::ZERO).with_radius(0.5)
    }

    /// A crowd in a square of the plane with this half side.
    fn crowd(seed: u64, count: usize, half: f32) -> Vec<Body> {
        let bodies = standing(&mut CounterRng::new(seed, 0, 0), count, Vec3::new(half, half, 0.0));
        bodies.into_iter().map(|body| body.with_radius(0.5)).collect()
    }

    fn contact_bodies(count: usize) -> Vec<ContactBody> {
        (0..count).map(|id| ContactBody { id: id as u64, yields: 1.0 }).collect()
    }

    fn solve(bodies: &mut [Body], contact_bodies: &[ContactBody], sweeps: u32) -> f32 {
        let contact = BodyContact { sweeps, ..BodyContact::default() };
        ContactSolver::default().solve(&contact, Some(MovementPlane::XY), bodies, contact_bodies).unwrap()
    }

    fn deepest(bodies: &[Body]) -> f32 {
        let pairs = bodies
            .iter()
            .enumerate()
            .flat_map(|(index, one)| bodies[index + 1..].iter().map(move |other| (one, other)));
        pairs.map(|(one, other)| 1.0 - one.position.distance(other.position)).fold(0.0, f32::max)
    }

    #[test]
    fn a_pair_parts_by_half_each_and_one_that_stands_stays() {
        let mut pair = [body(0.0, 0.0), body(0.6, 0.0)];
        solve(&mut pair, &contact_bodies(2), 8);
        assert!((pair[0].position.x + 0.2).abs() < 1e-5, "each moves by half the overlap: {pair:?}");
        assert!((pair[1].position.x - 0.8).abs() < 1e-5, "each moves by half the overlap: {pair:?}");

        let mut pair = [body(0.0, 0.0), body(0.6, 0.0)];
        let contact_bodies = [ContactBody { id: 0, yields: 0.0 }, ContactBody { id: 1, yields: 1.0 }];
        solve(&mut pair, &contact_bodies, 8);
        assert_eq!(pair[0], body(0.0, 0.0), "one that cannot be moved is not");
        assert!((pair[1].position.x - 1.0).abs() < 1e-5, "the other does it all: {pair:?}");
    }

    #[test]
    fn what_does_not_overlap_is_not_touched_by_one_bit() {
        let mut bodies = [body(0.1, 0.3), body(1.2, 0.3), body(0.7, 1.9), body(f32::NAN, 0.0)];
        let before = bodies;
        assert_eq!(solve(&mut bodies, &contact_bodies(4), 8), 0.0);
        assert_eq!(bodies[..3], before[..3]);
    }

    #[test]
    fn a_heap_in_one_place_comes_apart_in_the_plane() {
        let mut bodies = vec![body(3.0, 4.0); 12];
        let left = solve(&mut bodies, &contact_bodies(12), 60);
        assert!(left <= 0.011, "nobody is in anybody any more: {left}");
        assert!(deepest(&bodies) <= 0.011, "and that is so: {}", deepest(&bodies));
        assert!(bodies.iter().all(|body| body.position.z == 0.0), "nobody leaves the plane");
    }

    #[test]
    fn a_crowd_comes_apart_whatever_the_order_and_the_parts() {
        let mut bodies = crowd(3, 400, 14.0);
        let mut order = contact_bodies(400);
        let (mut forth, mut back) = (bodies.clone(), Vec::new());
        assert!(deepest(&bodies) > 0.5, "at first many overlap");
        let left = solve(&mut forth, &order, 100);
        assert!(left <= 0.01 && deepest(&forth) <= 0.0101, "in the end nobody does: {left}");

        bodies.reverse();
        order.reverse();
        back.extend_from_slice(&bodies);
        solve(&mut back, &order, 100);
        back.reverse();
        assert_eq!(forth, back, "the order of bodies does not matter");
    }

    #[test]
    fn sweeps_on_threads_of_ones_own_lead_to_the_same_places() {
        let (mut once, order) = (crowd(5, 300, 9.0), contact_bodies(300));
        let (mut again, contact) = (once.clone(), BodyContact::default());
        let left = solve(&mut once, &order, contact.sweeps);
        let mut sweeps = 0;
        let settled = ContactSolver::default()
            .solve_with(&contact, Some(MovementPlane::XY), &mut again, &order, |sweep, out| {
                sweeps += 1;
                let (one, other) = out.split_at_mut(100);
                std::thread::scope(|scope| {
                    let part = scope.spawn(|| sweep.run(0..100, one));
                    Ok(sweep.run(100..300, other)?.and(part.join().expect("it ends")?))
                })
            })
            .unwrap();
        assert_eq!((settled, again), (left, once));
        assert!(sweeps > 1, "there was something to do");
    }

    #[test]
    fn a_sweep_in_parts_is_the_sweep_in_one_go() {
        let bodies = crowd(4, 300, 9.0);
        let contact_bodies = contact_bodies(300);
        let mut neighbors = Neighbors::default();
        neighbors.build(1.0, &bodies, &[]);
        let from: Vec<Vec3> =
            neighbors.order().iter().map(|&index| bodies[index as usize].position).collect();
        let mut slots = vec![0; 300];
        (0..).zip(neighbors.order()).for_each(|(slot, &index)| slots[index as usize] = slot);
        let sweep = ContactSweep {
            plane: Some(MovementPlane::XY),
            neighbors: &neighbors,
            bodies: &bodies,
            contact_bodies: &contact_bodies,
            from: &from,
            slots: &slots,
            widest: 0.5,
            tolerance: 0.01,
            drift: 0.0,
        };
        let mut whole = vec![Vec3::NAN; 300];
        let found = sweep.run(0..300, &mut whole).unwrap();
        assert!(found.deepest > 0.3 && found.drift > 0.1, "there is something to do: {found:?}");
        for simd in Simd::ALL {
            let mut again = vec![Vec3::NAN; 300];
            assert_eq!(sweep.run_with(simd, 0..300, &mut again), found, "{simd:?} finds the same");
            assert_eq!(again, whole, "and leads to the same places");
        }
        for (slot, &index) in neighbors.order().iter().enumerate() {
            let (push, _) = sweep.push(index as usize, from[slot]);
            assert_eq!(whole[slot], from[slot] + push, "as each is pushed alone");
        }
        for size in [1, 7, 150] {
            let mut parts = vec![Vec3::NAN; 300];
            let sweep_stats = parts.chunks_mut(size).enumerate().map(|(part, out)| {
                let start = part * size;
                sweep.run(start..start + out.len(), out).unwrap()
            });
            assert_eq!(
                sweep_stats.fold(SweepStats::default(), SweepStats::and),
                found,
                "parts of {size} find the same"
            );
            assert_eq!(parts, whole, "and lead to the same places");
        }
    }

    #[test]
    fn numbers_of_any_size_push_no_other_body_out_of_the_world() {
        for seed in 0..3_000 {
            let mut rng = CounterRng::new(31, seed, 0);
            let bodies = rng.any_bodies(12);
            let contact_bodies: Vec<ContactBody> =
                (0..12).map(|id| ContactBody { id, yields: rng.any_number() }).collect();
            let contact = BodyContact { sweeps: 4, tolerance: rng.any_number() };
            let settled = |simd: Simd| {
                let (mut bodies, mut solver) = (bodies.clone(), ContactSolver::default());
                let run =
                    |sweep: &ContactSweep, out: &mut [Vec3]| Ok(sweep.run_with(simd, 0..out.len(), out));
                let left = solver
                    .solve_with(&contact, Some(MovementPlane::XY), &mut bodies, &contact_bodies, run)
                    .unwrap();
                assert!((0.0..=1.0).contains(&left), "seed {seed}: {left} is a part of the radii");
                bodies
            };
            let once = settled(Simd::Scalar);
            for (before, after) in bodies.iter().zip(&once) {
                if before.is_in_range() {
                    assert!(after.is_finite(), "seed {seed}: from {before:?} to {after:?}");
                } else {
                    let same = bits([before.position]) == bits([after.position]);
                    assert!(same, "seed {seed}: {before:?} is not moved, but {after:?}");
                }
            }
            for simd in Simd::ALL {
                let again = bits(settled(simd).iter().map(|body| body.position));
                assert_eq!(again, bits(once.iter().map(|body| body.position)), "seed {seed}: {simd:?}");
            }
        }
    }

    #[test]
    fn a_crowd_in_one_place_comes_apart_whatever_the_order() {
        let mut bodies = vec![body(3.0, 4.0); 300];
        let mut order = contact_bodies(300);
        let ticks = (0..200).find(|_| solve(&mut bodies, &order, 8) <= 0.01);
        assert!(ticks.is_some(), "300 come apart in 200 ticks: {} is left", deepest(&bodies));
        assert!(deepest(&bodies) <= 0.0101, "and that is so: {}", deepest(&bodies));

        let mut heap = vec![body(3.0, 4.0); 300];
        let mut back = heap.clone();
        for _ in 0..20 {
            solve(&mut heap, &order, 8);
            order.reverse();
            solve(&mut back, &order, 8);
            order.reverse();
        }
        back.reverse();
        assert_eq!(heap, back, "the order of bodies does not matter");
    }

    /// The work is the number of other bodies that are looked at, all together.
    #[test]
    fn the_work_of_a_sweep_is_bounded_however_many_are_in_one_place() {
        for count in [1_000, 8_000] {
            let mut heap = vec![body(0.0, 0.0); count];
            let mut left = 0.0;
            let work = work_of(|| left = solve(&mut heap, &contact_bodies(count), 1));
            assert!(left > 0.9, "all overlap at first: {left}");
            assert!(heap.iter().all(|body| body.position.length() > 0.1), "every body gets away");
            let most = (SAMPLE * count) as u64;
            assert!((most / 2..=most).contains(&work), "{count} in one place look at {work} others");
        }
    }
}
