//! The settings of avoidance.

use bevy::prelude::*;
use pathfind_core::steer::{avoid::Sweep, classic::Ray, obstacle::LayerMask, reciprocal::ReciprocalSettings};
use serde::{Deserialize, Serialize};

use super::{AvoidMemory, AvoidProbe, Remaining};
use crate::agent::Agent;
use crate::attributes::{LayerBits, MeasuredIn};

/// How an agent looks ahead for obstacles.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Default, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ObstacleAvoidance {
    /// Sweeps its own width over the distance that it needs to stop; goes round on one side and keeps to it.
    #[default]
    Sweep,
    /// Casts a single ray along its heading: the tutorials' rule, without width or memory.
    Ray,
    /// Not at all.
    Off,
}

/// How an agent treats other agents.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Default, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum AgentAvoidance {
    /// Walks through them.
    Ignore,
    /// Bumps into them: bodies do not overlap.
    Contact,
    /// Avoids them in time, each agent doing half of it (ORCA; J. van den Berg and others, 2011), and bodies do
    /// not overlap. It avoids along the ground; where there is neither a grid nor a
    /// [`NavSettings::up`](crate::settings::NavSettings::up), in the plane XY.
    #[default]
    Reciprocal,
}

/// Avoidance of the walls of the agent's grid, of [`Obstacle`](crate::world::Obstacle)s and of other agents.
///
/// An agent on a path does not look ahead for walls: its path keeps out of them. No agent ends a tick inside
/// a wall or an obstacle, with this component or without; what its mask leaves out is no obstacle to it.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// fn spawn(mut commands: Commands) {
///     commands.spawn((Agent::default(), Avoider::default(), ManualVelocity(Vec3::X)));
///     commands.spawn((Obstacle::sphere(1.0), Transform::from_xyz(6.0, 0.2, 0.0)));
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[require(Agent, AvoidMemory, AvoidProbe, Remaining)]
pub struct Avoider {
    /// How it looks ahead for walls and obstacles. Default: `Sweep`.
    pub obstacles: ObstacleAvoidance,
    /// The layers of obstacles that it avoids and is stopped by, one bit each. Default: all.
    #[reflect(@LayerBits)]
    pub mask: u32,
    /// Whether it looks ahead for the walls of its grid. Default: `true`.
    pub walls: bool,
    /// How hard it turns aside from obstacles. With `Sweep`: 1 turns in full only on contact, 2 from half of the
    /// look-ahead on. With `Ray`: the weight of the surface normal, added to a heading of length 1. Range: 0 and
    /// up. Default: `4.0`; the tutorial has `50.0`.
    #[reflect(@0.0..=100.0_f32)]
    pub force: f32,
    /// Length of the ray; `Sweep` computes its own. Unit: world units. Range: 0 and up. Default: `None`, 20
    /// [body units](Agent::body_unit).
    #[reflect(@0.0..=100.0_f32, @MeasuredIn("world units"))]
    pub range: Option<f32>,
    /// How long before it must brake `Sweep` begins to look. Unit: seconds. Range: 0 and up. Default: `0.2`.
    #[reflect(@0.0..=3.0_f32, @MeasuredIn("seconds"))]
    pub reaction_time: f32,
    /// Distance that `Sweep` prefers to keep, as a part of the body's radius. Range: 0 and up. Default: `0.1`.
    #[reflect(@0.0..=2.0_f32)]
    pub margin: f32,
    /// How long `Sweep` keeps to the side on which it goes round. Unit: seconds. Range: 0 and up. Default: `0.4`.
    #[reflect(@0.0..=2.0_f32, @MeasuredIn("seconds"))]
    pub side_hold_time: f32,
    /// How it treats other agents. Default: `Reciprocal`.
    pub agents: AgentAvoidance,
    /// How far ahead collisions with other agents are predicted: the longer, the earlier it turns aside.
    /// Unit: seconds. Range: above 0. Default: `2.0`.
    #[reflect(@0.1..=10.0_f32, @MeasuredIn("seconds"))]
    pub time_horizon: f32,
    /// How far away other agents are seen. Unit: world units. Range: 0 and up. Default: `None`, as far as it goes in
    /// `time_horizon` at its top speed.
    #[reflect(@0.0..=50.0_f32, @MeasuredIn("world units"))]
    pub neighbor_range: Option<f32>,
    /// How many other agents are considered, the nearest first. Range: 0 to 32. Default: `10`.
    #[reflect(@0..=32_u32)]
    pub max_neighbors: u32,
    /// How far it leans to its right when another agent is in its way, as a part of its velocity; to its left
    /// below 0. At 0, two that meet head-on may stand still for ever. Range: -1 to 1. Default: `0.1`.
    #[reflect(@-1.0..=1.0_f32)]
    pub side_bias: f32,
}

impl Default for Avoider {
    fn default() -> Self {
        let sweep = Sweep::default();
        let reciprocal = ReciprocalSettings::default();
        Self {
            obstacles: ObstacleAvoidance::default(),
            mask: LayerMask::ALL.0,
            walls: true,
            force: sweep.force,
            range: None,
            reaction_time: sweep.reaction_time,
            margin: sweep.margin,
            side_hold_time: sweep.side_hold_time,
            agents: AgentAvoidance::default(),
            time_horizon: reciprocal.time_horizon,
            neighbor_range: None,
            max_neighbors: reciprocal.max_neighbors,
            side_bias: reciprocal.side_bias,
        }
    }
}

impl Avoider {
    /// The tutorials' rule: one ray of this length, in world units, and a force of 50; it bumps into other agents.
    #[must_use]
    pub fn ray(range: f32) -> Self {
        Self {
            obstacles: ObstacleAvoidance::Ray,
            range: Some(range),
            force: Ray::default().force,
            ..Self::contact()
        }
    }

    /// Avoids obstacles by `Sweep`, and bumps into other agents instead of avoiding them.
    #[must_use]
    pub fn contact() -> Self {
        Self { agents: AgentAvoidance::Contact, ..Self::default() }
    }

    /// The same avoider, for these layers of obstacles only.
    #[must_use]
    pub const fn with_mask(mut self, mask: u32) -> Self {
        self.mask = mask;
        self
    }

    /// The rule for an agent whose own obstacles have the number `me`.
    pub(super) fn ray_rule(&self, agent: &Agent, me: u64) -> Ray {
        let range = self.range.unwrap_or(Ray::default().range * agent.body_unit());
        Ray { range, force: self.force, mask: LayerMask(self.mask), except: Some(me) }
    }

    /// The rule for an agent whose own obstacles have the number `me`.
    pub(super) const fn sweep_rule(&self, me: u64, braking: f32) -> Sweep {
        let &Self { reaction_time, force, margin, side_hold_time, mask, .. } = self;
        let (mask, except) = (LayerMask(mask), Some(me));
        Sweep { reaction_time, braking, force, margin, side_hold_time, mask, except }
    }

    /// Whether it avoids other agents by `Reciprocal`.
    pub(crate) fn is_reciprocal(&self) -> bool {
        self.agents == AgentAvoidance::Reciprocal
    }

    /// How far away it sees other agents by `Reciprocal`, in world units.
    pub(crate) fn reach(&self, agent: &Agent) -> f32 {
        self.neighbor_range.unwrap_or(self.time_horizon * agent.speed)
    }

    pub(super) fn reciprocal_rule(&self, agent: &Agent) -> ReciprocalSettings {
        let &Self { time_horizon, max_neighbors, side_bias, .. } = self;
        let rule = ReciprocalSettings::default();
        ReciprocalSettings { time_horizon, range: self.reach(agent), max_neighbors, side_bias, ..rule }
    }
}
