//! Read-outs: components of an agent that are not settings, as numbers and bars.

use bevy::ecs::reflect::ReflectComponent;
use bevy::prelude::*;
use bevy::reflect::{PartialReflect, ReflectRef};
use bevy_egui::egui;

use super::names::name_of;
use super::reflect::{label, parts, tidy_docs};
use super::widgets::note;
use crate::agent::Agent;

/// The most entries of a list that are shown.
const LISTED: usize = 6;
/// Width of a vector's name, and of its bar, in points.
const NAME_WIDTH: f32 = 84.0;
const BAR_WIDTH: f32 = 90.0;

/// Draws every reflected component of this crate on the agent that is not a setting, such as the steering
/// contributions. A new component needs no code here.
pub(super) fn readouts_ui(ui: &mut egui::Ui, world: &World, agent: Entity) {
    let top = world.get::<Agent>(agent).map_or(1.0, |body| body.speed).max(1e-3);
    for (name, docs, value) in readouts(world, agent) {
        let header =
            egui::CollapsingHeader::new(label(name)).id_salt(name).default_open(name == "SteeringBreakdown");
        let response = header.show(ui, |ui| value_ui(ui, world, "", value, top)).header_response;
        note(&format!("readout {name}"), &response);
        if let Some(docs) = docs {
            response.on_hover_text(docs);
        }
    }
}

/// Name, documentation and value of each read-out of an agent.
pub(super) fn readouts(
    world: &World,
    agent: Entity,
) -> Vec<(&'static str, Option<String>, &dyn PartialReflect)> {
    /// Left out: settings, which have sliders; components that are explained in sentences; and internal ones.
    const ELSEWHERE: [&str; 13] = [
        "Agent",
        "AgentId",
        "Flock",
        "Avoider",
        "Pursuer",
        "Behavior",
        "Separation",
        "FlockLeader",
        "NavPath",
        "PathStatus",
        "PathRequest",
        "PresetOf",
        "InterpolateTransform",
    ];
    let Ok(entity) = world.get_entity(agent) else { return Vec::new() };
    let registry = world.resource::<AppTypeRegistry>().read();
    let mut found: Vec<_> = registry
        .iter()
        .filter(|kind| {
            let table = kind.type_info().type_path_table();
            table.crate_name() == Some("bevy_pathfind")
                && table.ident().is_some_and(|name| !ELSEWHERE.contains(&name))
        })
        .filter_map(|kind| {
            let value = kind.data::<ReflectComponent>()?.reflect(entity)?;
            let name = kind.type_info().type_path_table().ident()?;
            Some((name, kind.type_info().docs().map(tidy_docs), value.as_partial_reflect()))
        })
        .collect();
    found.sort_by_key(|(name, ..)| *name);
    found
}

/// Draws a value as one or more lines; vectors with a bar of their length.
fn value_ui(ui: &mut egui::Ui, world: &World, name: &str, value: &dyn PartialReflect, top: f32) {
    if let Some(&vector) = value.try_downcast_ref::<Vec3>() {
        ui.horizontal(|ui| vector_ui(ui, name, vector, top));
        return;
    }
    if let Some(&entity) = value.try_downcast_ref::<Entity>() {
        ui.label(format!("{name} {}", name_of(world, entity)));
        return;
    }
    match value.reflect_ref() {
        ReflectRef::Enum(variant) if variant.variant_name() == "None" => {
            ui.weak(format!("{name} –"));
        }
        ReflectRef::Enum(variant) if variant.variant_name() != "Some" => {
            ui.label(format!("{name}: {}", label(variant.variant_name()).to_lowercase()));
        }
        ReflectRef::Struct(_) | ReflectRef::TupleStruct(_) | ReflectRef::Enum(_) => {
            for part in parts(value) {
                let name = part.name.map_or_else(|| name.to_owned(), label);
                part.of(value).into_iter().for_each(|inner| value_ui(ui, world, &name, inner, top));
            }
        }
        ReflectRef::List(list) => {
            ui.label(format!("{name} {}", list.len()));
            for item in list.iter().take(LISTED) {
                ui.indent(name, |ui| value_ui(ui, world, "", item, top));
            }
        }
        _ => {
            let text = match value.try_downcast_ref::<f32>() {
                Some(number) => format!("{number:.3}"),
                None => match value.try_downcast_ref::<bool>() {
                    Some(true) => "yes".to_owned(),
                    Some(false) => "no".to_owned(),
                    None => format!("{value:?}"),
                },
            };
            ui.label(format!("{name} {text}"));
        }
    }
}

/// Draws a vector as a bar: its length relative to a top speed.
fn vector_ui(ui: &mut egui::Ui, name: &str, vector: Vec3, top: f32) {
    if !name.is_empty() {
        let size = egui::vec2(NAME_WIDTH, ui.spacing().interact_size.y);
        let left = egui::Layout::left_to_right(egui::Align::Center);
        ui.allocate_ui_with_layout(size, left, |ui| {
            ui.set_min_width(NAME_WIDTH);
            ui.label(name);
        });
    }
    let length = vector.length();
    let bar = egui::ProgressBar::new((length / top).clamp(0.0, 1.0)).desired_width(BAR_WIDTH);
    let bar = ui.add(bar.corner_radius(2.0).text(format!("{length:.2}")));
    note(&format!("bar {name}"), &bar);
    ui.weak(format!("{:.1}, {:.1}, {:.1}", vector.x, vector.y, vector.z));
}
