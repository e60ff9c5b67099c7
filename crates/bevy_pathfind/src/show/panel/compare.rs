//! Comparison of two presets, side by side.

use bevy::prelude::*;
use bevy::reflect::{PartialReflect, ReflectRef};
use bevy_egui::egui;

use super::aim::SettingsOwner;
use super::bar::{Bar, preset_lines};
use super::history::change;
use super::origin::title;
use super::reflect::label;
use super::widgets::{button, note};
use crate::presets::{Preset, PresetComponent, fields_of, info_of, is_same, settings};

/// Draws the settings beside those of another preset, while the comparison is open; single values can be copied
/// from it.
pub(super) fn compare_ui<T: PresetComponent>(
    ui: &mut egui::Ui,
    world: &mut World,
    places: &[SettingsOwner<T>],
) {
    let Some(mut chosen) = world.get_resource::<Bar<T>>().and_then(|bar| bar.other.clone()) else { return };
    ui.separator();
    if let Some(path) = chosen_ui::<T>(ui, world, chosen.as_ref()) {
        chosen = Some(world.resource::<AssetServer>().load(path));
        world.resource_mut::<Bar<T>>().other = Some(chosen.clone());
    }
    let Some(theirs) =
        chosen.and_then(|handle| Some(world.resource::<Assets<Preset<T>>>().get(&handle)?.values.clone()))
    else {
        return;
    };
    let Some(ours) = places.first().and_then(|place| place.values(world)).cloned() else { return };
    if let Some(name) = rows_ui(ui, &ours, &theirs) {
        take_over(world, places, &theirs, name);
    }
}

/// A list to choose the preset to compare with; returns the path of the one that was clicked.
fn chosen_ui<T: PresetComponent>(
    ui: &mut egui::Ui,
    world: &World,
    chosen: Option<&Handle<Preset<T>>>,
) -> Option<String> {
    let row = ui.horizontal(|ui| {
        ui.label("Compare with");
        let text = chosen.map_or_else(|| "choose".to_owned(), |handle| title(world, handle.id()));
        let list = egui::ComboBox::from_id_salt("compare")
            .selected_text(text)
            .show_ui(ui, |ui| preset_lines::<T>(ui, world, "compare with", None));
        note(&format!("{}/compare with", T::TITLE), &list.response);
        list.inner.flatten()
    });
    row.inner
}

/// Draws the settings side by side; returns the name of the setting that the user wants to copy.
fn rows_ui<T: PresetComponent>(ui: &mut egui::Ui, ours: &T, theirs: &T) -> Option<&'static str> {
    let (ours, theirs) = (fields_of(ours), fields_of(theirs));
    let mut taken = None;
    egui::Grid::new("compared").num_columns(4).striped(true).show(ui, |ui| {
        ui.weak("Setting");
        ui.weak("here");
        ui.weak("there");
        ui.end_row();
        for (index, here) in settings(ours) {
            let Some(there) = theirs.field_at(index) else { continue };
            let name = info_of::<T>().field_names()[index];
            let differs = !is_same(here, there);
            let paint = |text: String| {
                let text = egui::RichText::new(text);
                if differs { text.strong() } else { text.weak() }
            };
            ui.label(paint(label(name)));
            ui.label(paint(text_of(here)));
            note(&format!("{}/there {name}", T::TITLE), &ui.label(paint(text_of(there))));
            if differs && button(ui, &format!("{}/take {name}", T::TITLE), "Take", true).clicked() {
                taken = Some(name);
            }
            ui.end_row();
        }
    });
    taken
}

/// Copies one setting of the other preset to all places, as one change in the history.
fn take_over<T: PresetComponent>(
    world: &mut World,
    places: &[SettingsOwner<T>],
    theirs: &T,
    name: &'static str,
) {
    let Some(value) = fields_of(theirs).field(name) else { return };
    change(world, format!("{} of {}", label(name), T::TITLE), |world, change| {
        places.iter().for_each(|place| place.put(world, change, name, value));
    });
}

/// A value as short text.
fn text_of(value: &dyn PartialReflect) -> String {
    match value.reflect_ref() {
        ReflectRef::Enum(variant) if variant.field_len() == 0 => label(variant.variant_name()),
        _ => format!("{value:?}"),
    }
}
