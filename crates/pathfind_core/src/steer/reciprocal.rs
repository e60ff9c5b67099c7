//! Reciprocal avoidance (ORCA): of two bodies on a collision course each makes its share of the change of
//! velocity, and relies on the other for the rest (J. van den Berg, S. Guy, M. Lin, D. Manocha, "Reciprocal n-body
//! collision avoidance", 2011).
//!
//! It proposes velocities. It does not move bodies, and does not keep bodies apart where there is no room: that is
//! done by [`contact`](super::contact), afterwards.
//!
//! # The half-planes
//!
//! For a body A with position `pA`, velocity `vA` and radius `rA`, and a neighbour B:
//!
//! ```text
//!  p = pB - pA      v = vA - vB      r = 0.995 · (rA + rB)      τ = time_horizon, or one step if A and B overlap
//!
//!  VO   = { w : |t·w - p| < r for some t in (0, τ] }     relative velocities that lead to a collision: a cone
//!                                                        truncated by a disc of radius r/τ about p/τ
//!  u    = the shortest vector from v to the border of VO, n = the outward normal of VO at v + u
//!  s    = yieldsA / (yieldsA + yieldsB)                  A's share of the change, 1/2 in the paper, if v is in VO;
//!         yieldsB / (yieldsA + yieldsB)                  outside, where u is room that may be used up; 1 if B has 0
//!  ORCA = { w : (w - (vA + s·u)) · n ≥ 0 }               the velocities that B leaves to A
//!
//!  wall = { w : w · n ≥ -gap / wall_horizon }            n from the wall's nearest point to A; all of the change is
//!                                                        A's. If A overlaps it, w · n ≥ depth / dt, at most 0.9 of
//!                                                        max_speed
//! ```
//!
//! A takes the velocity in all half-planes, no faster than `max_speed`, that is nearest to its preferred velocity:
//! a linear program in two dimensions. A preferred velocity that is faster than `max_speed` is shortened to it first;
//! the answer is the velocity nearest to the shortened one. If there is none, A takes the velocity that violates the
//! half-planes of bodies by the least, with those of walls kept; if the walls alone leave none, the one that violates
//! all by the least. The paper treats walls as obstacles with velocity obstacles of their own; here a half-plane
//! stands for each.
//!
//! # A tick
//!
//! [`CrowdState::gather`] projects bodies and preferences on the plane. [`ReciprocalPass::run`] takes
//! bodies that lie close together, and finds the slots where neighbours of these may be. For each body it selects the
//! nearest that could be met within the horizon (`nearest`) and the nearest 16 walls, makes their half-planes, eight at
//! a time (`half_plane`), and solves the linear program (`linear_program`); once more if the body is stuck (below).
//!
//! [`ReciprocalSettings::adjusted`] makes the same decision for a single body. [`ReciprocalPass`] can run in parts
//! on any number of threads. The answers are the same, bit for bit, for any division, any instruction set and any
//! order of the bodies, as long as each keeps its [id](AgentPreference::id).
//!
//! # Standoffs
//!
//! Where neighbours are placed symmetrically, plain ORCA lets bodies stand face to face for ever. RVO2's examples
//! therefore add a small random vector to each preferred velocity ("perturb a little to avoid deadlocks due to
//! perfect symmetry"). Here the symmetry is broken without randomness, to the same side for all bodies, so that the
//! two of a pair do not dodge into each other:
//!
//! - A relative velocity dead ahead is put on the flank of `VO` that leads past on the right.
//! - A body whose preferred velocity is not allowed leans to its right: it adds [`side_bias`] times its preferred
//!   velocity, turned by a quarter, in proportion to the violation. Negative values lean to the left.
//! - A body that gets on nevertheless at less than 90 % of its preferred velocity because of moving neighbours, or
//!   at less than 3 % because of standing ones, turns its preferred velocity further to that side, some bodies
//!   further than others by their ids, and decides once more. Walls alone cause no such turn.
//! - A body that states how far it has [yet to go](AgentPreference::remaining) and is near its goal presses on
//!   others only gently, so that a dense group comes to rest.
//!
//! # Limits
//!
//! - Bodies move in a [plane](MovementPlane): the part of a velocity across it is ignored, and bodies at other
//!   heights (farther apart than both radii) are not avoided.
//! - A body with a number that is NaN, infinite or beyond ±10¹⁸ is avoided by no other, and its answer is zero; so
//!   is that of a body whose top speed is not above 0 or not finite. A top speed above 10⁹ counts as that.
//! - The length of an answer is at most `max_speed` up to rounding: one part in 100,000.
//! - Two bodies of radius 0 cannot collide. Any number of bodies at one position part, each in a direction that
//!   depends on its id.
//!
//! [`side_bias`]: ReciprocalSettings::side_bias

// Bodies and walls in the plane, and which are near.
mod disc;
mod discs;
mod nearest;
mod walls;

// Half-planes of velocities, and the best velocity in them.
mod half_plane;
mod linear_program;

// The decision of one body, and the pass over all.
mod decide;
mod pass;

use glam::Vec3;

use super::{Body, MovementPlane};
use crate::neighbors::Span;
use crate::simd::{Pass, Simd, SimdF32x8};
use decide::{Decider, Decision, PlanarPreference};
use disc::Disc;
use discs::Discs;
pub use pass::{CrowdState, ReciprocalPass};
pub use walls::{Wall, Walls};

/// The settings of reciprocal avoidance.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct ReciprocalSettings {
    /// How far ahead collisions with other bodies are predicted: the longer, the earlier bodies turn aside, and the
    /// fewer velocities are left in a crowd. Unit: seconds. Range: 0.001 and up; less counts as 0.001. Default: `2.0`.
    pub time_horizon: f32,
    /// How far ahead collisions with walls are predicted: the longer, the slower corners and doors are passed.
    /// Unit: seconds. Range: 0.001 and up; less counts as 0.001. Default: `0.4`.
    pub wall_horizon: f32,
    /// Distance within which other bodies are avoided; bodies that cannot be met within the horizon never count.
    /// Unit: lengths. Range: 0 and up. Default: `10.0`.
    pub range: f32,
    /// The most neighbours that are avoided, the nearest first. Range: 0 to
    /// [`MAX_NEIGHBORS`](Self::MAX_NEIGHBORS). Default: `10`.
    pub max_neighbors: u32,
    /// How far a body in a conflict leans to its right, as a part of its preferred velocity; to its left below 0.
    /// A body that is held up goes round on that side. At 0 neither happens, and two bodies that meet head on may
    /// stand still for ever. Range: -1 to 1. Default: `0.1`.
    pub side_bias: f32,
}

impl Default for ReciprocalSettings {
    fn default() -> Self {
        Self { time_horizon: 2.0, wall_horizon: 0.4, range: 10.0, max_neighbors: 10, side_bias: 0.1 }
    }
}

/// What is between a body and the one that it [ignores](AgentPreference::ignores).
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Regard {
    /// It does not avoid that body, and that body avoids it: a hunter and its prey.
    #[default]
    Chases,
    /// Neither avoids the other: a follower on its way to its leader.
    Follows,
    /// It does all of the avoiding between the two: a follower beside its leader.
    MakesWay,
}

/// Stands for the id of a body that is followed, where none is.
const NOBODY: u64 = u64::MAX;

/// What a body would like to do, and how others treat it.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AgentPreference {
    /// The preferred velocity: what the body would move at if it were alone and could change its velocity at once; a
    /// faster one is shortened to `max_speed`. Limit the acceleration of the answer, not of this: the answer is the
    /// velocity nearest to this one, so a body that prefers only what it can reach in one step prefers to stand once
    /// others have stopped it. Unit: lengths/s.
    pub preferred: Vec3,
    /// Top speed. Unit: lengths/s. Range: 0 to 10⁹. Default: `0.0`.
    pub max_speed: f32,
    /// Weight of its share in avoiding: of two bodies, each makes the part `yields / (sum of both)` of the change, and
    /// leaves as large a part of the room between them to the other. A body with 0 does not avoid, and the others do
    /// all of it. Range: 0 to 1. Default: `1.0`.
    pub yields: f32,
    /// A number that identifies the body for its life, different from every other's. Range: 0 and up; that of a leader
    /// below `u64::MAX`. Default: `0`.
    pub id: u64,
    /// The id of a body that it does not avoid, such as the prey of a hunter. Default: `None`.
    pub ignores: Option<u64>,
    /// What is between it and the body that it `ignores`. Default: `Chases`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub regard: Regard,
    /// Remaining distance to its goal: a body near its goal does not press on others, and others do not go round a body
    /// that stands at its goal at once. Unit: lengths. Range: 0 and up; infinity for a path without end.
    /// Default: `None`, not known; then the ratio of preferred to top speed stands for it.
    #[cfg_attr(feature = "serde", serde(with = "crate::saved::infinite", default))]
    pub remaining: Option<f32>,
}

impl Default for AgentPreference {
    fn default() -> Self {
        Self::new(0, Vec3::ZERO, 0.0)
    }
}

impl AgentPreference {
    /// A body that prefers a velocity, never moves faster than `max_speed`, and does an equal share of the
    /// avoiding.
    #[must_use]
    pub const fn new(id: u64, preferred: Vec3, max_speed: f32) -> Self {
        Self { preferred, max_speed, yields: 1.0, id, ignores: None, regard: Regard::Chases, remaining: None }
    }

    /// The id of the body that it follows; [`NOBODY`] if it follows none.
    fn leader(&self) -> u64 {
        self.ignores.filter(|_| self.regard != Regard::Chases).unwrap_or(NOBODY)
    }

    /// The same, with this distance remaining to its goal.
    #[must_use]
    pub const fn remaining(mut self, distance: f32) -> Self {
        self.remaining = Some(distance);
        self
    }

    /// The same, with another weight of its share: 0 to 1.
    #[must_use]
    pub const fn yielding(mut self, yields: f32) -> Self {
        self.yields = yields;
        self
    }
}

impl ReciprocalSettings {
    /// The largest number of neighbours that can be avoided.
    pub const MAX_NEIGHBORS: u32 = linear_program::MAX_LINES as u32;

    /// The velocity for one body, in the plane and no faster than its `max_speed`. `others` must not contain the
    /// body itself. `dt` is the step in which it ends an overlap, in seconds.
    #[must_use]
    pub fn adjusted<'a>(
        &self,
        plane: &MovementPlane,
        (body, preference): (&Body, &AgentPreference),
        others: impl IntoIterator<Item = (&'a Body, &'a AgentPreference)>,
        walls: &dyn Walls,
        dt: f32,
    ) -> Vec3 {
        let own = Decider::of(Disc::of(plane, body, preference), &PlanarPreference::of(plane, preference));
        let Some(own) = own else { return Vec3::ZERO };
        let (others, leaders): (Vec<_>, Vec<_>) = others
            .into_iter()
            .map(|(other, preference)| (Disc::of(plane, other, preference), preference.leader()))
            .unzip();
        let mut discs = Discs::default();
        let others_slots = Span { start: 0, end: others.len() as u32, number: 1.0 };
        discs.fill(others.into_iter());
        discs.note_leaders(leaders);
        let decision = Decision::new(self, plane, &discs, walls, dt);
        Simd::widest().run(One { decision, own, others: others_slots })
    }
}

/// One body's decision, compiled for each instruction set.
struct One<'a> {
    decision: Decision<'a>,
    own: Decider,
    /// The slots of the others.
    others: Span,
}

impl Pass for One<'_> {
    type Output = Vec3;

    #[inline(always)]
    fn run<L: SimdF32x8>(mut self) -> Vec3 {
        self.decision.decide::<L>(&self.own, std::slice::from_ref(&self.others), usize::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leader_goes_straight_through_its_followers_and_they_make_way() {
        let (settings, plane) = (ReciprocalSettings::default(), MovementPlane::XY);
        let leader = (Body::new(Vec3::ZERO, Vec3::X).with_radius(0.5), AgentPreference::new(1, Vec3::X, 1.0));
        let stands = Body::new(Vec3::new(2.0, 0.1, 0.0), Vec3::ZERO).with_radius(0.5);
        let decide = |own: (Body, AgentPreference), other: (Body, AgentPreference)| {
            settings.adjusted(&plane, (&own.0, &own.1), [(&other.0, &other.1)], &(), 0.02)
        };
        let stranger = (stands, AgentPreference::new(2, Vec3::ZERO, 1.0));
        let follower = |regard| (stands, AgentPreference { ignores: Some(1), regard, ..stranger.1 });
        assert_ne!(decide(leader, stranger), Vec3::X, "it avoids a stranger");
        assert_ne!(decide(leader, follower(Regard::Chases)), Vec3::X, "and a hunter");
        for regard in [Regard::Follows, Regard::MakesWay] {
            assert_eq!(decide(leader, follower(regard)), Vec3::X, "and no follower");
        }
        assert_eq!(decide(follower(Regard::Follows), leader), Vec3::ZERO, "nor does one avoid its leader");
        let beside = follower(Regard::MakesWay);
        let (half, all) = (decide(stranger, leader).length(), decide(beside, leader).length());
        assert!(all > 1.5 * half && half > 0.0, "which does all of the avoiding: {all} instead of {half}");
    }
}
