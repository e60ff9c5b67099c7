//! The scenes: what they are, and how one is entered, left and begun again.
//!
//! A scene is a file with a `SCENE`: its texts, a `build` that adds its systems once, and `controls` that
//! draws its part of the panel. Its entities carry [`Scene::own`], and are gone when it is left.

mod hunt;

use bevy::{ecs::schedule::ScheduleLabel, prelude::*};
use bevy_egui::egui;

use crate::flags::Flags;

/// All of them, in the order of the menu and of the keys 1 to 9.
pub(crate) const SCENES: &[Scene] = &[hunt::SCENE];

/// One scene.
pub(crate) struct Scene {
    /// For `--scene`.
    pub name: &'static str,
    /// For the menu.
    pub title: &'static str,
    /// Two lines that say what there is to see.
    pub about: &'static str,
    /// What the keys and buttons do here: key, meaning.
    pub keys: &'static [(&'static str, &'static str)],
    /// Adds the scene's systems: to [`Scene::enter`], and to `Update` behind [`Scene::is_active`].
    pub build: fn(&mut App),
    /// The scene's own part of the panel.
    pub controls: fn(&mut egui::Ui, &mut World),
}

/// The scene that is played, by name.
#[derive(States, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Active(pub &'static str);

impl Scene {
    /// The schedule that sets the scene up.
    pub(crate) fn enter(&self) -> impl ScheduleLabel {
        OnEnter(Active(self.name))
    }

    /// For an entity that is despawned when the scene is left or begun again.
    pub(crate) fn own(&self) -> DespawnOnExit<Active> {
        DespawnOnExit(Active(self.name))
    }

    /// A run condition.
    pub(crate) fn is_active(&self) -> impl FnMut(Option<Res<State<Active>>>) -> bool + Clone + use<> {
        in_state(Active(self.name))
    }
}

/// The scene of a name.
pub(crate) fn by_name(name: &str) -> Option<&'static Scene> {
    SCENES.iter().find(|scene| scene.name == name)
}

pub(crate) fn plugin(app: &mut App) {
    let asked = &app.world().resource::<Flags>().scene;
    let first = by_name(asked).unwrap_or(&SCENES[0]).name;
    app.insert_state(Active(first));
    for scene in SCENES {
        (scene.build)(app);
    }
}
