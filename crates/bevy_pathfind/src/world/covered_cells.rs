//! The cells of one grid that carved [`Obstacle`](super::Obstacle)s cover. The terrain of overlapping obstacles is
//! kept by the core's [`ObstacleLayer`]; this module adds which obstacle covers what.

use bevy::ecs::entity::EntityHashMap;
use bevy::prelude::*;
use pathfind_core::{
    AgentKind, CellRect, Footprint, Grid, GridCell, GridEdit, GridError, KindId, ObstacleLayer, Terrain,
};

/// The terrain that each obstacle has put on a grid, so that it can be removed again.
#[derive(Debug, Clone, Default)]
pub(super) struct CoveredCells {
    obstacle_layer: ObstacleLayer,
    by_obstacle: EntityHashMap<Stamp>,
}

/// The terrain that one obstacle has put on a grid.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Stamp {
    /// The footprint from which the cells were computed.
    pub(super) footprint: Footprint,
    pub(super) terrain: Terrain,
    pub(super) cells: Vec<GridCell>,
}

/// What an obstacle covers from now on; `None` to remove it.
pub(super) type Change = (Entity, Option<Stamp>);

impl CoveredCells {
    /// What an obstacle covers.
    pub(super) fn of(&self, obstacle: Entity) -> Option<&Stamp> {
        self.by_obstacle.get(&obstacle)
    }

    /// The obstacles that cover at least one cell.
    pub(super) fn obstacles(&self) -> impl Iterator<Item = Entity> {
        self.by_obstacle.keys().copied()
    }

    /// Notes the new footprint of an obstacle that has moved without covering other cells.
    pub(super) fn moved(&mut self, obstacle: Entity, footprint: Footprint) {
        if let Some(stamp) = self.by_obstacle.get_mut(&obstacle) {
            stamp.footprint = footprint;
        }
    }

    /// The terrain of a covered cell under its obstacles; `None` for a cell that is not covered.
    pub(super) fn ground(&self, cell: GridCell) -> Option<Terrain> {
        self.obstacle_layer.ground(cell)
    }

    /// Every covered cell, with the terrain under its obstacles.
    #[cfg(feature = "assets")]
    pub(super) fn grounds(&self) -> impl Iterator<Item = (GridCell, Terrain)> {
        self.obstacle_layer.grounds()
    }

    /// Edits the terrain under the obstacles.
    pub(super) fn edit<R>(
        &mut self,
        grid: &mut Grid,
        edits: impl FnOnce(&mut GridEdit) -> R,
    ) -> (R, Vec<CellRect>) {
        self.obstacle_layer.edit(grid, edits)
    }

    /// Replaces a kind of agent. Obstacles matter here: which of several overlapping ones shows depends on the costs
    /// of the default kind.
    pub(super) fn set_kind(
        &mut self,
        grid: &mut Grid,
        id: KindId,
        kind: AgentKind,
    ) -> Result<bool, GridError> {
        self.obstacle_layer.set_kind(grid, id, kind)
    }

    /// Removes and adds what obstacles cover, as one edit; returns the rectangles in which the grid changed.
    pub(super) fn update(&mut self, grid: &mut Grid, changes: Vec<Change>) -> Vec<CellRect> {
        let (mut removed, mut added) = (Vec::new(), Vec::new());
        let cells = |stamp: &Stamp| stamp.cells.iter().map(|&cell| (cell, stamp.terrain)).collect::<Vec<_>>();
        for (obstacle, stamp) in changes {
            removed.extend(self.by_obstacle.remove(&obstacle).iter().flat_map(cells));
            if let Some(stamp) = stamp {
                added.extend(cells(&stamp));
                self.by_obstacle.insert(obstacle, stamp);
            }
        }
        self.obstacle_layer.update(grid, removed, added)
    }
}
