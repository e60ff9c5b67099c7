//! The keys that mean the same in every scene.

use bevy::prelude::*;
use bevy_egui::input::EguiWantsInput;

use crate::{
    actors::ActorSettings,
    clock::{Clock, slow_down, toggle_pause},
    hud::Help,
    overlay::SearchView,
    panel::PanelSettings,
    scenes::{Director, SCENES},
};

/// What the keys of every scene do: key, meaning.
pub(crate) const KEYS: &[(&str, &str)] = &[
    ("1 to 9", "scenes"),
    ("R", "begin again"),
    ("Space", "pause, go on"),
    (".", "one step"),
    (",", "slow motion"),
    ("Wheel", "zoom"),
    ("Middle drag", "pan"),
    ("Home", "see everything"),
    ("O", "searched cells"),
    ("P", "paths"),
    ("Tab", "panel"),
    ("F1", "this list"),
    ("F2", "tune agents, presets, plots"),
    ("F12", "save a picture"),
    ("Esc", "close this list; leave"),
];

const DIGITS: [KeyCode; 9] = [
    KeyCode::Digit1,
    KeyCode::Digit2,
    KeyCode::Digit3,
    KeyCode::Digit4,
    KeyCode::Digit5,
    KeyCode::Digit6,
    KeyCode::Digit7,
    KeyCode::Digit8,
    KeyCode::Digit9,
];

/// Reads the keys of every scene.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct KeySystems;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(
        PreUpdate,
        (toggle, turn_clock, change_scene)
            .in_set(KeySystems)
            .after(bevy::input::InputSystems)
            .run_if(no_text_is_typed),
    );
}

fn no_text_is_typed(wants: Res<EguiWantsInput>) -> bool {
    !wants.wants_keyboard_input()
}

fn toggle(
    keys: Res<ButtonInput<KeyCode>>,
    mut search: ResMut<SearchView>,
    mut actors: ResMut<ActorSettings>,
    mut panel: ResMut<PanelSettings>,
    mut help: ResMut<Help>,
    mut exit: MessageWriter<AppExit>,
) {
    for key in keys.get_just_pressed() {
        match key {
            KeyCode::KeyO => search.cells = !search.cells,
            KeyCode::KeyP => actors.paths = !actors.paths,
            KeyCode::Tab => panel.is_open = !panel.is_open,
            KeyCode::F1 => help.is_open = !help.is_open,
            KeyCode::Escape if help.is_open => help.is_open = false,
            KeyCode::Escape => {
                exit.write(AppExit::Success);
            }
            _ => {}
        }
    }
}

fn turn_clock(keys: Res<ButtonInput<KeyCode>>, mut clock: ResMut<Clock>, mut time: ResMut<Time<Virtual>>) {
    for key in keys.get_just_pressed() {
        match key {
            KeyCode::Space => toggle_pause(&mut time),
            KeyCode::Period => clock.step = true,
            KeyCode::Comma => slow_down(&mut time),
            _ => {}
        }
    }
}

fn change_scene(keys: Res<ButtonInput<KeyCode>>, mut director: Director) {
    let chosen = SCENES.iter().find(|scene| {
        DIGITS.get(usize::from(scene.digit) - 1).is_some_and(|&digit| keys.just_pressed(digit))
    });
    if let Some(scene) = chosen {
        director.play(scene.name);
    } else if keys.just_pressed(KeyCode::KeyR) {
        director.again();
    }
}
