//! Widgets for numbers: a slider for a field with a range, a draggable number for one without.

use core::ops::RangeInclusive;

use bevy::reflect::PartialReflect;
use bevy_egui::egui;
use bevy_egui::egui::emath::Numeric;

use super::FieldEditor;
use super::hint::Hint;
use crate::attributes::ZeroMeans;

/// A range whose end is at least this many times its start (or 1, if it starts at 0) is shown on a logarithmic
/// scale.
const DECADES: f64 = 1000.0;
/// A usual value below this fraction of its range makes the scale logarithmic.
const LOW: f64 = 0.1;
/// Width of the number beside a slider, in points.
const NUMBER_WIDTH: f32 = 92.0;

/// The longest pointer movement between press and release that is not a drag, in points: egui's limit for a click.
const TOUCH: f32 = 6.0;

/// Calls a macro with all number types, and the given types.
macro_rules! of_numbers {
    ($call:ident $(, $more:ty)*) => {
        $call!(f32, f64, i8, i16, i32, i64, u8, u16, u32, u64, usize, isize $(, $more)*)
    };
}

pub(super) use of_numbers;

/// Draws the widget of a number; returns `false` for any other value.
pub(super) fn number_ui(
    ui: &mut egui::Ui,
    value: &mut dyn PartialReflect,
    hint: &Hint,
    editor: &mut FieldEditor,
) -> bool {
    macro_rules! ui_of {
        ($($one:ty),+) => {
            $(if let Some(number) = value.try_downcast_mut::<$one>() {
                one_ui(ui, number, hint.get::<RangeInclusive<$one>>(), hint, editor);
                return true;
            })+
        };
    }
    of_numbers!(ui_of);
    false
}

fn one_ui<N: Numeric>(
    ui: &mut egui::Ui,
    number: &mut N,
    range: Option<&RangeInclusive<N>>,
    hint: &Hint,
    editor: &mut FieldEditor,
) {
    let mixed = editor.is_mixed(hint);
    let Some(range) = range else {
        let speed = (number.to_f64().abs() * 0.01).max(if N::INTEGRAL { 0.1 } else { 0.01 });
        let response = ui.add(digits(number, hint, mixed).speed(speed));
        hint.finish(response, editor);
        return;
    };
    let rail = ui.available_width() - NUMBER_WIDTH - ui.spacing().item_spacing.x;
    ui.spacing_mut().slider_width = rail.max(40.0);
    ui.spacing_mut().interact_size.x = NUMBER_WIDTH;
    let is_low = editor.usual_number(hint).is_some_and(|usual| lies_low(range, usual));
    let logarithmic = is_low || spans_decades(range);
    let scale = editor.scale.filter(|_| hint.is_length()).unwrap_or(1.0);
    let (start, end) = (range.start().to_f64() * scale, range.end().to_f64() * scale);
    let span = (end - start).abs();
    let least = if is_low { 1.0 / DECADES } else { 1e-5 };
    let (before, is_touch) = (number.to_f64(), ui.input(|input| is_touch(&input.pointer)));
    let slider = egui::Slider::from_get_set(start..=end, |moved| {
        if let Some(moved) = moved.filter(|&moved| is_moved((start, end), before, moved, is_touch)) {
            *number = N::from_f64(moved);
        }
        number.to_f64()
    });
    let slider = if N::INTEGRAL { slider.integer() } else { slider };
    let slider = slider
        .show_value(false)
        .logarithmic(logarithmic)
        .smallest_positive(if N::INTEGRAL { 1.0 } else { span * least })
        .clamping(egui::SliderClamping::Edits);
    let slider = ui.add(slider);
    hint.note(":rail", &slider);
    let speed = (span * 0.002).max(if N::INTEGRAL { 0.05 } else { 0.0 });
    // The number gets the focus one frame after the double click, because in the frame of a click elsewhere egui
    // takes the focus away; and before it is drawn, because it selects its text only when it gains the focus.
    let id = ui.next_auto_id();
    if ui.data_mut(|data| data.remove_temp::<()>(id)).is_some() {
        ui.memory_mut(|memory| memory.request_focus(id));
    }
    let twice = ui.input(|input| input.pointer.button_double_clicked(egui::PointerButton::Primary));
    if twice && slider.contains_pointer() {
        ui.data_mut(|data| data.insert_temp(id, ()));
        ui.ctx().request_repaint();
    }
    let typed = digits(number, hint, mixed).speed(speed);
    let typed = ui.add(if N::INTEGRAL { typed } else { typed.max_decimals(4) });
    hint.note(":number", &typed);
    hint.finish(slider | typed, editor);
}

/// Whether the pointer is pressed without having moved beyond [`TOUCH`], or was released in this frame.
fn is_touch(pointer: &egui::PointerState) -> bool {
    let has_moved = pointer.total_drag_delta().is_some_and(|drag| drag.length() > TOUCH);
    pointer.any_released() || (pointer.any_down() && !has_moved)
}

/// Whether a slider movement from `before` to `moved` changes the value.
///
/// The handle of a value outside the range, which was typed or set by code, is at an end of the rail. Such a value
/// stays unchanged until the handle is dragged from that end into the range: a press on the rail changes nothing,
/// nor does a drag beyond the end.
fn is_moved((start, end): (f64, f64), before: f64, moved: f64, is_touch: bool) -> bool {
    if (start..=end).contains(&before) {
        return true;
    }
    let is_beyond = (before > end && moved >= end) || (before < start && moved <= start);
    !is_touch && !is_beyond
}

/// A draggable number with its unit; a word instead of a mixed value, infinity, or a 0 that has a word.
fn digits<'a, N: Numeric>(number: &'a mut N, hint: &Hint, mixed: bool) -> egui::DragValue<'a> {
    let value = number.to_f64();
    let digits = egui::DragValue::new(number);
    let word = match hint.get() {
        _ if mixed => Some("mixed"),
        _ if value == f64::INFINITY => Some("unlimited"),
        Some(ZeroMeans(word)) if value == 0.0 => Some(*word),
        _ => None,
    };
    match word {
        None if N::INTEGRAL => digits.suffix(hint.suffix()),
        None => digits.suffix(hint.suffix()).custom_formatter(|value, _| brief(value)),
        Some(word) => {
            digits.custom_formatter(|_, _| word.to_owned()).custom_parser(|text| text.trim().parse().ok())
        }
    }
}

/// A number with about three significant digits, without zeros at the end.
fn brief(value: f64) -> String {
    let decimals = match value.abs() {
        100.0.. => 0,
        10.0.. => 1,
        1.0.. => 2,
        0.1.. => 3,
        _ => 4,
    };
    let text = format!("{value:.decimals$}");
    let text = if decimals > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text.is_empty() || text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Whether a range spans so many decades that it is shown on a logarithmic scale.
fn spans_decades<N: Numeric>(range: &RangeInclusive<N>) -> bool {
    let (start, end) = (range.start().to_f64(), range.end().to_f64());
    start >= 0.0 && end / if start > 0.0 { start } else { 1.0 } >= DECADES
}

/// Whether a usual value is so low in its range that a linear scale would leave it a few pixels.
fn lies_low<N: Numeric>(range: &RangeInclusive<N>, usual: f64) -> bool {
    range.start().to_f64() == 0.0 && usual > 0.0 && usual < range.end().to_f64() * LOW
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_usual_value_near_the_start_makes_the_scale_logarithmic() {
        assert!(lies_low(&(0.0..=60.0_f32), 2.5), "2.5 of 60 would have a few pixels");
        assert!(!lies_low(&(0.0..=60.0_f32), 20.0) && !lies_low(&(0.0..=60.0_f32), 0.0));
        assert!(!lies_low(&(-60.0..=60.0_f32), 2.5), "a scale with both signs stays even");
    }

    #[test]
    fn numbers_have_about_three_digits() {
        let cases = [
            (7.4567, "7.46"),
            (10.0, "10"),
            (0.4, "0.4"),
            (1.0, "1"),
            (0.001, "0.001"),
            (0.0, "0"),
            (-0.5, "-0.5"),
        ];
        assert!(cases.iter().all(|&(value, text)| brief(value) == text));
        assert_eq!(
            (brief(1234.5).as_str(), brief(54.26).as_str()),
            ("1234", "54.3"),
            "whole hundreds, a tenth of tens"
        );
    }

    #[test]
    fn only_a_drag_into_the_range_moves_a_value_from_outside() {
        let range = (0.0, 50.0);
        assert!(is_moved(range, 20.0, 30.0, true), "inside the range a click is enough");
        for (outside, end, inside) in [(100.0, 50.0, 49.0), (-3.0, 0.0, 1.0), (f64::INFINITY, 50.0, 20.0)] {
            assert!(!is_moved(range, outside, inside, true), "a click leaves {outside} alone");
            assert!(!is_moved(range, outside, end, false), "so does a drag that stays at the end");
            assert!(is_moved(range, outside, inside, false), "a drag into the range counts");
        }
    }

    #[test]
    fn ranges_over_decades_are_logarithmic() {
        assert!(spans_decades(&(1..=200_000_u32)) && spans_decades(&(0..=1_000_000_u32)));
        assert!(spans_decades(&(0.001..=10.0_f32)));
        assert!(!spans_decades(&(0.0..=50.0_f32)) && !spans_decades(&(1.0..=9.0_f32)));
        assert!(!spans_decades(&(-5_000.0..=5_000.0_f32)), "a scale with both signs stays even");
    }
}
