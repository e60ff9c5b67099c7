//! Escape: the goal velocity of an agent that stands on a cell that its kind may not enter, or outside of the map. That
//! walls do not stop it there is done by `motion`.

use bevy::prelude::*;
use pathfind_core::{GridCell, KindId};

use super::GoalVelocity;
use crate::agent::Agent;
use crate::world::GridRef;

/// The cell on which an agent was last found to be allowed. Cells are looked up only after the agent has entered
/// another one, or after an edit near it: the cells of thousands of agents are spread over the whole map in memory,
/// so that each look-up is a cache miss.
#[derive(Component, Debug, Default)]
pub(crate) struct AllowedCell(Option<Allowed>);

/// A cell on which an agent of a kind may stand, and the map id and the revision of the grid for which that is
/// known.
#[derive(Debug)]
struct Allowed {
    cell: GridCell,
    kind: KindId,
    map_id: u64,
    revision: u64,
}

impl Allowed {
    /// Whether the agent is known to be allowed where it is; `false` if that has to be looked up.
    fn holds(&self, grid: &GridRef, kind: KindId, here: Vec2) -> bool {
        let is_same = self.contains(here) && self.kind == kind && self.map_id == grid.nav.map_id();
        is_same
            && (self.revision == grid.nav.revision()
                || !grid.is_edited_near(self.revision, kind, self.cell, 0))
    }

    /// Whether the cell holds a point of grid space; `false` also for cells so far away that `f32` is too coarse. It
    /// takes fewer instructions than finding the cell of the point.
    fn contains(&self, point: Vec2) -> bool {
        let low = Vec2::new(self.cell.x as f32, self.cell.y as f32);
        point.cmpge(low).all() && point.cmplt(low + 1.0).all()
    }
}

/// The goal velocity of an agent that stands on a cell that its kind may not enter or outside of the grid, because the
/// map changed or the agent was put there: straight to the nearest cell that it may enter. `None` for agents elsewhere.
///
/// It replaces any other goal velocity until the agent is out. Meanwhile neither walls nor colliders nor forces of other
/// agents hold it: those of the ground that it leaves would keep it there.
#[inline(always)]
pub(super) fn escape_velocity(
    grid: &GridRef,
    agent: &Agent,
    at: Vec3,
    dt: f32,
    allowed: &mut AllowedCell,
) -> Option<GoalVelocity> {
    if dt <= 0.0 {
        return None;
    }
    let (here, kind) = (grid.place.to_grid(at), agent.kind);
    let (map_id, revision) = (grid.nav.map_id(), grid.nav.revision());
    if let Some(known) = allowed.0.as_mut().filter(|known| known.holds(grid, kind, here)) {
        if known.revision != revision {
            known.revision = revision;
        }
        return None;
    }
    let cell = GridCell::containing(here);
    if grid.nav.grid().is_walkable(kind, cell) {
        allowed.0 = Some(Allowed { cell, kind, map_id, revision });
        return None;
    }
    let out = grid.nav.grid().nearest_walkable(kind, cell)?;
    let exit = grid.place.flatten(grid.place.to_world(out.center(), 0.0) - at);
    let speed = agent.speed.max(0.0).min(exit.length() / dt);
    Some(GoalVelocity::new(exit.normalize_or_zero() * speed))
}
