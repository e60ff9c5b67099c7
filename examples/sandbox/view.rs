//! The 2D camera: pan with the middle button, zoom to the pointer with the wheel, fit with Home.

use bevy::{
    input::mouse::{AccumulatedMouseScroll, MouseScrollUnit},
    prelude::*,
    window::PrimaryWindow,
};
use bevy_egui::{PrimaryEguiContext, egui};

use crate::{chrome::Chrome, flags::Flags, keys::Keys, orbit::is_3d, pointer::Pointer, touch::Fingers};

/// The present and the wanted view of the 2D camera.
#[derive(Resource, Debug, Clone)]
pub(crate) struct View {
    /// The world position in the middle of the window.
    pub center: Vec2,
    /// World units per logical pixel.
    pub scale: f32,
    wanted_center: Vec2,
    wanted_scale: f32,
    /// An offset of this frame's picture, in logical pixels.
    pub jolt: Vec2,
    /// The rectangle that Home shows.
    home: Rect,
    /// The longer side of the largest part of the world that may be shown, if it is limited, in world units.
    widest: Option<f32>,
    /// False until the first fit, and after a change of scene.
    is_fitted: bool,
    /// Whether the view stays fitted when the window changes: until the user pans or zooms.
    is_home: bool,
}

impl Default for View {
    fn default() -> Self {
        let home = Rect::from_center_size(Vec2::ZERO, Vec2::splat(100.0));
        Self {
            center: Vec2::ZERO,
            scale: 0.1,
            jolt: Vec2::ZERO,
            wanted_center: Vec2::ZERO,
            wanted_scale: 0.1,
            home,
            widest: None,
            is_fitted: false,
            is_home: true,
        }
    }
}

impl View {
    /// Fits this part of the world, now and on Home.
    pub(crate) fn frame(&mut self, home: Rect) {
        (self.home, self.widest) = (home, None);
        self.is_fitted = false;
        self.is_home = true;
    }

    /// The same, and never shows more than this of the world, in world units along the longer side.
    pub(crate) fn frame_within(&mut self, home: Rect, widest: f32) {
        self.frame(home);
        self.widest = Some(widest);
    }

    /// Moves the part of the world that Home shows; the view follows as long as it stays fitted.
    pub(crate) fn carry_home(&mut self, to: Vec2) {
        self.home = Rect::from_center_size(to, self.home.size());
    }

    /// The part of the world that a window of this size shows.
    pub(crate) fn shown(&self, window: Vec2) -> Rect {
        Rect::from_center_size(self.center, window * self.scale)
    }

    /// The screen position of a point of the world; `middle` is that of the screen's centre.
    pub(crate) fn on_screen(&self, middle: egui::Pos2, at: Vec2) -> egui::Pos2 {
        let from = (at - self.center) / self.scale;
        middle + egui::vec2(from.x, -from.y)
    }

    /// Whether the camera is at rest.
    pub(crate) fn is_still(&self) -> bool {
        self.is_fitted
            && self.center.distance(self.wanted_center) < 0.5 * self.scale
            && (self.scale / self.wanted_scale - 1.0).abs() < 1e-3
    }

    /// Fits `home` into the free part of a window.
    fn fit(&mut self, window: Vec2, free: Rect) {
        let margin = 20.0;
        let room = (free.size() - 2.0 * margin).max(Vec2::splat(64.0));
        self.wanted_scale = (self.home.size() / room).max_element();
        let aside = free.center() - window / 2.0;
        self.wanted_center = self.home.center() - Vec2::new(aside.x, -aside.y) * self.wanted_scale;
    }

    fn jump(&mut self) {
        self.center = self.wanted_center;
        self.scale = self.wanted_scale;
    }

    fn pan(&mut self, pixels: Vec2) {
        self.is_home = false;
        self.wanted_center += Vec2::new(-pixels.x, pixels.y) * self.scale;
        self.center += Vec2::new(-pixels.x, pixels.y) * self.scale;
    }

    /// Zooms by `factor`, and keeps the world point under the pointer in place.
    fn zoom(&mut self, factor: f32, from_middle: Vec2, window: Vec2) {
        self.is_home = false;
        let usual = self.home.size().max_element() / 200.0;
        let (least, most) = (0.01, self.widest.map_or(usual, |widest| widest / window.max_element()));
        let scale = (self.wanted_scale * factor).clamp(least, most.max(least));
        self.wanted_center += Vec2::new(from_middle.x, -from_middle.y) * (self.wanted_scale - scale);
        self.wanted_scale = scale;
    }
}

/// The rate at which the camera approaches the wanted view: after a second, exp(-rate) of the distance is left.
pub(crate) const APPROACH_RATE: f32 = 14.0;

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<View>()
        .add_systems(Startup, spawn_camera)
        .add_systems(Update, (move_view, place_camera).chain().run_if(not(is_3d)).in_set(ViewSystems));
}

/// The systems that move the cameras; after them the cameras are where they will render from.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ViewSystems;

fn spawn_camera(mut commands: Commands, flags: Res<Flags>) {
    // No multisampling: shapes are antialiased textures, and software renderers stay fast.
    let mut camera = commands.spawn((Camera2d, Msaa::Off));
    if !flags.headless || cfg!(test) {
        camera.insert(PrimaryEguiContext);
    }
}

fn move_view(
    mut view: ResMut<View>,
    pointer: Res<Pointer>,
    chrome: Chrome,
    keys: Keys,
    (wheel, fingers): (Res<AccumulatedMouseScroll>, Res<Fingers>),
    window: Single<&Window, With<PrimaryWindow>>,
    time: Res<Time<Real>>,
) {
    let size = window.size();
    let free = chrome.free(size);
    if !view.is_fitted {
        view.fit(size, free);
        view.jump();
        view.is_fitted = chrome.is_known();
    }
    if keys.just_pressed(KeyCode::Home) {
        view.is_home = true;
    }
    if view.is_home {
        view.fit(size, free);
    }
    if pointer.is_dragging(MouseButton::Middle) && pointer.moved != Vec2::ZERO {
        view.pan(pointer.moved);
    }
    let zoom = 0.85_f32.powf(notches(&wheel)) / fingers.pinch();
    if zoom != 1.0 && !pointer.is_over_panel {
        view.zoom(zoom, pointer.screen - size / 2.0, size);
    }
    let share = 1.0 - (-APPROACH_RATE * time.delta_secs()).exp();
    let (center, scale) = (view.wanted_center, view.wanted_scale);
    view.center = view.center.lerp(center, share);
    view.scale = view.scale.lerp(scale, share);
}

/// Rotation of the wheel in this frame, in notches.
pub(crate) fn notches(wheel: &AccumulatedMouseScroll) -> f32 {
    match wheel.unit {
        MouseScrollUnit::Line => wheel.delta.y,
        MouseScrollUnit::Pixel => wheel.delta.y / 40.0,
    }
}

fn place_camera(mut view: ResMut<View>, camera: Single<(&mut Transform, &mut Projection), With<Camera2d>>) {
    let (mut transform, mut projection) = camera.into_inner();
    let jolt = core::mem::take(&mut view.jolt) * view.scale;
    transform.translation = (view.center + jolt).extend(transform.translation.z);
    if let Projection::Orthographic(projection) = &mut *projection {
        projection.scale = view.scale;
    }
}
