//! Accelerations and velocities of many members at once.

use std::ops::Range;

use glam::Vec3;

use super::kernel::{NeighborSums, Scratch};
use super::step_buffer::{BLOCK, StepBuffer};
use super::{FlockGroup, FlockModel, FlockParts, FlockRules};
use crate::neighbors::{Block, Neighbors, RangeList};
use crate::simd::{Batch, OneLane, Simd, SimdF32, Vectors};
use crate::steer::apart::{MAX_SUMMED, mean_separating_direction, own_direction, separating_direction};
use crate::steer::{LengthError, MovementPlane, classic};

/// The index of rules that stands for none: the member's acceleration is zero.
pub(super) const NO_RULES: u32 = u32::MAX;

/// What a pass needs of a member beside its body.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FlockMember {
    /// Index into the pass's rules. One beyond them stands for no rules: the member keeps its velocity. Default: `0`.
    pub rules: u32,
    /// A number that identifies the member for its life. It gives the direction in which a member leaves mates at its
    /// very position, whatever the order of the members. Two members with the same id at one position leave in opposite
    /// directions, by their order. Range: any. Default: `0`.
    pub id: u64,
    /// Its [`random_push`](FlockRules::random_push) of this tick. Unit: lengths/s².
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::saved::finite"))]
    pub noise: Vec3,
}

/// The result for one member in one tick.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct FlockStep {
    /// The acceleration. Unit: lengths/s².
    pub acceleration: Vec3,
    /// The velocity after the tick, within the limits of turn and speed, as [`FlockRules::velocity`] computes it.
    /// Unit: lengths/s.
    pub velocity: Vec3,
}

/// The steps of all members in one tick. They can be computed in any number of parts, in turn or in parallel: a
/// member's step does not depend on that.
#[derive(Copy, Clone, Debug)]
pub struct FlockPass<'a> {
    pub(super) neighbors: &'a Neighbors,
    pub(super) members: &'a [FlockMember],
    pub(super) rules: &'a [FlockRules],
    pub(super) groups: &'a [FlockGroup],
    pub(super) has_leader: bool,
    pub(super) plane: Option<MovementPlane>,
    pub(super) simd: Simd,
}

impl<'a> FlockPass<'a> {
    /// A pass over the bodies in `neighbors`; `members` is indexed like these bodies, `groups` by the group
    /// numbers given to [`Neighbors::build`]. Only members of one group are mates. A body without a member or
    /// rules gets no acceleration; a group without an entry has no leader.
    #[must_use]
    pub fn new(
        neighbors: &'a Neighbors,
        members: &'a [FlockMember],
        rules: &'a [FlockRules],
        groups: &'a [FlockGroup],
    ) -> Self {
        let has_leader = groups.iter().any(|group| group.leader.is_some());
        Self { neighbors, members, rules, groups, has_leader, plane: None, simd: Simd::widest() }
    }

    /// In a plane: all accelerations lie in it.
    #[must_use]
    pub const fn with_plane(mut self, plane: Option<MovementPlane>) -> Self {
        self.plane = plane;
        self
    }

    /// With these instructions instead of the widest available.
    #[must_use]
    #[cfg(test)]
    pub(super) const fn with_simd(mut self, simd: Simd) -> Self {
        self.simd = simd;
        self
    }

    /// Writes the steps of the members at a range of slots, in the order of the slots.
    ///
    /// # Errors
    /// [`LengthError`] if the arrays do not fit together.
    pub fn run(&self, slots: Range<usize>, out: &mut [FlockStep]) -> Result<(), LengthError> {
        LengthError::unless_equal("steps for the slots", slots.len(), out.len())?;
        LengthError::unless_enough("sorted bodies", slots.end, self.neighbors.len())?;
        self.simd.batch(FlockBatch { pass: *self, slots: slots.clone(), out });
        if self.rules.iter().any(|rules| rules.model != FlockModel::Robust) {
            for (slot, step) in slots.zip(out) {
                if let Some(classic) = self.classic_step(slot) {
                    *step = classic;
                }
            }
        }
        Ok(())
    }

    /// The parts of one member's acceleration; `None` for a body without a member or rules.
    #[must_use]
    pub fn parts(&self, index: usize) -> Option<FlockParts> {
        let slot = self.neighbors.slot(index)?;
        let rules = self.rules.get(self.members.get(index)?.rules as usize)?;
        if rules.model != FlockModel::Robust {
            return Some(self.classic_parts(slot, rules));
        }
        let table = &self.neighbors.columns.table();
        let mut buffer = StepBuffer::<OneLane>::new(self, table);
        buffer.read(slot..slot + 1);
        buffer.sum(self.members[index].rules, rules);
        Some(buffer.parts_input(0, rules).first())
    }

    /// The rules with an index, if there are any and they are of the robust model.
    #[inline(always)]
    pub(super) fn robust_rules(&self, kind: u32) -> Option<&'a FlockRules> {
        self.rules.get(kind as usize).filter(|rules| rules.model == FlockModel::Robust)
    }

    /// The step of the member at a slot, if its model is a classic one.
    fn classic_step(&self, slot: usize) -> Option<FlockStep> {
        let member = self.members.get(self.neighbors.order()[slot] as usize)?;
        let rules = self.rules.get(member.rules as usize)?;
        if rules.model == FlockModel::Robust {
            return None;
        }
        let total = rules.total(&self.classic_parts(slot, rules));
        let acceleration = self.plane.map_or(total, |plane| plane.flat(total));
        let velocity = rules.velocity(self.neighbors.body(slot).velocity, acceleration, self.plane);
        Some(FlockStep { acceleration, velocity })
    }

    /// The parts of the acceleration of the member at a slot, by a classic model.
    fn classic_parts(&self, slot: usize, rules: &FlockRules) -> FlockParts {
        let (neighbors, columns) = (self.neighbors, &self.neighbors.columns);
        let (mut ranges, at) = (RangeList::new(), columns.position(slot));
        neighbors.for_each_sample(at, rules.reach(), |range, weight| ranges.push_with(range, weight));
        let near = ranges.as_slice().iter().flat_map(|span| {
            #[cfg(test)]
            crate::testing::count(span.len());
            (span.start as usize..span.end as usize).map(|slot| (slot, span.number))
        });
        let (own, group) = (neighbors.body(slot), columns.group(slot));
        let mates = near.filter(|&(mate, _)| columns.group(mate) == group);
        let mates = mates.map(|(mate, weight)| (neighbors.body(mate), weight));
        // Also leaves out the member itself.
        let apart = mates.filter(|(mate, _)| mate.position.distance_squared(own.position) > 0.0);
        let group = self.groups.get(group as usize).copied().unwrap_or_default();
        let push = self.coincident_push(slot);
        let parts = if rules.model == FlockModel::Tutorial {
            classic::tutorial_flock(rules, &own, &group, push, apart)
        } else {
            classic::reynolds_flock(rules, &own, &group, push, apart)
        };
        FlockParts { noise: self.members[neighbors.order()[slot] as usize].noise, ..parts }
    }

    /// Sums over the mates of the members of a block, by `rules`, in the world's axes.
    #[inline(always)]
    pub(super) fn sums<L: SimdF32>(&self, block: &Block<'_>, rules: &FlockRules, scratch: &mut Scratch<L>) {
        let axes = self.neighbors.axes;
        let shares_position = block.sums(rules, scratch);
        let NeighborSums { push, alignment, pull, .. } = &mut scratch.sums;
        for vectors in [&mut *push, alignment, pull] {
            *vectors = Vectors(axes.world_of(vectors.0));
        }
        if shares_position.is_any() {
            *push = self.add_coincident(block, *push, shares_position);
        }
    }

    /// `push`, with the pushes away from mates at the same position added.
    #[cold]
    #[inline(always)]
    fn add_coincident<L: SimdF32>(&self, block: &Block<'_>, push: Vectors<L>, lanes: L) -> Vectors<L> {
        let (mut push, lanes) = (push.to_arrays(), lanes.bits());
        for (lane, slot) in (block.start..block.end).enumerate() {
            if lanes >> lane & 1 != 0 {
                let apart = self.coincident_push(slot).to_array();
                (0..3).for_each(|axis| push[axis][lane] += apart[axis]);
            }
        }
        Vectors::load(&push)
    }

    /// The sum of the directions away from mates at the same position; those of the two of a pair are opposite.
    #[cold]
    fn coincident_push(&self, slot: usize) -> Vec3 {
        let (columns, order) = (&self.neighbors.columns, self.neighbors.order());
        let id = |slot: usize| self.members.get(order[slot] as usize).map_or(0, |member| member.id);
        let (own, plane) = (id(slot), self.plane.as_ref());
        let center = columns.position(slot);
        let (mut push, mut others) = (Vec3::ZERO, 0.0);
        // Of the mates with the member's own id: how many come after it in the caller's order, less how many come
        // before it.
        let mut later = 0.0;
        self.neighbors.for_each_sample(center, 0.0, |range, weight| {
            #[cfg(test)]
            crate::testing::count(range.len());
            for other in range {
                let is_mate = other != slot && columns.group(other) == columns.group(slot);
                if !is_mate || (columns.position(other) - center).length_squared() > 0.0 {
                    continue;
                }
                let id = id(other);
                if id == own {
                    later += if order[slot] < order[other] { weight } else { -weight };
                    continue;
                }
                others += weight;
                if others <= MAX_SUMMED {
                    push += separating_direction(own, id, plane).unwrap_or_default();
                }
            }
        });
        if others > MAX_SUMMED {
            push = mean_separating_direction(own, plane) * others;
        }
        if later != 0.0 {
            push += own_direction(own, plane) * later;
        }
        push
    }
}

struct FlockBatch<'a, 'b> {
    pass: FlockPass<'a>,
    slots: Range<usize>,
    out: &'b mut [FlockStep],
}

impl Batch for FlockBatch<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: SimdF32>(self) {
        let Self { pass, slots, out } = self;
        let table = &pass.neighbors.columns.table();
        let mut buffer = StepBuffer::<L>::new(&pass, table);
        for (part, out) in out.chunks_mut(BLOCK).enumerate() {
            let start = slots.start + part * BLOCK;
            buffer.run(start..start + out.len(), out);
        }
    }
}
