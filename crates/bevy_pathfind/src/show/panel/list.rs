//! Who is selected: a list that can be searched, and how far changes reach.

use bevy::prelude::*;
use bevy_egui::egui;

use super::aim::Scope;
use super::reflect::note;
use super::state::NavPanel;
use super::window::button;
use crate::motion::Agent;

/// How many lines the list has at most before it scrolls.
const LINES: f32 = 6.0;

/// The list of agents, and the scope of changes.
pub(super) fn list_ui(ui: &mut egui::Ui, world: &mut World, panel: &mut NavPanel) {
    let mut query = world.query_filtered::<(Entity, Option<&Name>), With<Agent>>();
    let mut agents: Vec<(Entity, String)> =
        query.iter(world).map(|(entity, name)| (entity, call(entity, name))).collect();
    agents.sort_by_key(|(entity, _)| entity.index_u32());
    let all = agents.len();
    ui.horizontal(|ui| {
        let field = egui::TextEdit::singleline(&mut panel.search)
            .hint_text("search agents")
            .desired_width(ui.available_width() * 0.5);
        note("search", &ui.add(field));
        ui.weak(match panel.selected.len() {
            0 => format!("{all} agents, none selected"),
            count => format!("{count} of {all} selected"),
        });
        if !panel.selected.is_empty() && button(ui, "select none", "None", true).clicked() {
            panel.selected.clear();
        }
    });
    let wanted = panel.search.to_lowercase();
    agents.retain(|(_, name)| name.to_lowercase().contains(&wanted));
    let line = ui.text_style_height(&egui::TextStyle::Body) + ui.spacing().button_padding.y * 2.0;
    egui::ScrollArea::vertical()
        .id_salt("agents")
        .max_height(LINES * (line + ui.spacing().item_spacing.y))
        .auto_shrink([false, true])
        .show_rows(ui, line, agents.len(), |ui, rows| {
            for (entity, name) in &agents[rows] {
                let response = ui.selectable_label(panel.selected.contains(entity), name);
                note(&format!("agent {name}"), &response);
                if response.clicked() {
                    let further = ui.input(|input| input.modifiers.shift || input.modifiers.command);
                    panel.select(*entity, further);
                }
            }
        });
    scope_ui(ui, panel);
}

fn scope_ui(ui: &mut egui::Ui, panel: &mut NavPanel) {
    if panel.selected.is_empty() {
        ui.weak("Changes are for everyone. Click an agent, here or in the world, to change fewer.");
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.label("Change");
        for (scope, text, tip) in [
            (Scope::Selected, "selected", "The selected agents alone: they get values of their own"),
            (Scope::Preset, "same preset", "Everyone who has the same preset: the preset changes"),
            (Scope::Flock, "flock", "Everyone in the same flock"),
            (Scope::Everyone, "everyone", "Every agent there is"),
        ] {
            let response = ui.selectable_value(&mut panel.scope, scope, text);
            note(&format!("scope {text}"), &response);
            response.on_hover_text(tip);
        }
    });
}

/// What an agent is called.
pub(super) fn call(entity: Entity, name: Option<&Name>) -> String {
    name.map_or_else(|| format!("Agent {}", entity.index_u32()), ToString::to_string)
}
