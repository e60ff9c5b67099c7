//! Presets: files of component settings, which people edit and share, and which are reloaded while the game runs.
//!
//! A preset is an asset that holds one component: `gulls.flock.ron` a [`Flock`], `careful.avoid.ron` an
//! [`Avoider`], `wolf.pursuit.ron` a [`Pursuer`], `truck.agent.ron` an [`Agent`]. An entity with a [`PresetOf`]
//! takes its values from the preset and follows later changes of it. Fields that name an entity, such as a
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
//! A file sets the fields that it names; the others have their defaults. If a file is broken, agents keep the last
//! good values, and [`PresetFiles::error`] returns the reason, with line and column. A file is written completely
//! or not at all. [`PresetFiles::save`] does not overwrite a file that has changed on disk since it was read,
//! unless forced. Every 250 ms the files are checked for changes (set [`PresetFiles::watch`] to `false` to stop
//! that), so Bevy's `file_watcher` is not needed. A reload never replaces values with unsaved edits.
//!
//! This module draws nothing: the panel (feature `panel`) edits presets.

mod component;
mod disk;
mod files;
mod follow;
mod loader;
mod preset;
mod store;
mod text;
mod units;
mod watch;

use core::marker::PhantomData;
use std::sync::Arc;

use bevy::asset::AssetPlugin;
use bevy::prelude::*;

pub use component::{PresetComponent, copy_settings, differ, is_same, is_setting};
pub use disk::PresetFolder;
pub use files::{PresetError, PresetFiles};
pub use follow::PresetOf;
pub use loader::{LoadError, PresetLoader};
pub use preset::Preset;
pub use store::{PresetStore, SaveError};
pub use text::{PresetTextError, from_ron, to_ron};
pub use units::unit_of;

use crate::agent::Agent;
use crate::steer::{Avoider, Behavior, Flock, FlockLeader, Pursuer, Separation};

/// Loads presets, updates the agents that follow them, and reloads presets whose files change.
///
/// It is part of [`PathfindPlugins`](crate::PathfindPlugins); adding it again changes nothing. It needs Bevy's
/// `AssetPlugin`, which may be added before or after it. In an application without that plugin no preset is loaded, and
/// the first entity that is given a [`PresetOf`] causes a warning.
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
    /// Registers all kinds of presets, once, and only if `AssetPlugin` was added.
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
        wire::<Behavior>(app);
        wire::<Separation>(app);
        wire::<FlockLeader>(app);
    }
}

/// Whether the asset type of one kind of presets has been registered.
fn is_wired<T: PresetComponent>(world: &World) -> bool {
    world.contains_resource::<Assets<Preset<T>>>()
}

/// Gives a component of your own presets: files with its [extension](PresetComponent::EXTENSION), and [`PresetOf`]. Like
/// [`PresetsPlugin`], it needs Bevy's `AssetPlugin`.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// # use bevy_pathfind::presets::{PresetComponent, PresetComponentPlugin};
/// /// How an agent drifts with the wind.
/// #[derive(Component, Reflect, Debug, Clone, Default)]
/// #[reflect(Component, Default)]
/// struct Sail {
///     /// The part of the wind's speed that it takes on. Range: 0 to 1. Default: `0`.
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
#[derive(Debug)]
pub struct PresetComponentPlugin<T>(PhantomData<fn() -> T>);

impl<T> Default for PresetComponentPlugin<T> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

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

/// The folder on disk that assets are read from.
#[cfg(not(target_family = "wasm"))]
fn store_of(assets: &str) -> Option<Arc<dyn PresetStore>> {
    let root = bevy::asset::io::file::FileAssetReader::get_base_path().join(assets);
    Some(Arc::new(PresetFolder { root }))
}

/// The web has no folder on disk: assets are fetched by HTTP, which knows no listing and no writing.
#[cfg(target_family = "wasm")]
fn store_of(_assets: &str) -> Option<Arc<dyn PresetStore>> {
    None
}

/// Registers the types, the asset loader and the systems of one kind of presets: once, and only if `AssetPlugin` was
/// added.
fn wire<T: PresetComponent>(app: &mut App) {
    if is_wired::<T>(app.world()) || !app.is_plugin_added::<AssetPlugin>() {
        return;
    }
    app.register_type::<T>().register_type::<PresetOf<T>>();
    app.init_asset::<Preset<T>>().init_asset_loader::<PresetLoader<T>>().add_systems(
        PreUpdate,
        (
            watch::reload_changed::<T>.run_if(watch::is_time),
            watch::note_failures::<T>,
            watch::note_loads::<T>,
            follow::follow::<T>,
        )
            .chain(),
    );
}
