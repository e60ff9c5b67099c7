//! The parts that a member's acceleration is the sum of.

use glam::Vec3;

use super::parts_input::total_within;
use super::{FlockModel, FlockRules};
use crate::simd::{OneLane, Vectors};

/// The parts of one member's acceleration, each in lengths/s².
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct FlockParts {
    /// Away from mates within the separation radius, and from mates at the same position.
    pub separation: Vec3,
    /// Towards the leader, and (not in the tutorial's model) towards its velocity.
    pub leader: Vec3,
    /// Towards the velocity or the heading of the mates.
    pub alignment: Vec3,
    /// Towards the centre of the mates; in the tutorial's model of the whole flock.
    pub cohesion: Vec3,
    /// Noise: the member's random push.
    pub noise: Vec3,
    /// Against the member's velocity. Tutorial model only.
    pub damping: Vec3,
}

impl FlockRules {
    /// The acceleration that the parts add up to. In the robust model each part, in the order of the fields of
    /// [`FlockParts`], is shortened to what the lengths of the parts before it leave of the limit of acceleration;
    /// in the other models the sum is shortened to that limit. A sum that is NaN or infinite counts as zero.
    #[must_use]
    #[inline(always)]
    pub fn total(&self, parts: &FlockParts) -> Vec3 {
        if self.model != FlockModel::Robust {
            let FlockParts { separation, leader, alignment, cohesion, noise, damping } = *parts;
            let sum = separation + leader + alignment + cohesion + noise + damping;
            let sum = sum.clamp_length_max(self.max_acceleration);
            return if sum.is_finite() { sum } else { Vec3::ZERO };
        }
        let mut lanes = [None; 5];
        let parts = [parts.separation, parts.leader, parts.alignment, parts.cohesion, parts.noise];
        for (lane, part) in lanes.iter_mut().zip(parts) {
            *lane = Some(Vectors::<OneLane>::splat(part));
        }
        total_within(&lanes, self.max_acceleration).first()
    }
}
