//! Applying the steps of a tick: members are moved and their noise is drawn.

use std::ops::Range;

use super::noise::Draw;
use super::pass::NO_RULES;
use super::{FlockMember, FlockPass, FlockStep};
use crate::steer::{Body, LengthError};

/// Where [`FlockPass::advance`] writes: bodies and members in the order of their slots.
#[derive(Debug)]
pub struct FlockMoved<'a> {
    /// The bodies after the tick.
    pub bodies: &'a mut [Body],
    /// The members, with their random pushes for the next tick.
    pub members: &'a mut [FlockMember],
}

impl FlockPass<'_> {
    /// Moves the members at a range of slots on by a tick, and draws their next random pushes as
    /// [`FlockMember::draw`] does. `from` are the bodies that [`Neighbors`](crate::neighbors::Neighbors) was built
    /// of, `steps` the output of [`run`](Self::run) for the slots, `rng` the seed and the number of the tick.
    /// Bodies without rules are copied unchanged.
    ///
    /// The output is in the order of the slots. A caller that keeps bodies and members in that order has
    /// neighbours near each other in memory, which makes the next tick faster; members keep their ids. It is
    /// faster still to run and advance some thousand slots at a time, so that the steps stay in the cache.
    ///
    /// # Errors
    /// [`LengthError`] if the arrays do not fit together.
    pub fn advance(
        &self,
        slots: Range<usize>,
        from: &[Body],
        steps: &[FlockStep],
        rng: (u64, u64),
        to: FlockMoved<'_>,
    ) -> Result<(), LengthError> {
        LengthError::unless_equal("steps for the slots", slots.len(), steps.len())?;
        LengthError::unless_equal("moved bodies for the slots", slots.len(), to.bodies.len())?;
        LengthError::unless_equal("moved members for the slots", slots.len(), to.members.len())?;
        LengthError::unless_enough("sorted bodies", slots.end, self.neighbors.len())?;
        LengthError::unless_enough("bodies", self.neighbors.len(), from.len())?;
        let without_rules = FlockMember { rules: NO_RULES, ..FlockMember::default() };
        // Empty if the range is one that ends before it starts.
        let order = self.neighbors.order().get(slots).unwrap_or_default();
        // In chunks, so that the members just written are still in the cache when their noise is drawn.
        let parts = order.chunks(PART).zip(steps.chunks(PART));
        let places = to.bodies.chunks_mut(PART).zip(to.members.chunks_mut(PART));
        for ((order, steps), (bodies, members)) in parts.zip(places) {
            for (((&index, step), body), member) in order.iter().zip(steps).zip(bodies).zip(&mut *members) {
                *member = self.members.get(index as usize).copied().unwrap_or(without_rules);
                *body = from[index as usize];
                if let Some(rules) = self.rules.get(member.rules as usize) {
                    body.velocity = step.velocity;
                    body.position += step.velocity * rules.dt;
                }
            }
            self.simd.batch(Draw { members, rules: self.rules, rng, plane: self.plane });
        }
        Ok(())
    }
}

/// How many members are moved before their noise is drawn.
const PART: usize = 256;
