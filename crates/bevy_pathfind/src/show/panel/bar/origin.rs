//! The preset that a set of entities has, its path and its name.

use bevy::asset::AssetId;
use bevy::prelude::*;

use crate::presets::{Preset, PresetComponent, PresetFiles, PresetOf};

/// The preset that a set of entities has.
pub(in crate::show::panel) enum Origin<T: PresetComponent> {
    /// All have this preset; the flag says whether all follow it.
    One(AssetId<Preset<T>>, bool),
    None,
    Mixed,
}

/// The preset that the entities share.
pub(in crate::show::panel) fn origin<T: PresetComponent>(world: &World, targets: &[Entity]) -> Origin<T> {
    let mut found: Option<Origin<T>> = None;
    for &entity in targets {
        let one = match world.get::<PresetOf<T>>(entity) {
            Some(preset) => Origin::One(preset.handle.id(), preset.follows),
            None => Origin::None,
        };
        found = Some(match (found, one) {
            (None, one) => one,
            (Some(Origin::One(id, all)), Origin::One(other, follows)) if id == other => {
                Origin::One(id, all && follows)
            }
            (Some(Origin::None), Origin::None) => Origin::None,
            _ => return Origin::Mixed,
        });
    }
    found.unwrap_or(Origin::None)
}

/// The asset path of a preset.
pub(super) fn path_of<T: PresetComponent>(world: &World, id: AssetId<Preset<T>>) -> Option<String> {
    let path = world.resource::<AssetServer>().get_path(id)?;
    Some(path.path().to_string_lossy().replace('\\', "/"))
}

/// The display name of a preset.
pub(in crate::show::panel) fn title<T: PresetComponent>(world: &World, id: AssetId<Preset<T>>) -> String {
    path_of(world, id)
        .map_or_else(|| "unsaved".to_owned(), |path| PresetFiles::name_of::<T>(&path).to_owned())
}
