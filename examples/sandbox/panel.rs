//! The panel on the right: the scene's sliders, the search settings, and the cost of the last search.

use bevy::{
    ecs::{
        component::Mutable,
        system::{SystemParam, SystemState},
    },
    prelude::*,
    reflect::structs::Struct,
};
use bevy_egui::{EguiContext, EguiPrimaryContextPass, PrimaryEguiContext, egui};
use bevy_pathfind::{
    prelude::*,
    show::panel::{NavPanel, algorithm_label, reflect_ui},
    solve::LastSearch,
};

use crate::{
    actors::{ActorSettings, Look},
    brush::{Brush, Paintable},
    flags::Flags,
    menu::MenuLayout,
    orders::{Selectable, is_at_rest},
    overlay::SearchView,
    scenes::{ActiveScene, by_name},
    theme::{self, NARROW, caption},
    widgets::{record_rect, to_rect},
};

/// Whether the panel is open.
#[derive(Resource, Debug)]
pub(crate) struct PanelSettings {
    pub is_open: bool,
}

/// The layout of the panel in the last frame, in logical pixels.
#[derive(Resource, Debug, Default)]
pub(crate) struct PanelLayout {
    /// The panel, while it is open.
    pub panel: Option<Rect>,
    passes: u32,
}

impl PanelLayout {
    /// The part of a window of this size beside the panel; in a narrow one, above it.
    pub(crate) fn free(&self, window: Vec2) -> Rect {
        let whole = Rect::from_corners(Vec2::ZERO, window);
        match self.panel {
            Some(panel) if window.x < NARROW => Rect { max: whole.max.with_y(panel.min.y.max(1.0)), ..whole },
            Some(panel) => Rect { max: whole.max.with_x(panel.min.x.max(1.0)), ..whole },
            None => whole,
        }
    }

    /// Whether the panel has been laid out.
    pub(crate) fn is_known(&self) -> bool {
        // egui places an area by the size that it had in the previous pass.
        self.passes > 3
    }
}

const WIDTH: f32 = 276.0;
const MARGIN: f32 = 12.0;
/// The minimal height of the panel, in logical pixels.
const MIN_HEIGHT: f32 = 80.0;
/// The height of the panel in a narrow window, as a part of the window's.
const SHEET: f32 = 0.45;
/// In a window narrower than this, the panel makes way for the tuning panel.
const BOTH: f32 = 1000.0;

pub(crate) fn plugin(app: &mut App) {
    // In a narrow window it would cover the scene at first.
    let is_open = app.world().resource::<Flags>().size.0 as f32 >= NARROW;
    app.insert_resource(PanelSettings { is_open })
        .init_resource::<PanelLayout>()
        .add_systems(EguiPrimaryContextPass, show_panel)
        .add_systems(Update, repeat_requests.run_if(resource_exists_and_changed::<SearchOptions>));
}

fn show_panel(
    world: &mut World,
    camera: &mut SystemState<Single<&mut EguiContext, With<PrimaryEguiContext>>>,
) {
    let Ok(mut context) = camera.get_mut(world) else { return };
    let ctx = context.get_mut().clone();
    let passes = world.resource::<PanelLayout>().passes.saturating_add(1);
    let is_crowded = world.resource::<NavPanel>().is_open && ctx.viewport_rect().width() < BOTH;
    let is_open = world.resource::<PanelSettings>().is_open && !is_crowded;
    let panel = is_open.then(|| to_rect(draw(&ctx, world)));
    // In the tuning panel, keys may also move the focus from widget to widget.
    if !world.resource::<NavPanel>().is_open || ctx.input(|input| input.pointer.any_released()) {
        leave_keys_to_the_world(&ctx);
    }
    world.insert_resource(PanelLayout { panel, passes });
}

fn draw(ctx: &egui::Context, world: &mut World) -> egui::Rect {
    let window = ctx.viewport_rect();
    let is_sheet = window.width() < NARROW;
    let height = window.height() * if is_sheet { SHEET } else { 1.0 } - 2.0 * MARGIN;
    let width = if is_sheet { window.width() - 2.0 * MARGIN - 30.0 } else { WIDTH };
    let (anchor, down) =
        if is_sheet { (egui::Align2::RIGHT_BOTTOM, -MARGIN) } else { (egui::Align2::RIGHT_TOP, MARGIN) };
    let scene = world.resource::<State<ActiveScene>>().get().0;
    egui::Area::new(egui::Id::new("panel"))
        .anchor(anchor, [-MARGIN, down])
        .show(ctx, |ui| {
            // The scroll bar is drawn in the margin.
            let bar = ui.spacing().scroll.bar_width;
            theme::frame(ui).inner_margin(margin(bar)).show(ui, |ui| {
                ui.set_width(width + bar);
                let inner = (height - 24.0).max(MIN_HEIGHT);
                // Each scene begins at the top, and stays where it was scrolled to.
                let scroll = egui::ScrollArea::vertical().id_salt(scene).auto_shrink([false, true]);
                scroll.max_height(inner).min_scrolled_height(inner).show(ui, |ui| {
                    ui.set_width(width);
                    sections(ui, world);
                });
            });
        })
        .response
        .rect
}

/// The margin between the panel's edge and its widgets; on the right it is reduced by the scroll bar.
fn margin(bar: f32) -> egui::Margin {
    egui::Margin { right: (14.0 - bar) as i8, ..egui::Margin::symmetric(14, 12) }
}

fn sections(ui: &mut egui::Ui, world: &mut World) {
    let Some(scene) = by_name(world.resource::<State<ActiveScene>>().get().0) else { return };
    ui.heading(scene.title);
    if !world.resource::<MenuLayout>().describes_scene {
        ui.label(theme::quiet(scene.about));
    }
    ui.label(theme::colored(format!("Try: {}", scene.try_this), theme::PREY));
    (scene.controls)(ui, world);
    if scene.searches {
        caption(ui, "Show");
        show(ui, world);
    }
    if world.query_filtered::<(), With<Paintable>>().iter(world).next().is_some() {
        caption(ui, "Paint");
        edit::<Brush>(ui, world);
    }
    if scene.searches {
        ui.add_space(10.0);
        let folded = egui::CollapsingHeader::new(theme::quiet("Advanced: the search"))
            .id_salt("advanced")
            .show(ui, |ui| {
                last_search(ui, world.resource::<SearchView>());
                edit::<SearchOptions>(ui, world);
            });
        record_rect("panel.advanced", &folded.header_response);
    }
    #[cfg(target_arch = "wasm32")]
    crate::web::saved_presets(ui);
}

/// Switches for what is drawn of searches.
fn show(ui: &mut egui::Ui, world: &mut World) {
    ui.horizontal(|ui| {
        let mut search = world.resource_mut::<SearchView>();
        let mut cells = search.cells;
        if ui.checkbox(&mut cells, "searched cells").changed() {
            search.cells = cells;
        }
        let mut actors = world.resource::<ActorSettings>().clone();
        let mut looks = world.query::<&Look>();
        let mut paths = actors.shows_paths(looks.iter(world));
        if ui.checkbox(&mut paths, "paths").changed() {
            actors.toggle_paths(looks.iter(world));
            world.insert_resource(actors);
        }
    });
}

/// A slider that was dragged would keep the keyboard focus; only a text field that is being edited may.
fn leave_keys_to_the_world(ctx: &egui::Context) {
    if !ctx.text_edit_focused()
        && let Some(focused) = ctx.memory(|memory| memory.focused())
    {
        ctx.memory_mut(|memory| memory.surrender_focus(focused));
    }
}

/// Sliders for a resource, which is marked as changed only if the user changes a value.
pub(crate) fn edit<R: Resource<Mutability = Mutable> + Reflect + Clone>(
    ui: &mut egui::Ui,
    world: &mut World,
) {
    let mut copy = world.resource::<R>().clone();
    if reflect_ui(ui, copy.as_partial_reflect_mut()) {
        *world.resource_mut::<R>() = copy;
    }
}

/// A scene's sliders, and their values when the scene last looked.
///
/// The values of an agent are in its components, which the tuning panel edits too. A scene gives an agent its
/// values when it spawns it, and later writes a value only if the slider of that value has moved: values that were
/// set in the tuning panel stay.
#[derive(SystemParam)]
pub(crate) struct Sliders<'w, 's, R: Resource + Clone> {
    now: Res<'w, R>,
    before: Local<'s, Option<R>>,
}

impl<R: Resource + Clone + PartialEq> Sliders<'_, '_, R> {
    /// The previous and present values, if any has changed since the last call.
    pub(crate) fn moved(&mut self) -> Option<(R, &R)> {
        let before = self.before.replace(self.now.clone())?;
        (before != *self.now).then_some((before, &*self.now))
    }
}

/// Writes to `target` those fields of a struct that differ between `before` and `now`.
pub(crate) fn write_moved<T: Struct>(before: &T, now: &T, target: &mut T) {
    for (index, (_, value)) in now.iter_fields().enumerate() {
        let is_same = before.field_at(index).is_some_and(|was| value.reflect_partial_eq(was) == Some(true));
        if !is_same && let Some(field) = target.field_at_mut(index) {
            field.apply(value);
        }
    }
}

fn last_search(ui: &mut egui::Ui, search: &SearchView) {
    let last = search.last.as_ref();
    let text = |write: fn(&LastSearch) -> String| last.map_or_else(|| "–".to_owned(), write);
    ui.horizontal(|ui| {
        ui.label(theme::quiet("algorithm"));
        ui.monospace(text(|last| algorithm_label(last.algorithm).to_owned()));
        ui.monospace(text(|last| format!("{:.0} µs", last.micros)));
    });
    ui.horizontal(|ui| {
        ui.label(theme::quiet("expanded"));
        ui.monospace(text(|last| theme::grouped(last.expanded)));
        ui.label(theme::quiet("length"));
        ui.monospace(text(|last| format!("{:.1}", last.length)));
    });
}

/// Agents that are under way repeat their request when the search settings change.
fn repeat_requests(
    mut commands: Commands,
    squad: Query<(Entity, &PathRequest, &PathStatus), With<Selectable>>,
) {
    for (entity, request, status) in &squad {
        if !is_at_rest(status) {
            commands.entity(entity).insert(request.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_fields_that_have_changed_are_written() {
        let (before, now) = (Agent::default(), Agent { speed: 9.0, ..default() });
        let mut tuned = Agent { radius: 2.0, speed: 7.0, ..default() };
        write_moved(&before, &now, &mut tuned);
        assert_eq!(tuned, Agent { radius: 2.0, speed: 9.0, ..default() });
    }
}
