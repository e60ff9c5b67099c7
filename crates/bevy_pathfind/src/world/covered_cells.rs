//! What obstacles cover on one grid.

use bevy::ecs::entity::EntityHashMap;
use bevy::prelude::*;
use pathfind_core::{
    AgentKind, Cell, CellRect, Footprint, Grid, GridEdit, GridError, KindId, ObstacleLayer, Terrain,
};

/// What every obstacle has laid on a grid, to be lifted when it goes.
#[derive(Debug, Clone, Default)]
pub(super) struct CoveredCells {
    obstacle_layer: ObstacleLayer,
    by_obstacle: EntityHashMap<Stamp>,
}

/// What one obstacle has laid on a grid.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Stamp {
    /// What its cells were worked out from.
    pub(super) footprint: Footprint,
    pub(super) terrain: Terrain,
    pub(super) cells: Vec<Cell>,
}

/// What an obstacle covers from now on; `None` if it has gone.
pub(super) type Change = (Entity, Option<Stamp>);

impl CoveredCells {
    /// What an obstacle covers.
    pub(super) fn of(&self, obstacle: Entity) -> Option<&Stamp> {
        self.by_obstacle.get(&obstacle)
    }

    /// Everyone who covers anything.
    pub(super) fn obstacles(&self) -> impl Iterator<Item = Entity> {
        self.by_obstacle.keys().copied()
    }

    /// Notes that an obstacle has moved, and covers what it covered before.
    pub(super) fn moved(&mut self, obstacle: Entity, footprint: Footprint) {
        if let Some(stamp) = self.by_obstacle.get_mut(&obstacle) {
            stamp.footprint = footprint;
        }
    }

    /// The ground of a covered cell.
    pub(super) fn ground(&self, cell: Cell) -> Option<Terrain> {
        self.obstacle_layer.ground(cell)
    }

    /// Every covered cell, with its ground.
    #[cfg(feature = "assets")]
    pub(super) fn grounds(&self) -> impl Iterator<Item = (Cell, Terrain)> {
        self.obstacle_layer.grounds()
    }

    /// Edits the ground below the obstacles.
    pub(super) fn edit(&mut self, grid: &mut Grid, edits: impl FnOnce(&mut GridEdit)) -> Vec<CellRect> {
        self.obstacle_layer.edit(grid, edits)
    }

    /// Replaces a kind of agent; what shows of the obstacles follows the costs of the default kind.
    pub(super) fn set_kind(
        &mut self,
        grid: &mut Grid,
        id: KindId,
        kind: AgentKind,
    ) -> Result<bool, GridError> {
        self.obstacle_layer.set_kind(grid, id, kind)
    }

    /// Lifts and lays down as one edit.
    pub(super) fn take_in(&mut self, grid: &mut Grid, changes: Vec<Change>) -> Vec<CellRect> {
        let (mut lifted, mut laid) = (Vec::new(), Vec::new());
        let cells = |stamp: &Stamp| stamp.cells.iter().map(|&cell| (cell, stamp.terrain)).collect::<Vec<_>>();
        for (obstacle, stamp) in changes {
            lifted.extend(self.by_obstacle.remove(&obstacle).iter().flat_map(cells));
            if let Some(stamp) = stamp {
                laid.extend(cells(&stamp));
                self.by_obstacle.insert(obstacle, stamp);
            }
        }
        self.obstacle_layer.update(grid, lifted, laid)
    }
}
