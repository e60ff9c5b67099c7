//! Sliders for every parameter, made from reflection.
//!
//! [`reflect_ui`] draws any reflected value with egui: a slider where a field carries a range attribute
//! (`#[reflect(@0.0..=10.0_f32)]`), a drag value where it does not, a checkbox for a `bool`, a list for an
//! enum. The field's doc comment is its tooltip, so that the panel, the documentation and the code cannot
//! drift apart.
//!
//! What this module does not do: it draws no window, reads no world and keeps no state of its own. It can
//! be tested, and is, without Bevy's renderer.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_egui::egui;
//! # use bevy_pathfind::prelude::*;
//! #[derive(Reflect)]
//! struct Settings {
//!     /// How fast it goes, in world units per second.
//!     #[reflect(@0.0..=10.0_f32)]
//!     speed: f32,
//! }
//!
//! # let context = egui::Context::default();
//! let mut settings = Settings { speed: 5.0 };
//! let output = context.run_ui(egui::RawInput::default(), |ui| {
//!     let changed = reflect_ui(ui, &mut settings);
//!     assert!(!changed, "nobody has touched the slider");
//! });
//! # drop(output);
//! ```

use std::{collections::BTreeMap, ops::RangeInclusive};

use bevy::{
    prelude::*,
    reflect::{
        PartialReflect, ReflectMut, TypeInfo,
        attributes::CustomAttributes,
        enums::{DynamicEnum, DynamicVariant, Enum, EnumInfo, VariantInfo},
        structs::{DynamicStruct, Struct},
        tuple::DynamicTuple,
    },
};
use bevy_egui::egui;

use crate::request::Algorithm;

/// Draws widgets for `value` and everything in it, and says whether the user changed something.
///
/// A number outside its range is shown as it is and clamped only when the user moves the slider. Fields of
/// types that no widget fits (handles, maps, …) are left out. To keep Bevy's change detection meaningful,
/// pass a copy and write it back only when the answer is `true`.
pub fn reflect_ui(ui: &mut egui::Ui, value: &mut dyn PartialReflect) -> bool {
    let owner = short_path(value);
    let mut changed = false;
    ui.push_id(&owner, |ui| changed = value_ui(ui, value, &Hint::root(&owner)));
    changed
}

/// The name that people know an algorithm by: `"A*"` for [`Algorithm::AStar`].
///
/// [`reflect_ui`] shows these in its list; every other enum shows the names of its variants.
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
    }
}

/// Where the widgets of [`reflect_ui`] are, for guided tours and for tests that click.
///
/// The keys are the short name of the type and the path of the field: `"Agent.speed"`,
/// `"Settings.target.x"`. While the list of an enum is open, `"Settings.mode=Variant"` is a line of it.
/// What is scrolled out of sight, or half out of it, cannot be clicked and is left out.
pub fn widget_rects(ctx: &egui::Context) -> BTreeMap<String, egui::Rect> {
    let now = ctx.cumulative_pass_nr();
    let drawn: Drawn = ctx.data(|data| data.get_temp(drawn_id())).unwrap_or_default();
    drawn.into_iter().filter(|(_, (pass, _))| pass + 1 >= now).map(|(name, (_, rect))| (name, rect)).collect()
}

/// By name: the pass in which a widget was drawn last, and where.
type Drawn = BTreeMap<String, (u64, egui::Rect)>;

fn drawn_id() -> egui::Id {
    egui::Id::new("bevy_pathfind::reflect_ui")
}

/// What is known about the place of a value: the range and the doc comment of its field.
struct Hint<'a> {
    owner: &'a str,
    path: String,
    docs: Option<String>,
    attributes: Option<&'static CustomAttributes>,
}

impl<'a> Hint<'a> {
    fn root(owner: &'a str) -> Self {
        Self { owner, path: String::new(), docs: None, attributes: None }
    }

    fn field(
        &self,
        name: &str,
        docs: Option<&str>,
        attributes: Option<&'static CustomAttributes>,
    ) -> Hint<'a> {
        let path = if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) };
        Hint { owner: self.owner, path, docs: docs.map(tidy_docs), attributes }
    }

    fn range<T: Reflect + Clone>(&self) -> Option<RangeInclusive<T>>
    where
        RangeInclusive<T>: Reflect,
    {
        self.attributes?.get::<RangeInclusive<T>>().cloned()
    }

    /// Keeps where the widget is, adds the tooltip, and passes on whether the value changed.
    fn note(&self, response: egui::Response) -> bool {
        self.note_at("", &response);
        let changed = response.changed();
        if let Some(docs) = self.docs.as_ref().filter(|docs| !docs.is_empty()) {
            response.on_hover_text(docs);
        }
        changed
    }

    fn note_at(&self, suffix: &str, response: &egui::Response) {
        let (ctx, rect) = (&response.ctx, response.rect);
        if response.interact_rect.height() < rect.height() - 1.0 {
            return;
        }
        let (name, pass) = (format!("{}.{}{suffix}", self.owner, self.path), ctx.cumulative_pass_nr());
        ctx.data_mut(|data| data.get_temp_mut_or_default::<Drawn>(drawn_id()).insert(name, (pass, rect)));
    }
}

fn value_ui(ui: &mut egui::Ui, value: &mut dyn PartialReflect, hint: &Hint) -> bool {
    if let Some(changed) = leaf_ui(ui, value, hint) {
        return changed;
    }
    match value.reflect_mut() {
        ReflectMut::Struct(value) => struct_ui(ui, value, hint),
        ReflectMut::Enum(value) => enum_ui(ui, value, hint),
        ReflectMut::TupleStruct(value) => {
            let mut changed = false;
            for index in 0..value.field_len() {
                let info = value.get_represented_tuple_struct_info().and_then(|info| info.field_at(index));
                let attributes = info.map(|field| field.custom_attributes()).or(hint.attributes);
                let docs = info.and_then(|field| field.docs()).map(tidy_docs).or(hint.docs.clone());
                let hint = Hint { owner: hint.owner, path: hint.path.clone(), docs, attributes };
                if let Some(field) = value.field_mut(index) {
                    changed |= value_ui(ui, field, &hint);
                }
            }
            changed
        }
        _ => false,
    }
}

fn struct_ui(ui: &mut egui::Ui, value: &mut dyn Struct, hint: &Hint) -> bool {
    let info = value.get_represented_struct_info();
    let mut changed = false;
    for index in 0..value.field_len() {
        let Some(name) = value.name_at(index).map(str::to_owned) else { continue };
        let field_info = info.and_then(|info| info.field_at(index));
        let hint = hint.field(
            &name,
            field_info.and_then(|field| field.docs()),
            field_info.map(|field| field.custom_attributes()),
        );
        if let Some(field) = value.field_at_mut(index) {
            changed |= row(ui, &label(&name), field, &hint);
        }
    }
    changed
}

/// One line: the label, and the widget on its right; a value with fields of its own goes below its label.
fn row(ui: &mut egui::Ui, label: &str, value: &mut dyn PartialReflect, hint: &Hint) -> bool {
    if !is_shown(value) {
        return false;
    }
    let tooltip = hint.docs.clone().unwrap_or_default();
    let with_tooltip = |response: egui::Response| {
        if !tooltip.is_empty() {
            response.on_hover_text(&tooltip);
        }
    };
    if has_rows(value) {
        with_tooltip(ui.strong(label));
        return ui.indent(&hint.path, |ui| value_ui(ui, value, hint)).inner;
    }
    ui.push_id(&hint.path, |ui| {
        ui.horizontal(|ui| {
            let width = (ui.available_width() * LABEL_SHARE).max(LABEL_MIN);
            let size = egui::vec2(width, ui.spacing().interact_size.y);
            let left = egui::Layout::left_to_right(egui::Align::Center);
            ui.allocate_ui_with_layout(size, left, |ui| {
                ui.set_min_width(width);
                with_tooltip(ui.add(egui::Label::new(label).truncate().selectable(false)));
            });
            value_ui(ui, value, hint)
        })
        .inner
    })
    .inner
}

const LABEL_SHARE: f32 = 0.38;
const LABEL_MIN: f32 = 70.0;

fn is_shown(value: &dyn PartialReflect) -> bool {
    use bevy::reflect::ReflectRef::{Enum, Opaque, Struct, TupleStruct};
    match value.reflect_ref() {
        Struct(_) | Enum(_) => true,
        TupleStruct(value) => value.iter_fields().any(is_shown),
        Opaque(value) => is_leaf(value),
        _ => false,
    }
}

fn has_rows(value: &dyn PartialReflect) -> bool {
    use bevy::reflect::ReflectRef::{Struct, TupleStruct};
    match value.reflect_ref() {
        Struct(_) => true,
        TupleStruct(value) => value.field_len() == 1 && value.field(0).is_some_and(has_rows),
        _ => false,
    }
}

/// Runs `$body` with `$number` bound to the value as the first of the number types that it is.
macro_rules! for_number {
    ($value:expr, |$number:ident: $type:ident| $body:expr; $($one:ty),+) => {
        $(if let Some($number) = $value.try_downcast_mut::<$one>() {
            type $type = $one;
            return Some($body);
        })+
    };
}

fn leaf_ui(ui: &mut egui::Ui, value: &mut dyn PartialReflect, hint: &Hint) -> Option<bool> {
    for_number!(value, |number: Number| hint.note(match hint.range::<Number>() {
        Some(range) => {
            fit_slider(ui);
            ui.add(egui::Slider::new(number, range).clamping(egui::SliderClamping::Edits))
        }
        None => {
            let speed = drag_speed(egui::emath::Numeric::to_f64(*number));
            ui.add(egui::DragValue::new(number).speed(speed))
        }
    }); f32, f64, i8, i16, i32, i64, u8, u16, u32, u64, usize, isize);
    if let Some(flag) = value.try_downcast_mut::<bool>() {
        return Some(hint.note(ui.checkbox(flag, "")));
    }
    if let Some(text) = value.try_downcast_mut::<String>() {
        return Some(hint.note(ui.text_edit_singleline(text)));
    }
    None
}

fn is_leaf(value: &dyn PartialReflect) -> bool {
    macro_rules! any_of {
        ($($one:ty),+) => { false $(|| value.try_downcast_ref::<$one>().is_some())+ };
    }
    any_of!(f32, f64, i8, i16, i32, i64, u8, u16, u32, u64, usize, isize, bool, String)
}

/// The rail takes what the label and the number leave free.
fn fit_slider(ui: &mut egui::Ui) {
    let number = ui.spacing().interact_size.x + 2.0 * ui.spacing().item_spacing.x;
    ui.spacing_mut().slider_width = (ui.available_width() - number).max(40.0);
}

fn drag_speed(value: f64) -> f64 {
    (value.abs() * 0.01).max(0.01)
}

fn enum_ui(ui: &mut egui::Ui, value: &mut dyn Enum, hint: &Hint) -> bool {
    let Some(info) = value.get_represented_enum_info() else { return false };
    let current = value.variant_index();
    let mut chosen = current;
    let combo = egui::ComboBox::from_id_salt(&hint.path)
        .selected_text(variant_label(info, value.variant_name()))
        .height(list_height(ui))
        .width(ui.available_width().min(180.0) - 2.0 * ui.spacing().button_padding.x)
        .show_ui(ui, |ui| {
            for (index, variant) in info.iter().enumerate() {
                if index != current && start_of(variant).is_none() {
                    continue;
                }
                let response = ui.selectable_value(&mut chosen, index, variant_label(info, variant.name()));
                hint.note_at(&format!("={}", variant.name()), &response);
                if let Some(docs) = variant_docs(variant) {
                    response.on_hover_text(docs);
                }
            }
        });
    hint.note(combo.response);
    let mut changed = false;
    if chosen != current
        && let Some(variant) = info.variant_at(chosen)
        && let Some(start) = start_of(variant)
    {
        changed = value.try_apply(&DynamicEnum::new_with_index(chosen, variant.name(), start)).is_ok();
    }
    changed | variant_fields_ui(ui, value, hint)
}

/// The room above or below the next widget, whichever is more: what a list can take without scrolling.
fn list_height(ui: &egui::Ui) -> f32 {
    let (screen, next) = (ui.ctx().content_rect(), ui.cursor().top());
    let below = screen.bottom() - next - ui.spacing().interact_size.y;
    (next - screen.top()).max(below).max(100.0) - 32.0
}

/// How a variant is named in a list.
fn variant_label(info: &EnumInfo, name: &str) -> String {
    let known = info
        .is::<Algorithm>()
        .then(|| Algorithm::from_reflect(&DynamicEnum::new(name, DynamicVariant::Unit)))
        .flatten();
    known.map_or_else(|| label(name), |algorithm| algorithm_label(algorithm).to_owned())
}

fn variant_fields_ui(ui: &mut egui::Ui, value: &mut dyn Enum, hint: &Hint) -> bool {
    let variant = value.get_represented_enum_info().and_then(|info| info.variant_at(value.variant_index()));
    let mut changed = false;
    for index in 0..value.field_len() {
        let name = value.name_at(index).map_or_else(|| index.to_string(), str::to_owned);
        let field_hint = match variant {
            Some(VariantInfo::Struct(info)) => {
                let field = info.field_at(index);
                hint.field(
                    &name,
                    field.and_then(|field| field.docs()),
                    field.map(|field| field.custom_attributes()),
                )
            }
            Some(VariantInfo::Tuple(info)) => {
                let field = info.field_at(index);
                let own = field.map(|field| field.custom_attributes()).filter(|own| !own.is_empty());
                hint.field(&name, hint.docs.as_deref(), own.or(hint.attributes))
            }
            _ => hint.field(&name, None, None),
        };
        let is_named = value.name_at(index).is_some();
        if let Some(field) = value.field_at_mut(index) {
            changed |= if is_named {
                row(ui, &label(&name), field, &field_hint)
            } else {
                value_ui(ui, field, &field_hint)
            };
        }
    }
    changed
}

/// The fields that a variant starts with when the user picks it, or `None` if no start is known.
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
    zero_of!(f32, f64, i8, i16, i32, i64, u8, u16, u32, u64, usize, isize, bool, String);
    let TypeInfo::Enum(info) = info else { return None };
    let (index, first) =
        info.iter().enumerate().find(|(_, variant)| matches!(variant, VariantInfo::Unit(_)))?;
    Some(Box::new(DynamicEnum::new_with_index(index, first.name(), DynamicVariant::Unit)))
}

fn variant_docs(variant: &VariantInfo) -> Option<String> {
    let docs = match variant {
        VariantInfo::Unit(info) => info.docs(),
        VariantInfo::Tuple(info) => info.docs(),
        VariantInfo::Struct(info) => info.docs(),
    };
    docs.map(tidy_docs)
}

fn short_path(value: &dyn PartialReflect) -> String {
    value
        .get_represented_type_info()
        .map_or_else(|| "value".to_owned(), |info| info.type_path_table().short_path().to_owned())
}

/// `turn_rate` → `Turn rate`, `OneFree` → `One free`.
fn label(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 4);
    let mut after_lower = false;
    for (index, letter) in name.chars().enumerate() {
        match letter {
            '_' => text.push(' '),
            _ if index == 0 => text.extend(letter.to_uppercase()),
            _ if letter.is_uppercase() && after_lower => {
                text.push(' ');
                text.extend(letter.to_lowercase());
            }
            _ => text.push(letter),
        }
        after_lower = letter.is_lowercase();
    }
    text
}

/// A doc comment as it reads in a tooltip: lines joined, paragraphs kept, no link brackets or backticks.
fn tidy_docs(docs: &str) -> String {
    let mut text = String::new();
    for line in docs.lines().map(str::trim) {
        let at_start = text.is_empty() || text.ends_with('\n');
        match line {
            "" if at_start => {}
            "" => text.push_str("\n\n"),
            _ => {
                if !at_start {
                    text.push(' ');
                }
                text.extend(line.chars().filter(|letter| !matches!(letter, '`' | '[' | ']')));
            }
        }
    }
    text.truncate(text.trim_end().len());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Reflect, Clone, PartialEq, Debug)]
    struct Boat {
        /// Speed through the water,
        /// in knots. See [`Boat`].
        #[reflect(@0.0..=10.0_f32)]
        speed: f32,
        #[reflect(@1..=9_u32)]
        crew: u32,
        depth: f64,
        has_sail: bool,
        rig: Rig,
        buoy: Option<u32>,
        mooring: Vec2,
        #[reflect(ignore)]
        hidden: u8,
    }

    #[derive(Reflect, Clone, Copy, PartialEq, Debug)]
    enum Rig {
        /// One mast.
        Sloop,
        TallShip,
    }

    fn boat() -> Boat {
        Boat {
            speed: 5.0,
            crew: 2,
            depth: 1.0,
            has_sail: false,
            rig: Rig::Sloop,
            buoy: None,
            mooring: Vec2::ZERO,
            hidden: 0,
        }
    }

    /// A screen, a boat and a pointer.
    struct Bench {
        ctx: egui::Context,
        boat: Boat,
    }

    impl Bench {
        fn new() -> Self {
            let mut bench = Self { ctx: egui::Context::default(), boat: boat() };
            // The second pass knows the sizes that the first has measured.
            bench.frame(vec![]);
            bench.frame(vec![]);
            bench
        }

        fn frame(&mut self, events: Vec<egui::Event>) -> bool {
            let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(400.0, 600.0));
            let input = egui::RawInput { screen_rect: Some(screen), events, ..Default::default() };
            let mut changed = false;
            let mut output = self.ctx.run_ui(input, |ui| changed = reflect_ui(ui, &mut self.boat));
            output.textures_delta.clear();
            changed
        }

        fn rect(&self, field: &str) -> egui::Rect {
            self.find(field).unwrap_or_else(|| panic!("{field} is drawn"))
        }

        fn find(&self, field: &str) -> Option<egui::Rect> {
            widget_rects(&self.ctx).get(&format!("Boat.{field}")).copied()
        }

        fn button(&mut self, pos: egui::Pos2, pressed: bool) -> bool {
            let button = egui::PointerButton::Primary;
            let modifiers = egui::Modifiers::default();
            self.frame(vec![egui::Event::PointerButton { pos, button, pressed, modifiers }])
        }

        fn click(&mut self, pos: egui::Pos2) -> bool {
            let mut changed = self.frame(vec![egui::Event::PointerMoved(pos)]);
            changed |= self.button(pos, true);
            changed | self.button(pos, false)
        }

        fn drag(&mut self, from: egui::Pos2, to: egui::Pos2) -> bool {
            let mut changed = self.frame(vec![egui::Event::PointerMoved(from)]);
            changed |= self.button(from, true);
            changed |= self.frame(vec![egui::Event::PointerMoved(from.lerp(to, 0.5))]);
            changed |= self.frame(vec![egui::Event::PointerMoved(to)]);
            changed | self.button(to, false)
        }
    }

    #[test]
    fn nothing_changes_untouched() {
        let mut bench = Bench::new();
        bench.boat.speed = 99.0;
        assert!(!bench.frame(vec![]), "no input, no change");
        assert_eq!(bench.boat, Boat { speed: 99.0, ..boat() }, "a value outside its range is left alone");
    }

    #[test]
    fn a_slider_follows_the_pointer_and_stays_in_range() {
        let mut bench = Bench::new();
        let rail = bench.rect("speed");
        let (start, y) = (rail.left() + 60.0, rail.center().y);
        assert!(bench.drag(egui::pos2(start, y), egui::pos2(start + 20.0, y)));
        let (low, y) = (bench.boat.speed, y);
        assert!(bench.drag(egui::pos2(start, y), egui::pos2(start + 60.0, y)));
        assert!(bench.boat.speed > low, "further right is faster: {low} -> {}", bench.boat.speed);
        bench.drag(egui::pos2(start, y), egui::pos2(2_000.0, y));
        assert_eq!(bench.boat.speed, 10.0, "the end of the rail is the end of the range");
        assert_eq!(bench.boat, Boat { speed: 10.0, ..boat() }, "no other field moved");
    }

    #[test]
    fn whole_numbers_stay_whole() {
        let mut bench = Bench::new();
        let rail = bench.rect("crew");
        bench.drag(rail.left_center() + egui::vec2(10.0, 0.0), egui::pos2(2_000.0, rail.center().y));
        assert_eq!(bench.boat.crew, 9);
    }

    #[test]
    fn a_checkbox_toggles() {
        let mut bench = Bench::new();
        let at = bench.rect("has_sail").center();
        assert!(bench.click(at));
        assert!(bench.boat.has_sail);
        assert!(bench.click(at));
        assert!(!bench.boat.has_sail);
    }

    #[test]
    fn a_number_without_a_range_is_dragged() {
        let mut bench = Bench::new();
        let at = bench.rect("depth").center();
        bench.drag(at, at + egui::vec2(50.0, 0.0));
        assert!(bench.boat.depth > 1.0, "dragged to {}", bench.boat.depth);
    }

    #[test]
    fn a_list_picks_a_variant() {
        let mut bench = Bench::new();
        bench.click(bench.rect("rig").center());
        bench.frame(vec![]);
        let line = bench.rect("rig=TallShip").center();
        assert!(bench.click(line));
        assert_eq!(bench.boat.rig, Rig::TallShip);
    }

    #[test]
    fn an_option_can_be_filled() {
        let mut bench = Bench::new();
        bench.click(bench.rect("buoy").center());
        bench.frame(vec![]);
        let line = bench.rect("buoy=Some").center();
        assert!(bench.click(line));
        assert_eq!(bench.boat.buoy, Some(0));
        bench.frame(vec![]);
        assert!(bench.find("buoy.0").is_some(), "its number has a widget now");
    }

    #[test]
    fn nested_fields_are_drawn_and_ignored_ones_are_not() {
        let bench = Bench::new();
        assert!(bench.find("mooring.x").is_some());
        assert!(bench.find("hidden").is_none());
    }

    #[test]
    fn algorithms_go_by_the_names_that_people_know() {
        let info = <Algorithm as bevy::reflect::Typed>::type_info().as_enum().unwrap();
        let names: Vec<_> = info.variant_names().iter().map(|name| variant_label(info, name)).collect();
        let known: Vec<_> = Algorithm::ALL.iter().map(|&one| algorithm_label(one)).collect();
        assert_eq!(names, known, "each variant's name is its algorithm's");
        assert!(names.contains(&"A*".to_owned()) && names.contains(&"Lazy Theta*".to_owned()));
    }

    #[test]
    fn names_and_docs_read_as_text() {
        assert_eq!(label("turn_rate"), "Turn rate");
        assert_eq!(label("OneFree"), "One free");
        assert_eq!(label("AStar"), "AStar");
        assert_eq!(
            tidy_docs(" Speed of [`Boat`],\n in knots.\n\n Range: 0.\n"),
            "Speed of Boat, in knots.\n\nRange: 0."
        );
        let info = <Boat as bevy::reflect::Typed>::type_info().as_struct().unwrap();
        let docs = info.field("speed").unwrap().docs().map(tidy_docs);
        assert_eq!(docs.as_deref(), Some("Speed through the water, in knots. See Boat."));
    }
}
