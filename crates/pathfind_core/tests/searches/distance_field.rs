//! Distance fields: costs and paths from every cell compared with a plain search, and repairs with new fields.

use super::common::{KIND, Random, Style, assert_near, parted, styled_grid, walk};
use super::oracle::all_steps;
use glam::Vec2;
use pathfind_core::{
    AgentKind, AgentSize, CellRect, CostTable, Direction, DistanceField, Grid, GridCell, GridEdit, KindId,
    SearchError, SearchScratch, StepRules, Terrain,
};

/// The cost from every cell to the nearest goal, by relaxing steps until none lowers a cost.
fn plain_costs(grid: &Grid, kind: KindId, steps: StepRules, goals: &[GridCell]) -> Vec<f64> {
    let index = |cell: GridCell| (cell.y * grid.width() as i32 + cell.x) as usize;
    let mut costs = vec![f64::INFINITY; grid.bounds().cells().count()];
    let mut open: Vec<GridCell> =
        goals.iter().copied().filter(|&goal| grid.is_walkable(kind, goal)).collect();
    open.iter().for_each(|&goal| costs[index(goal)] = 0.0);
    while let Some(cell) = open.pop() {
        let terrain = f64::from(grid.cost(kind, cell).expect("it is walkable"));
        for step in grid.steps_from(kind, steps, cell) {
            let length = if step.is_diagonal() { steps.diagonal.value() } else { 1.0 };
            let cost = costs[index(cell)] + terrain * length;
            let next = cell.step(step);
            if cost < costs[index(next)] * (1.0 - 1e-12) {
                costs[index(next)] = cost;
                open.insert(0, next);
            }
        }
    }
    costs
}

#[test]
fn a_field_has_the_least_costs_and_paths_that_cost_as_much() {
    let mut random = Random(23);
    let mut scratch = SearchScratch::default();
    for round in 0..160 {
        // Costs that are equal, nearly so, ordinary, and so far apart that buckets hold more than one step.
        let (least, range) = [(1.0, 1.0_f32), (0.01, 1.05), (0.01, 3.0), (0.01, 99_999.0)][round % 4];
        let costs = [least, least * range.sqrt(), least * range];
        let table = (0..3).try_fold(CostTable::default(), |table, class| {
            table.with(Terrain(20 + class as u8), costs[class])
        });
        let (side, walls) = (1 + random.below(7) as i32, random.below(40));
        let patches: Vec<u8> = (0..400).map(|_| 20 + random.below(3) as u8).collect();
        let mut grid = Grid::from_fn(37, 29, |cell| {
            let is_wall = random.below(100) < walls;
            if is_wall {
                Terrain::WALL
            } else {
                Terrain(patches[(cell.y / side * 19 + cell.x / side) as usize % 400])
            }
        })
        .unwrap();
        if round % 3 == 0 {
            grid = parted(&mut random, grid);
        }
        let size = AgentSize::Square(1 + (round % 5 == 0) as u8);
        let kind = grid.add_kind(AgentKind { costs: table.unwrap(), size, ..AgentKind::default() }).unwrap();
        let steps = all_steps()[round % 10];
        let goals: Vec<GridCell> = (0..1 + random.below(3)).map(|_| random.cell(&grid)).collect();
        let Ok(field) = DistanceField::new(&grid, kind, steps, &goals, &mut scratch) else {
            assert!(goals.iter().all(|&goal| !grid.is_walkable(kind, goal)), "only blocked goals fail");
            continue;
        };
        let expected = plain_costs(&grid, kind, steps, &goals);
        for (cell, expected) in grid.bounds().cells().zip(expected) {
            let path: Vec<GridCell> = field.path(cell).collect();
            assert_eq!(path.last().is_some_and(|&end| field.is_goal(end)), expected.is_finite(), "{cell}");
            match field.distance(cell) {
                Some(found) => {
                    assert_near(found.into(), expected, 1e-4, (round, cell));
                    assert_near(walk(&grid, kind, steps, &path), expected, 1e-4, (round, cell));
                }
                None => assert_eq!((expected, path.len()), (f64::INFINITY, 0), "round {round}, {cell}"),
            }
        }
    }
}

/// Random maps of all styles and step rules, edited again and again: walls and terrain come and go, goals are walled in
/// and freed.
#[test]
fn a_repaired_field_equals_a_new_one() {
    let mut random = Random(31);
    let (mut scratch, mut repaired_cells, mut repairs) = (SearchScratch::default(), 0, 0);
    for round in 0..120 {
        let style = Style::ALL[round % 4];
        let (width, height) = (20 + random.below(60), 20 + random.below(40));
        let mut grid = styled_grid(&mut random, style, width, height);
        let terrains = if round % 3 == 0 { 4 } else { 1 };
        let terrain = |random: &mut Random| Terrain::weight(1 + random.below(terrains) as u8);
        for _ in 0..40 * (terrains - 1) {
            let cell = random.cell(&grid);
            let patch = CellRect::new(cell, GridCell::new(cell.x + 6, cell.y + 6));
            grid.fill(patch, terrain(&mut random));
        }
        // All terrains are there from the beginning: otherwise the units change, and the field is made anew.
        let keep_all = |grid: &mut Grid| {
            for class in 0..terrains as i32 {
                grid.set(GridCell::new(class, 0), Terrain::weight(1 + class as u8)).expect("it is inside");
            }
        };
        keep_all(&mut grid);
        let has_hills = random.below(3) == 0;
        if has_hills {
            grid = parted(&mut random, grid);
        }
        let sizes = [AgentSize::Square(1), AgentSize::Square(3), AgentSize::Disc(0.5), AgentSize::Disc(1.2)];
        let size = sizes[random.below(6).saturating_sub(2) as usize];
        let kind = grid.add_kind(AgentKind { size, ..AgentKind::default() }).unwrap();
        let steps = all_steps()[round % 10];
        let goals: Vec<GridCell> = (0..1 + random.below(5)).map(|_| random.cell(&grid)).collect();
        let Ok(mut field) = DistanceField::new(&grid, kind, steps, &goals, &mut scratch) else { continue };
        for edit in 0..25 {
            let mut edited = Vec::new();
            for _ in 0..1 + random.below(3) {
                let corner = match random.below(4) {
                    0 => goals[random.below(goals.len() as u32) as usize],
                    _ => random.cell(&grid),
                };
                let [right, down] = [(); 2].map(|()| random.below(4) as i32);
                let rect = CellRect::new(corner, GridCell::new(corner.x + right, corner.y + down));
                let with = if random.below(2) == 0 { Terrain::WALL } else { terrain(&mut random) };
                if has_hills && random.below(3) == 0 {
                    let (direction, stands) =
                        (Direction::from_index(2 * random.below(4) as u8), random.below(3) > 0);
                    let inside = rect.intersection(grid.bounds()).into_iter().flat_map(CellRect::cells);
                    let edits = |edit: &mut GridEdit| {
                        inside.for_each(|cell| _ = edit.set_fence(cell, direction, stands));
                    };
                    edited.extend(grid.edit_touching(edits).1);
                } else if has_hills && random.below(2) == 0 {
                    let height = random.below(3) as f32;
                    let inside = rect.intersection(grid.bounds()).into_iter().flat_map(CellRect::cells);
                    grid.edit(|edit| inside.for_each(|cell| _ = edit.set_elevation(cell, height)));
                } else {
                    grid.fill(rect, with);
                }
                edited.push(rect);
            }
            keep_all(&mut grid);
            edited.push(CellRect::new(GridCell::new(0, 0), GridCell::new(terrains as i32, 0)));
            let before = field.clone();
            let fresh = DistanceField::new(&grid, kind, steps, &goals, &mut scratch);
            let changed = match (field.repair(&grid, &edited, &mut scratch), fresh) {
                (Ok(changed), Ok(fresh)) => {
                    assert_eq!(field, fresh, "round {round}, edit {edit}");
                    changed
                }
                (repaired, fresh) => {
                    assert_eq!(repaired.err(), fresh.err(), "round {round}, edit {edit}");
                    assert_eq!(field, before, "without goals it stays as it was");
                    break;
                }
            };
            if changed < (width * height) as usize {
                let differs = |&cell: &GridCell| field.distance(cell) != before.distance(cell);
                assert_eq!(changed, grid.bounds().cells().filter(differs).count(), "{round}, edit {edit}");
                (repaired_cells, repairs) = (repaired_cells + changed, repairs + 1);
            }
        }
    }
    assert!(repairs > 1500 && repaired_cells > 20 * repairs, "{repairs} repairs of {repaired_cells} cells");
}

#[test]
fn a_field_of_another_kind_or_grid_is_made_anew() {
    let mut scratch = SearchScratch::default();
    // A plateau at either side, the right one higher, and a river across.
    let height = |cell: GridCell| [2.0, 0.0, 0.0, 5.0][cell.x as usize / 10];
    let mut grid = Grid::new(40, 30).unwrap().with_elevation(height).unwrap();
    grid.fill(CellRect::new(GridCell::new(0, 5), GridCell::new(39, 5)), Terrain::WATER);
    let kind = grid.add_kind(AgentKind::default()).unwrap();
    let goal = [GridCell::new(20, 20)];
    let mut field = DistanceField::new(&grid, kind, StepRules::default(), &goal, &mut scratch).unwrap();
    let mut check = |grid: &Grid, what: &str| {
        let changed = field.repair(grid, &[], &mut scratch).unwrap();
        let fresh = DistanceField::new(grid, kind, StepRules::default(), &goal, &mut scratch).unwrap();
        assert_eq!(field, fresh, "{what}");
        changed
    };
    assert_eq!(check(&grid, "nothing has changed"), 0);
    grid.set_kind(kind, AgentKind { size: AgentSize::Square(2), ..AgentKind::default() }).unwrap();
    assert_eq!(check(&grid, "the kind is wider"), 1200);
    let costs = CostTable::default().with(Terrain::GROUND, 2.5).unwrap();
    grid.set_kind(kind, AgentKind { costs, ..AgentKind::default() }).unwrap();
    assert_eq!(check(&grid, "its costs are others"), 1200);
    let swims = CostTable::default().with(Terrain::WATER, 1.0).unwrap();
    let swimmer = AgentKind { costs: swims, ..AgentKind::default() };
    for (agent, what) in [
        (AgentKind::default(), "it is as at first"),
        (swimmer, "water is free for it"),
        (AgentKind::default(), "it is as at first, again"),
        (AgentKind { climb: 2.5, ..AgentKind::default() }, "it climbs the lower plateau"),
    ] {
        grid.set_kind(kind, agent).unwrap();
        assert_eq!(check(&grid, what), 1200);
    }
    let mut other = Grid::new(50, 25).unwrap();
    other.add_kind(AgentKind::default()).unwrap();
    assert_eq!(check(&other, "it is another grid"), 1250);
    let error = field.repair(&Grid::new(50, 25).unwrap(), &[], &mut scratch).unwrap_err();
    assert_eq!(error, SearchError::UnknownKind(kind));
}

#[test]
fn flow_points_to_the_next_cell() {
    let grid = Grid::from_ascii("...\n.#.").unwrap();
    let goal = GridCell::new(2, 0);
    let field = DistanceField::new(&grid, KIND, StepRules::default(), &[goal], &mut SearchScratch::default())
        .unwrap();
    assert_eq!(field.flow(Vec2::new(0.5, 0.5)), Some(Vec2::X));
    assert_eq!(field.flow(Vec2::new(2.5, 0.25)), Some(Vec2::Y), "on the goal, to its centre");
    for nowhere in [goal.center(), Vec2::new(1.5, 1.5), Vec2::new(-1.0, 0.5), Vec2::NAN] {
        assert_eq!(field.flow(nowhere), None, "{nowhere}");
    }
}

#[test]
fn bad_goals_are_typed_errors() {
    let grid = Grid::from_ascii("..#").unwrap();
    let ask = |goals: &[GridCell]| {
        DistanceField::new(&grid, KIND, StepRules::default(), goals, &mut SearchScratch::default())
            .unwrap_err()
    };
    let (wall, outside) = (GridCell::new(2, 0), GridCell::new(0, 7));
    assert_eq!(ask(&[]), SearchError::NoGoal);
    assert_eq!(ask(&[wall]), SearchError::GoalBlocked(wall));
    assert_eq!(ask(&[outside]), SearchError::GoalOutside(outside));
}
