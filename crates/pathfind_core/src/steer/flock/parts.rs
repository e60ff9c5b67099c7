//! The parts that a member's acceleration is the sum of.

use glam::Vec3;

use super::{FlockModel, FlockRules};

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
            return finite(sum.clamp_length_max(self.max_acceleration));
        }
        let mut left = self.max_acceleration;
        let mut total = Vec3::ZERO;
        for part in [parts.separation, parts.leader, parts.alignment, parts.cohesion, parts.noise] {
            let length = part.length();
            let share = if length > left { left / length } else { 1.0 };
            total += part * share;
            left = (left - length).max(0.0);
        }
        finite(total)
    }
}

#[inline(always)]
fn finite(vector: Vec3) -> Vec3 {
    if vector.is_finite() { vector } else { Vec3::ZERO }
}
