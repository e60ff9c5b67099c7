//! Motion: moves `Transform`s at the velocities that `steer` has computed.
//!
//! Velocities change no faster than the agent's acceleration allows, and bodies turn no faster than their turn rate.
//! No agent's centre ends a tick inside a wall or an obstacle: the agent slides along. Agents that both have an
//! `Avoider` are pushed apart where they overlap. On a grid with elevation they stand on the ground. An agent with a
//! `RigidBody` of avian (features `avian2d`, `avian3d`) is moved by avian, at the velocity of this motion. Leave this
//! plugin out to drive another physics engine from `AdjustedVelocity`. Where agents go is decided in `steer`.

mod contacts;
mod context;
mod cross;
mod heading;
mod integrate;
mod parents;
mod physics;
mod stand;
mod teleport;

use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::prelude::*;

use crate::agent::{AdjustedVelocity, Agent, AgentId, AgentIds, AgentVelocity, DesiredVelocity};
use crate::order::{LinkCrossed, LinkReached, OnLink};
use crate::stage::{NavStage, NavSystems, add_stage, in_a_schedule};
use crate::world::{GroundOffset, LinkGraph, ObstacleMap};
pub(crate) use teleport::Teleport;

/// Moves agents; see [`NavSystems::Motion`].
#[derive(Debug, Clone, Copy)]
pub struct MotionPlugin {
    schedule: InternedScheduleLabel,
}

in_a_schedule!(MotionPlugin);

impl Plugin for MotionPlugin {
    fn build(&self, app: &mut App) {
        add_stage(app, self.schedule, NavSystems::Motion);
        app.register_type::<Agent>()
            .register_type::<GroundOffset>()
            .register_type::<DesiredVelocity>()
            .register_type::<AdjustedVelocity>()
            .register_type::<AgentVelocity>()
            .register_type::<AgentId>()
            .init_resource::<AgentIds>()
            .init_resource::<parents::ParentTransforms>()
            .register_type::<OnLink>()
            .register_type::<LinkReached>()
            .register_type::<LinkCrossed>()
            .init_resource::<ObstacleMap>()
            .init_resource::<LinkGraph>()
            .add_systems(
                NavStage(NavSystems::Motion),
                (
                    parents::place,
                    integrate::integrate,
                    cross::cross,
                    contacts::resolve_bodies,
                    stand::stand,
                    heading::turn_vehicles,
                )
                    .chain(),
            )
            .add_observer(cross::arrive)
            .add_observer(cross::stop);
        #[cfg(feature = "avian2d")]
        physics::flat::plug_in(app, self.schedule);
        #[cfg(feature = "avian3d")]
        physics::space::plug_in(app, self.schedule);
    }
}
