//! One velocity from many wishes.

use bevy::prelude::*;

use super::Wish;
use crate::motion::{AdjustedVelocity, Agent, DesiredVelocity};

/// Writes the desired velocity, no faster than the agent's top speed; and the adjusted one, which is the
/// same as long as nobody is in the way.
pub(super) fn blend(mut agents: Query<(&Agent, &mut Wish, &mut DesiredVelocity, &mut AdjustedVelocity)>) {
    for (agent, mut wish, mut desired, mut adjusted) in &mut agents {
        let wished = wish.bypass_change_detection().take();
        let top = if agent.speed.is_finite() { agent.speed.max(0.0) } else { 0.0 };
        let velocity = if wished.is_finite() { wished.clamp_length_max(top) } else { Vec3::ZERO };
        desired.set_if_neq(DesiredVelocity(velocity));
        adjusted.set_if_neq(AdjustedVelocity(velocity));
    }
}
