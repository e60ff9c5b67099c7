//! Pruning of successors where terrain costs differ, for searches that expand every cell at its least cost.
//!
//! Let the search have reached cell o by a step from cell p. A successor s of o is pruned if two steps from p over a
//! third cell, or one step, lead to s at a lower cost than the steps over o. It is also pruned at an equal cost, if the
//! other two steps are the preferred ones: a diagonal step followed by a straight one in place of a straight step
//! followed by a diagonal one, or of two straight steps the vertical one first.
//!
//! ```text
//!   q s     s is pruned if all four cells cost the same: the path over q, with its diagonal step first, is preferred.
//!   p o t     It is pruned too if s costs 3 and the others cost 1: √2 + 3 over q is less than 1 + 3·√2.
//!             t is pruned if o costs 3 and the others cost 1: 2·√2 over q is less than 3 + 1
//! ```
//!
//! Why no cell is lost: of all cells from which an optimal path leads to s by its last step, take the one whose own
//! least cost is greatest; of several, one whose step to s is straight, of those one whose step is horizontal.
//! Whichever optimal path the search has reached that cell by, s is not pruned there. Another path of lower cost
//! would make s cheaper than its least cost, and a preferred path of equal cost would lead to s from a cell that is
//! taken before.
//!
//! This is the pruning by 3×3 windows of weighted jump point search (M. Carlson, S. K. Moghadam, D. D. Harabor,
//! P. J. Stuckey and M. Ebrahimi, "Optimal Pathfinding on Weighted Grid Maps", AAAI 2023), for paths of two steps.
//! Where all nine cells cost the same, it is the canonical ordering of [`SuccessorPruning::canonical`].

use super::costs::StepCosts;
use crate::grid::{
    Bitmap, Classes, Cliffs, CornerRule, Direction, Directions, EdgeRules, Grid, GridCell, KindId,
    SUCCESSORS, StepRules, SuccessorPruning,
};

/// The pruning rule for a grid, a kind of agent and step rules.
#[derive(Copy, Clone)]
pub(crate) struct WeightedPruning<'g> {
    classes: &'g Classes,
    rows: &'g Bitmap,
    borders: &'g Bitmap,
    cliffs: Option<&'g Cliffs>,
    edge_rules: Option<&'g EdgeRules>,
    costs: &'g StepCosts,
    /// Inside areas of one cost.
    canonical: SuccessorPruning,
    /// At their borders: steps that one straight step replaces.
    detours: SuccessorPruning,
    steps: StepRules,
}

impl<'g> WeightedPruning<'g> {
    /// The pruning rule; `None` if the terrain costs that occur are the same everywhere, there are no cliffs, and no
    /// edge has a rule.
    pub(crate) fn new(grid: &'g Grid, kind: KindId, steps: StepRules, costs: &'g StepCosts) -> Option<Self> {
        Some(Self {
            classes: grid.cost_classes(kind),
            rows: grid.rows(kind)?,
            borders: &grid.borders(kind)?.rows,
            cliffs: grid.cliffs(kind),
            edge_rules: grid.edge_rules(),
            costs,
            canonical: SuccessorPruning::canonical(steps),
            detours: SuccessorPruning::new(steps, true),
            steps,
        })
    }

    /// Whether a neighbour of the cell costs something else or lies beyond a cliff, or an edge near it has a rule.
    #[inline]
    pub(crate) fn is_border(&self, (x, y): (i32, i32)) -> bool {
        self.borders.get(y, x)
    }

    /// The steps out of a cell that remain, one bit for each of [`SUCCESSORS`], if it was reached by the step (`dx`,
    /// `dy`). (0, 0) means that the search begins there: all legal steps remain, as they do near cliffs and edges
    /// with rules, which may keep agents from the other steps. `BACK`: the search runs backwards from the goals, so
    /// that a step has the terrain cost of the cell that it leaves.
    #[inline]
    pub(crate) fn steps<const BACK: bool>(&self, (x, y): (i32, i32), (dx, dy): (i32, i32)) -> u8 {
        let walkable = self.rows.neighbor_mask(y, x) as u8;
        if !self.borders.get(y, x) {
            return self.canonical.steps_around((-dx, -dy), walkable);
        }
        let beyond = self.cliffs.and_then(|cliffs| cliffs.beyond_if_near(x, y));
        let rules = self.edge_rules.filter(|rules| rules.are_near(x, y));
        if beyond.is_some() || rules.is_some() {
            let steps = self.detours.steps_around((0, 0), walkable & !beyond.unwrap_or(0));
            return rules.map_or(steps, |rules| rules.open_steps::<BACK>(GridCell::new(x, y), steps));
        }
        let steps = self.detours.steps_around((-dx, -dy), walkable);
        if steps == 0 || (dx, dy) == (0, 0) {
            return steps;
        }
        let window = Neighborhood::<BACK> {
            walkable,
            costs: self.costs_around(x, y),
            goes_diagonally: self.steps.directions == Directions::Eight,
            cuts: self.steps.corners != CornerRule::Never,
        };
        if dx == 0 || dy == 0 {
            steps & !window.pruned_after_straight((dx, dy))
        } else {
            steps & !window.pruned_after_diagonal((dx, dy))
        }
    }

    /// What the step out of a border cell costs in addition to its terrain; the step is legal.
    #[inline]
    pub(crate) fn surcharge(&self, cell: GridCell, step: Direction) -> u64 {
        self.edge_rules.map_or(0, |rules| self.costs.surcharge(rules.surcharge(cell, step)))
    }

    /// The costs of a straight and of a diagonal step for the terrain of the 3×3 cells round a cell, row by row. For
    /// blocked cells and cells outside the grid they have no meaning.
    #[inline]
    fn costs_around(&self, x: i32, y: i32) -> [[u32; 2]; 9] {
        let (right, bottom) = (self.classes.row_len() as i32 - 1, self.classes.rows() as i32 - 1);
        let columns = [(x - 1).max(0), x, (x + 1).min(right)];
        let rows = [(y - 1).max(0), y, (y + 1).min(bottom)];
        let mut costs = [[0; 2]; 9];
        for (row, y) in costs.chunks_exact_mut(3).zip(rows) {
            let Some(classes) = self.classes.row_if_whole(y as usize) else {
                return self.costs_in_parts(columns, rows);
            };
            for (cost, x) in row.iter_mut().zip(columns) {
                *cost = self.costs.by_class[usize::from(classes[x as usize])];
            }
        }
        costs
    }

    /// The same where the classes of some rows are stored in parts.
    #[cold]
    #[inline(never)]
    fn costs_in_parts(&self, columns: [i32; 3], rows: [i32; 3]) -> [[u32; 2]; 9] {
        let cost = |x, y| self.costs.by_class[usize::from(self.classes.get(y as usize, x as usize))];
        let cells = rows.map(|y| columns.map(|x| cost(x, y)));
        std::array::from_fn(|at| cells[at / 3][at % 3])
    }
}

/// A cell of a window, as offset from the middle.
type Offset = (i32, i32);

const STRAIGHT: usize = 0;
const DIAGONAL: usize = 1;

/// The 3×3 cells round the cell whose successors are pruned, which is called the middle.
struct Neighborhood<const BACK: bool> {
    /// Which neighbours are walkable: see [`Bitmap::neighbor_mask`].
    walkable: u8,
    costs: [[u32; 2]; 9],
    goes_diagonally: bool,
    /// Whether a diagonal step may pass a blocked cell, if the cell on its other side is walkable.
    cuts: bool,
}

impl<const BACK: bool> Neighborhood<BACK> {
    const MIDDLE: Offset = (0, 0);

    #[inline]
    fn is_free(&self, (x, y): Offset) -> bool {
        self.walkable >> Bitmap::neighbor_bit(x, y) & 1 != 0
    }

    #[inline]
    fn cost(&self, (x, y): Offset, step: usize) -> u64 {
        u64::from(self.costs[(4 + 3 * y + x) as usize][step])
    }

    /// The cost of two steps, from `p` over `over` to `s`; the first is straight or diagonal, and so is the second.
    #[inline]
    fn two_steps(&self, p: Offset, first: usize, over: Offset, second: usize, s: Offset) -> u64 {
        if BACK {
            self.cost(p, first) + self.cost(over, second)
        } else {
            self.cost(over, first) + self.cost(s, second)
        }
    }

    /// The cost of one step from `p` to `s`.
    #[inline]
    fn one_step(&self, p: Offset, step: usize, s: Offset) -> u64 {
        self.cost(if BACK { p } else { s }, step)
    }

    /// The steps out of the middle that are pruned after a straight step (`dx`, `dy`).
    // Without branches: which path is cheaper is hard to predict.
    #[inline]
    fn pruned_after_straight(&self, (dx, dy): Offset) -> u8 {
        let p = (-dx, -dy);
        let ahead = (dx, dy);
        let mut pruned = 0;
        // Towards each side: the cell beside the middle, and those before and after it.
        for side in [(dy, dx), (-dy, -dx)] {
            let behind = (side.0 - dx, side.1 - dy);
            let diagonal = (side.0 + dx, side.1 + dy);
            let by_middle = self.two_steps(p, STRAIGHT, Self::MIDDLE, STRAIGHT, side);
            let by_behind = self.two_steps(p, STRAIGHT, behind, STRAIGHT, side);
            // Vertical first: from p over the cell behind if p lies beside the middle.
            let is_detour = self.is_free(behind) & (by_behind < by_middle + u64::from(dx != 0));
            pruned |= on(is_detour, side);
            let can_go_diagonally =
                self.goes_diagonally & self.is_free(side) & (self.cuts | self.is_free(behind));
            pruned |= on(can_go_diagonally & (self.one_step(p, DIAGONAL, side) < by_middle), side);
            let is_detour = self.two_steps(p, DIAGONAL, side, STRAIGHT, diagonal)
                <= self.two_steps(p, STRAIGHT, Self::MIDDLE, DIAGONAL, diagonal);
            pruned |= on(can_go_diagonally & is_detour, diagonal);
            let is_detour = self.two_steps(p, DIAGONAL, side, DIAGONAL, ahead)
                < self.two_steps(p, STRAIGHT, Self::MIDDLE, STRAIGHT, ahead);
            pruned |= on(can_go_diagonally & (self.cuts | self.is_free(diagonal)) & is_detour, ahead);
        }
        pruned
    }

    /// The steps out of the middle that are pruned after a diagonal step (`dx`, `dy`).
    #[inline]
    fn pruned_after_diagonal(&self, (dx, dy): Offset) -> u8 {
        let p = (-dx, -dy);
        let mut pruned = 0;
        // `beside` lies next to both p and the middle; from there, `ahead` is one diagonal step, and `turn` a
        // straight one.
        for (beside, ahead, turn) in [((0, -dy), (dx, 0), (dx, -dy)), ((-dx, 0), (0, dy), (-dx, dy))] {
            let is_free = self.is_free(beside);
            let is_detour = self.two_steps(p, STRAIGHT, beside, DIAGONAL, ahead)
                < self.two_steps(p, DIAGONAL, Self::MIDDLE, STRAIGHT, ahead);
            pruned |= on(is_free & (self.cuts | self.is_free(turn)) & is_detour, ahead);
            let is_detour = self.two_steps(p, STRAIGHT, beside, STRAIGHT, turn)
                < self.two_steps(p, DIAGONAL, Self::MIDDLE, DIAGONAL, turn);
            pruned |= on(is_free & is_detour, turn);
        }
        pruned
    }
}

/// The bit of the step to a neighbour if a condition holds, else 0.
#[inline]
fn on(condition: bool, to: Offset) -> u8 {
    u8::from(condition).wrapping_neg() & bit(to)
}

/// The bit of the step to a neighbour, in the order of [`SUCCESSORS`].
#[inline]
fn bit((dx, dy): Offset) -> u8 {
    const BITS: [u8; 9] = bits();
    BITS[(4 + 3 * dy + dx) as usize]
}

const fn bits() -> [u8; 9] {
    let mut bits = [0; 9];
    let mut i = 0;
    while i < 8 {
        let (dx, dy) = SUCCESSORS[i].offset();
        bits[(4 + 3 * dy + dx) as usize] = 1 << i;
        i += 1;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{GridCell, directions_of};

    /// The cells that remain out of the middle of a 3×3 map after a step (`dx`, `dy`) into it. Digits are costs.
    fn remaining(map: &str, steps: StepRules, (dx, dy): (i32, i32)) -> Vec<(i32, i32)> {
        let grid = Grid::from_ascii(map).unwrap();
        let mut costs = StepCosts::default();
        costs.set(&grid, KindId::default(), steps, 1);
        let pruning = WeightedPruning::new(&grid, KindId::default(), steps, &costs).expect("costs differ");
        let steps = directions_of(pruning.steps::<false>((1, 1), (dx, dy)));
        let mut cells: Vec<GridCell> = steps.map(|step| GridCell::new(1, 1).step(step)).collect();
        cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
        cells.into_iter().map(|cell| (cell.x, cell.y)).collect()
    }

    const EAST: (i32, i32) = (1, 0);

    /// A path straight into other terrain only goes on; out of dear terrain, or beside it, it may turn; dear cells
    /// are left to paths round them; of equal paths in four directions that with its vertical step first remains.
    #[test]
    fn only_steps_that_no_cheaper_way_replaces_remain() {
        let (never, one_free) = (StepRules::eight(CornerRule::Never), StepRules::eight(CornerRule::OneFree));
        let walls = "#1#\n191\n#1#";
        for (map, steps, step, cells) in [
            ("113\n113\n113", never, EAST, &[(2, 1)][..]),
            ("311\n311\n311", never, EAST, &[(2, 1)]),
            ("133\n133\n133", never, EAST, &[(2, 1)]),
            ("331\n331\n331", never, EAST, &[(2, 0), (2, 1), (2, 2)]),
            ("111\n111\n333", never, EAST, &[(2, 1), (1, 2), (2, 2)]),
            ("111\n111\n333", StepRules::FOUR, EAST, &[(2, 1), (1, 2)]),
            ("333\n111\n111", never, (1, -1), &[(1, 0), (2, 0), (2, 1)]),
            ("111\n191\n111", never, EAST, &[]),
            ("111\n191\n111", one_free, EAST, &[]),
            ("111\n191\n111", StepRules::eight(CornerRule::Always), EAST, &[]),
            // The diagonal steps past the walls are forbidden under `Never`.
            (walls, never, EAST, &[(1, 0), (2, 1), (1, 2)]),
            (walls, one_free, EAST, &[]),
            ("111\n111\n111\n111\n999", StepRules::FOUR, EAST, &[(2, 1)]),
            ("222\n222\n333", StepRules::FOUR, (0, 1), &[(0, 1), (2, 1), (1, 2)]),
            ("222\n222\n333", StepRules::FOUR, EAST, &[(2, 1), (1, 2)]),
        ] {
            assert_eq!(remaining(map, steps, step), cells, "{steps:?}, by {step:?} into\n{map}");
        }
    }
}
