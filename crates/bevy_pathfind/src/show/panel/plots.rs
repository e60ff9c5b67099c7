//! Plots of all measurements: frame and stage times, diagnostics, and flock statistics.

use std::collections::{BTreeMap, VecDeque};

use bevy::diagnostic::DiagnosticsStore;
use bevy::prelude::*;
use bevy::reflect::ReflectRef;
use bevy_egui::egui;
use egui_plot::{Line, Plot, PlotPoints};

use super::reflect::label;
use super::stages::{STAGES, StageClock};
use super::widgets::{button, note};
use crate::steer::FlockStats;

/// The most samples of a plot.
const SAMPLES: usize = 600;
/// Height of a plot with one line, and of one with several, in points.
const HEIGHT: f32 = 86.0;
const TALL: f32 = 134.0;

/// The samples taken while the panel was open.
#[derive(Resource, Default)]
pub(super) struct Plots {
    is_paused: bool,
    /// Frame times, in milliseconds.
    frame: Series,
    /// Stage times, in milliseconds.
    stages: [Series; STAGES.len()],
    /// All other measurements, by name: unit and samples.
    others: BTreeMap<String, (String, Series)>,
}

/// Samples: pairs of time and value.
type Series = VecDeque<[f64; 2]>;

impl Plots {
    fn push(&mut self, name: &str, unit: &str, at: f64, value: f64) {
        let (_, series) =
            self.others.entry(name.to_owned()).or_insert_with(|| (unit.to_owned(), Series::new()));
        push(series, at, value);
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

/// Takes a sample of frame time, stage times, every diagnostic under `nav/`, and the [`FlockStats`] of the first
/// flock.
pub(super) fn sample(
    mut plots: ResMut<Plots>,
    mut clock: ResMut<StageClock>,
    time: Res<Time<Real>>,
    diagnostics: Option<Res<DiagnosticsStore>>,
    flocks: Query<(Entity, &FlockStats)>,
) {
    let spent = clock.take();
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
            plots.push(name, &diagnostic.suffix, at, value);
        }
    }
    let first = flocks.iter().min_by_key(|(entity, _)| entity.index_u32());
    let Some(ReflectRef::Struct(fields)) = first.map(|(_, readout)| readout.reflect_ref()) else { return };
    for (name, field) in fields.iter_fields() {
        let number = field.try_downcast_ref::<f32>().copied().map(f64::from);
        let number = number.or_else(|| field.try_downcast_ref::<u32>().copied().map(f64::from));
        if let Some(number) = number {
            plots.push(&format!("flock/{name}"), "", at, number);
        }
    }
}

pub(super) fn plots_ui(ui: &mut egui::Ui, plots: &mut Plots) {
    ui.horizontal(|ui| {
        let text = if plots.is_paused { "Go on" } else { "Pause" };
        if button(ui, "plots pause", text, true).clicked() {
            plots.is_paused = !plots.is_paused;
        }
        if button(ui, "plots clear", "Clear", true).clicked() {
            *plots = Plots { is_paused: plots.is_paused, ..Plots::default() };
        }
    });
    let one = hue(0.48, ui);
    if !plots.frame.is_empty() {
        head(ui, "Frame", &format!("{:.2} ms", last(&plots.frame)));
        plot(ui, "frame", HEIGHT, &[("frame", &plots.frame, one)]);
        head(ui, "Stages", &format!("{:.2} ms", plots.stages.iter().map(last).sum::<f64>()));
        let stages: [_; STAGES.len()] = core::array::from_fn(|stage| {
            (STAGES[stage], &plots.stages[stage], hue(stage as f32 / STAGES.len() as f32, ui))
        });
        plot(ui, "stages", TALL, &stages);
        ui.horizontal_wrapped(|ui| {
            for (stage, series, color) in stages {
                let font = egui::TextStyle::Body.resolve(ui.style());
                let written = |color| egui::TextFormat::simple(font.clone(), color);
                let mut entry = egui::text::LayoutJob::default();
                entry.append("■", 0.0, written(color));
                let text = format!("{stage} {:.2}", last(series));
                entry.append(&text, 4.0, written(ui.visuals().text_color()));
                ui.add(egui::Label::new(entry).extend());
            }
        });
    }
    for (name, (unit, series)) in &plots.others {
        head(ui, &plot_label(name), &format!("{}{unit}", number(last(series))));
        plot(ui, name, HEIGHT, &[(name, series, one)]);
    }
}

/// A number as text: integers without decimals, others with two.
fn number(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value}") } else { format!("{value:.2}") }
}

/// The name of a plot, and its last value on the right.
fn head(ui: &mut egui::Ui, what: &str, value: &str) {
    ui.horizontal(|ui| {
        ui.label(what);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| ui.monospace(value));
    });
}

/// A colour that contrasts with the plots' background, in dark and light mode.
fn hue(hue: f32, ui: &egui::Ui) -> egui::Color32 {
    let value = if ui.visuals().dark_mode { 0.85 } else { 0.6 };
    egui::ecolor::Hsva::new(hue, 0.7, value, 1.0).into()
}

/// A plot over the time until now, in seconds, that cannot be dragged, zoomed or scrolled.
fn plot(ui: &mut egui::Ui, name: &str, height: f32, lines: &[(&str, &Series, egui::Color32)]) {
    let now =
        lines.iter().filter_map(|(_, series, _)| series.back()).map(|sample| sample[0]).fold(0.0, f64::max);
    let plot = Plot::new(name)
        .height(height)
        .x_axis_formatter(move |mark, _| match mark.value - now {
            ago if ago > -0.5 => "now".to_owned(),
            ago => format!("{ago:.0} s"),
        })
        .show_grid([false, true])
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .include_y(0.0);
    // A series of zeros is drawn at the bottom of the plot instead of in its middle.
    let is_nothing = lines.iter().all(|(_, series, _)| series.iter().all(|sample| sample[1] == 0.0));
    let plot = if is_nothing { plot.include_y(1.0) } else { plot };
    let shown = plot.show(ui, |plot| {
        for &(name, series, color) in lines {
            let points: Vec<[f64; 2]> = series.iter().copied().collect();
            plot.line(Line::new(name, PlotPoints::from(points)).color(color));
        }
    });
    note(&format!("plot {name}"), &shown.response);
}

fn last(series: &Series) -> f64 {
    series.back().map_or(0.0, |sample| sample[1])
}

/// `nav/solve/waiting` → `Solve: waiting`.
fn plot_label(name: &str) -> String {
    let name = name.strip_prefix("nav/").unwrap_or(name);
    let (stage, rest) = name.split_once('/').map_or(("", name), |(stage, rest)| (stage, rest));
    let rest = match rest {
        "micros" => "time of the last search".to_owned(),
        "latency_p50" => "half are answered within".to_owned(),
        "latency_p99" => "99 of 100 are answered within".to_owned(),
        _ => label(&rest.replace('/', " ")),
    };
    if stage.is_empty() { rest } else { format!("{}: {}", label(stage), rest.to_lowercase()) }
}
