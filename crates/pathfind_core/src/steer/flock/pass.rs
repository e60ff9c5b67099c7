//! The wishes of many members at once.

use std::cmp::Ordering;
use std::ops::Range;

use glam::Vec3;

use super::kernel::{Block, Sums};
use super::parts::finite;
use super::spans::Spans;
use super::{FlockGroup, FlockLaw, FlockParts, FlockRules};
use crate::neighbors::{Columns, Neighbors};
use crate::simd::{LANES, Numbers, Simd, Sweep, Vectors, share};
use crate::steer::Chance;

/// The rules of those that wish for nothing.
pub(super) const NOBODY: u32 = u32::MAX;

/// The group of those whose group is not known.
static ALONE: FlockGroup = FlockGroup { count: 0, center: Vec3::ZERO, leader: None, width: 0.0 };

/// What a pass has to know of a member beside its body.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct FlockMember {
    /// By which of the pass's rules it flies; by none, where there is no such.
    pub rules: u32,
    /// A number that stays its own: members on one spot part by it, whatever order they are given in.
    pub id: u64,
    /// Its [`random_push`](FlockRules::random_push).
    pub noise: Vec3,
}

/// The wishes of all members in one tick, to be had in any number of parts, one after the other or at once:
/// what comes out for a member does not depend on that.
#[derive(Copy, Clone, Debug)]
pub struct FlockPass<'a> {
    pub(super) neighbors: &'a Neighbors,
    pub(super) members: &'a [FlockMember],
    pub(super) rules: &'a [FlockRules],
    groups: &'a [FlockGroup],
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
        Self { neighbors, members, rules, groups, normal: None, simd: Simd::widest() }
    }

    /// In a plane square to `normal`: members on one spot part along it.
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

    /// The accelerations of the members at a range of slots, in the order of the slots.
    ///
    /// # Panics
    ///
    /// Where `out` is not as long as the range, or the range goes beyond the last slot.
    pub fn run(&self, slots: Range<usize>, out: &mut [Vec3]) {
        assert_eq!(slots.len(), out.len(), "a place for each slot");
        assert!(slots.end <= self.neighbors.len(), "slots have bodies");
        self.simd.sweep(Run { pass: *self, slots, out });
    }

    /// What the wish of one member is made of; `None` for one that wishes for nothing.
    #[must_use]
    pub fn parts(&self, index: usize) -> Option<FlockParts> {
        let slot = self.neighbors.order().iter().position(|&other| other as usize == index)?;
        self.simd.sweep(Explain { pass: *self, slot })
    }

    /// The members of a block; nobody, where there is none.
    #[inline(always)]
    fn members_of(&self, block: &Block<'_>) -> [FlockMember; LANES] {
        let mut members = [FlockMember { rules: NOBODY, id: 0, noise: Vec3::ZERO }; LANES];
        for (member, &index) in members.iter_mut().zip(&self.neighbors.order()[block.start..block.end]) {
            if let Some(&known) = self.members.get(index as usize) {
                *member = known;
            }
        }
        members
    }

    #[inline(always)]
    fn parts_of<L: Numbers>(
        &self,
        block: &Block<'_>,
        members: &[FlockMember; LANES],
        rules: &FlockRules,
        spans: &mut Spans,
    ) -> Parts<L> {
        let axes = self.neighbors.axes();
        let (mut sums, has_company) = block.sums::<L>(rules, spans);
        sums.push = Vectors(axes.world_of(sums.push.0));
        sums.way = Vectors(axes.world_of(sums.way.0));
        sums.pull = Vectors(axes.world_of(sums.pull.0));
        if has_company.is_any() {
            let mut push = sums.push.to_arrays();
            let has_company = has_company.to_array();
            for (lane, slot) in (block.start..block.end).enumerate() {
                if has_company[lane].to_bits() != 0 {
                    let apart = self.part_stacked(slot, &members[lane]).to_array();
                    (0..3).for_each(|axis| push[axis][lane] += apart[axis]);
                }
            }
            sums.push = Vectors::load(&push);
        }
        let own = self.own::<L>(block, members);
        match rules.law {
            FlockLaw::Robust => own.robust(rules, &sums),
            FlockLaw::Tutorial => own.tutorial(rules, &sums),
            FlockLaw::Reynolds => own.reynolds(rules, &sums),
        }
    }

    #[inline(always)]
    fn own<L: Numbers>(&self, block: &Block<'_>, members: &[FlockMember; LANES]) -> Own<L> {
        let (axes, columns) = (self.neighbors.axes(), self.neighbors.columns());
        let window = block.table.window(block.start);
        let (at, moves) = (Columns::POSITION, Columns::VELOCITY);
        let position = [window.lanes(at), window.lanes(at + 1), window.lanes(at + 2)];
        let velocity = [window.lanes(moves), window.lanes(moves + 1), window.lanes(moves + 2)];
        let mut groups = [&ALONE; LANES];
        let mut is_one = true;
        for (lane, slot) in (block.start..block.end).enumerate() {
            groups[lane] = self.groups.get(columns.group(slot) as usize).unwrap_or(&ALONE);
            is_one &= std::ptr::eq(groups[lane], groups[0]);
        }
        let groups = if is_one { &groups[..1] } else { &groups[..] };
        let leader = |group: &FlockGroup| group.leader.unwrap_or_default();
        Own {
            position: Vectors(axes.world_of(position)),
            velocity: Vectors(axes.world_of(velocity)),
            noise: each_vector(members, |member| member.noise),
            is_led: each::<L, _>(groups, |group| f32::from(group.leader.is_some() as u8))
                .is_more(L::splat(0.0)),
            leader: each_vector(groups, |group| leader(group).position),
            leader_velocity: each_vector(groups, |group| leader(group).velocity),
            width: each(groups, |group| group.width),
            others: each(groups, |group| group.count.saturating_sub(1) as f32),
            // Seen from a member, the middle of all lies in the same direction as that of the others.
            center: each_vector(groups, |group| group.center),
        }
    }

    /// Directions away from mates on the very spot, opposite for the two of a pair.
    #[cold]
    fn part_stacked(&self, slot: usize, member: &FlockMember) -> Vec3 {
        let (columns, order) = (self.neighbors.columns(), self.neighbors.order());
        let center = columns.position(slot);
        let mut push = Vec3::ZERO;
        self.neighbors.for_each_range(center, 0.0, |range| {
            for other in range {
                let is_mate = other != slot && columns.group(other) == columns.group(slot);
                if !is_mate || (columns.position(other) - center).length_squared() > 0.0 {
                    continue;
                }
                let id = self.members.get(order[other] as usize).map_or(0, |member| member.id);
                let sign = match member.id.cmp(&id).then(order[slot].cmp(&order[other])) {
                    Ordering::Less => 1.0,
                    _ => -1.0,
                };
                let mut chance = Chance::new(0, member.id.min(id), member.id.max(id));
                let way = chance.direction();
                let way = self.normal.map_or(way, |normal| way - normal * way.dot(normal));
                push += way.normalize_or_zero() * sign;
            }
        });
        push
    }
}

/// A number of each lane; of one item, the same in all.
#[inline(always)]
fn each<L: Numbers, T>(items: &[T], get: impl Fn(&T) -> f32) -> L {
    if items.len() == 1 {
        return L::splat(get(&items[0]));
    }
    let mut values = [0.0; LANES];
    for (value, item) in values.iter_mut().zip(items) {
        *value = get(item);
    }
    L::load(&values)
}

/// A vector of each lane; of one item, the same in all.
#[inline(always)]
fn each_vector<L: Numbers, T>(items: &[T], get: impl Fn(&T) -> Vec3) -> Vectors<L> {
    Vectors([
        each(items, |item| get(item).x),
        each(items, |item| get(item).y),
        each(items, |item| get(item).z),
    ])
}

/// All that a block's wishes are made of.
struct Own<L> {
    position: Vectors<L>,
    velocity: Vectors<L>,
    noise: Vectors<L>,
    /// Where there is a leader.
    is_led: L,
    leader: Vectors<L>,
    leader_velocity: Vectors<L>,
    width: L,
    /// Mates in the whole group.
    others: L,
    center: Vectors<L>,
}

impl<L: Numbers> Own<L> {
    /// Weighted means, none of which depends on how many mates there are.
    #[inline(always)]
    fn robust(&self, rules: &FlockRules, sums: &Sums<L>) -> Parts<L> {
        let share = L::splat(1.0).div(sums.weight).and(sums.weight.is_more(L::splat(0.0)));
        let pull = sums.pull.scale(share.mul(L::splat(4.0 * rules.follow.inverse)));
        Parts {
            separation: sums.push.scale(L::splat(rules.avoidance_force)),
            leader: self.follow(rules),
            alignment: sums.way.scale(share.mul(L::splat(rules.follow_velocity))),
            cohesion: pull.shorten(L::splat(1.0)).scale(L::splat(rules.gravity)),
            noise: self.noise,
            damping: Vectors::zero(),
        }
    }

    /// As taught: shares of the whole flock, and gravity of one size.
    #[inline(always)]
    fn tutorial(&self, rules: &FlockRules, sums: &Sums<L>) -> Parts<L> {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let has_others = self.others.is_more(zero);
        let share = one.div(self.others).and(has_others);
        let slow = self.velocity.length();
        // The least speed comes before all else.
        let lift = L::splat(rules.min_speed).div(slow).max(one);
        let lift = lift.and(slow.is_more(zero));
        Parts {
            separation: sums.push.scale(share.mul(L::splat(rules.avoidance_force))),
            leader: self.leader.sub(self.position).and(self.is_led).scale(L::splat(rules.pull)),
            alignment: sums.way.scale(share.mul(L::splat(rules.follow_velocity))),
            cohesion: self
                .center
                .sub(self.position)
                .and(has_others)
                .normalize()
                .scale(L::splat(rules.gravity)),
            noise: self.noise,
            damping: self.velocity.scale(lift.mul(L::splat(-rules.drag))),
        }
    }

    /// Three directions, each with its weight.
    #[inline(always)]
    fn reynolds(&self, rules: &FlockRules, sums: &Sums<L>) -> Parts<L> {
        let has_mates = sums.weight.is_more(L::splat(0.0));
        let share = L::splat(1.0).div(sums.weight).and(has_mates);
        let turn = sums.way.scale(share).sub(self.velocity.normalize()).and(has_mates);
        Parts {
            separation: sums.push.normalize().scale(L::splat(rules.avoidance_force)),
            leader: self.follow(rules),
            alignment: turn.normalize().scale(L::splat(rules.follow_velocity)),
            cohesion: sums.pull.normalize().scale(L::splat(rules.gravity)),
            noise: self.noise,
            damping: Vectors::zero(),
        }
    }

    /// A damped spring to the leader that leaves the flock room.
    #[inline(always)]
    fn follow(&self, rules: &FlockRules) -> Vectors<L> {
        if !self.is_led.is_any() {
            return Vectors::zero();
        }
        let zero = L::splat(0.0);
        let offset = self.leader.sub(self.position);
        let distance = offset.length();
        let beyond = distance.sub(L::splat(rules.room).mul(self.width)).max(zero);
        let pull = L::splat(rules.pull).mul(beyond).div(distance).and(beyond.is_more(zero));
        let drag = self.leader_velocity.sub(self.velocity).scale(L::splat(rules.drag));
        offset.scale(pull).add(drag).shorten(L::splat(rules.max_acceleration)).and(self.is_led)
    }
}

/// [`FlockParts`] of a block.
struct Parts<L> {
    separation: Vectors<L>,
    leader: Vectors<L>,
    alignment: Vectors<L>,
    cohesion: Vectors<L>,
    noise: Vectors<L>,
    damping: Vectors<L>,
}

impl<L: Numbers> Parts<L> {
    /// As [`FlockRules::total`].
    #[inline(always)]
    fn total(&self, rules: &FlockRules) -> Vectors<L> {
        let urgent = [self.separation, self.leader, self.alignment, self.cohesion, self.noise];
        let most = L::splat(rules.max_acceleration);
        let mut total = Vectors::zero();
        if rules.law != FlockLaw::Robust {
            for part in urgent {
                total = total.add(part);
            }
            return total.add(self.damping).shorten(most);
        }
        let mut left = most;
        for part in urgent {
            let length = part.length();
            total = total.add(part.scale(share(length, left)));
            left = left.sub(length).max(L::splat(0.0));
        }
        total
    }

    #[inline(always)]
    fn first(&self) -> FlockParts {
        let first = |vectors: Vectors<L>| Vec3::from_array(vectors.0.map(|lanes| lanes.to_array()[0]));
        FlockParts {
            separation: first(self.separation),
            leader: first(self.leader),
            alignment: first(self.alignment),
            cohesion: first(self.cohesion),
            noise: first(self.noise),
            damping: first(self.damping),
        }
    }
}

struct Run<'a, 'b> {
    pass: FlockPass<'a>,
    slots: Range<usize>,
    out: &'b mut [Vec3],
}

impl Sweep for Run<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Numbers>(self) {
        let Self { pass, slots, out } = self;
        let table = &pass.neighbors.columns().table();
        let mut spans = Spans::new();
        out.fill(Vec3::ZERO);
        let mut slot = slots.start;
        while slot < slots.end {
            let block = Block::new(pass.neighbors, table, slot, slots.end, L::WIDTH);
            let out = &mut out[slot - slots.start..block.end - slots.start];
            let members = pass.members_of(&block);
            let mut left = members.map(|member| member.rules);
            // Once for all members with the same rules.
            for lane in 0..out.len() {
                let kind = left[lane];
                let Some(rules) = pass.rules.get(kind as usize) else { continue };
                let parts = pass.parts_of::<L>(&block, &members, rules, &mut spans);
                let [x, y, z] = parts.total(rules).to_arrays();
                for (lane, out) in out.iter_mut().enumerate() {
                    if left[lane] == kind {
                        left[lane] = NOBODY;
                        *out = finite(Vec3::new(x[lane], y[lane], z[lane]));
                    }
                }
            }
            slot = block.end;
        }
    }
}

struct Explain<'a> {
    pass: FlockPass<'a>,
    slot: usize,
}

impl Sweep for Explain<'_> {
    type Output = Option<FlockParts>;

    #[inline(always)]
    fn run<L: Numbers>(self) -> Option<FlockParts> {
        let Self { pass, slot } = self;
        let table = &pass.neighbors.columns().table();
        let block = Block::new(pass.neighbors, table, slot, slot + 1, 1);
        let members = pass.members_of(&block);
        let rules = pass.rules.get(members[0].rules as usize)?;
        Some(pass.parts_of::<L>(&block, &members, rules, &mut Spans::new()).first())
    }
}
