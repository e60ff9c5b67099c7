//! Cells, rectangles of cells, and the eight directions between them.

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
use core::fmt;

use glam::{IVec2, Vec2};

/// A cell of a grid by column and row, counted from the top left corner of the map's text.
///
/// A `GridCell` may lie outside its grid: the documentation of each function that takes a cell says what happens then.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect), type_path = "bevy_pathfind")]
#[cfg_attr(feature = "bevy_reflect", reflect(Default, Debug, PartialEq, Hash, Serialize, Deserialize))]
pub struct GridCell {
    /// Column, in cells. Range inside a grid: `0..width`. Default: `0`.
    pub x: i32,
    /// Row, in cells, growing down the map's text. Range inside a grid: `0..height`. Default: `0`.
    pub y: i32,
}

impl GridCell {
    /// The cell in column `x` and row `y`.
    #[must_use]
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// The cell that holds a point of grid space; a point on an edge belongs to the cell of larger
    /// coordinates. A point that is not finite lands on the nearest representable cell (NaN on 0).
    #[must_use]
    #[inline]
    pub fn containing(point: Vec2) -> Self {
        Self { x: floor(point.x.into()), y: floor(point.y.into()) }
    }

    /// The middle of the cell in grid space: `(x + 0.5, y + 0.5)`.
    #[must_use]
    pub fn center(self) -> Vec2 {
        Vec2::new(self.x as f32 + 0.5, self.y as f32 + 0.5)
    }

    /// The next cell in a direction; saturates at the ends of `i32`.
    #[must_use]
    pub const fn step(self, direction: Direction) -> Self {
        let (dx, dy) = direction.offset();
        Self { x: self.x.saturating_add(dx), y: self.y.saturating_add(dy) }
    }

    /// The squared distance between two cells' centres, in cells².
    #[must_use]
    pub const fn distance_squared(self, other: Self) -> u64 {
        let dx = self.x.abs_diff(other.x) as u64;
        let dy = self.y.abs_diff(other.y) as u64;
        dx.saturating_mul(dx).saturating_add(dy.saturating_mul(dy))
    }
}

impl fmt::Display for GridCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

impl From<(i32, i32)> for GridCell {
    fn from((x, y): (i32, i32)) -> Self {
        Self { x, y }
    }
}

impl From<IVec2> for GridCell {
    fn from(v: IVec2) -> Self {
        Self { x: v.x, y: v.y }
    }
}

impl From<GridCell> for IVec2 {
    fn from(cell: GridCell) -> Self {
        Self::new(cell.x, cell.y)
    }
}

/// A rectangle of cells, both corners included.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect), type_path = "bevy_pathfind")]
#[cfg_attr(feature = "bevy_reflect", reflect(Debug, PartialEq, Hash, Serialize, Deserialize))]
pub struct CellRect {
    /// The corner of least column and row, included.
    pub min: GridCell,
    /// The corner of greatest column and row, included.
    pub max: GridCell,
}

impl CellRect {
    /// The rectangle spanned by two opposite corners, in any order.
    #[must_use]
    pub fn new(a: GridCell, b: GridCell) -> Self {
        Self {
            min: GridCell::new(a.x.min(b.x), a.y.min(b.y)),
            max: GridCell::new(a.x.max(b.x), a.y.max(b.y)),
        }
    }

    /// The square from a corner on, with so many cells along its side.
    pub(crate) const fn square(min: GridCell, side: i32) -> Self {
        Self { min, max: GridCell::new(min.x + side - 1, min.y + side - 1) }
    }

    /// Whether a cell lies in the rectangle.
    #[must_use]
    pub const fn contains(self, cell: GridCell) -> bool {
        self.min.x <= cell.x && cell.x <= self.max.x && self.min.y <= cell.y && cell.y <= self.max.y
    }

    /// The cell of the rectangle that is nearest to another cell; [`min`](Self::min) if the rectangle is empty
    /// (`max` less than `min`).
    #[must_use]
    pub fn nearest_to(self, cell: GridCell) -> GridCell {
        GridCell::new(cell.x.min(self.max.x).max(self.min.x), cell.y.min(self.max.y).max(self.min.y))
    }

    /// The least squared distance between a cell of this rectangle and a cell of another.
    pub(crate) fn gap_squared(self, other: Self) -> u64 {
        let gap = |min: i32, max: i32, other_min: i32, other_max: i32| {
            (i64::from(other_min) - i64::from(max)).max(i64::from(min) - i64::from(other_max)).max(0) as u64
        };
        let dx = gap(self.min.x, self.max.x, other.min.x, other.max.x);
        let dy = gap(self.min.y, self.max.y, other.min.y, other.max.y);
        dx.saturating_mul(dx).saturating_add(dy.saturating_mul(dy))
    }

    /// The distance from a point of grid space to the rectangle, in cells; 0 inside.
    #[must_use]
    pub fn distance_to(self, point: Vec2) -> f32 {
        let low = Vec2::new(self.min.x as f32, self.min.y as f32);
        let high = Vec2::new(self.max.x as f32, self.max.y as f32) + 1.0;
        point.distance(point.clamp(low, high))
    }

    /// The cells that two rectangles share; `None` if they share none.
    #[must_use]
    pub fn intersection(self, other: Self) -> Option<Self> {
        let min = GridCell::new(self.min.x.max(other.min.x), self.min.y.max(other.min.y));
        let max = GridCell::new(self.max.x.min(other.max.x), self.max.y.min(other.max.y));
        (min.x <= max.x && min.y <= max.y).then_some(Self { min, max })
    }

    /// The smallest rectangle that holds both rectangles.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            min: GridCell::new(self.min.x.min(other.min.x), self.min.y.min(other.min.y)),
            max: GridCell::new(self.max.x.max(other.max.x), self.max.y.max(other.max.y)),
        }
    }

    /// The rectangle with every side moved outwards by `by` cells, or inwards if `by` is negative; moved inwards far
    /// enough, the rectangle is empty (`max` less than `min`).
    #[must_use]
    pub const fn grown(self, by: i32) -> Self {
        Self {
            min: GridCell::new(self.min.x.saturating_sub(by), self.min.y.saturating_sub(by)),
            max: GridCell::new(self.max.x.saturating_add(by), self.max.y.saturating_add(by)),
        }
    }

    /// The rectangle with columns and rows exchanged.
    #[must_use]
    pub const fn transposed(self) -> Self {
        Self { min: GridCell::new(self.min.y, self.min.x), max: GridCell::new(self.max.y, self.max.x) }
    }

    /// Whether the segment between two points of grid space comes within `reach` cells of the rectangle, measured as
    /// the larger of the distances along x and y; touching counts. The points must be finite.
    #[must_use]
    pub fn is_near_segment(self, a: Vec2, b: Vec2, reach: f32) -> bool {
        let corner = |cell: GridCell| Vec2::new(cell.x as f32, cell.y as f32);
        let (low, high) = (corner(self.min) - reach, corner(self.max) + 1.0 + reach);
        // An early exit: of the many segments of a path, most are far from the rectangle.
        if a.min(b).cmpgt(high).any() || a.max(b).cmplt(low).any() {
            return false;
        }
        let (mut enter, mut leave) = (0.0_f32, 1.0_f32);
        let along = b - a;
        for axis in 0..2 {
            if along[axis] != 0.0 {
                let (t0, t1) = ((low[axis] - a[axis]) / along[axis], (high[axis] - a[axis]) / along[axis]);
                enter = enter.max(t0.min(t1));
                leave = leave.min(t0.max(t1));
            }
        }
        enter <= leave
    }

    /// Every cell, row by row.
    pub fn cells(self) -> impl Iterator<Item = GridCell> {
        (self.min.y..=self.max.y)
            .flat_map(move |y| (self.min.x..=self.max.x).map(move |x| GridCell::new(x, y)))
    }
}

/// One of the eight steps between neighbouring cells, clockwise from east as the map's text is read:
///
/// ```text
/// NW N NE
///  W .  E
/// SW S SE      south is +y, down the rows
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum Direction {
    /// One column right.
    E = 0,
    /// One column right, one row down.
    SE = 1,
    /// One row down.
    S = 2,
    /// One column left, one row down.
    SW = 3,
    /// One column left.
    W = 4,
    /// One column left, one row up.
    NW = 5,
    /// One row up.
    N = 6,
    /// One column right, one row up.
    NE = 7,
}

impl Direction {
    /// All eight, clockwise from east.
    pub const ALL: [Self; 8] = [Self::E, Self::SE, Self::S, Self::SW, Self::W, Self::NW, Self::N, Self::NE];

    /// The direction at this index of [`Direction::ALL`]. Only the low three bits of the index count, so adding to an
    /// index turns the direction.
    #[must_use]
    pub const fn from_index(index: u8) -> Self {
        Self::ALL[(index & 7) as usize]
    }

    /// The change of column and of row by one step.
    #[must_use]
    pub const fn offset(self) -> (i32, i32) {
        const OFFSETS: [(i32, i32); 8] =
            [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
        OFFSETS[self as usize]
    }

    /// Whether the step moves along both axes.
    #[must_use]
    pub const fn is_diagonal(self) -> bool {
        self as u8 & 1 == 1
    }

    /// The opposite direction.
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self::from_index(self as u8 + 4)
    }

    /// The direction from one cell towards another along a row, a column or an exact diagonal; `None` if the cells
    /// are the same or lie on no such line.
    #[must_use]
    pub const fn between(from: GridCell, to: GridCell) -> Option<Self> {
        let (dx, dy) = (to.x as i64 - from.x as i64, to.y as i64 - from.y as i64);
        if dx != 0 && dy != 0 && dx.abs() != dy.abs() {
            return None;
        }
        let index = match (dx.signum(), dy.signum()) {
            (0, 0) => return None,
            (1, turn) => turn & 7,
            (-1, turn) => 4 - turn,
            (_, turn) => 4 - 2 * turn,
        };
        Some(Self::from_index(index as u8))
    }
}

/// `f64::floor` as an `i32`, without the library call that `f64::floor` compiles to where SSE4.1 is not assumed.
#[inline]
pub(crate) fn floor(x: f64) -> i32 {
    let towards_zero = x as i32;
    towards_zero.saturating_sub(i32::from(f64::from(towards_zero) > x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_and_offsets_agree() {
        for (i, direction) in Direction::ALL.into_iter().enumerate() {
            let origin = GridCell::new(4, 4);
            assert_eq!(Direction::from_index(i as u8), direction, "the index names the direction");
            assert_eq!(Direction::between(origin, origin.step(direction)), Some(direction));
            assert_eq!(origin.step(direction).step(direction.opposite()), origin, "there and back");
        }
        assert_eq!(Direction::between(GridCell::new(0, 0), GridCell::new(2, 1)), None);
        let ends = (GridCell::new(i32::MIN, i32::MIN), GridCell::new(i32::MAX, i32::MAX));
        assert_eq!(Direction::between(ends.0, ends.1), Some(Direction::SE), "however far");
    }

    #[test]
    fn a_rectangle_that_is_inside_out_holds_no_cell() {
        let rect = CellRect::new(GridCell::new(2, 2), GridCell::new(3, 3)).grown(-1);
        assert_eq!((rect.cells().count(), rect.contains(GridCell::new(2, 2))), (0, false));
        assert_eq!(rect.nearest_to(GridCell::new(9, 9)), rect.min);
        assert_eq!(rect.intersection(CellRect::new(GridCell::new(0, 0), GridCell::new(9, 9))), None);
    }

    #[test]
    fn a_segment_is_near_a_rectangle_that_it_touches_or_passes_within_reach() {
        let rect = CellRect::new(GridCell::new(2, 2), GridCell::new(4, 3));
        let near = |a: (f32, f32), b: (f32, f32), reach| rect.is_near_segment(a.into(), b.into(), reach);
        assert!(near((0.0, 0.0), (2.0, 2.0), 0.0) && near((0.0, 2.5), (9.0, 2.5), 0.0), "it is touched");
        assert!(!near((0.0, 1.0), (9.0, 1.0), 0.5) && near((0.0, 1.0), (9.0, 1.0), 1.0), "a cell away");
        assert!(!near((0.0, 5.0), (0.0, 5.0), 0.0), "a point elsewhere");
    }

    #[test]
    fn a_point_on_an_edge_belongs_to_the_larger_cell() {
        assert_eq!(GridCell::containing(Vec2::new(1.0, -0.25)), GridCell::new(1, -1));
        assert_eq!(GridCell::containing(GridCell::new(3, 7).center()), GridCell::new(3, 7));
    }

    #[test]
    fn every_number_is_put_where_floor_puts_it() {
        for bits in (0..=u32::MAX).step_by(9973) {
            let number = f32::from_bits(bits);
            assert_eq!(floor(number.into()), number.floor() as i32, "{number}");
        }
    }
}
