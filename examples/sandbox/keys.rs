//! Keyboard input for the world, and the keys that work in every scene.

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_egui::{EguiInput, EguiPreUpdateSet, egui, input::EguiWantsInput};
use bevy_pathfind::show::panel::NavPanel;

use crate::{
    actors::{ActorSettings, Look},
    clock::{Clock, change_speed, toggle_pause},
    hud::{Help, Notice},
    orders::Selected,
    overlay::SearchView,
    panel::PanelSettings,
    scenes::{SCENES, SceneControl},
};

/// The keys of every scene: key, meaning.
pub(crate) const KEYS: &[(&str, &str)] = &[
    ("1 to 9, 0", "scenes"),
    ("[ ]", "the scene before, the next"),
    ("R", "begin again"),
    ("Space", "pause, go on"),
    (".", "one step"),
    (",", "slower, then 4×, 2×"),
    ("Wheel", "zoom"),
    ("Middle drag", "pan"),
    ("Home", "see everything"),
    ("O", "searched cells"),
    ("P", "paths"),
    ("Tab", "panel"),
    ("F1", "this list"),
    ("F2", "tune agents, presets, plots"),
    #[cfg(not(target_arch = "wasm32"))]
    ("F12", "save a picture"),
    #[cfg(not(target_arch = "wasm32"))]
    ("Esc", "close, deselect; twice: leave"),
];

/// The keys of the first ten scenes, in the order of the menu.
const DIGITS: [KeyCode; 10] = {
    use KeyCode::{Digit0, Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8, Digit9};
    [Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8, Digit9, Digit0]
};

/// Keys that turn another key into a shortcut: of the browser, the desktop or the panel.
const MODIFIERS: [KeyCode; 6] = {
    use KeyCode::{AltLeft, AltRight, ControlLeft, ControlRight, SuperLeft, SuperRight};
    [ControlLeft, ControlRight, AltLeft, AltRight, SuperLeft, SuperRight]
};

/// Keyboard input for the world: while text is being typed, no key counts as pressed, and shortcuts never do.
#[derive(SystemParam)]
pub(crate) struct Keys<'w> {
    keys: Res<'w, ButtonInput<KeyCode>>,
    wants: Res<'w, EguiWantsInput>,
}

impl Keys<'_> {
    /// Whether the key went down in this frame.
    pub(crate) fn just_pressed(&self, key: KeyCode) -> bool {
        self.all_just_pressed().any(|pressed| pressed == key)
    }

    /// Every key that went down in this frame.
    pub(crate) fn all_just_pressed(&self) -> impl Iterator<Item = KeyCode> {
        let is_for_others = self.wants.wants_keyboard_input() || self.keys.any_pressed(MODIFIERS);
        self.keys.get_just_pressed().copied().filter(move |_| !is_for_others)
    }

    /// Whether Ctrl+Z went down in this frame.
    pub(crate) fn just_undone(&self) -> bool {
        let is_control =
            self.keys.any_pressed([KeyCode::ControlLeft, KeyCode::ControlRight, KeyCode::SuperLeft]);
        is_control && self.keys.just_pressed(KeyCode::KeyZ) && !self.wants.wants_keyboard_input()
    }

    /// The direction of the keys that are down, of length 1; 0 if none is down, or if they cancel out. Each direction
    /// has two keys.
    pub(crate) fn direction(&self, directions: &[(KeyCode, KeyCode, Vec3)]) -> Vec3 {
        let held = directions.iter().filter(|&&(key, other, _)| self.any_pressed([key, other]));
        held.map(|&(_, _, direction)| direction).sum::<Vec3>().normalize_or_zero()
    }

    /// Whether one of these keys is down.
    pub(crate) fn any_pressed(&self, keys: impl IntoIterator<Item = KeyCode>) -> bool {
        !self.wants.wants_keyboard_input() && self.keys.any_pressed(keys)
    }
}

/// The systems that read the keys of every scene.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct KeySystems;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(
        PreUpdate,
        (
            (toggle, escape, turn_clock, change_scene).in_set(KeySystems).after(bevy::input::InputSystems),
            keep_tab.after(EguiPreUpdateSet::ProcessInput),
        ),
    );
}

/// While the tuning panel is closed, Tab is removed from egui's input: egui would move the keyboard focus to a
/// widget, and the next Space would click it.
fn keep_tab(tuning: Res<NavPanel>, mut inputs: Query<&mut EguiInput>) {
    let is_tab = |event: &egui::Event| matches!(event, egui::Event::Key { key: egui::Key::Tab, .. });
    for mut input in inputs.iter_mut().filter(|_| !tuning.is_open) {
        input.events.retain(|event| !is_tab(event));
    }
}

fn toggle(
    keys: Keys,
    mut search: ResMut<SearchView>,
    mut actors: ResMut<ActorSettings>,
    mut panel: ResMut<PanelSettings>,
    mut help: ResMut<Help>,
    looks: Query<&Look>,
) {
    for key in keys.all_just_pressed() {
        match key {
            KeyCode::KeyO => search.cells = !search.cells,
            KeyCode::KeyP => actors.toggle_paths(looks),
            KeyCode::Tab => panel.is_open = !panel.is_open,
            KeyCode::F1 => help.is_open = !help.is_open,
            _ => {}
        }
    }
}

/// Escape again within this time leaves, in seconds.
const ASKED: f32 = 4.0;

/// Escape closes the first of these that is open: a list (which egui does), the keys, the tuning panel; else it
/// deselects; else it asks, and leaves when it is pressed again.
fn escape(
    keys: Keys,
    (mut help, mut tuning): (ResMut<Help>, ResMut<NavPanel>),
    selected: Query<Entity, With<Selected>>,
    (mut notice, time): (ResMut<Notice>, Res<Time<Real>>),
    mut asked: Local<Option<f32>>,
    mut commands: Commands,
    mut exit: MessageWriter<AppExit>,
) {
    if !keys.just_pressed(KeyCode::Escape) || keys.wants.is_popup_open() {
        return;
    }
    let before = asked.take();
    if help.is_open {
        help.is_open = false;
    } else if tuning.is_open {
        tuning.is_open = false;
    } else if !tuning.selected.is_empty() || !selected.is_empty() {
        tuning.selected.clear();
        selected.iter().for_each(|agent| _ = commands.entity(agent).remove::<Selected>());
    } else if !cfg!(target_arch = "wasm32") {
        // A page is left by leaving it.
        let now = time.elapsed_secs();
        if before.is_some_and(|before| now - before < ASKED) {
            exit.write(AppExit::Success);
        } else {
            *asked = Some(now);
            notice.show("Leave? Press Esc again.");
        }
    }
}

fn turn_clock(keys: Keys, mut clock: ResMut<Clock>, mut time: ResMut<Time<Virtual>>) {
    for key in keys.all_just_pressed() {
        match key {
            KeyCode::Space => toggle_pause(&mut time),
            KeyCode::Period => clock.step = true,
            KeyCode::Comma => change_speed(&mut time),
            _ => {}
        }
    }
}

fn change_scene(keys: Keys, mut scenes: SceneControl) {
    let current = SCENES.iter().position(|scene| scene.name == scenes.current_name()).unwrap_or(0);
    let step = usize::from(keys.just_pressed(KeyCode::BracketRight))
        + usize::from(keys.just_pressed(KeyCode::BracketLeft)) * (SCENES.len() - 1);
    if let Some((scene, _)) = SCENES.iter().zip(DIGITS).find(|(_, digit)| keys.just_pressed(*digit)) {
        scenes.enter(scene.name);
    } else if step > 0 {
        scenes.enter(SCENES[(current + step) % SCENES.len()].name);
    } else if keys.just_pressed(KeyCode::KeyR) {
        scenes.restart();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::tests::{scene_app, tap};

    #[test]
    fn escape_closes_then_deselects_then_asks_then_leaves() {
        let mut app = scene_app("hunt");
        app.world_mut().resource_mut::<Help>().is_open = true;
        app.world_mut().resource_mut::<NavPanel>().is_open = true;
        let states = |app: &mut App| {
            let selected = app.world_mut().query::<&Selected>().iter(app.world()).count() > 0;
            let (help, panel) = (app.world().resource::<Help>(), app.world().resource::<NavPanel>());
            [help.is_open, panel.is_open, selected, app.should_exit().is_none()]
        };
        assert_eq!(states(&mut app), [true; 4]);
        for wanted in [
            [false, true, true, true],
            [false, false, true, true],
            [false, false, false, true],
            [false, false, false, true],
            [false; 4],
        ] {
            tap(&mut app, KeyCode::Escape);
            assert_eq!(states(&mut app), wanted, "help, panel, selection, and whether it still runs");
        }
    }

    #[test]
    fn tab_toggles_the_panel_and_other_keys_still_work() {
        let mut app = scene_app("search");
        let is_open = |app: &App| app.world().resource::<PanelSettings>().is_open;
        assert!(is_open(&app), "it is open at first");
        tap(&mut app, KeyCode::Tab);
        app.update();
        assert!(!is_open(&app), "Tab closes it");
        tap(&mut app, KeyCode::Tab);
        app.update();
        assert!(is_open(&app), "and opens it again");
        tap(&mut app, KeyCode::Space);
        assert!(app.world().resource::<Time<Virtual>>().is_paused(), "Space still pauses");
        app.update();
        assert_eq!(
            app.world().resource::<State<crate::scenes::ActiveScene>>().get().0,
            "search",
            "and clicks nothing"
        );
    }
}
