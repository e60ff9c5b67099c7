//! Pruning of successors: legal steps that cannot lead to a cheaper path are not generated.
//!
//! A successor of cell o is pruned if one legal step leads to it from the parent p of o, and costs no more than the
//! path over o. As p was expanded before o, the path over o cannot lower the cost of that successor.
//!
//! ```text
//!   uniform cost    differing costs    wall above p       p: the parent, o: the cell to expand,
//!      . . +            . + +             # + +           +: the successors that remain
//!      p o +            p o +             p o +
//!      . . +            . + +             . . +           (corner rule `Never`)
//! ```
//!
//! If terrain costs differ, the cells above and below o remain, because a straight step into costly terrain is
//! cheaper than the diagonal one from p. In the third map, the corner rule forbids the step from p to the cell above o.
//!
//! A search with this pruning expands cell by cell, like A*, and finds paths of the same cost. Canonical orderings
//! (N. R. Sturtevant and S. Rabin, "Canonical Orderings on Grids", IJCAI 2016) go further: they also keep only one of
//! several equal paths of two steps, on uniform terrain. [`SuccessorPruning::canonical`] keeps that with its diagonal
//! step first, and with four directions that with its step along a column first.

use super::{Bitmap, Cliffs, CornerRule, Directions, SUCCESSORS, StepRules};

/// The successors that remain, one bit for each of [`SUCCESSORS`]: indexed by the position of the parent in the 3×3
/// cells round the cell, row by row, and by which neighbours are walkable (see [`Bitmap::neighbor_mask`]).
type PruningTable = [[u8; 256]; 9];

/// The pruning rule for some step rules, as a look-up table.
#[derive(Copy, Clone, Debug)]
pub(crate) struct SuccessorPruning(&'static PruningTable);

impl SuccessorPruning {
    /// The pruning rule for some step rules; `weighted` says whether terrain costs differ.
    pub(crate) fn new(steps: StepRules, weighted: bool) -> Self {
        static UNIFORM: [PruningTable; 4] = tables(Pruned::Detours { weighted: false });
        static WEIGHTED: [PruningTable; 4] = tables(Pruned::Detours { weighted: true });
        Self(&if weighted { &WEIGHTED } else { &UNIFORM }[steps.rule()])
    }

    /// The successors of the canonical ordering, for uniform terrain.
    pub(crate) fn canonical(steps: StepRules) -> Self {
        static CANONICAL: [PruningTable; 4] = tables(Pruned::AllButCanonical);
        Self(&CANONICAL[steps.rule()])
    }

    /// The steps out of cell (`x`, `y`) that remain, one bit for each of [`SUCCESSORS`], if its parent is the
    /// neighbour (`x + dx`, `y + dy`). (0, 0) means that there is no parent: all legal steps remain. They also remain
    /// at a cliff, which may keep the parent from the step that would replace the detour.
    #[inline]
    pub(crate) fn steps(
        self,
        (rows, cliffs): (&Bitmap, Option<&Cliffs>),
        (x, y): (i32, i32),
        (dx, dy): (i32, i32),
    ) -> u8 {
        let mask = rows.neighbor_mask(y, x) as u8;
        match cliffs.and_then(|cliffs| cliffs.beyond_if_near(x, y)) {
            None => self.steps_around((dx, dy), mask),
            Some(beyond) => self.steps_around((0, 0), mask & !beyond),
        }
    }

    /// The same by the mask of the walkable neighbours.
    #[inline]
    pub(crate) fn steps_around(self, (dx, dy): (i32, i32), mask: u8) -> u8 {
        self.0[(4 + 3 * dy + dx) as usize][usize::from(mask)]
    }
}

#[derive(Copy, Clone)]
enum Pruned {
    /// Detours: successors that one step from the parent reaches as cheaply.
    Detours { weighted: bool },
    /// All successors but those of the canonical ordering, for cells of one cost.
    AllButCanonical,
}

const fn tables(pruned: Pruned) -> [PruningTable; 4] {
    let [four, never, one_free, always] = StepRules::RULES;
    [table(four, pruned), table(never, pruned), table(one_free, pruned), table(always, pruned)]
}

const fn table(steps: StepRules, pruned: Pruned) -> PruningTable {
    let mut table = [steps.legal_steps(); 9];
    let mut from = 0;
    while from < 9 {
        let before = (from as i32 % 3 - 1, from as i32 / 3 - 1);
        let mut around = 0;
        while from != 4 && around < 256 {
            let mut i = 0;
            while i < 8 {
                let next = SUCCESSORS[i].offset();
                let is_pruned = match pruned {
                    Pruned::Detours { weighted } => is_detour(steps, weighted, around, before, next),
                    Pruned::AllButCanonical => !is_canonical(steps, around, before, next),
                };
                if is_pruned {
                    table[from][around] &= !(1 << i);
                }
                i += 1;
            }
            around += 1;
        }
        from += 1;
    }
    table
}

/// Whether one legal step leads from the parent to the successor, and costs no more than the path over the cell.
const fn is_detour(
    steps: StepRules,
    weighted: bool,
    around: usize,
    before: (i32, i32),
    next: (i32, i32),
) -> bool {
    let (dx, dy) = (next.0 - before.0, next.1 - before.1);
    match (dx.abs(), dy.abs(), steps.directions) {
        (0, 0, _) | (0, 1, _) | (1, 0, _) => true,
        (1, 1, Directions::Eight) if !weighted => {
            // Two cells are beside that diagonal step: the cell itself, which is free, and the one opposite.
            !matches!(steps.corners, CornerRule::Never)
                || !is_wall(around, before.0 + next.0, before.1 + next.1)
        }
        _ => false,
    }
}

/// Whether the path from the parent over the cell to a successor is canonical: no path of other steps, or of the same
/// steps with the preferred one first, leads there at no greater cost.
const fn is_canonical(steps: StepRules, around: usize, before: (i32, i32), next: (i32, i32)) -> bool {
    let (dx, dy) = (-before.0, -before.1);
    let is_straight_on = next.0 == dx && next.1 == dy;
    let is_four = matches!(steps.directions, Directions::Four);
    if is_straight_on || dx != 0 && dy != 0 && (next.0 == dx && next.1 == 0 || next.0 == 0 && next.1 == dy) {
        return true;
    }
    if is_four && dy != 0 {
        // From a column a path may turn into either direction of a row.
        return next.1 == 0;
    }
    let cuts = !is_four && !matches!(steps.corners, CornerRule::Never);
    if dx != 0 && dy != 0 {
        // A diagonal step past a wall, and round its far side.
        return cuts
            && (next.0 == -dx && next.1 == dy && is_wall(around, -dx, 0)
                || next.0 == dx && next.1 == -dy && is_wall(around, 0, -dy));
    }
    // After a straight step a path turns only where a wall beside it ends: `side` is the direction to that wall.
    let (ahead, side) = if dx != 0 { (next.0 * dx, (0, next.1)) } else { (next.1 * dy, (next.0, 0)) };
    if side.0 == 0 && side.1 == 0 || ahead < 0 {
        return false;
    }
    if cuts {
        ahead == 1 && is_wall(around, side.0, side.1)
    } else {
        is_wall(around, side.0 - dx, side.1 - dy)
    }
}

/// Whether a neighbour is blocked, by the mask of the walkable ones.
const fn is_wall(around: usize, dx: i32, dy: i32) -> bool {
    around >> Bitmap::neighbor_bit(dx, dy) & 1 == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Grid, GridCell, KindId};
    use crate::testing::walled;

    #[test]
    fn where_costs_differ_a_detour_may_enter_dear_terrain_straight() {
        let grid = Grid::new(3, 3).unwrap();
        let rows = grid.rows(KindId::default()).unwrap();
        let pruning = SuccessorPruning::new(StepRules::eight(CornerRule::Never), true);
        let found = pruning.steps((rows, None), (1, 1), (-1, 0));
        let left: Vec<_> = SUCCESSORS.into_iter().enumerate().filter(|(i, _)| found >> i & 1 != 0).collect();
        assert!(left.len() == 5 && left.iter().all(|(_, step)| step.offset().0 >= 0), "{left:?}");
    }

    #[test]
    fn what_is_left_out_is_reached_straight_from_the_cell_before() {
        let all = StepRules::RULES.into_iter().flat_map(|steps| (0..256).map(move |around| (steps, around)));
        for (steps, around) in all {
            let middle = GridCell::new(1, 1);
            let is_wall = |cell: GridCell| is_wall(around, cell.x - 1, cell.y - 1);
            let grid = walled(3, 3, |cell| cell != middle && is_wall(cell));
            let rows = grid.rows(KindId::default()).unwrap();
            for back in grid.steps_from(KindId::default(), steps, middle) {
                let before = middle.step(back);
                let direct: Vec<GridCell> =
                    grid.steps_from(KindId::default(), steps, before).map(|step| before.step(step)).collect();
                let pruning = SuccessorPruning::new(steps, false).steps((rows, None), (1, 1), back.offset());
                for (i, step) in SUCCESSORS.into_iter().enumerate() {
                    let next = middle.step(step);
                    let is_legal = steps.legal(rows, 1, 1) >> i & 1 != 0;
                    let is_reached = next == before || direct.contains(&next);
                    assert_eq!(
                        pruning >> i & 1 != 0,
                        is_legal && !is_reached,
                        "{steps:?}, from {before} by the middle to {next} of {around:b}"
                    );
                }
            }
        }
    }
}
