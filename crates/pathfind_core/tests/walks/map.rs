//! Test cases of walks: a map, an agent, and a path.

use std::fmt;

use glam::Vec2;
use pathfind_core::{
    AgentKind, AgentSize, Algorithm, CornerRule, Grid, GridCell, KindId, Outcome, PathQuery, SearchScratch,
    StepRules, Terrain, solve, steer::CounterRng, straighten,
};

pub(crate) const KIND: KindId = KindId(0);

/// A path over a map.
pub(crate) struct Journey {
    pub(crate) grid: Grid,
    pub(crate) size: AgentSize,
    pub(crate) algorithm: Algorithm,
    pub(crate) corners: CornerRule,
    /// The turning points of the path, in grid space.
    pub(crate) points: Vec<Vec2>,
}

impl Journey {
    /// A random complete path of more than one point, if one is found.
    pub(crate) fn draw(rng: &mut CounterRng) -> Option<Self> {
        let size = match pick(rng, 3) {
            0 => AgentSize::Square(1),
            1 => AgentSize::Square(1 + pick(rng, 3) as u8),
            _ => AgentSize::Disc([0.1, 0.3, 0.5, 0.7, 0.9, 1.0, 1.5, 2.5][pick(rng, 8)]),
        };
        let corners = CornerRule::ALL[pick(rng, 3)];
        let algorithm = Algorithm::ALL[pick(rng, Algorithm::ALL.len())];
        let mut grid = draw_map(rng, size);
        grid.set_kind(KIND, AgentKind { size, ..Default::default() }).expect("the size is valid");
        let free: Vec<GridCell> =
            grid.bounds().cells().filter(|&cell| grid.is_walkable(KIND, cell)).collect();
        if free.is_empty() {
            return None;
        }
        let [start, goal] = [(); 2].map(|()| free[pick(rng, free.len())]);
        let query =
            PathQuery::new(start, goal).with_algorithm(algorithm).with_steps(StepRules::eight(corners));
        let answer = solve(&grid, &query, &mut SearchScratch::default()).expect("start and kind are known");
        let mut points = answer.waypoints;
        if pick(rng, 3) == 0 {
            points = straighten(&grid, KIND, corners, &points);
        }
        let is_path = answer.outcome == Outcome::Complete && points.len() > 1;
        is_path.then_some(Self { grid, size, algorithm, corners, points })
    }
}

/// A random map on which an agent of this size finds a path now and then.
fn draw_map(rng: &mut CounterRng, size: AgentSize) -> Grid {
    let width = match size {
        AgentSize::Square(side) => f32::from(side),
        AgentSize::Disc(radius) => 2.0 * radius,
        other => unreachable!("{other:?} is not drawn"),
    };
    let [columns, rows] = [(); 2].map(|()| 3 + (width * 2.0) as u32 + pick(rng, 14) as u32);
    // The larger the agent, the fewer the walls.
    let part = rng.unit() * 0.5 / (1.0 + width * width * 0.5);
    let grid =
        Grid::from_fn(columns, rows, |_| if rng.unit() < part { Terrain::WALL } else { Terrain::GROUND })
            .expect("the size is valid");
    if pick(rng, 2) == 0 {
        return grid;
    }
    // Blocks of ground of different heights, of which some are two steps apart.
    let side = 1 + pick(rng, 5) as i32;
    let heights: Vec<f32> = (0..60).map(|_| [0.0, 0.0, 1.0, 2.0][pick(rng, 4)]).collect();
    grid.with_elevation(|cell| heights[(cell.y / side * 7 + cell.x / side) as usize % 60])
        .expect("heights are in range")
}

/// A random integer from 0 up to, not including, `end`.
pub(crate) fn pick(rng: &mut CounterRng, end: usize) -> usize {
    (rng.unit() * end as f32) as usize
}

impl fmt::Display for Journey {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { size, algorithm, corners, points, grid } = self;
        writeln!(f, "{size:?}, {algorithm:?}, {corners:?}, along {points:?} on")?;
        for y in 0..grid.height() as i32 {
            let row = (0..grid.width() as i32).map(|x| GridCell::new(x, y));
            let is_wall = |cell| grid.terrain(cell) == Some(Terrain::WALL);
            let sign = |cell| if is_wall(cell) { '#' } else { char::from(b'0' + grid.elevation(cell) as u8) };
            writeln!(f, "{}", row.map(sign).collect::<String>())?;
        }
        Ok(())
    }
}
