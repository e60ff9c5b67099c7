//! The connected areas of one block of 64×64 cells.

use super::{DisjointSet, SIDE, WalkableCells, areas};
use crate::grid::GridCell;

/// The areas of one block. Areas are numbered in the order of their first runs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AreaBlock {
    pub(super) count: u16,
    /// The column and row, in the block, of the first area's cell nearest to its middle.
    pub(super) first_middle: [u8; 2],
    /// What tells several areas apart; `None` for a block with one area or none, as most blocks are.
    several: Option<Box<SeveralAreas>>,
}

/// The area of each run of walkable cells along a row, in the order of rows. The run of a cell is found by counting the
/// starts of runs in its row up to the cell.
#[derive(Clone, Debug, PartialEq)]
struct SeveralAreas {
    /// The index of the first run of each row, and at the end the number of runs.
    first_run: [u16; SIDE as usize + 1],
    areas: Areas,
    /// As [`AreaBlock::first_middle`], for each area but the first.
    other_middles: Box<[[u8; 2]]>,
}

/// The area of each run, in one byte where a block has at most 256 areas, as most blocks do.
#[derive(Clone, Debug, PartialEq)]
enum Areas {
    Few(Box<[u8]>),
    Many(Box<[u16]>),
}

impl AreaBlock {
    #[inline]
    pub(super) fn area(&self, walkable: WalkableCells<'_>, cell: GridCell) -> u16 {
        self.several.as_ref().map_or(0, |several| several.area(walkable, cell))
    }

    /// The column and row, in the block, of the cell of an area nearest to its middle.
    pub(super) fn middle(&self, area: u16) -> [u8; 2] {
        match (&self.several, usize::from(area)) {
            (Some(several), other @ 1..) => several.other_middles[other - 1],
            _ => self.first_middle,
        }
    }

    /// Labels the areas of a block with the given rows and cliffs, which are as `Cliffs::block` returns them.
    pub(super) fn label(
        rows: &[u64; SIDE as usize],
        cliffs: Option<&[[u64; SIDE as usize]; 4]>,
        corners: bool,
    ) -> Self {
        let mut first_run = [0u16; SIDE as usize + 1];
        let mut runs: Vec<u64> = Vec::new();
        for (y, &row) in rows.iter().enumerate() {
            let mut left = row;
            while left != 0 {
                let run = lowest_run(left, cliffs.map_or(0, |[east, ..]| east[y]));
                runs.push(run);
                left &= !run;
            }
            first_run[y + 1] = runs.len() as u16;
        }
        let mut sets = DisjointSet::new(runs.len() as u32);
        for y in 1..SIDE as usize {
            let mut above = usize::from(first_run[y - 1]);
            let above_end = usize::from(first_run[y]);
            for run in above_end..usize::from(first_run[y + 1]) {
                let reach = if corners { runs[run] | runs[run] << 1 | runs[run] >> 1 } else { runs[run] };
                // The runs of both rows are in order: a run above that ends before this run begins touches no later
                // run either.
                while above < above_end && runs[above] & reach == 0 && runs[above] < reach {
                    above += 1;
                }
                let mut touching = above;
                while touching < above_end && runs[touching] & reach != 0 {
                    if cliffs.is_none_or(|cliffs| are_open(runs[touching], runs[run], cliffs, y, corners)) {
                        sets.join(touching as u32, run as u32);
                    }
                    touching += 1;
                }
            }
        }
        let mut number = vec![u16::MAX; runs.len()];
        let mut count = 0;
        let area_of_run: Vec<u16> = (0..runs.len())
            .map(|run| {
                let area = &mut number[sets.root(run as u32) as usize];
                if *area == u16::MAX {
                    *area = count;
                    count += 1;
                }
                *area
            })
            .collect();
        let middles = areas::middles(&runs, &first_run, &area_of_run, count);
        let (first_middle, other_middles) =
            middles.split_first().map_or(([0, 0], [].as_slice()), |(&first, others)| (first, others));
        let several = (count > 1).then(|| {
            let areas = if count <= 256 {
                Areas::Few(area_of_run.iter().map(|&area| area as u8).collect())
            } else {
                Areas::Many(area_of_run.into())
            };
            Box::new(SeveralAreas { first_run, areas, other_middles: other_middles.into() })
        });
        Self { count, first_middle, several }
    }
}

impl SeveralAreas {
    fn area(&self, walkable: WalkableCells<'_>, cell: GridCell) -> u16 {
        let (x, y) = (cell.x & 63, cell.y & 63);
        let [row, cliffs] = walkable.word(cell);
        let starts = row & !((row & !cliffs) << 1);
        let runs_before = (starts << (63 - x)).count_ones() - 1;
        let run = usize::from(self.first_run[y as usize]) + runs_before as usize;
        match &self.areas {
            Areas::Few(areas) => u16::from(areas[run]),
            Areas::Many(areas) => areas[run],
        }
    }
}

/// The lowest run of ones in a word, which must not be 0, as a mask. A run ends at the first of its cells behind which
/// there is a cliff.
pub(super) fn lowest_run(bits: u64, cliffs: u64) -> u64 {
    let start = bits & bits.wrapping_neg();
    // Adding the lowest bit carries through its run and clears it: the cleared bits are the run.
    let run = bits & !bits.wrapping_add(start);
    let end = run & cliffs;
    // All bits up to the first cliff, or all if there is none.
    run & (end ^ end.wrapping_sub(1) | if end == 0 { u64::MAX } else { 0 })
}

/// Whether a step leads from a run of row `y - 1` of a block to one of row `y`, past the cliffs.
fn are_open(
    above: u64,
    run: u64,
    [east, south, falling, rising]: &[[u64; SIDE as usize]; 4],
    y: usize,
    corners: bool,
) -> bool {
    let straight = above & !south[y - 1] & run;
    // The cells at whose south-eastern corner a cliff ends.
    let ends = east[y - 1] | east[y] | south[y - 1] | south[y - 1] >> 1;
    let diagonal = (above & !(ends | falling[y - 1])) << 1 | (above & !((ends | rising[y - 1]) << 1)) >> 1;
    straight != 0 || corners && diagonal & run != 0
}
