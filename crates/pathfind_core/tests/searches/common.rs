//! Seeded grids, and the slow reference search.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

use pathfind_core::{
    AgentKind, AgentSize, CellRect, CornerRule, CostTable, Direction, Directions, EdgeRule, Grid, GridCell,
    KindId, StepRules, Terrain,
};

/// The kind of agents of which every grid has one.
pub(crate) const KIND: KindId = KindId(0);

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

    /// A random cell, if an agent of this kind can stand there.
    pub(crate) fn start(&mut self, grid: &Grid, kind: KindId) -> Option<GridCell> {
        Some(self.cell(grid)).filter(|&cell| grid.is_walkable(kind, cell))
    }

    /// A random cell among those where an agent can stand.
    pub(crate) fn walkable_cell(&mut self, grid: &Grid) -> GridCell {
        std::iter::repeat_with(|| self.start(grid, KIND)).flatten().next().expect("some cell is walkable")
    }
}

/// A grid with this percentage of walls and, if requested, weighted terrain.
pub(crate) fn random_grid(random: &mut Random, width: u32, height: u32, walls: u32, weighted: bool) -> Grid {
    Grid::from_fn(width, height, |_| {
        if random.below(100) < walls {
            Terrain::WALL
        } else if weighted && random.below(3) == 0 {
            Terrain::weight(1 + random.below(9) as u8)
        } else {
            Terrain::GROUND
        }
    })
    .expect("the size is valid")
}

/// Divides the ground of a grid into terrain classes of these costs; `class_of` names that of a cell. The kind of agents
/// is as the given one in size and climb.
pub(crate) fn with_costs(
    grid: &mut Grid,
    costs: &[f32],
    kind: AgentKind,
    mut class_of: impl FnMut(GridCell) -> usize,
) -> AgentKind {
    let class = |index: usize| Terrain(100 + index as u8);
    grid.edit(|edit| {
        edit.map(edit.bounds(), |cell, terrain| match terrain {
            Terrain::GROUND => class(class_of(cell)),
            wall => wall,
        });
    });
    let costs = costs.iter().enumerate().fold(CostTable::default(), |table, (index, &cost)| {
        table.with(class(index), cost).expect("the cost is in range")
    });
    AgentKind { costs, ..kind }
}

/// The style of a map.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Style {
    /// Single walls, at any density.
    Scatter,
    /// Rooms with doors.
    Rooms,
    /// A maze in which each post has a wall on one side.
    Maze,
    /// Houses at random places, which may overlap.
    Houses,
}

impl Style {
    pub(crate) const ALL: [Self; 4] = [Self::Scatter, Self::Rooms, Self::Maze, Self::Houses];
}

/// A grid in a style, with uniform terrain.
pub(crate) fn styled_grid(random: &mut Random, style: Style, width: u32, height: u32) -> Grid {
    let mut grid = Grid::new(width, height).expect("the size is valid");
    let side = 3 + random.below(9) as i32;
    let walls = random.below(60);
    let mut is_wall = |GridCell { x, y }: GridCell| match style {
        Style::Scatter => random.below(100) < walls,
        Style::Rooms => (x % side == 0 || y % side == 0) && random.below(side as u32) > 0,
        Style::Maze | Style::Houses => false,
    };
    let cells: Vec<GridCell> = grid.bounds().cells().filter(|&cell| is_wall(cell)).collect();
    grid.edit(|edit| cells.iter().for_each(|&cell| _ = edit.set(cell, Terrain::WALL)));
    match style {
        Style::Scatter | Style::Rooms => {}
        Style::Maze => {
            for post in grid.bounds().cells().filter(|cell| cell.x % 2 == 1 && cell.y % 2 == 1) {
                let beside = post.step(Direction::from_index(2 * random.below(4) as u8));
                grid.fill(CellRect::new(post, beside), Terrain::WALL);
            }
        }
        Style::Houses => {
            for _ in 0..1 + width * height / 60 {
                let corner = random.cell(&grid);
                let size = (random.below(10) as i32, random.below(10) as i32);
                let house = CellRect::new(corner, GridCell::new(corner.x + size.0, corner.y + size.1));
                grid.fill(house, Terrain::WALL);
            }
        }
    }
    grid
}

/// Whether a step is legal, by the definition of the rules and the walkable cells alone.
pub(crate) fn is_legal(
    grid: &Grid,
    kind: KindId,
    steps: StepRules,
    from: GridCell,
    direction: Direction,
) -> bool {
    let (dx, dy) = direction.offset();
    let free = |dx, dy| grid.is_walkable(kind, GridCell::new(from.x + dx, from.y + dy));
    if !free(0, 0) || !free(dx, dy) {
        return false;
    }
    let [a, b, to] = [(dx, 0), (0, dy), (dx, dy)].map(|(dx, dy)| GridCell::new(from.x + dx, from.y + dy));
    if [(from, a), (from, b), (a, to), (b, to), (from, to)]
        .into_iter()
        .any(|(a, b)| is_cliff(grid, kind, a, b))
        || surcharge(grid, from, direction).is_infinite()
    {
        return false;
    }
    if dx == 0 || dy == 0 {
        return true;
    }
    let beside = u8::from(free(dx, 0)) + u8::from(free(0, dy));
    let is_disc = matches!(grid.kind(kind).unwrap().size, AgentSize::Disc(radius) if radius > 0.0);
    steps.directions == Directions::Eight
        && match if is_disc { CornerRule::Never } else { steps.corners } {
            CornerRule::Never => beside == 2,
            CornerRule::OneFree => beside >= 1,
            CornerRule::Always => true,
        }
}

/// Whether two cells are too different in height for a step, or a fence stands between them, by the definition.
pub(crate) fn is_cliff(grid: &Grid, kind: KindId, a: GridCell, b: GridCell) -> bool {
    let kind = grid.kind(kind).unwrap();
    let is_passable = |cell| grid.terrain(cell).is_some_and(|terrain| kind.costs.is_passable(terrain));
    let is_steep = (grid.elevation(a) - grid.elevation(b)).abs() > kind.climb;
    let is_fenced = Direction::between(a, b).is_some_and(|direction| grid.has_fence(a, direction));
    is_passable(a) && is_passable(b) && (is_steep || is_fenced)
}

/// What the rules of edges make a step cost in addition, by the definition; infinite if they close it.
pub(crate) fn surcharge(grid: &Grid, from: GridCell, direction: Direction) -> f64 {
    let over = |cell: GridCell, direction| match grid.edge(cell, direction) {
        EdgeRule::Directed { there, .. } => there.map_or(f64::INFINITY, f64::from),
        _ => 0.0,
    };
    let (dx, dy) = direction.offset();
    let [across, down] = [(dx, 0), (0, dy)].map(|(x, y)| Direction::between((0, 0).into(), (x, y).into()));
    match (across, down) {
        (Some(across), Some(down)) => {
            let way = |first, last| over(from, first) + over(from.step(first), last);
            way(across, down).max(way(down, across))
        }
        _ => over(from, direction),
    }
}

/// The same grid with one-way edges, surcharges, and edges that no step leads over.
pub(crate) fn ruled(random: &mut Random, mut grid: Grid) -> Grid {
    let some = 1 + random.below(200);
    for _ in 0..grid.width() * grid.height() * some / 100 {
        let (cell, direction) = (random.cell(&grid), Direction::from_index(2 * random.below(4) as u8));
        _ = grid.set_edge(cell, direction, random_rule(random));
    }
    grid
}

pub(crate) fn random_rule(random: &mut Random) -> EdgeRule {
    let mut surcharge =
        || [None, None, Some(0.0), Some(0.25), Some(1.3), Some(7.0)][random.below(6) as usize];
    let directed = EdgeRule::Directed { there: surcharge(), back: surcharge() };
    [directed, directed, EdgeRule::ONE_WAY, EdgeRule::Open, EdgeRule::Fence][random.below(5) as usize]
}

/// The same grid with hills, with fences, or with both.
pub(crate) fn parted(random: &mut Random, mut grid: Grid) -> Grid {
    let which = random.below(3);
    if which > 0 {
        let some = 1 + random.below(15);
        for _ in 0..grid.width() * grid.height() * some / 100 {
            let (cell, direction) = (random.cell(&grid), Direction::from_index(2 * random.below(4) as u8));
            _ = grid.set_fence(cell, direction, true);
        }
    }
    if which == 1 { grid } else { raised(random, grid) }
}

/// The same grid with hills of three kinds: steps up to a height of 3, a slope, and single rocks.
fn raised(random: &mut Random, grid: Grid) -> Grid {
    let (side, style) = (1 + random.below(6) as i32, random.below(3));
    let steps: Vec<u32> = (0..100).map(|_| random.below(4)).collect();
    let height = |cell: GridCell| match style {
        0 => steps[(cell.y / side * 7 + cell.x / side) as usize % 100] as f32,
        1 => (cell.x / 3 + cell.y / 5) as f32 * 0.8,
        _ => 1.5 * f32::from(u8::from(random.below(8) == 0)),
    };
    grid.with_elevation(height).expect("heights are in range")
}

/// The cost of a step, by its definition alone.
pub(crate) fn step_cost(
    grid: &Grid,
    kind: KindId,
    steps: StepRules,
    to: GridCell,
    direction: Direction,
) -> f64 {
    let length = if direction.is_diagonal() { steps.diagonal.value() } else { 1.0 };
    let terrain = f64::from(grid.cost(kind, to).expect("the step is legal"));
    length * terrain + surcharge(grid, to.step(direction.opposite()), direction)
}

/// An open place of a textbook Dijkstra: of two entries that of less cost is the greater.
#[derive(PartialEq)]
pub(crate) struct Entry<T>(pub(crate) f64, pub(crate) T);

impl<T: PartialEq> Eq for Entry<T> {}

impl<T: PartialEq> PartialOrd for Entry<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: PartialEq> Ord for Entry<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.total_cmp(&self.0)
    }
}

/// The minimal cost from a cell to every reachable cell, by textbook Dijkstra.
pub(crate) fn oracle(grid: &Grid, kind: KindId, steps: StepRules, start: GridCell) -> HashMap<GridCell, f64> {
    let mut costs = HashMap::new();
    let mut open = BinaryHeap::from([Entry(0.0, start)]);
    while let Some(Entry(cost, cell)) = open.pop() {
        if costs.contains_key(&cell) {
            continue;
        }
        costs.insert(cell, cost);
        for direction in Direction::ALL {
            if is_legal(grid, kind, steps, cell, direction) {
                let next = cell.step(direction);
                open.push(Entry(cost + step_cost(grid, kind, steps, next, direction), next));
            }
        }
    }
    costs
}

/// Asserts that a cost is as expected, up to this share of it.
#[track_caller]
pub(crate) fn assert_near(cost: f64, expected: f64, share: f64, what: impl std::fmt::Debug) {
    assert!((cost - expected).abs() <= share * expected, "it costs {cost}, not {expected}: {what:?}");
}

/// Walks a path cell by cell, checks every step, and returns the path's cost.
pub(crate) fn walk(grid: &Grid, kind: KindId, steps: StepRules, cells: &[GridCell]) -> f64 {
    let legs = cells.windows(2).map(|leg| {
        let direction = Direction::between(leg[0], leg[1]).expect("a step leads to a neighbour");
        assert_eq!(leg[0].step(direction), leg[1], "a step leads to a neighbour");
        assert!(is_legal(grid, kind, steps, leg[0], direction), "{} to {} is legal", leg[0], leg[1]);
        step_cost(grid, kind, steps, leg[1], direction)
    });
    legs.sum()
}
