//! The camera of scenes in 3D: it looks at a point of the ground from all sides.
//!
//! A scene spawns an [`Orbit`] of its own. While there is one, the flat camera draws nothing but panels.
//! Right drag turns, middle drag moves along the ground, the wheel comes nearer, Home goes back.

use bevy::{
    camera::{ClearColorConfig, visibility::RenderLayers},
    core_pipeline::tonemapping::Tonemapping,
    input::mouse::AccumulatedMouseScroll,
    math::ops,
    prelude::*,
    window::PrimaryWindow,
};

use crate::{
    chrome::Chrome,
    keys::Keys,
    pointer::Pointer,
    power::Power,
    view::{EAGERNESS, ViewSystems, notches},
};

/// A camera that looks at a point from all sides. Y is up.
#[derive(Component, Debug, Clone, Copy)]
#[require(Camera3d, Camera { order: -1, ..default() }, Msaa::Off, Tonemapping = Tonemapping::None)]
pub(crate) struct Orbit {
    now: Pose,
    wanted: Pose,
    home: Pose,
    /// What the panels do to the view, once they are laid out: how far they move it to the side, in logical
    /// pixels, and from how many times as far away it has to be seen.
    squeeze: Option<Vec2>,
}

/// Where it looks, and from where.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Pose {
    /// What it looks at.
    focus: Vec3,
    /// From how far, in world units.
    distance: f32,
    /// From which side, in radians about Y; 0 from +Z.
    yaw: f32,
    /// From how high, in radians above the ground.
    pitch: f32,
}

/// How far a drag of one logical pixel turns it, in radians.
const TURN: f32 = 0.006;
/// From how many times as far away it looks at most because little of the window is free.
const MOST_BACK: f32 = 1.7;
/// How near and how far it may be, as a share of where it is at home: from farther away all lies in the fog.
const DISTANCE: [f32; 2] = [0.05, 1.8];
/// How low and how high it may look from.
const PITCH: core::ops::RangeInclusive<f32> = 0.08..=1.5;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Update, (share_window, steer).chain().in_set(ViewSystems));
}

/// Whether the scene is looked at in 3D.
pub(crate) fn is_3d(orbits: Query<(), With<Orbit>>) -> bool {
    !orbits.is_empty()
}

impl Orbit {
    /// Looks at `focus` from `distance` away, from a height of `pitch` and the side `yaw`, in radians.
    pub(crate) fn new(focus: Vec3, distance: f32, yaw: f32, pitch: f32) -> Self {
        let pose = Pose { focus, distance, yaw, pitch };
        Self { now: pose, wanted: pose, home: pose, squeeze: None }
    }

    fn drag(&mut self, turned: Vec2, moved: Vec2, zoom: f32) {
        let pose = &mut self.wanted;
        pose.yaw -= turned.x * TURN;
        pose.pitch = (pose.pitch + turned.y * TURN).clamp(*PITCH.start(), *PITCH.end());
        let along = Quat::from_rotation_y(pose.yaw) * Vec3::new(-moved.x, 0.0, -moved.y);
        pose.focus += along * pose.distance * 0.0015;
        pose.distance =
            (pose.distance * zoom).clamp(self.home.distance * DISTANCE[0], self.home.distance * DISTANCE[1]);
    }
}

impl Pose {
    fn transform(self) -> Transform {
        let from = Quat::from_euler(EulerRot::YXZ, self.yaw, -self.pitch, 0.0) * Vec3::Z;
        Transform::from_translation(self.focus + from * self.distance).looking_at(self.focus, Vec3::Y)
    }

    fn lerp(self, to: Self, share: f32) -> Self {
        Self {
            focus: self.focus.lerp(to.focus, share),
            distance: self.distance.lerp(to.distance, share),
            yaw: self.yaw.lerp(to.yaw, share),
            pitch: self.pitch.lerp(to.pitch, share),
        }
    }
}

/// The flat camera draws over the other, and nothing but panels, while there is another.
fn share_window(
    mut commands: Commands,
    orbits: Query<Entity, With<Orbit>>,
    flat: Single<(Entity, &mut Camera, Has<RenderLayers>), With<Camera2d>>,
    power: Power,
) {
    let (entity, mut camera, is_shared) = flat.into_inner();
    let shares = !orbits.is_empty();
    if shares == is_shared {
        return;
    }
    if shares {
        camera.clear_color = ClearColorConfig::None;
        let edges = if power.is_low() { Msaa::Off } else { Msaa::Sample4 };
        // Both draw into one picture, and have to agree.
        for camera in orbits.iter().chain([entity]) {
            commands.entity(camera).insert(edges);
        }
        commands.entity(entity).insert(RenderLayers::none());
    } else {
        camera.clear_color = ClearColorConfig::Default;
        commands.entity(entity).remove::<RenderLayers>().insert(Msaa::Off);
    }
}

fn steer(
    mut orbits: Query<(&mut Orbit, &mut Transform, &Projection)>,
    pointer: Res<Pointer>,
    (chrome, window): (Chrome, Single<&Window, With<PrimaryWindow>>),
    keys: Keys,
    wheel: Res<AccumulatedMouseScroll>,
    time: Res<Time<Real>>,
) {
    let (aside, narrower) = chrome.squeeze(window.size());
    let squeeze = Vec2::new(aside, narrower.clamp(1.0, MOST_BACK));
    let dragged = |button| if pointer.is_dragging(button) { pointer.moved } else { Vec2::ZERO };
    let zoom = if pointer.is_over_panel { 1.0 } else { 0.88_f32.powf(notches(&wheel)) };
    let share = 1.0 - (-EAGERNESS * time.delta_secs()).exp();
    for (mut orbit, mut transform, projection) in &mut orbits {
        if keys.just_pressed(KeyCode::Home) {
            orbit.wanted = orbit.home;
        }
        orbit.drag(dragged(MouseButton::Right), dragged(MouseButton::Middle), zoom);
        orbit.now = orbit.now.lerp(orbit.wanted, share);
        let squeeze = orbit.squeeze.map_or(squeeze, |before| before.lerp(squeeze, share));
        orbit.squeeze = chrome.is_known().then_some(squeeze);
        let mut place = Pose { distance: orbit.now.distance * squeeze.y, ..orbit.now }.transform();
        if let Projection::Perspective(lens) = projection {
            let height = 2.0 * orbit.now.distance * squeeze.y * ops::tan(lens.fov / 2.0);
            place.translation -= place.right() * squeeze.x * height / window.height().max(1.0);
        }
        transform.set_if_neq(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wheel_brings_it_near_and_never_far_into_the_fog() {
        let mut orbit = Orbit::new(Vec3::ZERO, 10.0, 0.4, 0.6);
        (0..100).for_each(|_| orbit.drag(Vec2::ZERO, Vec2::ZERO, 0.88));
        assert!(orbit.wanted.distance > 0.0 && orbit.wanted.distance < 1.0, "near");
        (0..200).for_each(|_| orbit.drag(Vec2::ZERO, Vec2::ZERO, 1.0 / 0.88));
        assert!(orbit.wanted.distance > 10.0 && orbit.wanted.distance < 20.0, "far, and not out of sight");
    }

    #[test]
    fn it_looks_at_its_point_from_above_and_keeps_its_distance() {
        let mut orbit = Orbit::new(Vec3::new(1.0, 0.0, 2.0), 10.0, 0.4, 0.6);
        for turned in [Vec2::new(300.0, 0.0), Vec2::new(0.0, 5000.0), Vec2::new(0.0, -5000.0)] {
            orbit.drag(turned, Vec2::ZERO, 1.0);
            let at = orbit.wanted.transform();
            assert!(
                (at.translation.distance(orbit.wanted.focus) - 10.0).abs() < 1e-3,
                "as far away as before"
            );
            assert!(at.translation.y > 0.0, "never from below the ground: {}", at.translation);
            let ahead = (orbit.wanted.focus - at.translation).normalize();
            assert!(at.forward().dot(ahead) > 0.999, "the point stays in the middle");
        }
    }
}
