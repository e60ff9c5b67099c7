//! Avoidance of obstacles ahead.
//!
//! [`Sweep`] sweeps the body's own width, passes an obstacle on one side, and brakes if there is no way past. The
//! tutorials' rule, a single ray, is [`classic::Ray`](super::classic::Ray). Both only propose a velocity;
//! [`contact`](super::contact) decides where a step ends.
//!
//! # Measured
//!
//! The share of 600 runs, each through another random field of circles, in which the body touches a circle
//! (without the hard layer), in which it arrives, and the mean time of arrival; the straight path takes 8 s. The
//! rules without a type here are common ones, for comparison. Printed by
//! `cargo run --release -p pathfind_core --example steering_tables -- clipping`:
//!
//! | rule | sparse: touches | arrives | after | dense: touches | arrives | after |
//! |---|---|---|---|---|---|---|
//! | none | 99.5 % | 100.0 % | 7.9 s | 100.0 % | 100.0 % | 7.9 s |
//! | `Ray`, force 50 | 99.5 % | 100.0 % | 8.6 s | 100.0 % | 97.8 % | 10.5 s |
//! | swept width, forward + normal · 50 | 84.7 % | 85.8 % | 10.4 s | 46.2 % | 7.5 % | 13.6 s |
//! | three whiskers | 0.0 % | 13.5 % | 12.4 s | 0.0 % | 0.0 % | - |
//! | context steering, 16 slots | 6.8 % | 99.5 % | 8.2 s | 30.2 % | 81.2 % | 10.5 s |
//! | `Sweep` | 0.0 % | 100.0 % | 8.1 s | 0.0 % | 99.7 % | 9.0 s |
//!
//! A rule that turns back before every gap touches nothing, and does not arrive.

mod sweep;

use glam::Vec3;

use super::obstacle::{Cast, Hit};
use super::{Body, MovementPlane};

pub use sweep::{AvoidState, Sweep};

/// The input of a rule of avoidance.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct AvoidanceInput {
    /// The body. Its radius is the width that [`Sweep`] keeps clear.
    pub body: Body,
    /// The desired velocity. Unit: lengths/s. Range: ±10¹⁸.
    pub desired: Vec3,
    /// Its goal, if known: obstacles beyond the goal are ignored, and of two ways past an obstacle the one nearer to
    /// the goal is preferred. Unit: lengths. Range: ±10¹⁸; one beyond counts as `None`.
    pub goal: Option<Vec3>,
    /// The plane of movement, or `None` in space.
    pub plane: Option<MovementPlane>,
}

impl AvoidanceInput {
    /// The input, projected on the plane if there is one; `None` if a number of the body or of the desired velocity
    /// is NaN or beyond ±10¹⁸. A goal with such a number is dropped.
    pub(super) fn checked(mut self) -> Option<Self> {
        let is_in_range = |vector: Vec3| vector.abs().max_element() <= Body::LARGEST && !vector.is_nan();
        if !(self.body.is_in_range() && is_in_range(self.desired)) {
            return None;
        }
        self.goal = self.goal.filter(|&goal| is_in_range(goal));
        self.body.radius = self.body.radius.max(0.0);
        if let Some(plane) = self.plane {
            self.desired = plane.flat(self.desired);
            self.body.velocity = plane.flat(self.body.velocity);
            self.goal = self.goal.map(|goal| self.body.position + plane.flat(goal - self.body.position));
        }
        Some(self)
    }
}

/// The result of a rule, and its reason.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Avoidance {
    /// The velocity to take instead of the desired one; in a plane, with no component across it. Unit: lengths/s.
    pub velocity: Vec3,
    /// The cast ahead, for display.
    pub probed: Option<Cast>,
    /// What that cast hit.
    pub hit: Option<Hit>,
}

impl Avoidance {
    /// Nothing to avoid.
    pub(super) const fn none(velocity: Vec3) -> Self {
        Self { velocity, probed: None, hit: None }
    }
}
