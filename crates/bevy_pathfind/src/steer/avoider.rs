//! Avoidance: steers agents clear of walls, obstacles and other agents.
//!
//! There are two layers. Obstacle avoidance casts a ray or the body's own width ahead and turns the velocity aside.
//! Reciprocal avoidance (ORCA) chooses a velocity at which agents pass each other. Both only choose velocities; that
//! no agent ends a tick inside a wall, an obstacle or another agent is ensured by `motion`.

#[cfg(any(feature = "avian2d", feature = "avian3d"))]
pub(super) mod avian;
mod obstacles;
mod reciprocal;
mod settings;

use bevy::prelude::*;
use pathfind_core::steer::avoid::{AvoidState, Avoidance};

pub(super) use obstacles::{
    AvoidanceColumns, AvoidingAgent, AvoidingMotion, Physics, Surface, avoiding_velocity,
};
pub(super) use reciprocal::{OrcaScratch, adjust_velocities};
pub use settings::{AgentAvoidance, Avoider, ObstacleAvoidance};

use crate::attributes::WorldPoint;

/// What an avoider keeps from tick to tick.
#[derive(Component, Debug, Default, PartialEq)]
pub(crate) struct AvoidMemory(AvoidState);

/// How far an agent has yet to go.
#[derive(Component, Debug, Clone, Copy, PartialEq)]
pub(crate) struct Remaining {
    /// The distance, or a lower bound of it, in world units: infinity if it is unknown; 0 without a goal.
    pub(crate) distance: f32,
    /// Whether it takes another cell near its goal if others stand on the goal.
    pub(crate) spreads: bool,
    /// Whether it goes in file, or is in its slot, so that it does not avoid others: the others avoid it.
    pub(crate) is_in_file: bool,
}

impl Remaining {
    pub(crate) const UNKNOWN: Self = Self::new(f32::INFINITY);

    pub(crate) const fn new(distance: f32) -> Self {
        Self { distance, spreads: true, is_in_file: false }
    }
}

impl Default for Remaining {
    fn default() -> Self {
        Self::new(0.0)
    }
}

/// The cast of an avoider in the last tick, a ray or a swept ball, and what it hit. For show.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct AvoidProbe {
    /// Where the cast began, in the world.
    #[reflect(@WorldPoint)]
    pub from: Vec3,
    /// Direction and length of the cast; zero if there was none.
    pub look: Vec3,
    /// Radius of the swept ball, in world units; 0 for a ray.
    pub radius: f32,
    /// Where the cast hit something, in the world.
    #[reflect(@WorldPoint)]
    pub hit: Option<Vec3>,
    /// The normal of the surface that was hit; zero if nothing was.
    pub normal: Vec3,
    /// On which side the agent goes round: a direction across its heading; zero if it goes round nothing.
    pub side: Vec3,
}

impl AvoidProbe {
    fn of(avoidance: &Avoidance, side: Vec3) -> Self {
        let Some(cast) = avoidance.probed else { return Self::default() };
        Self {
            from: cast.origin,
            look: cast.direction * cast.max,
            radius: cast.radius,
            hit: avoidance.hit.map(|hit| hit.point),
            normal: avoidance.hit.map_or(Vec3::ZERO, |hit| hit.normal),
            side,
        }
    }
}
