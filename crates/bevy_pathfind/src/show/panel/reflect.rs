//! Widgets for any reflected value: sliders for every parameter, made from reflection.
//!
//! [`reflect_ui`] draws a slider for a field with a range attribute (`#[reflect(@0.0..=10.0_f32)]`), a draggable number
//! for one without, a checkbox for a `bool`, a list for an enum, a colour button for a `Color`. The field's doc comment
//! is its tooltip; its unit and the like are attributes too ([`MeasuredIn`](crate::show::MeasuredIn)). A range over
//! three decades or more makes the slider logarithmic. A click on a number, or a double click on its slider, lets the
//! user type.
//!
//! With a [`FieldEditor`] the widgets also mark values that differ from a reference, with a dot that restores the
//! reference's value, and show values that differ among several sources as mixed.
//!
//! `bevy-inspector-egui` is not used: its widgets have no units, logarithmic ranges, mixed values or marks, and it
//! would add a second dependency tree for every user of the panel.
//!
//! This module draws no window, reads no world and keeps no state of its own, so it is tested without Bevy's
//! renderer.

mod choice;
mod field_editor;
mod hint;
mod layers;
mod leaf;
mod number;
mod part;
mod words;

use bevy::prelude::*;
use bevy::reflect::{PartialReflect, ReflectKind, ReflectPath, ReflectRef};
use bevy_egui::egui;

use super::widgets::{caption, note};
use crate::attributes::Heading;

pub use choice::algorithm_label;
pub use field_editor::FieldEditor;
pub(super) use field_editor::mixed_places;
use hint::Hint;
pub(super) use part::parts;
pub(super) use words::{label, tidy_docs};

/// Draws widgets for `value` and everything in it; returns whether the user changed something.
///
/// A number outside its range is shown unchanged, and clamped only when the user moves the slider. Fields of types
/// without a widget (handles, maps, …) are left out. To keep Bevy's change detection meaningful, pass a copy and
/// write it back only when the answer is `true`.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_egui::egui;
/// # use bevy_pathfind::show::{MeasuredIn, panel::reflect_ui};
/// # use bevy_pathfind::prelude::*;
/// #[derive(Reflect)]
/// struct Settings {
///     /// How fast it goes.
///     #[reflect(@0.0..=10.0_f32, @MeasuredIn("world units per second"))]
///     speed: f32,
/// }
///
/// # let context = egui::Context::default();
/// let mut settings = Settings { speed: 5.0 };
/// # let mut output =
/// context.run_ui(egui::RawInput::default(), |ui| {
///     let changed = reflect_ui(ui, &mut settings);
///     assert!(!changed, "the user has not moved the slider");
/// });
/// # output.textures_delta.clear();
/// ```
pub fn reflect_ui(ui: &mut egui::Ui, value: &mut dyn PartialReflect) -> bool {
    let mut editor = FieldEditor::default();
    editor.show(ui, value);
    !editor.changed().is_empty()
}

/// Draws one value: its widget, or those of its fields.
fn value_ui(ui: &mut egui::Ui, value: &mut dyn PartialReflect, hint: &Hint, editor: &mut FieldEditor) {
    if leaf::leaf_ui(ui, value, hint, editor) {
        return;
    }
    if matches!(value.reflect_ref(), ReflectRef::Enum(_)) {
        choice::enum_ui(ui, value, hint, editor);
    } else {
        parts_ui(ui, value, hint, editor);
    }
}

/// Draws the parts of a value. Fields have their name in front of them, and elements of a list their number: they can
/// be changed, not added or removed. Fields without a name take the place of the value.
fn parts_ui(ui: &mut egui::Ui, value: &mut dyn PartialReflect, hint: &Hint, editor: &mut FieldEditor) {
    let kind = value.reflect_kind();
    for (index, part) in parts(value).into_iter().enumerate() {
        let Ok(inner) = part.place.as_str().reflect_element_mut(value) else { continue };
        if let Some(Heading(heading)) = part.attributes.and_then(|attributes| attributes.get()) {
            caption(ui, heading, "");
        }
        let hint = hint.inner(&part, kind);
        match part.name {
            Some(name) => row(ui, &label(name), inner, &hint, editor),
            None if kind == ReflectKind::List => row(ui, &(index + 1).to_string(), inner, &hint, editor),
            None => {
                value_ui(ui, inner, &hint, editor);
                choice::variant_ui(ui, inner, &hint, editor);
            }
        }
    }
}

/// The label's share of a row's width, and its minimal width in points.
const LABEL_SHARE: f32 = 0.36;
const LABEL_MIN: f32 = 70.0;

/// One row: the mark, the label, and the widget on its right. The widgets of a value with fields go below the
/// label.
fn row(
    ui: &mut egui::Ui,
    label: &str,
    value: &mut dyn PartialReflect,
    hint: &Hint,
    editor: &mut FieldEditor,
) {
    if !is_shown(value) {
        return;
    }
    if has_rows(value) {
        hint.explain(ui.strong(label));
        ui.indent(&hint.path, |ui| value_ui(ui, value, hint, editor));
        return;
    }
    ui.push_id(&hint.path, |ui| {
        ui.horizontal(|ui| {
            editor.mark_ui(ui, value, hint);
            let width = (ui.available_width() * LABEL_SHARE).max(LABEL_MIN);
            let size = egui::vec2(width, ui.spacing().interact_size.y);
            let left = egui::Layout::left_to_right(egui::Align::Center).with_main_wrap(true);
            ui.allocate_ui_with_layout(size, left, |ui| {
                ui.set_min_width(width);
                ui.set_max_width(width);
                let text = egui::Label::new(label).wrap().selectable(false);
                let flag = value.try_downcast_mut::<bool>();
                let text = if flag.is_some() { text.sense(egui::Sense::CLICK) } else { text };
                let text = ui.add(text);
                // A click on the label of a checkbox toggles it, too.
                if let (true, Some(flag)) = (text.clicked(), flag) {
                    *flag = !*flag;
                    editor.tell(hint);
                }
                hint.explain(text);
            });
            value_ui(ui, value, hint, editor);
        });
        choice::variant_ui(ui, value, hint, editor);
    });
}

fn is_shown(value: &dyn PartialReflect) -> bool {
    match value.reflect_kind() {
        _ if leaf::is_leaf(value) => true,
        ReflectKind::Struct | ReflectKind::Enum => true,
        _ => parts(value).iter().filter_map(|part| part.of(value)).any(is_shown),
    }
}

fn has_rows(value: &dyn PartialReflect) -> bool {
    match value.reflect_ref() {
        _ if leaf::is_leaf(value) => false,
        ReflectRef::Struct(_) | ReflectRef::List(_) => true,
        ReflectRef::TupleStruct(value) => value.field_len() == 1 && value.field(0).is_some_and(has_rows),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
