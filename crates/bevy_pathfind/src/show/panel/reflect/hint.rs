//! `Hint`: path, documentation, unit and attributes of the field whose widget is drawn.

use core::ops::RangeInclusive;

use bevy::prelude::*;
use bevy::reflect::attributes::CustomAttributes;
use bevy::reflect::{NamedField, UnnamedField};
use bevy_egui::egui;

use super::words::{short_unit, tidy_docs, zero_word};
use super::{FieldEditor, note};
use crate::presets::unit_of;

/// Metadata of the field whose widget is drawn.
pub(super) struct Hint<'a> {
    pub(super) owner: &'a str,
    /// The path in names of [`widget_rects`](super::widget_rects), without the indices of tuple structs.
    pub(super) path: String,
    /// The reflection path.
    pub(super) place: String,
    pub(super) docs: Option<String>,
    unit: Option<String>,
    pub(super) attributes: Option<&'static CustomAttributes>,
}

impl<'a> Hint<'a> {
    pub(super) const fn root(owner: &'a str) -> Self {
        Self { owner, path: String::new(), place: String::new(), docs: None, unit: None, attributes: None }
    }

    /// The hint of a named field.
    pub(super) fn named(&self, name: &str, field: Option<&'static NamedField>) -> Hint<'a> {
        let docs = field.and_then(|field| field.docs());
        Hint {
            owner: self.owner,
            path: if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) },
            place: format!("{}.{name}", self.place),
            docs: docs.map(tidy_docs),
            unit: docs.and_then(unit_of).map(|unit| short_unit(&unit)),
            attributes: field.map(|field| field.custom_attributes()),
        }
    }

    /// The hint of a tuple struct's field, which inherits what the struct's own hint has.
    pub(super) fn unnamed(&self, index: usize, field: Option<&'static UnnamedField>) -> Hint<'a> {
        let docs = field.and_then(|field| field.docs());
        let attributes = field.map(|field| field.custom_attributes()).filter(|own| !own.is_empty());
        Hint {
            owner: self.owner,
            path: self.path.clone(),
            place: format!("{}.{index}", self.place),
            docs: docs.map(tidy_docs).or_else(|| self.docs.clone()),
            unit: docs.and_then(unit_of).map(|unit| short_unit(&unit)).or_else(|| self.unit.clone()),
            attributes: attributes.or(self.attributes),
        }
    }

    /// The hint of an element of a list.
    pub(super) fn element(&self, index: usize) -> Hint<'a> {
        Hint { place: format!("{}[{index}]", self.place), ..self.numbered(index, None) }
    }

    /// The hint of an unnamed field of an enum variant.
    pub(super) fn numbered(&self, index: usize, field: Option<&'static UnnamedField>) -> Hint<'a> {
        let path = if self.path.is_empty() { index.to_string() } else { format!("{}.{index}", self.path) };
        Hint { path, ..self.unnamed(index, field) }
    }

    pub(super) fn range<T: Reflect + Clone>(&self) -> Option<RangeInclusive<T>>
    where
        RangeInclusive<T>: Reflect,
    {
        self.attributes?.get::<RangeInclusive<T>>().cloned()
    }

    /// The unit as a suffix of a number.
    pub(super) fn suffix(&self) -> String {
        self.unit.as_ref().map_or_else(String::new, |unit| format!(" {unit}"))
    }

    /// Whether the number is a length, or a length by a time: its unit begins with world units.
    pub(super) fn is_length(&self) -> bool {
        self.unit.as_ref().is_some_and(|unit| unit == "u" || unit.starts_with("u/"))
    }

    /// The word for 0, if the documentation gives one (see `zero_word`).
    pub(super) fn zero(&self) -> Option<String> {
        zero_word(self.docs.as_ref()?).map(str::to_owned)
    }

    /// Whether a number is a layer mask: its documentation contains `one bit each`.
    pub(super) fn is_mask(&self) -> bool {
        self.docs.as_ref().is_some_and(|docs| docs.contains("one bit each"))
    }

    /// Adds the tooltip.
    pub(super) fn explain(&self, response: egui::Response) {
        if let Some(docs) = self.docs.as_ref().filter(|docs| !docs.is_empty()) {
            response.on_hover_text(docs);
        }
    }

    /// Records the widget's rectangle, adds the tooltip, and reports a change to the editor.
    pub(super) fn finish(&self, response: egui::Response, editor: &mut FieldEditor) {
        self.note("", &response);
        if response.changed() {
            editor.tell(self);
        }
        self.explain(response);
    }

    /// Records the rectangle of a part of the widget.
    pub(super) fn note(&self, part: &str, response: &egui::Response) {
        note(&format!("{}.{}{part}", self.owner, self.path), response);
    }
}
