//! Seeded maps: rooms that corridors join, and scattered walls.

use pathfind_core::{CellRect, CornerRule, DiagonalCost, Grid, GridCell, KindId, StepRules, Terrain};

/// The kind of agents of which every grid has one.
pub(crate) const KIND: KindId = KindId(0);
/// Eight directions, and every step takes one move.
pub(crate) const KING_STEPS: StepRules =
    StepRules { diagonal: DiagonalCost::One, ..StepRules::eight(CornerRule::Never) };

/// A small generator with a period long enough for tests (Knuth's constants).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(n)) as u32
    }

    pub(crate) fn cell(&mut self, grid: &Grid) -> GridCell {
        GridCell::new(self.below(grid.width()) as i32, self.below(grid.height()) as i32)
    }

    pub(crate) fn of(&mut self, cells: &[GridCell]) -> GridCell {
        cells[self.below(cells.len() as u32) as usize]
    }

    fn between(&mut self, least: i32, most: i32) -> i32 {
        least + self.below((most - least + 1) as u32) as i32
    }
}

/// Rooms in the squares of a board of 4 by 3, each joined to those before it, with `loops` more corridors.
pub(crate) fn rooms(random: &mut Random, loops: u32) -> Grid {
    let mut grid = Grid::from_fn(44, 33, |_| Terrain::WALL).expect("the size is valid");
    let mut centers: Vec<GridCell> = Vec::new();
    for square in 0..12 {
        let (left, top) = (square % 4 * 11, square / 4 * 11);
        let (width, height) = (random.between(2, 8), random.between(2, 8));
        let corner = GridCell::new(left + random.between(1, 9 - width), top + random.between(1, 9 - height));
        let room = CellRect::new(corner, GridCell::new(corner.x + width - 1, corner.y + height - 1));
        // One square in six has a crossing in place of a room.
        let center = GridCell::new(corner.x + width / 2, corner.y + height / 2);
        grid.fill(if random.below(6) == 0 { CellRect::new(center, center) } else { room }, Terrain::GROUND);
        centers.push(center);
    }
    let joins = |square: usize| {
        [(!square.is_multiple_of(4)).then(|| square - 1), (square >= 4).then(|| square - 4)]
            .into_iter()
            .flatten()
    };
    let mut left_out = Vec::new();
    for square in 1..12 {
        let before: Vec<usize> = joins(square).collect();
        let chosen = random.below(before.len() as u32) as usize;
        for (index, &other) in before.iter().enumerate() {
            if index == chosen {
                dig(&mut grid, random, centers[square], centers[other]);
            } else {
                left_out.push((square, other));
            }
        }
    }
    for _ in 0..loops {
        let (square, other) = left_out.swap_remove(random.below(left_out.len() as u32) as usize);
        dig(&mut grid, random, centers[square], centers[other]);
    }
    grid
}

/// A corridor of one cell's width with one turn.
fn dig(grid: &mut Grid, random: &mut Random, a: GridCell, b: GridCell) {
    let turn = if random.below(2) == 0 { GridCell::new(a.x, b.y) } else { GridCell::new(b.x, a.y) };
    grid.fill(CellRect::new(a, turn), Terrain::GROUND);
    grid.fill(CellRect::new(turn, b), Terrain::GROUND);
}

/// Walls on this percentage of the cells, and terrain of several costs if it is `weighted`.
pub(crate) fn scattered(random: &mut Random, width: u32, height: u32, walls: u32, weighted: bool) -> Grid {
    let terrain = |_| match random.below(100) {
        share if share < walls => Terrain::WALL,
        share if weighted && share % 3 == 0 => Terrain::weight(1 + (share % 5) as u8),
        _ => Terrain::GROUND,
    };
    Grid::from_fn(width, height, terrain).expect("the size is valid")
}
