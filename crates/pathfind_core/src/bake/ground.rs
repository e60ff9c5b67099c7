//! The surfaces of all columns, and which of them are joined.

use glam::{DVec2, Vec2};

use super::BakeSettings;
use super::column::{ROUNDING, survey};
use super::face::Faces;
use crate::grid::{CellRect, Direction, GridCell, Terrain};

/// A surface at the centre of a cell: ground, or one that an agent cannot stand on.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct BakedSpan {
    /// Its height, in cells.
    pub height: f32,
    /// Its terrain.
    pub terrain: Terrain,
    /// How much it rises per column and per row.
    slope: Vec2,
    /// A floor, or one of the numbers below.
    state: u8,
}

/// The first of the numbers that are no floors.
const UNASSIGNED: u8 = 253;
const NO_ROOM: u8 = 254;
const TOO_STEEP: u8 = 255;

/// Why an agent cannot stand on a surface.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Obstruction {
    /// It is steeper than the greatest slope.
    TooSteep,
    /// It lies inside a solid, or something stands on it or hangs over it in the square of the cell.
    NoRoom,
}

impl BakedSpan {
    pub(super) fn new(height: f64, slope: DVec2, terrain: Terrain, obstruction: Option<Obstruction>) -> Self {
        let state = match obstruction {
            None => UNASSIGNED,
            Some(Obstruction::NoRoom) => NO_ROOM,
            Some(Obstruction::TooSteep) => TOO_STEEP,
        };
        Self { height: height as f32, slope: slope.as_vec2(), terrain, state }
    }

    /// The floor that it lies on; `None` if it is not walkable.
    #[must_use]
    pub const fn floor(&self) -> Option<usize> {
        if self.state < UNASSIGNED { Some(self.state as usize) } else { None }
    }

    /// Why it is not walkable; `None` if it is.
    #[must_use]
    pub const fn obstruction(&self) -> Option<Obstruction> {
        match self.state {
            NO_ROOM => Some(Obstruction::NoRoom),
            TOO_STEEP => Some(Obstruction::TooSteep),
            _ => None,
        }
    }

    pub(super) const fn is_walkable(&self) -> bool {
        self.state <= UNASSIGNED
    }

    pub(super) const fn is_unassigned(&self) -> bool {
        self.state == UNASSIGNED
    }

    pub(super) const fn assign(&mut self, floor: u8) {
        self.state = floor;
    }

    /// Whether an agent walks from here to ground of the next cell in a straight direction.
    pub(super) fn joins(&self, other: &Self, direction: Direction, step: f32) -> bool {
        let (x, y) = direction.offset();
        let promised = (self.slope + other.slope).dot(Vec2::new(x as f32, y as f32)) / 2.0;
        let rest = other.height - self.height - promised;
        self.is_walkable() && other.is_walkable() && rest.abs() <= step + ROUNDING as f32
    }
}

/// The surfaces of one row of columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct GroundRow {
    /// For each column where its surfaces begin; and the end of the last.
    starts: Vec<u32>,
    spans: Vec<BakedSpan>,
}

impl GroundRow {
    /// The surfaces of a row of cells.
    pub(super) fn survey(settings: &BakeSettings, faces: &Faces, y: i32, first: i32, last: i32) -> Self {
        let max_rise = f64::from(settings.max_rise());
        let mut row = Self { starts: vec![0], spans: Vec::new() };
        for x in first..=last {
            survey(settings, max_rise, faces, GridCell::new(x, y), &mut row.spans);
            row.starts.push(row.spans.len() as u32);
        }
        row
    }

    fn column(&self, x: usize) -> core::ops::Range<usize> {
        self.starts[x] as usize..self.starts[x + 1] as usize
    }

    /// Replaces the columns from one on by those of another row.
    pub(super) fn splice(&mut self, first: usize, other: Self) {
        let count = other.starts.len() - 1;
        let (from, to) = (self.starts[first], self.starts[first + count]);
        let (old, new) = (to - from, other.spans.len() as u32);
        self.spans.splice(from as usize..to as usize, other.spans);
        self.starts[first..=first + count].copy_from_slice(&other.starts);
        self.starts[first..=first + count].iter_mut().for_each(|start| *start += from);
        self.starts[first + count + 1..].iter_mut().for_each(|start| *start = *start - old + new);
    }
}

/// The surfaces of all columns.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ground {
    pub(super) bounds: CellRect,
    pub(super) step: f32,
    pub(super) rows: Vec<GroundRow>,
}

impl Ground {
    /// The surfaces over a cell, from the lowest to the highest; none outside the box.
    pub(super) fn column(&self, cell: GridCell) -> &[BakedSpan] {
        if !self.bounds.contains(cell) {
            return &[];
        }
        let row = &self.rows[cell.y as usize];
        &row.spans[row.column(cell.x as usize)]
    }

    /// The same, to be changed, for a cell of the box.
    pub(super) fn column_mut(&mut self, cell: GridCell) -> &mut [BakedSpan] {
        let row = &mut self.rows[cell.y as usize];
        let column = row.column(cell.x as usize);
        &mut row.spans[column]
    }

    /// The ground of a floor over a cell.
    pub(super) fn on_floor(&self, floor: usize, cell: GridCell) -> Option<&BakedSpan> {
        self.column(cell).iter().find(|span| span.floor() == Some(floor))
    }

    /// The ground of the next cell that is joined with this ground, by its index in its column. There is at most one,
    /// because the head room is more than two steps.
    pub(super) fn joined(&self, cell: GridCell, span: &BakedSpan, direction: Direction) -> Option<usize> {
        let next = self.column(cell.step(direction));
        next.iter().position(|other| span.joins(other, direction, self.step))
    }
}
