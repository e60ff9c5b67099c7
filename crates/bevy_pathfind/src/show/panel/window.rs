//! The window itself, and the keys that work in it.

use bevy::platform::time::Instant;
use bevy::prelude::*;
use bevy_egui::{EguiContext, egui};

use super::reflect::note;
use super::sections;
use super::stages::{PANEL, StageClock};
use super::state::{MARGIN, NavPanel};

/// How wide the panel is at first, in points.
const WIDTH: f32 = 380.0;
/// How much of its colour text keeps that can wait: it is to be read, also on white.
const WEAK: f32 = 0.8;
/// The colour of text on white.
const INK: egui::Color32 = egui::Color32::from_gray(30);
/// The colour of lines around buttons and boxes on white.
const RIM: egui::Color32 = egui::Color32::from_gray(165);
/// What a scroll bar takes, in points.
const SCROLL_WIDTH: f32 = 10.0;
/// What the title and the frame add to the height of what is in the window, in points.
const FRAME_HEIGHT: f32 = 44.0;

/// Draws the panel into the context of a camera.
pub(super) fn draw(world: &mut World, camera: Entity) {
    let begun = Instant::now();
    let Some(ctx) = world.get_mut::<EguiContext>(camera).map(|mut context| context.get_mut().clone()) else {
        return;
    };
    world.resource_scope(|world, mut panel: Mut<NavPanel>| show(&ctx, world, &mut panel));
    if let Some(mut clock) = world.get_resource_mut::<StageClock>() {
        clock.add(PANEL, begun.elapsed());
    }
}

fn show(ctx: &egui::Context, world: &mut World, panel: &mut NavPanel) {
    panel.selected.retain(|&entity| world.get_entity(entity).is_ok());
    panel.history.hold(ctx.input(|input| input.pointer.any_down() || input.pointer.any_released()));
    shortcuts(ctx, world, panel);
    let screen = ctx.content_rect();
    let most = screen.size() - egui::Vec2::splat(2.0 * MARGIN);
    let corner = egui::vec2(panel.corner.x, panel.corner.y).max(egui::Vec2::ZERO).min(0.5 * most);
    let size = egui::vec2(WIDTH.min(most.x), screen.height() - corner.y - MARGIN - FRAME_HEIGHT);
    let mut is_open = true;
    let window = egui::Window::new("Pathfinding")
        .id(egui::Id::new("bevy_pathfind::panel"))
        .open(&mut is_open)
        .default_pos(screen.left_top() + corner)
        .default_size(size)
        .min_width(260.0_f32.min(size.x))
        .max_height(size.y)
        .show(ctx, |ui| {
            sharpen(ui.style_mut());
            toolbar(ui, world, panel);
            // Room for the bar beside what is scrolled, instead of over it.
            let scroll = &mut ui.spacing_mut().scroll;
            scroll.floating_allocated_width = SCROLL_WIDTH;
            // Always to be seen: a list that ends at a whole line would look like all there is.
            (scroll.dormant_handle_opacity, scroll.dormant_background_opacity) = (0.5, 0.3);
            egui::ScrollArea::vertical()
                .auto_shrink([false, false])
                .show(ui, |ui| as_wide_as_it_is(ui, |ui| sections::all(ui, world, panel)));
        });
    panel.is_open = is_open;
    panel.area = window.map(|window| {
        let rect = window.response.rect;
        Rect::new(rect.min.x, rect.min.y, rect.max.x, rect.max.y)
    });
}

/// What is to be read and pressed stands out, also on white. There egui's thin letters are grey, empty boxes have
/// no rim, and whatever shines through turns grey, since it is blended in linear light.
fn sharpen(style: &mut egui::Style) {
    let visuals = &mut style.visuals;
    visuals.weak_text_alpha = WEAK;
    if visuals.dark_mode {
        return;
    }
    (visuals.weak_text_alpha, visuals.disabled_alpha) = (0.9, 0.7);
    style.spacing.scroll.fade.strength = 0.0;
    for widget in [&mut visuals.widgets.noninteractive, &mut visuals.widgets.inactive] {
        widget.fg_stroke.color = INK;
    }
    visuals.widgets.inactive.bg_stroke = egui::Stroke::new(1.0, RIM);
}

/// Draws something that never makes its surroundings wider: a window that once has grown stays so.
fn as_wide_as_it_is(ui: &mut egui::Ui, draw: impl FnOnce(&mut egui::Ui)) {
    let room = ui.available_rect_before_wrap();
    let mut inside = ui.new_child(egui::UiBuilder::new().max_rect(room));
    draw(&mut inside);
    let size = egui::vec2(room.width(), inside.min_rect().height());
    ui.advance_cursor_after_rect(egui::Rect::from_min_size(room.min, size));
}

/// Undo and redo.
fn toolbar(ui: &mut egui::Ui, world: &mut World, panel: &mut NavPanel) {
    ui.horizontal(|ui| {
        let tip = |what: Option<&str>, keys| format!("{} ({keys})", what.unwrap_or("nothing"));
        let (last, next) = (panel.history.last().map(str::to_owned), panel.history.next().map(str::to_owned));
        let undo = button(ui, "undo", "Undo", last.is_some());
        if undo.clicked() {
            panel.history.undo(world);
        }
        undo.on_hover_text(tip(last.as_deref(), "Ctrl+Z"));
        let redo = button(ui, "redo", "Redo", next.is_some());
        if redo.clicked() {
            panel.history.redo(world);
        }
        redo.on_hover_text(tip(next.as_deref(), "Ctrl+Shift+Z"));
        egui::widgets::global_theme_preference_switch(ui);
        if let Some(last) = last {
            ui.add(egui::Label::new(egui::RichText::new(last).weak()).truncate());
        }
    });
    ui.separator();
}

fn shortcuts(ctx: &egui::Context, world: &mut World, panel: &mut NavPanel) {
    use egui::{Key, KeyboardShortcut, Modifiers};
    if ctx.text_edit_focused() {
        return;
    }
    let pressed = |modifiers, key| {
        ctx.input_mut(|input| input.consume_shortcut(&KeyboardShortcut::new(modifiers, key)))
    };
    // The longer one first: the shorter would take it, too.
    if pressed(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z) || pressed(Modifiers::COMMAND, Key::Y) {
        panel.history.redo(world);
    } else if pressed(Modifiers::COMMAND, Key::Z) {
        panel.history.undo(world);
    }
}

/// The title of a group of widgets, what else there is to say, and a line to the end of the row.
pub(super) fn caption(ui: &mut egui::Ui, title: &str, note: &str) {
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        ui.strong(title);
        if !note.is_empty() {
            ui.weak(note);
        }
        let size = egui::vec2(ui.available_width(), ui.spacing().interact_size.y);
        let (rest, _) = ui.allocate_exact_size(size, egui::Sense::hover());
        ui.painter().hline(rest.x_range(), rest.center().y, ui.visuals().widgets.noninteractive.bg_stroke);
    });
}

/// A button whose place is kept under a name, for tests and guided tours.
pub(super) fn button(ui: &mut egui::Ui, name: &str, text: &str, enabled: bool) -> egui::Response {
    let face = egui::Button::new(text);
    let is_empty = !enabled && !ui.visuals().dark_mode;
    let face = if is_empty { face.fill(egui::Color32::TRANSPARENT) } else { face };
    let response = ui.add_enabled(enabled, face);
    note(name, &response);
    response
}
