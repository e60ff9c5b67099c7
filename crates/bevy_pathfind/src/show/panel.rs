//! The panel: where one tunes live, sees why, and keeps the result.
//!
//! ```no_run
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! App::new().add_plugins((DefaultPlugins, PathfindPlugins::default(), NavPanelPlugin::default())).run();
//! ```
//!
//! F2 opens it ([`NavPanel::key`]); click an agent to select it. The panel has a section for each stage (world,
//! request, solve, steer, motion, show), the presets of agents (see [`presets`](crate::presets)), what the
//! selected agent is doing and why, the replay of its last search, and plots of everything that is measured.
//! Every number is drawn by [`reflect_ui`] from the attributes and doc comments of its field, so that a new
//! field appears without a line here.
//!
//! What was changed can be undone (Ctrl+Z) and done again (Ctrl+Shift+Z), and goes into a file with *Save*.
//!
//! The panel adds `EguiPlugin` if the application has not (a game that adds it itself does so first), and draws
//! into the egui context of the primary window. A game with several contexts names another one with
//! [`NavPanel::context`]; a game whose camera of the context is despawned gets the panel on another camera. While
//! it is closed nothing of it runs but a look at its key.

mod aim;
mod bar;
mod case;
mod compare;
mod context;
mod gizmos;
mod history;
mod list;
mod pick;
mod plots;
mod readouts;
mod reasons;
mod reflect;
mod replay;
mod sections;
mod stages;
mod state;
mod survey;
mod tune;
mod window;

use bevy::input::InputSystems;
use bevy::prelude::*;
use bevy_egui::EguiPlugin;
use bevy_egui::input::EguiWantsInput;

pub use aim::Scope;
pub use case::SearchCase;
pub use gizmos::PanelGizmos;
pub use reflect::{FieldEditor, algorithm_label, reflect_ui, widget_rects};
pub use state::NavPanel;

use crate::presets::PresetsPlugin;

/// The panel; see the [module](self).
#[derive(Debug, Clone, Copy)]
pub struct NavPanelPlugin {
    key: Option<KeyCode>,
}

impl NavPanelPlugin {
    /// A panel that another key opens; `None` leaves it to [`NavPanel::is_open`].
    #[must_use]
    pub fn opened_by(key: impl Into<Option<KeyCode>>) -> Self {
        Self { key: key.into() }
    }
}

impl Default for NavPanelPlugin {
    /// F2 opens it.
    fn default() -> Self {
        Self { key: Some(KeyCode::F2) }
    }
}

impl Plugin for NavPanelPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<EguiPlugin>() {
            app.add_plugins(EguiPlugin::default());
        }
        if !app.is_plugin_added::<PresetsPlugin>() {
            app.add_plugins(PresetsPlugin);
        }
        if !app.world().contains_resource::<NavPanel>() {
            app.insert_resource(NavPanel { key: self.key, ..NavPanel::default() });
        }
        app.add_systems(PreUpdate, (toggle, pick::pick.run_if(is_open)).chain().after(InputSystems))
            .add_systems(Update, (plots::sample, replay::play).run_if(is_open));
        context::wire(app);
        gizmos::wire(app);
        stages::wire(app);
    }

    /// Once more, for what plugins added after this one have brought.
    fn finish(&self, app: &mut App) {
        gizmos::wire(app);
        stages::wire(app);
    }
}

/// Whether the panel is open.
fn is_open(panel: Option<Res<NavPanel>>) -> bool {
    panel.is_some_and(|panel| panel.is_open)
}

/// Opens and closes the panel with its key, unless a text is being typed.
fn toggle(
    mut panel: ResMut<NavPanel>,
    keys: Option<Res<ButtonInput<KeyCode>>>,
    wants: Option<Res<EguiWantsInput>>,
) {
    let (Some(key), Some(keys)) = (panel.key, keys) else { return };
    let is_typing = wants.is_some_and(|wants| wants.wants_keyboard_input());
    if keys.just_pressed(key) && !(is_typing && is_written(key)) {
        panel.is_open = !panel.is_open;
    }
}

/// Whether a key writes letters; those belong to whoever is typing.
fn is_written(key: KeyCode) -> bool {
    let name = format!("{key:?}");
    ["Key", "Digit", "Numpad", "Space", "Tab", "Enter", "Back", "Minus", "Equal"]
        .iter()
        .any(|start| name.starts_with(start))
}
