//! A sequence of edits and queries, decoded from bytes; the oracle is a freshly built grid.

use glam::Vec2;
use pathfind_core::{
    AgentKind, AgentSize, Algorithm, Answer, CellRect, CornerRule, CostTable, DiagonalCost, Direction,
    Directions, EdgeRule, Goal, Grid, GridCell, KindId, Limits, ObstacleLayer, PathQuery, Search,
    SearchError, SearchScratch, StepRules, Terrain, line_of_sight, solve,
};

/// The most kinds of agents: each makes comparisons slower.
const KINDS: usize = 4;

/// Executes the operations in the bytes; panics if the edited grid and a fresh one differ in any answer.
pub(crate) fn play(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let (width, height) = (bytes.below(140) + 1, bytes.below(24) + 1);
    let mut grid = Grid::new(width, height).expect("the size is valid");
    let (mut obstacle_layer, mut added) = (ObstacleLayer::default(), Vec::new());
    let mut snapshot = (grid.clone(), classes(&grid));
    let mut scratch = SearchScratch::default();
    while !bytes.is_over() {
        match bytes.below(11) {
            0 => obstacle_edit(&mut obstacle_layer, &mut grid, &mut bytes),
            1 => {
                let (rect, terrain) = (bytes.rect(), bytes.terrain());
                obstacle_layer.edit(&mut grid, |edit| _ = edit.fill(rect, terrain));
            }
            2 => {
                let (center, radius) = (Vec2::new(bytes.number(), bytes.number()), bytes.number());
                let terrain = bytes.terrain();
                obstacle_layer.edit(&mut grid, |edit| _ = edit.fill_disc(center, radius, terrain));
            }
            3 => {
                let thing = (bytes.cell(), bytes.terrain());
                obstacle_layer.update(&mut grid, [], [thing]);
                added.push(thing);
            }
            4 => drop(obstacle_layer.update(&mut grid, added.pop(), [])),
            5 => {
                let kind = bytes.kind();
                if grid.kind_count() < KINDS {
                    _ = grid.add_kind(kind);
                } else {
                    _ = grid.set_kind(KindId(bytes.below(6) as u8), kind);
                }
            }
            6 => {
                assert_eq!(classes(&snapshot.0), snapshot.1, "a clone is not edited with the original");
                snapshot = (grid.clone(), classes(&grid));
            }
            9 => {
                let (rect, height) = (bytes.rect(), bytes.number());
                obstacle_layer.edit(&mut grid, |edit| {
                    let inside = rect.intersection(edit.bounds()).into_iter().flat_map(CellRect::cells);
                    inside.for_each(|cell| _ = edit.set_elevation(cell, height));
                });
            }
            10 => {
                let (cell, direction) = (bytes.cell(), Direction::from_index(bytes.below(8) as u8));
                let length = bytes.below(9);
                let rule = match bytes.below(5) {
                    0 => EdgeRule::Open,
                    1 | 2 => EdgeRule::Fence,
                    3 => EdgeRule::ONE_WAY,
                    _ => EdgeRule::surcharge(bytes.number(), 0.5),
                };
                let along = Direction::from_index(bytes.below(4) as u8 * 2);
                obstacle_layer.edit(&mut grid, |edit| {
                    let cells = std::iter::successors(Some(cell), |cell| Some(cell.step(along)));
                    for cell in cells.take(length as usize) {
                        _ = edit.set_edge(cell, direction, rule);
                    }
                });
            }
            7 => compare(&grid, &rebuild(&grid), &mut bytes),
            _ => ask(&grid, &mut bytes, &mut scratch),
        }
    }
    for thing in added {
        obstacle_layer.update(&mut grid, [thing], []);
    }
    assert!(obstacle_layer.is_empty(), "nothing lies there any longer");
    compare(&grid, &rebuild(&grid), &mut bytes);
    assert_eq!(classes(&snapshot.0), snapshot.1, "a clone is not edited with the original");
}

/// Edits many single cells at once.
fn obstacle_edit(obstacle_layer: &mut ObstacleLayer, grid: &mut Grid, bytes: &mut Bytes) {
    let cells: Vec<_> = (0..bytes.below(9)).map(|_| (bytes.cell(), bytes.terrain())).collect();
    obstacle_layer.edit(grid, |edit| {
        for (cell, terrain) in cells {
            _ = edit.set(cell, terrain);
        }
    });
}

fn classes(grid: &Grid) -> Vec<Option<Terrain>> {
    grid.bounds().cells().map(|cell| grid.terrain(cell)).collect()
}

/// A fresh grid with the same terrain, heights, edges and kinds.
fn rebuild(grid: &Grid) -> Grid {
    let terrain = |cell| grid.terrain(cell).expect("the cell lies on the grid");
    let mut rebuilt = Grid::from_fn(grid.width(), grid.height(), terrain).expect("the size is valid");
    if grid.has_elevation() {
        rebuilt = rebuilt.with_elevation(|cell| grid.elevation(cell)).expect("the heights are valid");
    }
    for (cell, direction) in grid.fences() {
        rebuilt.set_fence(cell, direction, true).expect("the fence stands on the grid");
    }
    for (cell, direction, rule) in grid.directed_edges() {
        rebuilt.set_edge(cell, direction, rule).expect("the rule is that of an edge of the grid");
    }
    for id in (0..grid.kind_count()).map(|id| KindId(id as u8)) {
        let kind = grid.kind(id).expect("the grid knows its kinds").clone();
        if id == KindId::default() {
            rebuilt.set_kind(id, kind).expect("the kind is valid");
        } else {
            rebuilt.add_kind(kind).expect("the kind is valid");
        }
    }
    rebuilt
}

/// Compares everything that can be queried without a search.
fn compare(grid: &Grid, rebuilt: &Grid, bytes: &mut Bytes) {
    let (from, to, steps) = (bytes.cell(), bytes.cell(), bytes.steps());
    for kind in (0..=grid.kind_count()).map(|id| KindId(id as u8)) {
        for cell in grid.bounds().cells().chain([from, to]) {
            assert_eq!(grid.cost(kind, cell), rebuilt.cost(kind, cell), "{kind:?} on {cell}");
            let joined = grid.connected(kind, steps, from, cell);
            assert_eq!(joined, rebuilt.connected(kind, steps, from, cell), "{kind:?} from {from} to {cell}");
            assert!(
                grid.steps_from(kind, steps, cell).eq(rebuilt.steps_from(kind, steps, cell)),
                "{kind:?} at {cell}"
            );
        }
        assert_eq!(grid.nearest_walkable(kind, to), rebuilt.nearest_walkable(kind, to), "{kind:?} near {to}");
        let sees = |grid| line_of_sight(grid, kind, steps.corners, from.center(), to.center());
        assert_eq!(sees(grid), sees(rebuilt), "{kind:?} at {from} looks at {to}");
    }
}

/// Runs a query on the edited grid and a fresh one, at once and in slices, with used and with new scratch memory.
fn ask(grid: &Grid, bytes: &mut Bytes, scratch: &mut SearchScratch) {
    let rebuilt = rebuild(grid);
    let query = bytes.query();
    let fresh = bare(solve(&rebuilt, &query, &mut SearchScratch::default()));
    assert_eq!(bare(solve(grid, &query, scratch)), fresh, "{query:?}");
    let slice = bytes.below(40) + 1;
    let mut search = Search::new(grid, query.clone(), core::mem::take(scratch));
    while search.step(slice) == pathfind_core::Progress::Running {}
    let (answer, used) = search.finish();
    *scratch = used;
    assert_eq!(bare(answer), fresh, "{query:?} in slices of {slice}");
    let Ok(answer) = fresh else { return };
    for &point in &answer.waypoints {
        let cell = GridCell::containing(point);
        let corner = point == point.floor(); // any-angle paths may turn at the corners of cells
        assert!(corner || grid.is_walkable(query.kind, cell), "{query:?}: the path leads over {cell}");
    }
}

/// An answer without its revision, which differs between the grids.
fn bare(answer: Result<Answer, SearchError>) -> Result<Answer, SearchError> {
    answer.map(|answer| Answer { revision: 0, ..answer })
}

/// Bytes as choices; at their end every choice is the first.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn is_over(&self) -> bool {
        self.0.is_empty()
    }

    fn below(&mut self, n: u32) -> u32 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        u32::from(first) % n
    }

    /// A cell, mostly on the grid.
    fn cell(&mut self) -> GridCell {
        GridCell::new(self.below(150) as i32 - 4, self.below(32) as i32 - 4)
    }

    fn rect(&mut self) -> CellRect {
        let corner = self.cell();
        match self.below(8) {
            0 => CellRect { min: corner, max: self.cell() }, // may be inside out
            1 => CellRect::new(GridCell::new(i32::MIN, i32::MIN), GridCell::new(i32::MAX, i32::MAX)),
            _ => CellRect::new(
                corner,
                GridCell::new(corner.x + self.below(20) as i32, corner.y + self.below(9) as i32),
            ),
        }
    }

    fn terrain(&mut self) -> Terrain {
        match self.below(6) {
            0 | 1 => Terrain::GROUND,
            2 | 3 => Terrain::WALL,
            4 => Terrain::WATER,
            _ => Terrain(self.below(256) as u8),
        }
    }

    /// A number, mostly an ordinary one.
    fn number(&mut self) -> f32 {
        let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, 0.0, 1e-30, 1e30, f32::MAX];
        match self.below(16) {
            0 => odd[self.below(8) as usize],
            n => n as f32 * 0.45,
        }
    }

    fn kind(&mut self) -> AgentKind {
        let size = match self.below(4) {
            0 => AgentSize::Square(self.below(5) as u8),
            1 => AgentSize::Disc(self.number() * 0.25),
            _ => AgentSize::Square(1),
        };
        let mut costs = CostTable::default();
        for _ in 0..self.below(4) {
            let (terrain, cost) = (self.terrain(), self.number());
            costs = if self.below(4) == 0 {
                costs.blocked(terrain)
            } else {
                costs.clone().with(terrain, cost).unwrap_or(costs)
            };
        }
        AgentKind { costs, size, climb: self.number() }
    }

    fn steps(&mut self) -> StepRules {
        StepRules {
            directions: if self.below(3) == 0 { Directions::Four } else { Directions::Eight },
            corners: CornerRule::ALL[self.below(3) as usize],
            diagonal: [DiagonalCost::Sqrt2, DiagonalCost::FourteenTenths, DiagonalCost::One]
                [self.below(3) as usize],
        }
    }

    fn query(&mut self) -> PathQuery {
        let goal = match self.below(6) {
            0 => Goal::AnyOf((0..self.below(5)).map(|_| self.cell()).collect()),
            1 => Goal::Within { center: self.cell(), radius: self.number() },
            _ => Goal::GridCell(self.cell()),
        };
        let limits = Limits {
            expansions: (self.below(8) == 0).then(|| u64::from(self.below(200))),
            cost: (self.below(8) == 0).then(|| f64::from(self.number())),
        };
        PathQuery::new(self.cell(), goal)
            .with_kind(KindId(self.below(KINDS as u32 + 1) as u8))
            .with_steps(self.steps())
            .with_algorithm(Algorithm::ALL[self.below(Algorithm::ALL.len() as u32) as usize])
            .with_weight(self.number())
            .with_partial(self.below(3) > 0)
            .with_limits(limits)
    }
}
