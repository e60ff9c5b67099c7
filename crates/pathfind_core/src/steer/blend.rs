//! One change of velocity from those of several behaviours, by priority.
//!
//! Every behaviour proposes a change of velocity. A body can change its velocity only by so much in a tick, its
//! budget. The proposals are granted in the order of their [`Priority`], each as far as the budget still allows;
//! the last ones are cut:
//!
//! ```text
//!   budget      ├──────────────────────────────┤
//!   avoid       ├────────┤
//!   separation           ├─────────┤
//!   goal                           ├───────────┤ · · · ·    cut
//!   rest                                       ┤ · · · ·    nothing left
//! ```
//!
//! So in danger a body ignores its goal, instead of taking the mean of "away from the wall" and "to the goal".
//! [`Blended`] keeps what each priority was granted, to show why a body turns.
//!
//! A [flock](super::flock) shares its limit of acceleration in the same way, in code of its own: that computes many
//! members at once in `f32`, this one body in `f64`, with weights and with the shares that were granted.
//!
//! Source: C. Reynolds, "Flocks, Herds, and Schools: A Distributed Behavioral Model", SIGGRAPH 1987
//! (prioritised acceleration allocation).

use core::ops::{Index, IndexMut};

use glam::{DVec3, Vec3};

use super::wide::narrow;

/// The priority of a behaviour; the first variant is granted first.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Priority {
    /// Avoidance of obstacles.
    Avoid,
    /// Separation from other bodies.
    Separation,
    /// Movement to a goal: a path, a target, a leader.
    Goal,
    /// Everything else: a flock's alignment and cohesion, noise.
    Rest,
}

impl Priority {
    /// All priorities, in the order in which they are granted.
    pub const ALL: &'static [Self] = &[Self::Avoid, Self::Separation, Self::Goal, Self::Rest];
}

/// A change of velocity for each priority, in units per second.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct ByPriority([Vec3; Priority::ALL.len()]);

impl ByPriority {
    #[inline]
    fn sum(&self) -> Vec3 {
        self.0.iter().sum()
    }

    /// An upper bound of the squared sum of their lengths: (Σ lᵢ)² ≤ n · Σ lᵢ² for n that are not zero.
    #[inline]
    fn length_squared_at_most(&self) -> f32 {
        let stated = self.0.iter().filter(|&&proposal| proposal != Vec3::ZERO).count();
        stated as f32 * self.0.iter().map(|proposal| proposal.length_squared()).sum::<f32>()
    }
}

impl Index<Priority> for ByPriority {
    type Output = Vec3;

    fn index(&self, priority: Priority) -> &Vec3 {
        &self.0[priority as usize]
    }
}

impl IndexMut<Priority> for ByPriority {
    fn index_mut(&mut self, priority: Priority) -> &mut Vec3 {
        &mut self.0[priority as usize]
    }
}

/// The weight of each priority.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct BlendSettings {
    /// Weight of avoidance of obstacles. Range: 0 and up. Default: `1.0`.
    pub avoid: f32,
    /// Weight of separation from other bodies. Range: 0 and up. Default: `1.0`.
    pub separation: f32,
    /// Weight of movement to a goal. Range: 0 and up. Default: `1.0`.
    pub goal: f32,
    /// Weight of everything else. Range: 0 and up. Default: `1.0`.
    pub rest: f32,
}

impl Default for BlendSettings {
    fn default() -> Self {
        Self { avoid: 1.0, separation: 1.0, goal: 1.0, rest: 1.0 }
    }
}

impl BlendSettings {
    /// The weight of a priority.
    #[must_use]
    pub const fn weight(&self, priority: Priority) -> f32 {
        match priority {
            Priority::Avoid => self.avoid,
            Priority::Separation => self.separation,
            Priority::Goal => self.goal,
            Priority::Rest => self.rest,
        }
    }

    /// Whether a change of velocity that is the only one is certainly granted in full: its priority has weight 1,
    /// and the budget exceeds its length by more than rounding errors.
    #[must_use]
    #[inline]
    pub fn affords(&self, priority: Priority, proposal: Vec3, budget: f32) -> bool {
        self.weight(priority) == 1.0 && is_enough(budget, proposal.length_squared())
    }

    /// As [`affords`](Self::affords), for several: true only if a cheap upper bound of their sum is within the
    /// budget.
    #[inline]
    fn affords_all(&self, proposals: &ByPriority, budget: f32) -> bool {
        let counts = Priority::ALL.iter().copied().all(|priority| self.weight(priority) == 1.0);
        counts && is_enough(budget, proposals.length_squared_at_most())
    }
}

/// Whether a budget exceeds a length, given squared, by more than rounding errors.
#[inline]
fn is_enough(budget: f32, length_squared: f32) -> bool {
    let afford = 0.999 * budget;
    // An infinite square proves nothing.
    afford > 0.0 && length_squared <= afford * afford && length_squared < f32::INFINITY
}

/// The result of blending.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Blended {
    /// The change of velocity, no longer than the budget. Unit: lengths/s.
    pub change: Vec3,
    /// The part of it that each priority was granted. Unit: lengths/s.
    pub granted: ByPriority,
    shares: [f32; Priority::ALL.len()],
}

impl Blended {
    /// The part of a priority's weighted proposal that was granted, from 0 to 1; 1 if nothing was proposed.
    #[must_use]
    pub const fn share(&self, priority: Priority) -> f32 {
        self.shares[priority as usize]
    }
}

/// Grants proposals by priority until the budget, in units per second, is spent. The budget is the greatest change
/// of velocity in a tick, top acceleration times dt; an infinite budget grants everything.
///
/// The lengths of the granted changes add up to at most the budget, even if they point against each other. A
/// proposal that is not finite counts as none, a weight or budget that is not a positive number as 0.
#[must_use]
#[inline(always)]
pub fn blend(proposals: &ByPriority, settings: &BlendSettings, budget: f32) -> Blended {
    // Fast path: most bodies propose little.
    if settings.affords_all(proposals, budget) {
        return Blended { change: proposals.sum(), granted: *proposals, shares: [1.0; Priority::ALL.len()] };
    }
    grant(proposals, settings, budget)
}

/// The general case: the proposals in turn.
fn grant(proposals: &ByPriority, settings: &BlendSettings, budget: f32) -> Blended {
    let mut left = if budget > 0.0 { f64::from(budget) } else { 0.0 };
    let mut change = DVec3::ZERO;
    let mut blended = Blended::default();
    for &priority in Priority::ALL {
        let weight = settings.weight(priority);
        let weight = if weight > 0.0 && weight.is_finite() { f64::from(weight) } else { 0.0 };
        let proposal = proposals[priority];
        if proposal == Vec3::ZERO {
            blended.shares[priority as usize] = 1.0;
            continue;
        }
        let proposal = if proposal.is_finite() { proposal.as_dvec3() * weight } else { DVec3::ZERO };
        let length = proposal.length();
        let share = if length <= left { 1.0 } else { left / length };
        left = (left - length * share).max(0.0);
        change += proposal * share;
        blended.granted[priority] = narrow(proposal * share);
        blended.shares[priority as usize] = share as f32;
    }
    blended.change = narrow(change);
    blended
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proposals(avoid: Vec3, separation: Vec3, goal: Vec3, rest: Vec3) -> ByPriority {
        ByPriority([avoid, separation, goal, rest])
    }

    #[test]
    fn what_surely_fits_is_granted_as_it_is_and_nothing_else() {
        let little = proposals(Vec3::X, Vec3::ZERO, Vec3::Y * 2.0, Vec3::Z);
        let blended = blend(&little, &BlendSettings::default(), 10.0);
        assert_eq!((blended.change, blended.granted), (Vec3::new(1.0, 2.0, 1.0), little));
        let slow = grant(&little, &BlendSettings::default(), 10.0);
        assert_eq!(blended, slow, "as if granted one by one");
        // Their squares overflow.
        let huge = proposals(Vec3::ZERO, Vec3::ZERO, Vec3::ZERO, Vec3::X * 1.6e35);
        let blended = blend(&huge, &BlendSettings::default(), 1.8e33);
        assert!(blended.share(Priority::Rest) < 1.0 && blended.change.x < 1.9e33, "{blended:?}");
    }

    #[test]
    fn what_matters_most_is_granted_first() {
        let proposals = proposals(Vec3::X * 2.0, Vec3::Y * -3.0, Vec3::X * -10.0, Vec3::Y);
        let blended = blend(&proposals, &BlendSettings::default(), 7.0);
        assert_eq!(blended.granted[Priority::Avoid], Vec3::X * 2.0, "in full");
        assert_eq!(blended.granted[Priority::Separation], Vec3::Y * -3.0, "in full");
        assert_eq!(blended.granted[Priority::Goal], Vec3::X * -2.0, "what is left");
        let shares = Priority::ALL.iter().map(|&priority| blended.share(priority));
        assert!(shares.eq([1.0, 1.0, 0.2, 0.0]), "the last ones are cut: {blended:?}");
        assert_eq!(blended.change, Vec3::Y * -3.0, "the sum of what is granted");
    }

    #[test]
    fn without_end_to_the_budget_all_is_granted() {
        let proposals = proposals(Vec3::X, Vec3::Y, Vec3::Z * 1e9, Vec3::X);
        let blended = blend(&proposals, &BlendSettings::default(), f32::INFINITY);
        assert_eq!(blended.change, Vec3::new(2.0, 1.0, 1e9));
        assert!(Priority::ALL.iter().all(|&priority| blended.share(priority) == 1.0), "no proposal is cut");
    }

    #[test]
    fn weights_multiply_the_proposals() {
        let settings = BlendSettings { avoid: 3.0, goal: 0.0, ..BlendSettings::default() };
        let proposals = proposals(Vec3::X, Vec3::ZERO, Vec3::Y * 5.0, Vec3::Z);
        let blended = blend(&proposals, &settings, 3.5);
        assert_eq!(blended.change, Vec3::new(3.0, 0.0, 0.5));
        assert_eq!(blended.granted[Priority::Goal], Vec3::ZERO, "a weight of 0 proposes nothing");
    }

    #[test]
    fn what_is_not_finite_proposes_nothing() {
        let proposals = proposals(Vec3::NAN, Vec3::INFINITY, Vec3::X, Vec3::MAX);
        let settings = BlendSettings { goal: f32::NAN, ..BlendSettings::default() };
        let blended = blend(&proposals, &settings, 2.0);
        assert!(blended.change.is_finite() && (blended.change.length() - 2.0).abs() < 1e-6, "{blended:?}");
        assert_eq!(blend(&proposals, &settings, f32::NAN).change, Vec3::ZERO, "no budget, no change");
        assert!(blend(&proposals, &settings, f32::INFINITY).change.is_finite(), "not even in the sum");
    }
}
