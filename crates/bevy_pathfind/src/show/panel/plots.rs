//! Plots of everything that is measured.

use std::collections::{BTreeMap, VecDeque};

use bevy::diagnostic::DiagnosticsStore;
use bevy::prelude::*;
use bevy::reflect::ReflectRef;
use bevy_egui::egui;
use egui_plot::{Line, Plot, PlotPoints, PlotUi};

use super::reflect::{label, note};
use super::stages::{STAGES, StageClock};
use super::state::NavPanel;
use super::window::button;
use crate::steer::FlockReadout;

/// How many samples a plot holds.
const SAMPLES: usize = 600;
/// How high a plot of one line is, and one of several, in points.
const HEIGHT: f32 = 72.0;
const TALL: f32 = 120.0;

/// What has been measured while the panel was open.
#[derive(Default)]
pub(super) struct Plots {
    is_paused: bool,
    /// Times of the frame, in milliseconds.
    frame: Series,
    /// Times of each stage, in milliseconds.
    stages: [Series; STAGES.len()],
    series: BTreeMap<String, Series>,
}

/// Samples: when, and how much.
type Series = VecDeque<[f64; 2]>;

impl Plots {
    fn push(&mut self, name: &str, at: f64, value: f64) {
        match self.series.get_mut(name) {
            Some(series) => push(series, at, value),
            None => push(self.series.entry(name.to_owned()).or_default(), at, value),
        }
    }
}

fn push(series: &mut Series, at: f64, value: f64) {
    if value.is_finite() {
        if series.len() == SAMPLES {
            series.pop_front();
        }
        series.push_back([at, value]);
    }
}

/// Takes a sample of the times of the frame and the stages, of every diagnostic of ours, and of the read-out of
/// the first flock.
pub(super) fn sample(
    mut panel: ResMut<NavPanel>,
    mut clock: ResMut<StageClock>,
    time: Res<Time<Real>>,
    diagnostics: Option<Res<DiagnosticsStore>>,
    flocks: Query<(Entity, &FlockReadout)>,
) {
    let spent = clock.take();
    let plots = &mut panel.bypass_change_detection().plots;
    if plots.is_paused {
        return;
    }
    let at = time.elapsed_secs_f64();
    push(&mut plots.frame, at, time.delta_secs_f64() * 1e3);
    for (stage, spent) in plots.stages.iter_mut().zip(spent) {
        push(stage, at, spent);
    }
    for diagnostic in diagnostics.iter().flat_map(|store| store.iter()) {
        let name = diagnostic.path().as_str();
        if name.starts_with("nav/")
            && let Some(value) = diagnostic.value()
        {
            plots.push(name, at, value);
        }
    }
    let first = flocks.iter().min_by_key(|(entity, _)| entity.index_u32());
    let Some(ReflectRef::Struct(fields)) = first.map(|(_, readout)| readout.reflect_ref()) else { return };
    for (name, field) in fields.iter_fields() {
        let number = field.try_downcast_ref::<f32>().copied().map(f64::from);
        let number = number.or_else(|| field.try_downcast_ref::<u32>().copied().map(f64::from));
        if let Some(number) = number {
            plots.push(&format!("flock/{name}"), at, number);
        }
    }
}

/// Draws all plots.
pub(super) fn plots_ui(ui: &mut egui::Ui, panel: &mut NavPanel) {
    let plots = &mut panel.plots;
    ui.horizontal(|ui| {
        let text = if plots.is_paused { "Go on" } else { "Pause" };
        if button(ui, "plots pause", text, true).clicked() {
            plots.is_paused = !plots.is_paused;
        }
        if button(ui, "plots clear", "Clear", true).clicked() {
            *plots = Plots { is_paused: plots.is_paused, ..Plots::default() };
        }
    });
    if !plots.frame.is_empty() {
        head(ui, "Frame", &format!("{:.2} ms", last(&plots.frame)));
        plot(ui, "frame", HEIGHT, |plot| plot.line(line("frame", &plots.frame)));
        head(ui, "Stages", &format!("{:.2} ms", plots.stages.iter().map(last).sum::<f64>()));
        let stages = STAGES.into_iter().zip(&plots.stages).zip(colors());
        plot(ui, "stages", TALL, |plot| {
            for ((stage, series), color) in stages.clone() {
                plot.line(line(stage, series).color(color));
            }
        });
        ui.horizontal_wrapped(|ui| {
            for ((stage, series), color) in stages {
                ui.spacing_mut().item_spacing.x = 4.0;
                ui.colored_label(color, "■");
                ui.label(format!("{stage} {:.2}", last(series)));
                ui.add_space(6.0);
            }
        });
    }
    for (name, series) in &plots.series {
        head(ui, &plot_label(name), &format!("{:.2}", last(series)));
        plot(ui, name, HEIGHT, |plot| plot.line(line(name, series)));
    }
}

/// What is plotted, and its last value on the right.
fn head(ui: &mut egui::Ui, what: &str, value: &str) {
    ui.horizontal(|ui| {
        ui.label(what);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| ui.monospace(value));
    });
}

/// The colours of the stages: apart from each other, and from light and dark.
fn colors() -> impl Iterator<Item = egui::Color32> + Clone {
    let hue = |stage: usize| stage as f32 / STAGES.len() as f32;
    (0..STAGES.len()).map(move |stage| egui::ecolor::Hsva::new(hue(stage), 0.75, 0.8, 1.0).into())
}

/// A plot that nothing moves.
fn plot(ui: &mut egui::Ui, name: &str, height: f32, draw: impl FnOnce(&mut PlotUi)) {
    let plot = Plot::new(name)
        .height(height)
        .show_axes([false, true])
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .include_y(0.0);
    let shown = plot.show(ui, |plot| draw(plot));
    note(&format!("plot {name}"), &shown.response);
}

fn line<'a>(name: &str, series: &Series) -> Line<'a> {
    let points: Vec<[f64; 2]> = series.iter().copied().collect();
    Line::new(name.to_owned(), PlotPoints::from(points))
}

fn last(series: &Series) -> f64 {
    series.back().map_or(0.0, |sample| sample[1])
}

/// `nav/solve/waiting` → `Solve: waiting`.
fn plot_label(name: &str) -> String {
    let name = name.strip_prefix("nav/").unwrap_or(name);
    let (stage, rest) = name.split_once('/').map_or(("", name), |(stage, rest)| (stage, rest));
    let rest = label(&rest.replace('/', " "));
    if stage.is_empty() { rest } else { format!("{}: {}", label(stage), rest.to_lowercase()) }
}
