//! Who takes its values from which preset.

use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::platform::collections::HashSet;
use bevy::prelude::*;

use super::component::{PresetComponent, copy_settings, differ};
use super::preset::Preset;

/// Gives an entity the settings of a preset, and those that the preset has later.
///
/// The `T` is inserted once the preset is loaded, if it is not there. To let an entity have values of its own
/// but remember where they came from, set [`follows`](Self::follows) to `false`; to forget the preset, remove
/// the component.
#[derive(Component, Reflect, Debug, Clone)]
#[reflect(Component, Debug, Clone)]
#[component(on_add = warn_of_no_assets)]
pub struct PresetOf<T: PresetComponent> {
    /// The preset.
    pub handle: Handle<Preset<T>>,
    /// Whether the entity has the preset's values, and not its own. Default: `true`.
    pub follows: bool,
}

impl<T: PresetComponent> PresetOf<T> {
    /// Follows a preset.
    #[must_use]
    pub const fn new(handle: Handle<Preset<T>>) -> Self {
        Self { handle, follows: true }
    }
}

/// Says once that presets are not loaded.
fn warn_of_no_assets(world: DeferredWorld, at: HookContext) {
    if !super::is_wired(&world) {
        warn_once!(
            "{} follows a preset, but presets are not loaded: that needs PathfindPlugins (or PresetsPlugin) and AssetPlugin",
            at.entity
        );
    }
}

/// Who may hold a preset, and the values that it has.
type Follower<T> = (Entity, Ref<'static, PresetOf<T>>, Option<&'static mut T>);

/// Copies the values of presets that were loaded or changed, and of those that an entity has newly taken.
pub(super) fn follow<T: PresetComponent>(
    mut commands: Commands,
    presets: Res<Assets<Preset<T>>>,
    mut events: MessageReader<AssetEvent<Preset<T>>>,
    fresh: Query<(), Changed<PresetOf<T>>>,
    mut followers: Query<Follower<T>>,
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
