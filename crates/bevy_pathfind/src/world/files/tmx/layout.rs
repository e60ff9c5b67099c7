//! How the tiles of a map lie on the grid.

use bevy::prelude::*;
use pathfind_core::TextErrorKind;

use super::super::{GridFileError, GridFileErrorKind};
use super::{Element, at, number};

/// How the tiles of a map lie on the grid. Isometric and staggered maps are seen from above: a tile is a square cell.
pub(super) struct TileLayout {
    pub(super) columns: u32,
    pub(super) rows: u32,
    /// The side of a cell, in pixels.
    pub(super) side: u32,
    /// The cell that is the grid's first, counted from the map's origin.
    first: IVec2,
    shape: TileShape,
}

enum TileShape {
    Square,
    Isometric,
    /// Every other row, or column, is shifted by half a tile.
    Staggered {
        by_column: bool,
        shifts_odd: bool,
        size: Vec2,
    },
}

impl TileLayout {
    /// The layout of a map whose tiles lie in these areas: column, row, width, height.
    pub(super) fn new(
        map: Element,
        areas: impl Iterator<Item = [i32; 4]>,
        max_cells: u64,
    ) -> Result<Self, GridFileError> {
        let (width, height): (u32, u32) = (number(map, "tilewidth")?, number(map, "tileheight")?);
        if width.min(height) == 0 {
            return Err(unsupported(map, "its tiles have no size".into()));
        }
        let shape = match map.attribute("orientation").unwrap_or("orthogonal") {
            "orthogonal" if width == height => TileShape::Square,
            "isometric" => TileShape::Isometric,
            "staggered" => TileShape::Staggered {
                by_column: map.attribute("staggeraxis") == Some("x"),
                shifts_odd: map.attribute("staggerindex") != Some("even"),
                size: Vec2::new(width as f32, height as f32),
            },
            "orthogonal" => {
                return Err(unsupported(
                    map,
                    format!("its tiles of {width} by {height} pixels are no squares"),
                ));
            }
            other => return Err(unsupported(map, format!("its orientation {other} is not read"))),
        };
        let mut layout = Self { columns: 0, rows: 0, side: height, first: IVec2::ZERO, shape };
        let (mut min, mut max) = (IVec2::MAX, IVec2::MIN);
        for [x, y, width, height] in areas.filter(|area| area[2] > 0 && area[3] > 0) {
            // The outermost tiles of a staggered area are in the two outer rows or columns.
            let ends = |from: i32, count: i32| {
                let (last, one) = (from + count - 1, i32::from(count > 1));
                [from, from + one, last - one, last]
            };
            for (x, y) in ends(x, width).into_iter().flat_map(|x| ends(y, height).map(|y| (x, y))) {
                let cell = layout.cell(x, y);
                (min, max) = (min.min(cell), max.max(cell));
            }
        }
        if min.x > max.x {
            return Err(unsupported(map, "it has no tiles in the layers that are read".into()));
        }
        layout.first = min;
        [layout.columns, layout.rows] = (max - min + 1).to_array().map(|side| side as u32);
        let cells = u64::from(layout.columns) * u64::from(layout.rows);
        if cells > max_cells {
            return Err(at(map, TextErrorKind::TooManyCells { cells, max: max_cells }.into()));
        }
        Ok(layout)
    }

    pub(super) fn cells(&self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// The first cell's corner, in cells from the map's origin.
    pub(super) fn corner(&self) -> Vec2 {
        self.first.as_vec2()
    }

    /// The cell of a tile, counted from the map's origin.
    fn cell(&self, x: i32, y: i32) -> IVec2 {
        let TileShape::Staggered { by_column, shifts_odd, .. } = self.shape else { return IVec2::new(x, y) };
        let (across, along) = if by_column { (y, x) } else { (x, y) };
        // In half tiles. Where even lines are shifted, odd ones count as shifted back.
        let shift = if shifts_odd { along & 1 } else { -(along & 1) };
        let half = |doubled: i32| doubled.div_euclid(2);
        let there = across + half(along + shift);
        let back = half(along - shift) - across;
        if by_column { IVec2::new(there, half(shift - along) + across) } else { IVec2::new(there, back) }
    }

    /// The index of a tile's cell on the grid.
    pub(super) fn index(&self, x: i32, y: i32) -> Option<usize> {
        let IVec2 { x, y } = self.cell(x, y) - self.first;
        let inside = |at: i32, count: u32| usize::try_from(at).ok().filter(|&at| at < count as usize);
        Some(inside(x, self.columns)? + inside(y, self.rows)? * self.columns as usize)
    }

    /// A point of an object in grid space: in cells from the grid's corner.
    pub(super) fn point(&self, pixels: Vec2) -> Vec2 {
        let from_origin = match self.shape {
            TileShape::Square | TileShape::Isometric => pixels / self.side as f32,
            TileShape::Staggered { by_column, shifts_odd, size } => {
                let Vec2 { x, y } = pixels / size;
                // The first tile's upper corner is half a tile to the right of the origin, and half a tile farther
                // right or down if even lines are shifted.
                let shift = if shifts_odd { 0.0 } else { 0.5 };
                Vec2::new(x + y - 0.5 - shift, y - x + 0.5 + if by_column { -shift } else { shift })
            }
        };
        from_origin - self.corner()
    }
}

fn unsupported(map: Element, what: String) -> GridFileError {
    at(map, GridFileErrorKind::Unsupported(what))
}
