//! What makes up the wish of one member.

use glam::Vec3;

use super::{FlockModel, FlockRules};

/// The wish of one member, part by part, each in lengths/s².
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct FlockParts {
    /// Away from mates that are too near.
    pub separation: Vec3,
    /// Towards the leader, and as fast as it.
    pub leader: Vec3,
    /// To fly as the mates do.
    pub alignment: Vec3,
    /// Towards the mates' middle.
    pub cohesion: Vec3,
    /// The random push.
    pub noise: Vec3,
    /// What slows it. Tutorial's law only.
    pub damping: Vec3,
}

impl FlockRules {
    /// The acceleration that the parts come to. By the robust law each gets, in the order in which they
    /// stand in [`FlockParts`], what those before it have left of the budget; otherwise they are added up and
    /// the sum is cut. A sum beyond all numbers counts as none.
    #[must_use]
    #[inline(always)]
    pub fn total(&self, parts: &FlockParts) -> Vec3 {
        if self.model != FlockModel::Robust {
            let FlockParts { separation, leader, alignment, cohesion, noise, damping } = *parts;
            let sum = separation + leader + alignment + cohesion + noise + damping;
            return finite(shorten(sum, self.max_acceleration));
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
pub(super) fn finite(vector: Vec3) -> Vec3 {
    if vector.is_finite() { vector } else { Vec3::ZERO }
}

/// A vector cut to a length.
#[inline(always)]
fn shorten(vector: Vec3, most: f32) -> Vec3 {
    let length = vector.length();
    if length > most { vector * (most / length) } else { vector }
}
