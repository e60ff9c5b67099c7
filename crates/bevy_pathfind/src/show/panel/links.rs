//! The links of the world: a switch for each, and why one cannot be taken.

use bevy::ecs::system::SystemState;
use bevy::prelude::*;
use bevy_egui::egui;

use super::names::display_name;
use super::widgets::{caption, note};
use crate::world::{Grids, NavLink, obstruction};

/// The most links that are listed.
const LISTED: usize = 40;

pub(super) struct ListedLink {
    entity: Entity,
    pub(super) name: String,
    is_open: bool,
    /// Why it cannot be taken now.
    pub(super) obstruction: Option<&'static str>,
}

/// All links, in the order of their names.
pub(super) fn links(world: &mut World) -> Vec<ListedLink> {
    let mut state = SystemState::<(Query<(Entity, &NavLink, Option<&Name>)>, Grids)>::new(world);
    let Ok((links, grids)) = state.get(world) else { return Vec::new() };
    let listed = |(entity, link, name): (Entity, &NavLink, Option<&Name>)| ListedLink {
        entity,
        name: display_name(entity, name),
        is_open: link.is_open,
        obstruction: obstruction(link, &grids),
    };
    let mut all: Vec<_> = links.iter().map(listed).collect();
    all.sort_by(|a, b| a.name.cmp(&b.name).then(a.entity.cmp(&b.entity)));
    all
}

/// Draws the switches.
pub(super) fn links_ui(ui: &mut egui::Ui, world: &mut World) {
    let all = links(world);
    if all.is_empty() {
        return;
    }
    caption(ui, "Links", "");
    for link in all.iter().take(LISTED) {
        ui.horizontal(|ui| {
            let mut is_open = link.is_open;
            let switch = ui.checkbox(&mut is_open, &link.name).on_hover_text("Whether it is open");
            note(&format!("link {}", link.name), &switch);
            if let Some(why) = link.obstruction {
                ui.weak(why);
            }
            if is_open != link.is_open
                && let Some(mut link) = world.get_mut::<NavLink>(link.entity)
            {
                link.is_open = is_open;
            }
        });
    }
    if all.len() > LISTED {
        ui.weak(format!("and {} more", all.len() - LISTED));
    }
}

#[cfg(test)]
mod tests {
    use pathfind_core::{CellRect, Grid, GridCell};

    use super::*;
    use crate::world::{GridTransform, LinkEnd, NavGrid};

    #[test]
    fn what_keeps_a_link_from_being_taken_is_named() {
        let mut world = World::new();
        let nav = NavGrid::new(Grid::from_ascii("..#").expect("a map"));
        let place = GridTransform::new(&nav, GlobalTransform::IDENTITY);
        let grid = world.spawn((nav, place)).id();
        let end = |x| LinkEnd::new(grid, GridCell::new(x, 0));
        world.spawn((Name::new("a"), NavLink::new(end(0), end(1))));
        world.spawn((Name::new("b"), NavLink::new(end(0), end(2))));
        world.spawn((Name::new("c"), NavLink::new(end(0), end(7))));
        world.spawn((Name::new("d"), NavLink { is_open: false, ..NavLink::new(end(0), end(1)) }));
        let nothing = CellRect { min: GridCell::new(1, 0), max: GridCell::new(0, 0) };
        world.spawn((Name::new("e"), NavLink::new(LinkEnd::strip(grid, nothing), end(1))));
        let why: Vec<_> = links(&mut world).into_iter().map(|link| link.obstruction).collect();
        let outside = "one of its ends has cells outside its grid";
        let empty = "one of its ends has no cells";
        let blocked = "one of its ends is blocked";
        assert_eq!(why, [None, Some(blocked), Some(outside), Some("it is shut"), Some(empty)]);
    }
}
