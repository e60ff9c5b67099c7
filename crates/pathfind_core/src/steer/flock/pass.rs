//! The wishes of many members at once.

use std::cmp::Ordering;
use std::ops::Range;

use glam::Vec3;

use super::kernel::{Place, Sums, sums};
use super::parts::shorten;
use super::{FlockGroup, FlockLaw, FlockParts, FlockRules};
use crate::neighbors::Neighbors;
use crate::simd::{Lanes, Pass, Simd};
use crate::steer::{Body, Chance};

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
    neighbors: &'a Neighbors,
    members: &'a [FlockMember],
    rules: &'a [FlockRules],
    groups: &'a [FlockGroup],
    normal: Option<Vec3>,
    simd: Simd,
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
        self.simd.run(Run { pass: *self, slots, out });
    }

    /// What the wish of one member is made of; `None` for one that wishes for nothing.
    #[must_use]
    pub fn parts(&self, index: usize) -> Option<FlockParts> {
        let slot = self.neighbors.order().iter().position(|&other| other as usize == index)?;
        self.simd.run(Explain { pass: *self, slot })
    }

    #[inline(always)]
    fn rules(&self, slot: usize) -> Option<(&'a FlockMember, &'a FlockRules)> {
        let member = self.members.get(self.neighbors.order()[slot] as usize)?;
        Some((member, self.rules.get(member.rules as usize)?))
    }

    #[inline(always)]
    fn parts_at<L: Lanes>(
        &self,
        place: Place<'_>,
        slot: usize,
        member: &FlockMember,
        rules: &FlockRules,
    ) -> FlockParts {
        let (axes, columns) = (self.neighbors.axes(), self.neighbors.columns());
        let mut sums = sums::<L>(place, slot, rules);
        sums.push = axes.world(sums.push);
        sums.way = axes.world(sums.way);
        sums.pull = axes.world(sums.pull);
        if sums.stacked > 1.0 {
            sums.push += self.part_stacked(slot, member);
        }
        let body = Body::new(axes.world(columns.position(slot)), axes.world(columns.velocity(slot)));
        let group = self.groups.get(columns.group(slot) as usize);
        match rules.law {
            FlockLaw::Robust => robust(rules, &sums, &body, group, member.noise),
            FlockLaw::Tutorial => tutorial(rules, &sums, &body, group, member.noise),
            FlockLaw::Reynolds => reynolds(rules, &sums, &body, group, member.noise),
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

/// Weighted means, none of which depends on how many mates there are.
#[inline(always)]
fn robust(
    rules: &FlockRules,
    sums: &Sums,
    body: &Body,
    group: Option<&FlockGroup>,
    noise: Vec3,
) -> FlockParts {
    let share = if sums.way_weight > 0.0 { 1.0 / sums.way_weight } else { 0.0 };
    FlockParts {
        separation: sums.push * rules.avoidance_force,
        leader: follow(rules, body, group),
        alignment: sums.way * (share * rules.follow_velocity),
        cohesion: shorten(sums.pull * (share * 4.0 * rules.follow.inverse), 1.0) * rules.gravity,
        noise,
        damping: Vec3::ZERO,
    }
}

/// As taught: shares of the whole flock, and gravity of one size.
#[inline(always)]
fn tutorial(
    rules: &FlockRules,
    sums: &Sums,
    body: &Body,
    group: Option<&FlockGroup>,
    noise: Vec3,
) -> FlockParts {
    let velocity = rules.lively(body.velocity);
    let alone = FlockGroup::default();
    let group = group.unwrap_or(&alone);
    let others = group.count.saturating_sub(1) as f32;
    let share = if others > 0.0 { 1.0 / others } else { 0.0 };
    let middle = if others > 0.0 { group.center - body.position } else { Vec3::ZERO };
    let origin = group.leader.map_or(Vec3::ZERO, |leader| leader.position - body.position);
    FlockParts {
        separation: sums.push * (rules.avoidance_force * share),
        leader: origin * rules.pull,
        alignment: sums.way * (rules.follow_velocity * share),
        cohesion: middle.normalize_or_zero() * rules.gravity,
        noise,
        damping: velocity * -rules.drag,
    }
}

/// Three directions, each with its weight.
#[inline(always)]
fn reynolds(
    rules: &FlockRules,
    sums: &Sums,
    body: &Body,
    group: Option<&FlockGroup>,
    noise: Vec3,
) -> FlockParts {
    let turn = if sums.way_weight > 0.0 {
        sums.way / sums.way_weight - body.velocity.normalize_or_zero()
    } else {
        Vec3::ZERO
    };
    FlockParts {
        separation: sums.push.normalize_or_zero() * rules.avoidance_force,
        leader: follow(rules, body, group),
        alignment: turn.normalize_or_zero() * rules.follow_velocity,
        cohesion: sums.pull.normalize_or_zero() * rules.gravity,
        noise,
        damping: Vec3::ZERO,
    }
}

/// A damped spring to the leader that leaves the flock room.
#[inline(always)]
fn follow(rules: &FlockRules, body: &Body, group: Option<&FlockGroup>) -> Vec3 {
    let Some((group, leader)) = group.and_then(|group| Some((group, group.leader?))) else {
        return Vec3::ZERO;
    };
    let offset = leader.position - body.position;
    let distance = offset.length();
    let beyond = (distance - rules.room * group.width).max(0.0);
    let pull = if beyond > 0.0 { offset * (rules.pull * beyond / distance) } else { Vec3::ZERO };
    shorten(pull + (leader.velocity - body.velocity) * rules.drag, rules.max_acceleration)
}

struct Run<'a, 'b> {
    pass: FlockPass<'a>,
    slots: Range<usize>,
    out: &'b mut [Vec3],
}

impl Pass for Run<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let neighbors = self.pass.neighbors;
        let table = &neighbors.columns().table();
        let mut ranges = Vec::new();
        for (slot, out) in self.slots.zip(self.out) {
            *out = Vec3::ZERO;
            if let Some((member, rules)) = self.pass.rules(slot) {
                let place = Place { neighbors, table, ranges: &mut ranges };
                let total = rules.total(&self.pass.parts_at::<L>(place, slot, member, rules));
                if total.is_finite() {
                    *out = total;
                }
            }
        }
    }
}

struct Explain<'a> {
    pass: FlockPass<'a>,
    slot: usize,
}

impl Pass for Explain<'_> {
    type Output = Option<FlockParts>;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Option<FlockParts> {
        let (member, rules) = self.pass.rules(self.slot)?;
        let neighbors = self.pass.neighbors;
        let table = &neighbors.columns().table();
        let place = Place { neighbors, table, ranges: &mut Vec::new() };
        Some(self.pass.parts_at::<L>(place, self.slot, member, rules))
    }
}
