//! The pursuit as a game that is solved exactly: who follows wins, or who flees gets away for ever.

use pathfind_core::{Grid, GridCell, KindId, StepRules};

/// The game of one pursuer and one fleer who move in turn, each to a neighbour or not at all, solved backwards from
/// capture (G. Hahn and G. MacGillivray, "A note on k-cop, l-robber games on graphs", Discrete Mathematics 306, 2006).
pub(crate) struct Game {
    pub(crate) cells: Vec<GridCell>,
    moves: Vec<Vec<u16>>,
    /// For each pair of pursuer and fleer, with the fleer to move, its moves until capture; `u16::MAX` for never.
    left: Vec<u16>,
}

impl Game {
    pub(crate) fn new(grid: &Grid, kind: KindId, steps: StepRules) -> Self {
        let cells: Vec<GridCell> =
            grid.bounds().cells().filter(|&cell| grid.is_walkable(kind, cell)).collect();
        let index = |cell| cells.iter().position(|&other| other == cell).expect("it is walkable") as u16;
        let moves: Vec<Vec<u16>> = cells
            .iter()
            .map(|&cell| {
                let steps = grid.steps_from(kind, steps, cell).map(|direction| cell.step(direction));
                steps.chain([cell]).map(index).collect()
            })
            .collect();
        let mut game = Self { left: vec![u16::MAX; cells.len() * cells.len()], cells, moves };
        game.solve();
        game
    }

    fn solve(&mut self) {
        let count = self.cells.len();
        let pair = |pursuer: u16, fleer: u16| pursuer as usize * count + fleer as usize;
        // With the pursuer to move, whether it wins; and with the fleer to move, how many of its moves do not lose yet.
        let mut wins = vec![false; count * count];
        let mut escapes: Vec<u8> = (0..count * count).map(|i| self.moves[i % count].len() as u8).collect();
        let mut lost: Vec<(u16, u16)> = (0..count as u16).map(|cell| (cell, cell)).collect();
        lost.iter().for_each(|&(pursuer, fleer)| self.left[pair(pursuer, fleer)] = 0);
        let mut round = 0;
        while !lost.is_empty() {
            let mut won = Vec::new();
            for &(pursuer, fleer) in &lost {
                let befores = self.moves[pursuer as usize].iter().map(|&from| (from, fleer));
                won.extend(
                    befores.filter(|&(from, fleer)| !std::mem::replace(&mut wins[pair(from, fleer)], true)),
                );
            }
            round += 1;
            lost.clear();
            for &(pursuer, fleer) in &won {
                for &from in &self.moves[fleer as usize] {
                    let at = pair(pursuer, from);
                    escapes[at] -= 1;
                    if escapes[at] == 0 && self.left[at] == u16::MAX {
                        self.left[at] = round;
                        lost.push((pursuer, from));
                    }
                }
            }
        }
    }

    fn index(&self, cell: GridCell) -> usize {
        self.cells.iter().position(|&other| other == cell).expect("it is walkable")
    }

    /// How many moves the fleer has until it is caught, if both play best; `None` if never.
    pub(crate) fn moves_left(&self, pursuer: GridCell, fleer: GridCell) -> Option<u16> {
        let left = self.left[self.index(pursuer) * self.cells.len() + self.index(fleer)];
        (left != u16::MAX).then_some(left)
    }

    /// The fleer's best move.
    pub(crate) fn best_move(&self, pursuer: GridCell, fleer: GridCell) -> GridCell {
        let at = self.index(pursuer);
        let moves = self.moves[self.index(fleer)].iter();
        // After the fleer's move the pursuer moves: the least of what it can leave.
        let worth =
            |&to: &u16| {
                let replies = self.moves[at].iter();
                replies
                    .map(|&reply| {
                        if reply == to {
                            0
                        } else {
                            self.left[reply as usize * self.cells.len() + to as usize]
                        }
                    })
                    .min()
            };
        let best = moves.filter(|&&to| usize::from(to) != at).max_by_key(|&to| worth(to));
        best.map_or(fleer, |&to| self.cells[to as usize])
    }
}
