//! Motion: from a wanted velocity to a moved `Transform`.
//!
//! Velocities change no faster than the agent's acceleration allows, bodies turn no faster than its turn
//! rate, and nobody ends a tick inside a wall or an obstacle, nor, if it has an `Avoider`, inside another
//! agent that has one: it slides along. Turn this plugin off to drive a physics engine from
//! `AdjustedVelocity` instead. Where to go is decided in `steer`.

mod agent;
mod facing;
mod frames;
mod ground;
mod identity;
mod integrate;
mod part;
mod velocity;

use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::prelude::*;

pub use agent::{Agent, Facing, ReflectedKindId};
pub use identity::AgentId;
pub(crate) use identity::AgentIds;
pub(crate) use integrate::accelerate;
pub use velocity::{AdjustedVelocity, DesiredVelocity, Velocity};

use crate::plugins::{NavSystems, Stage, add_stage};
use crate::world::ObstacleMap;

/// Moves agents; see [`NavSystems::Motion`].
#[derive(Debug, Clone, Copy)]
pub struct MotionPlugin {
    pub(crate) schedule: InternedScheduleLabel,
}

impl Plugin for MotionPlugin {
    fn build(&self, app: &mut App) {
        add_stage(app, self.schedule, NavSystems::Motion);
        app.register_type::<Agent>()
            .register_type::<Facing>()
            .register_type::<DesiredVelocity>()
            .register_type::<AdjustedVelocity>()
            .register_type::<Velocity>()
            .register_type::<AgentId>()
            .init_resource::<AgentIds>()
            .init_resource::<frames::Frames>()
            .init_resource::<ObstacleMap>()
            .add_systems(
                Stage(NavSystems::Motion),
                (frames::place, integrate::integrate, part::part).chain(),
            );
    }
}
