//! Text over the world: the status line, the list of keys, and notices.

use bevy::{
    diagnostic::{Diagnostic, DiagnosticsStore, FrameTimeDiagnosticsPlugin},
    ecs::system::SystemParam,
    prelude::*,
};
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use bevy_pathfind::{prelude::*, solve::SolveStats};

use crate::{
    chrome::Chrome,
    flags::Flags,
    keys::KEYS,
    orders::{Selectable, Selected},
    scenes::{ActiveScene, by_name},
    theme::{self, egui_color},
};

/// Whether the whole list of keys is shown.
#[derive(Resource, Debug)]
pub(crate) struct Help {
    pub is_open: bool,
}

/// The layout of the status line.
#[derive(Resource, Debug)]
pub(crate) struct StatusLayout {
    /// Its height at the bottom of the window, in logical pixels; more if the text needs more lines.
    pub height: f32,
}

/// The height of a status line of two lines, in logical pixels.
const STATUS_HEIGHT: f32 = 64.0;
/// Its distance from the edge of the window.
const MARGIN: f32 = 12.0;

/// The minimal width of the status line, in logical pixels.
const MIN_WIDTH: f32 = 80.0;

/// The maximal width of the list of keys, in logical pixels.
const HELP_WIDTH: f32 = 560.0;

/// Keys that the status line shows besides the scene's own.
const HINTS: &[(&str, &str)] = &[("F1", "all keys")];

/// A message of the scene to the user, shown for a few seconds.
#[derive(Resource, Debug, Default)]
pub(crate) struct Notice {
    text: String,
    /// Seconds for which it is still shown.
    left: f32,
}

impl Notice {
    /// Shows a message for four seconds.
    pub(crate) fn show(&mut self, text: impl Into<String>) {
        (self.text, self.left) = (text.into(), 4.0);
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.add_plugins(FrameTimeDiagnosticsPlugin::default())
        .insert_resource(Help { is_open: false })
        .init_resource::<Notice>()
        .insert_resource(StatusLayout { height: STATUS_HEIGHT })
        .add_observer(show_failure)
        .add_systems(EguiPrimaryContextPass, (show_status, show_help, show_notice));
}

fn show_failure(failed: On<PathFailed>, mut notice: ResMut<Notice>, names: Query<&Name>) {
    let name = names.get(failed.entity).map_or("An agent", Name::as_str);
    notice.show(format!("{name} found no path: {}", failed.error));
}

/// A text that lets clicks through; returns its height.
fn banner(
    ctx: &egui::Context,
    id: &str,
    anchor: egui::Align2,
    offset: [f32; 2],
    add: impl FnOnce(&mut egui::Ui),
) -> f32 {
    let area = egui::Area::new(egui::Id::new(id)).anchor(anchor, offset).interactable(false);
    let drawn = area.show(ctx, |ui| {
        theme::frame(ui).inner_margin(egui::Margin::symmetric(12, 7)).show(ui, add);
    });
    drawn.response.rect.height()
}

/// A label beside something in the world, with a background that keeps it legible; returns its rectangle.
pub(crate) fn label(
    painter: &egui::Painter,
    at: egui::Pos2,
    anchor: egui::Align2,
    text: String,
    color: Color,
) -> egui::Rect {
    let galley = painter.layout_no_wrap(text, egui::FontId::proportional(12.5), egui_color(color));
    let rect = anchor.anchor_size(at, galley.size());
    painter.rect_filled(rect.expand2(egui::vec2(4.0, 1.0)), 4.0, egui_color(theme::VOID.with_alpha(0.85)));
    painter.galley(rect.min, galley, egui_color(color));
    rect
}

/// The data of the status line.
#[derive(SystemParam)]
struct Counts<'w, 's> {
    diagnostics: Res<'w, DiagnosticsStore>,
    flags: Res<'w, Flags>,
    stats: Res<'w, SolveStats>,
    agents: Query<'w, 's, (), With<Agent>>,
    squad: Query<'w, 's, Has<Selected>, With<Selectable>>,
}

impl Counts<'_, '_> {
    /// The text of the status line; `before` is the number of searches before the scene began.
    fn text(&self, before: u64) -> String {
        let mut words = Vec::new();
        // If every frame is one tick, the frame rate means nothing.
        if !self.flags.is_stepped() {
            let fps = self.diagnostics.get(&FrameTimeDiagnosticsPlugin::FPS).and_then(Diagnostic::smoothed);
            words.push(format!("{:3.0} fps", fps.unwrap_or_default()));
        }
        let (agents, squad) = (self.agents.iter().count(), self.squad.iter().count());
        if agents > 0 {
            words.push(several(agents as u64, "agent", "agents"));
        }
        if squad > 0 {
            words.push(format!("{} of {squad} selected", self.squad.iter().filter(|&is| is).count()));
        }
        let searches = self.stats.finished.saturating_sub(before);
        if searches > 0 {
            let waiting = self.stats.waiting + self.stats.running;
            words.push(format!("{}, {waiting} waiting", several(searches, "search", "searches")));
        }
        words.join("  ·  ")
    }
}

/// A number and a noun, in singular or plural.
fn several(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn show_status(
    mut contexts: EguiContexts,
    counts: Counts,
    chrome: Chrome,
    time: Res<Time<Virtual>>,
    active: Res<State<ActiveScene>>,
    mut commands: Commands,
    mut begun: Local<(&'static str, u64)>,
) -> Result {
    if begun.0 != active.get().0 {
        *begun = (active.get().0, counts.stats.finished);
    }
    let ctx = contexts.ctx_mut()?;
    let free = chrome.free(theme::window(ctx));
    let width = free.width() - 60.0;
    let height = banner(ctx, "status", egui::Align2::LEFT_BOTTOM, [free.min.x + MARGIN, -MARGIN], |ui| {
        ui.set_max_width(width.max(MIN_WIDTH));
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 18.0;
            let own = by_name(active.get().0).map_or(&[][..], |scene| scene.keys);
            for &(key, meaning) in own.iter().chain(HINTS) {
                let text = theme::key_and_meaning(key, meaning, [theme::TEXT, theme::QUIET]);
                ui.add(egui::Label::new(text).extend());
            }
        });
        let text = counts.text(begun.1);
        let is_usual = !time.is_paused() && time.relative_speed() == 1.0;
        if text.is_empty() && is_usual {
            return;
        }
        ui.horizontal(|ui| {
            if time.is_paused() {
                ui.label(theme::colored("paused", theme::PREY));
            } else if time.relative_speed() != 1.0 {
                let slow = format!("{} of full speed", time.relative_speed());
                ui.label(theme::colored(slow, theme::PREY));
            }
            ui.add(egui::Label::new(theme::quiet(text)).truncate());
        });
    });
    commands.insert_resource(StatusLayout { height: height.max(STATUS_HEIGHT) });
    Ok(())
}

/// The list of all keys, in the middle of the window: the scene's own, and those of every scene.
fn show_help(mut contexts: EguiContexts, help: Res<Help>, active: Res<State<ActiveScene>>) -> Result {
    let Some(scene) = by_name(active.get().0).filter(|_| help.is_open) else { return Ok(()) };
    let column = |ui: &mut egui::Ui, title: &str, keys: &[(&str, &str)]| {
        ui.vertical(|ui| {
            theme::caption(ui, title);
            egui::Grid::new(title).spacing([16.0, 5.0]).show(ui, |ui| {
                for &(key, meaning) in keys {
                    ui.label(theme::colored(key, theme::TEXT));
                    ui.label(theme::quiet(meaning));
                    ui.end_row();
                }
            });
        });
    };
    let ctx = contexts.ctx_mut()?;
    let area = egui::Area::new(egui::Id::new("help"))
        .order(egui::Order::Foreground)
        .fade_in(false)
        .interactable(false);
    area.anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0]).show(ctx, |ui| {
        theme::frame(ui).inner_margin(egui::Margin::symmetric(28, 18)).show(ui, |ui| {
            ui.heading(scene.title);
            ui.set_max_width(HELP_WIDTH);
            ui.label(theme::quiet(scene.about));
            ui.horizontal_top(|ui| {
                column(ui, "This scene", scene.keys);
                ui.add_space(28.0);
                column(ui, "Everywhere", KEYS);
            });
        });
    });
    Ok(())
}

fn show_notice(
    mut contexts: EguiContexts,
    mut notice: ResMut<Notice>,
    chrome: Chrome,
    time: Res<Time<Real>>,
) -> Result {
    if notice.left > 0.0 {
        notice.left -= time.delta_secs();
        let ctx = contexts.ctx_mut()?;
        let window = theme::window(ctx);
        let free = chrome.free(window);
        // Below the texts that a scene may draw at the top.
        let offset = [free.center().x - window.x / 2.0, free.min.y + 52.0];
        banner(ctx, "notice", egui::Align2::CENTER_TOP, offset, |ui| {
            ui.add(egui::Label::new(&notice.text).extend());
        });
    }
    Ok(())
}
