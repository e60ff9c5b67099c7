//! The rows of one tile, each in a register: how costs spread among its cells, what they would cost beyond its edges,
//! and which steps lead on.

use super::super::super::jps::Rule;
use super::super::first_steps::DIRECTIONS;
use super::{FieldTile, INFINITE, TileRows};
use crate::grid::CornerRule;
use crate::search::distance_search::{GOAL, UNREACHABLE};
use crate::simd::U32x8;

/// For each byte of walkable cells the least cost of each cell: infinite for a blocked one.
static LEAST: [[u32; 8]; 256] = {
    let mut least = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut x = 0;
        while x < 8 {
            least[byte][x] = if byte >> x & 1 == 0 { INFINITE } else { 0 };
            x += 1;
        }
        byte += 1;
    }
    least
};

pub(super) struct StepLanes {
    pub(super) straight_units: u32,
    pub(super) diagonal_units: u32,
    straight: U32x8,
    two: U32x8,
    four: U32x8,
    diagonal: U32x8,
    infinite: U32x8,
}

impl StepLanes {
    #[inline(always)]
    pub(super) fn new(straight: u32, diagonal: u32) -> Self {
        Self {
            straight_units: straight,
            diagonal_units: diagonal,
            straight: U32x8::splat(straight),
            two: U32x8::splat(2 * straight),
            four: U32x8::splat(4 * straight),
            diagonal: U32x8::splat(diagonal),
            infinite: U32x8::splat(INFINITE),
        }
    }
}

/// What a tile has to know of the cells round it, and which of its own cells are walkable.
#[derive(Default)]
pub(super) struct Edges {
    pub(super) above: [u32; 8],
    pub(super) below: [u32; 8],
    pub(super) left: [u32; 8],
    pub(super) right: [u32; 8],
    /// The costs beyond the corners: above left, above right, below left, below right.
    pub(super) corners: [u32; 4],
    /// A byte for each row.
    pub(super) free: [u8; 8],
    /// The walkable cells above, below, to the left and to the right.
    pub(super) free_round: [u8; 4],
    /// For each row the cells from which diagonal steps are legal, in the order of `corners`.
    pub(super) diagonals: [[u8; 4]; 8],
}

impl Edges {
    /// Sets the legal diagonal steps, by the cells beside them; steps onto blocked cells count as legal.
    #[inline(always)]
    pub(super) fn set_diagonals<R: Rule>(&mut self, corners: [bool; 4]) {
        let [above, below, left, right] = self.free_round.map(u32::from);
        // The cells of three rows, with one more at both ends; bit 0 is the cell before the tile.
        let mut rows = [0; 10];
        rows[0] = u32::from(corners[0]) | above << 1 | u32::from(corners[1]) << 9;
        rows[9] = u32::from(corners[2]) | below << 1 | u32::from(corners[3]) << 9;
        for y in 0..8 {
            rows[y + 1] = (left >> y & 1) | u32::from(self.free[y]) << 1 | (right >> y & 1) << 9;
        }
        let beside = |across: u32, down: u32| match R::CORNERS {
            CornerRule::Never => (across & down) as u8,
            CornerRule::OneFree => (across | down) as u8,
            CornerRule::Always => u8::MAX,
        };
        for (y, diagonals) in self.diagonals.iter_mut().enumerate() {
            let (above, below) = (rows[y] >> 1, rows[y + 2] >> 1);
            let (left, right) = (rows[y + 1], rows[y + 1] >> 2);
            *diagonals =
                [beside(left, above), beside(right, above), beside(left, below), beside(right, below)];
        }
    }
}

#[inline(always)]
fn least(free: u8) -> U32x8 {
    U32x8::load(&LEAST[usize::from(free)])
}

/// A row of costs and the cells before and after it.
#[derive(Copy, Clone)]
struct CostRow {
    costs: U32x8,
    before: u32,
    after: u32,
}

/// The costs of a row's cells: over the row beside it, and along the row. `diagonals` says where diagonal steps from
/// the row beside it are legal: from the left, and from the right.
#[inline(always)]
fn spread_row<R: Rule, const OPEN: bool>(
    lanes: &StepLanes,
    own: CostRow,
    beside: CostRow,
    free: u8,
    diagonals: [u8; 2],
) -> U32x8 {
    let mut costs = own.costs.min(beside.costs.add(lanes.straight));
    if !R::FOUR {
        let mut from_left = beside.costs.up_1(U32x8::splat(beside.before)).add(lanes.diagonal);
        let mut from_right = beside.costs.down_1(U32x8::splat(beside.after)).add(lanes.diagonal);
        if !OPEN {
            from_left = from_left.max(least(diagonals[0]));
            from_right = from_right.max(least(diagonals[1]));
        }
        costs = costs.min(from_left).min(from_right);
    }
    if !OPEN {
        costs = costs.max(least(free));
    }
    let mut along =
        costs.up_1(U32x8::splat(own.before)).min(costs.down_1(U32x8::splat(own.after))).add(lanes.straight);
    if !OPEN {
        along = along.max(least(free));
    }
    let nearer = costs.min(along);
    if nearer.xor(costs).is_zero() {
        return costs;
    }
    // Two and four steps at once: only where all cells between are walkable.
    let (rising, falling) = (free & free << 1, free & free >> 1);
    let mut from_left = nearer.up_2(lanes.infinite).add(lanes.two);
    let mut from_right = nearer.down_2(lanes.infinite).add(lanes.two);
    if !OPEN {
        (from_left, from_right) = (from_left.max(least(rising)), from_right.max(least(falling)));
    }
    let nearer = nearer.min(from_left).min(from_right);
    let mut from_left = nearer.up_4(lanes.infinite).add(lanes.four);
    let mut from_right = nearer.down_4(lanes.infinite).add(lanes.four);
    if !OPEN {
        from_left = from_left.max(least(rising & rising << 2));
        from_right = from_right.max(least(falling & falling >> 2));
    }
    nearer.min(from_left).min(from_right)
}

/// Spreads costs from row to row, downwards (`DOWN`) or upwards. Returns whether all are as before.
#[inline(always)]
fn spread_rows<R: Rule, const OPEN: bool, const DOWN: bool>(
    lanes: &StepLanes,
    rows: &mut [U32x8; 8],
    edge: CostRow,
    edges: &Edges,
) -> bool {
    let mut beside = edge;
    let mut difference = U32x8::splat(0);
    for row in 0..8 {
        let y = if DOWN { row } else { 7 - row };
        let own = CostRow { costs: rows[y], before: edges.left[y], after: edges.right[y] };
        let [a, b, c, d] = edges.diagonals[y];
        let diagonals = if DOWN { [a, b] } else { [c, d] };
        let costs = spread_row::<R, OPEN>(lanes, own, beside, edges.free[y], diagonals);
        difference = difference.or(costs.xor(own.costs));
        rows[y] = costs;
        beside = CostRow { costs, ..own };
    }
    difference.is_zero()
}

/// The costs of a tile that agree with the edges round it; `None` if they are as before and there is no goal.
#[inline(always)]
pub(super) fn relaxed_tile<R: Rule, const OPEN: bool>(
    lanes: &StepLanes,
    tile: &FieldTile,
    edges: &Edges,
    is_goal: bool,
) -> Option<FieldTile> {
    let mut rows = [lanes.infinite; 8];
    for (row, costs) in rows.iter_mut().zip(&tile.0) {
        *row = U32x8::load(costs);
    }
    let old = rows;
    let [above_left, above_right, below_left, below_right] = edges.corners;
    let above = CostRow { costs: U32x8::load(&edges.above), before: above_left, after: above_right };
    let below = CostRow { costs: U32x8::load(&edges.below), before: below_left, after: below_right };
    // From the cheaper side first.
    let mut is_downwards = edges.above[3] <= edges.below[3];
    let mut rounds = 0;
    loop {
        let is_settled = if is_downwards {
            spread_rows::<R, OPEN, true>(lanes, &mut rows, above, edges)
        } else {
            spread_rows::<R, OPEN, false>(lanes, &mut rows, below, edges)
        };
        rounds += 1;
        if rounds > 1 && is_settled {
            break;
        }
        is_downwards = !is_downwards;
    }
    let mut difference = U32x8::splat(0);
    let mut tile = FieldTile([[0; 8]; 8]);
    for y in 0..8 {
        difference = difference.or(rows[y].xor(old[y]));
        tile.0[y] = rows[y].to_array();
    }
    (is_goal || !difference.is_zero()).then_some(tile)
}

/// The least cost that a cell above, below, to the left and to the right of a tile could get by a step out of the
/// tile, if it is less than the cell's own; else at least [`INFINITE`]. Diagonal steps count even where they are not
/// legal.
#[inline(always)]
pub(super) fn improved<R: Rule, const OPEN: bool>(
    lanes: &StepLanes,
    tile: &FieldTile,
    edges: &Edges,
) -> [u32; 4] {
    let (mut first, mut last) = ([0; 8], [0; 8]);
    for y in 0..8 {
        (first[y], last[y]) = (tile.0[y][0], tile.0[y][7]);
    }
    let own = [&tile.0[0], &tile.0[7], &first, &last];
    let beyond = [&edges.above, &edges.below, &edges.left, &edges.right];
    let mut round = [INFINITE; 4];
    for side in 0..4 {
        let (own, beyond) = (U32x8::load(own[side]), U32x8::load(beyond[side]));
        let mut costs = own.add(lanes.straight);
        if !R::FOUR {
            costs = costs.min(own.up_1(lanes.infinite).min(own.down_1(lanes.infinite)).add(lanes.diagonal));
        }
        if !OPEN {
            costs = costs.max(least(edges.free_round[side]));
        }
        let less = costs.min(beyond);
        if !less.xor(beyond).is_zero() {
            round[side] = less.equal(beyond).choose(lanes.infinite, less).reduce_min();
        }
    }
    round
}

/// The costs of a tile's cells and the indices of their first steps, row by row: the first of
/// [`SUCCESSORS`](crate::grid::SUCCESSORS) that the costs allow.
#[inline(always)]
pub(super) fn chosen_steps<R: Rule, const OPEN: bool>(
    lanes: &StepLanes,
    tile: &FieldTile,
    edges: &Edges,
) -> TileRows {
    let [above_left, above_right, below_left, below_right] = edges.corners;
    let mut found = [([0; 8], [0; 8]); 8];
    for y in 0..8 {
        let own = U32x8::load(&tile.0[y]);
        let (before, after) = (U32x8::splat(edges.left[y]), U32x8::splat(edges.right[y]));
        let above = U32x8::load(if y == 0 { &edges.above } else { &tile.0[y - 1] });
        let below = U32x8::load(if y == 7 { &edges.below } else { &tile.0[y + 1] });
        let mut steps = U32x8::splat(UNREACHABLE.into());
        if !R::FOUR {
            let (left, right) = (&edges.left, &edges.right);
            let [nw, ne] = if y == 0 { [above_left, above_right] } else { [left[y - 1], right[y - 1]] };
            let [sw, se] = if y == 7 { [below_left, below_right] } else { [left[y + 1], right[y + 1]] };
            let beside = [
                above.up_1(U32x8::splat(nw)),
                above.down_1(U32x8::splat(ne)),
                below.up_1(U32x8::splat(sw)),
                below.down_1(U32x8::splat(se)),
            ];
            for step in (0..4).rev() {
                let mut costs = beside[step].add(lanes.diagonal);
                if !OPEN {
                    costs = costs.max(least(edges.diagonals[y][step]));
                }
                steps = costs.equal(own).choose(U32x8::splat(DIRECTIONS[4 + step].into()), steps);
            }
        }
        let beside = [above, below, own.up_1(before), own.down_1(after)];
        for step in (0..4).rev() {
            let fits = beside[step].add(lanes.straight).equal(own);
            steps = fits.choose(U32x8::splat(DIRECTIONS[step].into()), steps);
        }
        steps = own.equal(U32x8::splat(0)).choose(U32x8::splat(GOAL.into()), steps);
        // No cost at all: the greatest number, all bits.
        let is_none = own.equal(lanes.infinite);
        steps = is_none.choose(U32x8::splat(UNREACHABLE.into()), steps);
        found[y] = (own.or(is_none).to_array(), steps.to_bytes());
    }
    found
}
