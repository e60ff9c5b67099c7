//! A grid as a component.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bevy::math::Affine3A;
use bevy::prelude::*;
use pathfind_core::{AgentKind, Cell, CellRect, Grid, GridEdit, GridError, KindId, Terrain};
use serde::{Deserialize, Serialize};

use super::covered_cells::{Change, CoveredCells};
use super::edits::Edits;
use super::saved::SavedGrid;
use super::{GridTransform, Plane};

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
#[cfg_attr(feature = "assets", derive(bevy::asset::Asset))]
#[require(Transform, GridTransform)]
pub struct NavGrid {
    grid: Arc<Grid>,
    cell_size: f32,
    plane: Plane,
    /// The latest edits, for who has to plan again.
    edits: Edits,
    /// Tells it from another grid that is put in its place.
    lineage: u64,
    covered: CoveredCells,
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
        Self {
            edits: Edits::since(grid.revision()),
            grid: Arc::new(grid),
            cell_size: 1.0,
            plane: Plane::Xy,
            lineage: new_lineage(),
            covered: CoveredCells::default(),
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

    /// The ground of a cell below whatever a [`GridObstacle`](super::GridObstacle) has laid on it, or `None`
    /// outside the grid. The terrain that counts is that of [`grid`](Self::grid).
    #[must_use]
    pub fn ground(&self, cell: Cell) -> Option<Terrain> {
        self.covered.ground(cell).or_else(|| self.grid.terrain(cell))
    }

    /// Changes the ground of a cell; `Ok(true)` if it was another before. Where an obstacle stands it shows
    /// once that has left, here as in all other edits.
    ///
    /// # Errors
    /// Whatever [`Grid::set`] refuses, such as a cell outside the grid.
    pub fn set(&mut self, cell: Cell, terrain: Terrain) -> Result<bool, GridError> {
        if self.ground(cell) == Some(terrain) {
            return Ok(false);
        }
        let mut changed = Ok(false);
        self.edit(|edit| changed = edit.set(cell, terrain));
        changed
    }

    /// Changes the ground of the part of a rectangle that lies on the grid; the number of cells that were
    /// another before.
    pub fn fill(&mut self, rect: CellRect, terrain: Terrain) -> u64 {
        let mut changed = 0;
        self.edit(|edit| changed = edit.fill(rect, terrain));
        changed
    }

    /// Changes the ground of the cells whose centres lie in a disc, in grid space (in cells); the number of
    /// cells that were another before.
    pub fn fill_disc(&mut self, center: Vec2, radius: f32, terrain: Terrain) -> u64 {
        let mut changed = 0;
        self.edit(|edit| changed = edit.fill_disc(center, radius, terrain));
        changed
    }

    /// Makes many edits as one: whatever follows from them is repaired once. Edits made one by one are just
    /// as right; one by one they cost each some microseconds more.
    ///
    /// ```
    /// # use bevy_pathfind::prelude::*;
    /// let mut nav = NavGrid::default();
    /// nav.edit(|edit| {
    ///     edit.fill(CellRect::new(Cell::new(2, 2), Cell::new(11, 11)), Terrain::WALL);
    ///     edit.set(Cell::new(6, 2), Terrain::GROUND) // the door
    /// });
    /// assert_eq!(nav.revision(), 1);
    /// ```
    ///
    /// If `edits` panics, the edits before the panic stand, and every path on this grid is checked again.
    pub fn edit<R>(&mut self, edits: impl FnOnce(&mut GridEdit) -> R) {
        /// Forgets the journal when it is dropped, so that every path counts as touched.
        struct Unjournaled<'a>(&'a mut NavGrid);
        impl Drop for Unjournaled<'_> {
            fn drop(&mut self) {
                self.0.edits = Edits::since(self.0.grid.revision());
            }
        }
        let guard = Unjournaled(self);
        let nav = &mut *guard.0;
        let touched = nav.covered.edit(Arc::make_mut(&mut nav.grid), |edit| _ = edits(edit));
        std::mem::forget(guard);
        self.note(touched);
    }

    /// Takes over a whole map: its cells and its kinds of agents. On a map of the same size only the cells
    /// that differ count as edited; one of another size is a new map, on which every path is planned anew.
    pub fn set_map(&mut self, map: &Grid) {
        let is_same_shape = map.size() == self.grid.size() && map.kind_count() >= self.grid.kind_count();
        if !is_same_shape {
            let (cell_size, plane) = (self.cell_size, self.plane);
            *self = Self::new(map.clone()).with_cell_size(cell_size).with_plane(plane);
            return;
        }
        for id in (0..map.kind_count()).map(|id| KindId(id as u8)) {
            let kind = map.kind(id).expect("the map knows as many kinds").clone();
            let taken = if self.grid.kind(id).is_some() {
                self.set_kind(id, kind).map(|_| ())
            } else {
                self.add_kind(kind).map(|_| ())
            };
            taken.expect("the other grid knows the kind too");
        }
        self.edit(|edit| edit.map(edit.bounds(), |cell, old| map.terrain(cell).unwrap_or(old)));
    }

    /// Adds a kind of agent, with costs and a size of its own.
    ///
    /// # Errors
    /// Whatever [`Grid::add_kind`] refuses, such as one kind too many.
    pub fn add_kind(&mut self, kind: AgentKind) -> Result<KindId, GridError> {
        Arc::make_mut(&mut self.grid).add_kind(kind)
    }

    /// Puts a kind of agent in the place of another, with other costs or another size; `Ok(true)` if it was
    /// another before.
    ///
    /// # Errors
    /// Whatever [`Grid::set_kind`] refuses, such as a kind that the grid does not know.
    pub fn set_kind(&mut self, id: KindId, kind: AgentKind) -> Result<bool, GridError> {
        let changed = self.covered.set_kind(Arc::make_mut(&mut self.grid), id, kind)?;
        if changed {
            self.note(vec![self.grid.bounds()]);
        }
        Ok(changed)
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

    /// The cells without what obstacles cover.
    #[cfg(feature = "assets")]
    pub(super) fn bare(&self) -> Grid {
        let mut bare = (*self.grid).clone();
        bare.edit(|edit| {
            for (cell, ground) in self.covered.grounds() {
                edit.set(cell, ground).expect("obstacles cover cells of the grid");
            }
        });
        bare
    }

    /// The same grid as a thing of its own, on which nothing stands.
    #[cfg(feature = "assets")]
    pub(super) fn anew(&self) -> Self {
        Self::new(self.bare()).with_cell_size(self.cell_size).with_plane(self.plane)
    }

    /// Notes in which rectangles the grid has just changed.
    fn note(&mut self, touched: Vec<CellRect>) {
        for rect in touched {
            self.edits.record(self.grid.revision(), rect);
        }
    }

    /// Moves, lays down and lifts what obstacles cover.
    pub(super) fn stamp(&mut self, changes: Vec<Change>) {
        let touched = self.covered.take_in(Arc::make_mut(&mut self.grid), changes);
        self.note(touched);
    }

    /// What obstacles cover.
    pub(super) const fn covered(&self) -> &CoveredCells {
        &self.covered
    }

    /// What obstacles cover, to note what does not change the grid.
    pub(super) const fn stamps_mut(&mut self) -> &mut CoveredCells {
        &mut self.covered
    }

    /// Grid space to the frame of the entity.
    pub(crate) fn frame(&self) -> Affine3A {
        Affine3A::from_mat3(self.plane.axes() * self.cell_size)
    }

    /// The number that tells it from every other grid, also from one put in its place.
    pub(crate) const fn lineage(&self) -> u64 {
        self.lineage
    }

    /// The journal of the latest edits.
    pub(crate) const fn edits(&self) -> &Edits {
        &self.edits
    }
}

/// A number that no grid had before.
fn new_lineage() -> u64 {
    static LINEAGE: AtomicU64 = AtomicU64::new(1);
    LINEAGE.fetch_add(1, Ordering::Relaxed)
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
    fn after_edits_that_panic_every_path_counts_as_touched() {
        let mut nav = NavGrid::default();
        let before = nav.revision();
        let edits = std::panic::AssertUnwindSafe(|| {
            nav.edit(|edit| {
                edit.set(Cell::new(3, 0), Terrain::WALL).unwrap();
                panic!("the second edit fails");
            });
        });
        std::panic::catch_unwind(edits).expect_err("the edits panic");
        assert!(!nav.grid().is_walkable(KindId(0), Cell::new(3, 0)), "the edit before the panic stands");
        assert!(nav.edits().after(before).is_none(), "no path may trust the journal");
    }

    #[test]
    fn a_map_of_the_same_size_is_an_edit_of_what_differs() {
        let mut nav = NavGrid::new(Grid::from_ascii("....\n....").unwrap()).with_cell_size(2.0);
        let lineage = nav.lineage();
        nav.set_map(&Grid::from_ascii("...#\n....").unwrap());
        assert_eq!((nav.lineage(), nav.revision()), (lineage, 1), "one cell, one edit");
        assert_eq!(nav.grid().to_ascii().unwrap(), "...#\n....\n");
        nav.set_map(&Grid::from_ascii("...").unwrap());
        assert_ne!(nav.lineage(), lineage, "another size is another map");
        assert_eq!((nav.grid().width(), nav.cell_size()), (3, 2.0), "which lies as the old one did");
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
