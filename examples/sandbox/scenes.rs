//! The scenes: what they are, and how one is entered, left and begun again.
//!
//! A scene is a file or folder with a `SCENE`: its texts, a `build` that adds its systems once, and
//! `controls` that draws its part of the panel. Its entities carry [`Scene::own`], and are gone when it is
//! left. Where its chance comes from is [`Director::seed`], as [`Seed`].

mod avoid;
mod chase;
mod crowd;
mod flock;
mod hunt;
mod search;
mod stress;
mod tanks;

use bevy::{
    ecs::{schedule::ScheduleLabel, system::SystemParam},
    prelude::*,
};
use bevy_egui::egui;

use crate::{flags::Flags, overlay::SearchView, telemetry::Facts};

/// All of them, in the order of the menu. The first one is opened if none is named.
pub(crate) const SCENES: &[Scene] = &[
    search::SCENE,
    chase::SCENE,
    avoid::SCENE,
    flock::SCENE,
    crowd::SCENE,
    tanks::SCENE,
    stress::SCENE,
    hunt::SCENE,
];

/// One scene.
pub(crate) struct Scene {
    /// For `--scene`.
    pub name: &'static str,
    /// For the menu.
    pub title: &'static str,
    /// Its key, from 1 to 9.
    pub digit: u8,
    /// Two lines that say what there is to see.
    pub about: &'static str,
    /// What the keys and buttons do here: key, meaning.
    pub keys: &'static [(&'static str, &'static str)],
    /// Whether its agents search their ways: then the panel shows and sets how.
    pub searches: bool,
    /// Adds the scene's systems: to [`Scene::enter`], and to `Update` and `FixedUpdate` behind
    /// [`Scene::is_active`].
    pub build: fn(&mut App),
    /// The scene's own part of the panel.
    pub controls: fn(&mut egui::Ui, &mut World),
}

/// The scene that is played, by name.
#[derive(States, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Active(pub &'static str);

/// Where the chance of a scene begins: the same seed, the same scene.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seed(pub u64);

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

/// Says which scene is played.
#[derive(SystemParam)]
pub(crate) struct Director<'w> {
    active: Res<'w, State<Active>>,
    next: ResMut<'w, NextState<Active>>,
    seed: ResMut<'w, Seed>,
    facts: ResMut<'w, Facts>,
    search: ResMut<'w, SearchView>,
    time: ResMut<'w, Time<Fixed>>,
}

impl Director<'_> {
    /// The name of the scene that is played.
    pub(crate) fn playing(&self) -> &'static str {
        self.active.get().0
    }

    /// The scene that is played.
    pub(crate) fn scene(&self) -> &'static Scene {
        by_name(self.playing()).unwrap_or(&SCENES[0])
    }

    /// Plays a scene from its beginning.
    pub(crate) fn play(&mut self, name: &'static str) {
        self.search.reset();
        *self.facts = Facts::default();
        // What is left over of a tick belongs to the scene before.
        let rest = self.time.overstep();
        self.time.discard_overstep(rest);
        self.next.set(Active(name));
    }

    /// Plays the same scene from its beginning.
    pub(crate) fn again(&mut self) {
        self.play(self.playing());
    }

    /// The seed of the scene's chance.
    pub(crate) fn seed(&self) -> u64 {
        self.seed.0
    }

    /// Plays the same scene with another seed.
    pub(crate) fn begin_with(&mut self, seed: u64) {
        self.seed.0 = seed;
        self.again();
    }
}

pub(crate) fn plugin(app: &mut App) {
    let flags = app.world().resource::<Flags>();
    let (seed, first) = (Seed(flags.seed), by_name(&flags.scene).unwrap_or(&SCENES[0]).name);
    app.insert_resource(seed).insert_state(Active(first));
    for scene in SCENES {
        (scene.build)(app);
    }
}

#[cfg(test)]
pub(crate) mod tests;
