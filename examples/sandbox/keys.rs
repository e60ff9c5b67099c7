//! The keys that mean the same in every scene.

use bevy::prelude::*;
use bevy_egui::input::EguiWantsInput;

use crate::{
    actors::ActorSettings,
    hud::Help,
    overlay::SearchView,
    panel::PanelSettings,
    scenes::{Active, SCENES},
};

/// What the keys of every scene do: key, meaning.
pub(crate) const KEYS: &[(&str, &str)] = &[
    ("Wheel", "zoom"),
    ("Middle drag", "pan"),
    ("Home", "see everything"),
    ("O", "searched cells"),
    ("P", "paths"),
    ("Space", "pause"),
    ("R", "begin again"),
    ("Tab", "panel"),
    ("F1", "this list"),
    ("Esc", "leave"),
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

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(
        PreUpdate,
        (toggle, change_scene).after(bevy::input::InputSystems).run_if(no_text_is_typed),
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
    mut time: ResMut<Time<Virtual>>,
    mut exit: MessageWriter<AppExit>,
) {
    for key in keys.get_just_pressed() {
        match key {
            KeyCode::KeyO => search.cells = !search.cells,
            KeyCode::KeyP => actors.paths = !actors.paths,
            KeyCode::Tab => panel.is_open = !panel.is_open,
            KeyCode::F1 => help.is_open = !help.is_open,
            KeyCode::Space if time.is_paused() => time.unpause(),
            KeyCode::Space => time.pause(),
            KeyCode::Escape => {
                exit.write(AppExit::Success);
            }
            _ => {}
        }
    }
}

fn change_scene(
    keys: Res<ButtonInput<KeyCode>>,
    active: Res<State<Active>>,
    mut next: ResMut<NextState<Active>>,
    mut search: ResMut<SearchView>,
) {
    let chosen =
        DIGITS.iter().zip(SCENES).find(|&(&digit, _)| keys.just_pressed(digit)).map(|(_, scene)| scene.name);
    let again = keys.just_pressed(KeyCode::KeyR).then_some(active.get().0);
    if let Some(name) = chosen.or(again) {
        search.reset();
        next.set(Active(name));
    }
}
