//! Whether an agent gets on.

use bevy::prelude::*;

/// After how long without coming nearer to its next waypoint an agent is in trouble, in seconds; twice as
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
pub(crate) struct Headway {
    /// How many waypoints are left.
    left: usize,
    nearest: f32,
    stalled: f32,
    attempts: u8,
}

/// What an agent that does not get on needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standstill {
    /// Another attempt.
    Stalled,
    /// The same, and somebody should hear of it.
    Stuck,
    /// The same again, of which somebody has heard.
    Still,
}

impl Headway {
    /// Whether the agent has not come nearer to its next waypoint since the tick before, though it wishes to.
    pub(super) const fn is_stalled(&self) -> bool {
        self.stalled > 0.0
    }

    /// Notes how far the next of the waypoints `left` is, and how fast the agent wishes to go there, both in cells.
    pub(super) fn note(&mut self, left: usize, distance: f32, speed: f32, dt: f32) -> Option<Standstill> {
        if self.left != left || distance < self.nearest - LITTLE {
            // A new path may have as many waypoints: who is helped has not got on by that alone.
            let attempts = if self.left >= left { 0 } else { self.attempts };
            *self = Self { left, nearest: distance, stalled: 0.0, attempts };
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
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The troubles of one who stays where it is for ten seconds.
    fn troubles(speed: f32) -> Vec<Standstill> {
        let mut headway = Headway::default();
        (0..640).filter_map(|_| headway.note(3, 5.0, speed, 1.0 / 64.0)).collect()
    }

    #[test]
    fn who_does_not_get_on_is_helped_twice_and_then_stuck_once() {
        use Standstill::{Stalled, Still, Stuck};
        assert_eq!(troubles(2.0), [Stalled, Stalled, Stuck, Still]);
        assert_eq!(troubles(0.0), [], "who does not wish to go is not in trouble");
    }

    #[test]
    fn who_gets_on_is_in_no_trouble() {
        let mut headway = Headway::default();
        for tick in 0..640 {
            let distance = 20.0 - tick as f32 * 0.02;
            assert_eq!(headway.note(3, distance, 2.0, 1.0 / 64.0), None, "it comes nearer");
        }
    }
}
