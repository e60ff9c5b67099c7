//! Cliffs: the edges between passable cells whose heights differ by more than a kind of agent climbs, and those with a
//! [fence](super::fences). No step leads over a cliff, neither up nor down, and no diagonal step through a corner at
//! which a cliff ends, or between two cells that differ by more themselves.
//!
//! ```text
//!   0 0 0     heights of cells, for a climb of 1: the edges between 0 or 1 and 3 are cliffs. From the middle cell
//!   0 0 3     no step leads east, none north-east (a cliff ends at that corner) and none south-east
//!   0 1 3
//! ```
//!
//! Searches treat what lies beyond a cliff as blocked, seen from the cell before it. Jumps stop at every cell that
//! touches a cliff, as they do at borders between terrain costs.

use glam::Vec2;

use super::layer::CellData;
use super::{Bitmap, CellRect, EdgeSet, GridCell, Heights};

/// Points of segments are rounded to this fraction of a cell.
const PARTS: i64 = 1024;

#[derive(Clone, Debug)]
pub(crate) struct Cliffs {
    /// The edges that are cliffs.
    edges: EdgeSet,
    /// For each cell whether it and the cell across its south-eastern corner differ too much for a diagonal step.
    falling: Bitmap,
    /// The same for the other two cells at the corner.
    rising: Bitmap,
    /// The number of all bits that are set.
    count: u32,
}

impl Cliffs {
    pub(super) fn new(width: u32, height: u32) -> Self {
        let none = Bitmap::new(height, width);
        Self { edges: EdgeSet::new(width, height), falling: none.clone(), rising: none, count: 0 }
    }

    pub(super) fn bitmaps_mut(&mut self) -> [&mut Bitmap; 4] {
        [&mut self.edges.east, &mut self.edges.south, &mut self.falling, &mut self.rising]
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Updates the cliffs round a rectangle in which elevation, fences or passable cells changed. Returns whether any
    /// cliff changed.
    pub(super) fn refresh(
        &mut self,
        passable: &Bitmap,
        data: CellData<'_>,
        climb: f32,
        rect: CellRect,
    ) -> bool {
        let mut is_changed = false;
        for y in (rect.min.y - 1).max(0)..=rect.max.y {
            for first in ((rect.min.x - 1).max(0) & !63..=rect.max.x).step_by(64) {
                // The cells of the word and the one after, in this row and the next: heights, and one bit for each
                // that is passable. None is outside the map.
                let standing = [y, y + 1].map(|line| {
                    let [own, next] = [first, first + 64].map(|i| u128::from(passable.word(line, i)));
                    own | next << 64
                });
                let heights =
                    data.elevation.map(|all| [y, y + 1].map(|line| heights_of_word(all, line, first)));
                let [east, south] = data
                    .fences
                    .map_or([0; 2], |fences| [&fences.east, &fences.south].map(|bits| bits.word(y, first)));
                let pairs = [[(0, 0), (0, 1)], [(0, 0), (1, 0)], [(0, 0), (1, 1)], [(0, 1), (1, 0)]];
                let words = pairs.into_iter().zip([east, south, 0, 0]).map(|(pair, fences)| {
                    let [a, b] = pair.map(|(line, ahead)| standing[line] >> ahead);
                    let steep = heights.as_ref().map_or(0, |heights| {
                        let [a, b] = pair.map(|(line, ahead): (usize, usize)| &heights[line][ahead..]);
                        (0..64)
                            .zip(a.iter().zip(b))
                            .fold(0, |steep, (bit, (a, b))| steep | u64::from((a - b).abs() > climb) << bit)
                    });
                    (steep | fences) & (a & b) as u64
                });
                let bitmaps =
                    [&mut self.edges.east, &mut self.edges.south, &mut self.falling, &mut self.rising];
                for (bits, word) in bitmaps.into_iter().zip(words) {
                    let old = bits.word(y, first);
                    if word != old {
                        is_changed = true;
                        self.count = self.count - old.count_ones() + word.count_ones();
                        bits.set_word(y, first, word);
                    }
                }
            }
        }
        is_changed
    }

    /// The neighbours that lie beyond a cliff, as seen from a cell, in the order of [`Bitmap::neighbor_mask`].
    #[inline]
    pub(crate) fn beyond(&self, x: i32, y: i32) -> u8 {
        self.beyond_if_near(x, y).unwrap_or(0)
    }

    /// The same, or `None` if no cliff blocks a step between any two of the 3×3 cells round the cell: then the steps
    /// between them are as on flat ground.
    #[inline]
    pub(crate) fn beyond_if_near(&self, x: i32, y: i32) -> Option<u8> {
        let [above, middle, below] = [y - 1, y, y + 1].map(|line| self.edges.east.window3(line, x));
        let [north, south] = [y - 1, y].map(|line| self.edges.south.window3(line, x));
        let [falling, rising] =
            [&self.falling, &self.rising].map(|bits| [y - 1, y].map(|line| bits.window3(line, x)));
        let (w, e, n, s) = (middle, middle >> 1, north >> 1, south >> 1);
        // The straight cliffs at each corner: north-west, north-east, south-west, south-east.
        let [nw, ne] = [w | n | above | north, e | n | above >> 1 | north >> 2];
        let [sw, se] = [w | s | below | south, e | s | below >> 1 | south >> 2];
        let diagonals = (falling[0] | falling[1] | rising[0] | rising[1]) & 3;
        if (nw | ne | sw | se) & 1 == 0 && diagonals == 0 {
            return None;
        }
        let corners = [nw | falling[0], ne | rising[0] >> 1, sw | rising[1], se | falling[1] >> 1];
        let bits = [corners[0], n, corners[1], w, e, corners[2], s, corners[3]];
        Some(bits.into_iter().zip(0..).fold(0, |mask, (bit, place)| mask | ((bit & 1) as u8) << place))
    }

    /// Whether a cliff parts a cell from one of its eight neighbours; never beyond the border of the grid.
    pub(crate) fn are_between(&self, cell: GridCell, neighbor: GridCell) -> bool {
        let is_inside = |cell: GridCell| {
            (0..self.edges.east.lines()).contains(&cell.y)
                && (0..self.edges.east.len()).contains(&i64::from(cell.x))
        };
        if !is_inside(cell) || !is_inside(neighbor) {
            return false;
        }
        let bit = Bitmap::neighbor_bit(neighbor.x - cell.x, neighbor.y - cell.y);
        cell != neighbor && self.beyond(cell.x, cell.y) >> bit & 1 != 0
    }

    /// Whether a segment of grid space, whose ends are finite, crosses no cliff, and passes no corner at which a
    /// cliff keeps agents from the diagonal step. Along the edges between two columns or rows, no cliff may cross
    /// either of the two.
    ///
    /// Points are rounded to 1/1024 of a cell, and all further arithmetic is in integers: so the answer is the same
    /// in both directions. The cells on the way are visited one by one.
    pub(crate) fn lets_pass(&self, from: Vec2, to: Vec2) -> bool {
        let rounded = |point: Vec2| point.to_array().map(|at| (f64::from(at) * PARTS as f64).round() as i64);
        let (from, to) = (rounded(from), rounded(to));
        let (from, to) = if (from[1], from[0]) <= (to[1], to[0]) { (from, to) } else { (to, from) };
        let before = |axis: usize, point: [i64; 2]| [point[0] - (1 - axis as i64), point[1] - axis as i64];
        let is_on_edges = |&axis: &usize| from[axis] == to[axis] && from[axis] % PARTS == 0;
        self.parts_none(from, to)
            && (from == to
                || (0..2)
                    .filter(is_on_edges)
                    .all(|axis| self.parts_none(before(axis, from), before(axis, to))))
    }

    /// The same for a segment in fractions of a cell, from the end of smaller coordinates on. One along the edges
    /// between two columns or rows counts for that of greater coordinates.
    fn parts_none(&self, from: [i64; 2], to: [i64; 2]) -> bool {
        let along = [to[0] - from[0], to[1] - from[1]];
        // An end on the edge between two cells lies in the one that the segment is in.
        let first = [0, 1].map(|axis| (from[axis] - i64::from(along[axis] < 0)).div_euclid(PARTS));
        let last = [0, 1].map(|axis| (to[axis] - i64::from(along[axis] > 0)).div_euclid(PARTS));
        let mut at = first;
        while at != last {
            // How far it is to the next edge along each axis, in fractions of the segment with a common denominator.
            let away = [0, 1].map(|axis| {
                let edge = (at[axis] + i64::from(along[axis] > 0)) * PARTS;
                if at[axis] == last[axis] {
                    i64::MAX
                } else {
                    (edge - from[axis]).abs() * along[1 - axis].abs().max(1)
                }
            });
            let mut next = at;
            for axis in [0, 1] {
                if away[axis] <= away[1 - axis] {
                    next[axis] += along[axis].signum();
                }
            }
            let [cell, beyond] = [at, next].map(|[x, y]| GridCell::new(x as i32, y as i32));
            if self.are_between(cell, beyond) {
                return false;
            }
            at = next;
        }
        true
    }

    /// Whether all segments at most `margin` to either side of a segment cross no cliff: so an agent that is somewhat
    /// beside its path does not come to another level.
    pub(crate) fn lets_pass_beside(&self, from: Vec2, to: Vec2, margin: f32) -> bool {
        let aside = (to - from).normalize_or_zero().perp() * margin;
        [-aside, aside].into_iter().all(|aside| self.lets_pass(from + aside, to + aside))
    }

    /// The cells of a word that are [near](Self::beyond_if_near) a cliff.
    pub(crate) fn near_word(&self, y: i32, x: i32) -> u64 {
        let word = x as usize / 64 + 1;
        let diagonals = [word - 1, word].map(|word| {
            let lines = [&self.falling, &self.rising].map(|bits| bits.line(y - 1)[word] | bits.line(y)[word]);
            lines[0] | lines[1]
        });
        self.edges.near_word(y, x) | diagonals[1] | diagonals[1] << 1 | diagonals[0] >> 63
    }

    /// The cliffs of a block of 64×64 cells, row by row: to the next cell of the row, to that of the column, and at the
    /// south-eastern corner, falling and rising.
    pub(super) fn block(&self, y: i32, x: i32) -> [[u64; 64]; 4] {
        [&self.edges.east, &self.edges.south, &self.falling, &self.rising].map(|bits| bits.block(y, x))
    }

    /// The cells of a word from which a cliff leads to the next cell of the row.
    #[inline]
    pub(super) fn east_word(&self, y: i32, x: i32) -> u64 {
        self.edges.east.word(y, x)
    }
}

/// The heights of the cells of a word of a row and of the cell after it; 0 beyond the map.
fn heights_of_word(elevation: &Heights, line: i32, first: i32) -> [f32; 65] {
    let (mut heights, at) = ([0.0; 65], first as usize);
    if (line as usize) < elevation.rows() {
        let row = elevation.row(line as usize);
        let cells = row.piece(at / 64);
        heights[..cells.len()].copy_from_slice(cells);
        if at + 64 < elevation.row_len() {
            heights[64] = row[at + 64];
        }
    }
    heights
}

#[cfg(test)]
mod tests {
    use super::super::{Direction, Grid, KindId, SUCCESSORS, StepRules, Terrain};
    use super::*;
    use crate::steer::CounterRng;

    /// A segment crosses a cliff exactly if small steps along it do, in both directions, also from beside edges and
    /// corners.
    #[test]
    fn segments_cross_what_small_steps_cross() {
        let mut rng = CounterRng::new(5, 0, 0);
        let mut blocked = 0;
        for _ in 0..3000 {
            let grid = Grid::new(8, 8).unwrap().with_elevation(|_| rng.below(4) as f32).unwrap();
            let cliffs = grid.cliffs(KindId::default()).expect("four heights make cliffs");
            // Exact after rounding, and often on an edge or just beside it.
            let mut place = || {
                let within = if rng.below(2) == 0 {
                    rng.below(PARTS as u32)
                } else {
                    [0, 1, 1023][rng.below(3) as usize]
                };
                (1 + rng.below(6)) as f32 + within as f32 / PARTS as f32
            };
            let (from, to) = (Vec2::new(place(), place()), Vec2::new(place(), place()));
            let passes = cliffs.lets_pass(from, to);
            assert_eq!(passes, cliffs.lets_pass(to, from), "{from} to {to}, both ways");
            let point =
                |part: i32| (from.as_dvec2() + (to - from).as_dvec2() * (f64::from(part) / 20_000.0)).floor();
            let cells: Vec<GridCell> =
                (1..20_000).map(point).map(|at| GridCell::new(at.x as i32, at.y as i32)).collect();
            let steps = || cells.windows(2).filter(|leg| leg[0] != leg[1]);
            // Where samples skip a cell, the segment passes too near to a corner for them to tell.
            if steps().all(|leg| leg[0].distance_squared(leg[1]) == 1) {
                // Along edges, the cells on the other side count too.
                let beside =
                    [from.x == to.x && from.x.fract() == 0.0, from.y == to.y && from.y.fract() == 0.0];
                let beside = beside.map(|is_on_edges| i32::from(is_on_edges && from != to));
                let mirror = |cell: GridCell| GridCell::new(cell.x - beside[0], cell.y - beside[1]);
                let crosses = steps().any(|leg| {
                    cliffs.are_between(leg[0], leg[1]) || cliffs.are_between(mirror(leg[0]), mirror(leg[1]))
                });
                assert_eq!(passes, !crosses, "{from} to {to}");
            }
            blocked += u32::from(!passes);
        }
        assert!((500..2900).contains(&blocked), "{blocked}");
    }

    /// Every step, and every word of cells near cliffs, is as the heights say.
    #[test]
    fn steps_follow_from_elevation() {
        let mut rng = CounterRng::new(3, 0, 0);
        for (width, height) in [(3, 3), (64, 5), (65, 7), (130, 66)] {
            let mut grid = Grid::new(width, height).unwrap().with_elevation(|_| rng.below(3) as f32).unwrap();
            let wall_at_random = |_, old| if rng.below(6) == 0 { Terrain::WALL } else { old };
            grid.edit(|edit| edit.map(edit.bounds(), wall_at_random));
            let kind = KindId::default();
            let is_free = |cell: GridCell| grid.is_walkable(kind, cell);
            let is_cliff = |a: GridCell, b: GridCell| {
                is_free(a) && is_free(b) && (grid.elevation(a) - grid.elevation(b)).abs() > 1.0
            };
            let parts = |cell: GridCell, step: Direction| {
                let to = cell.step(step);
                let [a, b] = [GridCell::new(to.x, cell.y), GridCell::new(cell.x, to.y)];
                [(cell, a), (cell, b), (a, to), (b, to), (cell, to)].into_iter().any(|(a, b)| is_cliff(a, b))
            };
            let mut near = 0;
            for cell in grid.bounds().cells().filter(|&cell| is_free(cell)) {
                let flat = StepRules::default().legal(grid.rows(kind).unwrap(), cell.x, cell.y);
                let found: Vec<_> = grid.steps_from(kind, StepRules::default(), cell).collect();
                for (bit, step) in SUCCESSORS.into_iter().enumerate() {
                    let legal = flat >> bit & 1 != 0 && !parts(cell, step);
                    assert_eq!(found.contains(&step), legal, "{step:?} from {cell}");
                }
                let cliffs = grid.cliffs(kind).expect("three heights make cliffs");
                // Any step among the cells round it.
                let around: Vec<GridCell> = CellRect::new(cell, cell).grown(1).cells().collect();
                let is_beside_cliff =
                    |a| around.iter().any(|&b| b.distance_squared(a) <= 2 && is_cliff(a, b));
                let is_near = around.iter().any(|&a| is_beside_cliff(a));
                assert_eq!(cliffs.near_word(cell.y, cell.x) >> (cell.x & 63) & 1 != 0, is_near, "{cell}");
                near += usize::from(is_near);
            }
            assert!(near > 0, "something was tested");
        }
    }
}
