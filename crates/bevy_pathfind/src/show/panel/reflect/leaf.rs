//! Widgets for values without fields.

use bevy::prelude::*;
use bevy::reflect::PartialReflect;
use bevy_egui::egui;

use super::FieldEditor;
use super::hint::Hint;
use super::layers::layers_ui;
use super::number::{number_ui, of_numbers};
use crate::attributes::LayerBits;

/// Draws the widget of a value without fields; returns `false` for any other value.
pub(super) fn leaf_ui(
    ui: &mut egui::Ui,
    value: &mut dyn PartialReflect,
    hint: &Hint,
    editor: &mut FieldEditor,
) -> bool {
    if hint.get::<LayerBits>().is_some()
        && let Some(mask) = value.try_downcast_mut::<u32>()
    {
        layers_ui(ui, mask, hint, editor);
        return true;
    }
    if number_ui(ui, value, hint, editor) {
        return true;
    }
    if let Some(flag) = value.try_downcast_mut::<bool>() {
        let mixed = editor.is_mixed(hint);
        hint.finish(ui.add(egui::Checkbox::new(flag, "").indeterminate(mixed)), editor);
    } else if let Some(text) = value.try_downcast_mut::<String>() {
        hint.finish(ui.text_edit_singleline(text), editor);
    } else if let Some(color) = value.try_downcast_mut::<Color>() {
        let mut rgba = color.to_srgba().to_u8_array();
        let response = ui.color_edit_button_srgba_unmultiplied(&mut rgba);
        if response.changed() {
            *color = Color::srgba_u8(rgba[0], rgba[1], rgba[2], rgba[3]);
        }
        hint.finish(response, editor);
    } else {
        return false;
    }
    true
}

/// Whether a value has a widget and no fields.
pub(super) fn is_leaf(value: &dyn PartialReflect) -> bool {
    macro_rules! any_of {
        ($($one:ty),+) => { false $(|| value.try_downcast_ref::<$one>().is_some())+ };
    }
    of_numbers!(any_of, bool, String, Color)
}
