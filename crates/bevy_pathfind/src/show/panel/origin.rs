//! The preset that a set of entities has, its path and its name.

use bevy::asset::AssetId;
use bevy::prelude::*;

use crate::presets::{Preset, PresetComponent, PresetFiles, PresetOf};

/// The preset that a set of entities has.
pub(super) enum Origin<T: PresetComponent> {
    /// All have this preset; the flag says whether all follow it.
    One(AssetId<Preset<T>>, bool),
    None,
    Mixed,
}

/// The preset that the entities share.
pub(super) fn origin<T: PresetComponent>(world: &World, targets: &[Entity]) -> Origin<T> {
    let mut presets = targets.iter().map(|&entity| world.get::<PresetOf<T>>(entity));
    let Some(Some(first)) = presets.next() else {
        return if presets.all(|preset| preset.is_none()) { Origin::None } else { Origin::Mixed };
    };
    let mut follows = first.follows;
    for preset in presets {
        match preset {
            Some(preset) if preset.handle == first.handle => follows &= preset.follows,
            _ => return Origin::Mixed,
        }
    }
    Origin::One(first.handle.id(), follows)
}

pub(super) fn path_of<T: PresetComponent>(world: &World, id: AssetId<Preset<T>>) -> Option<String> {
    let path = world.resource::<AssetServer>().get_path(id)?;
    Some(path.path().to_string_lossy().replace('\\', "/"))
}

/// The display name of a preset.
pub(super) fn title<T: PresetComponent>(world: &World, id: AssetId<Preset<T>>) -> String {
    path_of(world, id)
        .map_or_else(|| "unsaved".to_owned(), |path| PresetFiles::name_of::<T>(&path).to_owned())
}
