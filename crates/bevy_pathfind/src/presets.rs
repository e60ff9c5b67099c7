//! Presets: files of component settings, to edit and share, which are reloaded while the game runs.
//!
//! A preset is an asset that holds one component: `gulls.flock.ron` a [`Flock`], `careful.avoid.ron` an
//! [`Avoider`], `wolf.pursuit.ron` a [`Pursuer`], `truck.agent.ron` an [`Agent`]. An entity with a [`PresetOf`]
//! takes its values from the preset, and again whenever the preset changes. Fields that name an entity, such as a
//! pursuer's target, are not settings: a preset neither stores nor overwrites them.
//!
//! ```no_run
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
//!     let gulls = PresetOf::<Flock>::new(assets.load("presets/seagull.flock.ron"));
//!     commands.spawn((Agent::default(), gulls));
//! }
//!
//! App::new()
//!     .add_plugins((DefaultPlugins, PathfindPlugins::default()))
//!     .add_systems(Startup, spawn);
//! ```
//!
//! A file sets the fields that it names; the others have their defaults. If a file cannot be read, agents keep the
//! last good values, and [`PresetFiles::error`] returns the reason, for an error in the text with line and column.
//! [`PresetFiles::save`] writes a file completely or not at all, and does not overwrite a file that has changed on
//! disk since it was read, unless forced. The files are checked for changes every 250 ms (unless
//! [`PresetFiles::watch`] is `false`), so Bevy's `file_watcher` is not needed. A preset with unsaved edits is not
//! reloaded.
//!
//! This module has no user interface: the panel (feature `panel`) edits presets.

mod component;
mod disk;
mod files;
mod follow;
mod loader;
mod preset;
mod store;
mod text;
mod watch;

use core::marker::PhantomData;
use std::sync::Arc;

use bevy::asset::AssetPlugin;
use bevy::prelude::*;
use bevy::time::common_conditions::on_real_timer;

pub use component::{PresetComponent, copy_settings, differ, is_same, is_setting};
#[cfg(feature = "panel")]
pub(crate) use component::{fields_of, info_of, set_value, settings};
pub use disk::PresetFolder;
pub use files::{PresetError, PresetFiles};
pub use follow::PresetOf;
pub use loader::{LoadError, PresetLoader};
pub use preset::Preset;
pub use store::{PresetStore, SaveError};
pub use text::{PresetTextError, from_ron, to_ron};

use crate::agent::Agent;
use crate::steer::{Avoider, Behavior, Flock, FlockLeader, Fugitive, Pursuer, Separation};

/// Loads presets, updates the agents that follow them, and reloads presets whose files change.
///
/// It is part of [`PathfindPlugins`](crate::PathfindPlugins); adding it again changes nothing. It needs Bevy's
/// `AssetPlugin`, which may be added before or after it. In an application without that plugin no preset is loaded,
/// and the first entity that gets a [`PresetOf`] causes a warning.
#[derive(Debug, Clone, Copy, Default)]
pub struct PresetsPlugin;

impl Plugin for PresetsPlugin {
    fn build(&self, app: &mut App) {
        Self::wire(app);
    }

    fn finish(&self, app: &mut App) {
        Self::wire(app);
    }

    fn is_unique(&self) -> bool {
        false
    }
}

impl PresetsPlugin {
    /// Registers the presets of the plugin's own components, once, and only if `AssetPlugin` was added.
    fn wire(app: &mut App) {
        if is_wired::<Agent>(app.world()) {
            return;
        }
        let Some(assets) =
            app.get_added_plugins::<AssetPlugin>().first().map(|assets| assets.file_path.clone())
        else {
            return;
        };
        let mut files = app.world_mut().get_resource_or_insert_with(PresetFiles::default);
        if files.store.is_none() {
            files.store = store_of(&assets);
        }
        wire::<Agent>(app);
        wire::<Flock>(app);
        wire::<Avoider>(app);
        wire::<Pursuer>(app);
        wire::<Fugitive>(app);
        wire::<Behavior>(app);
        wire::<Separation>(app);
        wire::<FlockLeader>(app);
    }
}

/// Whether the presets of a component have been registered.
fn is_wired<T: PresetComponent>(world: &World) -> bool {
    world.contains_resource::<Assets<Preset<T>>>()
}

/// Adds presets for a component that you define: files with its [extension](PresetComponent::EXTENSION), and
/// [`PresetOf`]. Like [`PresetsPlugin`], it needs Bevy's `AssetPlugin`.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// # use bevy_pathfind::presets::{PresetComponent, PresetComponentPlugin};
/// # use serde::{Deserialize, Serialize};
/// /// A sail, with which an agent drifts in the wind.
/// #[derive(Component, Reflect, Debug, Clone, Default, Serialize, Deserialize)]
/// #[reflect(Component, Default)]
/// #[serde(default, deny_unknown_fields)]
/// struct Sail {
///     /// The agent's drift, as a fraction of the wind's speed. Range: 0 to 1. Default: `0`.
///     #[reflect(@0.0..=1.0_f32)]
///     drift: f32,
/// }
///
/// impl PresetComponent for Sail {
///     const EXTENSION: &'static str = "sail.ron";
///     const TITLE: &'static str = "Sail";
/// }
///
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, AssetPlugin::default()));
/// app.add_plugins(PresetComponentPlugin::<Sail>::default());
/// ```
#[derive(Debug, Default)]
pub struct PresetComponentPlugin<T>(PhantomData<fn() -> T>);

impl<T: PresetComponent> Plugin for PresetComponentPlugin<T> {
    fn build(&self, app: &mut App) {
        PresetsPlugin::wire(app);
        wire::<T>(app);
    }

    fn finish(&self, app: &mut App) {
        self.build(app);
    }

    fn is_unique(&self) -> bool {
        false
    }
}

/// A store of preset files in the folder on disk that assets are read from.
#[cfg(not(target_family = "wasm"))]
fn store_of(assets: &str) -> Option<Arc<dyn PresetStore>> {
    let root = bevy::asset::io::file::FileAssetReader::get_base_path().join(assets);
    Some(Arc::new(PresetFolder { root }))
}

/// `None` on the web: assets are fetched by HTTP, which can neither list a folder nor write files.
#[cfg(target_family = "wasm")]
fn store_of(_assets: &str) -> Option<Arc<dyn PresetStore>> {
    None
}

/// Registers the types, the asset loader and the systems for the presets of a component: once, and only if
/// `AssetPlugin` was added.
fn wire<T: PresetComponent>(app: &mut App) {
    if is_wired::<T>(app.world()) || !app.is_plugin_added::<AssetPlugin>() {
        return;
    }
    let is_time = resource_exists::<Time<Real>>.and_then(on_real_timer(watch::POLL_INTERVAL));
    app.register_type::<T>().register_type::<PresetOf<T>>();
    app.init_asset::<Preset<T>>().init_asset_loader::<PresetLoader<T>>().add_systems(
        PreUpdate,
        (
            watch::reload_changed::<T>.run_if(is_time.and_then(watch::is_on)),
            watch::note_failures::<T>,
            watch::note_loads::<T>,
            follow::follow::<T>,
        )
            .chain(),
    );
}
