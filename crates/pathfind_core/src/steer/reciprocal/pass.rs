//! The decisions of all bodies in a tick, in parts.

use std::ops::Range;

use glam::Vec3;

use super::decide::{Decider, Decision, PlanarPreference};
use super::disc::Disc;
use super::discs::Discs;
use super::walls::Walls;
use super::{AgentPreference, ReciprocalSettings, Regard};
use crate::neighbors::{Block, Neighbors, RangeList};
use crate::simd::{Pass, Simd, SimdF32x8, prefetch};
use crate::steer::{Body, LengthError, MovementPlane};

/// How many bodies that lie close together share one search for candidates.
const MAX_BLOCK: usize = 6;

/// How many bodies one cell of the index may hold before each of them considers only as many around its own slot:
/// otherwise the time of a crowd that was put on one point would grow with the square of its size. Far more than fit
/// side by side: a cell as long as the reach of 50 bodies holds about 1,000 of them.
const PACKED: usize = 2048;

/// Bodies and preferences projected on the plane, as a [`ReciprocalPass`] reads them. Keep the value from tick to
/// tick: once warm, it allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct CrowdState {
    plane: MovementPlane,
    /// In the order of the slots: bodies near each other are mostly near each other in memory.
    discs: Discs,
    /// By slot.
    planar_preferences: Vec<PlanarPreference>,
    /// The highest top speed of any disc.
    max_top_speed: f32,
    /// The largest radius of any disc.
    max_radius: f32,
}

impl CrowdState {
    /// Projects bodies on a plane. `neighbors` must have been built of these bodies; a body without a preference
    /// stands and does not make way.
    pub fn gather(
        &mut self,
        plane: MovementPlane,
        neighbors: &Neighbors,
        bodies: &[Body],
        preferences: &[AgentPreference],
    ) {
        let Self { discs, planar_preferences, max_top_speed, max_radius, .. } = self;
        let order = neighbors.order();
        let preference = |index: u32| preferences.get(index as usize).unwrap_or(&STANDING);
        (self.plane, *max_top_speed, *max_radius) = (plane, 0.0, 0.0);
        planar_preferences.clear();
        let mut has_leaders = false;
        discs.fill(order.iter().enumerate().map(|(slot, &index)| {
            // Bodies are not stored in this order: prefetch those to come.
            if let Some(&later) = order.get(slot + AHEAD) {
                prefetch(bodies, later as usize);
                prefetch(preferences, later as usize);
            }
            let preference = preference(index);
            has_leaders |= preference.regard != Regard::Chases;
            planar_preferences.push(PlanarPreference::of(&plane, preference));
            let disc = Disc::of(&plane, &bodies[index as usize], preference);
            *max_top_speed = max_top_speed.max(disc.top_speed);
            *max_radius = max_radius.max(disc.radius);
            disc
        }));
        if has_leaders {
            discs.note_leaders(order.iter().map(|&index| preference(index).leader()));
        }
    }
}

/// The preference of a body without one: to stand, and not to avoid.
const STANDING: AgentPreference = AgentPreference::new(0, Vec3::ZERO, 0.0).yielding(0.0);

/// How many bodies ahead of the present one are prefetched. Measured: 8, 24, 48 and 96 differ by less than the noise.
const AHEAD: usize = 24;

/// Adjusts the velocities of all bodies that [`Neighbors`] holds.
#[derive(Copy, Clone)]
pub struct ReciprocalPass<'a> {
    /// Horizons, range and side of avoidance.
    pub settings: ReciprocalSettings,
    /// The spatial index of the bodies.
    pub neighbors: &'a Neighbors,
    /// Bodies and preferences, gathered with the same `neighbors`.
    pub crowd_state: &'a CrowdState,
    /// The walls.
    pub walls: &'a dyn Walls,
    /// The length of the tick: velocities are chosen so that an overlap ends within it. Unit: seconds. Range: 0.001 and
    /// up; less counts as 0.001.
    pub dt: f32,
}

impl core::fmt::Debug for ReciprocalPass<'_> {
    /// Settings, number of bodies and `dt`: [`Walls`] does not require `Debug`.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ReciprocalPass")
            .field("settings", &self.settings)
            .field("bodies", &self.neighbors.len())
            .field("dt", &self.dt)
            .finish_non_exhaustive()
    }
}

impl ReciprocalPass<'_> {
    /// Writes the velocities of the bodies at some slots of [`Neighbors::order`], one for each: in the plane, no
    /// faster than their `max_speed`. The velocities do not depend on how the slots are divided, nor on the number
    /// of threads; nor on the order of the bodies, unless more than 2,048 of them are in one cell of the index (a
    /// quarter of its reach long along one axis, and its reach along the others): of such a crowd each body considers
    /// 2,048 others at the most.
    ///
    /// # Errors
    /// [`LengthError`] if the arrays do not fit together.
    pub fn run(&self, slots: Range<usize>, out: &mut [Vec3]) -> Result<(), LengthError> {
        LengthError::unless_equal("velocities for the slots", slots.len(), out.len())?;
        LengthError::unless_enough("sorted bodies", slots.end, self.neighbors.len())?;
        LengthError::unless_equal(
            "gathered bodies",
            self.neighbors.len(),
            self.crowd_state.planar_preferences.len(),
        )?;
        Simd::widest().run(OrcaBatch { pass: *self, slots, out });
        Ok(())
    }
}

/// A pass, compiled for each instruction set.
struct OrcaBatch<'a> {
    pass: ReciprocalPass<'a>,
    slots: Range<usize>,
    out: &'a mut [Vec3],
}

impl Pass for OrcaBatch<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: SimdF32x8>(self) {
        let ReciprocalPass { settings, neighbors, crowd_state, walls, dt } = self.pass;
        let CrowdState { discs, planar_preferences, max_top_speed, max_radius, .. } = crowd_state;
        let mut decision = Decision::new(&settings, &crowd_state.plane, discs, walls, dt);
        let (mut ranges, mut ranges_around) = (RangeList::new(), RangeList::new());
        let may_be_packed = neighbors.most_in_a_cell() > PACKED;
        let table = &neighbors.columns.table();
        let (mut slot, mut out) = (self.slots.start, self.out);
        while slot < self.slots.end {
            // Bodies that lie close together share one search for candidates. Measured: blocks of 0.5, 1, 1.5 and 3
            // rows differ by 2 % at most.
            let slots = slot..self.slots.end.min(slot + MAX_BLOCK);
            let block = Block::new::<L>(neighbors, table, slots, Vec3::new(1.5, 0.5, 0.5));
            let mut deciders = [None; MAX_BLOCK];
            // -1 if no body of the block avoids others: then no range is found.
            let mut reach = -1.0_f32;
            for (decider, slot) in deciders.iter_mut().zip(block.start..block.end) {
                *decider = Decider::of(discs.disc(slot), &planar_preferences[slot]);
                if let Some(own) = decider {
                    reach = reach.max(decision.reach(own, *max_top_speed, *max_radius));
                }
            }
            block.within(reach, &mut ranges);
            let (places, rest) = out.split_at_mut(block.len());
            for ((own, decider), out) in (block.start..block.end).zip(&deciders).zip(places) {
                let Some(decider) = decider else {
                    *out = Vec3::ZERO;
                    continue;
                };
                let mut candidates = &ranges;
                if may_be_packed && self.pass.is_packed(own) {
                    cut_around(own, &ranges, &mut ranges_around);
                    candidates = &ranges_around;
                }
                *out = decision.decide::<L>(decider, candidates.as_slice(), own);
            }
            (slot, out) = (block.end, rest);
        }
    }
}

/// Of some ranges of slots, the parts no farther than half of [`PACKED`] from a slot.
#[cold]
fn cut_around(slot: usize, ranges: &RangeList, cut: &mut RangeList) {
    let (first, last) = (slot.saturating_sub(PACKED / 2), slot + PACKED / 2);
    cut.clear();
    for range in ranges.as_slice() {
        cut.push(first.max(range.start as usize)..last.min(range.end as usize));
    }
}

impl ReciprocalPass<'_> {
    /// Whether more than [`PACKED`] bodies are in the cell of the body at a slot.
    #[cold]
    fn is_packed(&self, slot: usize) -> bool {
        let mut count = 0;
        let here = self.neighbors.columns.position(slot);
        self.neighbors.for_each_range(here, 0.0, |range| count += range.len());
        count > PACKED
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steer::CounterRng;
    use crate::steer::reciprocal::Wall;
    use crate::testing::bits;

    /// Below this, squares are rounded to few digits.
    const TINY: f32 = 1e-18;

    /// A crowd with special cases: invalid numbers, shared positions, bodies that stand.
    fn crowd(count: u64) -> (Vec<Body>, Vec<AgentPreference>) {
        let mut rng = CounterRng::new(11, 0, 0);
        let mut level = |size: f32| Vec3::new(rng.signed(), rng.signed(), 0.0) * size;
        let side = (count as f32).sqrt();
        (0..count)
            .map(|id| {
                let velocity = if id % 31 == 7 { Vec3::NAN } else { level(2.0) };
                let position = if id % 17 < 2 { Vec3::ONE } else { level(side) };
                let preference =
                    AgentPreference::new(id, level(2.0), (id % 5) as f32).yielding((id % 7) as f32 / 3.0);
                (Body::new(position, velocity).with_radius((id % 4) as f32 * 0.2), preference)
            })
            .unzip()
    }

    const WALL: [Wall; 1] = [Wall::new(Vec3::ZERO, Vec3::new(3.0, 0.0, 0.0))];

    /// The velocities of bodies beside a wall; the same in these parts and with these instructions.
    fn adjusted(bodies: &[Body], preferences: &[AgentPreference], parts: &[(Simd, usize)]) -> Vec<Vec3> {
        let neighbors = &Neighbors::of(5.0, bodies);
        let mut crowd_state = CrowdState::default();
        crowd_state.gather(MovementPlane::XY, neighbors, bodies, preferences);
        let (settings, crowd_state) = (ReciprocalSettings::default(), &crowd_state);
        let pass = ReciprocalPass { settings, neighbors, crowd_state, walls: &WALL, dt: 0.02 };
        let all = parts.iter().map(|&(simd, parts)| {
            let run = |slots, out: &mut [Vec3]| simd.run(OrcaBatch { pass, slots, out });
            neighbors.found_by(bodies.len(), neighbors.len().div_ceil(parts), Vec3::ZERO, run)
        });
        let same = |one: Vec<Vec3>, other: Vec<Vec3>| {
            assert!(bits(one.iter().copied()) == bits(other), "{parts:?} give the same");
            one
        };
        all.reduce(same).expect("there is a division")
    }

    #[test]
    fn results_depend_on_no_parts_or_order_and_equal_those_of_single_bodies() {
        let (mut bodies, mut preferences) = crowd(400);
        let parts = [(Simd::Scalar, 1), (Simd::Scalar, 7), (Simd::Sse2, 400), (Simd::Avx2, 5)];
        let whole = adjusted(&bodies, &preferences, &parts);
        for (index, &velocity) in whole.iter().enumerate() {
            let others = bodies.iter().zip(&preferences).enumerate().filter(|&(other, _)| other != index);
            let own = (&bodies[index], &preferences[index]);
            let alone = ReciprocalSettings::default().adjusted(
                &MovementPlane::XY,
                own,
                others.map(|(_, other)| other),
                &WALL,
                0.02,
            );
            assert_eq!(velocity, alone, "body {index} computed on its own");
            assert!(velocity.length() <= own.1.max_speed * 1.00001, "body {index} is too fast: {velocity}");
            assert_eq!(velocity.z, 0.0, "body {index} stays in the plane");
        }

        bodies.reverse();
        preferences.reverse();
        let mut back = adjusted(&bodies, &preferences, &[(Simd::widest(), 3)]);
        back.reverse();
        let differs = whole.iter().zip(&back).position(|(one, other)| one != other);
        assert_eq!(differs, None, "the order of bodies does not matter");
    }

    #[test]
    fn numbers_of_any_size_give_velocities_that_are_numbers() {
        for seed in 0..3_000 {
            let mut rng = CounterRng::new(33, seed, 0);
            let bodies = rng.any_bodies(20);
            let preferences: Vec<AgentPreference> = (0..20)
                .map(|id| {
                    let mut preference = AgentPreference::new(id, rng.any_vector(), rng.any_number());
                    if id % 2 == 0 {
                        preference = preference.remaining(rng.any_number());
                    }
                    preference.yielding(rng.any_number())
                })
                .collect();
            let found = adjusted(&bodies, &preferences, &Simd::ALL.map(|simd| (simd, 1)));
            for (velocity, preference) in found.iter().zip(&preferences) {
                let most = if preference.max_speed < f32::MAX { preference.max_speed.max(0.0) } else { 0.0 };
                let is_slow = velocity.is_finite() && velocity.length() <= most * 1.00001 + TINY;
                assert!(is_slow, "seed {seed}: {velocity} is a velocity, and no faster than {most}");
            }
        }
    }

    /// Each body of a crowd on one point would else consider all others.
    #[test]
    fn a_packed_crowd_considers_few_and_parts_and_instructions_change_nothing() {
        let count = 3 * PACKED as u64;
        let (bodies, preferences): (Vec<_>, Vec<_>) = (0..count)
            .map(|id| {
                // One in eight stands apart.
                let place = if id % 8 == 0 { Vec3::new(6.0 + id as f32 * 0.01, 2.0, 0.0) } else { Vec3::ONE };
                let body = Body::new(place, Vec3::X).with_radius(0.4);
                (body, AgentPreference::new(id, Vec3::Y, 2.0))
            })
            .unzip();
        let widest = Simd::widest();
        let parts = [(widest, 1), (Simd::Scalar, 1), (widest, 5), (widest, 1000)];
        assert!(adjusted(&bodies, &preferences, &parts).iter().all(|velocity| velocity.is_finite()));

        let (mut ranges, mut cut) = (RangeList::new(), RangeList::new());
        ranges.push(0..10);
        ranges.push(10..count as usize);
        cut_around(count as usize / 2, &ranges, &mut cut);
        let considered: usize = cut.as_slice().iter().map(crate::neighbors::Span::len).sum();
        assert_eq!(considered, PACKED, "as many as are around it");
    }

    #[test]
    fn a_crowd_in_one_place_parts_by_avoidance_alone() {
        for count in [2, 8, 9, 30, 200] {
            let mut bodies = vec![Body::new(Vec3::new(3.0, 4.0, 0.0), Vec3::ZERO).with_radius(0.5); count];
            let preferences: Vec<AgentPreference> = (0..count as u64)
                .map(|id| AgentPreference::new(id, Vec3::ZERO, 3.0).remaining(0.0))
                .collect();
            for _ in 0..20 * 50 {
                let velocities = adjusted(&bodies, &preferences, &[(Simd::widest(), 1)]);
                for (body, velocity) in bodies.iter_mut().zip(velocities) {
                    body.velocity = velocity;
                    body.position += velocity * 0.02;
                }
            }
            let nearest = (0..count).flat_map(|one| (0..one).map(move |other| (one, other)));
            let nearest = nearest
                .map(|(one, other)| bodies[one].position.distance(bodies[other].position))
                .fold(f32::INFINITY, f32::min);
            assert!(nearest > 0.9, "of {count} in one place the nearest are {nearest} apart after 20 s");
        }
    }
}
