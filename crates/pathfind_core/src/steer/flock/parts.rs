//! The parts that a member's acceleration is the sum of, and that sum; of as many members as there are lanes by the
//! robust model.

use glam::Vec3;

use super::kernel::NeighborSums;
use super::{FlockModel, FlockRules};
use crate::neighbors::Slots;
use crate::simd::{OneLane, SimdF32, Vectors, share};
use crate::steer::MovementPlane;

/// The parts of one member's acceleration, each in lengths/s².
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct FlockParts {
    /// Away from mates within the separation radius, and from mates at the same position.
    pub separation: Vec3,
    /// Towards the leader, and (not in the tutorial's model) towards its velocity.
    pub leader: Vec3,
    /// Towards the velocity or the heading of the mates.
    pub alignment: Vec3,
    /// Towards the centre of the mates; in the tutorial's model of the whole flock.
    pub cohesion: Vec3,
    /// Noise: the member's random push.
    pub noise: Vec3,
    /// Against the member's velocity. Tutorial model only.
    pub damping: Vec3,
}

impl FlockRules {
    /// The acceleration that the parts add up to. In the robust model each part, in the order of the fields of
    /// [`FlockParts`], is shortened to what the lengths of the parts before it leave of the limit of acceleration;
    /// in the other models the sum is shortened to that limit. A sum that is NaN or infinite counts as zero.
    #[must_use]
    #[inline(always)]
    pub fn total(&self, parts: &FlockParts) -> Vec3 {
        if self.model != FlockModel::Robust {
            let FlockParts { separation, leader, alignment, cohesion, noise, damping } = *parts;
            let sum = separation + leader + alignment + cohesion + noise + damping;
            let sum = sum.clamp_length_max(self.max_acceleration);
            return if sum.is_finite() { sum } else { Vec3::ZERO };
        }
        let mut lanes = [None; 5];
        let parts = [parts.separation, parts.leader, parts.alignment, parts.cohesion, parts.noise];
        for (lane, part) in lanes.iter_mut().zip(parts) {
            *lane = Some(Vectors::<OneLane>::splat(part));
        }
        total_within(&lanes, self.max_acceleration).first()
    }
}

/// The inputs of the accelerations of a few members.
pub(super) struct PartsInput<'a, L> {
    pub(super) slots: Slots<'a>,
    pub(super) rules: &'a FlockRules,
    /// For the group of each member: position and velocity of its leader, its width, and 1 if it has a leader. `None`
    /// if no group has a leader.
    pub(super) leaders: Option<[L; 8]>,
    pub(super) sums: NeighborSums<L>,
    pub(super) noise: Vectors<L>,
}

impl<L: SimdF32> PartsInput<'_, L> {
    /// The accelerations, projected on the plane if there is one.
    #[inline(always)]
    pub(super) fn total(&self, plane: Option<MovementPlane>) -> Vectors<L> {
        let total = total_within(&self.parts(), self.rules.max_acceleration);
        if let Some(plane) = plane { total.flat(plane.up()) } else { total }
    }

    /// The parts of the first member.
    #[inline(always)]
    pub(super) fn first(&self) -> FlockParts {
        let first = |part: Option<Vectors<L>>| part.map_or(Vec3::ZERO, Vectors::first);
        let [separation, leader, alignment, cohesion, noise] = self.parts().map(first);
        FlockParts { separation, leader, alignment, cohesion, noise, damping: Vec3::ZERO }
    }

    /// The parts, in the order of [`FlockParts`]; the leader's is `None` if no group has a leader, which saves the
    /// work. Alignment and cohesion are weighted means, so neither depends on the number of mates; separation is a
    /// plain sum. See [`flock`](super) for the formulas.
    #[inline(always)]
    fn parts(&self) -> [Option<Vectors<L>>; 5] {
        let Self { rules, sums, .. } = self;
        let share = L::splat(1.0).div(sums.weight).and(sums.weight.is_more(L::splat(0.0)));
        let pull = sums.pull.scale(share.mul(L::splat(4.0 * rules.alignment.inverse)));
        // No closures around SIMD values: they are not always inlined.
        let mut leader = None;
        if let Some(leaders) = self.leaders {
            leader = Some(self.spring(leaders));
        }
        [
            Some(sums.push.scale(L::splat(rules.separation_force))),
            leader,
            Some(sums.alignment.scale(share.mul(L::splat(rules.alignment_force)))),
            Some(pull.shorten(L::splat(1.0)).scale(L::splat(rules.cohesion_force))),
            Some(self.noise),
        ]
    }

    /// A damped spring to the leader: its length at rest grows with the flock.
    #[inline(always)]
    fn spring(&self, leaders: [L; 8]) -> Vectors<L> {
        let [x, y, z, vx, vy, vz, width, is_led] = leaders;
        let zero = L::splat(0.0);
        let offset = Vectors([x, y, z]).sub(self.slots.position());
        let distance = offset.length();
        let beyond = distance.sub(L::splat(self.rules.leader_distance).mul(width)).max(zero);
        let pull = L::splat(self.rules.pull).mul(beyond).div(distance).and(beyond.is_more(zero));
        let drag = Vectors([vx, vy, vz]).sub(self.slots.velocity()).scale(L::splat(self.rules.drag));
        let most = L::splat(self.rules.max_acceleration);
        offset.scale(pull).add(drag).shorten(most).and(is_led.is_more(zero))
    }
}

/// The sum of parts in order, each shortened to what the lengths of those before it leave of `most`: as in
/// [`blend`](crate::steer::blend), but for many members at once in `f32`, where that computes one body in `f64`, with
/// weights. A sum that is NaN or infinite counts as zero.
#[inline(always)]
pub(super) fn total_within<L: SimdF32>(parts: &[Option<Vectors<L>>; 5], most: f32) -> Vectors<L> {
    let (mut left, mut total) = (L::splat(most), Vectors::zero());
    for part in parts {
        if let Some(part) = *part {
            let length = part.length();
            total = total.add(part.scale(share(length, left)));
            left = left.sub(length).max(L::splat(0.0));
        }
    }
    let [x, y, z] = total.0;
    // `x - x` is 0 for finite `x` and NaN for others.
    let nothing = x.sub(x).add(y.sub(y)).add(z.sub(z));
    total.and(nothing.is_same(L::splat(0.0)))
}
