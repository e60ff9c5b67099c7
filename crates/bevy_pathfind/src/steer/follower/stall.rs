//! Whether an agent comes nearer to its next waypoint.

use bevy::prelude::*;

/// After how long without coming nearer to its next waypoint an agent is helped, in seconds; twice as
/// long after each attempt to help it.
const PATIENCE: f32 = 0.5;
/// After how many attempts in vain it is stuck.
const ATTEMPTS: u8 = 2;
const STUCK: u8 = ATTEMPTS + 1;
/// How much nearer it has to come to get on at all, in cells.
const LITTLE: f32 = 0.01;
/// Who wishes to go no faster than this cannot be told from one who stands, in cells a second.
const SLOW: f32 = 0.1;

/// How near an agent has come to its next waypoint, and when it last came nearer.
#[derive(Component, Debug, Default)]
pub(crate) struct StallDetector {
    /// How many waypoints are left.
    left: usize,
    nearest: f32,
    stalled: f32,
    attempts: u8,
    /// Whether `PathStuck` has been told since it came nearer last.
    is_told: bool,
}

/// What an agent that does not get on needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standstill {
    /// Another attempt.
    Stalled,
    /// The same, after two attempts in vain.
    Stuck,
    /// The same, after more than two.
    Still,
}

impl StallDetector {
    /// Whether the agent has not come nearer to its next waypoint since the tick before, though it wishes to.
    pub(super) const fn is_stalled(&self) -> bool {
        self.stalled > 0.0
    }

    /// Notes how far the next of the waypoints `left` is, and how fast the agent wishes to go there, both in cells.
    pub(super) fn note(&mut self, left: usize, distance: f32, speed: f32, dt: f32) -> Option<Standstill> {
        if self.left != left || distance < self.nearest - LITTLE {
            // A new path may have more waypoints: an agent that is helped has not come nearer by that alone.
            let is_new_path = self.left < left;
            *self = Self {
                left,
                nearest: distance,
                stalled: 0.0,
                attempts: if is_new_path { self.attempts } else { 0 },
                is_told: is_new_path && self.is_told,
            };
            return None;
        }
        if speed < SLOW {
            return None;
        }
        self.stalled += dt;
        if self.stalled < PATIENCE * f32::from(1_u8 << self.attempts.min(4)) {
            return None;
        }
        self.stalled = 0.0;
        self.attempts = self.attempts.saturating_add(1);
        Some(match self.attempts {
            ..=ATTEMPTS => Standstill::Stalled,
            STUCK => Standstill::Stuck,
            _ => Standstill::Still,
        })
    }

    /// Whether `PathStuck` has been told since the agent came nearer last.
    pub(super) const fn is_told(&self) -> bool {
        self.is_told
    }

    /// Notes that `PathStuck` has been told.
    pub(super) const fn mark_told(&mut self) {
        self.is_told = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The troubles of an agent that stays where it is for twenty seconds.
    fn troubles(stall: &mut StallDetector, speed: f32) -> Vec<Standstill> {
        (0..20 * 64).filter_map(|_| stall.note(3, 5.0, speed, 1.0 / 64.0)).collect()
    }

    #[test]
    fn an_agent_that_does_not_get_on_is_helped_twice_and_then_stuck() {
        use Standstill::{Stalled, Still, Stuck};
        assert_eq!(troubles(&mut StallDetector::default(), 2.0), [Stalled, Stalled, Stuck, Still, Still]);
        assert_eq!(troubles(&mut StallDetector::default(), 0.0), [], "it does not wish to move");
    }

    #[test]
    fn what_was_told_is_forgotten_when_the_agent_comes_nearer() {
        let mut stall = StallDetector::default();
        troubles(&mut stall, 2.0);
        stall.mark_told();
        stall.note(3, 5.0, 2.0, 1.0 / 64.0);
        assert!(stall.is_told(), "it stands where it stood");
        stall.note(4, 6.0, 2.0, 1.0 / 64.0);
        assert!(stall.is_told(), "another path alone is no progress");
        stall.note(4, 5.5, 2.0, 1.0 / 64.0);
        assert!(!stall.is_told(), "it has come nearer: another obstacle is another event");
    }

    #[test]
    fn who_gets_on_is_in_no_trouble() {
        let mut stall = StallDetector::default();
        for tick in 0..640 {
            let distance = 20.0 - tick as f32 * 0.02;
            assert_eq!(stall.note(3, distance, 2.0, 1.0 / 64.0), None, "it comes nearer");
        }
    }
}
