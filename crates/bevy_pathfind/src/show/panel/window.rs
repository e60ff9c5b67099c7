//! The window itself, and the keys that work in it.

use bevy::prelude::*;
use bevy_egui::{EguiContext, PrimaryEguiContext, egui};

use super::reflect::note;
use super::sections;
use super::state::NavPanel;

/// How wide the panel is at first, and how far from the edge, in points.
const WIDTH: f32 = 380.0;
const MARGIN: f32 = 12.0;

/// Draws the panel into the primary context.
pub(super) fn draw(
    world: &mut World,
    contexts: &mut QueryState<&'static mut EguiContext, With<PrimaryEguiContext>>,
) {
    let Some(mut context) = contexts.iter_mut(world).next() else { return };
    let ctx = context.get_mut().clone();
    world.resource_scope(|world, mut panel: Mut<NavPanel>| show(&ctx, world, &mut panel));
}

fn show(ctx: &egui::Context, world: &mut World, panel: &mut NavPanel) {
    panel.selected.retain(|&entity| world.get_entity(entity).is_ok());
    panel.history.hold(ctx.input(|input| input.pointer.any_down() || input.pointer.any_released()));
    shortcuts(ctx, world, panel);
    let screen = ctx.content_rect();
    let size = egui::vec2(WIDTH.min(screen.width() - 2.0 * MARGIN), screen.height() - 2.0 * MARGIN);
    let mut is_open = true;
    let window = egui::Window::new("Pathfinding")
        .id(egui::Id::new("bevy_pathfind::panel"))
        .open(&mut is_open)
        .default_pos(screen.left_top() + egui::vec2(MARGIN, MARGIN))
        .default_size(size)
        .min_width(260.0_f32.min(size.x))
        .max_height(size.y - 32.0)
        .show(ctx, |ui| {
            toolbar(ui, world, panel);
            egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
                ui.set_max_width(ui.available_width());
                sections::all(ui, world, panel);
            });
        });
    panel.is_open = is_open;
    panel.area = window.map(|window| {
        let rect = window.response.rect;
        Rect::new(rect.min.x, rect.min.y, rect.max.x, rect.max.y)
    });
}

/// Undo and redo.
fn toolbar(ui: &mut egui::Ui, world: &mut World, panel: &mut NavPanel) {
    ui.horizontal(|ui| {
        let tip = |what: Option<&str>, keys| format!("{} ({keys})", what.unwrap_or("nothing"));
        let (last, next) = (panel.history.last().map(str::to_owned), panel.history.next().map(str::to_owned));
        let undo = button(ui, "undo", "Undo", last.is_some());
        if std::mem::take(&mut panel.take_focus) {
            undo.request_focus();
        }
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
            ui.weak(last);
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

/// A button whose place is kept under a name, for tests and guided tours.
pub(super) fn button(ui: &mut egui::Ui, name: &str, text: &str, enabled: bool) -> egui::Response {
    let response = ui.add_enabled(enabled, egui::Button::new(text));
    note(name, &response);
    response
}
