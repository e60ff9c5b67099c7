//! The per-cell memory and open-list entries of the textbook searches.

use std::cmp::Ordering;

use pathfind_core::Cell;

use crate::board::Board;

/// Cost, parent and state of every cell, allocated once: a query only starts a new generation.
pub(super) struct Scratch {
    generation: u32,
    seen: Vec<u32>,
    pub(super) g: Vec<f32>,
    pub(super) parent: Vec<u32>,
    pub(super) closed: Vec<bool>,
}

impl Scratch {
    pub(super) fn new(cells: usize) -> Self {
        Self {
            generation: 0,
            seen: vec![0; cells],
            g: vec![0.0; cells],
            parent: vec![0; cells],
            closed: vec![false; cells],
        }
    }

    /// Forgets every cell.
    pub(super) fn begin(&mut self) {
        self.generation += 1;
    }

    /// Resets a cell's entries if they are of an earlier query.
    #[inline]
    pub(super) fn touch(&mut self, cell: u32) {
        let cell = cell as usize;
        if self.seen[cell] != self.generation {
            self.seen[cell] = self.generation;
            self.g[cell] = f32::INFINITY;
            self.closed[cell] = false;
        }
    }

    /// The cells from the start to a reached cell; the start is its own parent.
    pub(super) fn path(&self, board: &Board, end: u32) -> Vec<Cell> {
        let mut cells = vec![board.cell(end)];
        let mut at = end;
        while self.parent[at as usize] != at {
            at = self.parent[at as usize];
            cells.push(board.cell(at));
        }
        cells.reverse();
        cells
    }
}

/// An entry of the open list. The heap's greatest entry has the least `f`, and among equal ones the least `g`: with
/// rounded costs that pushes fewer entries than the greatest `g`, and on most maps it is faster.
#[derive(Copy, Clone)]
pub(super) struct OpenEntry {
    pub(super) f: f32,
    pub(super) g: f32,
    pub(super) cell: u32,
}

impl Ord for OpenEntry {
    fn cmp(&self, other: &Self) -> Ordering {
        other.f.total_cmp(&self.f).then(other.g.total_cmp(&self.g))
    }
}

impl PartialOrd for OpenEntry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for OpenEntry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for OpenEntry {}
