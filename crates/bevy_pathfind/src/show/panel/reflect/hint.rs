//! `Hint`: path, documentation, unit and attributes of the field whose widget is drawn.

use core::ops::RangeInclusive;

use bevy::prelude::*;
use bevy::reflect::ReflectKind;
use bevy::reflect::attributes::CustomAttributes;
use bevy_egui::egui;

use super::part::Part;
use super::words::{short_unit, tidy_docs};
use super::{FieldEditor, note};
use crate::presets::unit_of;

/// Metadata of the field whose widget is drawn.
pub(super) struct Hint<'a> {
    pub(super) owner: &'a str,
    /// The path in names of [`widget_rects`](crate::show::panel::widget_rects), without the indices of tuple structs.
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

    /// The hint of a part of a value of some kind. A part without a name inherits what it does not have.
    pub(super) fn inner(&self, part: &Part, kind: ReflectKind) -> Hint<'a> {
        let heir = part.name.is_none().then_some(self);
        let step = part.place.trim_matches(['.', '[', ']']);
        Hint {
            owner: self.owner,
            path: match kind {
                ReflectKind::TupleStruct => self.path.clone(),
                _ if self.path.is_empty() => step.to_owned(),
                _ => format!("{}.{step}", self.path),
            },
            place: format!("{}{}", self.place, part.place),
            docs: part.docs.map(tidy_docs).or_else(|| heir?.docs.clone()),
            unit: part.docs.and_then(unit_of).map(|unit| short_unit(&unit)).or_else(|| heir?.unit.clone()),
            attributes: part.attributes.filter(|own| !own.is_empty()).or_else(|| heir?.attributes),
        }
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
