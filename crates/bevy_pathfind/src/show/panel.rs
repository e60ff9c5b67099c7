//! The panel: a window in which settings are tuned while the game runs, decisions are explained, and results saved.
//!
//! ```no_run
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! App::new().add_plugins((DefaultPlugins, PathfindPlugins::default(), NavPanelPlugin::default())).run();
//! ```
//!
//! F2 opens it ([`NavPanel::key`]); a click on an agent selects it. The panel has a section for each stage (world,
//! request, solve, steer, motion, show), the presets of agents (see [`presets`](crate::presets)), what the selected
//! agent does and why, the replay of its last search, and plots of all measurements. Every number is drawn by
//! [`reflect_ui`] from the attributes and doc comments of its field, so a new field appears without code here.
//!
//! Changes can be undone (Ctrl+Z) and redone (Ctrl+Shift+Z); *Save* writes them to a file.
//!
//! The panel adds `EguiPlugin` if the application has not added it (a game that adds it itself does so before the
//! panel), and draws into the egui context of the primary window. A game with several contexts chooses one with
//! [`NavPanel::context`]. If the camera of the context is despawned, the panel moves to another camera. While the
//! panel is closed, only the check of its key runs.

mod aim;
mod bar;
mod case;
mod compare;
mod context;
mod gizmos;
mod history;
mod links;
mod list;
mod names;
mod origin;
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
mod widgets;
mod window;

use bevy::input::InputSystems;
use bevy::prelude::*;
use bevy_egui::EguiPlugin;
use bevy_egui::input::EguiWantsInput;

pub use case::SearchCase;
pub use gizmos::PanelGizmos;
pub use reflect::{FieldEditor, algorithm_label, reflect_ui};
pub use sections::PanelComponentPlugin;
use state::is_open;
pub use state::{NavPanel, Scope};
pub use widgets::widget_rects;

use crate::presets::PresetsPlugin;

/// The plugin of the panel; see the [module](self).
#[derive(Debug, Clone, Copy)]
pub struct NavPanelPlugin {
    key: Option<KeyCode>,
}

impl NavPanelPlugin {
    /// A panel that another key opens; with `None`, only [`NavPanel::is_open`] does.
    #[must_use]
    pub fn opened_by(key: impl Into<Option<KeyCode>>) -> Self {
        Self { key: key.into() }
    }
}

impl Default for NavPanelPlugin {
    /// A panel that F2 opens.
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
        app.init_resource::<history::History>()
            .init_resource::<list::SearchText>()
            .init_resource::<plots::Plots>()
            .init_resource::<reasons::Since>()
            .init_resource::<replay::Replay>();
        app.add_systems(PreUpdate, (toggle, pick::pick.run_if(is_open)).chain().after(InputSystems))
            .add_systems(Update, (plots::sample, replay::play).run_if(is_open));
        context::wire(app);
        gizmos::wire(app);
        stages::wire(app);
    }

    /// Again, for gizmos and stages of plugins that were added after this one.
    fn finish(&self, app: &mut App) {
        gizmos::wire(app);
        stages::wire(app);
    }
}

/// Opens and closes the panel with its key; ignored while text is being typed, if the key would write some.
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

/// Whether a key enters or edits text in a text field.
fn is_written(key: KeyCode) -> bool {
    let name = format!("{key:?}");
    ["Key", "Digit", "Numpad", "Space", "Tab", "Enter", "Back", "Minus", "Equal"]
        .iter()
        .any(|start| name.starts_with(start))
}
