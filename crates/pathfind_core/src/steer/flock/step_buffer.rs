//! What mates come to for many members in a row, put down before anybody wishes.
//!
//! A wish is a chain of roots and divisions, each of which waits for the one before. Where the wishes of
//! several blocks follow each other, the processor computes them side by side; each between the sums over two
//! blocks' mates, it would wait for them one after the other.

use std::ops::Range;

use glam::Vec3;

use super::kernel::{NeighborSums, Scratch};
use super::pass::NOBODY;
use super::wish::Wish;
use super::{FlockPass, FlockRules, FlockStep};
use crate::neighbors::{Block, Slots};
use crate::simd::{LANES, SimdF32, Table, Vectors, prefetch};

/// How many members have room at most.
pub(super) const BLOCK: usize = 64;

/// Eight can be read and written from any of them on.
const LEN: usize = BLOCK + LANES;

/// Columns of numbers.
const NOISE: usize = 0;
const PUSH: usize = 3;
const WAY: usize = 6;
const PULL: usize = 9;
const WEIGHT: usize = 12;
/// How many there are.
const COLUMNS: usize = 13;

/// Later, in the place of what has been used.
const ACCELERATION: usize = PUSH;
const VELOCITY: usize = WAY;

/// Members at consecutive slots, what is known of each, and what its mates come to.
pub(super) struct StepBuffer<'a, L> {
    pass: &'a FlockPass<'a>,
    table: &'a Table<'a, 7>,
    slots: Range<usize>,
    /// By which rules each flies.
    rules: [u32; LEN],
    /// Whether all fly by the same.
    is_one: bool,
    columns: [[f32; LEN]; COLUMNS],
    scratch: Scratch<L>,
}

impl<'a, L: SimdF32> StepBuffer<'a, L> {
    pub(super) fn new(pass: &'a FlockPass<'a>, table: &'a Table<'a, 7>) -> Self {
        Self {
            pass,
            table,
            slots: 0..0,
            rules: [NOBODY; LEN],
            is_one: true,
            columns: [[0.0; LEN]; COLUMNS],
            scratch: Scratch::new(),
        }
    }

    /// Puts down what the mates of those at some slots come to: of no more than there is [`BLOCK`] for.
    #[inline(always)]
    pub(super) fn fill(&mut self, slots: Range<usize>) {
        let pass = self.pass;
        let order = &pass.neighbors.order()[slots.clone()];
        for (at, &index) in order.iter().enumerate() {
            let member = pass.members.get(index as usize);
            self.rules[at] = member.map_or(NOBODY, |member| member.rules);
            let noise = member.map_or_else(Default::default, |member| member.noise.to_array());
            (0..3).for_each(|axis| self.columns[NOISE + axis][at] = noise[axis]);
        }
        // Members lie in no order: those to come next take long.
        for &index in pass.neighbors.order()[slots.end..].iter().take(BLOCK) {
            prefetch(pass.members, index as usize);
        }
        self.is_one = self.rules[..slots.len()].iter().all(|&rules| rules == self.rules[0]);
        self.slots = slots;
        let mut slot = self.slots.start;
        while slot < self.slots.end {
            let block = Block::new::<L>(pass.neighbors, self.table, slot, self.slots.end);
            let at = slot - self.slots.start;
            let mut left = all(block.len());
            // Once for all members with the same rules.
            while left != 0 {
                let (lanes, kind) = self.alike(at, left);
                left &= !lanes;
                if let Some(rules) = pass.rules.get(kind as usize) {
                    pass.sums(&block, rules, &mut self.scratch);
                    let NeighborSums { push, way, weight, pull } = self.scratch.sums;
                    let every = all(block.len());
                    self.put(PUSH, at, lanes, every, push.0);
                    self.put(WAY, at, lanes, every, way.0);
                    self.put(PULL, at, lanes, every, pull.0);
                    self.put(WEIGHT, at, lanes, every, [weight]);
                }
            }
            slot = block.end;
        }
    }

    /// Of the members from one on that bits name, those with the rules of the first, as bits; and these rules.
    #[inline(always)]
    fn alike(&self, at: usize, lanes: u32) -> (u32, u32) {
        let kind = self.rules[at + lanes.trailing_zeros() as usize];
        if self.is_one {
            return (lanes, kind);
        }
        let same = (0..LANES).fold(0, |bits, lane| bits | u32::from(self.rules[at + lane] == kind) << lane);
        (same & lanes, kind)
    }

    /// Makes accelerations of what was put down.
    #[inline(always)]
    pub(super) fn wish(&mut self) {
        for at in (0..self.slots.len()).step_by(L::WIDTH) {
            let every = all(self.at(at).len());
            let mut left = every;
            while left != 0 {
                let (lanes, kind) = self.alike(at, left);
                left &= !lanes;
                let acceleration = match self.pass.rules.get(kind as usize) {
                    Some(rules) => self.wish_of(at, rules).total(self.pass.normal),
                    None => Vectors::zero(),
                };
                self.put(ACCELERATION, at, lanes, every, acceleration.0);
            }
        }
    }

    /// Makes velocities of accelerations.
    #[inline(always)]
    pub(super) fn limit(&mut self) {
        for at in (0..self.slots.len()).step_by(L::WIDTH) {
            let slots = self.at(at);
            let (now, acceleration) = (slots.velocity(), self.vectors(ACCELERATION, at));
            let every = all(slots.len());
            let mut left = every;
            while left != 0 {
                let (lanes, kind) = self.alike(at, left);
                left &= !lanes;
                let velocity = match self.pass.rules.get(kind as usize) {
                    Some(rules) => rules.velocities(now, acceleration, lanes, self.pass.normal),
                    None => now,
                };
                self.put(VELOCITY, at, lanes, every, velocity.0);
            }
        }
    }

    /// Says what all wish for, and where it leads.
    #[inline(always)]
    pub(super) fn write(&self, out: &mut [FlockStep]) {
        for (at, out) in out.iter_mut().enumerate() {
            *out = FlockStep { acceleration: self.vec(ACCELERATION, at), velocity: self.vec(VELOCITY, at) };
        }
    }

    #[inline(always)]
    fn vec(&self, first: usize, at: usize) -> Vec3 {
        Vec3::new(self.columns[first][at], self.columns[first + 1][at], self.columns[first + 2][at])
    }

    /// Puts numbers down, for those of a few members that bits name.
    #[inline(always)]
    fn put<const N: usize>(&mut self, first: usize, at: usize, lanes: u32, every: u32, numbers: [L; N]) {
        for (column, numbers) in self.columns[first..first + N].iter_mut().zip(numbers) {
            if lanes == every {
                numbers.write(column, at);
            } else {
                put_some(&mut column[at..], lanes, &numbers.to_array());
            }
        }
    }

    /// What those with certain rules wish for.
    #[inline(always)]
    pub(super) fn wish_of<'b>(&'b self, at: usize, rules: &'b FlockRules) -> Wish<'b, L> {
        let sums = NeighborSums {
            push: self.vectors(PUSH, at),
            way: self.vectors(WAY, at),
            weight: L::read(&self.columns[WEIGHT], at),
            pull: self.vectors(PULL, at),
        };
        let FlockPass { groups, has_leader, .. } = *self.pass;
        Wish { slots: self.at(at), rules, groups, has_leader, sums, noise: self.vectors(NOISE, at) }
    }

    /// Three columns of a few members.
    #[inline(always)]
    fn vectors(&self, first: usize, at: usize) -> Vectors<L> {
        let [x, y, z] = [&self.columns[first], &self.columns[first + 1], &self.columns[first + 2]];
        Vectors([L::read(x, at), L::read(y, at), L::read(z, at)])
    }

    /// As many members as there are lanes, from one on.
    #[inline(always)]
    fn at(&self, at: usize) -> Slots<'a> {
        let start = self.slots.start + at;
        let end = self.slots.end.min(start + L::WIDTH);
        Slots { neighbors: self.pass.neighbors, table: self.table, start, end }
    }
}

/// Puts those down that bits name.
#[cold]
fn put_some(column: &mut [f32], lanes: u32, numbers: &[f32; LANES]) {
    for (lane, (place, &number)) in column.iter_mut().zip(numbers).enumerate() {
        if lanes >> lane & 1 != 0 {
            *place = number;
        }
    }
}

/// The first so many lanes, as bits.
#[inline(always)]
fn all(count: usize) -> u32 {
    (1 << count) - 1
}
