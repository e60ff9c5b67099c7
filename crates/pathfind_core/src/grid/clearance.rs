//! The cells where an agent larger than one cell may stand: morphological erosion of the passable cells by the
//! agent's footprint, 64 cells at a time.
//!
//! A footprint is stored as runs of cells along rows. A cell is walkable if every run, placed relative to that cell,
//! covers passable cells only. First, each row of the map is eroded by a run: "and" with itself shifted, by lengths
//! that double, so that a run of n cells takes log n shifts. Then the eroded rows of all runs are combined by "and".
//!
//! [Fences](super::fences) are eroded in the same way: an agent may stand where all edges inside its footprint are free.
//! A disc also needs the edges that it touches only on its way to the next cell: where the footprint ends with a single
//! cell in the agent's own column or row, those at the sides of that cell.

use super::{AgentSize, Bitmap, CellRect, EdgeSet, GridCell};

/// The cells that an agent covers, relative to the cell that it stands on.
#[derive(Clone, Debug)]
pub(crate) struct AgentFootprint {
    /// One entry for each range of columns; rows that cover the same columns share an entry.
    runs: Vec<CoveredCells>,
    /// The edges on which no fence may stand: runs of cells, each with an edge to the next cell of its row, and runs of
    /// cells, each with one to the next cell of its column.
    edges: [Vec<CoveredCells>; 2],
    /// The largest distance of a covered cell from the agent's own, in columns or rows.
    reach: i32,
}

/// A run of covered cells along a row, repeated on one or several rows.
#[derive(Clone, Debug)]
struct CoveredCells {
    /// The first column, relative to the agent's.
    first: i32,
    len: i32,
    /// The rows, relative to the agent's.
    rows: Vec<i32>,
}

impl AgentFootprint {
    /// The largest possible reach: less than one word of a bitmap, so that a shift reads the next word at most.
    const MAX_REACH: i32 = 63;
    /// The number of rows that are eroded together.
    const BAND: i32 = 64;

    pub(crate) fn new(size: AgentSize) -> Self {
        let cells = size.footprint();
        let reach = cells.iter().map(|cell| cell.x.abs().max(cell.y.abs())).max().unwrap_or(0);
        debug_assert!(reach <= Self::MAX_REACH, "a footprint reaches at most one word to each side");
        let own = GridCell::default();
        let is_disc = matches!(size, AgentSize::Disc(_));
        let covers = |x: i32, y: i32| cells.binary_search_by_key(&(y, x), |cell| (cell.y, cell.x)).is_ok();
        let edges = [(1, 0), (0, 1)].map(|(dx, dy)| {
            let is_inside = |&GridCell { x, y }: &GridCell| {
                let ends = [(x, y), (x + dx, y + dy)];
                // Seen along the edge, the cell in the agent's own column or row.
                let is_tip = |&(x, y): &(i32, i32)| if dx != 0 { x == 0 && y != 0 } else { y == 0 && x != 0 };
                ends.iter().all(|&(x, y)| covers(x, y))
                    || is_disc && ends.iter().any(|end| is_tip(end) && covers(end.0, end.1))
            };
            let round = CellRect::new(own, own).grown(reach + 1);
            runs_of(&round.cells().filter(is_inside).collect::<Vec<_>>())
        });
        Self { runs: runs_of(&cells), edges, reach }
    }

    pub(crate) fn is_one_cell(&self) -> bool {
        self.reach == 0
    }

    /// How far from a changed cell walkability may change, in cells along either axis.
    pub(crate) fn reach(&self) -> i32 {
        self.reach
    }

    /// Calls `visit` for each bitmap word that holds cells of a rectangle, with the row, the first cell of the word
    /// and the word: 1 for the cells where the agent fits.
    pub(crate) fn erode(
        &self,
        passable: &Bitmap,
        fences: Option<&EdgeSet>,
        rect: CellRect,
        mut visit: impl FnMut(i32, i32, u64),
    ) {
        let [east, south] = &self.edges;
        let edges = fences.map(|fences| [(&fences.east, east, u64::MAX), (&fences.south, south, u64::MAX)]);
        // Bitmaps, the runs by which they are eroded, and a mask that makes free ones of their bits.
        let sources: Vec<_> =
            [(passable, &self.runs, 0)].into_iter().chain(edges.into_iter().flatten()).collect();
        // The words of the rectangle and one more on each side, as far as shifts reach.
        let (first, last) = (rect.min.x >> 6, rect.max.x >> 6);
        let words = (last - first + 3) as usize;
        let mut shrunk = vec![0; words];
        let mut fits = Vec::new();
        for top in (rect.min.y..=rect.max.y).step_by(Self::BAND as usize) {
            let rows = Self::BAND.min(rect.max.y - top + 1);
            fits.clear();
            fits.resize(words * rows as usize, u64::MAX);
            for source in top - self.reach..top + rows + self.reach {
                for (bits, run, flip) in sources
                    .iter()
                    .flat_map(|&(bits, runs, flip)| runs.iter().map(move |run| (bits, run, flip)))
                {
                    #[cfg(test)]
                    crate::testing::count(words);
                    let stands = |row: &i32| (top..top + rows).contains(&(source - row));
                    if !run.rows.iter().any(stands) {
                        continue;
                    }
                    if (0..bits.lines()).contains(&source) {
                        let line = bits.line(source);
                        for (word, shrunk) in (first as usize..).zip(&mut shrunk) {
                            *shrunk = line[word] ^ flip;
                        }
                        run.shrink(&mut shrunk);
                    } else {
                        shrunk.fill(0);
                    }
                    for row in run.rows.iter().filter(|row| stands(row)) {
                        #[cfg(test)]
                        crate::testing::count(words);
                        let start = (source - row - top) as usize * words;
                        for (fits, shrunk) in fits[start..start + words].iter_mut().zip(&shrunk) {
                            *fits &= shrunk;
                        }
                    }
                }
            }
            for (y, row) in (top..).zip(fits.chunks_exact(words)) {
                for (column, &word) in (first..=last).zip(&row[1..]) {
                    visit(y, column * 64, word);
                }
            }
        }
    }
}

/// The runs of some cells, which are in order of rows, the cells of one row in consecutive columns.
fn runs_of(cells: &[GridCell]) -> Vec<CoveredCells> {
    let mut runs: Vec<CoveredCells> = Vec::new();
    for row in cells.chunk_by(|a, b| a.y == b.y) {
        let (first, len) = (row[0].x, row.len() as i32);
        debug_assert_eq!(row[row.len() - 1].x, first + len - 1, "a row of a footprint has no gaps");
        match runs.iter_mut().find(|run| (run.first, run.len) == (first, len)) {
            Some(run) => run.rows.push(row[0].y),
            None => runs.push(CoveredCells { first, len, rows: vec![row[0].y] }),
        }
    }
    runs
}

impl CoveredCells {
    /// Erodes the passable cells of a row to the cells where the run fits. Cells beyond the first and the last word
    /// count as blocked, so the result is correct only for the words in between.
    fn shrink(&self, words: &mut [u64]) {
        let mut len = 1;
        while len < self.len {
            let by = len.min(self.len - len);
            for word in 0..words.len() {
                words[word] &= ahead(words, word, by);
            }
            len += by;
        }
        // In the order in which no word is read that was written.
        for i in 0..words.len() {
            let word = if self.first > 0 { i } else { words.len() - 1 - i };
            words[word] = ahead(words, word, self.first);
        }
    }
}

/// The 64 cells that lie `by` places beyond those of a word (before them if negative), at most a word.
fn ahead(words: &[u64], word: usize, by: i32) -> u64 {
    let [before, after] = [word.wrapping_sub(1), word + 1].map(|at| words.get(at).copied().unwrap_or(0));
    let (low, high, by) = if by < 0 { (before, words[word], 64 + by) } else { (words[word], after, by) };
    ((u128::from(high) << 64 | u128::from(low)) >> by) as u64
}

#[cfg(test)]
mod tests {
    use super::super::{AgentKind, Grid, GridCell, KindId, Terrain};
    use super::*;
    use crate::steer::CounterRng;
    use crate::testing::{assert_same_grid, scattered, work_of};

    /// The reference: whether all cells that the agent covers are free, tested one by one.
    fn fits(grid: &Grid, footprint: &[GridCell], at: GridCell) -> bool {
        footprint.iter().all(|offset| {
            let cell = GridCell::new(at.x + offset.x, at.y + offset.y);
            grid.terrain(cell) == Some(Terrain::GROUND)
        })
    }

    fn check(grid: &Grid, kind: KindId, size: AgentSize) {
        let footprint = size.footprint();
        for cell in grid.bounds().cells() {
            assert_eq!(grid.is_walkable(kind, cell), fits(grid, &footprint, cell), "{size:?} at {cell}");
        }
        let mut fresh = grid.clone();
        fresh.set_kind(kind, AgentKind::default()).unwrap();
        fresh.set_kind(kind, AgentKind { size, ..AgentKind::default() }).unwrap();
        assert_same_grid(grid, &fresh, &format!("{size:?}"));
    }

    /// Agents and maps of several sizes, also after edits of cells and of areas.
    #[test]
    fn an_agent_fits_where_all_its_cells_are_free() {
        let mut rng = CounterRng::new(21, 0, 0);
        let squares = [1, 2, 3, 5, 8, 17, 31, 32, 33, 63, 64].map(AgentSize::Square);
        let discs = [0.0, 0.4, 0.6, 1.0, 1.6, 2.7, 5.0, 9.3, 15.5, 31.6, 32.0].map(AgentSize::Disc);
        for (round, size) in squares.into_iter().chain(discs).enumerate() {
            let (width, height) = [(200, 90), (64, 130), (130, 64), (70, 70)][round % 4];
            let cells = size.footprint().len() as f32;
            let mut grid = scattered(&mut rng, width, height, 0.7 / cells);
            let kind = grid.add_kind(AgentKind { size, ..AgentKind::default() }).unwrap();
            check(&grid, kind, size);
            for _ in 0..6 {
                let wall = rng.below(2) == 0;
                let terrain = if wall { Terrain::WALL } else { Terrain::GROUND };
                let mut cell = || GridCell::new(rng.below(width) as i32, rng.below(height) as i32);
                let cells: Vec<GridCell> = (0..4).map(|_| cell()).collect();
                let corner = cell();
                grid.edit(|edit| {
                    cells.iter().for_each(|&cell| _ = edit.set(cell, terrain).unwrap());
                    let area = CellRect::new(corner, GridCell::new(corner.x + 5, corner.y + 70));
                    if !wall {
                        edit.fill(area, terrain);
                    }
                });
                check(&grid, kind, size);
            }
        }
    }

    /// The work is the number of bitmap words, each of 64 cells, that are combined.
    #[test]
    fn the_work_for_a_cell_does_not_grow_with_the_area_of_the_agent() {
        for (size, most) in
            [(AgentSize::Square(2), 1), (AgentSize::Square(64), 4), (AgentSize::Disc(32.0), 40)]
        {
            let mut grid = Grid::new(256, 256).unwrap();
            let work = work_of(|| _ = grid.add_kind(AgentKind { size, ..AgentKind::default() }).unwrap());
            let cells = 256 * 256;
            assert!((1..most * cells).contains(&work), "{size:?} takes {work} words on {cells} cells");
        }
    }
}
