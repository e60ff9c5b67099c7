//! A headless application with a window, and functions that send input to it.

use std::path::PathBuf;
use std::time::Duration;

use bevy::camera::RenderTarget;
use bevy::input::ButtonState;
use bevy::input::keyboard::{Key, KeyboardInput};
use bevy::input::mouse::MouseButtonInput;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy::window::{CursorMoved, PrimaryWindow, WindowEvent};
use bevy_egui::{EguiContext, PrimaryEguiContext, egui};
use bevy_pathfind::{
    prelude::*,
    presets::Preset,
    show::panel::{NavPanel, widget_rects},
};

/// An application with the panel open.
pub(crate) struct PanelHarness {
    pub(crate) app: App,
    /// The folder of its assets, deleted with the harness.
    pub(crate) root: PathBuf,
}

impl PanelHarness {
    /// A window large enough for the whole panel, so that nothing needs to be scrolled.
    pub(crate) fn new() -> Self {
        Self::sized(1280, 2600)
    }

    pub(crate) fn sized(width: u32, height: u32) -> Self {
        Self::with(width, height, |app| {
            app.add_plugins(NavPanelPlugin::default());
            app.world_mut().resource_mut::<NavPanel>().is_open = true;
        })
    }

    pub(crate) fn with(width: u32, height: u32, add: impl FnOnce(&mut App)) -> Self {
        static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!("bevy_pathfind_panel_{}_{number}", std::process::id()));
        std::fs::create_dir_all(root.join("presets")).expect("a folder for assets");
        let mut app = App::new();
        let window = Window { resolution: (width, height).into(), ..default() };
        app.add_plugins((
            MinimalPlugins,
            TransformPlugin,
            bevy::diagnostic::DiagnosticsPlugin,
            bevy::input::InputPlugin,
            WindowPlugin { primary_window: Some(window), ..default() },
            AssetPlugin { file_path: root.to_string_lossy().into_owned(), ..default() },
        ))
        .add_plugins((
            bevy::image::ImagePlugin::default(),
            bevy::mesh::MeshPlugin,
            bevy::camera::CameraPlugin,
            bevy::gizmos::GizmoPlugin,
        ))
        .init_asset::<bevy::shader::Shader>()
        .init_resource::<bevy::render::texture::ManualTextureViews>()
        .add_systems(
            PostUpdate,
            bevy::render::camera::camera_system.in_set(bevy::camera::CameraUpdateSystems),
        )
        .add_plugins((bevy::picking::PickingPlugin, PathfindPlugins::default()))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(16)));
        add(&mut app);
        app.world_mut().spawn((Camera2d, RenderTarget::default()));
        let mut harness = Self { app, root };
        harness.frames(4);
        harness
    }

    pub(crate) fn frames(&mut self, count: u32) {
        for _ in 0..count {
            self.app.update();
        }
    }

    /// Runs frames until a condition holds; loading files takes real time.
    pub(crate) fn until(&mut self, what: &str, mut holds: impl FnMut(&mut App) -> bool) {
        for _ in 0..2_000 {
            self.app.update();
            if holds(&mut self.app) {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        panic!("{what} never came");
    }

    pub(crate) fn ctx(&mut self) -> egui::Context {
        let world = self.app.world_mut();
        let mut contexts = world.query_filtered::<&mut EguiContext, With<PrimaryEguiContext>>();
        contexts.single_mut(world).expect("there is one context").get_mut().clone()
    }

    pub(crate) fn find(&mut self, name: &str) -> Option<egui::Rect> {
        widget_rects(&self.ctx()).get(name).copied()
    }

    pub(crate) fn rect(&mut self, name: &str) -> egui::Rect {
        let ctx = self.ctx();
        let rects = widget_rects(&ctx);
        *rects
            .get(name)
            .unwrap_or_else(|| panic!("{name} is not drawn, but {:?} are", rects.keys().collect::<Vec<_>>()))
    }

    pub(crate) fn window(&mut self) -> Entity {
        let world = self.app.world_mut();
        world.query_filtered::<Entity, With<PrimaryWindow>>().single(world).expect("there is one window")
    }

    pub(crate) fn move_to(&mut self, x: f32, y: f32) {
        let (window, position) = (self.window(), Vec2::new(x, y));
        self.app.world_mut().get_mut::<Window>(window).unwrap().set_cursor_position(Some(position));
        let moved = CursorMoved { window, position, delta: None };
        self.app.world_mut().write_message(WindowEvent::CursorMoved(moved.clone()));
        self.app.world_mut().write_message(moved);
        self.frames(1);
    }

    pub(crate) fn button(&mut self, state: ButtonState) {
        let pressed = MouseButtonInput { button: MouseButton::Left, state, window: self.window() };
        self.app.world_mut().write_message(WindowEvent::MouseButtonInput(pressed));
        self.app.world_mut().write_message(pressed);
        self.frames(1);
    }

    pub(crate) fn click_at(&mut self, x: f32, y: f32) {
        self.move_to(x, y);
        self.button(ButtonState::Pressed);
        self.button(ButtonState::Released);
        self.frames(1);
    }

    /// Clicks on a widget, and lets the panel follow.
    pub(crate) fn click(&mut self, name: &str) {
        let at = self.rect(name).center();
        self.click_at(at.x, at.y);
        self.frames(2);
    }

    /// Drags a slider's handle to a fraction of its rail.
    pub(crate) fn slide(&mut self, name: &str, share: f32) {
        self.frames(8);
        let rail = self.rect(&format!("{name}:rail"));
        let y = rail.center().y;
        self.move_to(rail.center().x, y);
        self.button(ButtonState::Pressed);
        for step in [0.5, 1.0] {
            let goal = rail.left() + rail.width() * share;
            self.move_to(rail.center().x + (goal - rail.center().x) * step, y);
        }
        self.button(ButtonState::Released);
        self.frames(3);
    }

    pub(crate) fn key_state(&mut self, key_code: KeyCode, logical_key: Key, state: ButtonState) {
        let text = match &logical_key {
            Key::Character(text) => Some(text.clone()),
            _ => None,
        };
        let window = self.window();
        let input = KeyboardInput { key_code, logical_key, state, text, repeat: false, window };
        self.app.world_mut().write_message(WindowEvent::KeyboardInput(input.clone()));
        self.app.world_mut().write_message(input);
        self.frames(1);
    }

    pub(crate) fn key(&mut self, key_code: KeyCode, logical_key: Key) {
        self.key_state(key_code, logical_key.clone(), ButtonState::Pressed);
        self.key_state(key_code, logical_key, ButtonState::Released);
    }

    /// Presses Ctrl and a letter.
    pub(crate) fn shortcut(&mut self, key_code: KeyCode, letter: &str) {
        self.key_state(KeyCode::ControlLeft, Key::Control, ButtonState::Pressed);
        self.key(key_code, Key::Character(letter.into()));
        self.key_state(KeyCode::ControlLeft, Key::Control, ButtonState::Released);
    }

    /// Types text; the key codes do not matter.
    pub(crate) fn type_text(&mut self, text: &str) {
        for letter in text.chars() {
            self.key(KeyCode::KeyQ, Key::Character(letter.to_string().into()));
        }
    }

    pub(crate) fn spawn<B: Bundle>(&mut self, bundle: B) -> Entity {
        let entity = self.app.world_mut().spawn(bundle).id();
        self.frames(2);
        entity
    }

    pub(crate) fn get<C: Component + Clone>(&self, entity: Entity) -> C {
        self.app.world().get::<C>(entity).expect("the component is there").clone()
    }

    pub(crate) fn panel(&mut self) -> Mut<'_, NavPanel> {
        self.app.world_mut().resource_mut::<NavPanel>()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.root.join("presets").join(name), text).expect("the file can be written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.root.join("presets").join(name)).unwrap_or_default()
    }

    /// Spawns an agent that follows the preset of a file, and waits until it is loaded.
    pub(crate) fn spawn_with_preset(&mut self, name: &str) -> Entity {
        let path = format!("presets/{name}");
        let handle: Handle<Preset<Flock>> = self.app.world().resource::<AssetServer>().load(path);
        let entity = self.spawn((Agent::default(), PresetOf::new(handle)));
        self.until("the preset", |app| app.world().get::<Flock>(entity).is_some());
        self.frames(2);
        entity
    }
}

impl Drop for PanelHarness {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.root);
    }
}
