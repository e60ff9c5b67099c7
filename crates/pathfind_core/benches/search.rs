//! Times of searches and edits on maps made in code: `cargo bench -p pathfind_core`.
//!
//! Each benchmark checks its answers once before it is timed. Comparisons with other crates, on real
//! maps, are in `benches/peers`.

use std::sync::Arc;
use std::time::Duration;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pathfind_core::{
    Algorithm, CellRect, Grid, GridCell, KindId, PathQuery, SearchError, SearchScratch, Terrain, solve,
};

const SIDE: u32 = 512;
const QUERIES: usize = 16;
const ROOM: i32 = 32;

criterion_main!(benches);
criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = searches, edits, unreachable
}

/// Sixteen queries on each kind of map, with each optimal search.
fn searches(criterion: &mut Criterion) {
    let mut random = Random(1);
    let maps = [
        ("empty", Grid::new(SIDE, SIDE).expect("the size is legal")),
        ("random", scattered(SIDE, 20, &mut random)),
        ("rooms", rooms(SIDE, &mut random)),
    ];
    let mut scratch = SearchScratch::default();
    for (name, grid) in maps {
        let mut group = criterion.benchmark_group(format!("search/{name}"));
        group.throughput(Throughput::Elements(QUERIES as u64));
        let pairs = pairs(&grid, &mut random);
        let lengths = solve_all(&grid, &pairs, Algorithm::Dijkstra, &mut scratch);
        for algorithm in [Algorithm::Dijkstra, Algorithm::AStar, Algorithm::Jps] {
            let found = solve_all(&grid, &pairs, algorithm, &mut scratch);
            for (found, least) in found.iter().zip(&lengths) {
                assert!((found - least).abs() <= 1e-5 * least, "{algorithm} finds {found}, not {least}");
            }
            group.bench_function(BenchmarkId::from_parameter(algorithm), |bencher| {
                bencher.iter(|| solve_all(&grid, &pairs, algorithm, &mut scratch));
            });
        }
    }
}

/// Blocking and freeing one cell of large maps, with all that the editing thread has to update: alone, and while a
/// search holds a snapshot. Then a building of 10×10 cells, as one edit.
fn edits(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("edit");
    for side in [1024, 4096] {
        let mut random = Random(2);
        let mut grid = Arc::new(scattered(side, 20, &mut random));
        let cells: Vec<GridCell> = (0..64).map(|_| random.free_cell(&grid)).collect();
        for terrain in [Terrain::WALL, Terrain::GROUND] {
            Arc::make_mut(&mut grid).set(cells[0], terrain).expect("the cell lies on the grid");
            let is_walkable = grid.is_walkable(KindId::default(), cells[0]);
            assert_eq!(is_walkable, terrain == Terrain::GROUND, "the edit takes effect at once");
        }
        let mut count = 0;
        let mut turn = || {
            count += 1;
            (cells[count / 2 % cells.len()], if count % 2 == 0 { Terrain::WALL } else { Terrain::GROUND })
        };
        group.bench_function(BenchmarkId::new("alone", side), |bencher| {
            bencher.iter(|| {
                let (cell, terrain) = turn();
                Arc::make_mut(&mut grid).set(cell, terrain)
            });
        });
        group.bench_function(BenchmarkId::new("beside a snapshot", side), |bencher| {
            bencher.iter_batched(
                || grid.clone(),
                |mut snapshot| {
                    let (cell, terrain) = turn();
                    Arc::make_mut(&mut snapshot).set(cell, terrain).expect("the cell lies on the grid");
                    snapshot
                },
                BatchSize::PerIteration,
            );
        });
        group.bench_function(BenchmarkId::new("a building of 10×10", side), |bencher| {
            bencher.iter(|| {
                let (corner, terrain) = turn();
                let far = GridCell::new(corner.x + 9, corner.y + 9);
                Arc::make_mut(&mut grid).fill(CellRect::new(corner, far), terrain)
            });
        });
    }
}

/// A goal behind a wall, without a partial path.
fn unreachable(criterion: &mut Criterion) {
    let mut grid = Grid::new(SIDE, SIDE).expect("the size is legal");
    let middle = SIDE as i32 / 2;
    grid.fill(CellRect::new(GridCell::new(middle, 0), GridCell::new(middle, SIDE as i32)), Terrain::WALL);
    let query =
        PathQuery::new(GridCell::new(0, 0), GridCell::new(SIDE as i32 - 1, middle)).with_partial(false);
    let mut scratch = SearchScratch::default();
    assert_eq!(solve(&grid, &query, &mut scratch), Err(SearchError::Unreachable));
    criterion.bench_function("unreachable", |bencher| {
        bencher.iter(|| solve(&grid, &query, &mut scratch).is_err())
    });
}

/// The length of each path.
fn solve_all(
    grid: &Grid,
    pairs: &[(GridCell, GridCell)],
    algorithm: Algorithm,
    scratch: &mut SearchScratch,
) -> Vec<f64> {
    let length = |&(start, goal): &(GridCell, GridCell)| {
        let query = PathQuery::new(start, goal).with_algorithm(algorithm).with_partial(false);
        solve(grid, &query, scratch).expect("the pairs are connected").length
    };
    pairs.iter().map(length).collect()
}

/// Pairs of connected cells.
fn pairs(grid: &Grid, random: &mut Random) -> Vec<(GridCell, GridCell)> {
    let steps = PathQuery::new(GridCell::new(0, 0), GridCell::new(0, 0)).steps;
    let pairs = std::iter::repeat_with(|| (random.free_cell(grid), random.free_cell(grid)));
    pairs.filter(|&(a, b)| grid.connected(KindId::default(), steps, a, b)).take(QUERIES).collect()
}

/// A map with this percentage of blocked cells.
fn scattered(side: u32, percent: u32, random: &mut Random) -> Grid {
    let terrain = |_| if random.below(100) < percent { Terrain::WALL } else { Terrain::GROUND };
    Grid::from_fn(side, side, terrain).expect("the size is legal")
}

/// Square rooms with a door in most of their walls.
fn rooms(side: u32, random: &mut Random) -> Grid {
    let is_wall = |v: i32| v % ROOM == ROOM - 1;
    let terrain =
        |cell: GridCell| if is_wall(cell.x) || is_wall(cell.y) { Terrain::WALL } else { Terrain::GROUND };
    let mut grid = Grid::from_fn(side, side, terrain).expect("the size is legal");
    let count = side as i32 / ROOM;
    for (row, column) in (0..count).flat_map(|row| (0..count).map(move |column| (row, column))) {
        let (left, top) = (column * ROOM, row * ROOM);
        let mut place = || random.below(ROOM as u32 - 1) as i32;
        let doors =
            [GridCell::new(left + ROOM - 1, top + place()), GridCell::new(left + place(), top + ROOM - 1)];
        for door in doors {
            if random.below(4) > 0 {
                grid.set(door, Terrain::GROUND).expect("a door lies on the grid");
            }
        }
    }
    grid
}

/// A linear congruential generator with Knuth's constants.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(n)) as u32
    }

    fn free_cell(&mut self, grid: &Grid) -> GridCell {
        loop {
            let cell = GridCell::new(self.below(grid.width()) as i32, self.below(grid.height()) as i32);
            if grid.is_walkable(KindId::default(), cell) {
                return cell;
            }
        }
    }
}
