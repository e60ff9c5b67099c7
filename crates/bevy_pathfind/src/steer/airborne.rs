//! Airborne agents: their goal velocity leads straight to the goal of their request.
//!
//! There is no search and no [`NavPath`] in the air. Obstacle avoidance and flocks work as for other agents.

use bevy::prelude::*;
use pathfind_core::steer::seek::arrive;
use pathfind_core::steer::{Body, MotionLimits};

use super::{Crowd, CrowdIndex, GoalSource, GoalVelocity, Remaining, SteeringGoal};
use crate::agent::{Agent, AgentVelocity};
use crate::bevy_version::OnAdd;
use crate::order::{
    AgentArrived, Arrival, Failures, NavGoal, NavPath, OnLink, PathError, PathRequest, PathStatus, Requester,
    RequesterItem, TicketCounter,
};
use crate::settings::NavSettings;
use crate::world::{Airborne, Grids, OffGround, Positions, Tie};

/// The least arrival distance, in world units. Without it an agent with an `arrive_radius` of 0 would never arrive,
/// because of rounding. Not measured.
const MIN_REACH: f32 = 1e-3;

/// The components of an airborne agent with a request.
type Flyer = (Requester, &'static Agent, &'static AgentVelocity, SteeringGoal);

/// States the goal velocities of airborne agents that have a request, and triggers [`AgentArrived`] for those at their
/// goals.
pub(super) fn fly_to_goals(
    mut flyers: Query<Flyer, With<Airborne>>,
    positions: Positions,
    settings: Res<NavSettings>,
    mut counter: ResMut<TicketCounter>,
    time: Res<Time>,
    mut failures: Failures,
    mut commands: Commands,
) {
    let (dt, up) = (time.delta_secs(), settings.unit_up());
    let mut flyers: Vec<_> = flyers.iter_mut().collect();
    flyers.sort_by_key(|(requester, ..)| requester.rank());
    for (requester, agent, velocity, goal_writer) in &mut flyers {
        let at = positions.of(requester.entity).unwrap_or(Vec3::NAN);
        let goal = agent
            .check()
            .map_err(PathError::from)
            .and_then(|()| requester.request.goal.nearest_point(at, &positions));
        // A ticket with a grid was issued for a path on the ground, before the agent became airborne.
        let is_new = requester.request.is_changed()
            || requester.ticket.grid.is_some()
            || !requester.ticket.has_request();
        if is_new {
            begin_flight(requester, &mut counter, &mut commands);
            requester.ticket.checked = Some(requester.request.last_changed());
        }
        let goal = match goal {
            Ok(goal) => goal,
            Err(error) => {
                if is_new || *requester.status != PathStatus::Failed(error) {
                    failures.fail(requester, error);
                }
                continue;
            }
        };
        let gap = goal - at;
        let gap = up.map_or(gap, |up| gap.reject_from_normalized(up));
        let goal_radius = match requester.request.goal {
            NavGoal::Within { radius, .. } => radius,
            _ => 0.0,
        };
        let reach = goal_radius + agent.arrive_radius.max(MIN_REACH);
        match *requester.status {
            PathStatus::Arrived if !has_goal_left(&requester.request, gap, reach, agent) => continue,
            PathStatus::Following if gap.length() <= reach && dt > 0.0 => {
                *requester.status = PathStatus::Arrived;
                let arrived = AgentArrived { entity: requester.entity, goal, arrival: Arrival::AtGoal };
                commands.trigger(arrived);
                continue;
            }
            PathStatus::Following => (),
            _ => *requester.status = PathStatus::Following,
        }
        let body = Body::new(at, velocity.0).with_radius(agent.radius);
        let limits = MotionLimits::new(agent.speed, dt).with_acceleration(agent.acceleration);
        let goal_velocity = GoalVelocity::new(arrive(&body, at + gap, &limits)).with_end(at + gap);
        goal_writer.state(GoalSource::Path, goal_velocity.with_remaining(Remaining::new(gap.length())));
    }
}

/// Notes how high above the ground an agent was that takes off: in the last tick, as the game may have lifted it since.
pub(super) fn take_off(
    added: OnAdd<Airborne>,
    agents: Query<(&CrowdIndex, Tie, Option<&OnLink>)>,
    (crowd, grids): (Res<Crowd>, Grids),
    mut commands: Commands,
) {
    let height = agents.get(added.entity).ok().and_then(|(&slot, (on, _, offset, _), crossing)| {
        let body = crowd.body(slot).filter(|_| crowd.entity(slot) == Some(added.entity))?;
        let on_ground = || grids.of((on, None, offset, None), body.position).ok();
        crossing.map_or_else(
            || Some(on_ground()?.height_above_ground(body.position)),
            |crossing| Some(crossing.height),
        )
    });
    // An agent that takes off again before it has stood keeps the height of its first flight.
    commands.entity(added.entity).try_insert_if_new(OffGround { height });
}

/// Begins the flight for a request, and removes the path of the agent on the ground, if it has one.
fn begin_flight(requester: &mut RequesterItem, counter: &mut TicketCounter, commands: &mut Commands) {
    requester.ticket.take_number(counter);
    requester.summary.falls_short = false;
    *requester.status = PathStatus::Following;
    commands.entity(requester.entity).try_remove::<NavPath>();
}

/// Whether the goal is an entity that has moved away since the agent arrived at it: to more than twice the distance
/// at which the agent arrived.
fn has_goal_left(request: &PathRequest, gap: Vec3, reach: f32, agent: &Agent) -> bool {
    let is_entity = matches!(request.goal, NavGoal::Entity(_));
    is_entity && gap.length() > 2.0 * (reach + agent.radius.max(0.0))
}
