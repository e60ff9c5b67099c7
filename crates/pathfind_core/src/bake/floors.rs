//! Which surface lies on which floor.

use std::collections::{BTreeMap, VecDeque};

use super::BakeError;
use super::ground::{BakedSpan, Ground};
use crate::grid::{CellRect, Direction, GridCell};

/// The greatest number of floors of a bake.
pub(super) const MAX_FLOORS: u8 = 32;

/// The four straight directions.
pub(super) const STRAIGHT: [Direction; 4] = [Direction::E, Direction::S, Direction::W, Direction::N];

/// Gives each walkable surface of a rectangle that has no floor one, and returns the number of floors of those in use.
///
/// First, ground that is joined with ground of a floor goes on on it, the lowest first. What is left is divided into
/// pieces that are connected, the largest first: each goes whole to the first floor that has room for it. Of a piece
/// that lies over itself, what can be reached from its lowest surface by the lowest way stays together, and the rest
/// makes new pieces.
pub(super) fn assign(ground: &mut Ground, rect: CellRect) -> Result<(), BakeError> {
    let mut patch = Patch::new(ground, rect);
    let rims = patch.rims();
    patch.grow(rims);
    loop {
        let pieces = patch.pieces();
        if pieces.is_empty() {
            break;
        }
        for piece in pieces {
            let floor = patch.first_floor_for(&piece)?;
            if patch.lies_over_itself(&piece) {
                let lowest = *piece
                    .iter()
                    .min_by(|&&a, &&b| patch.spans[a].height.total_cmp(&patch.spans[b].height))
                    .expect("a piece has a surface");
                patch.spans[lowest].assign(floor);
                patch.grow([lowest]);
            } else {
                piece.into_iter().for_each(|node| patch.spans[node].assign(floor));
            }
        }
    }
    let Patch { spans, starts, .. } = patch;
    for (at, cell) in rect.cells().enumerate() {
        ground.column_mut(cell).copy_from_slice(&spans[starts[at]..starts[at + 1]]);
    }
    Ok(())
}

/// A copy of the surfaces of a rectangle, by one index.
struct Patch<'g> {
    ground: &'g Ground,
    rect: CellRect,
    /// For each cell, row by row, where its surfaces begin; and the end of the last.
    starts: Vec<usize>,
    spans: Vec<BakedSpan>,
    cells: Vec<GridCell>,
}

impl<'g> Patch<'g> {
    fn new(ground: &'g Ground, rect: CellRect) -> Self {
        let (mut starts, mut spans, mut cells) = (vec![0], Vec::new(), Vec::new());
        for cell in rect.cells() {
            spans.extend_from_slice(ground.column(cell));
            cells.resize(spans.len(), cell);
            starts.push(spans.len());
        }
        Self { ground, rect, starts, spans, cells }
    }

    /// The surfaces over a cell of the rectangle.
    fn column(&self, cell: GridCell) -> core::ops::Range<usize> {
        let width = self.rect.max.x - self.rect.min.x + 1;
        let index = ((cell.y - self.rect.min.y) * width + cell.x - self.rect.min.x) as usize;
        self.starts[index]..self.starts[index + 1]
    }

    /// The surface of the rectangle that is joined with this one in a direction.
    fn joined(&self, node: usize, direction: Direction) -> Option<usize> {
        let (cell, span) = (self.cells[node], &self.spans[node]);
        let next = cell.step(direction);
        if !self.rect.contains(next) {
            return None;
        }
        self.column(next).find(|&other| span.joins(&self.spans[other], direction, self.ground.step))
    }

    /// The surfaces with a floor that border on one without; of those outside the rectangle, the ones inside that get
    /// their floor.
    fn rims(&mut self) -> Vec<usize> {
        let mut rims: Vec<usize> =
            (0..self.spans.len()).filter(|&it| self.spans[it].floor().is_some()).collect();
        for node in 0..self.spans.len() {
            for direction in STRAIGHT {
                let (cell, span) = (self.cells[node], self.spans[node]);
                let next = cell.step(direction);
                if !span.is_unassigned() || self.rect.contains(next) {
                    continue;
                }
                let outside = self.ground.joined(cell, &span, direction);
                let floor = outside.and_then(|at| self.ground.column(next)[at].floor());
                if let Some(floor) = floor.filter(|&floor| self.has_room(node, floor as u8)) {
                    self.spans[node].assign(floor as u8);
                    rims.push(node);
                }
            }
        }
        rims
    }

    /// Whether no surface of the column of a surface lies on a floor.
    fn has_room(&self, node: usize, floor: u8) -> bool {
        self.column(self.cells[node]).all(|other| self.spans[other].floor() != Some(usize::from(floor)))
    }

    /// Lets floors go on from some of their surfaces, from the lowest to the highest.
    fn grow(&mut self, from: impl IntoIterator<Item = usize>) {
        // By height in steps of a quarter of a cell; within one step, first come, first served.
        let level = |span: &BakedSpan| (span.height * 4.0).floor() as i32;
        let mut open: BTreeMap<i32, VecDeque<usize>> = BTreeMap::new();
        for node in from {
            open.entry(level(&self.spans[node])).or_default().push_back(node);
        }
        while let Some(mut lowest) = open.first_entry() {
            let Some(node) = lowest.get_mut().pop_front() else {
                lowest.remove();
                continue;
            };
            let floor = self.spans[node].floor().expect("it was assigned") as u8;
            for direction in STRAIGHT {
                let next = self.joined(node, direction).filter(|&next| self.spans[next].is_unassigned());
                if let Some(next) = next.filter(|&next| self.has_room(next, floor)) {
                    self.spans[next].assign(floor);
                    open.entry(level(&self.spans[next])).or_default().push_back(next);
                }
            }
        }
    }

    /// The connected pieces of surfaces without floor, the largest first; of two of one size, the one that begins
    /// earlier. The surfaces of each are in order.
    fn pieces(&self) -> Vec<Vec<usize>> {
        let mut parents: Vec<usize> = (0..self.spans.len()).collect();
        for node in (0..parents.len()).filter(|&node| self.spans[node].is_unassigned()) {
            for direction in [Direction::W, Direction::N] {
                let before = self.joined(node, direction).filter(|&it| self.spans[it].is_unassigned());
                if let Some(before) = before {
                    let (a, b) = (root(&mut parents, node), root(&mut parents, before));
                    parents[a.max(b)] = a.min(b);
                }
            }
        }
        let mut pieces: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for node in (0..self.spans.len()).filter(|&node| self.spans[node].is_unassigned()) {
            pieces.entry(root(&mut parents, node)).or_default().push(node);
        }
        let mut pieces: Vec<_> = pieces.into_values().collect();
        pieces.sort_by_key(|piece| core::cmp::Reverse(piece.len()));
        pieces
    }

    /// The first floor on which no column of a piece is taken.
    fn first_floor_for(&self, piece: &[usize]) -> Result<u8, BakeError> {
        let taken = piece.iter().fold(0_u64, |taken, &node| {
            let column = self.column(self.cells[node]);
            column.filter_map(|it| self.spans[it].floor()).fold(taken, |taken, floor| taken | 1 << floor)
        });
        let floor = taken.trailing_ones() as u8;
        if floor < MAX_FLOORS { Ok(floor) } else { Err(BakeError::TooManyFloors) }
    }

    fn lies_over_itself(&self, piece: &[usize]) -> bool {
        piece.windows(2).any(|pair| self.cells[pair[0]] == self.cells[pair[1]])
    }
}

/// The first surface of a set, by which it is known.
fn root(parents: &mut [usize], mut node: usize) -> usize {
    while parents[node] != node {
        parents[node] = parents[parents[node]];
        node = parents[node];
    }
    node
}
