//! Whether an agent comes nearer to its next waypoint.

use bevy::prelude::*;

/// After how long without coming nearer to its next waypoint an agent is helped, in seconds; twice as
/// long after each attempt to help it.
const PATIENCE: f32 = 0.5;
/// After how many attempts in vain it is stuck.
const ATTEMPTS: u8 = 2;
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
    /// Whether `PathStuck` has been told since it came nearer last.
    is_told: bool,
}

/// What an agent that does not get on needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standstill {
    /// Another attempt.
    Stalled,
    /// The same; two attempts were in vain, and `PathStuck` has not been told.
    Stuck,
    /// The same; `PathStuck` has been told.
    Still,
}

impl Headway {
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
            _ if self.is_told => Standstill::Still,
            _ => Standstill::Stuck,
        })
    }

    /// Notes that `PathStuck` has been told.
    pub(super) const fn mark_told(&mut self) {
        self.is_told = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The troubles of an agent that stays where it is for twenty seconds, and hears of it at the attempt of this
    /// number.
    fn troubles(speed: f32, told_at: usize) -> Vec<Standstill> {
        let (mut headway, mut troubles) = (Headway::default(), Vec::new());
        for _ in 0..20 * 64 {
            troubles.extend(headway.note(3, 5.0, speed, 1.0 / 64.0));
            if troubles.len() == told_at {
                headway.mark_told();
            }
        }
        troubles
    }

    #[test]
    fn an_agent_that_does_not_get_on_is_helped_twice_and_then_stuck_until_that_is_told() {
        use Standstill::{Stalled, Still, Stuck};
        assert_eq!(troubles(2.0, 3), [Stalled, Stalled, Stuck, Still, Still]);
        assert_eq!(troubles(2.0, 4), [Stalled, Stalled, Stuck, Stuck, Still], "it was in a queue at first");
        assert_eq!(troubles(0.0, 3), [], "an agent that does not wish to move is not in trouble");
    }

    #[test]
    fn after_coming_nearer_an_agent_may_be_stuck_again() {
        let mut headway = Headway::default();
        let stand = |headway: &mut Headway, distance| {
            (0..256).find_map(|_| {
                headway.note(3, distance, 2.0, 1.0 / 64.0).filter(|&trouble| trouble != Standstill::Stalled)
            })
        };
        assert_eq!(stand(&mut headway, 5.0), Some(Standstill::Stuck));
        headway.mark_told();
        assert_eq!(stand(&mut headway, 4.0), Some(Standstill::Stuck), "another obstacle is another event");
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
