//! Line of sight, ray casts and sweeps of discs over the grid. Only the cells and the fences of the grid block them, not
//! agents or other obstacles.
//!
//! For lines of sight, the corner rule says what a segment may touch, as it says which steps are legal:
//!
//! ```text
//!  Never    the segment touches no blocked cell, not even at an edge or a corner
//!  OneFree  it may touch blocked cells, but not pass between two of them, neither along their common
//!           edge nor through the corner where they meet diagonally
//!  Always   as OneFree, but it may pass through such a corner
//! ```
//!
//! An agent that is a [disc](crate::AgentShape) also keeps its radius from every blocked cell and every fence
//! ([`Grid::set_fence`]), all along the segment. No segment crosses a fence or a cliff
//! ([`AgentKind::climb`](crate::AgentKind::climb)), nor passes through the corner of a cell at which one ends,
//! diagonally or along an edge.
//! Rays and sweeps stop at fences, but not at cliffs: they go over lower ground, and up to higher ground.
//!
//! A line of sight rounds its ends to 1/1024 of a cell and computes with integers, so that the answer is exact for the
//! rounded ends, and the same in both directions. Only the width of a disc is tested with floating-point numbers. All
//! cells that a segment meets in one row (or column, if the segment crosses fewer of them) are tested at once on the
//! grid's bitmaps.

mod ray;
mod rectangle;
mod solid;
mod sweep;
mod swept_disc;

use glam::Vec2;

use crate::grid::{AgentShape, Bitmap, CornerRule, Grid, GridCell, Layer};

pub use ray::{RayHit, cast_ray};
pub(crate) use rectangle::TurnedRectangle;
pub(crate) use solid::{Barrier, NearBarrier, Solid, cells_before};
pub(crate) use sweep::first_contact;
pub use sweep::sweep_disc;

/// Points are rounded to this fraction of a cell.
const PARTS: i64 = 1024;
/// The largest rounding error of a point in [`line_of_sight`], along x and along y, in cells: half of 1/1024.
pub const SIGHT_ROUNDING: f32 = 0.5 / PARTS as f32;

/// Whether an agent may walk straight from one point of grid space to another.
///
/// `false` if a point lies outside the grid or is not finite, or if the kind is unknown. Points are rounded by up to
/// [`SIGHT_ROUNDING`].
#[must_use]
pub fn line_of_sight(
    grid: &Grid,
    shape: impl Into<AgentShape>,
    corners: CornerRule,
    from: Vec2,
    to: Vec2,
) -> bool {
    let shape = shape.into();
    let kind = shape.kind;
    let Some(Layer { rows, columns, .. }) = grid.layer(kind) else { return false };
    let (Some(a), Some(b)) = (rounded(grid, from), rounded(grid, to)) else { return false };
    sees::<PARTS>(rows, columns, corners, a, b)
        && Solid::of_disc(grid, shape, corners)
            .is_none_or(|(solid, radius)| solid.lets_pass(radius, from, to))
        && grid.cliffs(kind).is_none_or(|cliffs| cliffs.lets_pass(from, to))
}

/// Whether the centre of one cell is seen from that of another; does not test the width of a disc.
#[inline]
pub(crate) fn cells_see(
    rows: &Bitmap,
    columns: &Bitmap,
    corners: CornerRule,
    from: GridCell,
    to: GridCell,
) -> bool {
    // In halves of a cell, centres have odd coordinates.
    let center = |cell: GridCell| (i64::from(cell.x) * 2 + 1, i64::from(cell.y) * 2 + 1);
    sees::<2>(rows, columns, corners, center(from), center(to))
}

/// Line of sight between points that are given in 1/`UNIT` of a cell.
fn sees<const UNIT: i64>(
    rows: &Bitmap,
    columns: &Bitmap,
    corners: CornerRule,
    from: (i64, i64),
    to: (i64, i64),
) -> bool {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    if dx.abs() >= dy.abs() {
        is_clear::<UNIT>(rows, corners, from, to)
    } else {
        is_clear::<UNIT>(columns, corners, (from.1, from.0), (to.1, to.0))
    }
}

/// A point in units of 1/[`PARTS`] of a cell, if it lies on the grid.
fn rounded(grid: &Grid, point: Vec2) -> Option<(i64, i64)> {
    let inside = |v: f32, side: u32| (0.0..=side as f32).contains(&v);
    // The product is exact and not negative, so adding 0.5 and truncating rounds to the nearest.
    let part = |v: f32| (f64::from(v) * PARTS as f64 + 0.5) as i64;
    (inside(point.x, grid.width()) && inside(point.y, grid.height())).then(|| (part(point.x), part(point.y)))
}

/// A coordinate in cells: its floor, and whether it is an integer.
#[derive(Copy, Clone)]
struct Coordinate {
    floor: i32,
    is_integer: bool,
}

impl Coordinate {
    fn new(numerator: i64, denominator: i64) -> Self {
        let floor = numerator.div_euclid(denominator);
        Self { floor: floor as i32, is_integer: floor * denominator == numerator }
    }

    /// The cell on the lower side of this coordinate: on an edge, the cell before the edge. It is the first cell that
    /// an interval from here touches, and the last whose interior an interval up to here enters.
    fn cell_before(self) -> i32 {
        self.floor - i32::from(self.is_integer)
    }
}

/// Whether a segment meets only cells that the corner rule allows. Points are (along, across) the lines of the bitmap.
fn is_clear<const UNIT: i64>(lines: &Bitmap, corners: CornerRule, a: (i64, i64), b: (i64, i64)) -> bool {
    let (from, to) = if (a.1, a.0) <= (b.1, b.0) { (a, b) } else { (b, a) };
    match (corners, from.1 == to.1) {
        (CornerRule::Never, _) => touches_nothing::<UNIT>(lines, from, to),
        (_, true) if from.0 == to.0 => is_beside_free::<UNIT>(lines, from),
        (_, true) => slides_along::<UNIT>(lines, corners, from, to),
        (_, false) => enters_nothing::<UNIT>(lines, corners, from, to),
    }
}

/// `OneFree` and `Always` for a segment of no length: at least one cell that the point touches must be free.
fn is_beside_free<const UNIT: i64>(lines: &Bitmap, at: (i64, i64)) -> bool {
    let [along, across] = [at.0, at.1].map(|value| Coordinate::new(value, UNIT));
    let touched = |value: Coordinate| value.cell_before()..=value.floor;
    touched(across).any(|line| touched(along).any(|i| lines.get(line, i)))
}

/// `Never`: every cell that the segment touches must be free.
fn touches_nothing<const UNIT: i64>(lines: &Bitmap, from: (i64, i64), to: (i64, i64)) -> bool {
    let first = Coordinate::new(from.1, UNIT).cell_before();
    let last = Coordinate::new(to.1, UNIT).floor;
    if from.1 == to.1 {
        let (start, end) = (Coordinate::new(from.0, UNIT), Coordinate::new(to.0, UNIT));
        return (first..=last).all(|line| lines.all_walkable(line, start.cell_before(), end.floor));
    }
    let mut crossings = Crossings::new::<UNIT>(from, to);
    let mut entry = Coordinate::new(from.0, UNIT);
    for line in first..=last {
        let exit = match line {
            // The segment starts on the edge between two lines, and touches the first of them in a point.
            _ if i64::from(line + 1) * UNIT == from.1 => entry,
            _ if line == last => Coordinate::new(to.0, UNIT),
            _ => crossings.next(),
        };
        let (low, high) = if crossings.along < 0 { (exit, entry) } else { (entry, exit) };
        if !lines.all_walkable(line, low.cell_before(), high.floor) {
            return false;
        }
        entry = exit;
    }
    true
}

/// `OneFree` and `Always` for a segment across lines: it must not enter the interior of a blocked cell.
fn enters_nothing<const UNIT: i64>(
    lines: &Bitmap,
    corners: CornerRule,
    from: (i64, i64),
    to: (i64, i64),
) -> bool {
    let mut crossings = Crossings::new::<UNIT>(from, to);
    let first = Coordinate::new(from.1, UNIT).floor;
    let last = Coordinate::new(to.1, UNIT).cell_before();
    let mut entry = Coordinate::new(from.0, UNIT);
    for line in first..=last {
        let exit = if line == last { Coordinate::new(to.0, UNIT) } else { crossings.next() };
        let (low, high) = if crossings.along < 0 { (exit, entry) } else { (entry, exit) };
        let free = if crossings.along == 0 && entry.is_integer {
            // The segment runs along the edge between two cells: one of them must be free.
            lines.get(line, entry.floor - 1) || lines.get(line, entry.floor)
        } else {
            lines.all_walkable(line, low.floor, high.cell_before())
        };
        if !free {
            return false;
        }
        if line < last && exit.is_integer && corners == CornerRule::OneFree {
            let here = |after: i32, i: i32| lines.get(line + after, exit.floor + i);
            let falling = !here(0, 0) && !here(1, -1);
            let rising = !here(0, -1) && !here(1, 0);
            if crossings.along >= 0 && falling || crossings.along <= 0 && rising {
                return false;
            }
        }
        entry = exit;
    }
    true
}

/// `OneFree` and `Always` for a segment along a line: inside the line, or on the edge between two lines.
fn slides_along<const UNIT: i64>(
    lines: &Bitmap,
    corners: CornerRule,
    from: (i64, i64),
    to: (i64, i64),
) -> bool {
    let line = Coordinate::new(from.1, UNIT);
    let (start, end) = (Coordinate::new(from.0, UNIT), Coordinate::new(to.0, UNIT));
    if !line.is_integer {
        return lines.all_walkable(line.floor, start.floor, end.cell_before());
    }
    let free = |i: i32| (lines.get(line.floor - 1, i), lines.get(line.floor, i));
    (start.floor..=end.cell_before()).all(|i| {
        let (above, below) = free(i);
        let passes = above || below;
        let squeezes = i > start.floor && {
            let (above_before, below_before) = free(i - 1);
            !above_before && !below || !below_before && !above
        };
        passes && (corners == CornerRule::Always || !squeezes)
    })
}

/// The coordinates at which a segment crosses from line to line, in order. Each is computed from the one before by
/// adding an integer and a remainder, so that only the first needs divisions.
struct Crossings {
    along: i64,
    denominator: i64,
    floor: i64,
    remainder: i64,
    floor_step: i64,
    remainder_step: i64,
}

impl Crossings {
    /// For a segment that does not run along a line.
    fn new<const UNIT: i64>(from: (i64, i64), to: (i64, i64)) -> Self {
        let (along, across) = (to.0 - from.0, to.1 - from.1);
        let denominator = UNIT * across;
        let to_edge = (from.1.div_euclid(UNIT) + 1) * UNIT - from.1;
        let first = from.0 * across + to_edge * along;
        Self {
            along,
            denominator,
            floor: first.div_euclid(denominator),
            remainder: first.rem_euclid(denominator),
            floor_step: along.div_euclid(across),
            remainder_step: along.rem_euclid(across) * UNIT,
        }
    }

    #[inline]
    fn next(&mut self) -> Coordinate {
        let crossing = Coordinate { floor: self.floor as i32, is_integer: self.remainder == 0 };
        self.floor += self.floor_step;
        self.remainder += self.remainder_step;
        if self.remainder >= self.denominator {
            self.floor += 1;
            self.remainder -= self.denominator;
        }
        crossing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::KindId;

    #[test]
    fn a_segment_crosses_no_cliff() {
        let rows = ["000", "003", "000"];
        let height = |cell: GridCell| f32::from(rows[cell.y as usize].as_bytes()[cell.x as usize] - b'0');
        let grid = Grid::new(3, 3).unwrap().with_elevation(height).unwrap();
        let sees = |from: (f32, f32), to: (f32, f32)| {
            let see = |a, b| {
                line_of_sight(&grid, KindId::default(), CornerRule::Always, Vec2::from(a), Vec2::from(b))
            };
            assert_eq!(see(from, to), see(to, from), "sight is mutual");
            see(from, to)
        };
        assert!(sees((0.5, 0.5), (2.5, 0.5)) && sees((0.5, 1.5), (1.5, 1.5)), "on the level");
        assert!(!sees((0.5, 1.5), (2.5, 1.5)), "up the cliff");
        assert!(!sees((0.5, 0.5), (2.5, 2.5)), "over the corner of the rock");
        assert!(sees((0.5, 0.5), (1.5, 2.5)) && sees((1.5, 0.5), (1.5, 2.5)), "past it");
        assert!(!sees((1.5, 1.5), (2.5, 0.5)), "through its corner");
    }

    #[test]
    fn nothing_is_seen_from_outside_or_from_nowhere() {
        let grid = Grid::new(2, 2).unwrap();
        for bad in [(-1.0, 0.5), (0.5, 9.0), (f32::NAN, 0.5), (f32::INFINITY, 0.5)].map(Vec2::from) {
            for &rule in CornerRule::ALL {
                let sees = |from, to| line_of_sight(&grid, KindId::default(), rule, from, to);
                assert!(!sees(bad, Vec2::splat(0.5)) && !sees(Vec2::splat(0.5), bad), "{bad}, {rule:?}");
            }
        }
    }
}
