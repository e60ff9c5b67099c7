//! The map of the town, its districts and its counted lines.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, world::Grid};

use crate::{rng::SplitMix64, theme};

/// The size of the town, in cells. Its middle is the origin of the world.
pub(super) const SIZE: Vec2 = Vec2::new(100.0, 56.0);

/// Where people go: a rectangle of open ground, in cells.
pub(super) struct District {
    pub(super) color: Color,
    from: Vec2,
    size: Vec2,
}

pub(super) const DISTRICTS: [District; 4] = [
    District { color: theme::SKY, from: Vec2::new(3.0, 4.0), size: Vec2::new(12.0, 48.0) },
    District { color: theme::PREY, from: Vec2::new(42.0, 21.0), size: Vec2::new(13.0, 13.0) },
    District { color: theme::FRIEND, from: Vec2::new(85.0, 4.0), size: Vec2::new(12.0, 48.0) },
    District { color: theme::OPENED, from: Vec2::new(25.0, 50.0), size: Vec2::new(46.0, 4.0) },
];

impl District {
    /// A random point of the district.
    pub(super) fn any_point(&self, rng: &mut SplitMix64) -> Vec3 {
        let part = Vec2::new(rng.in_range(0.0..1.0), rng.in_range(0.0..1.0));
        (self.from + self.size * part - SIZE / 2.0).extend(0.0)
    }
}

/// A line that people cross: a gate, a bridge or an alley. It lies across column `x`, from row `y` on.
pub(super) struct Crossing {
    pub(super) name: &'static str,
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) width: f32,
}

pub(super) const CROSSINGS: [Crossing; 6] = [
    Crossing { name: "postern", x: 19.0, y: 9.0, width: 1.0 },
    Crossing { name: "main gate", x: 19.0, y: 26.0, width: 4.0 },
    Crossing { name: "north gate", x: 19.0, y: 44.0, width: 2.0 },
    Crossing { name: "footbridge", x: 78.0, y: 13.0, width: 1.0 },
    Crossing { name: "old bridge", x: 78.0, y: 27.0, width: 3.0 },
    Crossing { name: "long bridge", x: 78.0, y: 46.0, width: 2.0 },
];

/// The columns of the town wall and of the river.
const WALL: core::ops::Range<i32> = 18..20;
const RIVER: core::ops::Range<i32> = 76..80;
/// The quarter between them: houses in blocks, alleys between these, the market in its middle.
const QUARTER: (i32, i32) = (24, 72);
const BLOCK: (i32, i32) = (8, 7);

/// The map.
pub(super) fn grid() -> Grid {
    let (width, height) = (SIZE.x as i32, SIZE.y as i32);
    let is_crossing = |cell: GridCell| {
        let is_at = |it: &Crossing| (it.y as i32..(it.y + it.width) as i32).contains(&cell.y);
        CROSSINGS.iter().any(|it| (it.x < 50.0) == (cell.x < 50) && is_at(it))
    };
    Grid::from_fn(width as u32, height as u32, |cell| {
        if cell.x == 0 || cell.y == 0 || cell.x == width - 1 || cell.y == height - 1 {
            return Terrain::WALL;
        }
        match cell.x {
            x if WALL.contains(&x) && !is_crossing(cell) => return Terrain::WALL,
            x if RIVER.contains(&x) && !is_crossing(cell) => return Terrain::WATER,
            _ => {}
        }
        // The streets between blocks are one, two and three cells wide, in turn.
        let (column, x) = ((cell.x - QUARTER.0) / (BLOCK.0 + 2), (cell.x - QUARTER.0) % (BLOCK.0 + 2));
        let (row, y) = ((cell.y - 4) / (BLOCK.1 + 2), (cell.y - 4) % (BLOCK.1 + 2));
        let is_house = (QUARTER.0..QUARTER.1).contains(&cell.x)
            && (4..49).contains(&cell.y)
            && x < BLOCK.0 + 1 - column % 2
            && y < BLOCK.1 + 1 - row % 3;
        let market = &DISTRICTS[1];
        let is_market =
            Rect::from_corners(market.from - 1.0, market.from + market.size + 1.0).contains(cell.center());
        if is_house && !is_market { Terrain::WALL } else { Terrain::GROUND }
    })
    .expect("the town is no giant")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_district_can_be_reached_from_every_other() {
        let grid = grid();
        let middle = |it: &District| GridCell::containing(it.from + it.size / 2.0);
        for (from, to) in DISTRICTS.iter().zip(DISTRICTS.iter().cycle().skip(1)) {
            let query = pathfind_core::PathQuery::new(middle(from), middle(to));
            let answer = pathfind_core::solve(&grid, &query, &mut pathfind_core::SearchScratch::default());
            assert!(answer.is_ok_and(|answer| answer.is_complete()), "{} to {}", middle(from), middle(to));
        }
    }
}
