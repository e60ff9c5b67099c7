//! The user interface of the lab: its part of the panel, its keys, and its telemetry.

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_pathfind::{order::Algorithm, show::panel::algorithm_label};
use serde_json::{Value, json};

use super::{
    Lab,
    edit::{BRUSHES, MapEditor},
    maps::{PRESETS, Preset},
    replay::Replay,
    results::{LabSettings, Run, SearchResults},
};
use crate::{
    keys::Keys,
    panel,
    scenes::SceneControl,
    telemetry::Facts,
    theme::{self, caption},
    widgets::{button, record_rect},
};

/// The chosen map.
#[derive(Resource, Debug)]
pub(crate) struct MapChoice {
    preset: usize,
    /// Whether a map was just chosen, so that its two searches are chosen with it.
    pub is_chosen: bool,
}

impl MapChoice {
    pub(super) const fn new(preset: usize) -> Self {
        Self { preset, is_chosen: true }
    }

    pub(super) fn preset(&self) -> &'static Preset {
        &PRESETS[self.preset]
    }

    /// The name of the chosen map.
    pub(crate) fn name(&self) -> &'static str {
        self.preset().name
    }

    /// Chooses a map by its number, to be set up when the scene begins.
    pub(crate) fn choose(&mut self, preset: usize) {
        *self = Self::new(preset % PRESETS.len());
    }
}

/// Draws the lab's part of the panel.
pub(super) fn controls(ui: &mut egui::Ui, world: &mut World) {
    maps(ui, world);
    caption(ui, "Replay");
    replay(ui, world);
    table(ui, world.resource::<SearchResults>(), world.resource::<LabSettings>());
    caption(ui, "Draw with");
    brushes(ui, &mut world.resource_mut::<MapEditor>());
    caption(ui, "Searches");
    panel::edit::<LabSettings>(ui, world);
}

fn maps(ui: &mut egui::Ui, world: &mut World) {
    caption(ui, "Map");
    let chosen = world.resource::<MapChoice>().preset;
    let mut wanted = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(4.0, 4.0);
        for (i, preset) in PRESETS.iter().enumerate() {
            let button =
                ui.add(egui::Button::selectable(i == chosen, preset.title)).on_hover_text(preset.point);
            record_rect(format!("lab.{}", preset.name), &button);
            wanted = wanted.or(button.clicked().then_some(i));
        }
    });
    ui.label(theme::quiet(PRESETS[chosen].point));
    if let Some(preset) = wanted {
        world.resource_mut::<MapChoice>().choose(preset);
        world
            .run_system_cached(|mut scenes: SceneControl| scenes.restart())
            .expect("it needs only resources that always exist");
    }
}

fn replay(ui: &mut egui::Ui, world: &mut World) {
    let is_paused = world.resource::<Time<Virtual>>().is_paused();
    let mut replay = world.resource_mut::<Replay>();
    let mut unpause = false;
    ui.horizontal(|ui| {
        if button(ui, "lab.first", "⏮", "to the beginning") {
            replay.step(i32::MIN / 2);
        }
        if button(ui, "lab.back", "⏴", "one step back (left arrow)") {
            replay.step(-1);
        }
        let runs = replay.is_running && !is_paused;
        if button(ui, "lab.run", if runs { "⏸" } else { "▶" }, "run; from the end, run again (Enter)") {
            if runs {
                replay.is_running = false;
            } else {
                unpause = true;
                if replay.shown() >= replay.last {
                    replay.begin();
                }
                replay.is_running = true;
            }
        }
        if button(ui, "lab.forth", "⏵", "one step (right arrow)") {
            replay.step(1);
        }
        if button(ui, "lab.end", "⏭", "to the end") {
            replay.step(i32::MAX / 2);
        }
        ui.label(theme::quiet(format!("{} of {}", replay.shown(), replay.last)));
    });
    let (mut at, last) = (replay.shown(), replay.last);
    ui.spacing_mut().slider_width = ui.available_width();
    let slider = ui.add(egui::Slider::new(&mut at, 0..=last.max(1)).show_value(false));
    record_rect("lab.scrub", &slider);
    if slider.changed() {
        replay.is_running = false;
        replay.go(at as f32);
    }
    if unpause {
        world.resource_mut::<Time<Virtual>>().unpause();
    }
}

fn brushes(ui: &mut egui::Ui, editor: &mut MapEditor) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (i, &(name, _)) in BRUSHES.iter().enumerate() {
            let button = ui.add(egui::Button::selectable(i == editor.brush, name));
            record_rect(format!("lab.brush.{}", name.replace(' ', "")), &button);
            if button.clicked() {
                editor.brush = i;
            }
        }
    });
}

/// A row of the table: its title, and the value of a search.
type Line = (&'static str, fn(&Run) -> String);

const TABLE: &[Line] = &[
    ("time", |run| format!("{:.0} µs", run.micros)),
    ("expanded", |run| theme::grouped(run.metrics.expanded)),
    ("length", |run| run.length().map_or_else(|| "–".to_owned(), |length| format!("{length:.2}"))),
    ("cost", |run| found(run, |answer| format!("{:.2}", answer.cost))),
    ("optimal", optimal),
];

fn found(run: &Run, write: impl Fn(&pathfind_core::Answer) -> String) -> String {
    run.answer.as_ref().map_or_else(|_| "–".to_owned(), write)
}

/// Whether a path is optimal among grid paths, or by how much it is longer, or shorter at any angle.
fn optimal(run: &Run) -> String {
    match (&run.answer, run.excess()) {
        (Err(error), _) => error.to_string(),
        (Ok(_), None) => "no path".to_owned(),
        (Ok(_), Some(excess)) if excess > 5e-5 => format!("no, +{:.1} %", excess * 100.0),
        (Ok(_), Some(excess)) if excess < -5e-5 => format!("−{:.1} %, any angle", -excess * 100.0),
        (Ok(_), Some(_)) => "yes".to_owned(),
    }
}

/// The title of a side's column: its algorithm, or what differs if both sides have the same.
fn title(settings: &LabSettings, side: usize, ran: Algorithm) -> String {
    let is_same = settings.compare && settings.left.algorithm == settings.right.algorithm;
    let note = settings.notes(side, ran).into_iter().next().filter(|_| is_same);
    note.unwrap_or_else(|| algorithm_label(ran).to_owned())
}

fn table(ui: &mut egui::Ui, results: &SearchResults, settings: &LabSettings) {
    let runs = || results.runs.iter().flatten().take(settings.sides());
    let column = |(side, run): (usize, &Run)| {
        let chosen = settings.side(side).algorithm;
        title(settings, side, run.answer.as_ref().map_or(chosen, |answer| answer.algorithm))
    };
    let columns: Vec<_> = runs().enumerate().map(column).collect();
    let titles: Vec<_> = std::iter::once("").chain(columns.iter().map(String::as_str)).collect();
    let rows =
        TABLE.iter().map(|&(title, write)| (theme::quiet(title), runs().map(write).collect::<Vec<_>>()));
    ui.add_space(6.0);
    theme::table(ui, "table", &titles, rows);
    ui.horizontal_wrapped(|ui| {
        let [first, last] = theme::CLOSED;
        let legend =
            [("expanded first", first), ("last", last), ("opened", theme::OPENED), ("path", theme::TEXT)];
        for (meaning, color) in legend {
            ui.label(theme::key_and_meaning("■", meaning, [color, theme::QUIET]));
        }
    });
}

pub(super) fn read_keys(
    keys: Keys,
    mut lab: Lab,
    mut editor: ResMut<MapEditor>,
    mut scenes: SceneControl,
    mut time: ResMut<Time<Virtual>>,
) {
    for key in keys.all_just_pressed() {
        match key {
            KeyCode::Enter => {
                lab.replay.begin();
                time.unpause();
            }
            KeyCode::ArrowRight => lab.replay.step(1),
            KeyCode::ArrowLeft => lab.replay.step(-1),
            KeyCode::KeyB => editor.brush = (editor.brush + 1) % BRUSHES.len(),
            KeyCode::KeyM => {
                let next = lab.map_choice.preset + 1;
                lab.map_choice.choose(next);
                scenes.restart();
            }
            _ => {}
        }
    }
}

/// Writes the values of the table to the telemetry.
pub(super) fn write_facts(lab: Lab, mut facts: ResMut<Facts>) {
    let side = |run: &Run| {
        let answer = run.answer.as_ref().ok();
        json!({
            "algorithm": answer.map(|answer| answer.algorithm.to_string()),
            "micros": run.micros,
            "length": run.length(),
            "cost": answer.map(|answer| answer.cost),
            "is_over": run.is_over(lab.replay.shown()),
        })
    };
    let sides: Vec<Value> = lab.results.runs.iter().flatten().map(side).collect();
    facts.set("map", lab.map_choice.name());
    facts.set("goal", json!([lab.results.goal.x, lab.results.goal.y]));
    facts.set("sides", sides);
    facts.set("replay", json!([lab.replay.shown(), lab.replay.last, lab.replay.is_running]));
}
