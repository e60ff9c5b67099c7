//! Stall detection: whether an agent on a path comes nearer to its next waypoint.
//!
//! [`StallDetector`] measures for how long an agent has wanted to move without coming nearer. It reports a
//! [`Standstill`] after 0.5 s, then after another 1, 2 and 4 s, then every 8 s; each time [`help`](super::help) or
//! [`pass`](super::super::head_on::pass) makes an attempt to free the agent. For an agent that needs longer than half
//! a second to turn round, all times are longer in proportion: it may just have missed its waypoint. Progress resets
//! the detector. It does not find out why an agent stalls.

use bevy::math::Vec2;

/// After how long without progress the first attempt to free an agent is made, in seconds. The time doubles with each
/// of the first four attempts. Measured at half and at twice that: 80 agents leave a room by a door of one cell in 26
/// and 30 s (now 26 s).
const FIRST_ATTEMPT: f32 = 0.5;
/// The upper limit of that time for an agent that turns slowly, in seconds. Not measured.
const MAX_TURN_TIME: f32 = 8.0;
/// After how many failed attempts an agent counts as stuck. Not measured.
const ATTEMPTS: u8 = 2;
const STUCK: u8 = ATTEMPTS + 1;
/// How much nearer to its waypoint an agent has to come for that to count as progress, in cells. Not measured.
const MIN_PROGRESS: f32 = 0.01;
/// An agent with a lower desired speed does not count as stalled. In cells per second. Not measured.
const MIN_SPEED: f32 = 0.1;

/// How near an agent has come to its next waypoint, and for how long it has come no nearer.
#[derive(Debug, Default)]
pub(super) struct StallDetector {
    /// How many waypoints are left.
    left: u32,
    /// The least distance to the next waypoint so far, in cells.
    nearest: f32,
    /// The goal that the agent was on its way to and its next waypoint, in grid space.
    towards: [Vec2; 2],
    /// For how long it has wanted to move without progress since the last attempt, in seconds.
    stalled: f32,
    attempts: u8,
    /// Whether `PathStuck` has been triggered since the agent last came nearer.
    is_reported: bool,
}

/// How many attempts to free an agent without progress have failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standstill {
    /// None or one: it needs a first or second attempt.
    Stalled,
    /// Two attempts have failed.
    Stuck,
    /// More than two attempts have failed.
    StillStuck,
}

impl StallDetector {
    /// Whether the agent, since it last came nearer or was helped, has wanted to move and has not come nearer.
    pub(super) const fn is_stalled(&self) -> bool {
        self.stalled > 0.0
    }

    /// Notes how far the next of the `left` waypoints is, in cells. `towards` are the goal and that waypoint.
    /// `speed_and_turn` gives how fast the agent wants to go there, in cells per second, and the time that it takes
    /// to stop and come back to where it was, in seconds. It is called only for an agent that has come no nearer.
    pub(super) fn note(
        &mut self,
        (left, towards): (u32, [Vec2; 2]),
        distance: f32,
        speed_and_turn: impl FnOnce() -> (f32, f32),
        dt: f32,
    ) -> Option<Standstill> {
        if self.towards != towards {
            // Another goal or another path, which may have as many waypoints as the one before. An agent that is
            // hindered comes no nearer to the new waypoint either, so the time counts on.
            (self.towards, self.nearest) = (towards, distance);
        }
        if self.left != left || distance < self.nearest - MIN_PROGRESS {
            // More waypoints than before are a new path: that alone is no progress, so the attempts count on.
            let is_new_path = self.left < left;
            *self = Self {
                left,
                nearest: distance,
                towards,
                stalled: 0.0,
                attempts: if is_new_path { self.attempts } else { 0 },
                is_reported: is_new_path && self.is_reported,
            };
            return None;
        }
        let (speed, turn) = speed_and_turn();
        if speed < MIN_SPEED {
            return None;
        }
        self.stalled += dt;
        let first = FIRST_ATTEMPT.max(turn.min(MAX_TURN_TIME));
        if self.stalled < first * f32::from(1_u8 << self.attempts.min(4)) {
            return None;
        }
        self.stalled = 0.0;
        self.attempts = self.attempts.saturating_add(1);
        Some(match self.attempts {
            ..=ATTEMPTS => Standstill::Stalled,
            STUCK => Standstill::Stuck,
            _ => Standstill::StillStuck,
        })
    }

    /// Whether `PathStuck` has been triggered since the agent last came nearer.
    pub(super) const fn is_reported(&self) -> bool {
        self.is_reported
    }

    /// Notes that `PathStuck` has been triggered.
    pub(super) const fn mark_reported(&mut self) {
        self.is_reported = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AIM: [Vec2; 2] = [Vec2::ZERO; 2];

    /// The standstills of an agent that stays where it is for twenty seconds.
    fn standstills(stall: &mut StallDetector, speed: f32) -> Vec<Standstill> {
        (0..20 * 64).filter_map(|_| stall.note((3, AIM), 5.0, || (speed, 0.0), 1.0 / 64.0)).collect()
    }

    #[test]
    fn an_agent_without_progress_is_helped_twice_and_then_stuck() {
        use Standstill::{Stalled, StillStuck, Stuck};
        assert_eq!(
            standstills(&mut StallDetector::default(), 2.0),
            [Stalled, Stalled, Stuck, StillStuck, StillStuck]
        );
        assert_eq!(standstills(&mut StallDetector::default(), 0.0), [], "its desired speed is zero");
    }

    #[test]
    fn a_report_is_forgotten_when_the_agent_comes_nearer() {
        let mut stall = StallDetector::default();
        standstills(&mut stall, 2.0);
        stall.mark_reported();
        stall.note((3, AIM), 5.0, || (2.0, 0.0), 1.0 / 64.0);
        assert!(stall.is_reported(), "it stands where it stood");
        stall.note((4, AIM), 6.0, || (2.0, 0.0), 1.0 / 64.0);
        assert!(stall.is_reported(), "another path alone is no progress");
        stall.note((4, AIM), 5.5, || (2.0, 0.0), 1.0 / 64.0);
        assert!(!stall.is_reported(), "it has come nearer: another obstacle is another event");
    }

    #[test]
    fn the_same_number_of_waypoints_to_another_goal_is_a_new_path() {
        let mut stall = StallDetector::default();
        for goal in [Vec2::X, Vec2::Y, Vec2::ONE] {
            for tick in 0..128 {
                let distance = 10.0 - tick as f32 * 0.078;
                let standstill = stall.note((1, [goal; 2]), distance, || (5.0, 0.0), 1.0 / 64.0);
                assert_eq!(standstill, None, "it comes nearer");
            }
        }
    }

    #[test]
    fn an_agent_with_progress_never_stalls() {
        let mut stall = StallDetector::default();
        for tick in 0..640 {
            let distance = 20.0 - tick as f32 * 0.02;
            assert_eq!(stall.note((3, AIM), distance, || (2.0, 0.0), 1.0 / 64.0), None, "it comes nearer");
        }
    }
}
