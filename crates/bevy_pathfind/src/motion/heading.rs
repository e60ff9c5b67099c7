//! Turns vehicles: their headings are those of their paths.

use std::f32::consts::TAU;

use bevy::prelude::*;

use super::parents::ParentTransforms;
use crate::agent::{Agent, Vehicle, VehicleCourse};
use crate::order::OnLink;
use crate::settings::NavSettings;
use crate::world::{Grids, Tie};

/// The components of a vehicle.
type Turning =
    (&'static Agent, &'static VehicleCourse, &'static mut Transform, Tie, Option<&'static ChildOf>);

/// Sets the rotation of every vehicle that drives.
pub(super) fn turn_vehicles(
    mut vehicles: Query<Turning, (With<Vehicle>, Without<OnLink>)>,
    (grids, parents): (Grids, Res<ParentTransforms>),
    settings: Option<Res<NavSettings>>,
) {
    if vehicles.is_empty() {
        return;
    }
    let (grids, default_up) = (grids.all(), settings.and_then(|settings| settings.up));
    for (agent, course, mut transform, tie, parent) in &mut vehicles {
        if course.pose.is_none() {
            continue;
        }
        let facing = Vehicle::facing(agent);
        let frame = parents.of(parent);
        let at = frame.map_or(transform.translation, |frame| frame.transform_point3(transform.translation));
        let grid = grids.of(tie, at).ok().map(|grid| grid.place.up());
        let (mut ahead, mut up) = (course.ahead, grid.or(default_up).unwrap_or(facing.usual_up()));
        if let Some(inside) = frame.map(|frame| frame.inverse()) {
            (ahead, up) = (inside.transform_vector3(ahead), inside.transform_vector3(up));
        }
        let turned = facing.turned(transform.rotation, ahead, up, TAU);
        if transform.rotation != turned {
            transform.rotation = turned;
        }
    }
}
