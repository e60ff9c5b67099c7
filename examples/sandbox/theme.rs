//! The theme: one palette and one set of type sizes for everything on screen.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};

pub(crate) use examples::{FRIEND, GROUND, HUNTER, PREY, VOID, WALL};

/// Trees and other growth.
pub(crate) const GROWTH: Color = Color::srgb_u8(0x16, 0x2b, 0x2a);
/// The visible edge of growth.
pub(crate) const GROWTH_EDGE: Color = Color::srgb_u8(0x3d, 0x78, 0x68);
/// Deep water.
pub(crate) const WATER: Color = Color::srgb_u8(0x17, 0x2f, 0x4f);
/// The visible edge of deep water.
pub(crate) const WATER_EDGE: Color = Color::srgb_u8(0x33, 0x63, 0x94);
/// Shallow water.
pub(crate) const SHALLOW: Color = Color::srgb_u8(0x2b, 0x45, 0x55);
/// Bricks, which shells break.
pub(crate) const BRICK: Color = Color::srgb_u8(0x7a, 0x4a, 0x3c);
/// The visible edge of bricks.
pub(crate) const BRICK_EDGE: Color = Color::srgb_u8(0xb0, 0x73, 0x5a);
/// Another colour for pursuers, or for agents that the user commands.
pub(crate) const SKY: Color = Color::srgb_u8(0x6f, 0xb2, 0xff);
/// The terrain with the highest cost.
pub(crate) const HEAVY: Color = Color::srgb_u8(0x5a, 0x47, 0x33);
/// The gradient from the first closed cell of a search to the last.
pub(crate) const CLOSED: [Color; 2] = [Color::srgb_u8(0x3f, 0x51, 0xb5), Color::srgb_u8(0xb0, 0x6a, 0xd8)];
/// Cells that a search has opened but not closed.
pub(crate) const OPENED: Color = Color::srgb_u8(0xf2, 0xb1, 0x4c);
/// Primary text.
pub(crate) const TEXT: Color = Color::srgb_u8(0xdc, 0xe3, 0xec);
/// Secondary text.
pub(crate) const QUIET: Color = Color::srgb_u8(0x93, 0xa1, 0xb3);
/// The background of panels.
pub(crate) const PANEL: Color = Color::srgb_u8(0x12, 0x18, 0x21);
/// Outlines of panels.
pub(crate) const LINE: Color = Color::srgb_u8(0x2a, 0x35, 0x44);
/// Buttons and slider rails.
pub(crate) const WIDGET: Color = Color::srgb_u8(0x25, 0x2f, 0x3d);
/// Outlines of buttons and empty boxes.
const EDGE: Color = Color::srgb_u8(0x3c, 0x49, 0x5b);

/// A colour of the palette, for egui.
pub(crate) fn egui_color(color: Color) -> egui::Color32 {
    let [red, green, blue, alpha] = color.to_srgba().to_u8_array();
    egui::Color32::from_rgba_unmultiplied(red, green, blue, alpha)
}

/// A text in a colour of the palette.
pub(crate) fn colored(text: impl Into<String>, color: Color) -> egui::RichText {
    egui::RichText::new(text).color(egui_color(color))
}

/// A secondary text.
pub(crate) fn quiet(text: impl Into<String>) -> egui::RichText {
    colored(text, QUIET)
}

/// A key and its meaning, each in its colour, as one text without line breaks.
pub(crate) fn key_and_meaning(key: &str, meaning: &str, colors: [Color; 2]) -> egui::text::LayoutJob {
    let [key_format, meaning_format] =
        colors.map(|color| egui::TextFormat::simple(egui::FontId::proportional(13.5), egui_color(color)));
    let mut job = egui::text::LayoutJob::default();
    job.append(key, 0.0, key_format);
    job.append(meaning, 6.0, meaning_format);
    job
}

/// A table of the panel: the titles of its columns, if there are any, then rows of a title and its values.
pub(crate) fn table<T: Into<egui::RichText>>(
    ui: &mut egui::Ui,
    id: &str,
    titles: &[&str],
    rows: impl IntoIterator<Item = (egui::RichText, Vec<T>)>,
) {
    egui::Grid::new(id).spacing([12.0, 4.0]).min_col_width(34.0).show(ui, |ui| {
        for title in titles {
            ui.label(quiet(*title).size(11.0));
        }
        if !titles.is_empty() {
            ui.end_row();
        }
        for (title, values) in rows {
            ui.label(title);
            for value in values {
                ui.monospace(value);
            }
            ui.end_row();
        }
    });
}

/// A number with commas between groups of three digits.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let is_first = |at: usize| at > 0 && (digits.len() - at).is_multiple_of(3);
    let grouped = digits
        .char_indices()
        .map(|(at, digit)| if is_first(at) { format!(",{digit}") } else { digit.into() });
    grouped.collect()
}

/// The size of the window, in logical pixels.
pub(crate) fn window(ctx: &egui::Context) -> Vec2 {
    let size = ctx.viewport_rect().size();
    Vec2::new(size.x, size.y)
}

/// The frame of a panel. It is dark even if the tuning panel uses the light theme.
pub(crate) fn frame(ui: &mut egui::Ui) -> egui::Frame {
    ui.set_style(ui.ctx().style_of(egui::Theme::Dark));
    egui::Frame::new()
        .fill(egui_color(PANEL))
        .stroke(egui::Stroke::new(1.0, egui_color(LINE)))
        .corner_radius(8)
        .inner_margin(egui::Margin::symmetric(14, 12))
}

/// A caption over a group of widgets.
pub(crate) fn caption(ui: &mut egui::Ui, text: &str) {
    ui.add_space(10.0);
    ui.label(colored(text.to_uppercase(), FRIEND).size(11.0).extra_letter_spacing(1.2));
    ui.add_space(2.0);
}

/// In a window narrower than this, in logical pixels, a panel is a sheet over the lower part.
pub(crate) const NARROW: f32 = 640.0;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(EguiPrimaryContextPass, apply_style.run_if(run_once));
}

fn apply_style(mut contexts: EguiContexts) -> Result {
    let ctx = contexts.ctx_mut()?;
    // A long click duration, because on a slow machine a frame takes long.
    ctx.options_mut(|options| options.input_options.max_click_duration = 60.0);
    ctx.all_styles_mut(|style| {
        use egui::{FontFamily::Proportional, FontId, TextStyle};
        style.text_styles = [
            (TextStyle::Small, FontId::new(11.0, Proportional)),
            (TextStyle::Body, FontId::new(13.5, Proportional)),
            (TextStyle::Button, FontId::new(13.5, Proportional)),
            (TextStyle::Heading, FontId::new(20.0, Proportional)),
            (TextStyle::Monospace, FontId::new(12.5, egui::FontFamily::Monospace)),
        ]
        .into();
        style.spacing.item_spacing = egui::vec2(8.0, 5.0);
        style.spacing.interact_size.y = 20.0;
        style.interaction.tooltip_delay = 0.6;
    });
    ctx.style_mut_of(egui::Theme::Dark, |style| {
        let visuals = &mut style.visuals;
        *visuals = egui::Visuals::dark();
        visuals.panel_fill = egui_color(PANEL);
        visuals.window_fill = egui_color(PANEL);
        visuals.window_stroke = egui::Stroke::new(1.0, egui_color(LINE));
        visuals.extreme_bg_color = egui_color(VOID);
        visuals.selection.bg_fill = egui_color(FRIEND.with_alpha(0.35));
        visuals.selection.stroke.color = egui_color(TEXT);
        visuals.slider_trailing_fill = true;
        visuals.error_fg_color = egui_color(HUNTER);
        let text = egui_color(TEXT);
        let widgets = &mut visuals.widgets;
        widgets.noninteractive.fg_stroke.color = text;
        widgets.noninteractive.bg_stroke.color = egui_color(LINE);
        for (widget, fill) in [
            (&mut widgets.inactive, egui_color(WIDGET)),
            (&mut widgets.hovered, egui_color(LINE)),
            (&mut widgets.active, egui_color(WALL)),
            (&mut widgets.open, egui_color(LINE)),
        ] {
            widget.fg_stroke.color = text;
            widget.bg_fill = fill;
            widget.weak_bg_fill = fill;
            widget.bg_stroke = egui::Stroke::new(1.0, egui_color(EDGE));
            widget.expansion = 0.0;
        }
        widgets.hovered.bg_stroke = egui::Stroke::new(1.0, egui_color(WALL));
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_are_grouped() {
        let numbers = [(0, "0"), (999, "999"), (1000, "1,000"), (11_535, "11,535"), (1_234_567, "1,234,567")];
        assert!(numbers.iter().all(|&(number, text)| grouped(number) == text));
    }
}
