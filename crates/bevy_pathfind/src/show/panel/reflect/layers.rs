//! The widget of a layer mask: a toggle for each layer.

use bevy_egui::egui;
use bevy_egui::egui::containers::menu::{MenuButton, MenuConfig};

use super::FieldEditor;
use super::hint::Hint;

/// Toggles per row.
const COLUMNS: u32 = 8;
/// Width of a toggle, and of the gap between two, in points.
const WIDTH: f32 = 26.0;
const GAP: f32 = 4.0;
/// Up to this many layers are listed by number; more are counted.
const NAMED: u32 = 4;

/// Draws a button with the layers of a mask as text; it opens a popup with toggles.
pub(super) fn layers_ui(ui: &mut egui::Ui, mask: &mut u32, hint: &Hint, editor: &mut FieldEditor) {
    let before = *mask;
    let said = if editor.is_mixed(hint) { "mixed".to_owned() } else { in_words(*mask) };
    let stays_open = MenuConfig::new().close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside);
    let (mut button, _) = MenuButton::new(said).config(stays_open).ui(ui, |ui| {
        ui.horizontal(|ui| {
            for (name, layers) in [("all", u32::MAX), ("none", 0)] {
                let response = ui.button(name);
                hint.note(&format!("={name}"), &response);
                if response.clicked() {
                    *mask = layers;
                }
            }
        });
        egui::Grid::new("layers").min_col_width(0.0).spacing(egui::Vec2::splat(GAP)).show(ui, |ui| {
            for layer in 0..u32::BITS {
                let switch = egui::Button::selectable(holds(*mask, layer), layer.to_string());
                let response = ui.add(switch.min_size(egui::vec2(WIDTH, 0.0)));
                hint.note(&format!("={layer}"), &response);
                if response.clicked() {
                    *mask ^= 1 << layer;
                }
                if layer % COLUMNS == COLUMNS - 1 {
                    ui.end_row();
                }
            }
        });
    });
    if *mask != before {
        button.mark_changed();
    }
    hint.finish(button, editor);
}

fn holds(mask: u32, layer: u32) -> bool {
    mask >> layer & 1 == 1
}

/// The layers of a mask as short text.
fn in_words(mask: u32) -> String {
    let layers = || (0..u32::BITS).filter(|&layer| holds(mask, layer)).map(|layer| layer.to_string());
    match mask.count_ones() {
        0 => "none".to_owned(),
        u32::BITS => "all".to_owned(),
        1 => format!("layer {}", mask.trailing_zeros()),
        2..=NAMED => format!("layers {}", layers().collect::<Vec<_>>().join(", ")),
        count => format!("{count} layers"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_named_or_counted() {
        assert_eq!(in_words(0), "none");
        assert_eq!(in_words(u32::MAX), "all");
        assert_eq!(in_words(1 << 31), "layer 31");
        assert_eq!(in_words(0b1101), "layers 0, 2, 3");
        assert_eq!(in_words(!1), "31 layers");
    }
}
