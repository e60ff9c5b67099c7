//! A grid as a component.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bevy::math::Affine3A;
use bevy::prelude::*;
use pathfind_core::{AgentKind, Cell, CellRect, Grid, GridError, KindId, Terrain};
use serde::{Deserialize, Serialize};

use super::edits::Edits;
use super::saved::SavedGrid;
use super::{GridPlace, Plane};

/// A grid that agents walk on; its entity's `Transform` places it in the world.
///
/// The outer corner of cell (0, 0) lies at the entity's origin; columns and rows run as [`Plane`] says.
/// Edit it at any time: searches that run see the grid as it was when they started, and only agents whose
/// remaining path is touched plan again.
///
/// ```
/// # use bevy_pathfind::prelude::*;
/// let mut grid = NavGrid::new(Grid::new(40, 30)?).with_cell_size(16.0);
/// grid.set(Cell::new(3, 4), Terrain::WALL)?;
/// assert_eq!(grid.revision(), grid.grid().revision());
/// # Ok::<(), GridError>(())
/// ```
#[derive(Component, Reflect, Debug, Clone, Serialize, Deserialize)]
#[reflect(opaque)]
#[reflect(Component, Default, Clone, Debug, Serialize, Deserialize)]
#[serde(into = "SavedGrid", try_from = "SavedGrid")]
#[require(Transform, GridPlace)]
pub struct NavGrid {
    grid: Arc<Grid>,
    cell_size: f32,
    plane: Plane,
    edits: Edits,
    lineage: u64,
}

impl Default for NavGrid {
    /// 32 by 32 cells of open ground.
    fn default() -> Self {
        Self::new(Grid::new(32, 32).expect("32 by 32 is within the limits of a grid"))
    }
}

impl NavGrid {
    /// A grid with cells of one unit on the XY plane.
    #[must_use]
    pub fn new(grid: Grid) -> Self {
        static LINEAGE: AtomicU64 = AtomicU64::new(1);
        Self {
            edits: Edits::since(grid.revision()),
            grid: Arc::new(grid),
            cell_size: 1.0,
            plane: Plane::Xy,
            lineage: LINEAGE.fetch_add(1, Ordering::Relaxed),
        }
    }

    /// With cells of this side, before the transform's scale. Unit: world units. Range: above 0; other
    /// values leave the grid unusable, which every request on it reports. Default: `1.0`.
    #[must_use]
    pub const fn with_cell_size(mut self, cell_size: f32) -> Self {
        self.cell_size = cell_size;
        self
    }

    /// On another plane. Default: [`Plane::Xy`].
    #[must_use]
    pub const fn with_plane(mut self, plane: Plane) -> Self {
        self.plane = plane;
        self
    }

    /// The cells, shared: cloning the `Arc` is how a search takes its snapshot.
    #[must_use]
    pub const fn grid(&self) -> &Arc<Grid> {
        &self.grid
    }

    /// The number of the latest edit; it only grows.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.grid.revision()
    }

    /// The side of a cell before the transform's scale, in world units.
    #[must_use]
    pub const fn cell_size(&self) -> f32 {
        self.cell_size
    }

    /// The plane that the grid lies in.
    #[must_use]
    pub const fn plane(&self) -> Plane {
        self.plane
    }

    /// Changes the terrain of a cell; `Ok(true)` if it was another before.
    ///
    /// # Errors
    /// Whatever [`Grid::set`] refuses, such as a cell outside the grid.
    pub fn set(&mut self, cell: Cell, terrain: Terrain) -> Result<bool, GridError> {
        if self.grid.terrain(cell) == Some(terrain) {
            return Ok(false);
        }
        let changed = Arc::make_mut(&mut self.grid).set(cell, terrain)?;
        if changed {
            self.edits.record(self.grid.revision(), CellRect::new(cell, cell));
        }
        Ok(changed)
    }

    /// Changes the terrain of the part of a rectangle that lies on the grid; the number of cells that were
    /// another before.
    pub fn fill(&mut self, rect: CellRect, terrain: Terrain) -> u64 {
        let changed = Arc::make_mut(&mut self.grid).fill(rect, terrain);
        if changed > 0 {
            self.edits.record(self.grid.revision(), rect);
        }
        changed
    }

    /// Adds a kind of agent, with costs and a size of its own.
    ///
    /// # Errors
    /// Whatever [`Grid::add_kind`] refuses, such as one kind too many.
    pub fn add_kind(&mut self, kind: AgentKind) -> Result<KindId, GridError> {
        Arc::make_mut(&mut self.grid).add_kind(kind)
    }

    /// A point of grid space (in cells) as a point of the world.
    #[must_use]
    pub fn point_to_world(&self, global: &GlobalTransform, point: Vec2) -> Vec3 {
        (global.affine() * self.frame()).transform_point3(point.extend(0.0))
    }

    /// A point of the world in grid space (in cells), dropped onto the ground. Not finite if the grid
    /// cannot be placed (zero scale or cell size).
    #[must_use]
    pub fn world_to_point(&self, global: &GlobalTransform, point: Vec3) -> Vec2 {
        (global.affine() * self.frame()).inverse().transform_point3(point).truncate()
    }

    /// The centre of a cell in the world.
    #[must_use]
    pub fn cell_to_world(&self, global: &GlobalTransform, cell: Cell) -> Vec3 {
        self.point_to_world(global, cell.center())
    }

    /// The cell under a point of the world; it may lie outside the grid.
    #[must_use]
    pub fn world_to_cell(&self, global: &GlobalTransform, point: Vec3) -> Cell {
        Cell::containing(self.world_to_point(global, point))
    }

    /// Grid space to the frame of the entity.
    pub(crate) fn frame(&self) -> Affine3A {
        Affine3A::from_mat3(self.plane.axes() * self.cell_size)
    }

    /// Tells one grid from another that was put in its place.
    pub(crate) const fn lineage(&self) -> u64 {
        self.lineage
    }

    /// The journal of the latest edits.
    pub(crate) const fn edits(&self) -> &Edits {
        &self.edits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_never_sees_later_edits() {
        let mut grid = NavGrid::default();
        let before = grid.grid().clone();
        assert_eq!(grid.set(Cell::new(1, 1), Terrain::WALL), Ok(true));
        assert_eq!(before.terrain(Cell::new(1, 1)), Some(Terrain::GROUND), "the snapshot is as it was");
        assert_eq!(grid.set(Cell::new(1, 1), Terrain::WALL), Ok(false), "nothing changes twice");
        assert!(grid.set(Cell::new(-1, 0), Terrain::WALL).is_err(), "outside is an error, not a panic");
    }

    #[test]
    fn the_corner_of_the_first_cell_is_the_origin() {
        let grid = NavGrid::default().with_cell_size(16.0).with_plane(Plane::Xz);
        let at = GlobalTransform::from_xyz(100.0, 5.0, -50.0);
        assert_eq!(grid.point_to_world(&at, Vec2::ZERO), Vec3::new(100.0, 5.0, -50.0));
        assert_eq!(grid.cell_to_world(&at, Cell::new(1, 2)), Vec3::new(124.0, 5.0, -10.0));
        assert_eq!(grid.world_to_cell(&at, Vec3::new(124.0, 9.0, -10.0)), Cell::new(1, 2));
    }
}
