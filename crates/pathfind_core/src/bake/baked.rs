//! A bake: under way, and its result.

use super::face::Faces;
use super::floors::{STRAIGHT, assign};
use super::ground::{BakedSpan, Ground, GroundRow};
use super::links::{BakedLink, CellLink, find, joined};
use super::{BakeError, BakeMesh, BakeSettings};
use crate::grid::{CellRect, Grid, GridCell, GridEdit, Terrain};

/// A bake that is under way, row by row.
#[derive(Debug)]
pub struct BakeRun {
    settings: BakeSettings,
    faces: Faces,
    rows: Vec<GroundRow>,
}

impl BakeRun {
    /// Begins a bake.
    ///
    /// # Errors
    /// Those of [`BakeSettings::check`], and [`BakeError::TooManyPieces`].
    pub fn new(settings: BakeSettings, meshes: &[&BakeMesh]) -> Result<Self, BakeError> {
        settings.check()?;
        let faces = Faces::new(&settings, meshes, settings.bounds())?;
        Ok(Self { settings, faces, rows: Vec::with_capacity(settings.size.y as usize) })
    }

    /// Bakes some more rows. Returns whether all are baked.
    pub fn step(&mut self, rows: u32) -> bool {
        let max = self.settings.bounds().max;
        let end = self.rows.len().saturating_add(rows as usize).min(max.y as usize + 1);
        for y in self.rows.len()..end {
            self.rows.push(GroundRow::survey(&self.settings, &self.faces, y as i32, 0, max.x));
        }
        end == max.y as usize + 1
    }

    /// Which part of the rows is baked: 0 to 1.
    #[must_use]
    pub fn progress(&self) -> f32 {
        self.rows.len() as f32 / self.settings.size.y as f32
    }

    /// Bakes the remaining rows, and divides the ground into floors.
    ///
    /// # Errors
    /// [`BakeError::TooManyFloors`].
    pub fn finish(mut self) -> Result<Baked, BakeError> {
        self.step(u32::MAX);
        let bounds = self.settings.bounds();
        let mut ground = Ground { bounds, step: self.settings.step, rows: self.rows };
        assign(&mut ground, bounds)?;
        let mut baked = Baked { settings: self.settings, ground, crossings: Vec::new(), floors: 1 };
        baked.crossings.resize(baked.ground.rows.len(), Vec::new());
        baked.count_floors(bounds);
        baked.find_crossings(&self.faces, bounds);
        Ok(baked)
    }
}

/// The ground of a level: its floors, and the links between them.
#[derive(Clone, Debug)]
pub struct Baked {
    settings: BakeSettings,
    ground: Ground,
    /// For each row the links of single cells that begin there.
    crossings: Vec<Vec<CellLink>>,
    floors: usize,
}

/// What a rebake may have changed.
#[derive(Copy, Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Rebaked {
    /// The cells that were baked again; `None` if the rectangle lies outside the box.
    pub cells: Option<CellRect>,
    /// Whether links have changed.
    pub links: bool,
}

impl Baked {
    /// Bakes at once.
    ///
    /// # Errors
    /// Those of [`BakeRun::new`] and [`BakeRun::finish`].
    pub fn new(settings: BakeSettings, meshes: &[&BakeMesh]) -> Result<Self, BakeError> {
        BakeRun::new(settings, meshes)?.finish()
    }

    /// Bakes a rectangle of cells again, after meshes that touch it changed. `meshes` are all meshes as they are now;
    /// only triangles that touch the rectangle are looked at, and those within the reach of a jump. The ground is as
    /// after a full bake. What is found again keeps its floor.
    ///
    /// # Errors
    /// [`BakeError::TooManyPieces`] and [`BakeError::TooManyFloors`]; then nothing has changed.
    pub fn rebake(&mut self, rect: CellRect, meshes: &[&BakeMesh]) -> Result<Rebaked, BakeError> {
        let bounds = self.ground.bounds;
        let Some(rect) = rect.intersection(bounds) else { return Ok(Rebaked { cells: None, links: false }) };
        let reach = self.settings.reach();
        let seen = rect.grown(2 * reach).intersection(bounds).unwrap_or(rect);
        let faces = Faces::new(&self.settings, meshes, seen)?;
        let lines = rect.min.y as usize..=rect.max.y as usize;
        let old: Vec<GroundRow> = self.ground.rows[lines.clone()].to_vec();
        for y in rect.min.y..=rect.max.y {
            self.survey_again(&faces, y, rect);
        }
        if let Err(error) = assign(&mut self.ground, rect) {
            self.ground.rows.splice(lines, old);
            return Err(error);
        }
        self.count_floors(rect);
        // Links that begin before the rectangle end in it, or lead over it.
        let links =
            self.find_crossings(&faces, rect.grown(reach.max(1)).intersection(bounds).unwrap_or(rect));
        Ok(Rebaked { cells: Some(rect), links })
    }

    /// Surveys a part of a row again; surfaces that are found again keep their floors.
    fn survey_again(&mut self, faces: &Faces, y: i32, rect: CellRect) {
        let row = GroundRow::survey(&self.settings, faces, y, rect.min.x, rect.max.x);
        let cells = (rect.min.x..=rect.max.x).map(|x| GridCell::new(x, y));
        let old: Vec<(GridCell, BakedSpan)> =
            cells.flat_map(|cell| self.ground.column(cell).iter().map(move |&span| (cell, span))).collect();
        self.ground.rows[y as usize].splice(rect.min.x as usize, row);
        for (cell, before) in old {
            let step = self.settings.step;
            let is_same =
                |span: &&mut BakedSpan| span.is_unassigned() && (span.height - before.height).abs() <= step;
            if let Some(floor) = before.floor()
                && let Some(span) = self.ground.column_mut(cell).iter_mut().find(is_same)
            {
                span.assign(floor as u8);
            }
        }
    }

    /// Replaces the crossings that begin in a rectangle. Returns whether any has changed.
    fn find_crossings(&mut self, faces: &Faces, rect: CellRect) -> bool {
        if self.floors == 1 && self.settings.reach() == 0 {
            return false;
        }
        let mut is_changed = false;
        let mut found = Vec::new();
        for y in rect.min.y..=rect.max.y {
            found.clear();
            for x in rect.min.x..=rect.max.x {
                find(&self.settings, &self.ground, faces, GridCell::new(x, y), &mut found);
            }
            let row = &mut self.crossings[y as usize];
            let old = row.extract_if(.., |it| rect.contains(it.cell())).collect::<Vec<_>>();
            is_changed |= old != found;
            row.append(&mut found);
        }
        is_changed
    }

    fn count_floors(&mut self, rect: CellRect) {
        let all = rect.cells().flat_map(|cell| self.ground.column(cell));
        let last = all.filter_map(BakedSpan::floor).max();
        self.floors = self.floors.max(last.map_or(1, |last| last + 1));
    }

    /// The settings that were baked with.
    #[must_use]
    pub const fn settings(&self) -> &BakeSettings {
        &self.settings
    }

    /// The number of floors: at least one, which may be empty. A rebake never lowers it.
    #[must_use]
    pub const fn floor_count(&self) -> usize {
        self.floors
    }

    /// All surfaces over a cell, from the lowest to the highest, those on which an agent cannot stand among them; none
    /// outside the box.
    #[must_use]
    pub fn spans(&self, cell: impl Into<GridCell>) -> &[BakedSpan] {
        self.ground.column(cell.into())
    }

    /// The links between floors, and those over ledges and gaps.
    #[must_use]
    pub fn links(&self) -> Vec<BakedLink> {
        let mut all: Vec<CellLink> = self.crossings.iter().flatten().copied().collect();
        all.sort_unstable();
        joined(&all)
    }

    /// A floor as a grid; [`Terrain::VOID`] where the floor has no ground. All of it is void for a floor that there is
    /// not.
    #[must_use]
    pub fn grid(&self, floor: usize) -> Grid {
        let terrain = |cell| self.ground.on_floor(floor, cell).map_or(Terrain::VOID, |span| span.terrain);
        let size = self.settings.size;
        let mut grid = Grid::from_fn(size.x, size.y, terrain).expect("the size was checked");
        let bounds = grid.bounds();
        grid.edit(|edit| self.write(floor, bounds, edit));
        grid
    }

    /// Writes a part of a floor into its grid, as it is after a [rebake](Self::rebake). What is equal already does not
    /// count as edited.
    pub fn write(&self, floor: usize, rect: CellRect, edit: &mut GridEdit) {
        let Some(rect) = rect.intersection(self.ground.bounds).and_then(|it| it.intersection(edit.bounds()))
        else {
            return;
        };
        for cell in rect.cells() {
            let span = self.ground.on_floor(floor, cell);
            let terrain = span.map_or(Terrain::VOID, |span| span.terrain);
            // Nothing reads the height of void: it stays, so that a door that shuts changes terrain alone.
            let height = span.map_or_else(|| edit.elevation(cell), |span| span.height);
            let is_valid = edit.set(cell, terrain).is_ok() && edit.set_elevation(cell, height).is_ok();
            debug_assert!(is_valid, "heights lie in the box, and cells on the grid");
        }
        for cell in rect.grown(1).intersection(edit.bounds()).unwrap_or(rect).cells() {
            let span = self.ground.on_floor(floor, cell);
            for direction in &STRAIGHT[..2] {
                let next = cell.step(*direction);
                let other = self.ground.on_floor(floor, next);
                let is_cut = span
                    .zip(other)
                    .is_some_and(|(span, other)| !span.joins(other, *direction, self.settings.step));
                // Edges at the border of the grid have no other side.
                if edit.bounds().contains(next) {
                    _ = edit.set_fence(cell, *direction, is_cut);
                }
            }
        }
    }
}
