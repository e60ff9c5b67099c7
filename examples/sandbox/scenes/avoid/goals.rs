//! The goals of the vehicles, and dragging obstacles with the pointer.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, steer::BehaviorTarget, world::ObstacleShape};

use super::{FIELD, Vehicle, surface};
use crate::{hud::Notice, pointer::Pointer};

/// The goals of the vehicles.
#[derive(Resource, Debug)]
pub(super) struct VehicleGoals {
    /// The point that was clicked; without one, vehicles shuttle from side to side.
    pub goal: Option<Vec3>,
    /// The side of the field that they are on, or are sent to: -1 or 1.
    side: f32,
    /// Seconds until they are sent to the other side again.
    next_trip_in: f32,
    /// The obstacle that is being dragged, and its offset from the pointer.
    dragged: Option<(Entity, Vec3)>,
}

/// Distance from the centre at which they turn back, in world units.
const TURN: f32 = 42.0;
/// Time for a trip to the other side, and for one to a clicked point, in seconds.
const CROSSING_TIME: f32 = 11.0;
const CLICK_TIME: f32 = 14.0;
/// A press that moves farther than this, in world units, is no click.
const CLICK_TOLERANCE: f32 = 1.0;

impl Default for VehicleGoals {
    fn default() -> Self {
        Self { goal: None, side: -1.0, next_trip_in: 0.5, dragged: None }
    }
}

impl VehicleGoals {
    /// The goal of a vehicle, by its number in the squad.
    pub(super) fn place(&self, rank: u32, count: u32) -> Vec3 {
        match self.goal {
            // Vehicles are placed round the goal in a sunflower pattern.
            Some(goal) => {
                let offset = Vec2::from_angle(rank as f32 * 2.4) * 1.5 * (rank as f32).sqrt();
                goal + Vec3::new(offset.x, 0.0, offset.y)
            }
            None => {
                let lane = (rank as f32 + 0.5) / count.max(1) as f32 - 0.5;
                Vec3::new(self.side * TURN, 0.0, lane * (FIELD.y - 8.0))
            }
        }
    }
}

/// Sends all vehicles to the other side when their time is up.
pub(super) fn shuttle(
    mut goals: ResMut<VehicleGoals>,
    mut vehicles: Query<(&Vehicle, &mut Behavior)>,
    time: Res<Time>,
) {
    goals.next_trip_in -= time.delta_secs();
    if goals.next_trip_in > 0.0 {
        return;
    }
    goals.goal = None;
    goals.side = -goals.side;
    goals.next_trip_in = CROSSING_TIME;
    send(&goals, &mut vehicles);
}

fn send(goals: &VehicleGoals, vehicles: &mut Query<(&Vehicle, &mut Behavior)>) {
    let count = vehicles.iter().map(|(vehicle, _)| vehicle.rank + 1).max().unwrap_or(0);
    for (vehicle, mut behavior) in vehicles {
        behavior.target = BehaviorTarget::Point(goals.place(vehicle.rank, count));
    }
}

/// Half the size of an obstacle along each axis.
fn half(obstacle: &Obstacle) -> Vec3 {
    match obstacle.shape {
        ObstacleShape::Sphere { radius } => Vec3::splat(radius),
        ObstacleShape::Cuboid { half_size } => half_size,
        other => unreachable!("{other:?} is not in this scene"),
    }
}

/// The left button: drags an obstacle under the pointer; otherwise sends all vehicles to the point.
pub(super) fn read_pointer(
    mut goals: ResMut<VehicleGoals>,
    mut obstacles: Query<(Entity, &Obstacle, &mut Transform)>,
    mut vehicles: Query<(&Vehicle, &mut Behavior)>,
    mut pressed: Local<Option<Vec3>>,
    mut notice: ResMut<Notice>,
    pointer: Res<Pointer>,
) {
    let Some(at) = pointer.on_plane(0.0) else { return };
    let limit = (FIELD / 2.0 - 3.0).extend(0.0).xzy();
    if pointer.just_pressed(MouseButton::Left) {
        let hit = obstacles.iter().find(|(_, obstacle, place)| surface(obstacle, place, at).0 < 0.3);
        goals.dragged = hit.map(|(entity, _, place)| (entity, place.translation - at));
        *pressed = goals.dragged.is_none().then_some(at);
    }
    if let Some((dragged, offset)) = goals.dragged
        && let Ok((_, obstacle, mut place)) = obstacles.get_mut(dragged)
    {
        let limit = (FIELD.extend(0.0).xzy() / 2.0 - half(obstacle)).with_y(0.0);
        let to = (at + offset).clamp(-limit, limit).with_y(place.translation.y);
        if pointer.moved != Vec2::ZERO && to != place.translation {
            place.translation = to;
        }
    }
    if !pointer.just_released(MouseButton::Left) {
        return;
    }
    goals.dragged = None;
    let Some(begun) = pressed.take().filter(|begun| begun.distance(at) < CLICK_TOLERANCE) else { return };
    if begun.abs().cmpgt(limit.with_y(1.0)).any() {
        notice.show("There is no ground there: click on the field.");
        return;
    }
    goals.goal = Some(begun);
    goals.next_trip_in = CLICK_TIME;
    send(&goals, &mut vehicles);
}
