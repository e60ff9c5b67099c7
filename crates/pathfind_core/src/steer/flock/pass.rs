//! The wishes of many members at once.

use std::ops::Range;

use glam::Vec3;

use super::kernel::{NeighborSums, Scratch};
use super::step_buffer::{BLOCK, StepBuffer};
use super::{FlockGroup, FlockModel, FlockParts, FlockRules};
use crate::neighbors::{Block, Neighbors};
use crate::simd::{Batch, Simd, SimdF32, Vectors};
use crate::steer::CounterRng;

/// The rules of those that wish for nothing.
pub(super) const NOBODY: u32 = u32::MAX;

/// What a pass has to know of a member beside its body.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct FlockMember {
    /// By which of the pass's rules it flies; by none, where there is no such.
    pub rules: u32,
    /// A number that stays its own: it says in which direction a member leaves others on its very spot, whatever
    /// order they are given in. Members of the same id there leave in opposite directions by their order.
    pub id: u64,
    /// Its [`random_push`](FlockRules::random_push).
    pub noise: Vec3,
}

impl FlockMember {
    /// The rules of members that all have the same, and may be computed at once: by another law than the
    /// tutorial's.
    #[inline(always)]
    pub(super) fn alike<'a>(members: &[Self], rules: &'a [FlockRules]) -> Option<&'a FlockRules> {
        let kind = members.first()?.rules;
        let is_one = members.iter().all(|member| member.rules == kind);
        rules.get(kind as usize).filter(|rules| is_one && rules.model != FlockModel::Tutorial)
    }
}

/// What a member wishes for in a tick.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct FlockStep {
    /// In lengths/s².
    pub acceleration: Vec3,
    /// The velocity that it leads to within the limits of turn and speed, as [`FlockRules::velocity`] says.
    pub velocity: Vec3,
}

/// The wishes of all members in one tick, to be had in any number of parts, one after the other or at once:
/// what comes out for a member does not depend on that.
#[derive(Copy, Clone, Debug)]
pub struct FlockPass<'a> {
    pub(super) neighbors: &'a Neighbors,
    pub(super) members: &'a [FlockMember],
    pub(super) rules: &'a [FlockRules],
    pub(super) groups: &'a [FlockGroup],
    pub(super) has_leader: bool,
    pub(super) normal: Option<Vec3>,
    pub(super) simd: Simd,
}

impl<'a> FlockPass<'a> {
    /// Over bodies sorted in, with what belongs to each under the index it was given with. Only mates of
    /// one group see each other, and `groups` holds what there is to know of each by its number. Bodies
    /// without a member or rules wish for nothing; those in a group without an entry have no leader.
    #[must_use]
    pub fn new(
        neighbors: &'a Neighbors,
        members: &'a [FlockMember],
        rules: &'a [FlockRules],
        groups: &'a [FlockGroup],
    ) -> Self {
        let has_leader = groups.iter().any(|group| group.leader.is_some());
        Self { neighbors, members, rules, groups, has_leader, normal: None, simd: Simd::widest() }
    }

    /// In a plane square to `normal`, of length 1: all that members wish for lies in it.
    #[must_use]
    pub const fn with_normal(mut self, normal: Option<Vec3>) -> Self {
        self.normal = normal;
        self
    }

    /// With other instructions than the widest.
    #[must_use]
    pub const fn with_simd(mut self, simd: Simd) -> Self {
        self.simd = simd;
        self
    }

    /// What the members at a range of slots wish for, in the order of the slots.
    ///
    /// # Panics
    ///
    /// Where `out` is not as long as the range, or the range goes beyond the last slot.
    pub fn run(&self, slots: Range<usize>, out: &mut [FlockStep]) {
        assert_eq!(slots.len(), out.len(), "a place for each slot");
        assert!(slots.end <= self.neighbors.len(), "slots have bodies");
        self.simd.batch(Run { pass: *self, slots, out });
    }

    /// What the wish of one member is made of; `None` for one that wishes for nothing.
    #[must_use]
    pub fn parts(&self, index: usize) -> Option<FlockParts> {
        let slot = self.neighbors.order().iter().position(|&other| other as usize == index)?;
        self.simd.batch(Explain { pass: *self, slot })
    }

    /// Finds what their mates come to for the members of a block, by certain rules: in the world's axes.
    #[inline(always)]
    pub(super) fn sums<L: SimdF32>(&self, block: &Block<'_>, rules: &FlockRules, scratch: &mut Scratch<L>) {
        let axes = self.neighbors.axes();
        let has_company = block.sums(rules, scratch);
        let NeighborSums { push, way, pull, .. } = &mut scratch.sums;
        for vectors in [&mut *push, way, pull] {
            *vectors = Vectors(axes.world_of(vectors.0));
        }
        if has_company.is_any() {
            *push = self.parted(block, *push, has_company);
        }
    }

    /// Pushes, with those away from mates on the very spot.
    #[cold]
    #[inline(always)]
    fn parted<L: SimdF32>(&self, block: &Block<'_>, push: Vectors<L>, has_company: L) -> Vectors<L> {
        let (mut push, has_company) = (push.to_arrays(), has_company.bits());
        for (lane, slot) in (block.start..block.end).enumerate() {
            if has_company >> lane & 1 != 0 {
                let apart = self.part_stacked(slot).to_array();
                (0..3).for_each(|axis| push[axis][lane] += apart[axis]);
            }
        }
        Vectors::load(&push)
    }

    /// Directions away from mates on the very spot, opposite for the two of a pair.
    #[cold]
    fn part_stacked(&self, slot: usize) -> Vec3 {
        let (columns, order) = (self.neighbors.columns(), self.neighbors.order());
        let id = |slot: usize| self.members.get(order[slot] as usize).map_or(0, |member| member.id);
        let own = id(slot);
        let center = columns.position(slot);
        let (mut push, mut others) = (Vec3::ZERO, 0_u32);
        // Of mates with the member's own id, how many more were given after it than before it.
        let mut later = 0_i32;
        self.neighbors.for_each_range(center, 0.0, |range| {
            for other in range {
                let is_mate = other != slot && columns.group(other) == columns.group(slot);
                if !is_mate || (columns.position(other) - center).length_squared() > 0.0 {
                    continue;
                }
                let id = id(other);
                if id == own {
                    later += if order[slot] < order[other] { 1 } else { -1 };
                    continue;
                }
                others += 1;
                if others <= MOST_STACKED {
                    let sign = if own < id { 1.0 } else { -1.0 };
                    push += self.stacked_direction(own.min(id), own.max(id)) * sign;
                }
            }
        });
        // Of many, what all of them come to in the mean, each member in a direction of its own.
        if others > MOST_STACKED {
            push = self.stacked_direction(own, own) * (0.64 * others as f32);
        }
        if later != 0 {
            push += self.stacked_direction(own, own) * later as f32;
        }
        push
    }

    /// The direction in which the first of two members on one spot leaves the other.
    fn stacked_direction(&self, own: u64, other: u64) -> Vec3 {
        let way = CounterRng::new(0, own, other).direction();
        let way = self.normal.map_or(way, |normal| way - normal * way.dot(normal));
        way.normalize_or_zero()
    }
}

/// How many mates on the very spot are left one by one.
const MOST_STACKED: u32 = 16;

struct Run<'a, 'b> {
    pass: FlockPass<'a>,
    slots: Range<usize>,
    out: &'b mut [FlockStep],
}

impl Batch for Run<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: SimdF32>(self) {
        let Self { pass, slots, out } = self;
        let table = &pass.neighbors.columns().table();
        let mut sheet = StepBuffer::<L>::new(&pass, table);
        for (part, out) in out.chunks_mut(BLOCK).enumerate() {
            let start = slots.start + part * BLOCK;
            sheet.fill(start..start + out.len());
            sheet.wish();
            sheet.limit();
            sheet.write(out);
        }
    }
}

struct Explain<'a> {
    pass: FlockPass<'a>,
    slot: usize,
}

impl Batch for Explain<'_> {
    type Output = Option<FlockParts>;

    #[inline(always)]
    fn run<L: SimdF32>(self) -> Option<FlockParts> {
        let Self { pass, slot } = self;
        let table = &pass.neighbors.columns().table();
        let mut sheet = StepBuffer::<L>::new(&pass, table);
        sheet.fill(slot..slot + 1);
        let index = pass.neighbors.order()[slot] as usize;
        let rules = pass.rules.get(pass.members.get(index)?.rules as usize)?;
        Some(sheet.wish_of(0, rules).parts().first())
    }
}
