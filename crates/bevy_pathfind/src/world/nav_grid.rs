//! The [`NavGrid`] component: the cells of a grid, and edits of them.
//!
//! Reading and writing files is in `files`. The cells that
//! obstacles cover are kept in [`covered_cells`](super::covered_cells), the journal of edits in
//! [`edits`](super::edits).

use core::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bevy::math::Affine3A;
use bevy::prelude::*;
use pathfind_core::{AgentKind, CellRect, Grid, GridCell, GridEdit, GridError, KindId, Terrain, TextError};
use serde::{Deserialize, Serialize};

#[cfg(feature = "assets")]
use super::NavLink;
use super::agent_kinds::AgentKinds;
use super::covered_cells::{CoverChange, CoveredCells, Stamp};
use super::edits::Edits;
use super::saved::SavedGrid;
use super::{GridInfluence, GridPlane, GridTransform};
use costs::CostJournal;
use edges::{copy_edges, edge_between};

mod costs;
pub(super) mod edges;
#[cfg(feature = "assets")]
mod files;

/// A grid that agents walk on; its entity's `Transform` places it in the world.
///
/// The outer corner of cell (0, 0) lies at the entity's origin, unless the grid is [`centered`](Self::centered); columns
/// and rows run as [`GridPlane`] says. It is read as a [`Grid`]: all methods of that are here too. Edit the grid at any time: running searches keep the snapshot with which they started, and only agents whose
/// remaining path is touched replan.
///
/// Where cells have a [height](Grid::with_elevation), agents stand on them.
///
/// Serde keeps the cell size, the plane, the elevation, the [edges](Self::set_edge), the terrain (that under
/// [`Obstacle`](super::Obstacle)s) and the kinds of agents. The revision begins anew, and a loaded grid
/// counts as a new map: all paths on it are replanned.
///
/// ```
/// # use bevy_pathfind::prelude::*;
/// let mut grid = NavGrid::from_ascii("
///     ....#
///     ..#..
///     .....
/// ")?.with_cell_size(16.0).centered();
/// grid.set((3, 1), Terrain::WALL)?;
/// assert!(!grid.is_walkable(KindId::default(), GridCell::new(3, 1)));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Component, Reflect, Debug, Clone, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(opaque)]
#[reflect(Component, Default, Clone, Debug, Serialize, Deserialize)]
#[serde(into = "SavedGrid", try_from = "SavedGrid")]
#[cfg_attr(feature = "assets", derive(bevy::asset::Asset))]
#[require(Transform, GridTransform, GridInfluence)]
pub struct NavGrid {
    grid: Arc<Grid>,
    cell_size: f32,
    plane: GridPlane,
    is_centered: bool,
    /// The journal of the latest edits, from which `solve` finds the paths that they touch.
    edits: Edits,
    /// The journal of extra costs; `None` before the first.
    costs: Option<Box<CostJournal>>,
    /// The revision at which a kind of agent was last replaced.
    kinds_changed: u64,
    /// An id that no other grid of this process has, so that a grid inserted in place of this one is recognized.
    map_id: u64,
    /// The map_id before the last [`set_canvas`](Self::set_canvas), and by how many columns and rows all cells moved
    /// then.
    moved_from: Option<Box<(u64, IVec2)>>,
    /// The revision at which the cells last moved.
    placed_since: u64,
    /// The cells that obstacles cover.
    pub(super) covered: CoveredCells,
    /// The links that the file of this grid holds: see [`links`](Self::links). Their ends name a placeholder as grid.
    #[cfg(feature = "assets")]
    links: Arc<[NavLink]>,
}

impl Default for NavGrid {
    /// 32 by 32 cells of open ground.
    fn default() -> Self {
        Self::new(Grid::new(32, 32).expect("32 by 32 is within the limits of a grid"))
    }
}

impl Deref for NavGrid {
    type Target = Grid;

    fn deref(&self) -> &Grid {
        &self.grid
    }
}

impl NavGrid {
    /// A grid with cells of one unit on the XY plane.
    #[must_use]
    pub fn new(grid: Grid) -> Self {
        Self {
            edits: Edits::since(grid.revision()),
            costs: None,
            kinds_changed: grid.revision(),
            grid: Arc::new(grid),
            cell_size: 1.0,
            plane: GridPlane::Xy,
            is_centered: false,
            map_id: new_map_id(),
            moved_from: None,
            placed_since: 0,
            covered: CoveredCells::default(),
            #[cfg(feature = "assets")]
            links: Arc::default(),
        }
    }

    /// A grid from a picture: one character a cell, as [`Grid::from_ascii`] reads them, the first row on top: it lies on
    /// [`GridPlane::XyDown`], or seen from above on [`GridPlane::Xz`]. Blank lines before and after it and spaces beside it are
    /// left out, so that it may be indented with the code.
    ///
    /// # Errors
    /// The errors of [`Grid::from_ascii`]; lines are counted from the first row.
    pub fn from_ascii(picture: &str) -> Result<Self, TextError> {
        let rows: Vec<&str> = picture.trim().lines().map(str::trim).collect();
        let grid = Grid::from_rows(&rows, u64::MAX, Terrain::from_char)?;
        Ok(Self::new(grid).with_plane(GridPlane::XyDown))
    }

    /// A grid of this many columns and rows, with the terrain that a function gives each cell.
    ///
    /// # Errors
    /// The errors of [`Grid::from_fn`], such as a side of 0 cells.
    pub fn from_fn(
        width: u32,
        height: u32,
        terrain: impl FnMut(GridCell) -> Terrain,
    ) -> Result<Self, GridError> {
        Grid::from_fn(width, height, terrain).map(Self::new)
    }

    /// The same grid with its middle at the origin of its entity, instead of its corner.
    #[must_use]
    pub const fn centered(mut self) -> Self {
        self.is_centered = true;
        self
    }

    /// Whether the middle of the grid lies at the origin of its entity.
    #[must_use]
    pub const fn is_centered(&self) -> bool {
        self.is_centered
    }

    /// The same grid with cells of this side, before the transform's scale. Unit: world units. Range: above 0; with
    /// other values every request on the grid fails with `PathError::BadGrid`. Default: `1.0`.
    #[must_use]
    pub const fn with_cell_size(mut self, cell_size: f32) -> Self {
        self.cell_size = cell_size;
        self
    }

    /// The same grid on another plane. Default: [`GridPlane::Xy`].
    #[must_use]
    pub const fn with_plane(mut self, plane: GridPlane) -> Self {
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
    pub const fn plane(&self) -> GridPlane {
        self.plane
    }

    /// The map from grid space to the frame of the entity.
    pub(crate) fn frame(&self) -> Affine3A {
        let axes = self.plane.axes() * self.cell_size;
        let middle = self.grid.size().as_vec2() / 2.0;
        let origin = if self.is_centered { -(axes * middle.extend(0.0)) } else { Vec3::ZERO };
        Affine3A::from_mat3_translation(axes, origin)
    }

    /// The terrain of a cell without what carved [`Obstacle`](super::Obstacle)s put on it, or `None`
    /// outside the grid. Searches use the terrain of [`grid`](Self::grid), obstacles included.
    #[must_use]
    pub fn ground(&self, cell: impl Into<GridCell>) -> Option<Terrain> {
        let cell = cell.into();
        self.covered.layer.ground(cell).or_else(|| self.grid.terrain(cell))
    }

    /// Changes the terrain of a cell; `Ok(true)` if it was different before. On a cell that an obstacle covers, the
    /// change shows once the obstacle has left; the same holds for all other edits.
    ///
    /// # Errors
    /// The errors of [`Grid::set`], such as a cell outside the grid.
    pub fn set(&mut self, cell: impl Into<GridCell>, terrain: Terrain) -> Result<bool, GridError> {
        let cell = cell.into();
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
    pub fn set_elevation(&mut self, cell: impl Into<GridCell>, height: f32) -> Result<bool, GridError> {
        let cell = cell.into();
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
    ///     edit.fill(CellRect::new(GridCell::new(2, 2), GridCell::new(11, 11)), Terrain::WALL);
    ///     edit.set(GridCell::new(6, 2), Terrain::GROUND) // the door
    /// })?;
    /// assert_eq!(nav.revision(), 1);
    /// # Ok::<(), GridError>(())
    /// ```
    ///
    /// Returns the value of `edits`. If `edits` panics, the edits before the panic stay, and every path on this grid
    /// is checked again.
    pub fn edit<R>(&mut self, edits: impl FnOnce(&mut GridEdit) -> R) -> R {
        // An empty journal stays if `edits` panics: every path then counts as touched. An edit is one revision.
        let empty = Edits::since(self.grid.revision() + 1);
        let journal = core::mem::replace(&mut self.edits, empty);
        let (value, touched) = self.covered.layer.edit(Arc::make_mut(&mut self.grid), edits);
        self.edits = journal;
        self.note(touched);
        value
    }

    /// Replaces the whole map: its cells and its kinds of agents. If the size is the same, and no kind is missing,
    /// only the cells that differ count as edited; otherwise it is a new map, on which every path is planned anew.
    pub fn set_map(&mut self, map: &Grid) {
        let is_same_shape = map.size() == self.grid.size() && map.kind_count() >= self.grid.kind_count();
        if !is_same_shape {
            *self = Self {
                cell_size: self.cell_size,
                plane: self.plane,
                is_centered: self.is_centered,
                #[cfg(feature = "assets")]
                links: self.links.clone(),
                ..Self::new(map.clone())
            };
            return;
        }
        self.set_kinds(kinds_of(map));
        let has_elevation = map.has_elevation() || self.grid.has_elevation();
        let has_edges = map.has_edges() || self.grid.has_edges();
        self.edit(|edit| {
            edit.map(edit.bounds(), |cell, old| map.terrain(cell).unwrap_or(old));
            for cell in edit.bounds().cells().filter(|_| has_elevation) {
                edit.set_elevation(cell, map.elevation(cell))
                    .expect("a height of one grid is valid on another");
            }
            if has_edges {
                copy_edges(edit, edit.bounds(), |a, b| Some(edge_between(map, a, b)));
            }
        });
    }

    /// Replaces a kind of agent. Every path on the grid is then checked again. Which of several overlapping obstacles
    /// shows depends on the costs of the default kind.
    fn set_kind(&mut self, id: KindId, kind: AgentKind) -> Result<(), GridError> {
        if self.covered.layer.set_kind(Arc::make_mut(&mut self.grid), id, kind)? {
            self.kinds_changed = self.grid.revision();
            self.note(vec![self.grid.bounds()]);
        }
        Ok(())
    }

    /// With these kinds of agents at once, not only from the next tick on: to ask it before it is spawned.
    #[must_use]
    pub fn with_kinds(mut self, kinds: &AgentKinds) -> Self {
        self.set_kinds(kinds.iter());
        self
    }

    /// Replaces its first kinds of agents, and adds those that it lacks.
    pub(super) fn set_kinds<'a>(&mut self, kinds: impl IntoIterator<Item = &'a AgentKind>) {
        for (id, kind) in (0..).map(KindId).zip(kinds) {
            let result = match self.grid.kind(id) {
                Some(_) => self.set_kind(id, kind.clone()),
                None => Arc::make_mut(&mut self.grid).add_kind(kind.clone()).map(|_| ()),
            };
            result.expect("the kind was checked");
        }
    }

    /// The rectangles that hold all cells whose terrain, elevation or extra cost has changed since the grid had this
    /// [revision](pathfind_core::Grid::revision): for a mini-map, a fog, or a
    /// [`DistanceField`](pathfind_core::DistanceField) of your own. `None` if everything may have changed: the
    /// revision is too old (more than 4,096 rectangles ago) or not one of this grid, or the cells of a [joined
    /// grid](super::JoinedGrid) have moved since.
    ///
    /// ```
    /// # use bevy_pathfind::world::Grid;
    /// # use bevy_pathfind::prelude::*;
    /// let mut nav = NavGrid::new(Grid::new(20, 10)?);
    /// let seen = nav.grid().revision();
    /// nav.set(GridCell::new(3, 4), Terrain::WALL)?;
    /// let changes: Vec<CellRect> = nav.changes_since(seen).expect("nothing is forgotten").collect();
    /// assert_eq!(changes, [CellRect::new(GridCell::new(3, 4), GridCell::new(3, 4))]);
    /// # Ok::<(), GridError>(())
    /// ```
    pub fn changes_since(&self, revision: u64) -> Option<impl Iterator<Item = CellRect>> {
        let is_known = (self.placed_since..=self.grid.revision()).contains(&revision);
        let edits = self.edits.after(revision)?;
        let costs = self.costs.as_ref().map(|costs| costs.changes.after(revision));
        let costs = if let Some(costs) = costs { Some(costs?) } else { None };
        is_known.then(|| edits.chain(costs.into_iter().flatten()))
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

    /// Changes which cells obstacles cover, as one edit.
    pub(super) fn stamp(&mut self, changes: Vec<CoverChange>) {
        let touched = self.covered.update(Arc::make_mut(&mut self.grid), changes);
        self.note(touched);
    }

    /// Copies the cells to a canvas (a rectangle of cells) of this size, shifted by `by` blocks of 64 cells; cells
    /// that were not on the old canvas are void. All cells move, so the grid gets another map id;
    /// [`moved_by`](Self::moved_by) returns the shift.
    ///
    /// # Errors
    /// The errors of [`Grid::on_canvas`], such as a side that is too long.
    pub(super) fn set_canvas(&mut self, size: UVec2, by: IVec2) -> Result<(), GridError> {
        let cells = by * Grid::BLOCK as i32;
        let shift = |cell: GridCell| GridCell::new(cell.x + cells.x, cell.y + cells.y);
        // Obstacles are removed before the copy and added again after it. No cell changes its terrain by that, so the
        // journal does not record it.
        let footprints = self.covered.by_obstacle.clone();
        let removed = footprints.keys().map(|&obstacle| (obstacle, None)).collect();
        self.covered.update(Arc::make_mut(&mut self.grid), removed);
        self.grid = Arc::new(self.grid.on_canvas(size, by)?);
        let moved = footprints.into_iter().map(|(obstacle, stamp)| {
            let (footprint, cells) = (
                stamp.footprint.map(|it| it.shifted(cells.as_vec2())),
                stamp.cells.into_iter().map(shift).collect(),
            );
            (obstacle, Some(Stamp { footprint, cells, ..stamp }))
        });
        self.covered.update(Arc::make_mut(&mut self.grid), moved.collect());
        self.edits.shift(cells);
        self.costs.iter_mut().for_each(|costs| costs.changes.shift(cells));
        self.moved_from = Some(Box::new((self.map_id, cells)));
        self.placed_since = self.grid.revision();
        self.map_id = new_map_id();
        Ok(())
    }

    /// By how many columns and rows the cells have moved since the grid had the map_id `since`; `None` unless the
    /// last move replaced that map id by the present one.
    pub(crate) fn moved_by(&self, since: u64) -> Option<IVec2> {
        self.moved_from.as_deref().filter(|(map_id, _)| *map_id == since).map(|&(_, cells)| cells)
    }

    /// An id that no other grid of this process has: a grid inserted in place of this one has another, and so has
    /// this one once its cells have moved.
    pub(crate) const fn map_id(&self) -> u64 {
        self.map_id
    }

    /// The journal of the latest edits.
    pub(crate) const fn edits(&self) -> &Edits {
        &self.edits
    }
}

/// All kinds of agents of a grid, in the order of their ids.
pub(super) fn kinds_of(grid: &Grid) -> impl Iterator<Item = &AgentKind> {
    (0..).map_while(|id| grid.kind(KindId(id)))
}

/// An id that no grid of this process has had before.
fn new_map_id() -> u64 {
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
        assert_eq!(grid.set(GridCell::new(1, 1), Terrain::WALL), Ok(true));
        assert_eq!(before.terrain(GridCell::new(1, 1)), Some(Terrain::GROUND), "the snapshot is as it was");
        assert_eq!(grid.set(GridCell::new(1, 1), Terrain::WALL), Ok(false), "the cell is a wall already");
        assert!(grid.set(GridCell::new(-1, 0), Terrain::WALL).is_err(), "outside is an error, not a panic");
    }

    #[test]
    fn edits_that_panic_clear_the_journal() {
        let mut nav = NavGrid::default();
        let before = nav.revision();
        let edits = std::panic::AssertUnwindSafe(|| {
            nav.edit(|edit| {
                edit.set(GridCell::new(3, 0), Terrain::WALL).unwrap();
                panic!("the second edit fails");
            });
        });
        std::panic::catch_unwind(edits).expect_err("the edits panic");
        assert!(!nav.grid().is_walkable(KindId(0), GridCell::new(3, 0)), "the edit before the panic stands");
        assert!(
            nav.edits().after(before).is_none(),
            "the journal is cleared, so that every path counts as touched"
        );
    }

    #[test]
    fn a_map_of_the_same_size_edits_only_the_cells_that_differ() {
        let mut nav = NavGrid::new(Grid::from_ascii("....\n....").unwrap()).with_cell_size(2.0);
        let map_id = nav.map_id();
        nav.set_map(&Grid::from_ascii("...#\n....").unwrap());
        assert_eq!((nav.map_id(), nav.revision()), (map_id, 1), "one cell, one edit");
        assert_eq!(nav.grid().to_ascii().unwrap(), "...#\n....\n");
        nav.set_map(&Grid::from_ascii("...").unwrap());
        assert_ne!(nav.map_id(), map_id, "another size is another map");
        assert_eq!((nav.grid().width(), nav.cell_size()), (3, 2.0), "the new map has the old cell size");
    }
}
