//! Moving many members on at once.

use std::ops::Range;

use super::noise::Draw;
use super::pass::NOBODY;
use super::{FlockMember, FlockPass, FlockStep};
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
    /// Moves the members at a range of slots on by a tick, and draws their next random pushes, as
    /// [`FlockMember::draw`] does. `from` are the bodies that were sorted in, and `steps` what
    /// [`run`](Self::run) gave for the slots; seed and number of the tick are for chance. Bodies without rules
    /// stay as they are.
    ///
    /// What comes out is in the order of the slots. Whoever keeps bodies and members in that order finds
    /// neighbours near each other in memory, and their next tick is faster for it; members keep their ids.
    /// It is faster still to run and advance some thousand slots at a time, whose steps then stay in the cache.
    ///
    /// # Panics
    ///
    /// Where there are not as many steps or places as slots, the range goes beyond the last slot, or there
    /// are fewer bodies than were sorted in.
    pub fn advance(
        &self,
        slots: Range<usize>,
        from: &[Body],
        steps: &[FlockStep],
        rng: (u64, u64),
        to: FlockMoved<'_>,
    ) {
        let lengths = [steps.len(), to.bodies.len(), to.members.len()];
        assert_eq!(lengths, [slots.len(); 3], "a step and a place for each slot");
        assert!(slots.end <= self.neighbors.len(), "slots have bodies");
        let nobody = FlockMember { rules: NOBODY, ..FlockMember::default() };
        let order = &self.neighbors.order()[slots];
        // A few at a time, so that what was just moved is still at hand for chance.
        let parts = order.chunks(PART).zip(steps.chunks(PART));
        let places = to.bodies.chunks_mut(PART).zip(to.members.chunks_mut(PART));
        for ((order, steps), (bodies, members)) in parts.zip(places) {
            for (((&index, step), body), member) in order.iter().zip(steps).zip(bodies).zip(&mut *members) {
                *member = self.members.get(index as usize).copied().unwrap_or(nobody);
                *body = from[index as usize];
                if let Some(rules) = self.rules.get(member.rules as usize) {
                    body.velocity = step.velocity;
                    body.position += step.velocity * rules.dt;
                }
            }
            self.simd.batch(Draw { members, rules: self.rules, rng, normal: self.normal });
        }
    }
}

/// How many are moved before their chance is drawn.
const PART: usize = 256;
