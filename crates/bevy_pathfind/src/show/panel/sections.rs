//! The sections of the panel: agents, explanation, and one for each stage.

use core::marker::PhantomData;

use bevy::prelude::*;
use bevy_egui::egui;

use super::reflect::algorithm_label;
use super::state::NavPanel;
use super::tune::{resource_ui, settings_ui};
use super::widgets::{caption, note};
use super::{links, list, names, plots, reasons};
use crate::agent::Agent;
use crate::order::SearchOptions;
use crate::presets::{PresetComponent, PresetComponentPlugin};
use crate::settings::NavSettings;
use crate::show::NavGizmos;
use crate::solve::{SolveSettings, SolveStats};
use crate::steer::{Avoider, Behavior, Flock, FlockLeader, Fugitive, Pursuer, Separation, SteerSettings};
use crate::world::{InfluenceLayers, NavGrid, TerrainSpeed};

/// The most grids that are listed.
const LISTED: usize = 20;

/// Draws the sliders of one kind of settings.
type Draw = fn(&mut egui::Ui, &mut World, &NavPanel);

/// The settings of the game's own components (see [`PanelComponentPlugin`]).
#[derive(Resource, Default)]
struct OwnSettings(Vec<Draw>);

/// Gives a component of your own sliders in the panel, in the section *Game*, and presets
/// ([`PresetComponentPlugin`]). The sliders are made from the field's attributes and documentation, as for the
/// components of this crate.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// # use bevy_pathfind::{presets::PresetComponent, show::panel::PanelComponentPlugin};
/// # #[derive(Component, Reflect, Debug, Clone, Default, serde::Serialize, serde::Deserialize)]
/// # #[reflect(Component, Default)]
/// # struct Sail {
/// #     drift: f32,
/// # }
/// # impl PresetComponent for Sail {
/// #     const EXTENSION: &'static str = "sail.ron";
/// #     const TITLE: &'static str = "Sail";
/// # }
/// # fn plug_in(app: &mut App) {
/// app.add_plugins((NavPanelPlugin::default(), PanelComponentPlugin::<Sail>::default()));
/// # }
/// ```
#[derive(Debug, Default)]
pub struct PanelComponentPlugin<T>(PhantomData<fn() -> T>);

impl<T: PresetComponent> Plugin for PanelComponentPlugin<T> {
    fn build(&self, app: &mut App) {
        app.add_plugins(PresetComponentPlugin::<T>::default());
        app.world_mut().get_resource_or_init::<OwnSettings>().0.push(settings_ui::<T>);
    }
}

/// Draws all sections, in the order in which the stages run.
pub(super) fn all(ui: &mut egui::Ui, world: &mut World, panel: &mut NavPanel) {
    section(ui, "Agents", true, |ui| list::list_ui(ui, world, panel));
    if let Some(agent) = panel.focus() {
        let title = format!("Why: {}", names::name_of(world, agent));
        named_section(ui, "Why", &title, true, |ui| reasons::why_ui(ui, world, agent));
    }
    section(ui, "World", false, |ui| {
        world_ui(ui, world);
        caption(ui, "All stages", "");
        resource_ui::<NavSettings>(ui, world);
        resource_ui::<TerrainSpeed>(ui, world);
        caption(ui, "Influence", "");
        resource_ui::<InfluenceLayers>(ui, world);
    });
    section(ui, "Request", false, |ui| {
        ui.weak("Of requests without options of their own.");
        resource_ui::<SearchOptions>(ui, world);
    });
    section(ui, "Solve", false, |ui| {
        solve_ui(ui, world);
        resource_ui::<SolveSettings>(ui, world);
    });
    section(ui, "Steer", true, |ui| {
        settings_ui::<Pursuer>(ui, world, panel);
        settings_ui::<Fugitive>(ui, world, panel);
        settings_ui::<Avoider>(ui, world, panel);
        settings_ui::<Behavior>(ui, world, panel);
        settings_ui::<Separation>(ui, world, panel);
        settings_ui::<Flock>(ui, world, panel);
        settings_ui::<FlockLeader>(ui, world, panel);
        caption(ui, "All steering", "");
        resource_ui::<SteerSettings>(ui, world);
    });
    section(ui, "Motion", true, |ui| settings_ui::<Agent>(ui, world, panel));
    let own = world.get_resource::<OwnSettings>().map(|own| own.0.clone()).unwrap_or_default();
    if !own.is_empty() {
        section(ui, "Game", true, |ui| own.into_iter().for_each(|draw| draw(ui, world, panel)));
    }
    section(ui, "Show", false, |ui| resource_ui::<NavGizmos>(ui, world));
    section(ui, "Plots", false, |ui| plots::plots_ui(ui, &mut world.resource_mut::<plots::Plots>()));
}

fn section(ui: &mut egui::Ui, name: &str, is_open: bool, draw: impl FnOnce(&mut egui::Ui)) {
    named_section(ui, name, name, is_open, draw);
}

fn named_section(
    ui: &mut egui::Ui,
    name: &str,
    title: &str,
    is_open: bool,
    draw: impl FnOnce(&mut egui::Ui),
) {
    let text = egui::RichText::new(title).heading();
    let header =
        egui::CollapsingHeader::new(text).id_salt(name).default_open(is_open).show(ui, |ui| draw(ui));
    note(&format!("section {name}"), &header.header_response);
}

fn world_ui(ui: &mut egui::Ui, world: &mut World) {
    let mut grids = world.query::<(Entity, &NavGrid, Option<&Name>)>();
    if grids.iter(world).next().is_none() {
        ui.weak("There is no grid.");
    }
    // A world of chunks may have thousands.
    let count = grids.iter(world).count();
    if count > LISTED {
        ui.weak(format!("{count} grids, of which {LISTED} are listed"));
    }
    for (entity, nav, name) in grids.iter(world).take(LISTED) {
        let grid = nav.grid();
        let name = name.map_or_else(|| format!("Grid {}", entity.index_u32()), ToString::to_string);
        caption(ui, &name, "");
        let size = ui.label(format!("{} × {} cells of {} u", grid.width(), grid.height(), nav.cell_size()));
        size.on_hover_text("u: world units, as in transforms; b: body units, 2.5 radii of the agent");
        ui.label(format!("revision {}", grid.revision())).on_hover_text("Grows with every edit of the grid");
    }
    links::links_ui(ui, world);
}

fn solve_ui(ui: &mut egui::Ui, world: &World) {
    let Some(stats) = world.get_resource::<SolveStats>() else { return };
    ui.label(format!("{} waiting, {} being searched, {} done", stats.waiting, stats.running, stats.finished));
    if let Some(last) = &stats.last {
        ui.label(format!(
            "Last: {}, {:.0} µs, {} cells expanded",
            algorithm_label(last.algorithm),
            last.micros,
            last.expanded
        ));
    }
}
