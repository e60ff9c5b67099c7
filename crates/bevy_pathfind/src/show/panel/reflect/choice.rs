//! Widgets for enums: a list of the variants, and below it the fields of the chosen one.

use bevy::prelude::*;
use bevy::reflect::enums::{DynamicEnum, DynamicVariant, EnumInfo, VariantInfo};
use bevy::reflect::structs::DynamicStruct;
use bevy::reflect::tuple::DynamicTuple;
use bevy::reflect::{PartialReflect, ReflectRef, TypeInfo};
use bevy_egui::egui;

use super::hint::Hint;
use super::number::of_numbers;
use super::words::{label, tidy_docs};
use super::{FieldEditor, leaf, parts, parts_ui};
use crate::order::Algorithm;

/// The usual name of an algorithm: `"A*"` for [`Algorithm::AStar`].
///
/// `reflect_ui` shows these names in its list; for other enums it shows the names of the variants.
#[must_use]
pub const fn algorithm_label(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::Auto => "Automatic",
        Algorithm::AStar => "A*",
        Algorithm::Dijkstra => "Dijkstra",
        Algorithm::Greedy => "Greedy best-first",
        Algorithm::Jps => "Jump point search",
        Algorithm::WeightedAStar => "Weighted A*",
        Algorithm::Theta => "Theta*",
        Algorithm::LazyTheta => "Lazy Theta*",
        Algorithm::AnyAngle => "Any angle",
        Algorithm::Hierarchical => "Hierarchical",
        other => other.name(),
    }
}

pub(super) fn enum_ui(
    ui: &mut egui::Ui,
    value: &mut dyn PartialReflect,
    hint: &Hint,
    editor: &mut FieldEditor,
) {
    let (Some(TypeInfo::Enum(info)), ReflectRef::Enum(variant)) =
        (value.get_represented_type_info(), value.reflect_ref())
    else {
        return;
    };
    let mixed = editor.is_mixed(hint);
    let (current, name) = (variant.variant_index(), variant.variant_name());
    let (mut chosen, mut picked) = (current, false);
    let combo = egui::ComboBox::from_id_salt(&hint.path)
        .selected_text(if mixed { "mixed".into() } else { variant_label(info, name) })
        .height(list_height(ui))
        .width(ui.available_width().min(180.0) - 2.0 * ui.spacing().button_padding.x)
        .show_ui(ui, |ui| {
            for (index, variant) in info.iter().enumerate() {
                if index != current && start_of(variant).is_none() {
                    continue;
                }
                let response = ui.selectable_value(&mut chosen, index, variant_label(info, variant.name()));
                hint.note(&format!("={}", variant.name()), &response);
                picked |= response.clicked();
                if let Some(first) = variant.docs().and_then(|docs| docs.trim().split("\n\n").next()) {
                    response.on_hover_text(tidy_docs(first));
                }
            }
        });
    hint.note("", &combo.response);
    hint.explain(combo.response);
    if (chosen != current || mixed && picked)
        && let Some(variant) = info.variant_at(chosen)
        && let Some(start) = start_of(variant)
        && value.try_apply(&DynamicEnum::new_with_index(chosen, variant.name(), start)).is_ok()
    {
        editor.tell(hint);
    }
}

/// Draws the fields of an enum's variant, below the list of variants: beside it there is no room for a slider or for three
/// coordinates in a narrow panel.
pub(super) fn variant_ui(
    ui: &mut egui::Ui,
    value: &mut dyn PartialReflect,
    hint: &Hint,
    editor: &mut FieldEditor,
) {
    let is_enum = !leaf::is_leaf(value) && matches!(value.reflect_ref(), ReflectRef::Enum(_));
    if !is_enum || editor.is_mixed(hint) || parts(value).is_empty() {
        return;
    }
    // A slider and its number stand side by side.
    let mut parts = parts(value).into_iter();
    let is_one_row = parts.all(|part| part.name.is_none() && part.of(value).is_some_and(leaf::is_leaf));
    ui.indent(("variant", &hint.path), |ui| match is_one_row {
        true => _ = ui.horizontal(|ui| parts_ui(ui, value, hint, editor)),
        false => parts_ui(ui, value, hint, editor),
    });
}

/// The larger of the heights above and below the next widget: how tall a list can be without scrolling.
fn list_height(ui: &egui::Ui) -> f32 {
    let (screen, next) = (ui.ctx().content_rect(), ui.cursor().top());
    let below = screen.bottom() - next - ui.spacing().interact_size.y;
    (next - screen.top()).max(below).max(100.0) - 32.0
}

/// The label of a variant in a list.
pub(super) fn variant_label(info: &EnumInfo, name: &str) -> String {
    let known = info
        .is::<Algorithm>()
        .then(|| Algorithm::from_reflect(&DynamicEnum::new(name, DynamicVariant::Unit)))
        .flatten();
    known.map_or_else(|| label(name), |algorithm| algorithm_label(algorithm).to_owned())
}

/// The initial fields of a variant that the user picks; `None` if a field's type has no known initial value.
fn start_of(variant: &VariantInfo) -> Option<DynamicVariant> {
    match variant {
        VariantInfo::Unit(_) => Some(DynamicVariant::Unit),
        VariantInfo::Tuple(info) => {
            let mut tuple = DynamicTuple::default();
            for field in info.iter() {
                tuple.insert_boxed(zero(field.type_info()?)?);
            }
            Some(DynamicVariant::Tuple(tuple))
        }
        VariantInfo::Struct(info) => {
            let mut fields = DynamicStruct::default();
            for field in info.iter() {
                fields.insert_boxed(field.name(), zero(field.type_info()?)?);
            }
            Some(DynamicVariant::Struct(fields))
        }
    }
}

fn zero(info: &TypeInfo) -> Option<Box<dyn PartialReflect>> {
    macro_rules! zero_of {
        ($($one:ty),+) => {
            $(if info.is::<$one>() {
                return Some(Box::new(<$one>::default()));
            })+
        };
    }
    of_numbers!(zero_of, bool, String);
    let TypeInfo::Enum(info) = info else { return None };
    let (index, first) =
        info.iter().enumerate().find(|(_, variant)| matches!(variant, VariantInfo::Unit(_)))?;
    Some(Box::new(DynamicEnum::new_with_index(index, first.name(), DynamicVariant::Unit)))
}
