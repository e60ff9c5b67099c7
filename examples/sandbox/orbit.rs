//! The camera of scenes in 3D: it orbits a point on the ground.
//!
//! A scene spawns an [`Orbit`] of its own. While there is one, the 2D camera draws only the panels. Dragging with
//! the right button rotates, with the middle button pans; the wheel zooms, Home resets.

use bevy::{
    camera::{ClearColorConfig, visibility::RenderLayers},
    core_pipeline::tonemapping::{DebandDither, Tonemapping},
    input::mouse::AccumulatedMouseScroll,
    math::ops,
    prelude::*,
    window::PrimaryWindow,
};

use crate::{
    chrome::Chrome,
    keys::Keys,
    pointer::Pointer,
    quality::RenderQuality,
    touch::Fingers,
    view::{APPROACH_RATE, ViewSystems, notches},
};

/// A camera that orbits a point. Y is up.
#[derive(Component, Debug, Clone, Copy)]
#[require(Camera3d, Camera { order: -1, ..default() }, Msaa::Off)]
#[require(Tonemapping = Tonemapping::None, DebandDither = DebandDither::Disabled)]
pub(crate) struct Orbit {
    now: Pose,
    wanted: Pose,
    home: Pose,
    /// How the view makes room for the panels, once they are laid out: horizontal offset in logical pixels, and the
    /// factor by which the camera moves back.
    squeeze: Option<Vec2>,
}

/// The pose of the camera.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Pose {
    /// The point that it looks at.
    focus: Vec3,
    /// Distance to the point, in world units.
    distance: f32,
    /// Rotation about Y, in radians; 0 is from +Z.
    yaw: f32,
    /// Elevation above the ground, in radians.
    pitch: f32,
}

/// Rotation per logical pixel of a drag, in radians.
const TURN: f32 = 0.006;
/// The largest factor by which the camera moves back for the panels.
const MAX_BACK: f32 = 1.7;
/// The range of distances, relative to the initial one: farther away everything is in fog.
const DISTANCE: [f32; 2] = [0.05, 1.8];
/// The range of pitch, in radians.
const PITCH: core::ops::RangeInclusive<f32> = 0.08..=1.5;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Update, (share_window, steer).chain().in_set(ViewSystems));
}

/// Whether the current scene is in 3D.
pub(crate) fn is_3d(orbits: Query<(), With<Orbit>>) -> bool {
    !orbits.is_empty()
}

impl Orbit {
    /// A camera that looks at `focus` from `distance` away, with a pitch and yaw in radians.
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

/// While there is a 3D camera, the 2D camera draws over its picture, and only the panels.
fn share_window(
    mut commands: Commands,
    orbits: Query<Entity, With<Orbit>>,
    flat: Single<(Entity, &mut Camera, Has<RenderLayers>), With<Camera2d>>,
    quality: RenderQuality,
) {
    let (entity, mut camera, is_shared) = flat.into_inner();
    let shares = !orbits.is_empty();
    if shares == is_shared {
        return;
    }
    if shares {
        camera.clear_color = ClearColorConfig::None;
        let edges = if quality.is_low() { Msaa::Off } else { Msaa::Sample4 };
        // Both cameras draw to one texture and need the same sample count.
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
    (wheel, fingers): (Res<AccumulatedMouseScroll>, Res<Fingers>),
    time: Res<Time<Real>>,
) {
    let (aside, narrower) = chrome.squeeze(window.size());
    let squeeze = Vec2::new(aside, narrower.clamp(1.0, MAX_BACK));
    let dragged = |button| if pointer.is_dragging(button) { pointer.moved } else { Vec2::ZERO };
    let zoom = if pointer.is_over_panel { 1.0 } else { 0.88_f32.powf(notches(&wheel)) / fingers.pinch() };
    let share = 1.0 - (-APPROACH_RATE * time.delta_secs()).exp();
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
    fn the_wheel_zooms_within_limits() {
        let mut orbit = Orbit::new(Vec3::ZERO, 10.0, 0.4, 0.6);
        (0..100).for_each(|_| orbit.drag(Vec2::ZERO, Vec2::ZERO, 0.88));
        assert!(orbit.wanted.distance > 0.0 && orbit.wanted.distance < 1.0, "near");
        (0..200).for_each(|_| orbit.drag(Vec2::ZERO, Vec2::ZERO, 1.0 / 0.88));
        assert!(orbit.wanted.distance > 10.0 && orbit.wanted.distance < 20.0, "far, and not out of sight");
    }

    #[test]
    fn dragging_keeps_focus_and_distance_and_stays_above_the_ground() {
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
