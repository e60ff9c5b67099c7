//! Shifts paths, arrival slots and answers with the cells of a joined grid that was copied to another canvas.

use bevy::prelude::*;

use super::{NavPath, PathCheck, Ticket, TicketState};
use crate::world::Grids;

/// Shifts all that agents hold in the space of a grid whose cells have moved, so that no path is searched anew.
pub(super) fn follow_canvas(
    mut agents: Query<(&mut NavPath, &mut PathCheck, &mut Ticket)>,
    grids: Grids,
    mut seen: Local<Vec<(Entity, u64)>>,
) {
    if !grids.have_changed(&mut seen, |grid| (grid.entity, grid.nav.map_id())) {
        return;
    }
    for (mut path, mut check, mut ticket) in &mut agents {
        let Some(grid) = grids.get(path.grid()).filter(|grid| path.map_id != grid.nav.map_id()) else {
            continue;
        };
        let Some((by, before)) = path.follow_canvas(&grid) else { continue };
        check.map_id = path.map_id;
        if let Some(slot) = &mut ticket.slot {
            (slot.x, slot.y) = (slot.x + by.x, slot.y + by.y);
        }
        if let Some((map_id, ..)) = ticket.answered.as_mut().filter(|(map_id, ..)| *map_id == before) {
            *map_id = grid.nav.map_id();
        }
        if let TicketState::Running { searched, .. } = &mut ticket.state {
            (searched.from, searched.to) = (searched.from + by.as_vec2(), searched.to + by.as_vec2());
        }
    }
}
