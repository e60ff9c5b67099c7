//! The menu bar: the scenes, a description of the current one, and the clock.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use bevy_pathfind::show::panel::NavPanel;

use crate::{
    clock::{Clock, change_speed, toggle_pause},
    panel::{PanelLayout, PanelSettings},
    scenes::{SCENES, SceneControl},
    theme,
    widgets::{button, record_rect, to_rect},
};

/// The layout of the menu bar in the last frame, in logical pixels.
#[derive(Resource, Debug, Default)]
pub(crate) struct MenuLayout {
    /// The bar, if there is one.
    pub bar: Option<Rect>,
    /// Whether the bar is wide enough to describe the scene.
    pub describes_scene: bool,
}

impl MenuLayout {
    /// The rest of a part of the window below the bar.
    pub(crate) fn free(&self, part: Rect) -> Rect {
        let top = self.bar.map_or(0.0, |bar| bar.max.y).clamp(0.0, (part.max.y - 1.0).max(0.0));
        Rect { min: Vec2::new(part.min.x, part.min.y.max(top)), ..part }
    }
}

const MARGIN: f32 = 12.0;
/// The width of the clock's controls.
const CLOCK_WIDTH: f32 = 205.0;
/// The largest seed that can be typed: a longer one would not fit.
const MAX_SEED: u64 = 999_999;
/// In a window narrower than this, scenes are shown as numbers only.
const MIN_WIDE: f32 = 720.0;
/// In a window smaller than this, there is no bar.
const MIN_SIZE: Vec2 = Vec2::new(260.0, 200.0);

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<MenuLayout>().add_systems(EguiPrimaryContextPass, show_menu);
}

fn show_menu(
    mut contexts: EguiContexts,
    panel: Res<PanelLayout>,
    (mut settings, mut tuning): (ResMut<PanelSettings>, ResMut<NavPanel>),
    mut layout: ResMut<MenuLayout>,
    mut scenes: SceneControl,
    mut clock: ResMut<Clock>,
    mut time: ResMut<Time<Virtual>>,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let window = theme::window(ctx);
    *layout = MenuLayout::default();
    if window.x < MIN_SIZE.x || window.y < MIN_SIZE.y {
        return Ok(());
    }
    let width = panel.free(window).width() - 2.0 * MARGIN;
    let width = width.max(MIN_SIZE.x - 2.0 * MARGIN);
    let area = egui::Area::new(egui::Id::new("menu")).anchor(egui::Align2::LEFT_TOP, [MARGIN, MARGIN]);
    let drawn = area.show(ctx, |ui| {
        theme::frame(ui).inner_margin(egui::Margin::symmetric(10, 6)).show(ui, |ui| {
            ui.set_width(width - 22.0);
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing.x = 2.0;
                for (number, scene) in (1_u32..).zip(SCENES) {
                    let is_playing = scenes.current_name() == scene.name;
                    let colors = if is_playing { [theme::FRIEND, theme::TEXT] } else { [theme::QUIET; 2] };
                    let title = if width >= MIN_WIDE { scene.title } else { "" };
                    // Ten scenes have a key.
                    let key = match number {
                        ..=10 => (number % 10).to_string(),
                        _ if title.is_empty() => number.to_string(),
                        _ => String::new(),
                    };
                    let text = theme::key_and_meaning(&key, title, colors);
                    let tab = egui::Button::selectable(is_playing, text);
                    let tab = ui.add(tab).on_hover_text(scene.about);
                    record_rect(format!("menu.{}", scene.name), &tab);
                    if tab.clicked() {
                        scenes.enter(scene.name);
                    }
                }
                // A telephone has no keys for these.
                if width < MIN_WIDE && button(ui, "menu.panel", "☰", "panel (Tab)") {
                    settings.is_open = !settings.is_open;
                }
                if width < MIN_WIDE && button(ui, "menu.tuning", "⚙", "tune agents, presets, plots (F2)") {
                    tuning.is_open = !tuning.is_open;
                }
            });
            let scene = scenes.current();
            ui.horizontal(|ui| {
                if width >= MIN_WIDE {
                    let about = theme::quiet(scene.about);
                    let room = egui::vec2(width - 30.0 - CLOCK_WIDTH, 36.0);
                    ui.allocate_ui(room, |ui| {
                        ui.set_min_size(room);
                        ui.add(egui::Label::new(about).wrap());
                    });
                }
                show_clock(ui, &mut clock, &mut time, &mut scenes);
            });
        });
    });
    *layout = MenuLayout { bar: Some(to_rect(drawn.response.rect)), describes_scene: width >= MIN_WIDE };
    Ok(())
}

fn show_clock(ui: &mut egui::Ui, clock: &mut Clock, time: &mut Time<Virtual>, scenes: &mut SceneControl) {
    let (pause, hint) = if time.is_paused() { ("▶", "go on (Space)") } else { ("⏸", "pause (Space)") };
    if button(ui, "clock.pause", pause, hint) {
        toggle_pause(time);
    }
    if button(ui, "clock.step", "⏭", "one step (.)") {
        clock.step = true;
    }
    if button(ui, "clock.speed", &format!("{}×", time.relative_speed()), "speed (,)") {
        change_speed(time);
    }
    if button(ui, "clock.again", "⟲", "begin again (R)") {
        scenes.restart();
    }
    let mut seed = scenes.seed();
    let value = egui::DragValue::new(&mut seed).prefix("seed ").speed(0.1);
    let value = value.range(0..=MAX_SEED).clamp_existing_to_range(false);
    let drag = ui.add(value).on_hover_text("seed of the random numbers: it decides the starting places");
    record_rect("clock.seed", &drag);
    if drag.changed() {
        scenes.go(scenes.current_name(), seed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_free_part_lies_below_the_bar_and_is_never_empty() {
        let bar = |bottom| MenuLayout { bar: Some(Rect::new(0.0, 12.0, 500.0, bottom)), ..default() };
        let window = Rect::new(0.0, 0.0, 800.0, 600.0);
        assert_eq!(bar(80.0).free(window).min.y, 80.0);
        assert!(bar(900.0).free(window).height() >= 1.0, "however high the bar");
        assert_eq!(MenuLayout::default().free(window), window);
    }
}
