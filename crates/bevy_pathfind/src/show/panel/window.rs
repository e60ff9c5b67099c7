//! The window of the panel, and its keyboard shortcuts.

use bevy::platform::time::Instant;
use bevy::prelude::*;
use bevy_egui::{EguiContext, egui};

use super::history::History;
use super::sections;
use super::stages::{PANEL, StageClock};
use super::state::{MARGIN, NavPanel};
use super::widgets::button;

/// Initial width of the panel, in points.
const WIDTH: f32 = 380.0;
/// Opacity of secondary text: high enough to be read in light mode.
const WEAK: f32 = 0.8;
/// The text colour in light mode.
const INK: egui::Color32 = egui::Color32::from_gray(30);
/// The colour of outlines of buttons and boxes in light mode.
const RIM: egui::Color32 = egui::Color32::from_gray(165);
/// Width of the scroll bar, in points.
const SCROLL_WIDTH: f32 = 10.0;
/// Height of the window's title and frame, in points.
const FRAME_HEIGHT: f32 = 44.0;

/// Draws the panel into the egui context of a camera, and measures how long that takes.
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
    let is_held = ctx.input(|input| input.pointer.any_down() || input.pointer.any_released());
    world.resource_mut::<History>().hold(is_held);
    shortcuts(ctx, world);
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
            toolbar(ui, world);
            // The scroll bar gets its own width, instead of covering the content.
            let scroll = &mut ui.spacing_mut().scroll;
            scroll.floating_allocated_width = SCROLL_WIDTH;
            // The scroll bar is always visible, because a list that ends at a full line looks complete.
            (scroll.dormant_handle_opacity, scroll.dormant_background_opacity) = (0.5, 0.3);
            egui::ScrollArea::vertical()
                .auto_shrink([false, false])
                .show(ui, |ui| without_widening(ui, |ui| sections::all(ui, world, panel)));
        });
    panel.is_open = is_open;
    panel.area = window.map(|window| {
        let rect = window.response.rect;
        Rect::new(rect.min.x, rect.min.y, rect.max.x, rect.max.y)
    });
}

/// Raises the contrast of the widgets, mostly in light mode: there egui's thin letters look grey, empty boxes have
/// no outline, and translucent colours turn grey, because they are blended in linear space.
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

/// Draws content that never widens its container, because an egui window that has grown does not shrink again.
fn without_widening(ui: &mut egui::Ui, draw: impl FnOnce(&mut egui::Ui)) {
    let room = ui.available_rect_before_wrap();
    let mut inside = ui.new_child(egui::UiBuilder::new().max_rect(room));
    draw(&mut inside);
    let size = egui::vec2(room.width(), inside.min_rect().height());
    ui.advance_cursor_after_rect(egui::Rect::from_min_size(room.min, size));
}

/// The undo and redo buttons.
fn toolbar(ui: &mut egui::Ui, world: &mut World) {
    ui.horizontal(|ui| {
        let tip = |what: Option<&str>, keys| format!("{} ({keys})", what.unwrap_or("nothing"));
        let [last, next] = world.resource::<History>().names();
        let undo = button(ui, "undo", "Undo", last.is_some());
        if undo.clicked() {
            History::undo(world);
        }
        undo.on_hover_text(tip(last.as_deref(), "Ctrl+Z"));
        let redo = button(ui, "redo", "Redo", next.is_some());
        if redo.clicked() {
            History::redo(world);
        }
        redo.on_hover_text(tip(next.as_deref(), "Ctrl+Shift+Z"));
        egui::widgets::global_theme_preference_switch(ui);
        if let Some(last) = last {
            ui.add(egui::Label::new(egui::RichText::new(last).weak()).truncate());
        }
    });
    ui.separator();
}

fn shortcuts(ctx: &egui::Context, world: &mut World) {
    use egui::{Key, KeyboardShortcut, Modifiers};
    if ctx.text_edit_focused() {
        return;
    }
    let pressed = |modifiers, key| {
        ctx.input_mut(|input| input.consume_shortcut(&KeyboardShortcut::new(modifiers, key)))
    };
    // Test the shortcut with more modifiers first: the shorter one would match its keys, too.
    if pressed(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z) || pressed(Modifiers::COMMAND, Key::Y) {
        History::redo(world);
    } else if pressed(Modifiers::COMMAND, Key::Z) {
        History::undo(world);
    }
}
