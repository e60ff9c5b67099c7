//! The list of agents with search and selection, and the choice of the edit scope.

use bevy::prelude::*;
use bevy_egui::egui;

use super::names::{display_name, name_of};
use super::state::{NavPanel, Scope};
use super::widgets::{button, note};
use crate::agent::Agent;

/// Height of the list before it scrolls, in lines; the half line shows that there are more.
const LINES: f32 = 6.5;

#[derive(Resource, Default)]
pub(super) struct SearchText(String);

/// The agents whose names contain a text, sorted by name and number, and the number of all agents.
fn found(world: &mut World, text: &str) -> (Vec<Entity>, usize) {
    let mut query = world.query_filtered::<(Entity, Option<&Name>), With<Agent>>();
    let wanted = text.to_lowercase();
    // Names are formatted only while there is a search text: there may be thousands.
    let is_wanted = |&(entity, name): &(Entity, Option<&Name>)| {
        wanted.is_empty() || display_name(entity, name).to_lowercase().contains(&wanted)
    };
    let mut agents: Vec<_> = query.iter(world).filter(is_wanted).collect();
    agents.sort_unstable_by_key(|&(entity, name)| (name.is_none(), name.map(by_number), entity.index_u32()));
    (agents.into_iter().map(|(entity, _)| entity).collect(), query.iter(world).len())
}

/// A name without the number at its end, and the number: `Scout 10` comes after `Scout 9`.
fn by_number(name: &Name) -> (&str, u64) {
    let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    (stem, name[stem.len()..].parse().unwrap_or(0))
}

/// Draws the list of agents, and the scope of edits.
pub(super) fn list_ui(ui: &mut egui::Ui, world: &mut World, panel: &mut NavPanel) {
    let mut search = world.resource::<SearchText>().0.clone();
    let (agents, all) = found(world, &search);
    ui.horizontal(|ui| {
        let field = egui::TextEdit::singleline(&mut search)
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
        .show_rows(ui, line, agents.len(), |ui, rows| {
            let mut clicked = None;
            for &entity in &agents[rows] {
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
    world.resource_mut::<SearchText>().0 = search;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_listed_by_name_and_number() {
        let mut world = World::new();
        let names = ["Scout 10", "Prey", "Scout 9", "Hunter 2", "Scout"];
        let named = names.map(|name| world.spawn((Agent::default(), Name::new(name))).id());
        let nameless = world.spawn(Agent::default()).id();
        let order = [3, 1, 4, 2, 0].map(|index| named[index]);
        assert_eq!(found(&mut world, "").0, [&order[..], &[nameless]].concat());
        assert_eq!(found(&mut world, "scout").0, order[2..], "of those that are searched, too");
    }
}
