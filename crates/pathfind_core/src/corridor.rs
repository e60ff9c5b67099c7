//! Corridors: stretches of ground so narrow that two bodies do not fit side by side.
//!
//! A cell is *narrow* for a side of n cells if it is walkable and no free square of n by n cells contains it; a square is
//! free if none of its cells is blocked, and no fence stands between two of them. For
//! n = 2 these are the corridors, doors and diagonal gaps of one cell; a square, not a row of free cells, is what tells
//! a diagonal staircase of cells from open ground:
//!
//! ```text
//!  ..........        ..........
//!  ....##....        ....##....
//!  ...##.....  ─▶    ...##.....     side 2, n: narrow
//!  ####.#####        ####n#####
//!  ..........        ..........
//! ```
//!
//! Whether a cell is narrow depends on the cells nearer than the side alone. So nothing is stored, and nothing has to
//! be kept up to date when the map is edited.

mod chokepoint;

use std::collections::VecDeque;

use glam::Vec2;

use crate::grid::{Direction, Grid, GridCell, KindId, leg_parts};
use crate::sight::Solid;

pub use chokepoint::{Chokepoint, chokepoints};

/// The greatest side that is tested, in cells, to bound the time: bodies that need more are taken for bodies that need
/// this much.
pub const MAX_SIDE: u32 = 8;

/// Whether a cell is walkable for a kind of agent, and no free square of `side` by `side` cells contains it. With a
/// side of 0 or 1 no cell is narrow. Sides above [`MAX_SIDE`] count as that. The time grows with the square of the
/// side.
#[must_use]
pub fn is_narrow(grid: &Grid, kind: KindId, side: u32, cell: GridCell) -> bool {
    Solid::of(grid, kind).is_some_and(|solid| !solid.at(cell) && is_narrow_ground(solid, side, cell))
}

/// [`is_narrow`] for a cell that is walkable; for any other cell, whether no free square adjoins it.
fn is_narrow_ground(solid: Solid, side: u32, cell: GridCell) -> bool {
    let side = side.min(MAX_SIDE) as i32;
    if side < 2 {
        return false;
    }
    let is_free = |x, y| !solid.at(GridCell::new(cell.x.saturating_add(x), cell.y.saturating_add(y)));
    let is_open = |x, y, direction| {
        !solid.grid().has_fence(GridCell::new(cell.x.saturating_add(x), cell.y.saturating_add(y)), direction)
    };
    // For each row nearer than the side, the columns at which as many free cells as the side begin, with no fence
    // between them: bit i is column `cell.x - side + 1 + i`. Then those at which no fence parts as many from the next row.
    let starts = |y| {
        let bits = |is: &dyn Fn(i32) -> bool| {
            (1 - side..side).rev().fold(0_u32, |row, x| row << 1 | u32::from(is(x)))
        };
        let [free, east, south] = [
            bits(&|x| is_free(x, y)),
            bits(&|x| is_open(x, y, Direction::E)),
            bits(&|x| is_open(x, y, Direction::S)),
        ];
        (1..side)
            .fold([free, south], |[run, edge], by| [run & free >> by & east >> (by - 1), edge & south >> by])
    };
    let rows: Vec<[u32; 2]> = (1 - side..side).map(starts).collect();
    rows.windows(side as usize).all(|rows| {
        let edges = rows[1..].iter().zip(rows).map(|(_, above)| above[1]);
        rows.iter().map(|row| row[0]).chain(edges).fold(u32::MAX, |all, row| all & row) == 0
    })
}

/// A cell of a [`Stretch`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StretchCell {
    /// The cell.
    pub cell: GridCell,
    /// The direction in which the path leads into it, of length 1.
    pub enter: Vec2,
    /// The direction in which the path leads out of it, of length 1.
    pub leave: Vec2,
    /// The length of path from where it leaves the cell on, in cells.
    pub left: f32,
}

/// A part of a path on which two bodies do not fit side by side, from one piece of ground with room to wait to the next.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Stretch {
    /// Its cells, in the order of the path: the narrow ones, and those of pockets between them that are too small to
    /// wait in.
    pub cells: Vec<StretchCell>,
    /// The length of path left at its beginning, in cells.
    pub entry: f32,
    /// The length of path left at its end, in cells; 0 where the path ends in it.
    pub exit: f32,
    /// The cells of the path behind it, up to `apron` of them: those who come out go there.
    pub apron: Vec<GridCell>,
}

/// What a search for a stretch looks for; see [`next_stretch`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StretchRule {
    /// The side of the square in which two bodies fit side by side, in cells; see [`is_narrow`].
    pub side: u32,
    /// How many cells of connected ground that is not narrow are room to wait. Smaller pockets belong to the stretch.
    pub room: usize,
    /// How far ahead on the path a stretch may begin, in cells. One that begins nearer is followed to its end.
    pub horizon: f32,
    /// How many cells of the path behind the stretch are listed.
    pub apron: usize,
}

/// The first stretch of a path that is narrow; `None` if none begins within the horizon.
///
/// `points` are where an agent is, and the points of its path that are ahead of it, in grid space.
#[must_use]
pub fn next_stretch(grid: &Grid, kind: KindId, rule: StretchRule, points: &[Vec2]) -> Option<Stretch> {
    let solid = Solid::of(grid, kind)?;
    let mut left: f32 = points.windows(2).map(|leg| leg[0].distance(leg[1])).sum();
    let first = left - rule.horizon;
    let mut stretch = Stretch::default();
    // The cells of a small pocket since the last narrow cell: part of the stretch if a narrow cell follows.
    let mut pocket = Vec::new();
    let mut has_ended = false;
    for leg in points.windows(2) {
        let direction = (leg[1] - leg[0]).normalize_or_zero();
        for (cell, length) in leg_parts(leg[0], leg[1]) {
            let before = left;
            left -= length as f32;
            let step = StretchCell { cell, enter: direction, leave: direction, left };
            let is_narrow = is_narrow_ground(solid, rule.side, cell);
            if !has_ended && is_narrow {
                if stretch.cells.is_empty() {
                    stretch.entry = before;
                }
                stretch.cells.append(&mut pocket);
                match stretch.cells.last_mut().filter(|last| last.cell == cell) {
                    // The path turns in the cell.
                    Some(last) => (last.leave, last.left) = (direction, left),
                    None => stretch.cells.push(step),
                }
                stretch.exit = left;
                continue;
            }
            if stretch.cells.is_empty() {
                if before < first {
                    return None;
                }
                continue;
            }
            has_ended = has_ended || pocket.is_empty() && has_room(solid, rule, cell);
            if !has_ended {
                pocket.push(step);
            } else if is_narrow || stretch.apron.len() >= rule.apron {
                return Some(stretch);
            } else {
                stretch.apron.push(cell);
            }
        }
    }
    (!stretch.cells.is_empty()).then_some(stretch)
}

/// Whether the ground that is not narrow and is connected with a cell has as many cells as the rule asks for.
fn has_room(solid: Solid, rule: StretchRule, cell: GridCell) -> bool {
    let (mut known, mut queue) = (vec![cell], VecDeque::from([cell]));
    while let Some(cell) = queue.pop_front() {
        if known.len() >= rule.room {
            return true;
        }
        for direction in [Direction::E, Direction::S, Direction::W, Direction::N] {
            let next = cell.step(direction);
            let is_open = !solid.at(next) && !solid.grid().has_fence(cell, direction);
            if is_open && !known.contains(&next) && !is_narrow_ground(solid, rule.side, next) {
                known.push(next);
                queue.push_back(next);
            }
        }
    }
    known.len() >= rule.room
}

/// How far a disc may go along `points`, the first of which is where it is, until it touches another disc at `other`;
/// `touch` is the sum of the two radii. 0 if the two overlap and it would come nearer; `None` if it does not touch the
/// other within `reach`.
///
/// With this gap, a file of bodies moves without collisions if each goes no faster than its gap divided by a time (A.
/// Tordeux, M. Chraibi, A. Seyfried, "Collision-free speed model for pedestrian dynamics", 2016).
#[must_use]
pub fn gap_ahead(points: &[Vec2], reach: f32, other: Vec2, touch: f32) -> Option<f32> {
    let mut gone = 0.0;
    for leg in points.windows(2) {
        let (way, length) = ((leg[1] - leg[0]).normalize_or_zero(), leg[0].distance(leg[1]));
        let to_other = other - leg[0];
        let along = to_other.dot(way);
        let beside_squared = to_other.length_squared() - along * along;
        // The disc comes nearer only up to the point beside the other.
        if along > 0.0 && beside_squared < touch * touch {
            let contact = along - (touch * touch - beside_squared.max(0.0)).sqrt();
            if contact <= length {
                return (gone + contact <= reach).then_some((gone + contact).max(0.0));
            }
        }
        gone += length;
        if gone >= reach {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_makes_ground_narrow() {
        let mut road = Grid::from_ascii(".....\n.....\n.....").unwrap();
        let narrow = |grid: &Grid, side| {
            grid.bounds().cells().filter(|&cell| is_narrow(grid, KindId::default(), side, cell)).count()
        };
        assert_eq!([2, 3].map(|side| narrow(&road, side)), [0, 0]);
        for x in 0..5 {
            road.set_fence(GridCell::new(x, 0), Direction::S, true).unwrap();
        }
        assert_eq!([2, 3].map(|side| narrow(&road, side)), [5, 15], "one lane beside two");
        road.set_fence(GridCell::new(1, 1), Direction::E, true).unwrap();
        assert_eq!(narrow(&road, 2), 5, "there is room on both sides of the corner");
        road.set_fence(GridCell::new(0, 1), Direction::E, true).unwrap();
        assert_eq!(narrow(&road, 2), 7 + 2, "two columns are too narrow");
    }

    #[test]
    fn the_gap_ends_where_two_discs_touch() {
        let path = [Vec2::ZERO, Vec2::new(4.0, 0.0), Vec2::new(4.0, 4.0)];
        let gap = |other: (f32, f32)| gap_ahead(&path, 10.0, other.into(), 1.0);
        assert_eq!(gap((3.0, 0.0)), Some(2.0), "right ahead");
        assert_eq!(gap((0.5, 0.0)), Some(0.0), "the two overlap");
        assert_eq!(gap((-0.5, 0.0)), None, "it is behind, and does not come nearer");
        assert_eq!(gap((2.0, 1.0)), None, "it is passed");
        assert!(gap((2.0, 0.6)).is_some_and(|gap| (gap - 1.2).abs() < 1e-5), "it is touched at the side");
        assert_eq!(gap((4.0, 4.0)), Some(7.0), "round the turn");
        assert_eq!(gap_ahead(&path, 5.0, Vec2::new(4.0, 4.0), 1.0), None, "too far away");
        assert_eq!(gap_ahead(&path, 5.0, Vec2::NAN, 1.0), None);
        assert_eq!(gap_ahead(&[], 5.0, Vec2::ZERO, 1.0), None);
    }

    /// A map with its narrow cells marked `n`.
    fn picture(map: &str, side: u32) -> String {
        let grid = Grid::from_ascii(map).unwrap();
        let sign = |x: usize, y: usize, sign: char| {
            let is_narrow = is_narrow(&grid, KindId::default(), side, GridCell::new(x as i32, y as i32));
            if is_narrow { 'n' } else { sign }
        };
        let row = |(y, row): (usize, &str)| row.chars().enumerate().map(|(x, it)| sign(x, y, it)).collect();
        map.lines().enumerate().map(row).collect::<Vec<String>>().join("\n")
    }

    #[test]
    fn corridors_doors_and_diagonal_gaps_are_narrow() {
        let map = "\
......#......
......#......
.............
......#......
####.######.#
......#####..
......######.
...#..#####..
..##.##......";
        let narrow = "\
......#......
......#......
......n......
......#......
####n######n#
......#####nn
......######n
...#..#####..
..##n##nnnn..";
        for (map, side, found) in [
            (map, 2, narrow),
            ("..#\n...", 1, "..#\n..."),
            ("..#\n...", 0, "..#\n..."),
            ("...\n...\n...", 3, "...\n...\n..."),
            ("...\n...", 3, "nnn\nnnn"),
        ] {
            assert_eq!(picture(map, side), found, "for a side of {side}");
        }
    }

    fn stretch(map: &str, points: &[(f32, f32)], room: usize) -> Option<Stretch> {
        let grid = Grid::from_ascii(map).unwrap();
        let points: Vec<Vec2> = points.iter().map(|&point| point.into()).collect();
        let rule = StretchRule { side: 2, room, horizon: 100.0, apron: 2 };
        next_stretch(&grid, KindId::default(), rule, &points)
    }

    #[test]
    fn a_stretch_leads_from_room_to_room() {
        let map = "\
...#########...
...####..###...
...............
...#########...";
        let columns = |stretch: &Stretch| stretch.cells.iter().map(|step| step.cell.x).collect::<Vec<_>>();
        let through = [(0.5, 2.5), (14.5, 2.5)];
        let all = stretch(map, &through, 6).expect("there is a corridor");
        assert!(columns(&all).into_iter().eq(3..12), "the bay of four cells is too small to wait in");
        assert_eq!((all.entry, all.exit), (11.5, 2.5));
        assert_eq!(all.apron, [GridCell::new(12, 2), GridCell::new(13, 2)]);
        let half = stretch(map, &through, 4).expect("there is a corridor");
        assert_eq!(columns(&half), [3, 4, 5, 6], "in the bay there is room enough for this rule");
        assert_eq!(stretch(map, &[(0.5, 2.5), (2.5, 0.5)], 4), None);
    }

    #[test]
    fn a_stretch_may_begin_and_end_with_the_path() {
        let found = stretch("#.....#", &[(1.5, 0.5), (5.5, 0.5)], 4).expect("all of it is narrow");
        assert_eq!((found.cells.len(), found.entry, found.exit), (5, 4.0, 0.0));
        assert_eq!(found.cells[0].leave, Vec2::X);
        assert!(found.apron.is_empty());
        assert_eq!(stretch("#.....#", &[], 4), None);
    }
}
