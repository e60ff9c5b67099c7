//! `PresetOf`: which preset an entity takes its values from.

use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::platform::collections::HashSet;
use bevy::prelude::*;

use super::component::{PresetComponent, copy_settings, differ};
use super::preset::Preset;

/// Gives an entity the settings of a preset, and keeps them up to date when the preset changes.
///
/// The `T` is inserted once the preset is loaded, if the entity has none. To give an entity values of its own that
/// still remember their preset, set [`follows`](Self::follows) to `false`; to forget the preset, remove this
/// component.
#[derive(Component, Reflect, Debug, Clone)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Debug, Clone)]
#[component(on_add = warn_of_no_assets::<T>)]
pub struct PresetOf<T: PresetComponent> {
    /// The preset.
    pub handle: Handle<Preset<T>>,
    /// Whether the entity takes its values from the preset, instead of having its own. Default: `true`.
    pub follows: bool,
}

impl<T: PresetComponent> PresetOf<T> {
    /// Follows a preset.
    #[must_use]
    pub const fn new(handle: Handle<Preset<T>>) -> Self {
        Self { handle, follows: true }
    }
}

/// Warns once if an entity gets a preset in an application that loads none.
fn warn_of_no_assets<T: PresetComponent>(world: DeferredWorld, at: HookContext) {
    if !super::is_wired::<T>(&world) {
        warn_once!(
            "{} follows a preset, but presets are not loaded: that needs AssetPlugin and PathfindPlugins (for components of your own PresetComponentPlugin)",
            at.entity
        );
    }
}

/// An entity with a preset, and its values, if it has some already.
type PresetFollower<T> = (Entity, Ref<'static, PresetOf<T>>, Option<&'static mut T>);

/// Copies values from presets that were loaded or changed to their followers, and to entities whose [`PresetOf`]
/// was added or changed.
pub(super) fn follow<T: PresetComponent>(
    mut commands: Commands,
    presets: Res<Assets<Preset<T>>>,
    mut events: MessageReader<AssetEvent<Preset<T>>>,
    fresh: Query<(), Changed<PresetOf<T>>>,
    mut followers: Query<PresetFollower<T>>,
) {
    let changed: HashSet<_> = events
        .read()
        .filter_map(|event| match event {
            AssetEvent::Added { id } | AssetEvent::Modified { id } => Some(*id),
            _ => None,
        })
        .collect();
    if changed.is_empty() && fresh.is_empty() {
        return;
    }
    for (entity, preset, values) in &mut followers {
        if !preset.follows || !(preset.is_changed() || changed.contains(&preset.handle.id())) {
            continue;
        }
        let Some(preset) = presets.get(&preset.handle) else { continue };
        match values {
            None => drop(commands.entity(entity).try_insert(preset.values.clone())),
            Some(mut values) if differ(&preset.values, &*values) => {
                copy_settings(&preset.values, &mut values)
            }
            Some(_) => (),
        }
    }
}
