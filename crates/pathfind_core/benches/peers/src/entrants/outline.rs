//! The outlines of a map's free areas, for entrants that search on polygons.

use pathfind_core::GridCell;

use crate::board::Board;

/// The corners of a closed polygon along cell borders.
pub(super) type Ring = Vec<(i32, i32)>;

/// Offsets to the neighbours east, south, west and north. The border to the left of a direction (north of a cell
/// for east) is walked in that direction, so the free cell is on its right.
const AHEAD: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// For each area of edge-connected free cells its rings: the outer one, then those of its holes.
///
/// Where two blocked cells touch at a corner, a ring meets itself there without crossing.
pub(super) fn outlines(board: &Board) -> Vec<Vec<Ring>> {
    let areas = areas(board);
    let mut rings: Vec<Vec<Ring>> = Vec::new();
    let mut walked = vec![[false; 4]; board.free.len()];
    for index in 0..board.free.len() as u32 {
        for direction in 0..4 {
            let edge = Edge { cell: board.cell(index), direction };
            if !board.free[index as usize] || !edge.is_border(board) || walked[index as usize][direction] {
                continue;
            }
            let area = areas[index as usize] as usize;
            if rings.len() <= area {
                rings.resize(area + 1, Vec::new());
            }
            // The first cell of an area, row by row, is on its outer ring.
            rings[area].push(edge.ring(board, &mut walked));
        }
    }
    rings
}

/// The area index of each free cell; areas are numbered in the order of their first cells.
fn areas(board: &Board) -> Vec<u32> {
    let mut areas = vec![u32::MAX; board.free.len()];
    let mut count = 0;
    let mut stack = Vec::new();
    for first in 0..board.free.len() as u32 {
        if !board.free[first as usize] || areas[first as usize] != u32::MAX {
            continue;
        }
        areas[first as usize] = count;
        stack.push(board.cell(first));
        while let Some(GridCell { x, y }) = stack.pop() {
            for (dx, dy) in AHEAD {
                let next = GridCell::new(x + dx, y + dy);
                if board.is_free(next.x, next.y) && areas[board.index(next) as usize] == u32::MAX {
                    areas[board.index(next) as usize] = count;
                    stack.push(next);
                }
            }
        }
        count += 1;
    }
    areas
}

/// A side of a free cell, and the direction in which it is walked.
#[derive(Copy, Clone, PartialEq)]
struct Edge {
    cell: GridCell,
    direction: usize,
}

impl Edge {
    /// The neighbour in a direction.
    fn towards(self, direction: usize) -> GridCell {
        let (dx, dy) = AHEAD[direction % 4];
        GridCell::new(self.cell.x + dx, self.cell.y + dy)
    }

    /// Whether the cell beyond the side is blocked.
    fn is_border(self, board: &Board) -> bool {
        let beyond = self.towards(self.direction + 3);
        !board.is_free(beyond.x, beyond.y)
    }

    /// The next side along the border, within edge-connected cells.
    fn next(self, board: &Board) -> Self {
        let ahead = self.towards(self.direction);
        if !board.is_free(ahead.x, ahead.y) {
            return Self { direction: (self.direction + 1) % 4, ..self };
        }
        let straight = Self { cell: ahead, ..self };
        if straight.is_border(board) {
            return straight;
        }
        Self { cell: straight.towards(self.direction + 3), direction: (self.direction + 3) % 4 }
    }

    /// The end point of the side.
    fn end(self) -> (i32, i32) {
        let GridCell { x, y } = self.cell;
        [(x + 1, y), (x + 1, y + 1), (x, y + 1), (x, y)][self.direction]
    }

    /// The corners of the ring that contains the side.
    fn ring(self, board: &Board, walked: &mut [[bool; 4]]) -> Ring {
        let mut ring = Vec::new();
        let mut edge = self;
        loop {
            walked[board.index(edge.cell) as usize][edge.direction] = true;
            let next = edge.next(board);
            if next.direction != edge.direction {
                ring.push(edge.end());
            }
            edge = next;
            if edge == self {
                return ring;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_with_a_pillar_has_two_rings() {
        let areas = outlines(&Board::from_ascii("...\n.#.\n..."));
        assert_eq!(areas.len(), 1);
        assert_eq!(areas[0][0], [(3, 0), (3, 3), (0, 3), (0, 0)], "the outer ring comes first");
        assert_eq!(areas[0][1].len(), 4, "the pillar has four corners");
    }

    #[test]
    fn areas_that_touch_by_a_corner_stay_apart() {
        let areas = outlines(&Board::from_ascii(".#\n#."));
        assert_eq!(areas.len(), 2);
        assert!(areas.iter().all(|rings| rings.len() == 1 && rings[0].len() == 4));
    }

    #[test]
    fn a_ring_meets_itself_without_crossing() {
        let areas = outlines(&Board::from_ascii("....\n.#..\n..#.\n...."));
        let corners: Vec<usize> = areas[0].iter().map(Vec::len).collect();
        assert_eq!(corners, [4, 8], "one ring round both pillars, twice through the place where they touch");
    }
}
