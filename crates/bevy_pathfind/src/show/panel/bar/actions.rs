//! Executes the actions of the preset bar.
//!
//! Changes of presets are recorded in the undo history; writing and reading files is not.

use bevy::asset::{AssetId, AssetPath};
use bevy::prelude::*;

use super::BarAction;
use crate::presets::{Preset, PresetComponent, PresetError, PresetFiles, PresetOf, SaveError};
use crate::show::panel::history::{EditTarget, change};
use crate::show::panel::origin::{Origin, path_of, title};
use crate::show::panel::survey::Survey;

/// Executes an action that the user has chosen in the preset bar of `T`. It concerns the entities that the panel edits
/// (`survey.targets`), or the preset that they share. `force` overwrites a file that has changed on disk, and replaces
/// another one.
pub(super) fn execute<T: PresetComponent>(
    world: &mut World,
    action: &BarAction,
    force: bool,
    survey: &Survey<T>,
) -> Result<(), SaveError> {
    let Survey { targets, places, origin, .. } = survey;
    let current = match origin {
        Origin::One(id, _) => Some(*id),
        _ => None,
    };
    let preset = match action {
        // `None` removes the preset: the entities keep their values.
        BarAction::Take(path) => {
            path.clone().map(|path| PresetOf::<T>::new(world.resource::<AssetServer>().load(path)))
        }
        // All entities share one preset, so the handle of the first will do. Their own values are replaced by those
        // of the preset.
        BarAction::Follow => {
            let preset = targets.first().and_then(|&entity| world.get::<PresetOf<T>>(entity)).cloned();
            preset.map(|preset| PresetOf { follows: true, ..preset })
        }
        // If the values differ between the entities, those of the first are saved, and all get them.
        BarAction::SaveAs(name) => {
            let values = places.first().and_then(|place| place.values(world)).cloned();
            Some(save_as(world, name, values.ok_or(SaveError::Gone)?, force)?)
        }
        // A copy in a file of its own, which the entities then follow.
        BarAction::Duplicate => {
            let id = current.ok_or(SaveError::Gone)?;
            let name = world.resource::<PresetFiles>().free_name::<T>(&title(world, id));
            let preset = world.resource::<Assets<Preset<T>>>().get(id).ok_or(SaveError::Gone)?;
            Some(save_as(world, &name, preset.values.clone(), false)?)
        }
        BarAction::Save => return save(world, current.ok_or(SaveError::Gone)?, force),
        BarAction::Revert => {
            current.into_iter().for_each(|id| revert(world, id));
            return Ok(());
        }
        BarAction::Reload => {
            if let Some(path) = current.and_then(|id| path_of(world, id)) {
                world.resource::<AssetServer>().reload(AssetPath::from(path));
            }
            return Ok(());
        }
    };
    change(world, format!("preset of {}", T::TITLE), |world, change| {
        change.put_preset(world, targets, preset);
    });
    Ok(())
}

/// Restores the saved values of a preset, as a change in the undo history. If the file has changed on disk while
/// there were unsaved edits ([`PresetError::Conflict`]), then loads the values of the file.
fn revert<T: PresetComponent>(world: &mut World, id: AssetId<Preset<T>>) {
    let Some(saved) = world.resource::<Assets<Preset<T>>>().get(id).map(|preset| preset.saved().clone())
    else {
        return;
    };
    change(world, format!("revert {}", T::TITLE), |world, change| {
        // The empty path stands for the preset's values as a whole.
        change.put(world, EditTarget::preset::<T>(id), "", saved.as_partial_reflect());
    });
    let changed_file = path_of(world, id)
        .filter(|path| world.resource::<PresetFiles>().error(path) == Some(&PresetError::Conflict));
    if let Some(path) = changed_file {
        world.resource::<AssetServer>().reload(AssetPath::from(path));
    }
}

/// Writes a preset to its file. `force` overwrites a file that has changed on disk; without it, such a file is an
/// error.
fn save<T: PresetComponent>(world: &mut World, id: AssetId<Preset<T>>, force: bool) -> Result<(), SaveError> {
    let path = path_of(world, id).ok_or(SaveError::Gone)?;
    world.resource_scope(|world, mut files: Mut<PresetFiles>| {
        let mut presets = world.resource_mut::<Assets<Preset<T>>>();
        let mut preset = presets.get_mut(id).ok_or(SaveError::Gone)?;
        files.save(&path, &mut preset, force)
    })
}

/// Writes values to the preset file with a name, and returns the component with which an entity follows that preset.
/// `force` replaces an existing file; without it, such a file is an error.
fn save_as<T: PresetComponent>(
    world: &mut World,
    name: &str,
    values: T,
    force: bool,
) -> Result<PresetOf<T>, SaveError> {
    let path = world.resource::<PresetFiles>().path_of::<T>(name)?;
    let mut preset = Preset::new(values);
    world.resource_mut::<PresetFiles>().save(&path, &mut preset, force)?;
    let handle: Handle<Preset<T>> = world.resource::<AssetServer>().load(path);
    // If the file was loaded before, replace the loaded values by those written.
    if let Some(mut loaded) = world.resource_mut::<Assets<Preset<T>>>().get_mut(&handle) {
        *loaded = preset;
    }
    Ok(PresetOf::new(handle))
}
