//! Which cells agents with right of way go through, and which are reserved.

use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use pathfind_core::GridCell;
use pathfind_core::corridor::{Stretch, StretchCell};

use crate::numbers::octant;

/// How far an agent has come with a stretch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// The agent waits.
    Waits,
    /// The agent waits, and agents that would go against it get no right of way any more.
    Reserved,
    /// The agent has right of way, and has left this number of cells of the stretch behind.
    Goes { passed: usize },
    /// The agent stands still in the stretch, and nobody comes against it: other agents need not wait for it.
    Stuck,
}

/// The cells of all stretches that agents go through or have reserved.
#[derive(Debug, Default)]
pub(super) struct Claims {
    granted: Ways,
    reserved: Ways,
    /// How many agents with right of way come out over each cell.
    ways_out: HashMap<(Entity, GridCell), u32>,
}

/// For each cell of a grid, how agents go over it.
#[derive(Debug, Default)]
struct Ways(HashMap<(Entity, GridCell), Vec<Way>>);

/// The octants of the directions in which agents enter and leave a cell, and the number of those agents.
#[derive(Debug, PartialEq, Eq)]
struct Way {
    enter: usize,
    leave: usize,
    count: u32,
}

impl Claims {
    /// The index of a cell of a stretch over which an agent goes against it, or, unless the stretch is reserved, is to go
    /// next; `None` if the stretch is free. The cell at index `first` is tested first: where another agent was in the way
    /// in the last tick it mostly still is.
    pub(super) fn conflict(
        &self,
        grid: Entity,
        stretch: &Stretch,
        turn: Turn,
        first: usize,
    ) -> Option<usize> {
        let is_taken = |&index: &usize| {
            self.granted.is_taken(grid, stretch, index)
                || turn != Turn::Reserved && self.reserved.is_taken(grid, stretch, index)
        };
        let count = stretch.cells.len();
        (first.min(count)..count).take(1).chain(0..count).find(is_taken)
    }

    /// Whether agents come out over a cell or one that adjoins it.
    pub(super) fn is_way_out(&self, grid: Entity, cell: GridCell) -> bool {
        around(cell).any(|cell| self.ways_out.contains_key(&(grid, cell)))
    }

    pub(super) fn grant(&mut self, grid: Entity, stretch: &Stretch, before: Turn) -> Turn {
        self.release(grid, stretch, before);
        self.granted.add(grid, &stretch.cells);
        for &cell in &stretch.apron {
            *self.ways_out.entry((grid, cell)).or_default() += 1;
        }
        Turn::Goes { passed: 0 }
    }

    /// Reserves a stretch, if none that is reserved leads against it.
    pub(super) fn reserve(&mut self, grid: Entity, stretch: &Stretch) -> Turn {
        if (0..stretch.cells.len()).any(|index| self.reserved.is_taken(grid, stretch, index)) {
            return Turn::Waits;
        }
        self.reserved.add(grid, &stretch.cells);
        Turn::Reserved
    }

    /// Gives back the cells from one index of a stretch to another.
    pub(super) fn give_back(&mut self, grid: Entity, stretch: &Stretch, from: usize, to: usize) -> Turn {
        self.granted.remove(grid, &stretch.cells[from..to]);
        Turn::Goes { passed: to }
    }

    /// Gives back all that an agent has of a stretch.
    pub(super) fn release(&mut self, grid: Entity, stretch: &Stretch, turn: Turn) {
        match turn {
            Turn::Waits | Turn::Stuck => {}
            Turn::Reserved => self.reserved.remove(grid, &stretch.cells),
            Turn::Goes { passed } => {
                self.granted.remove(grid, &stretch.cells[passed..]);
                for &cell in &stretch.apron {
                    if let Some(count) = self.ways_out.get_mut(&(grid, cell)) {
                        *count -= 1;
                        if *count == 0 {
                            self.ways_out.remove(&(grid, cell));
                        }
                    }
                }
            }
        }
    }
}

/// Whether an agent that goes through some cells goes against a stretch.
pub(super) fn is_opposed(grid: Entity, stretch: &Stretch, cells: &[StretchCell]) -> bool {
    let mut ways = Ways::default();
    ways.add(grid, cells);
    (0..stretch.cells.len()).any(|index| ways.is_taken(grid, stretch, index))
}

impl Ways {
    fn add(&mut self, grid: Entity, cells: &[StretchCell]) {
        for step in cells {
            let (enter, leave) = (octant(step.enter), octant(step.leave));
            let ways = self.0.entry((grid, step.cell)).or_default();
            match ways.iter_mut().find(|way| (way.enter, way.leave) == (enter, leave)) {
                Some(way) => way.count += 1,
                None => ways.push(Way { enter, leave, count: 1 }),
            }
        }
    }

    fn remove(&mut self, grid: Entity, cells: &[StretchCell]) {
        for step in cells {
            let (enter, leave) = (octant(step.enter), octant(step.leave));
            let Some(ways) = self.0.get_mut(&(grid, step.cell)) else { continue };
            if let Some(way) = ways.iter_mut().find(|way| (way.enter, way.leave) == (enter, leave)) {
                way.count -= 1;
            }
            ways.retain(|way| way.count > 0);
            if ways.is_empty() {
                self.0.remove(&(grid, step.cell));
            }
        }
    }

    /// Whether an agent goes against a step of a path, or across it. One goes against it over its cell or one that
    /// adjoins it, at more than a right angle: paths through one diagonal gap need not have a cell in common. One goes
    /// across if two corridors cross in the cell, so that it comes from elsewhere and goes elsewhere: bodies of the two
    /// streams would wedge there. At the ends of a stretch paths spread out, and do not cross for that.
    fn is_taken(&self, grid: Entity, stretch: &Stretch, index: usize) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let step = &stretch.cells[index];
        let (enter, leave) = (octant(step.enter), octant(step.leave));
        let is_inside = index > 0 && index + 1 < stretch.cells.len();
        around(step.cell).any(|cell| {
            let is_taken = |way: &Way| {
                is_turned(way.leave, leave, 3)
                    || is_inside
                        && cell == step.cell
                        && is_turned(way.enter, enter, 2)
                        && is_turned(way.leave, leave, 2)
            };
            self.0.get(&(grid, cell)).is_some_and(|ways| ways.iter().any(is_taken))
        })
    }
}

/// Whether two octants are at least so many eighths of a turn apart.
fn is_turned(a: usize, b: usize, least: usize) -> bool {
    (least..=8 - least).contains(&((a + 8 - b) % 8))
}

/// A cell and the eight round it.
fn around(cell: GridCell) -> impl Iterator<Item = GridCell> {
    (-1..=1).flat_map(move |y| (-1..=1).map(move |x| GridCell::new(cell.x + x, cell.y + y)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stretch(from: (i32, i32), to: (i32, i32)) -> Stretch {
        let step = IVec2::new((to.0 - from.0).signum(), (to.1 - from.1).signum());
        let count = (to.0 - from.0).abs().max((to.1 - from.1).abs());
        let cell = |index: i32| GridCell::new(from.0 + step.x * index, from.1 + step.y * index);
        let direction = step.as_vec2().normalize();
        let cells = (0..=count)
            .map(|index| StretchCell { cell: cell(index), enter: direction, leave: direction, left: 0.0 })
            .collect();
        Stretch { cells, apron: vec![cell(count + 1)], ..default() }
    }

    fn is_free(claims: &Claims, stretch: &Stretch, turn: Turn) -> bool {
        let conflict = claims.conflict(Entity::PLACEHOLDER, stretch, turn, 0);
        for first in 1..12 {
            let other = claims.conflict(Entity::PLACEHOLDER, stretch, turn, first);
            assert_eq!(other.is_some(), conflict.is_some(), "wherever the test begins");
        }
        conflict.is_none()
    }

    #[test]
    fn agents_go_after_one_another_and_not_against() {
        let grid = Entity::PLACEHOLDER;
        let mut claims = Claims::default();
        let (east, west, across) =
            (stretch((0, 5), (9, 5)), stretch((9, 5), (0, 5)), stretch((5, 0), (5, 9)));
        let turn = claims.grant(grid, &east, Turn::Waits);
        assert!(is_free(&claims, &east, Turn::Waits), "another may follow");
        assert!(!is_free(&claims, &across, Turn::Waits), "none may cross it");
        assert!(is_free(&claims, &stretch((5, 0), (5, 5)), Turn::Waits), "one that joins it does not cross");
        assert!(!is_free(&claims, &west, Turn::Waits), "none may come against it");
        assert!(claims.is_way_out(grid, GridCell::new(10, 5)), "it comes out there");
        let reserved = claims.reserve(grid, &west);
        assert_eq!(reserved, Turn::Reserved);
        assert!(!is_free(&claims, &east, Turn::Waits), "it is the turn of the other side next");
        assert_eq!(
            claims.reserve(grid, &east),
            Turn::Waits,
            "two that are reserved never lead against each other"
        );
        claims.release(grid, &east, turn);
        assert!(is_free(&claims, &west, reserved), "its turn has come");
        let turn = claims.grant(grid, &west, reserved);
        let turn = match turn {
            Turn::Goes { passed } => claims.give_back(grid, &west, passed, 4),
            other => other,
        };
        assert!(is_free(&claims, &stretch((8, 5), (9, 5)), Turn::Waits), "it has left these cells");
        claims.release(grid, &west, turn);
        assert!(claims.granted.0.is_empty() && claims.reserved.0.is_empty() && claims.ways_out.is_empty());
    }

    #[test]
    fn paths_through_one_diagonal_gap_need_no_cell_in_common() {
        let grid = Entity::PLACEHOLDER;
        let mut claims = Claims::default();
        claims.grant(grid, &stretch((0, 0), (3, 3)), Turn::Waits);
        assert!(!is_free(&claims, &stretch((4, 3), (1, 0)), Turn::Waits));
    }
}
