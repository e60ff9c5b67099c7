//! The body of a vehicle.

use bevy::prelude::*;
use pathfind_core::{VehicleBody, VehiclePose};
use serde::{Deserialize, Serialize};

use super::{Agent, AgentFacing};
use crate::attributes::MeasuredIn;

/// Makes an agent a vehicle, which cannot turn on the spot: a truck, a tank with a trailer, a ship. Its paths are
/// made of arcs and straight legs, driven forwards and, if it can, backwards; its rectangle stays out of walls. A
/// `PathRequest` whose goal it cannot drive to fails with `PathError::NotDrivable`.
///
/// The vehicle heads where the side of [`Agent::facing`] points (with [`AgentFacing::None`], local +X), and the plugin
/// turns its `Transform`, which is the middle of the rectangle, along its path. A vehicle does not push and is not
/// pushed: other agents with reciprocal avoidance make way for it, and where they cannot it waits. [`Agent::radius`] is the
/// disc that keeps from walls and bodies in contact: at most half of the width, so that it fits wherever the
/// rectangle does. It takes no arrival slots and crosses no links.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// fn spawn_truck(mut commands: Commands) {
///     let truck = Vehicle { length: 2.4, width: 1.0, ..default() };
///     commands.spawn((Agent::new(4.0).with_radius(0.5), truck, PathRequest::to(Vec3::new(9.0, 4.0, 0.0))));
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[require(Agent, VehicleCourse)]
pub struct Vehicle {
    /// The length of the rectangle. Unit: world units. Range: above 0, up to 64 cells. Default: `2.0`.
    #[reflect(@0.1..=20.0_f32, @MeasuredIn("world units"))]
    pub length: f32,
    /// The width of the rectangle. Unit: world units. Range: above 0, up to 64 cells. Default: `1.0`.
    #[reflect(@0.1..=20.0_f32, @MeasuredIn("world units"))]
    pub width: f32,
    /// The radius of the turning circle: of the tightest arc of the middle of the rectangle. Unit: world units.
    /// Range: above 0, up to 1,000 cells. Default: `3.0`.
    #[reflect(@0.1..=50.0_f32, @MeasuredIn("world units"))]
    pub turning_radius: f32,
    /// Whether it can drive backwards. Default: `true`.
    pub reverses: bool,
}

impl Default for Vehicle {
    fn default() -> Self {
        Self { length: 2.0, width: 1.0, turning_radius: 3.0, reverses: true }
    }
}

impl Vehicle {
    /// Its body on a grid with cells of this side, in world units.
    pub(crate) fn body(&self, cell_size: f32) -> VehicleBody {
        VehicleBody {
            length: self.length / cell_size,
            width: self.width / cell_size,
            turning_radius: self.turning_radius / cell_size,
            reverses: self.reverses,
        }
    }

    /// The direction in which it heads, in the space of its `Transform`.
    pub(crate) fn ahead(agent: &Agent, transform: &Transform) -> Vec3 {
        transform.rotation * Self::facing(agent).ahead().unwrap_or(Vec3::X)
    }

    /// The side that points ahead.
    pub(crate) const fn facing(agent: &Agent) -> AgentFacing {
        match agent.facing {
            AgentFacing::None => AgentFacing::Right,
            facing => facing,
        }
    }
}

/// How a vehicle drives along its path. Written by `steer`.
#[derive(Component, Debug, Clone, Copy, Default)]
pub(crate) struct VehicleCourse {
    /// How far it has come on its path, in cells.
    pub(crate) driven: f32,
    /// The pose at the end of this tick, in grid space; `None` while it does not drive.
    pub(crate) pose: Option<VehiclePose>,
    /// The velocity that leads there, and the direction in which it then heads, in the world.
    pub(crate) velocity: Vec3,
    pub(crate) ahead: Vec3,
    /// The velocity at which it would drive if nobody stood in its way: others avoid it as if it had that.
    pub(crate) wanted: Vec3,
}
