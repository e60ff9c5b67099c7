//! Least costs over the cells of one tile of 32×32, from the costs of the cells around it.
//!
//! A tile is swept line by line, down and up by turns until nothing changes: each line takes costs from the line
//! before, by straight and diagonal steps, if these fell, and then passes costs on along itself. The steps of 32
//! cells are computed at once. A sweep finds all paths that do not turn back, so that on open ground one is enough.
//! (Fast sweeping: H. Zhao, "A Fast Sweeping Method for Eikonal Equations", Mathematics of Computation 74, 2005.)

use crate::grid::{Bitmap, CornerRule, Directions, StepRules};
use crate::simd::{Pass, SimdF32x8};

/// Cells along the side of a tile.
pub(super) const SIDE: i32 = 32;
/// Lines of a tile with the lines before and after it.
const LINES: usize = SIDE as usize + 2;
/// The place of a tile's first cell on a [`TileLine`]; before it lies the cell of the tile before.
const FIRST: usize = 8;
/// The cost of a cell that no path leads to. Adding a step to it does not overflow. Its bits are ones from the lowest
/// up, so that "or" makes any cost at least as great as this one.
pub(super) const NONE: i32 = i32::MAX >> 1;

/// Costs along a line of a tile, and of the cells before and after.
type TileLine = [i32; SIDE as usize + 2 * FIRST];

pub(super) type TileCosts = [i32; (SIDE * SIDE) as usize];

pub(super) const NO_COSTS: TileCosts = [NONE; (SIDE * SIDE) as usize];

/// The place of a cell in a tile's costs.
#[inline]
pub(super) fn index(line: i32, place: i32) -> usize {
    (line * SIDE + place) as usize
}

/// The steps that are allowed, and what they cost.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Rules {
    pub(super) straight: i32,
    pub(super) diagonal: i32,
    steps: StepRules,
}

impl Rules {
    pub(super) fn new(steps: StepRules, straight: u64, diagonal: u64) -> Self {
        Self { straight: straight as i32, diagonal: diagonal as i32, steps }
    }

    /// Onto which cells of a line diagonal steps lead from the line beside it: from the cell before, and from the one
    /// after. Both lines are the bits of walkable cells.
    #[inline(always)]
    fn diagonals(&self, from: u64, to: u64) -> [u64; 2] {
        if self.steps.directions == Directions::Four {
            return [0, 0];
        }
        let legal = |from_there: u64, to_there: u64| {
            to & from_there
                & match self.steps.corners {
                    CornerRule::Never => from & to_there,
                    CornerRule::OneFree => from | to_there,
                    CornerRule::Always => u64::MAX,
                }
        };
        [legal(from << 1, to << 1), legal(from >> 1, to >> 1)]
    }
}

/// The bits of the walkable cells of a tile's line and of the cells before and after; `start` is the line's first cell.
#[inline(always)]
pub(super) fn window(bits: &Bitmap, line: i32, start: i32) -> u64 {
    const ALL: u64 = (1 << LINES) - 1;
    if line < -1 || line > bits.lines() {
        return 0;
    }
    // A line begins with a word of padding, and ends with one.
    let (words, at) = (bits.line(line), (start + 63) as usize);
    let window = words[at >> 6] >> (at & 63) | words[(at >> 6) + 1] << 1 << (63 - (at & 63));
    window & ALL
}

/// The walkable cells of a tile and around it.
#[derive(Copy, Clone, Debug)]
pub(super) struct TileWalls {
    /// Those of each line, see [`window`].
    lines: [u64; LINES],
    /// The same across the lines, for the first and the last cell of each line and those before and after.
    sides: [[u64; 2]; 2],
}

impl Default for TileWalls {
    fn default() -> Self {
        Self { lines: [0; LINES], sides: [[0; 2]; 2] }
    }
}

impl TileWalls {
    /// Reads those of a tile, whose first line is `first` and whose lines begin at `start`.
    pub(super) fn read(lines: &Bitmap, across: &Bitmap, first: i32, start: i32) -> Self {
        Self {
            lines: std::array::from_fn(|at| window(lines, first - 1 + at as i32, start)),
            sides: [[start, start - 1], [start + SIDE - 1, start + SIDE]]
                .map(|pair| pair.map(|line| window(across, line, first))),
        }
    }

    /// Whether the tile has no walkable cell.
    pub(super) fn is_full(&self) -> bool {
        self.lines[1..=SIDE as usize].iter().all(|&line| line & !(1 | 1 << (SIDE + 1)) == 0)
    }
}

/// A tile and the cells around it, while it is computed.
#[derive(Clone, Debug)]
pub(super) struct TileScratch {
    pub(super) lines: [TileLine; LINES],
    pub(super) walls: TileWalls,
    /// Whether all lines are passed on, not only those whose costs the cells around the tile lower.
    pub(super) is_new: bool,
    pub(super) upward: bool,
    pub(super) rules: Rules,
}

impl Default for TileScratch {
    fn default() -> Self {
        Self {
            lines: [[NONE; SIDE as usize + 2 * FIRST]; LINES],
            walls: TileWalls::default(),
            is_new: false,
            upward: false,
            rules: Rules::default(),
        }
    }
}

impl TileScratch {
    /// Sets the tile's costs to those of cells that no path leads to.
    pub(super) fn clear(&mut self) {
        for line in &mut self.lines[1..=SIDE as usize] {
            line[FIRST..FIRST + SIDE as usize].fill(NONE);
        }
    }

    pub(super) fn load(&mut self, costs: &TileCosts) {
        for (line, costs) in self.lines[1..].iter_mut().zip(costs.chunks_exact(SIDE as usize)) {
            line[FIRST..FIRST + SIDE as usize].copy_from_slice(costs);
        }
    }

    pub(super) fn store(&self, costs: &mut TileCosts) {
        for (line, costs) in self.lines[1..].iter().zip(costs.chunks_exact_mut(SIDE as usize)) {
            costs.copy_from_slice(&line[FIRST..FIRST + SIDE as usize]);
        }
    }

    /// The costs of a line's cells that lie in the tile, or before or after it.
    pub(super) fn line_mut(&mut self, line: i32) -> &mut [i32] {
        &mut self.lines[(line + 1) as usize][FIRST..FIRST + SIDE as usize]
    }

    /// The cost of a cell; the tile's cells have numbers from 0, those around it reach from -1 to [`SIDE`].
    #[inline]
    pub(super) fn cost_mut(&mut self, line: i32, place: i32) -> &mut i32 {
        &mut self.lines[(line + 1) as usize][(FIRST as i32 + place) as usize]
    }
}

/// Sweeps a tile until nothing changes. Returns for each neighbour, row by row, the least cost by which the tile
/// lowers one of its cells, or [`NONE`].
pub(super) struct Sweeps<'w>(pub(super) &'w mut TileScratch);

impl Pass for Sweeps<'_> {
    type Output = [i32; 9];

    #[inline(always)]
    fn run<L: SimdF32x8>(self) -> [i32; 9] {
        let TileScratch { lines, walls: TileWalls { lines: walkable, sides }, is_new, upward, rules } =
            self.0;
        // Lines, by bits, whose costs have to be passed on along them, to the next line, and to the line before.
        let [mut along, mut down, mut up] =
            if *is_new { [u64::MAX; 3] } else { sides_lower(rules, lines, walkable) };
        let mut upward = *upward;
        while along != 0 || down != 0 || up != 0 {
            for nth in 1..=SIDE as usize {
                let (line, before) = if upward { (LINES - 1 - nth, LINES - nth) } else { (nth, nth - 1) };
                let is_stepped_to = (if upward { up } else { down }) >> before & 1 != 0;
                let (mut falls, mut is_even) = (false, false);
                if is_stepped_to {
                    let (low, high) = lines.split_at_mut(line.max(before));
                    let (from, to) =
                        if upward { (&high[0], &mut low[line]) } else { (&low[before], &mut high[0]) };
                    falls = step::<true>(rules, from, to, walkable[before], walkable[line]) != 0;
                    // If all steps from the line before are legal, and costs were passed on along that line, steps
                    // along this one lower nothing more.
                    is_even = nth > 1 && is_open(rules, walkable[before], walkable[line]);
                }
                if falls && !is_even || along >> line & 1 != 0 {
                    falls |= pass_on(rules.straight, &mut lines[line], walkable[line]);
                }
                if falls {
                    (down, up) = (down | 1 << line, up | 1 << line);
                }
            }
            along = 0;
            *(if upward { &mut up } else { &mut down }) = 0;
            upward = !upward;
        }
        // What the tile lowers outside.
        let last = SIDE as usize;
        let mut lowered = [NONE; 9];
        let mut outside = |at: usize, from: &TileLine, to: &mut TileLine, walkable: [u64; 2]| {
            lowered[at] = step::<false>(rules, from, to, walkable[0], walkable[1]);
        };
        let (mut top, mut bottom) = (lines[0], lines[last + 1]);
        outside(1, &lines[1], &mut top, [walkable[1], walkable[0]]);
        outside(7, &lines[last], &mut bottom, [walkable[last], walkable[last + 1]]);
        for (at, inner, outer, [near, far]) in
            [(3, FIRST, FIRST - 1, sides[0]), (5, FIRST + last - 1, FIRST + last, sides[1])]
        {
            let (mut from, mut to) = ([NONE; SIDE as usize + 2 * FIRST], [NONE; SIDE as usize + 2 * FIRST]);
            for (place, line) in (FIRST - 1..).zip(lines.iter()) {
                (from[place], to[place]) = (line[inner], line[outer]);
            }
            outside(at, &from, &mut to, [near, far]);
        }
        for (at, from, to, beyond) in [
            (0, [1, FIRST], [0, FIRST - 1], 0),
            (2, [1, FIRST + last - 1], [0, FIRST + last], last + 1),
            (6, [last, FIRST], [last + 1, FIRST - 1], 0),
            (8, [last, FIRST + last - 1], [last + 1, FIRST + last], last + 1),
        ] {
            let legal = rules.diagonals(walkable[from[0]], walkable[to[0]]);
            // A step towards the first place comes from the cell after.
            let is_legal = legal[usize::from(beyond == 0)] >> beyond & 1 != 0;
            let cost = lines[from[0]][from[1]] + rules.diagonal;
            if is_legal && cost < lines[to[0]][to[1]] {
                lowered[at] = cost;
            }
        }
        lowered
    }
}

/// The lines, as bits, that have to be passed on along themselves, downward and upward, because cells to the left and
/// right of the tile lower costs of their cells; the line before the tile is always passed on downward, the line
/// after it upward.
#[inline(always)]
fn sides_lower(rules: &Rules, lines: &[TileLine; LINES], walkable: &[u64; LINES]) -> [u64; 3] {
    let [mut along, mut down, mut up] = [0, 1, 1 << (LINES - 1)];
    for (outer, inner, at) in
        [(FIRST - 1, FIRST, 1), (FIRST + SIDE as usize, FIRST + SIDE as usize - 1, SIDE)]
    {
        let falls = |from: usize, to: usize, price: i32| {
            u64::from(lines[from][outer] + price < lines[to][inner]) & walkable[to] >> at
        };
        for (line, costs) in lines.iter().enumerate().take(SIDE as usize + 1).skip(1) {
            if costs[outer] < NONE {
                along |= falls(line, line, rules.straight) << line;
                down |= falls(line, line + 1, rules.diagonal) << line;
                up |= falls(line, line - 1, rules.diagonal) << line;
            }
        }
    }
    [along, down, up]
}

/// Whether all steps from one line to the next are legal.
#[inline(always)]
fn is_open(rules: &Rules, near: u64, far: u64) -> bool {
    let [before, after] = rules.diagonals(near, far);
    ((far & before & after) >> 1) as u32 == u32::MAX
}

/// Steps from one line to the next. With `WRITE` the costs that fall are written, and the result is not 0 if any did;
/// else the result is the least of the costs that would fall, or [`NONE`].
#[inline(always)]
fn step<const WRITE: bool>(rules: &Rules, from: &TileLine, to: &mut TileLine, near: u64, far: u64) -> i32 {
    let [before, after] = rules.diagonals(near, far);
    let [free, before, after] = [far, before, after].map(|bits| (bits >> 1) as u32 as i32);
    let Rules { straight, diagonal, .. } = *rules;
    let mut result = if WRITE { 0 } else { NONE };
    let mut put = |old: &mut i32, new: i32| {
        let least = new.min(*old);
        if WRITE {
            result |= least ^ *old;
            *old = least;
        } else {
            result = result.min(if least < *old { least } else { NONE });
        }
    };
    let to = &mut to[FIRST..FIRST + SIDE as usize];
    if free & before & after == -1 {
        for (i, old) in to.iter_mut().enumerate() {
            let aslant = from[FIRST + i - 1].min(from[FIRST + i + 1]) + diagonal;
            put(old, aslant.min(from[FIRST + i] + straight));
        }
    } else {
        for (i, old) in to.iter_mut().enumerate() {
            let unless = |bits: i32| if bits & 1 << i != 0 { 0 } else { NONE };
            let a = (from[FIRST + i - 1] + diagonal) | unless(before);
            let b = (from[FIRST + i + 1] + diagonal) | unless(after);
            let c = (from[FIRST + i] + straight) | unless(free);
            put(old, a.min(b).min(c));
        }
    }
    result
}

/// Passes costs on along a line. Returns whether any fell.
#[inline(always)]
fn pass_on(straight: i32, line: &mut TileLine, walkable: u64) -> bool {
    const SIDE: usize = self::SIDE as usize;
    let free = (walkable >> 1) as u32 as i32;
    let mut walls = [0; SIDE];
    for (i, wall) in walls.iter_mut().enumerate() {
        *wall = if free & 1 << i != 0 { 0 } else { NONE };
    }
    let mut changed = false;
    // Mostly costs fall beside a few walls only: by one or two steps.
    for _ in 0..2 {
        let old = *line;
        let mut falls = 0;
        for i in 0..SIDE {
            let cost =
                ((old[FIRST + i - 1].min(old[FIRST + i + 1]) + straight) | walls[i]).min(old[FIRST + i]);
            falls |= cost ^ old[FIRST + i];
            line[FIRST + i] = cost;
        }
        if falls == 0 {
            return changed;
        }
        changed = true;
    }
    let (mut forth, mut back) = (*line, *line);
    let (mut right, mut left) = (line[FIRST - 1], line[FIRST + SIDE]);
    for i in 0..SIDE {
        right = (right + straight).min(forth[FIRST + i]) | walls[i];
        forth[FIRST + i] = right;
        let j = SIDE - 1 - i;
        left = (left + straight).min(back[FIRST + j]) | walls[j];
        back[FIRST + j] = left;
    }
    for i in FIRST..FIRST + SIDE {
        line[i] = forth[i].min(back[i]);
    }
    true
}
