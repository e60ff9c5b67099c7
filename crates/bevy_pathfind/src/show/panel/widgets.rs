//! Widgets that every part of the panel uses, and the rectangles of widgets, recorded by name.

use std::collections::BTreeMap;

use bevy_egui::egui;

/// The rectangles of the widgets of [`reflect_ui`](super::reflect_ui) and of the panel, for guided tours and for
/// tests that click.
///
/// A key is the short name of the type and the path of the field: `"Agent.speed"`, `"Settings.target.x"`. Parts of
/// a slider are `"Agent.speed:rail"` and `"Agent.speed:number"`; `"Agent.speed:reset"` is the dot in front of it.
/// While the list of an enum is open, `"Settings.mode=Variant"` is a line of it. A widget that is scrolled out of
/// sight, or partly so, cannot be clicked and is left out.
pub fn widget_rects(ctx: &egui::Context) -> BTreeMap<String, egui::Rect> {
    let now = ctx.cumulative_pass_nr();
    let drawn: Drawn = ctx.data(|data| data.get_temp(drawn_id())).unwrap_or_default();
    drawn.into_iter().filter(|(_, (pass, _))| pass + 1 >= now).map(|(name, (_, rect))| (name, rect)).collect()
}

/// Records the rectangle of a widget under a name, unless it is clipped.
pub(super) fn note(name: &str, response: &egui::Response) {
    let (ctx, rect) = (&response.ctx, response.rect);
    if response.interact_rect.height() < rect.height() - 1.0 {
        return;
    }
    let pass = ctx.cumulative_pass_nr();
    ctx.data_mut(|data| {
        data.get_temp_mut_or_default::<Drawn>(drawn_id()).insert(name.to_owned(), (pass, rect));
    });
}

/// By name: the pass in which a widget was last drawn, and its rectangle.
type Drawn = BTreeMap<String, (u64, egui::Rect)>;

fn drawn_id() -> egui::Id {
    egui::Id::new("bevy_pathfind::reflect_ui")
}

/// The title of a group of widgets, a note, and a line to the end of the row.
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

/// A button whose rectangle is recorded under a name, for tests and guided tours.
pub(super) fn button(ui: &mut egui::Ui, name: &str, text: &str, enabled: bool) -> egui::Response {
    let face = egui::Button::new(text);
    let is_empty = !enabled && !ui.visuals().dark_mode;
    let face = if is_empty { face.fill(egui::Color32::TRANSPARENT) } else { face };
    let response = ui.add_enabled(enabled, face);
    note(name, &response);
    response
}
