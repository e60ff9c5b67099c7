//! The grid component.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bevy::prelude::*;
use pathfind_core::{AgentKind, Cell, CellRect, Grid, GridEdit, GridError, KindId, Terrain};
use serde::{Deserialize, Serialize};

#[cfg(feature = "assets")]
use super::NavLink;
use super::covered_cells::{Change, CoveredCells, Stamp};
use super::edits::Edits;
use super::saved::SavedGrid;
use super::{GridTransform, Plane};

#[cfg(feature = "assets")]
mod files;
mod mapping;

/// A grid that agents walk on; its entity's `Transform` places it in the world.
///
/// The outer corner of cell (0, 0) lies at the entity's origin; columns and rows run as [`Plane`] says.
/// Edit the grid at any time: running searches keep the snapshot with which they started, and only agents whose
/// remaining path is touched replan.
///
/// Where cells have a [height](Grid::with_elevation), agents stand on them.
///
/// Serde keeps the cell size, the plane, elevation, the terrain (without what [`GridObstacle`](super::GridObstacle)s
/// cover) and the kinds of agents. The revision begins anew, and a loaded grid counts as a new map: all paths on it
/// are replanned.
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
    /// The journal of the latest edits, from which `solve` finds the paths that they touch.
    edits: Edits,
    /// Distinguishes this grid from any other that is put in its place.
    lineage: u64,
    /// The lineage that it had before it was last [put on another canvas](Self::set_canvas), and by how many columns
    /// and rows all of its cells moved then.
    moved_from: Option<(u64, IVec2)>,
    /// The revision from which on cells lie where they lie now.
    placed_since: u64,
    covered: CoveredCells,
    /// The links that a file of this grid holds: see [`links`](Self::links). The ends name no entity yet.
    #[cfg(feature = "assets")]
    links: Arc<[NavLink]>,
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
            moved_from: None,
            placed_since: 0,
            covered: CoveredCells::default(),
            #[cfg(feature = "assets")]
            links: Arc::default(),
        }
    }

    /// The same grid with cells of this side, before the transform's scale. Unit: world units. Range: above 0; with
    /// other values every request on the grid fails with `PathError::BadGrid`. Default: `1.0`.
    #[must_use]
    pub const fn with_cell_size(mut self, cell_size: f32) -> Self {
        self.cell_size = cell_size;
        self
    }

    /// The same grid on another plane. Default: [`Plane::Xy`].
    #[must_use]
    pub const fn with_plane(mut self, plane: Plane) -> Self {
        self.plane = plane;
        self
    }

    /// The cells, shared. A search clones the `Arc` as its snapshot.
    #[must_use]
    pub const fn grid(&self) -> &Arc<Grid> {
        &self.grid
    }

    /// The number of the latest edit; it never decreases.
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

    /// The terrain of a cell without what [`GridObstacle`](super::GridObstacle)s put on it, or `None`
    /// outside the grid. Searches use the terrain of [`grid`](Self::grid), obstacles included.
    #[must_use]
    pub fn ground(&self, cell: Cell) -> Option<Terrain> {
        self.covered.ground(cell).or_else(|| self.grid.terrain(cell))
    }

    /// Changes the terrain of a cell; `Ok(true)` if it was different before. On a cell that an obstacle covers, the
    /// change shows once the obstacle has left; the same holds for all other edits.
    ///
    /// # Errors
    /// The errors of [`Grid::set`], such as a cell outside the grid.
    pub fn set(&mut self, cell: Cell, terrain: Terrain) -> Result<bool, GridError> {
        if self.ground(cell) == Some(terrain) {
            return Ok(false);
        }
        self.edit(|edit| edit.set(cell, terrain))
    }

    /// Changes the terrain of the part of a rectangle that lies on the grid. Returns the number of cells that
    /// changed.
    pub fn fill(&mut self, rect: CellRect, terrain: Terrain) -> u64 {
        self.edit(|edit| edit.fill(rect, terrain))
    }

    /// Sets the height of a cell above the plane of the grid; `Ok(true)` if it was different before. Unit: cells, so
    /// that 1 is as high as a cell is wide. Range: ±[`Grid::MAX_ELEVATION`].
    ///
    /// # Errors
    /// The errors of [`GridEdit::set_elevation`], such as a height that is NaN.
    pub fn set_elevation(&mut self, cell: Cell, height: f32) -> Result<bool, GridError> {
        if self.grid.contains(cell) && self.grid.elevation(cell) == height {
            return Ok(false);
        }
        self.edit(|edit| edit.set_elevation(cell, height))
    }

    /// Changes the terrain of the cells whose centres lie in a disc, given in grid space (in cells). Returns the
    /// number of cells that changed.
    pub fn fill_disc(&mut self, center: Vec2, radius: f32, terrain: Terrain) -> u64 {
        self.edit(|edit| edit.fill_disc(center, radius, terrain))
    }

    /// Makes many edits as one, so that derived data is updated once. Separate edits give the same result, but cost
    /// some microseconds more each.
    ///
    /// ```
    /// # use bevy_pathfind::prelude::*;
    /// let mut nav = NavGrid::default();
    /// nav.edit(|edit| {
    ///     edit.fill(CellRect::new(Cell::new(2, 2), Cell::new(11, 11)), Terrain::WALL);
    ///     edit.set(Cell::new(6, 2), Terrain::GROUND) // the door
    /// })?;
    /// assert_eq!(nav.revision(), 1);
    /// # Ok::<(), GridError>(())
    /// ```
    ///
    /// Returns the value of `edits`. If `edits` panics, the edits before the panic stay, and every path on this grid is
    /// checked again.
    pub fn edit<R>(&mut self, edits: impl FnOnce(&mut GridEdit) -> R) -> R {
        /// Clears the journal when it is dropped, so that every path counts as touched.
        struct Unjournaled<'a>(&'a mut NavGrid);
        impl Drop for Unjournaled<'_> {
            fn drop(&mut self) {
                self.0.edits = Edits::since(self.0.grid.revision());
            }
        }
        let guard = Unjournaled(self);
        let nav = &mut *guard.0;
        let (value, touched) = nav.covered.edit(Arc::make_mut(&mut nav.grid), edits);
        std::mem::forget(guard);
        self.note(touched);
        value
    }

    /// Replaces the whole map: its cells and its kinds of agents. If the size is the same, and no kind is missing,
    /// only the cells that differ count as edited; otherwise it is a new map, on which every path is planned anew.
    pub fn set_map(&mut self, map: &Grid) {
        let is_same_shape = map.size() == self.grid.size() && map.kind_count() >= self.grid.kind_count();
        if !is_same_shape {
            let (cell_size, plane) = (self.cell_size, self.plane);
            #[cfg(feature = "assets")]
            let links = self.links.clone();
            *self = Self::new(map.clone()).with_cell_size(cell_size).with_plane(plane);
            #[cfg(feature = "assets")]
            {
                self.links = links;
            }
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
        let has_elevation = map.has_elevation() || self.grid.has_elevation();
        self.edit(|edit| {
            edit.map(edit.bounds(), |cell, old| map.terrain(cell).unwrap_or(old));
            for cell in edit.bounds().cells().filter(|_| has_elevation) {
                edit.set_elevation(cell, map.elevation(cell)).expect("it is valid on the other grid");
            }
        });
    }

    /// Adds a kind of agent, with its own costs and size, and returns its id.
    ///
    /// Ids are per grid, counted in the order of adding; 0 is the default kind. An [`Agent`](crate::agent::Agent)
    /// that uses several grids has one id for all of them: add the same kinds in the same order to every grid.
    ///
    /// # Errors
    /// The errors of [`Grid::add_kind`], such as one for too many kinds.
    pub fn add_kind(&mut self, kind: AgentKind) -> Result<KindId, GridError> {
        Arc::make_mut(&mut self.grid).add_kind(kind)
    }

    /// Replaces a kind of agent by one with other costs or another size; `Ok(true)` if they differ. Every path on the
    /// grid is then checked again.
    ///
    /// # Errors
    /// The errors of [`Grid::set_kind`], such as an unknown kind.
    pub fn set_kind(&mut self, id: KindId, kind: AgentKind) -> Result<bool, GridError> {
        let changed = self.covered.set_kind(Arc::make_mut(&mut self.grid), id, kind)?;
        if changed {
            self.note(vec![self.grid.bounds()]);
        }
        Ok(changed)
    }

    /// The rectangles that hold all cells that have changed since the grid had this
    /// [revision](pathfind_core::Grid::revision), in the order of the changes: for a mini-map, a fog, or a
    /// [`DistanceField`](pathfind_core::DistanceField) of your own. `None` if that is too long ago (more than 4,096
    /// rectangles), if the cells of a [joined grid](super::JoinedGrid) have moved since, or if the revision is none
    /// of this grid: then everything may have changed.
    ///
    /// ```
    /// # use bevy_pathfind::prelude::*;
    /// let mut nav = NavGrid::new(Grid::new(20, 10)?);
    /// let seen = nav.grid().revision();
    /// nav.set(Cell::new(3, 4), Terrain::WALL)?;
    /// let changes: Vec<CellRect> = nav.changes_since(seen).expect("nothing is forgotten").collect();
    /// assert_eq!(changes, [CellRect::new(Cell::new(3, 4), Cell::new(3, 4))]);
    /// # Ok::<(), GridError>(())
    /// ```
    pub fn changes_since(&self, revision: u64) -> Option<impl Iterator<Item = CellRect>> {
        let is_known = (self.placed_since..=self.grid.revision()).contains(&revision);
        self.edits.after(revision).filter(|_| is_known)
    }

    /// Records in the journal the rectangles in which the grid has just changed.
    fn note(&mut self, touched: Vec<CellRect>) {
        for rect in touched {
            self.edits.record(self.grid.revision(), rect);
        }
    }

    /// [Compacts](Grid::compact) the grid.
    pub(super) fn compact(&mut self) {
        if !self.grid.is_compact() {
            Arc::make_mut(&mut self.grid).compact();
        }
    }

    /// Updates what obstacles cover.
    pub(super) fn stamp(&mut self, changes: Vec<Change>) {
        let touched = self.covered.update(Arc::make_mut(&mut self.grid), changes);
        self.note(touched);
    }

    /// Puts the map on a canvas of `size` cells, `by` blocks of 64 cells farther; what was outside is void. As the
    /// places of cells have changed, the grid gets another lineage; [`moved_by`](Self::moved_by) returns the shift.
    pub(super) fn set_canvas(&mut self, size: UVec2, by: IVec2) -> Result<(), GridError> {
        let cells = by * Grid::BLOCK as i32;
        let shift = |cell: Cell| Cell::new(cell.x + cells.x, cell.y + cells.y);
        // Obstacles are removed from the cells and added again. That changes nothing, so it is not recorded.
        let footprints: Vec<_> =
            self.covered.obstacles().filter_map(|it| Some((it, self.covered.of(it)?.clone()))).collect();
        let removed = footprints.iter().map(|&(obstacle, _)| (obstacle, None)).collect();
        self.covered.update(Arc::make_mut(&mut self.grid), removed);
        self.grid = Arc::new(self.grid.on_canvas(size, by)?);
        let moved = footprints.into_iter().map(|(obstacle, stamp)| {
            let (footprint, cells) =
                (stamp.footprint.shifted(cells.as_vec2()), stamp.cells.into_iter().map(shift).collect());
            (obstacle, Some(Stamp { footprint, cells, ..stamp }))
        });
        let moved = moved.collect();
        self.covered.update(Arc::make_mut(&mut self.grid), moved);
        self.edits.shift(cells);
        self.moved_from = Some((self.lineage, cells));
        self.placed_since = self.grid.revision();
        self.lineage = new_lineage();
        Ok(())
    }

    /// By how many columns and rows the cells have moved since the grid had another lineage; `None` if that is longer
    /// ago than the last move, or was another map.
    pub(crate) fn moved_by(&self, since: u64) -> Option<IVec2> {
        self.moved_from.filter(|&(lineage, _)| lineage == since).map(|(_, cells)| cells)
    }

    /// What obstacles cover.
    pub(super) const fn covered(&self) -> &CoveredCells {
        &self.covered
    }

    /// What obstacles cover, for changes that leave the grid as it is.
    pub(super) const fn covered_mut(&mut self) -> &mut CoveredCells {
        &mut self.covered
    }

    /// A number unique to this grid: a grid that is put in its place has another.
    pub(crate) const fn lineage(&self) -> u64 {
        self.lineage
    }

    /// The journal of the latest edits.
    pub(crate) const fn edits(&self) -> &Edits {
        &self.edits
    }
}

/// A number that no grid in this process has had before.
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
}
