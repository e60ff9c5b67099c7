//! Reciprocal avoidance between bodies: each does its share to pass the others, and counts on them for theirs.
//!
//! From where a neighbour is and how it moves follows a half plane of velocities that do not lead to a touch
//! within a time horizon, if the neighbour keeps to its own; likewise from a wall. Of the velocities in all
//! of them the one nearest to the preferred is taken, by a linear programme; where there is none, the one that
//! misses by the least (J. van den Berg, S. Guy, M. Lin, D. Manocha, "Reciprocal n-body collision avoidance",
//! 2011: ORCA).
//!
//! - [`ReciprocalSettings::adjusted`] asks for one body, [`ReciprocalPass`] for all of them, in parts that may
//!   run on as many threads as there are: the answers are the same, bit for bit, and in whichever order the
//!   bodies come, as long as each keeps its [id](AgentPreference::id).
//! - Neighbours are looked at eight at a time, by the widest instructions that the processor has; which these
//!   are never shows in an answer.
//! - Bodies move in a [plane](MovementPlane): speeds across it are not looked at, and those on another floor are let
//!   alone.
//! - Bodies that would stand face to face for ever lean to their right, by [`side_bias`], and go round on that side
//!   where that is not enough, some further than others, as their ids have it: those held up by others on their way as
//!   soon as they lose speed, those held up by others who stand only when they hardly get on.
//! - Who tells how far it has [yet to go](AgentPreference::remaining) does not press on those who stand round its goal, so that a
//!   dense group comes to rest.
//! - A body whose numbers are no numbers is seen by nobody, and its answer is zero; so is that of a body that
//!   may not move. Two bodies of no size cannot collide. Bodies in one place part, however many they are, each in a
//!   direction of its own that depends on its id.
//!
//! It does not keep bodies apart that have no way to be: that is [`contact`](super::contact)'s, after it.
//!
//! [`side_bias`]: ReciprocalSettings::side_bias

// What is near, in a plane.
mod disc;
mod discs;
mod nearest;
mod walls;

// What it leaves of the velocities, and the best of them.
mod half_plane;
mod linear_program;
mod ranked;

// One body; all of them.
mod decide;
mod pass;

use glam::Vec3;

use super::{Body, MovementPlane};
use crate::simd::{Pass, Simd, SimdF32x8};
use decide::{Decider, Decision, Wish};
use disc::Disc;
use discs::Discs;
pub use pass::{CrowdState, ReciprocalPass};
pub use walls::{Wall, Walls};

/// How far ahead bodies avoid each other.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct ReciprocalSettings {
    /// For how long a velocity must not lead to a touch with another body, in seconds: the longer, the earlier
    /// bodies turn aside, and the less room they leave themselves in a crowd. Range: above 0. Default: `2.0`.
    pub time_horizon: f32,
    /// For how long it must not lead into a wall, in seconds: the longer, the slower corners and doors are
    /// taken. Range: above 0. Default: `0.4`.
    pub wall_horizon: f32,
    /// How far away others are seen, in units of length; those too far to be met within the horizon never
    /// count. Range: 0 and up. Default: `10.0`.
    pub range: f32,
    /// How many others are looked at, the nearest first. Range: 0 to [`MAX_NEIGHBORS`](Self::MAX_NEIGHBORS).
    /// Default: `10`.
    pub max_neighbors: u32,
    /// How far a body that is in another's way leans to its right, in parts of its preferred velocity; to its
    /// left below 0. One that is held up goes round on that side. At 0 neither is done, and those who meet head on
    /// may stand still for ever. Range: -1 to 1. Default: `0.1`.
    pub side_bias: f32,
}

impl Default for ReciprocalSettings {
    fn default() -> Self {
        Self { time_horizon: 2.0, wall_horizon: 0.4, range: 10.0, max_neighbors: 10, side_bias: 0.1 }
    }
}

/// What a body is about, as the others take it.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AgentPreference {
    /// The velocity that it would take if it were alone and could change its velocity at once, in units of length per
    /// second. Limit the acceleration of the answer, not of this: the answer is the velocity nearest to this one, so a
    /// body that prefers no more than it can reach in a step prefers to stand once others have stopped it.
    pub preferred: Vec3,
    /// The speed that it must not exceed, in units of length per second. Range: 0 and up.
    pub max_speed: f32,
    /// How readily it makes way: of two bodies, each does its part of their sum. One that does not avoid at all
    /// has 0, and the others do all of it. Range: 0 to 1. Default: `1.0`.
    pub yields: f32,
    /// A name that it keeps for its life, and that no other has.
    pub id: u64,
    /// Whom it does not avoid, by name: who is hunted is not made way for. Default: `None`.
    pub ignores: Option<u64>,
    /// How far it has yet to go, in units of length: who is near its goal does not press others, and who stands
    /// there is not gone round at once. Range: 0 and up; infinity for a way without end. Default: `None`, not
    /// known; then it is told from how fast it prefers to go.
    pub remaining: Option<f32>,
}

impl Default for AgentPreference {
    fn default() -> Self {
        Self { preferred: Vec3::ZERO, max_speed: 0.0, yields: 1.0, id: 0, ignores: None, remaining: None }
    }
}

impl AgentPreference {
    /// To move at a velocity, if it can be, never faster than `max_speed`, and to make way as others do.
    #[must_use]
    pub const fn new(id: u64, preferred: Vec3, max_speed: f32) -> Self {
        Self { preferred, max_speed, yields: 1.0, id, ignores: None, remaining: None }
    }

    /// The same, but not avoiding the body of this name.
    #[must_use]
    pub const fn ignoring(mut self, id: u64) -> Self {
        self.ignores = Some(id);
        self
    }

    /// The same, with so far yet to go.
    #[must_use]
    pub const fn remaining(mut self, distance: f32) -> Self {
        self.remaining = Some(distance);
        self
    }

    /// The same, but making way as readily as this: 0 to 1.
    #[must_use]
    pub const fn yielding(mut self, yields: f32) -> Self {
        self.yields = yields;
        self
    }
}

impl ReciprocalSettings {
    /// The most neighbours that can be looked at.
    pub const MAX_NEIGHBORS: u32 = linear_program::MAX_LINES as u32;

    /// The velocity for one body among others, itself not one of them: in the plane, no faster than its
    /// `max_speed`. `dt` is the step in which it ends an overlap, in seconds.
    #[must_use]
    pub fn adjusted<'a>(
        &self,
        flat: &MovementPlane,
        (body, preference): (&Body, &AgentPreference),
        others: impl IntoIterator<Item = (&'a Body, &'a AgentPreference)>,
        walls: &dyn Walls,
        dt: f32,
    ) -> Vec3 {
        let own = Decider::of(Disc::of(flat, body, preference), &Wish::of(flat, preference));
        let Some(own) = own else { return Vec3::ZERO };
        let others: Vec<Disc> =
            others.into_iter().map(|(other, preference)| Disc::of(flat, other, preference)).collect();
        let discs = Discs::of(&others);
        let decision = Decision::new(self, flat, &discs, walls, dt);
        Simd::widest().run(One { decision, own })
    }
}

/// One body's decision, compiled for each instruction set.
struct One<'a> {
    decision: Decision<'a>,
    own: Decider,
}

impl Pass for One<'_> {
    type Output = Vec3;

    #[inline(always)]
    fn run<L: SimdF32x8>(mut self) -> Vec3 {
        self.decision.decide_among_all::<L>(&self.own)
    }
}
