//! The best cells of a query, compared with a plain loop over all cells.

use glam::Vec2;
use pathfind_core::{
    AgentKind, CellFilter, CellQuery, CellScore, CellSearch, CornerRule, Grid, GridCell, KindId, Progress,
    Reach, ScoredCell, SearchError, SearchScratch, Terrain, best_cells, cast_ray, line_of_sight,
};

use crate::common::{KIND, Random, parted, random_grid};
use crate::oracle::all_steps;

type Layer<'l> = &'l dyn Fn(GridCell) -> f32;

fn number(random: &mut Random, most: u32) -> f32 {
    random.below(most * 4 + 1) as f32 / 4.0
}

fn point(random: &mut Random, grid: &Grid) -> Vec2 {
    match random.below(4) {
        0 => Vec2::new(number(random, 20) - 4.0, number(random, 20) - 4.0),
        _ => random.cell(grid).center(),
    }
}

fn random_query(random: &mut Random, grid: &Grid, start: GridCell, round: usize) -> CellQuery {
    let limit = if random.below(8) == 0 { f32::INFINITY } else { number(random, 15) };
    let mut query =
        CellQuery::new(start, limit).with_steps(all_steps()[round % 10]).with_count(random.below(7) as usize);
    if random.below(3) == 0 {
        query = query.with_sight(KindId(1), CornerRule::ALL[random.below(3) as usize]);
    }
    for _ in 0..random.below(4) {
        let to = point(random, grid);
        query = query.with_filter(match random.below(5) {
            0 => CellFilter::Sees(to),
            1 => CellFilter::HiddenFrom(to),
            2 => {
                let min = number(random, 4);
                let max = if random.below(4) == 0 { f32::INFINITY } else { min + number(random, 8) };
                CellFilter::Distance { to, min, max }
            }
            3 => CellFilter::NotIn((0..random.below(20)).map(|_| random.cell(grid)).collect()),
            _ => CellFilter::LayerBelow { layer: random.below(3) as usize, bound: number(random, 10) - 2.0 },
        });
    }
    for _ in 0..random.below(5) {
        let score = match random.below(4) {
            0 => CellScore::PathCost,
            1 => CellScore::Distance(point(random, grid)),
            2 => CellScore::Layer(random.below(3) as usize),
            _ => CellScore::Cover(point(random, grid)),
        };
        query = query.with_score(score, number(random, 4) - 2.0);
    }
    query
}

/// The definition: every cell of the grid is rated, and the best are taken of a sorted list.
fn plain_loop(grid: &Grid, query: &CellQuery, layers: &[Layer<'_>], reach: &Reach) -> Vec<ScoredCell> {
    let kind = query.sight_kind.unwrap_or(query.kind);
    let sees = |cell: GridCell, to| line_of_sight(grid, kind, query.sight_corners, cell.center(), to);
    let distance = |cell: GridCell, to: Vec2| cell.center().as_dvec2().distance(to.as_dvec2());
    let passes = |cell: GridCell, filter: &CellFilter| match filter {
        &CellFilter::Sees(to) => sees(cell, to),
        &CellFilter::HiddenFrom(to) => !sees(cell, to),
        &CellFilter::Distance { to, min, max } => {
            distance(cell, to) >= min.into() && distance(cell, to) <= max.into()
        }
        CellFilter::NotIn(cells) => !cells.contains(&cell),
        &CellFilter::LayerBelow { layer, bound } => layers[layer](cell) < bound,
        _ => unreachable!("there are no others"),
    };
    let cover = |cell: GridCell, to| match cast_ray(grid, kind, cell.center(), to) {
        _ if sees(cell, to) => 0.0,
        Some(hit) => 1.0 / (f64::from(hit.fraction) * distance(cell, to)).max(1.0),
        None => 1.0 / distance(cell, to).max(1.0),
    };
    let mut cells = Vec::new();
    for cell in grid.bounds().cells() {
        let Some(cost) = reach.cost(cell) else { continue };
        if !query.filters.iter().all(|filter| passes(cell, filter)) {
            continue;
        }
        let mut total = 0.0;
        for &(score, weight) in &query.scores {
            total += f64::from(weight)
                * match score {
                    CellScore::PathCost => cost,
                    CellScore::Distance(to) => distance(cell, to),
                    CellScore::Layer(layer) => f64::from(layers[layer](cell)),
                    CellScore::Cover(to) => cover(cell, to),
                    _ => unreachable!("there are no others"),
                };
        }
        if total.is_finite() {
            cells.push(ScoredCell { cell, score: total, cost });
        }
    }
    let place = |scored: &ScoredCell| (scored.cell.y, scored.cell.x);
    cells.sort_by(|a, b| {
        b.score.partial_cmp(&a.score).unwrap().then(a.cost.total_cmp(&b.cost)).then(place(a).cmp(&place(b)))
    });
    cells.truncate(query.count);
    cells
}

#[test]
fn the_best_cells_are_those_of_a_plain_loop_and_slices_do_not_show() {
    let mut random = Random(11);
    let (mut found, mut scratch) = (0, SearchScratch::default());
    for round in 0..12_000 {
        let (width, height, walls) = (1 + random.below(12), 1 + random.below(12), random.below(45));
        let mut grid = random_grid(&mut random, width, height, walls, round % 2 == 0);
        if round % 5 == 0 {
            grid = parted(&mut random, grid);
        }
        // Walls of weight 1 block the walk and not the sight of the second kind.
        let costs = pathfind_core::CostTable::default().with(Terrain::WALL, 1.0).unwrap();
        assert_eq!(grid.add_kind(AgentKind { costs, ..AgentKind::default() }).unwrap(), KindId(1));
        let Some(start) = random.start(&grid, KIND) else { continue };
        let query = random_query(&mut random, &grid, start, round);
        let (seed, bad) = (random.below(1000) as i32, random.below(12));
        // Few values, so that scores tie, and some that are no numbers.
        let values = |cell: GridCell| ((cell.x * 31 + cell.y * 17 + seed) % 5 - 2) as f32 * 0.5;
        let odd = |cell: GridCell| match ((cell.x + cell.y * 3) as u32 + bad) % 12 {
            0 => f32::NAN,
            1 => f32::INFINITY,
            2 => f32::NEG_INFINITY,
            other => other as f32,
        };
        let layers: [Layer<'_>; 3] = [&values, &odd, &|cell| cell.x as f32];
        let reach =
            Reach::within_cost(&grid, KIND, query.steps, start, query.limit.into(), &mut scratch).unwrap();
        let expected = plain_loop(&grid, &query, &layers, &reach);
        assert_eq!(
            best_cells(&grid, query.clone(), &layers, &mut scratch),
            Ok(expected.clone()),
            "{query:?}"
        );
        let mut search = CellSearch::new(&grid, query, scratch);
        while search.step(random.below(9), &layers) == Progress::Running {}
        let (best, lent) = search.finish();
        assert_eq!(best, Ok(expected.clone()), "in slices, round {round}");
        scratch = lent;
        found += expected.len();
    }
    assert!(found > 10_000, "only {found} cells were found");
}

#[test]
fn bad_queries_are_typed_errors() {
    let grid = Grid::from_ascii("..#").unwrap();
    let (start, nan) = (GridCell::new(0, 0), f32::NAN);
    let query = || CellQuery::new(start, 5.0);
    let nowhere = Vec2::new(nan, 0.0);
    let range = |min, max| CellFilter::Distance { to: Vec2::ZERO, min, max };
    for (query, error) in [
        (CellQuery::new(GridCell::new(2, 0), 1.0), SearchError::StartBlocked(GridCell::new(2, 0))),
        (CellQuery::new(GridCell::new(3, 0), 1.0), SearchError::StartOutside(GridCell::new(3, 0))),
        (query().with_kind(KindId(9)), SearchError::UnknownKind(KindId(9))),
        (query().with_sight(KindId(8), CornerRule::Never), SearchError::UnknownKind(KindId(8))),
        (CellQuery::new(start, nan), SearchError::BadCost),
        (CellQuery::new(start, -1.0), SearchError::BadCost),
        (query().with_score(CellScore::PathCost, nan), SearchError::BadScoreWeight),
        (query().with_score(CellScore::PathCost, f32::INFINITY), SearchError::BadScoreWeight),
        (query().with_score(CellScore::Cover(nowhere), 1.0), SearchError::BadPoint),
        (query().with_filter(CellFilter::Sees(nowhere)), SearchError::BadPoint),
        (query().with_filter(range(2.0, 1.0)), SearchError::BadDistance),
        (query().with_filter(range(-1.0, 1.0)), SearchError::BadDistance),
        (query().with_filter(range(nan, 1.0)), SearchError::BadDistance),
        (query().with_filter(range(0.0, nan)), SearchError::BadDistance),
        (query().with_filter(CellFilter::LayerBelow { layer: 0, bound: nan }), SearchError::BadBound),
        (query().with_filter(CellFilter::LayerBelow { layer: 1, bound: 0.0 }), SearchError::UnknownLayer(1)),
        (query().with_score(CellScore::Layer(7), 0.0), SearchError::UnknownLayer(7)),
    ] {
        let layers: [Layer<'_>; 1] = [&|_| 0.0];
        let shown = format!("{query:?}");
        assert_eq!(best_cells(&grid, query, &layers, &mut SearchScratch::default()), Err(error), "{shown}");
    }
    let mut search = CellSearch::new(&grid, query(), SearchScratch::default());
    assert_eq!(search.step(0, &[]), Progress::Running);
    assert_eq!(search.finish().0, Err(SearchError::Unfinished));
}

/// With the best cell next to the start, sight is tested for it alone, whatever the number of cells within reach.
#[test]
fn sight_is_tested_only_where_a_cell_may_be_among_the_best() {
    let grid = Grid::new(100, 100).unwrap();
    let query = CellQuery::new(GridCell::new(50, 50), f32::INFINITY)
        .with_filter(CellFilter::Sees(Vec2::new(3.5, 3.5)))
        .with_score(CellScore::PathCost, -1.0);
    let mut search = CellSearch::new(&grid, query, SearchScratch::default());
    // A unit for each expansion and for each look, one for the test, and one to find that there is no better cell.
    let mut units = 1;
    while search.step(1, &[]) == Progress::Running {
        units += 1;
    }
    assert_eq!(units, 2 * 10_000 + 2);
    assert_eq!(search.finish().0.map(|best| best[0].cell), Ok(GridCell::new(50, 50)));
}
