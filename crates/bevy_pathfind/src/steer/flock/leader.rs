//! A leader that wanders in a box.

use bevy::prelude::*;
use pathfind_core::steer::Body;
use pathfind_core::steer::flock::{WanderBox, WanderState};
use serde::{Deserialize, Serialize};

use crate::agent::{Agent, AgentId, AgentVelocity};
use crate::attributes::MeasuredIn;
use crate::steer::{GoalSource, GoalVelocity, SteerSettings, SteeringGoal};
use crate::world::Positions;

/// An agent that wanders within a box, for a flock to follow: it flies at its speed towards a random point of
/// the box, and shortly before it is there, towards another (the `FlockController` of Unity's island demo).
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[require(Agent::new(8.0), LeaderWander)]
pub struct FlockLeader {
    /// Half the size of the box round its start position; 0 along an axis keeps it in a plane. Unit:
    /// world units. Range: 0 and up. Default: `40`, `10`, `40`.
    #[reflect(@MeasuredIn("world units"))]
    pub bound: Vec3,
    /// How fast its heading turns. Unit: radians per second. Range: 0 and up. Default: `1.0`.
    #[reflect(@0.0..=10.0_f32, @MeasuredIn("radians per second"))]
    pub turn_speed: f32,
    /// How near it comes to a point before it picks another; never less than the diameter of its turning circle.
    /// Unit: world units. Range: 0 and up. Default: `20.0`.
    #[reflect(@0.0..=100.0_f32, @MeasuredIn("world units"))]
    pub near: f32,
}

impl Default for FlockLeader {
    fn default() -> Self {
        let WanderBox { bound, turn_speed, near, .. } = WanderBox::default();
        Self { bound, turn_speed, near }
    }
}

impl FlockLeader {
    /// A leader in a box of this half size, in world units, that comes within half of its longest side to a point.
    #[must_use]
    pub fn new(bound: Vec3) -> Self {
        Self { bound, near: bound.max_element() / 2.0, ..Self::default() }
    }
}

/// Where a leader started, and where it flies to.
#[derive(Component, Debug, Default)]
pub(crate) struct LeaderWander {
    start: Option<Vec3>,
    wander: WanderState,
}

/// States the goal velocities of leaders.
pub(in crate::steer) fn wander(
    mut leaders: Query<(
        Entity,
        &FlockLeader,
        &Agent,
        &AgentId,
        &AgentVelocity,
        &mut LeaderWander,
        SteeringGoal,
    )>,
    positions: Positions,
    settings: Res<SteerSettings>,
    time: Res<Time>,
) {
    for (entity, leader, agent, id, velocity, mut state, mut goal) in &mut leaders {
        let Some(at) = positions.of(entity).filter(|at| at.is_finite()) else { continue };
        let state = &mut *state;
        let center = *state.start.get_or_insert(at);
        let &FlockLeader { bound, turn_speed, near } = leader;
        let wander_box = WanderBox { center, bound, speed: agent.speed, turn_speed, near };
        let body = Body::new(at, velocity.0);
        let velocity = wander_box.velocity(&mut state.wander, &body, time.delta_secs(), settings.seed, id.0);
        goal.state(GoalSource::Behavior, GoalVelocity::new(velocity));
    }
}
