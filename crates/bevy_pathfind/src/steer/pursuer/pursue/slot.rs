//! A pursuer with a claim at its target: it goes to its slot, or waits for one.

use bevy::prelude::*;

use super::{PursuingItem, Situation};
use crate::order::{PathStatus, SlotClaim};
use crate::steer::pursuer::{InterceptForecast, PursuitAim};
use crate::steer::{GoalSource, GoalVelocity, Remaining};

/// For how long an agent that waits for a slot tries to get nearer to its place, and every how many seconds it begins to
/// try again. Not measured.
const TRY: f32 = 0.5;
const RETRY: f32 = 2.0;

impl PursuingItem<'_, '_> {
    /// Goes to its slot, or to where it waits for one, and keeps up with that. In its slot it has caught the target.
    pub(super) fn go_to_slot(
        &mut self,
        claim: &SlotClaim,
        situation: &Situation,
        commands: &mut Commands,
    ) -> PursuitAim {
        let way = situation.gap(claim.point);
        let (is_there, has_slot) = (way.length() <= claim.tolerance, claim.slot().is_some());
        if is_there && has_slot {
            self.catch(commands);
        } else if way.length() > 2.0 * claim.tolerance || !has_slot {
            self.state.caught = false;
        }
        self.show_status(match (is_there, has_slot) {
            (true, true) => PathStatus::Arrived,
            (true, false) => PathStatus::AwaitingSlot,
            (false, _) => PathStatus::Following,
        });
        let drift = situation.flattened(situation.target).velocity;
        // Round the target the way is longer.
        let first = situation.gap(claim.heads_for);
        let length = first.length() + (claim.point - claim.heads_for).length();
        // An agent that waits stands at its point, or where others keep it from there, and tries again now and then.
        let stands = !has_slot && (is_there || claim.stalled % RETRY > TRY);
        let toward = if stands { Vec3::ZERO } else { first.normalize_or_zero() * length };
        let velocity = GoalVelocity::keep_up(toward, drift, self.agent, situation.dt);
        // An agent that waits makes way, and one in its slot does not; one on the way to its slot presses on others, so that
        // it gets in between its neighbours.
        let remaining = Remaining { distance: length, spreads: !has_slot, is_in_file: is_there && has_slot };
        let velocity = velocity.with_end(situation.at + way).with_remaining(remaining);
        self.goal.state(GoalSource::Pursuit, velocity);
        let forecast =
            if self.state.caught { InterceptForecast::Caught } else { InterceptForecast::default() };
        PursuitAim { point: claim.point, time: 0.0, forecast, is_in_sight: true }
    }
}
