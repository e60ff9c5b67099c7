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
    theme::{self, NARROW, egui_color},
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

/// The height of a status line of one line, in logical pixels.
const STATUS_HEIGHT: f32 = 46.0;
/// Its distance from the edge of the window.
const MARGIN: f32 = 12.0;

/// The minimal width of the status line, in logical pixels.
const MIN_WIDTH: f32 = 80.0;

/// The maximal width of the list of keys, in logical pixels.
const HELP_WIDTH: f32 = 560.0;

/// Keys that the status line shows besides the scene's own.
const HINTS: &[(&str, &str)] = &[("F1", "all keys"), ("F2", "tune")];

/// How many of the scene's keys a narrow status line shows.
const FEW_HINTS: usize = 4;

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
    /// The numbers of the status line; `before` is the number of searches before the scene began.
    fn texts(&self, before: u64) -> Vec<String> {
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
        words
    }
}

/// A number and a noun, in singular or plural.
pub(crate) fn several(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", theme::grouped(count), if count == 1 { one } else { many })
}

fn show_status(
    mut contexts: EguiContexts,
    counts: Counts,
    chrome: Chrome,
    (time, active): (Res<Time<Virtual>>, Res<State<ActiveScene>>),
    mut commands: Commands,
    mut begun: Local<(&'static str, u64)>,
    mut last: Local<(Vec2, f32)>,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let window = theme::window(ctx);
    if begun.0 != active.get().0 {
        *begun = (active.get().0, counts.stats.finished);
        *last = default();
    }
    if chrome.has_sheet(window) {
        // There is no room for both.
        *last = default();
        commands.insert_resource(StatusLayout { height: 0.0 });
        return Ok(());
    }
    let free = chrome.free(window);
    let width = free.width() - 60.0;
    let height = banner(ctx, "status", egui::Align2::LEFT_BOTTOM, [free.min.x + MARGIN, -MARGIN], |ui| {
        ui.set_max_width(width.max(MIN_WIDTH));
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 18.0;
            let label = |ui: &mut egui::Ui, text: egui::RichText| _ = ui.add(egui::Label::new(text).extend());
            let own = by_name(active.get().0).map_or(&[][..], |scene| scene.keys);
            // F1 has the others.
            let most = if width < NARROW { FEW_HINTS } else { own.len() };
            for &(key, meaning) in own.iter().take(most).chain(HINTS) {
                let text = theme::key_and_meaning(key, meaning, [theme::TEXT, theme::QUIET]);
                ui.add(egui::Label::new(text).extend());
            }
            if time.is_paused() {
                label(ui, theme::colored("paused", theme::PREY));
            } else if time.relative_speed() != 1.0 {
                label(ui, theme::colored(format!("{}× speed", time.relative_speed()), theme::PREY));
            }
            counts.texts(begun.1).into_iter().for_each(|text| label(ui, theme::quiet(text)));
        });
    });
    // A number that needs a line more for a moment does not move the picture.
    let least = if last.0 == window { last.1 } else { STATUS_HEIGHT };
    *last = (window, height.max(least));
    commands.insert_resource(StatusLayout { height: last.1 });
    Ok(())
}

/// The list of all keys, in the middle of the window: the scene's own, and those of every scene.
fn show_help(
    mut contexts: EguiContexts,
    help: Res<Help>,
    active: Res<State<ActiveScene>>,
    paths: Query<(), With<NavPath>>,
) -> Result {
    let Some(scene) = by_name(active.get().0).filter(|_| help.is_open) else { return Ok(()) };
    let column = |ui: &mut egui::Ui, title: &str, keys: &[(&str, &str)]| {
        ui.vertical(|ui| {
            theme::caption(ui, title);
            egui::Grid::new(title).spacing([16.0, 3.0]).show(ui, |ui| {
                for &(key, meaning) in keys {
                    ui.label(theme::colored(key, theme::TEXT));
                    ui.label(theme::quiet(meaning));
                    ui.end_row();
                }
            });
        });
    };
    // Without searches there is nothing that these could show.
    let is_useful = |&(key, _): &(&str, &str)| !matches!(key, "O" | "P") || !paths.is_empty();
    let everywhere: Vec<_> = KEYS.iter().copied().filter(is_useful).collect();
    let ctx = contexts.ctx_mut()?;
    let window = theme::window(ctx);
    let area = egui::Area::new(egui::Id::new("help"))
        .order(egui::Order::Foreground)
        .fade_in(false)
        .interactable(false);
    area.anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0]).show(ctx, |ui| {
        theme::frame(ui).inner_margin(egui::Margin::symmetric(28, 18)).show(ui, |ui| {
            ui.heading(scene.title);
            ui.set_max_width(HELP_WIDTH.min(window.x - 80.0));
            ui.label(theme::quiet(scene.about));
            ui.label(theme::colored(format!("Try: {}", scene.try_this), theme::PREY));
            let layout = if window.x < NARROW {
                egui::Layout::top_down(egui::Align::LEFT)
            } else {
                egui::Layout::left_to_right(egui::Align::TOP)
            };
            ui.with_layout(layout, |ui| {
                column(ui, "This scene", scene.keys);
                ui.add_space(if window.x < NARROW { 0.0 } else { 28.0 });
                column(ui, "Everywhere", &everywhere);
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
