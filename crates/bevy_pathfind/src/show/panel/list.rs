//! The list of agents with search and selection, and the choice of the edit scope.

use bevy::ecs::change_detection::Tick;
use bevy::prelude::*;
use bevy_egui::egui;

use super::names::{display_name, name_of};
use super::state::{NavPanel, Scope};
use super::widgets::{button, note};
use crate::agent::Agent;

/// Height of the list before it scrolls, in lines; the half line shows that there are more.
const LINES: f32 = 6.5;

/// The agents whose names match the search text, cached until agents or names change.
#[derive(Resource, Default)]
pub(super) struct List {
    search: String,
    agents: Vec<Entity>,
    /// What the cached list was made for: search text, number of agents, and change tick.
    seen: Option<(String, usize, Tick)>,
}

impl List {
    /// Updates the list; returns the number of all agents, whether they match or not.
    fn refresh(&mut self, world: &mut World) -> usize {
        let mut query = world.query_filtered::<(Entity, Option<&Name>), With<Agent>>();
        let all = query.iter(world).len();
        let is_fresh = self.seen.as_ref().is_some_and(|(search, count, tick)| {
            let is_same = *search == self.search && *count == all;
            is_same
                && !world.last_change_tick_scope(*tick, |world| {
                    let mut others =
                        world.query_filtered::<(), (With<Agent>, Or<(Added<Agent>, Changed<Name>)>)>();
                    others.iter(world).next().is_some()
                })
        });
        if is_fresh {
            return all;
        }
        let wanted = self.search.to_lowercase();
        // Names are formatted only while there is a search text: there may be thousands.
        let is_wanted = |&(entity, name): &(Entity, Option<&Name>)| {
            wanted.is_empty() || display_name(entity, name).to_lowercase().contains(&wanted)
        };
        self.agents = query.iter(world).filter(is_wanted).map(|(entity, _)| entity).collect();
        self.agents.sort_unstable_by_key(|entity| entity.index_u32());
        self.seen = Some((self.search.clone(), all, world.change_tick()));
        all
    }
}

/// Draws the list of agents, and the scope of edits.
pub(super) fn list_ui(ui: &mut egui::Ui, world: &mut World, panel: &mut NavPanel) {
    world.resource_scope(|world, mut list: Mut<List>| agents_ui(ui, world, panel, &mut list));
    scope_ui(ui, panel);
}

fn agents_ui(ui: &mut egui::Ui, world: &mut World, panel: &mut NavPanel, list: &mut List) {
    let all = list.refresh(world);
    ui.horizontal(|ui| {
        let field = egui::TextEdit::singleline(&mut list.search)
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
    let text = ui.text_style_height(&egui::TextStyle::Button) + ui.spacing().button_padding.y * 2.0;
    let line = text.max(ui.spacing().interact_size.y);
    egui::ScrollArea::vertical()
        .id_salt("agents")
        .max_height(LINES * (line + ui.spacing().item_spacing.y) - ui.spacing().item_spacing.y)
        .auto_shrink([false, true])
        .show_rows(ui, line, list.agents.len(), |ui, rows| {
            let mut clicked = None;
            for &entity in &list.agents[rows] {
                let name = name_of(world, entity);
                let response = ui.selectable_label(panel.selected.contains(&entity), &name);
                note(&format!("agent {name}"), &response);
                clicked = response.clicked().then_some(entity).or(clicked);
            }
            if let Some(agent) = clicked {
                let further = ui.input(|input| input.modifiers.shift || input.modifiers.command);
                panel.select(agent, further);
            }
        });
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
            (Scope::Preset, "same preset", "All entities with the same preset: the preset changes"),
            (Scope::Flock, "flock", "Everyone in the same flock"),
            (Scope::Everyone, "everyone", "Every agent there is"),
        ] {
            let response = ui.selectable_value(&mut panel.scope, scope, text);
            note(&format!("scope {text}"), &response);
            response.on_hover_text(tip);
        }
    });
}
