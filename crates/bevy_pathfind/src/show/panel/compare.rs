//! Comparison of two presets, side by side.

use core::any::TypeId;

use bevy::prelude::*;
use bevy::reflect::{PartialReflect, ReflectRef};
use bevy_egui::egui;

use super::aim::Place;
use super::bar::title;
use super::reflect::{label, note};
use super::state::NavPanel;
use super::window::button;
use crate::presets::{Preset, PresetComponent, PresetFiles, is_same, is_setting};

/// Draws the settings beside those of another preset, while the comparison is open; single values can be copied
/// from it.
pub(super) fn compare_ui<T: PresetComponent>(
    ui: &mut egui::Ui,
    world: &mut World,
    panel: &mut NavPanel,
    places: &[Place<T>],
) {
    let Some(bar) = panel.bars.get_mut(&TypeId::of::<T>()) else { return };
    let Some(other) = &mut bar.other else { return };
    ui.separator();
    let chosen = chosen_ui::<T>(ui, world, other);
    let Some(theirs) =
        chosen.and_then(|handle| Some(world.resource::<Assets<Preset<T>>>().get(&handle)?.values.clone()))
    else {
        return;
    };
    let Some(ours) = places.first().and_then(|place| place.values(world)).cloned() else { return };
    if let Some(name) = rows_ui(ui, &ours, &theirs) {
        take_over(world, panel, places, &theirs, name);
    }
}

/// A list to choose the preset to compare with; returns the chosen one.
fn chosen_ui<T: PresetComponent>(
    ui: &mut egui::Ui,
    world: &World,
    other: &mut Option<UntypedHandle>,
) -> Option<Handle<Preset<T>>> {
    let chosen = other.clone().and_then(|handle| handle.try_typed::<Preset<T>>().ok());
    ui.horizontal(|ui| {
        ui.label("Compare with");
        let text = chosen.as_ref().map_or_else(|| "choose".to_owned(), |handle| title(world, handle.id()));
        let list = egui::ComboBox::from_id_salt("compare").selected_text(text).show_ui(ui, |ui| {
            for path in world.resource::<PresetFiles>().list::<T>() {
                let name = PresetFiles::name_of::<T>(&path).to_owned();
                let line = ui.selectable_label(false, &name);
                note(&format!("{}/compare with={name}", T::TITLE), &line);
                if line.clicked() {
                    let handle: Handle<Preset<T>> = world.resource::<AssetServer>().load(path);
                    *other = Some(handle.untyped());
                }
            }
        });
        note(&format!("{}/compare with", T::TITLE), &list.response);
    });
    chosen
}

/// Draws the settings side by side; returns the name of the setting that the user wants to copy.
fn rows_ui<T: PresetComponent>(ui: &mut egui::Ui, ours: &T, theirs: &T) -> Option<&'static str> {
    let mut taken = None;
    egui::Grid::new("compared").num_columns(4).striped(true).show(ui, |ui| {
        ui.weak("Setting");
        ui.weak("here");
        ui.weak("there");
        ui.end_row();
        for (name, here, there, differs) in rows(ours, theirs) {
            let paint = |text: String| {
                let text = egui::RichText::new(text);
                if differs { text.strong() } else { text.weak() }
            };
            ui.label(paint(label(name)));
            ui.label(paint(here));
            note(&format!("{}/there {name}", T::TITLE), &ui.label(paint(there)));
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
    panel: &mut NavPanel,
    places: &[Place<T>],
    theirs: &T,
    name: &'static str,
) {
    let ReflectRef::Struct(fields) = theirs.reflect_ref() else { return };
    let Some(value) = fields.field(name) else { return };
    panel.history.begin(format!("{} of {}", label(name), T::TITLE));
    for place in places {
        place.put(world, &mut panel.history, name, value);
    }
    panel.history.end();
}

/// Each setting's name, value here, value there, and whether they differ.
fn rows<T: PresetComponent>(ours: &T, theirs: &T) -> Vec<(&'static str, String, String, bool)> {
    let (ReflectRef::Struct(ours), ReflectRef::Struct(theirs)) = (ours.reflect_ref(), theirs.reflect_ref())
    else {
        return Vec::new();
    };
    let info = T::type_info().as_struct().expect("a preset component is a struct");
    info.iter()
        .filter(|field| is_setting(field))
        .filter_map(|field| {
            let (here, there) = (ours.field(field.name())?, theirs.field(field.name())?);
            let differs = !is_same(here, there);
            Some((field.name(), text_of(here), text_of(there), differs))
        })
        .collect()
}

/// A value as short text.
fn text_of(value: &dyn PartialReflect) -> String {
    match value.reflect_ref() {
        ReflectRef::Enum(variant) if variant.field_len() == 0 => label(variant.variant_name()),
        _ => format!("{value:?}"),
    }
}
