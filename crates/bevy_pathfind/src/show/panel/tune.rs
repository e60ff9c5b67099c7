//! The sliders of one kind of settings, for all entities that an edit applies to.

use bevy::ecs::component::Mutable;
use bevy::prelude::*;
use bevy::reflect::ReflectPath;
use bevy_egui::egui;

use super::aim::SettingsOwner;
use super::history::{EditTarget, change};
use super::reflect::{FieldEditor, label};
use super::state::NavPanel;
use super::survey::Survey;
use super::widgets::caption;
use super::{bar, compare};
use crate::presets::{Preset, PresetComponent, PresetOf, copy_settings};
use crate::world::NavGrid;

/// The preset bar, the sliders and the comparison of a `T`.
pub(super) fn settings_ui<T: PresetComponent>(ui: &mut egui::Ui, world: &mut World, panel: &NavPanel) {
    let survey = Survey::<T>::take(world, panel);
    if !survey.targets.is_empty() {
        ui.push_id(T::TITLE, |ui| {
            caption(ui, T::TITLE, &crowd(survey.targets.len()));
            bar::bar_ui(ui, world, &survey);
            compare::compare_ui::<T>(ui, world, &survey.places);
            sliders_ui(ui, world, &survey);
            ui.add_space(6.0);
        });
    }
    world.insert_resource(survey);
}

fn crowd(count: usize) -> String {
    if count == 1 { "1 agent".into() } else { format!("{count} agents") }
}

fn sliders_ui<T: PresetComponent>(ui: &mut egui::Ui, world: &mut World, survey: &Survey<T>) {
    let places = &survey.places;
    let Some((place, first)) = places.iter().find_map(|place| Some((place, place.values(world)?))) else {
        return;
    };
    let (usual, whose) = reference(world, place);
    // Presets hold settings only: other fields, such as a target, are the entity's own.
    let own = survey.targets.first().and_then(|&entity| world.get::<T>(entity));
    let mut copy = own.unwrap_or(first).clone();
    copy_settings(first, &mut copy);
    let default = T::default();
    let mut editor = FieldEditor::default()
        .for_cells_of(cell_size(world))
        .around(default.as_partial_reflect())
        .mixed(survey.mixed.clone())
        .beside(usual.as_partial_reflect(), whose);
    editor.show(ui, copy.as_partial_reflect_mut());
    let changed = editor.changed().to_vec();
    for path in changed {
        let Ok(value) = path.as_str().reflect_element(copy.as_partial_reflect()) else { continue };
        change(world, format!("{} of {}", path_label(&path), T::TITLE), |world, change| {
            places.iter().for_each(|place| place.put(world, change, &path, value));
        });
    }
}

/// The reference that values are compared with, and its name: the file for a preset, the preset for an entity's own
/// values, otherwise the defaults.
fn reference<T: PresetComponent>(world: &World, place: &SettingsOwner<T>) -> (T, &'static str) {
    let presets = world.resource::<Assets<Preset<T>>>();
    let found = match *place {
        SettingsOwner::Preset(id) => presets.get(id).map(|preset| (preset.saved().clone(), "the file")),
        SettingsOwner::Own(entity) => world
            .get::<PresetOf<T>>(entity)
            .and_then(|preset| presets.get(&preset.handle))
            .map(|preset| (preset.values.clone(), "the preset")),
    };
    found.unwrap_or_else(|| (T::default(), "the default"))
}

/// The sliders of a resource; values that differ from the default are marked.
pub(super) fn resource_ui<R>(ui: &mut egui::Ui, world: &mut World)
where
    R: Resource<Mutability = Mutable> + Reflect + Default + Clone,
{
    let Some(target) = EditTarget::resource::<R>(world) else { return };
    let Some(mut copy) = world.get_resource::<R>().cloned() else { return };
    let usual = R::default();
    let usual_value = usual.as_partial_reflect();
    let mut editor = FieldEditor::default().around(usual_value).beside(usual_value, "the default");
    editor.show(ui, copy.as_partial_reflect_mut());
    let changed = editor.changed().to_vec();
    for path in changed {
        let Ok(value) = path.as_str().reflect_element(copy.as_partial_reflect()) else { continue };
        change(world, path_label(&path), |world, change| change.put(world, target, &path, value));
    }
}

/// The size of the largest cells of all grids; 1 without a grid.
fn cell_size(world: &World) -> f32 {
    let Some(mut grids) = world.try_query::<&NavGrid>() else { return 1.0 };
    grids.iter(world).map(NavGrid::cell_size).reduce(f32::max).unwrap_or(1.0)
}

/// `.0.max_speed` → `Max speed`.
fn path_label(path: &str) -> String {
    label(path.rsplit('.').find(|part| part.parse::<u32>().is_err()).unwrap_or(path))
}
