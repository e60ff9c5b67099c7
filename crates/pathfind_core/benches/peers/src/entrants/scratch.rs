//! The memory of the textbook searches: cells, open list and the path.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use pathfind_core::GridCell;

use crate::board::{Board, Point, center};

/// Cost, parent and state of every cell, allocated once: a query only starts a new generation.
pub(super) struct Scratch {
    pub(super) open: BinaryHeap<OpenEntry>,
    found: Vec<GridCell>,
    generation: u32,
    seen: Vec<u32>,
    pub(super) g: Vec<f32>,
    pub(super) parent: Vec<u32>,
    pub(super) closed: Vec<bool>,
}

impl Scratch {
    pub(super) fn new(cells: usize) -> Self {
        Self {
            open: BinaryHeap::new(),
            found: Vec::new(),
            generation: 0,
            seen: vec![0; cells],
            g: vec![0.0; cells],
            parent: vec![0; cells],
            closed: vec![false; cells],
        }
    }

    /// Forgets every cell, and opens the start; `estimate` is the cost from there to the goal.
    pub(super) fn begin(&mut self, start: u32, estimate: f32) {
        self.generation += 1;
        self.open.clear();
        self.touch(start);
        self.g[start as usize] = 0.0;
        self.parent[start as usize] = start;
        self.open.push(OpenEntry { f: estimate, g: 0.0, cell: start });
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

    /// Keeps the cells from the start to a reached cell; the start is its own parent.
    pub(super) fn keep_path(&mut self, board: &Board, end: u32) {
        let mut cells = vec![board.cell(end)];
        let mut at = end;
        while self.parent[at as usize] != at {
            at = self.parent[at as usize];
            cells.push(board.cell(at));
        }
        cells.reverse();
        self.found = cells;
    }

    /// The points of the path that was kept last.
    pub(super) fn path(&self) -> Vec<Point> {
        self.found.iter().copied().map(center).collect()
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
