//! Stall detection: whether an agent on a path gets on.
//!
//! Progress is measured by the length of path that is left: that measure stays comparable when the agent gets another
//! path to the same end. [`StallDetector`] adds up the time that the agent loses: in which it wants to move, and no less
//! is left than ever before. An agent that something has moved back loses no time while it walks up again. After 0.5 s
//! lost it reports a [`Standstill`], then after another 1, 2 and 4 s, then every 8 s; each time [`help`](super::help) makes
//! an attempt to free the agent. For an agent that needs longer than half a second to turn round, all times are longer in
//! proportion: it may just have missed its waypoint. Less path left than ever before resets the detector. It does not
//! find out why an agent stalls.

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
/// By how much less has to be left of the path than ever before for that to count as progress, in cells. Not measured.
const MIN_PROGRESS: f32 = 0.01;
/// The same for an agent that has lost time already, as a fraction of how far it could go until the first attempt: one
/// that creeps along, because others press on it, does not get on. Not measured.
const MIN_SHARE: f32 = 0.05;
/// An agent with a lower desired speed does not count as stalled. In cells per second. Not measured.
const MIN_SPEED: f32 = 0.1;

/// How little of its path an agent has had left, and for how long it has come no farther.
#[derive(Debug, Default)]
pub(super) struct StallDetector {
    /// The least length of path left so far, and the length left in the last tick, in cells.
    least: f32,
    last: f32,
    /// The goal that the agent was on its way to and the end of its path, in grid space. None before the first note.
    towards: Option<[Vec2; 2]>,
    /// For how long it has wanted to move without coming nearer since the last attempt, in seconds.
    stalled: f32,
    attempts: u8,
    /// How often it has asked for a path from beside its old one, since the last progress.
    asked: u8,
    /// Whether `AgentStuck` has been triggered since the last progress.
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
    /// Whether the agent, since its last progress or the last attempt, has lost time.
    pub(super) const fn is_stalled(&self) -> bool {
        self.stalled > 0.0
    }

    /// Notes how much of the path is left, in cells. `towards` are the goal and the end of the path. `speed_and_turn`
    /// gives how fast the agent wants to go and can, in cells per second, and the time that it takes to stop and come
    /// back to where it was, in seconds. It is called only for an agent that has lost time or makes no progress.
    pub(super) fn note(
        &mut self,
        towards: [Vec2; 2],
        left: f32,
        speed_and_turn: impl FnOnce() -> (f32, f32),
        dt: f32,
    ) -> Option<Standstill> {
        let towards = Some(towards);
        if self.towards != towards {
            // Another goal, or a path that ends elsewhere. An agent that is hindered comes no nearer to that end
            // either, so the time counts on.
            (self.towards, self.least, self.last) = (towards, left, left);
        }
        let nearer = core::mem::replace(&mut self.last, left) - left;
        let anew = Self { least: left, last: left, towards, ..Self::default() };
        let gained = self.least - left;
        if gained > MIN_PROGRESS && !self.is_stalled() && self.attempts == 0 {
            *self = anew;
            return None;
        }
        let (speed, turn) = speed_and_turn();
        let first = FIRST_ATTEMPT.max(turn.min(MAX_TURN_TIME));
        if gained > MIN_PROGRESS.max(MIN_SHARE * speed * first) {
            *self = anew;
            return None;
        }
        if speed < MIN_SPEED {
            return None;
        }
        // An agent that is farther back than it walks until it counts as stuck is measured from there.
        let until_stuck = first * f32::from((1_u8 << STUCK) - 1);
        self.least = self.least.max(left - speed * until_stuck);
        let is_set_back = left - self.least > speed * first / 2.0;
        self.stalled += if is_set_back { (dt - nearer / speed).clamp(0.0, dt) } else { dt };
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

    /// Whether an agent beside its path may ask for another: once for each attempt to free it, so that one that is
    /// pushed about and gets nowhere does not ask in every tick.
    pub(super) const fn may_ask(&self) -> bool {
        self.asked <= self.attempts
    }

    pub(super) const fn mark_asked(&mut self) {
        self.asked = self.asked.saturating_add(1);
    }

    /// Whether `AgentStuck` has been triggered since the last progress.
    pub(super) const fn is_reported(&self) -> bool {
        self.is_reported
    }

    /// Notes that `AgentStuck` has been triggered.
    pub(super) const fn mark_reported(&mut self) {
        self.is_reported = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AIM: [Vec2; 2] = [Vec2::ZERO; 2];
    const TICK: f32 = 1.0 / 64.0;

    /// The standstills of an agent that stays where it is for twenty seconds.
    fn standstills(stall: &mut StallDetector, speed: f32) -> Vec<Standstill> {
        (0..20 * 64).filter_map(|_| stall.note(AIM, 5.0, || (speed, 0.0), TICK)).collect()
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
    fn a_report_is_forgotten_when_less_is_left_than_ever_before() {
        let mut stall = StallDetector::default();
        standstills(&mut stall, 2.0);
        stall.mark_reported();
        stall.note(AIM, 6.0, || (2.0, 0.0), TICK);
        stall.note(AIM, 5.5, || (2.0, 0.0), TICK);
        assert!(stall.is_reported(), "it has gone back, or has a longer path, and comes up again");
        stall.note(AIM, 4.9, || (2.0, 0.0), TICK);
        assert!(!stall.is_reported(), "it has got on: another obstacle is another event");
    }

    #[test]
    fn an_agent_set_back_loses_no_time_on_its_way_up() {
        let mut stall = StallDetector::default();
        for left in (0..).map(|tick| 40.0 - tick as f32 * 2.0 * TICK).take_while(|&left| left > 10.0) {
            assert_eq!(stall.note(AIM, left, || (2.0, 0.0), TICK), None, "{left} left of the first 40");
        }
        for left in (0..).map(|tick| 35.0 - tick as f32 * 2.0 * TICK).take_while(|&left| left > 1.0) {
            assert_eq!(stall.note(AIM, left, || (2.0, 0.0), TICK), None, "{left} left after it was set back");
        }
    }

    #[test]
    fn an_agent_that_goes_to_and_fro_is_stuck() {
        let mut stall = StallDetector::default();
        let all: Vec<_> = (0..30 * 64)
            .filter_map(|tick: i32| {
                let back = (tick % 128 - 64).abs() as f32 * 1.5 * TICK;
                stall.note(AIM, 5.0 + back, || (2.0, 0.0), TICK)
            })
            .collect();
        assert_eq!(all.get(2), Some(&Standstill::Stuck), "however far it goes: {all:?}");
    }

    #[test]
    fn a_path_to_another_goal_is_measured_anew() {
        let mut stall = StallDetector::default();
        for goal in [Vec2::X, Vec2::Y, Vec2::ONE] {
            for tick in 0..128 {
                let left = 10.0 - tick as f32 * 0.078;
                assert_eq!(stall.note([goal; 2], left, || (5.0, 0.0), TICK), None, "it comes nearer");
            }
        }
    }
}
