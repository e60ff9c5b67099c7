//! The accelerations of as many members as there are lanes, from the sums over their mates, by the robust model.

use glam::Vec3;

use super::kernel::NeighborSums;
use super::{FlockGroup, FlockParts, FlockRules};
use crate::neighbors::Slots;
use crate::simd::{LANES, SimdF32, Vectors, share};
use crate::steer::MovementPlane;

/// The group of a member whose group has no entry.
static ALONE: FlockGroup = FlockGroup { count: 0, center: Vec3::ZERO, leader: None, width: 0.0 };

/// The inputs of the accelerations of a few members.
pub(super) struct PartsInput<'a, L> {
    pub(super) slots: Slots<'a>,
    pub(super) rules: &'a FlockRules,
    pub(super) groups: &'a [FlockGroup],
    /// Whether any group has a leader.
    pub(super) has_leader: bool,
    pub(super) sums: NeighborSums<L>,
    pub(super) noise: Vectors<L>,
}

impl<L: SimdF32> PartsInput<'_, L> {
    /// The accelerations, projected on the plane if there is one.
    #[inline(always)]
    pub(super) fn total(&self, plane: Option<MovementPlane>) -> Vectors<L> {
        let total = self.parts().total(self.rules);
        if let Some(plane) = plane { total.flat(plane.up()) } else { total }
    }

    /// The parts. Alignment and cohesion are weighted means, so none depends on the number of mates; separation is a
    /// plain sum. See [`flock`](super) for the formulas.
    #[inline(always)]
    pub(super) fn parts(&self) -> Parts<L> {
        let Self { rules, sums, .. } = self;
        let share = L::splat(1.0).div(sums.weight).and(sums.weight.is_more(L::splat(0.0)));
        let pull = sums.pull.scale(share.mul(L::splat(4.0 * rules.alignment.inverse)));
        Parts {
            separation: sums.push.scale(L::splat(rules.separation_force)),
            leader: self.spring(),
            alignment: sums.alignment.scale(share.mul(L::splat(rules.alignment_force))),
            cohesion: pull.shorten(L::splat(1.0)).scale(L::splat(rules.cohesion_force)),
            noise: self.noise,
        }
    }

    /// A damped spring to the leader: its length at rest grows with the flock.
    #[inline(always)]
    fn spring(&self) -> Option<Vectors<L>> {
        if !self.has_leader {
            return None;
        }
        let (rules, group) = (self.rules, self.group());
        let zero = L::splat(0.0);
        let offset = group.leader.sub(self.slots.position());
        let distance = offset.length();
        let beyond = distance.sub(L::splat(rules.leader_distance).mul(group.width)).max(zero);
        let pull = L::splat(rules.pull).mul(beyond).div(distance).and(beyond.is_more(zero));
        let drag = group.leader_velocity.sub(self.slots.velocity()).scale(L::splat(rules.drag));
        Some(offset.scale(pull).add(drag).shorten(L::splat(rules.max_acceleration)).and(group.is_led))
    }

    /// The group of each member.
    #[inline(always)]
    fn group(&self) -> Group<L> {
        let columns = self.slots.neighbors.columns();
        let known = |group: u32| self.groups.get(group as usize).unwrap_or(&ALONE);
        if !columns.has_groups() {
            return Group::of(&[known(0)]);
        }
        let mut groups = [&ALONE; LANES];
        for (lane, slot) in (self.slots.start..self.slots.end).enumerate() {
            groups[lane] = known(columns.group(slot));
        }
        Group::of(&groups)
    }
}

/// The [`FlockGroup`] of each member.
struct Group<L> {
    /// Mask: the group has a leader.
    is_led: L,
    leader: Vectors<L>,
    leader_velocity: Vectors<L>,
    width: L,
}

impl<L: SimdF32> Group<L> {
    #[inline(always)]
    fn of(groups: &[&FlockGroup]) -> Self {
        let leader = |group: &FlockGroup| group.leader.unwrap_or_default();
        let is_led: L = each(groups, |group| f32::from(u8::from(group.leader.is_some())));
        Self {
            is_led: is_led.is_more(L::splat(0.0)),
            leader: each_vector(groups, |group| leader(group).position),
            leader_velocity: each_vector(groups, |group| leader(group).velocity),
            width: each(groups, |group| group.width),
        }
    }
}

/// A number for each lane; a single item fills all lanes.
#[inline(always)]
fn each<L: SimdF32, T>(items: &[T], get: impl Fn(&T) -> f32) -> L {
    if items.len() == 1 {
        return L::splat(get(&items[0]));
    }
    let mut values = [0.0; LANES];
    for (value, item) in values.iter_mut().zip(items) {
        *value = get(item);
    }
    L::load(&values)
}

/// A vector for each lane; a single item fills all lanes.
#[inline(always)]
fn each_vector<L: SimdF32, T>(items: &[T], get: impl Fn(&T) -> Vec3) -> Vectors<L> {
    Vectors([
        each(items, |item| get(item).x),
        each(items, |item| get(item).y),
        each(items, |item| get(item).z),
    ])
}

/// The [`FlockParts`] of each member.
pub(super) struct Parts<L> {
    separation: Vectors<L>,
    /// `None` if no group has a leader, which saves the work.
    leader: Option<Vectors<L>>,
    alignment: Vectors<L>,
    cohesion: Vectors<L>,
    noise: Vectors<L>,
}

impl<L: SimdF32> Parts<L> {
    /// As [`FlockRules::total`], for all lanes.
    #[inline(always)]
    pub(super) fn total(&self, rules: &FlockRules) -> Vectors<L> {
        let most = L::splat(rules.max_acceleration);
        let Self { separation, leader, alignment, cohesion, noise } = *self;
        let mut budget = Budget { left: most, total: Vectors::zero() };
        budget.spend(separation);
        if let Some(leader) = leader {
            budget.spend(leader);
        }
        budget.spend(alignment);
        budget.spend(cohesion);
        budget.spend(noise);
        finite(budget.total)
    }

    /// The parts of the first member.
    #[inline(always)]
    pub(super) fn first(&self) -> FlockParts {
        let first = |vectors: Vectors<L>| Vec3::from_array(vectors.0.map(|lanes| lanes.to_array()[0]));
        FlockParts {
            separation: first(self.separation),
            leader: self.leader.map_or(Vec3::ZERO, first),
            alignment: first(self.alignment),
            cohesion: first(self.cohesion),
            noise: first(self.noise),
            damping: Vec3::ZERO,
        }
    }
}

/// The acceleration still available, and the sum of what was granted: as in [`blend`](crate::steer::blend), but for
/// many members at once in `f32`, where that computes one body in `f64`, with weights.
struct Budget<L> {
    left: L,
    total: Vectors<L>,
}

impl<L: SimdF32> Budget<L> {
    #[inline(always)]
    fn spend(&mut self, part: Vectors<L>) {
        let length = part.length();
        self.total = self.total.add(part.scale(share(length, self.left)));
        self.left = self.left.sub(length).max(L::splat(0.0));
    }
}

/// As `finite` in [`parts`](super::parts), for all lanes.
#[inline(always)]
fn finite<L: SimdF32>(vectors: Vectors<L>) -> Vectors<L> {
    let [x, y, z] = vectors.0;
    // `x - x` is 0 for finite `x` and NaN for others.
    let nothing = x.sub(x).add(y.sub(y)).add(z.sub(z));
    vectors.and(nothing.is_same(L::splat(0.0)))
}
