//! The scenes: their descriptions, and how a scene is entered, left and restarted.
//!
//! A scene is a file or folder with a constant `SCENE`: its texts, a `build` that adds its systems once, and
//! `controls` that draws its part of the panel. Its entities have [`Scene::despawn_on_exit`], so that they are
//! despawned when it is left. Its random numbers start from [`SceneControl::seed`], kept in [`Seed`].

mod avoid;
mod battle;
mod castle;
mod chase;
mod crowd;
mod endless;
mod flock;
mod hunt;
mod level;
mod search;
mod stress;
mod tanks;
mod traffic;

use std::borrow::Cow;

use bevy::{
    ecs::{schedule::ScheduleLabel, system::SystemParam},
    prelude::*,
};
use bevy_egui::egui;
use bevy_pathfind::prelude::{AgentKinds, NavGrid};

use crate::{flags::Flags, grid_picture::GridPicture, overlay::SearchView, telemetry::Facts};
#[cfg(target_arch = "wasm32")]
pub(crate) use search::MapChoice;
pub(crate) use search::{GivenMap, lab_map};

/// All scenes, in the order of the menu and of the number keys, 1 to 9 and 0; beyond those there is no key but `[` and `]`.
/// The first one is opened by default.
pub(crate) const SCENES: &[Scene] = &[
    search::SCENE,
    chase::SCENE,
    avoid::SCENE,
    flock::SCENE,
    crowd::SCENE,
    tanks::SCENE,
    stress::SCENE,
    hunt::SCENE,
    endless::SCENE,
    castle::SCENE,
    battle::SCENE,
    traffic::SCENE,
    level::SCENE,
];

/// The description of a scene.
pub(crate) struct Scene {
    /// The name for `--scene`.
    pub name: &'static str,
    /// The title in the menu.
    pub title: &'static str,
    /// Two lines that describe what there is to see.
    pub about: &'static str,
    /// Something to try first, as an invitation.
    pub try_this: &'static str,
    /// The scene's keys and buttons: key, meaning.
    pub keys: &'static [(&'static str, &'static str)],
    /// Whether its agents search for paths: then the panel has the search settings.
    pub searches: bool,
    /// Adds the scene's systems: to [`Scene::enter`], and to `Update` and `FixedUpdate` with the run condition
    /// [`Scene::is_active`].
    pub build: fn(&mut App),
    /// The scene's own part of the panel.
    pub controls: fn(&mut egui::Ui, &mut World),
}

/// The state: the current scene, by name.
#[derive(States, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ActiveScene(pub &'static str);

/// The seed of a scene's random numbers: the same seed gives the same scene.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seed(pub u64);

impl Scene {
    /// The schedule that sets the scene up.
    pub(crate) fn enter(&self) -> impl ScheduleLabel {
        OnEnter(ActiveScene(self.name))
    }

    /// The schedule that runs when the scene is left.
    pub(crate) fn exit(&self) -> impl ScheduleLabel {
        OnExit(ActiveScene(self.name))
    }

    /// The component of entities that are despawned when the scene is left or restarted.
    pub(crate) fn despawn_on_exit(&self) -> DespawnOnExit<ActiveScene> {
        DespawnOnExit(ActiveScene(self.name))
    }

    /// A map with its picture, as long as the scene lasts.
    pub(crate) fn map(
        &self,
        name: impl Into<Cow<'static, str>>,
        nav: NavGrid,
        place: Transform,
    ) -> (Name, NavGrid, Transform, GridPicture, DespawnOnExit<ActiveScene>) {
        (Name::new(name), nav, place, GridPicture::default(), self.despawn_on_exit())
    }

    /// A run condition: whether this scene is the current one.
    pub(crate) fn is_active(&self) -> impl FnMut(Option<Res<State<ActiveScene>>>) -> bool + Clone + use<> {
        in_state(ActiveScene(self.name))
    }
}

/// The scene of a name.
pub(crate) fn by_name(name: &str) -> Option<&'static Scene> {
    SCENES.iter().find(|scene| scene.name == name)
}

/// Switches and restarts scenes.
#[derive(SystemParam)]
pub(crate) struct SceneControl<'w> {
    active: Res<'w, State<ActiveScene>>,
    next: ResMut<'w, NextState<ActiveScene>>,
    seed: ResMut<'w, Seed>,
    facts: ResMut<'w, Facts>,
    search: ResMut<'w, SearchView>,
    time: ResMut<'w, Time<Fixed>>,
}

impl SceneControl<'_> {
    /// The name of the current scene.
    pub(crate) fn current_name(&self) -> &'static str {
        self.active.get().0
    }

    /// The current scene.
    pub(crate) fn current(&self) -> &'static Scene {
        by_name(self.current_name()).unwrap_or(&SCENES[0])
    }

    /// Starts a scene from its beginning.
    pub(crate) fn enter(&mut self, name: &'static str) {
        self.search.last = None;
        *self.facts = Facts::default();
        // The remainder of a tick belongs to the previous scene.
        let rest = self.time.overstep();
        self.time.discard_overstep(rest);
        self.next.set(ActiveScene(name));
    }

    /// Restarts the current scene.
    pub(crate) fn restart(&mut self) {
        self.enter(self.current_name());
    }

    /// The seed of the scene's random numbers.
    pub(crate) fn seed(&self) -> u64 {
        self.seed.0
    }

    /// Starts a scene with a seed.
    pub(crate) fn go(&mut self, name: &'static str, seed: u64) {
        self.seed.0 = seed;
        self.enter(name);
    }
}

pub(crate) fn plugin(app: &mut App) {
    let flags = app.world().resource::<Flags>();
    let (seed, first) = (Seed(flags.seed), by_name(&flags.scene).unwrap_or(&SCENES[0]).name);
    app.insert_resource(seed).insert_state(ActiveScene(first));
    for scene in SCENES {
        (scene.build)(app);
    }
}

/// Takes the kinds of agents of a scene from the world, when it is left.
pub(crate) fn forget_kinds(mut kinds: ResMut<AgentKinds>) {
    *kinds = AgentKinds::default();
}

#[cfg(test)]
pub(crate) mod tests;
