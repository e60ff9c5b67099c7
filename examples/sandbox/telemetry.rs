//! Telemetry: one line of JSON for every frame, for tests and measurements.

use bevy_pathfind::{
    prelude::*, presets::PresetFiles, show::panel::NavPanel, solve::SolveStats, world::GridTransform,
};
use std::collections::BTreeMap;
#[cfg(not(target_arch = "wasm32"))]
use std::{fs::File, io::Write};

use bevy::{
    ecs::{query::QueryData, system::SystemParam},
    prelude::*,
    window::PrimaryWindow,
};
use pathfind_core::SearchEventKind;
use serde_json::{Map, Value, json};

use crate::{
    grid_picture::GridPicture,
    menu::MenuLayout,
    orders::{Selectable, Selected},
    overlay::SearchView,
    panel::PanelLayout,
    pointer::Pointer,
    scenes::{ActiveScene, Seed},
    session::Session,
    view::View,
    widgets::WidgetRects,
};

/// The scene's own section of a line, such as scores. It is cleared when a scene begins.
#[derive(Resource, Debug, Default)]
pub(crate) struct Facts(pub BTreeMap<&'static str, Value>);

impl Facts {
    /// Sets a fact, replacing its previous value.
    pub(crate) fn set(&mut self, name: &'static str, fact: impl Into<Value>) {
        self.0.insert(name, fact.into());
    }
}

/// The most agents that are described by name in a line.
const NAMED: usize = 32;
/// The most waypoints of an agent in a line.
const TURNS: usize = 64;

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Facts>();
    add_record(app);
}

/// Lines go to the file of `--telemetry`.
#[cfg(not(target_arch = "wasm32"))]
fn add_record(app: &mut App) {
    let Some(path) = app.world().resource::<crate::flags::Flags>().telemetry.clone() else { return };
    let mut file = match File::create(&path) {
        Ok(file) => file,
        Err(error) => return error!("cannot write {}: {error}", path.display()),
    };
    app.add_systems(Last, move |sources: Sources| {
        let mut line = sources.line().to_string();
        line.push('\n');
        // One call for the whole line, so that readers hardly ever see an incomplete one; there is no buffer to
        // flush.
        if let Err(error) = file.write_all(line.as_bytes()) {
            error_once!("the telemetry cannot be written: {error}");
        }
    });
}

/// The page is given the last line, if its address asks for telemetry.
#[cfg(target_arch = "wasm32")]
fn add_record(app: &mut App) {
    use crate::web::page;
    if page::wants_telemetry() {
        app.add_systems(Last, |sources: Sources| page::publish(&sources.line().to_string()));
    }
}

/// An agent, as a line describes it.
#[derive(QueryData)]
struct Described {
    entity: Entity,
    name: Option<&'static Name>,
    transform: &'static Transform,
    agent: &'static Agent,
    velocity: &'static AgentVelocity,
    status: Option<&'static PathStatus>,
    path: Option<&'static NavPath>,
    is_selected: Has<Selected>,
}

/// The sources of a line.
#[derive(SystemParam)]
struct Sources<'w, 's> {
    session: Res<'w, Session>,
    scene: Res<'w, State<ActiveScene>>,
    stats: Res<'w, SolveStats>,
    search: Res<'w, SearchOptions>,
    view: Res<'w, View>,
    pointer: Res<'w, Pointer>,
    layout: Res<'w, PanelLayout>,
    menu: Res<'w, MenuLayout>,
    widget_rects: Res<'w, WidgetRects>,
    seed: Res<'w, Seed>,
    facts: Res<'w, Facts>,
    shown: Res<'w, SearchView>,
    real: Res<'w, Time<Real>>,
    virtual_time: Res<'w, Time<Virtual>>,
    agents: Query<'w, 's, Described>,
    ours: Query<'w, 's, &'static Selectable>,
    grids: Query<'w, 's, (Entity, &'static NavGrid, &'static Transform), With<GridPicture>>,
    tuning: Res<'w, NavPanel>,
    presets: Option<Res<'w, PresetFiles>>,
    flocks: Query<'w, 's, (Entity, &'static Flock, Option<&'static PresetOf<Flock>>)>,
    window: Query<'w, 's, &'static Window, With<PrimaryWindow>>,
}

impl Sources<'_, '_> {
    fn line(&self) -> Value {
        let mut agents: Vec<_> = self.agents.iter().collect();
        agents.sort_by_key(|agent| agent.entity.index_u32());
        let named: Map<String, Value> = agents
            .iter()
            .filter_map(|agent| Some((agent.name?.to_string(), self.describe(agent))))
            .take(NAMED)
            .collect();
        json!({
            "frame": self.session.frame,
            "time": self.virtual_time.elapsed_secs(),
            "frame_ms": self.real.delta_secs() * 1000.0,
            "scene": self.scene.get().0,
            "seed": self.seed.0,
            "paused": self.virtual_time.is_paused(),
            "agents": agents.len(),
            "waiting": self.stats.waiting + self.stats.running,
            "searches": self.stats.finished,
            "expanded": self.stats.expanded,
            "replanned": self.stats.replanned,
            "options": *self.search,
            "selectable": self.ours.iter().count(),
            "selected": agents.iter().filter(|agent| agent.is_selected).count(),
            "named": named,
            "cells": self.cells(),
            "facts": self.facts.0,
            "pointer": self.pointer(),
            "grid": self.grid(),
            "view": self.view(),
            "panel": self.layout.panel.map(rect),
            "bar": self.menu.bar.map(rect),
            "tuning": self.tuning(),
            "widgets": self.widget_rects.0.iter().map(|(name, &at)| (name.clone(), rect(at))).collect::<Map<_, Value>>(),
        })
    }

    fn describe(&self, described: &DescribedItem) -> Value {
        let &DescribedItem { transform, agent, velocity, status, path, .. } = described;
        let at = transform.translation;
        json!({
            "at": point(at),
            "cell": self.cell(at.truncate()),
            "speed": velocity.0.length(),
            "top_speed": agent.speed,
            "turn_rate": agent.turn_rate,
            "radius": agent.radius,
            "status": status.map_or_else(|| "none".to_owned(), |status| format!("{status:?}")),
            // The remaining waypoints.
            "way": path.map(|path| path.remaining().iter().take(TURNS).copied().map(point).collect::<Vec<_>>()),
        })
    }

    /// The map; if there are several, the first one.
    fn map(&self) -> Option<(&NavGrid, GridTransform)> {
        let first = self.grids.iter().min_by_key(|(entity, ..)| entity.index_u32());
        first.map(|(_, nav, &place)| (nav, GridTransform::new(nav, place)))
    }

    fn cell(&self, at: Vec2) -> Option<[i32; 2]> {
        let (_, place) = self.map()?;
        let cell = place.cell_at(at.extend(0.0));
        Some([cell.x, cell.y])
    }

    fn cells(&self) -> Value {
        let last = self.shown.last.as_ref();
        let events =
            last.and_then(|last| last.recording.as_ref()).map_or(&[][..], |recording| recording.events());
        json!({
            "shown": self.shown.cells,
            "closed": events.iter().filter(|event| event.kind == SearchEventKind::Closed).count(),
            "algorithm": last.map(|last| last.algorithm.to_string()),
        })
    }

    fn pointer(&self) -> Value {
        json!({
            "screen": self.pointer.screen.to_array(),
            "world": self.pointer.world.to_array(),
            "cell": self.cell(self.pointer.world),
            "over_panel": self.pointer.is_over_panel,
        })
    }

    fn grid(&self) -> Value {
        let Some((nav, place)) = self.map() else { return Value::Null };
        let size = nav.grid().size();
        json!({
            "revision": nav.revision(),
            "fences": nav.grid().fences().count(),
            "size": size.to_array(),
            // A cell (column, row) is at origin + column * across + row * down.
            "origin": place.to_world(Vec2::ZERO, 0.0).truncate().to_array(),
            "across": (place.to_world(Vec2::X, 0.0) - place.to_world(Vec2::ZERO, 0.0)).truncate().to_array(),
            "down": (place.to_world(Vec2::Y, 0.0) - place.to_world(Vec2::ZERO, 0.0)).truncate().to_array(),
        })
    }

    /// The tuning panel, errors of presets, and the flock settings of one bird with their preset.
    fn tuning(&self) -> Value {
        let errors = self.presets.iter().flat_map(|files| files.errors());
        let bird = self.flocks.iter().min_by_key(|(entity, ..)| entity.index_u32());
        let preset = bird.and_then(|(_, _, preset)| preset).and_then(|preset| preset.handle.path());
        json!({
            "area": self.tuning.area().map(rect),
            "errors": errors.map(|(path, reason)| (path.to_owned(), format!("{reason:?}").into())).collect::<Map<_, Value>>(),
            "preset": preset.map(ToString::to_string),
            "spacing": bird.map(|(_, flock, _)| flock.separation_radius),
        })
    }

    fn view(&self) -> Value {
        json!({
            "center": self.view.center.to_array(),
            "scale": self.view.scale,
            "still": self.view.is_still(),
            "window": self.window.iter().next().map(|window| window.size().to_array()),
        })
    }
}

fn point(at: Vec3) -> [f32; 2] {
    at.truncate().to_array()
}

fn rect(rect: Rect) -> Value {
    json!([rect.min.x, rect.min.y, rect.max.x, rect.max.y])
}
