//! Fences: paths, regions, fields, sight and rays compared with a model of the map that knows walls and fences by
//! brute force.

use std::collections::BinaryHeap;

use super::common::{Entry, KIND, Random, assert_near};
use super::oracle::all_steps;
use glam::{DVec2, Vec2};
use pathfind_core::{
    AgentKind, AgentShape, AgentSize, Algorithm, CornerRule, Direction, Directions, DistanceField, Grid,
    GridCell, GridError, PathQuery, SearchScratch, StepRules, Terrain, cast_ray, line_of_sight, solve,
    straighten, sweep_disc,
};

/// A map as plain lists. Cells are indices, row by row.
struct Model {
    width: i32,
    height: i32,
    /// The cost of each cell; `None` for a wall.
    costs: Vec<Option<f64>>,
    heights: Vec<f64>,
    /// Pairs of cells.
    fences: Vec<(i32, i32)>,
}

impl Model {
    fn random(random: &mut Random, most: u32) -> Self {
        let [width, height] = [(); 2].map(|()| 1 + random.below(most) as i32);
        let count = (width * height) as usize;
        let (walls, fences, weights) = (random.below(40), random.below(50), random.below(4) == 0);
        let has_hills = random.below(3) == 0;
        let cost = |random: &mut Random| match random.below(100) {
            wall if wall < walls => None,
            other if weights && other % 3 == 0 => Some(3.0),
            _ => Some(1.0),
        };
        let costs = (0..count).map(|_| cost(random)).collect();
        let heights = (0..count).map(|_| f64::from(if has_hills { random.below(3) } else { 0 }));
        let heights = heights.collect();
        let mut model = Self { width, height, costs, heights, fences: Vec::new() };
        for (cell, beside) in model.edges() {
            if random.below(100) < fences {
                model.fences.push((cell, beside));
            }
        }
        model
    }

    fn edges(&self) -> Vec<(i32, i32)> {
        let cells = 0..self.width * self.height;
        let beside = |cell: i32| {
            let east = (cell % self.width < self.width - 1).then_some((cell, cell + 1));
            east.into_iter().chain((cell / self.width < self.height - 1).then_some((cell, cell + self.width)))
        };
        cells.flat_map(beside).collect()
    }

    fn cell(&self, index: i32) -> GridCell {
        GridCell::new(index % self.width, index / self.width)
    }

    fn grid(&self) -> Grid {
        let index = |cell: GridCell| (cell.y * self.width + cell.x) as usize;
        let terrain = |cell: GridCell| match self.costs[index(cell)] {
            None => Terrain::WALL,
            Some(cost) => Terrain::weight(cost as u8),
        };
        let mut grid = Grid::from_fn(self.width as u32, self.height as u32, terrain).unwrap();
        if self.heights.iter().any(|&height| height > 0.0) {
            grid = grid.with_elevation(|cell| self.heights[index(cell)] as f32).unwrap();
        }
        for &(a, b) in &self.fences {
            let direction = Direction::between(self.cell(b), self.cell(a)).unwrap();
            assert_eq!(grid.set_fence(self.cell(b), direction, true), Ok(true), "each stands once");
        }
        grid
    }

    /// Whether two cells side by side are both free, and nothing parts them.
    fn is_open(&self, a: i32, b: i32) -> bool {
        let are_free = [a, b].into_iter().all(|cell| self.costs[cell as usize].is_some());
        let is_level = (self.heights[a as usize] - self.heights[b as usize]).abs() <= 1.0;
        are_free && is_level && !self.fences.contains(&(a.min(b), a.max(b)))
    }

    /// The cells to which a step leads, with its length.
    fn steps(&self, rules: StepRules, cell: i32) -> Vec<(i32, f64)> {
        let at = |x: i32, y: i32| {
            let is_inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
            is_inside.then_some(y * self.width + x)
        };
        let is_free = |cell: i32| self.costs[cell as usize].is_some();
        let (x, y) = (cell % self.width, cell / self.width);
        let mut found = Vec::new();
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let Some(to) = at(x + dx, y + dy).filter(|&to| is_free(to)) else { continue };
            if dx == 0 || dy == 0 {
                found.extend(self.is_open(cell, to).then_some((to, 1.0)));
                continue;
            }
            let (a, b) = (at(x + dx, y).unwrap(), at(x, y + dy).unwrap());
            // Nothing may part any two free cells at the corner.
            let is_shut = |&(a, b): &(i32, i32)| is_free(a) && is_free(b) && !self.is_open(a, b);
            let is_level = (self.heights[cell as usize] - self.heights[to as usize]).abs() <= 1.0;
            let is_legal = rules.directions == Directions::Eight
                && match rules.corners {
                    CornerRule::Never => is_free(a) && is_free(b),
                    CornerRule::OneFree => is_free(a) || is_free(b),
                    CornerRule::Always => true,
                };
            if is_legal && is_level && ![(cell, a), (cell, b), (a, to), (b, to)].iter().any(is_shut) {
                found.push((to, rules.diagonal.value()));
            }
        }
        found
    }

    /// The least cost from a cell to each cell, or back from each cell to it.
    fn dijkstra(&self, rules: StepRules, start: i32, is_back: bool) -> Vec<f64> {
        let mut costs = vec![f64::INFINITY; self.costs.len()];
        let mut open = BinaryHeap::from([Entry(0.0, start)]);
        while let Some(Entry(cost, cell)) = open.pop() {
            if costs[cell as usize] < f64::INFINITY || self.costs[cell as usize].is_none() {
                continue;
            }
            costs[cell as usize] = cost;
            for (next, length) in self.steps(rules, cell) {
                let paid = if is_back { cell } else { next };
                open.push(Entry(cost + length * self.costs[paid as usize].unwrap(), next));
            }
        }
        costs
    }

    /// Whether a segment crosses a fence: both parts of it beside the edge are longer than nothing, and it meets the
    /// edge more than `within` from its ends; negative to find what comes near.
    fn crossing(&self, from: DVec2, to: DVec2, within: f64) -> Option<f64> {
        let crossings = self.fences.iter().filter_map(|&(a, b)| {
            let far = self.cell(b);
            let low = DVec2::new(f64::from(far.x), f64::from(far.y));
            let axis = usize::from(b - a != 1 || self.width == 1);
            let (start, along) = (from[axis] - low[axis], to[axis] - from[axis]);
            let part = -start / along;
            let other = from[1 - axis] + (to[1 - axis] - from[1 - axis]) * part - low[1 - axis];
            let crosses = along != 0.0 && 0.0 < part && part < 1.0;
            (crosses && other > within && other < 1.0 - within).then_some(part)
        });
        crossings.reduce(f64::min)
    }
}

#[test]
fn paths_regions_and_fields_equal_a_plain_dijkstra_on_ten_thousand_maps() {
    let mut random = Random(101);
    let mut scratch = SearchScratch::default();
    let (mut found, mut parted, mut jumped) = (0, 0, 0);
    for round in 0..10_000 {
        let mut model = Model::random(&mut random, 12);
        let rules = all_steps()[round % 10];
        let cells = (model.width * model.height) as u32;
        let [start, goal] = [(); 2].map(|()| random.below(cells) as i32);
        // The start is free.
        model.costs[start as usize].get_or_insert(1.0);
        let grid = model.grid();
        let costs = model.dijkstra(rules, start, false);
        for cell in 0..cells as i32 {
            let is_joined = grid.connected(KIND, rules, model.cell(start), model.cell(cell));
            assert_eq!(is_joined, costs[cell as usize].is_finite(), "round {round}: {start} to {cell}");
        }
        let back = model.dijkstra(rules, start, true);
        let field = DistanceField::new(&grid, KIND, rules, &[model.cell(start)], &mut scratch).unwrap();
        for cell in 0..cells as i32 {
            match field.distance(model.cell(cell)) {
                Some(cost) => assert_near(cost.into(), back[cell as usize], 1e-5, (round, cell)),
                None => assert_eq!(back[cell as usize], f64::INFINITY, "round {round}: from {cell}"),
            }
        }
        let least = costs[goal as usize];
        let is_sealed = model.costs[goal as usize].is_some() && least.is_infinite();
        parted += u32::from(is_sealed);
        for &algorithm in Algorithm::ALL {
            let query = PathQuery::new(model.cell(start), model.cell(goal))
                .with_steps(rules)
                .with_algorithm(algorithm)
                .with_partial(false);
            let Ok(answer) = solve(&grid, &query, &mut scratch) else {
                assert_eq!(least, f64::INFINITY, "round {round}, {algorithm}: there is a path");
                continue;
            };
            let has_cliffs = !model.fences.is_empty();
            assert!(
                !answer.algorithm.is_any_angle() || !has_cliffs || least == 0.0 || {
                    let between = |&(a, b): &(i32, i32)| {
                        model.costs[a as usize].is_some() && model.costs[b as usize].is_some()
                    };
                    !model.fences.iter().any(between)
                }
            );
            jumped += u32::from(answer.algorithm == Algorithm::Jps && has_cliffs);
            if answer.algorithm.is_any_angle() {
                continue;
            }
            let mut walked = 0.0;
            let path: Vec<i32> = answer.cells().map(|cell| cell.y * model.width + cell.x).collect();
            for leg in path.windows(2) {
                let step = model.steps(rules, leg[0]).into_iter().find(|step| step.0 == leg[1]);
                let (_, length) = step.unwrap_or_else(|| panic!("round {round}, {algorithm}: {leg:?}"));
                walked += length * model.costs[leg[1] as usize].unwrap();
            }
            assert_near(walked, answer.cost, 1e-5, (round, algorithm));
            if answer.is_optimal() {
                assert_near(walked, least, 1e-5, (round, algorithm));
            }
            found += 1;
        }
    }
    assert!(found > 40_000 && parted > 2_000 && jumped > 5_000, "{found}, {parted}, {jumped}");
}

#[test]
fn sight_and_straightened_paths_cross_no_fence() {
    let mut random = Random(102);
    let mut scratch = SearchScratch::default();
    let (mut seen, mut hidden, mut legs) = (0, 0, 0);
    for round in 0..1500 {
        let model = Model::random(&mut random, 12);
        let grid = model.grid();
        let corners = CornerRule::ALL[round % 3];
        let shape = AgentShape { radius: [0.0, 0.3][round / 3 % 2], ..AgentShape::default() };
        let mut free =
            Grid::from_fn(grid.width(), grid.height(), |cell| grid.terrain(cell).unwrap()).unwrap();
        if grid.has_elevation() {
            free = free.with_elevation(|cell| grid.elevation(cell)).unwrap();
        }
        for _ in 0..20 {
            let mut point = || {
                let mut along = |side: i32| random.below(side as u32 * 1024 + 1) as f32 / 1024.0;
                Vec2::new(along(model.width), along(model.height))
            };
            let (from, to) = (point(), point());
            let sees = line_of_sight(&grid, shape, corners, from, to);
            assert_eq!(sees, line_of_sight(&grid, shape, corners, to, from), "sight is mutual");
            let crossing = model.crossing(from.as_dvec2(), to.as_dvec2(), 0.0);
            assert!(!sees || crossing.is_none(), "round {round}: {from} to {to} through a fence");
            // Without a fence near, all is as without fences.
            let is_near = model.crossing(from.as_dvec2(), to.as_dvec2(), -1.0).is_some();
            let would = line_of_sight(&free, shape, corners, from, to);
            assert!(would || !sees, "a fence shows nothing");
            if !is_near && shape.radius == 0.0 {
                assert_eq!(sees, would, "round {round}: {from} to {to}, no fence near");
            }
            (seen, hidden) = (seen + u32::from(sees), hidden + u32::from(would && !sees));
        }
        let cells = (model.width * model.height) as u32;
        let [start, goal] = [(); 2].map(|()| model.cell(random.below(cells) as i32));
        let query = PathQuery::new(start, goal).with_steps(StepRules::eight(corners));
        let Ok(answer) = solve(&grid, &query, &mut scratch) else { continue };
        let straight = straighten(&grid, shape, corners, &answer.waypoints);
        for leg in straight.windows(2) {
            let ends = (leg[0].as_dvec2(), leg[1].as_dvec2());
            assert_eq!(model.crossing(ends.0, ends.1, 0.0), None, "round {round}: {leg:?}");
            assert!(line_of_sight(&grid, shape, corners, leg[0], leg[1]), "round {round}: {leg:?}");
            assert!(grid.travel_cost(KIND, leg).is_some(), "round {round}: {leg:?}");
            legs += 1;
        }
    }
    assert!(seen > 2_000 && hidden > 1_000 && legs > 1_000, "{seen}, {hidden}, {legs}");
}

#[test]
fn rays_and_discs_stop_at_the_first_fence() {
    let mut random = Random(103);
    let (mut at_fences, mut free) = (0, 0);
    for round in 0..1500 {
        let model = Model::random(&mut random, 12);
        let mut grid = model.grid();
        let wall_only =
            Grid::from_fn(grid.width(), grid.height(), |cell| grid.terrain(cell).unwrap()).unwrap();
        let size = AgentSize::Disc(0.0);
        let point_kind = grid.add_kind(AgentKind { size, ..AgentKind::default() }).unwrap();
        for _ in 0..20 {
            let mut point = || {
                let mut along = |side: i32| 0.0003 + random.below(side as u32 * 1000) as f32 / 1000.0;
                Vec2::new(along(model.width), along(model.height))
            };
            let (from, to) = (point(), point());
            let at_wall = cast_ray(&wall_only, KIND, from, to).map_or(2.0, |hit| f64::from(hit.fraction));
            let at_fence = model.crossing(from.as_dvec2(), to.as_dvec2(), 0.0).unwrap_or(2.0);
            let expected = at_wall.min(at_fence);
            let hit = cast_ray(&grid, KIND, from, to);
            let found = hit.map_or(2.0, |hit| f64::from(hit.fraction));
            assert!(
                (found - expected).abs() < 1e-5,
                "round {round}, {from} to {to}: {found}, not {expected}"
            );
            let swept = sweep_disc(&grid, point_kind, from, to, 0.0);
            let at = swept.map_or(2.0, |hit| f64::from(hit.fraction));
            assert!(
                (at - expected).abs() < 1e-3,
                "round {round}, {from} to {to}: a point, {at}, not {expected}"
            );
            if at_fence < at_wall {
                let hit = hit.unwrap();
                assert_eq!(swept.unwrap().cell, hit.cell, "round {round}: beyond the fence");
                assert!(hit.normal.dot(to - from) < 0.0, "the normal points back");
                let before = from + (to - from) * (hit.fraction - 1e-3);
                let is_beyond = hit.cell != GridCell::containing(before);
                assert!(is_beyond || hit.fraction < 2e-3, "round {round}: {hit:?}");
            }
            at_fences += u32::from(at_fence < at_wall);
            free += u32::from(expected > 1.0);
            // A disc keeps its radius.
            let radius = 0.3;
            let swept = sweep_disc(&grid, KIND, from, to, radius);
            let until = swept.map_or(1.0, |hit| hit.fraction);
            assert!(f64::from(until) <= expected.min(1.0) + 1e-5, "a disc gets no farther than a point");
        }
    }
    assert!(at_fences > 3_000 && free > 1_000, "{at_fences}, {free}");
}

#[test]
fn jump_point_search_stays_where_fences_are_few() {
    let mut scratch = SearchScratch::default();
    let mut grid = Grid::new(200, 200).unwrap();
    for y in 50..150 {
        grid.set_fence(GridCell::new(99, y), Direction::E, true).unwrap();
    }
    let (start, goal) = (GridCell::new(90, 100), GridCell::new(110, 100));
    for (asked, runs) in [
        (Algorithm::Auto, Algorithm::Jps),
        (Algorithm::Jps, Algorithm::Jps),
        (Algorithm::AnyAngle, Algorithm::AStar),
        (Algorithm::Theta, Algorithm::AStar),
    ] {
        let answer = solve(&grid, &PathQuery::new(start, goal).with_algorithm(asked), &mut scratch).unwrap();
        assert_eq!(answer.algorithm, runs, "{asked}");
        assert!(answer.cost > 100.0, "round the end of the fence");
    }
}

#[test]
fn bad_fences_are_typed_errors() {
    let mut grid = Grid::new(3, 2).unwrap();
    let cell = GridCell::new(1, 1);
    assert_eq!(grid.set_fence(cell, Direction::NE, true), Err(GridError::DiagonalEdge(Direction::NE)));
    let below = GridCell::new(1, 2);
    assert_eq!(grid.set_fence(cell, Direction::S, true), Err(GridError::Outside(below)), "the border");
    assert_eq!(grid.set_fence(below, Direction::N, true), Err(GridError::Outside(below)));
    for far in [i32::MIN, i32::MAX] {
        let far = GridCell::new(far, far);
        for direction in Direction::ALL.into_iter().filter(|direction| !direction.is_diagonal()) {
            assert_eq!(grid.set_fence(far, direction, true), Err(GridError::Outside(far)));
            assert!(!grid.has_fence(far, direction));
        }
    }
    assert_eq!((grid.revision(), grid.fences().count()), (0, 0), "nothing has changed");
    assert_eq!(grid.set_fence(cell, Direction::N, false), Ok(false), "there was none");
    assert_eq!(grid.set_fence(cell, Direction::N, true), Ok(true));
    assert_eq!(grid.set_fence(GridCell::new(1, 0), Direction::S, true), Ok(false), "it stands already");
    assert_eq!(grid.revision(), 1);
}
