//! The cells of one grid that carved [`Obstacle`](super::Obstacle)s cover. The terrain of overlapping obstacles is
//! kept by the core's [`ObstacleLayer`]; this module adds which obstacle covers what.

use bevy::ecs::entity::EntityHashMap;
use bevy::prelude::*;
use pathfind_core::{CellRect, Footprint, Grid, GridCell, ObstacleLayer, Terrain};

/// The terrain that each obstacle has put on a grid, so that it can be removed again.
#[derive(Debug, Clone, Default)]
pub(super) struct CoveredCells {
    pub(super) layer: ObstacleLayer,
    /// The obstacles that cover at least one cell.
    pub(super) by_obstacle: EntityHashMap<Stamp>,
}

/// The terrain that one obstacle has put on a grid.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Stamp {
    /// The footprint from which the cells were computed; `None` for what is no obstacle.
    pub(super) footprint: Option<Footprint>,
    pub(super) terrain: Terrain,
    pub(super) cells: Vec<GridCell>,
}

/// What an obstacle covers from now on; `None` to remove it.
pub(super) type CoverChange = (Entity, Option<Stamp>);

impl CoveredCells {
    /// Removes and adds what obstacles cover, as one edit; returns the rectangles in which the grid changed.
    pub(super) fn update(&mut self, grid: &mut Grid, changes: Vec<CoverChange>) -> Vec<CellRect> {
        let (mut removed, mut added) = (Vec::new(), Vec::new());
        let cells = |stamp: &Stamp| stamp.cells.iter().map(|&cell| (cell, stamp.terrain)).collect::<Vec<_>>();
        for (obstacle, stamp) in changes {
            removed.extend(self.by_obstacle.remove(&obstacle).iter().flat_map(cells));
            if let Some(stamp) = stamp {
                added.extend(cells(&stamp));
                self.by_obstacle.insert(obstacle, stamp);
            }
        }
        self.layer.update(grid, removed, added)
    }
}
