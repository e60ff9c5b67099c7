//! Rectangles of widgets, by name: for tests that click with a real pointer.

use std::collections::BTreeMap;

use bevy::prelude::*;
use bevy_egui::{EguiContext, PrimaryEguiContext, egui};
use bevy_pathfind::show::panel::widget_rects;

/// The rectangles of the sandbox's buttons and of the plugin's widgets in the last frame, in logical pixels.
#[derive(Resource, Debug, Default)]
pub(crate) struct WidgetRects(pub BTreeMap<String, Rect>);

/// By name: the pass in which a widget was last drawn, and its rectangle.
type Drawn = BTreeMap<String, (u64, Rect)>;

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<WidgetRects>().add_systems(First, collect);
}

/// Records the rectangle of a widget. A widget that is scrolled out of sight cannot be clicked and is left out.
pub(crate) fn record_rect(name: impl Into<String>, response: &egui::Response) {
    let (ctx, rect) = (&response.ctx, response.rect);
    if response.interact_rect.height() < rect.height() - 1.0 {
        return;
    }
    let entry = (ctx.cumulative_pass_nr(), to_rect(rect));
    ctx.data_mut(|data| data.get_temp_mut_or_default::<Drawn>(id()).insert(name.into(), entry));
}

/// A small button whose rectangle is recorded; returns whether it was clicked.
pub(crate) fn button(ui: &mut egui::Ui, name: &str, text: &str, hint: &str) -> bool {
    let response = ui.add(egui::Button::new(text).min_size(egui::vec2(28.0, 22.0))).on_hover_text(hint);
    record_rect(name, &response);
    response.clicked()
}

/// Converts a rectangle of egui to one of Bevy.
pub(crate) fn to_rect(rect: egui::Rect) -> Rect {
    Rect::new(rect.min.x, rect.min.y, rect.max.x, rect.max.y)
}

fn id() -> egui::Id {
    egui::Id::new("sandbox::widgets")
}

fn collect(
    mut rects: ResMut<WidgetRects>,
    context: Option<Single<&mut EguiContext, With<PrimaryEguiContext>>>,
) {
    let Some(mut context) = context else { return };
    let ctx = context.get_mut();
    let now = ctx.cumulative_pass_nr();
    let drawn: Drawn = ctx.data(|data| data.get_temp(id())).unwrap_or_default();
    let own = drawn.into_iter().filter(|(_, (pass, _))| pass + 1 >= now).map(|(name, (_, at))| (name, at));
    rects.0 = widget_rects(ctx).into_iter().map(|(name, at)| (name, to_rect(at))).chain(own).collect();
}
