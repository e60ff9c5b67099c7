//! Plots of everything that is measured.

use std::collections::{BTreeMap, VecDeque};

use bevy::diagnostic::DiagnosticsStore;
use bevy::ecs::reflect::ReflectComponent;
use bevy::prelude::*;
use bevy::reflect::ReflectRef;
use bevy_egui::egui;
use egui_plot::{Line, Plot, PlotPoints};

use super::reflect::{label, note};
use super::state::NavPanel;
use super::window::button;

/// How many samples a plot holds.
const SAMPLES: usize = 600;
/// How high a plot is, in points.
const HEIGHT: f32 = 72.0;

/// What has been measured while the panel was open.
#[derive(Default)]
pub(super) struct Plots {
    is_paused: bool,
    series: BTreeMap<String, VecDeque<[f64; 2]>>,
}

impl Plots {
    fn push(&mut self, name: &str, at: f64, value: f64) {
        if !value.is_finite() {
            return;
        }
        let series = match self.series.get_mut(name) {
            Some(series) => series,
            None => self.series.entry(name.to_owned()).or_default(),
        };
        if series.len() == SAMPLES {
            series.pop_front();
        }
        series.push_back([at, value]);
    }
}

/// Takes a sample of every diagnostic of ours, of the frame time, and of the read-outs of flocks.
pub(super) fn sample(world: &mut World) {
    let Some(at) = world.get_resource::<Time<Real>>().map(Time::elapsed_secs_f64) else { return };
    world.resource_scope(|world, mut panel: Mut<NavPanel>| {
        let plots = &mut panel.bypass_change_detection().plots;
        if plots.is_paused {
            return;
        }
        if let Some(store) = world.get_resource::<DiagnosticsStore>() {
            for diagnostic in store.iter() {
                let name = diagnostic.path().as_str();
                if (name.starts_with("nav/") || name == "frame_time")
                    && let Some(value) = diagnostic.value()
                {
                    plots.push(name, at, value);
                }
            }
        }
        for (name, value) in read_flocks(world) {
            plots.push(&name, at, value);
        }
    });
}

/// The numbers of the first flock's read-out, whatever they are.
fn read_flocks(world: &World) -> Vec<(String, f64)> {
    let registry = world.resource::<AppTypeRegistry>().read();
    let readout =
        registry.iter().find(|kind| kind.type_info().type_path_table().ident() == Some("FlockReadout"));
    let Some((readout, component)) = readout.and_then(|kind| Some((kind, kind.data::<ReflectComponent>()?)))
    else {
        return Vec::new();
    };
    let Some(id) = world.components().get_id(readout.type_id()) else { return Vec::new() };
    let mut flocks = world.iter_entities().filter(|entity| entity.contains_id(id));
    let Some(value) = flocks.next().and_then(|entity| component.reflect(entity)) else { return Vec::new() };
    let ReflectRef::Struct(fields) = value.reflect_ref() else { return Vec::new() };
    fields
        .iter_fields()
        .filter_map(|(name, field)| {
            let number = field.try_downcast_ref::<f32>().copied().map(f64::from);
            let number = number.or_else(|| field.try_downcast_ref::<u32>().copied().map(f64::from));
            Some((format!("flock/{name}"), number?))
        })
        .collect()
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
            plots.series.clear();
        }
    });
    if plots.series.is_empty() {
        ui.weak("Nothing is measured. Add Bevy's DiagnosticsPlugin and FrameTimeDiagnosticsPlugin.");
    }
    for (name, samples) in &plots.series {
        let last = samples.back().map_or(0.0, |sample| sample[1]);
        ui.horizontal(|ui| {
            ui.label(plot_label(name));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.monospace(format!("{last:.2}"));
            });
        });
        let points: Vec<[f64; 2]> = samples.iter().copied().collect();
        let shown = Plot::new(name)
            .height(HEIGHT)
            .show_axes([false, true])
            .allow_drag(false)
            .allow_zoom(false)
            .allow_scroll(false)
            .allow_boxed_zoom(false)
            .include_y(0.0)
            .show(ui, |plot| plot.line(Line::new(name.as_str(), PlotPoints::from(points))));
        note(&format!("plot {name}"), &shown.response);
    }
}

/// `nav/solve/waiting` → `Solve: waiting`.
fn plot_label(name: &str) -> String {
    let name = name.strip_prefix("nav/").unwrap_or(name);
    let (stage, rest) = name.split_once('/').map_or(("", name), |(stage, rest)| (stage, rest));
    let rest = label(&rest.replace('/', " "));
    if stage.is_empty() { rest } else { format!("{}: {}", label(stage), rest.to_lowercase()) }
}
