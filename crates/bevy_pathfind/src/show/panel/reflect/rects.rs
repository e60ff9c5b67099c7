//! The rectangles of widgets, recorded by name.

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
pub(in super::super) fn note(name: &str, response: &egui::Response) {
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
