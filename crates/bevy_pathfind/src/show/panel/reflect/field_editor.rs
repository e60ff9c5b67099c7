//! `FieldEditor`: options of the widgets (reference, mixed values), and the paths of changed fields.

use std::collections::BTreeSet;

use bevy::prelude::*;
use bevy::reflect::{ParsedPath, PartialReflect, ReflectKind, ReflectPath};
use bevy_egui::egui;

use super::choice::variant_ui;
use super::hint::Hint;
use super::leaf::is_leaf;
use super::{note, parts, value_ui};
use crate::presets::{is_same, set_value};

/// Draws widgets for a reflected value that represents several values, or is compared with a reference.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_egui::egui;
/// # use bevy_pathfind::{prelude::*, show::panel::FieldEditor};
/// # let context = egui::Context::default();
/// # let mut output = context.run_ui(egui::RawInput::default(), |ui| {
/// let mut agent = Agent { speed: 9.0, ..default() };
/// let usual = Agent::default();
/// let mut editor = FieldEditor::default().beside(&usual, "the default");
/// editor.show(ui, &mut agent);
/// assert!(editor.changed().is_empty(), "the user has changed nothing");
/// # });
/// # output.textures_delta.clear();
/// ```
#[derive(Debug, Default)]
pub struct FieldEditor<'a> {
    reference: Option<(&'a dyn PartialReflect, &'a str)>,
    usual: Option<&'a dyn PartialReflect>,
    mixed: BTreeSet<String>,
    changed: Vec<String>,
    name: Option<&'a str>,
    /// The factor on the ranges of sliders for lengths; `None` for 1.
    pub(super) scale: Option<f64>,
}

impl<'a> FieldEditor<'a> {
    /// Marks fields that differ from a reference of the same type; `whose` is its name in the tooltip.
    #[must_use]
    pub fn beside(mut self, reference: &'a dyn PartialReflect, whose: &'a str) -> Self {
        self.reference = Some((reference, whose));
        self
    }

    /// Makes sliders logarithmic where the value in `usual`, of the same type, is in the lowest tenth of the range,
    /// so that steps near it are fine.
    #[must_use]
    pub fn around(mut self, usual: &'a dyn PartialReflect) -> Self {
        self.usual = Some(usual);
        self
    }

    /// Multiplies the ranges of sliders for lengths, speeds and the like: by the size of the cells, as the ranges are
    /// for cells of 1 world unit. A scale that is not positive and finite counts as 1.
    #[must_use]
    pub fn for_cells_of(mut self, size: f32) -> Self {
        self.scale = Some(f64::from(size)).filter(|size| *size > 0.0 && size.is_finite());
        self
    }

    /// Shows as mixed the fields that differ among several values of the same type.
    #[must_use]
    pub fn mixing<'v>(self, values: impl IntoIterator<Item = &'v dyn PartialReflect>) -> Self {
        self.mixed(mixed_places(values))
    }

    /// Shows as mixed the fields at these reflection paths.
    pub(in super::super) fn mixed(mut self, places: BTreeSet<String>) -> Self {
        self.mixed.extend(places);
        self
    }

    /// Sets the prefix of the widgets' names in [`widget_rects`](crate::show::panel::widget_rects). Default: the short name of
    /// the type.
    #[must_use]
    pub const fn named(mut self, name: &'a str) -> Self {
        self.name = Some(name);
        self
    }

    /// Draws the widgets.
    pub fn show(&mut self, ui: &mut egui::Ui, value: &mut dyn PartialReflect) {
        let type_name = value
            .get_represented_type_info()
            .map_or_else(|| "value".to_owned(), |info| info.type_path_table().short_path().to_owned());
        let owner = self.name.unwrap_or(&type_name).to_owned();
        ui.push_id(&owner, |ui| {
            let hint = Hint::root(&owner);
            value_ui(ui, value, &hint, self);
            variant_ui(ui, value, &hint, self);
        });
    }

    /// The reflection paths of changed fields, for Bevy's [`GetPath`].
    #[must_use]
    pub fn changed(&self) -> &[String] {
        &self.changed
    }

    pub(super) fn tell(&mut self, hint: &Hint) {
        self.changed.push(hint.place.clone());
    }

    pub(super) fn is_mixed(&self, hint: &Hint) -> bool {
        let inner =
            |place: &String| place.strip_prefix(&hint.place).is_some_and(|rest| rest.starts_with('.'));
        self.mixed.contains(&hint.place) || self.mixed.iter().any(inner)
    }

    /// The number in `usual` at the place of a hint.
    pub(super) fn usual_number(&self, hint: &Hint) -> Option<f64> {
        let usual = hint.place.as_str().reflect_element(self.usual?).ok()?;
        let number = usual.try_downcast_ref::<f32>().copied().map(f64::from);
        number.or_else(|| usual.try_downcast_ref::<f64>().copied())
    }

    /// A dot in front of a value that differs from the reference; a click on it restores the reference's value.
    pub(super) fn mark_ui(&mut self, ui: &mut egui::Ui, value: &mut dyn PartialReflect, hint: &Hint) {
        let Some((reference, whose)) = self.reference else { return };
        let size = egui::vec2(10.0, ui.spacing().interact_size.y);
        let usual = hint.place.as_str().reflect_element(reference).ok();
        let usual = usual.filter(|usual| !is_same(value, *usual));
        let Some(usual) = usual.filter(|_| !self.is_mixed(hint)) else {
            ui.allocate_exact_size(size, egui::Sense::hover());
            return;
        };
        let (rect, dot) = ui.allocate_exact_size(size, egui::Sense::click());
        dot.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, "put back"));
        let visuals = ui.visuals();
        let (radius, color) = if dot.hovered() || dot.has_focus() {
            (5.0, visuals.strong_text_color())
        } else {
            (3.5, visuals.warn_fg_color)
        };
        ui.painter().circle_filled(rect.center(), radius, color);
        note(&format!("{}.{}:reset", hint.owner, hint.path), &dot);
        if dot.clicked() && set_value(value, usual).is_ok() {
            self.changed.push(hint.place.clone());
        }
        dot.on_hover_text(format!("{whose} has {}; click to put that back", short(usual)));
    }
}

/// The reflection paths of leaves that differ among several values of the same type.
pub(in super::super) fn mixed_places<'v>(
    values: impl IntoIterator<Item = &'v dyn PartialReflect>,
) -> BTreeSet<String> {
    let mut values = values.into_iter();
    let Some(first) = values.next() else { return BTreeSet::new() };
    let mut places = Vec::new();
    leaves(first, "", &mut places);
    let parsed = |place: String| Some((ParsedPath::parse(&place).ok()?, place));
    let mut places: Vec<_> = places.into_iter().filter_map(parsed).collect();
    let mut mixed = BTreeSet::new();
    // Most agents of a crowd have equal values: compare whole values first.
    for other in values.filter(|&other| first.reflect_partial_eq(other) != Some(true)) {
        let differs = |(path, _): &mut (ParsedPath, String)| {
            let parts = (path.reflect_element(first), path.reflect_element(other));
            matches!(parts, (Ok(one), Ok(other)) if !is_same(one, other))
        };
        mixed.extend(places.extract_if(.., differs).map(|(_, place)| place));
    }
    mixed
}

/// A value as short text, for a tooltip.
fn short(value: &dyn PartialReflect) -> String {
    let text = format!("{value:?}");
    if text.chars().count() > 40 { "another value".into() } else { text }
}

/// Collects the reflection paths of all parts of a value that have a widget of their own.
fn leaves(value: &dyn PartialReflect, place: &str, found: &mut Vec<String>) {
    if is_leaf(value) || value.reflect_kind() == ReflectKind::Enum {
        found.push(place.to_owned());
        return;
    }
    for part in parts(value) {
        if let Some(inner) = part.of(value) {
            leaves(inner, &format!("{place}{}", part.place), found);
        }
    }
}
