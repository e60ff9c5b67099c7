//! Moving many members on at once.

use std::ops::Range;

use glam::Vec3;

use super::limits::limit_all;
use super::pass::NOBODY;
use super::{FlockLaw, FlockMember, FlockPass, FlockRules};
use crate::neighbors::Columns;
use crate::simd::{LANES, Numbers, Sweep, Vectors};
use crate::steer::Body;

/// Bodies and members in the order of their slots: what a tick makes of them.
#[derive(Debug)]
pub struct FlockMoved<'a> {
    /// Where each is, and how it moves.
    pub bodies: &'a mut [Body],
    /// Who it is, with its random push for the next tick.
    pub members: &'a mut [FlockMember],
}

impl FlockPass<'_> {
    /// Moves the members at a range of slots on by a tick, as [`FlockRules::advance`] and
    /// [`FlockRules::random_push`] would one by one. `from` are the bodies that were sorted in, and
    /// `accelerations` those for the slots; seed and number of the tick are for chance. Bodies without rules
    /// stay as they are.
    ///
    /// What comes out is in the order of the slots. Whoever keeps bodies and members in that order finds
    /// neighbours near each other in memory, and their next tick is faster for it; members keep their ids.
    ///
    /// # Panics
    ///
    /// Where there are not as many accelerations or places as slots, the range goes beyond the last slot, or
    /// there are fewer bodies than were sorted in.
    pub fn advance(
        &self,
        slots: Range<usize>,
        from: &[Body],
        accelerations: &[Vec3],
        (seed, tick): (u64, u64),
        to: FlockMoved<'_>,
    ) {
        let lengths = [accelerations.len(), to.bodies.len(), to.members.len()];
        assert_eq!(lengths, [slots.len(); 3], "an acceleration and a place for each slot");
        assert!(slots.end <= self.neighbors.len(), "slots have bodies");
        self.simd.sweep(Advance { pass: *self, slots, from, accelerations, chance: (seed, tick), to });
    }
}

struct Advance<'a, 'b> {
    pass: FlockPass<'a>,
    slots: Range<usize>,
    from: &'b [Body],
    accelerations: &'b [Vec3],
    chance: (u64, u64),
    to: FlockMoved<'b>,
}

impl Sweep for Advance<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Numbers>(mut self) {
        let nobody = FlockMember { rules: NOBODY, ..FlockMember::default() };
        for first in (0..self.slots.len()).step_by(L::WIDTH) {
            let part = first..self.slots.len().min(first + L::WIDTH);
            let slot = self.slots.start + first;
            let order = &self.pass.neighbors.order()[slot..slot + part.len()];
            let members = &mut self.to.members[part.clone()];
            for (member, &index) in members.iter_mut().zip(order) {
                *member = self.pass.members.get(index as usize).copied().unwrap_or(nobody);
            }
            let kind = members[0].rules;
            let is_one = members.iter().all(|member| member.rules == kind);
            match self.pass.rules.get(kind as usize) {
                Some(rules) if is_one && rules.law != FlockLaw::Tutorial => {
                    self.at_once::<L>(rules, part, order)
                }
                _ => part.zip(order).for_each(|(at, &index)| self.one(at, index)),
            }
        }
    }
}

impl Advance<'_, '_> {
    fn one(&mut self, at: usize, index: u32) {
        let (body, member) = (&mut self.to.bodies[at], &mut self.to.members[at]);
        *body = self.from[index as usize];
        let (normal, (seed, tick)) = (self.pass.normal, self.chance);
        if let Some(rules) = self.pass.rules.get(member.rules as usize) {
            rules.advance(body, self.accelerations[at], normal);
            member.noise = rules.random_push(member.noise, seed, member.id, tick, normal);
        }
    }

    /// Members with the same rules, as many as there are lanes.
    #[inline(always)]
    fn at_once<L: Numbers>(&mut self, rules: &FlockRules, part: Range<usize>, order: &[u32]) {
        let neighbors = self.pass.neighbors;
        let window = neighbors.columns().table().window(self.slots.start + part.start);
        let (at, moves) = (Columns::POSITION, Columns::VELOCITY);
        let position = [window.lanes::<L>(at), window.lanes(at + 1), window.lanes(at + 2)];
        let velocity = [window.lanes::<L>(moves), window.lanes(moves + 1), window.lanes(moves + 2)];
        let position = Vectors(neighbors.axes().world_of(position));
        let velocity = Vectors(neighbors.axes().world_of(velocity));
        let mut wishes = [[0.0; LANES]; 3];
        for (lane, wish) in self.accelerations[part.clone()].iter().enumerate() {
            [wishes[0][lane], wishes[1][lane], wishes[2][lane]] = wish.to_array();
        }
        let dt = L::splat(rules.dt);
        let wished = velocity.add(Vectors::load(&wishes).scale(dt));
        let (velocity, is_left) = limit_all(velocity, wished, (rules.min_speed, rules.max_speed), rules.turn);
        let noise = rules.random_pushes::<L>(&self.to.members[part.clone()], self.chance, self.pass.normal);
        let places = position.add(velocity.scale(dt)).to_arrays();
        let (velocities, noises) = (velocity.to_arrays(), noise.to_arrays());
        let vector = |arrays: &[[f32; LANES]; 3], lane: usize| {
            Vec3::new(arrays[0][lane], arrays[1][lane], arrays[2][lane])
        };
        let is_left = is_left.is_any().then(|| is_left.bits());
        for (lane, (at, &index)) in part.zip(order).enumerate() {
            if is_left.is_some_and(|is_left| is_left >> lane & 1 != 0) {
                self.one(at, index);
                continue;
            }
            let (position, velocity) = (vector(&places, lane), vector(&velocities, lane));
            self.to.bodies[at] = Body { position, velocity, radius: self.from[index as usize].radius };
            self.to.members[at].noise = vector(&noises, lane);
        }
    }
}
