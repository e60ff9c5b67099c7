//! `Hint`: path, documentation, unit and attributes of the field whose widget is drawn.

use bevy::prelude::*;
use bevy::reflect::ReflectKind;
use bevy::reflect::attributes::CustomAttributes;
use bevy_egui::egui;

use super::part::Part;
use super::words::{short_unit, tidy_docs};
use super::{FieldEditor, note};
use crate::attributes::MeasuredIn;

/// Metadata of the field whose widget is drawn.
pub(super) struct Hint<'a> {
    pub(super) owner: &'a str,
    /// The path in names of [`widget_rects`](crate::show::panel::widget_rects), without the indices of tuple structs.
    pub(super) path: String,
    /// The reflection path.
    pub(super) place: String,
    docs: Option<&'static str>,
    pub(super) attributes: Option<&'static CustomAttributes>,
}

impl<'a> Hint<'a> {
    pub(super) const fn root(owner: &'a str) -> Self {
        Self { owner, path: String::new(), place: String::new(), docs: None, attributes: None }
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
            docs: part.docs.or_else(|| heir?.docs),
            attributes: part.attributes.filter(|own| !own.is_empty()).or_else(|| heir?.attributes),
        }
    }

    /// The attribute of a type.
    pub(super) fn get<T: Reflect>(&self) -> Option<&'static T> {
        self.attributes?.get()
    }

    /// The unit as a suffix of a number.
    pub(super) fn suffix(&self) -> String {
        self.get().map_or_else(String::new, |MeasuredIn(unit)| format!(" {}", short_unit(unit)))
    }

    /// Whether the number is a length, or a length by a time: its unit begins with world units.
    pub(super) fn is_length(&self) -> bool {
        self.get().is_some_and(|MeasuredIn(unit)| unit.starts_with("world unit"))
    }

    /// Adds the tooltip.
    pub(super) fn explain(&self, response: egui::Response) {
        if let Some(docs) = self.docs {
            response.on_hover_text(tidy_docs(docs));
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
