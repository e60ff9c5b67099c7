//! The chokepoints of paths, compared with plain floods over maps on which their cells are walls.

use pathfind_core::corridor::{Chokepoint, chokepoints};
use pathfind_core::{
    Algorithm, CornerRule, Direction, Grid, GridCell, PathQuery, SearchScratch, StepRules, Terrain, solve,
};

use crate::common::{KIND, Random, Style, is_legal, oracle, parted, styled_grid};
use crate::oracle::all_steps;

/// Whether walls on some cells leave no way.
fn cuts(grid: &Grid, steps: StepRules, cells: &[GridCell], from: GridCell, to: GridCell) -> bool {
    let mut walled = grid.clone();
    for &cell in cells {
        walled.set(cell, Terrain::WALL).expect("it is on the grid");
    }
    !oracle(&walled, KIND, steps, from).contains_key(&to)
}

fn is_line(grid: &Grid, cells: &[GridCell]) -> bool {
    let step = |cells: &[GridCell]| (cells[1].x - cells[0].x, cells[1].y - cells[0].y);
    let is_legal = |cells: &[GridCell]| {
        let direction = Direction::between(cells[0], cells[1]).expect("they are neighbours");
        is_legal(grid, KIND, StepRules::default(), cells[0], direction)
    };
    cells.windows(2).all(|pair| step(pair) == step(cells) && is_legal(pair))
}

#[test]
fn chokepoints_are_short_lines_and_cuts_are_cuts() {
    let mut random = Random(21);
    let (mut cut, mut open, mut scratch) = (0, 0, SearchScratch::default());
    for round in 0..700 {
        let mut grid = styled_grid(&mut random, Style::ALL[round % Style::ALL.len()], 20, 16);
        if round % 4 == 0 {
            grid = parted(&mut random, grid);
        }
        let [from, to] = [random.walkable_cell(&grid), random.walkable_cell(&grid)];
        let (steps, most) = (all_steps()[round % 10], random.below(5) as usize);
        let query = PathQuery::new(from, to).with_steps(steps).with_algorithm(Algorithm::Dijkstra);
        let Some(answer) = solve(&grid, &query, &mut scratch).ok().filter(|answer| answer.is_complete())
        else {
            continue;
        };
        let path: Vec<GridCell> = answer.cells().collect();
        let found = chokepoints(&grid, KIND, steps, &answer.waypoints, most);
        for Chokepoint { cells, is_cut } in &found {
            assert!((1..=most).contains(&cells.len()) && is_line(&grid, cells), "{cells:?} of {most}");
            assert!(!cells.contains(&from) && !cells.contains(&to), "{cells:?} from {from} to {to}");
            assert_eq!(*is_cut, cuts(&grid, steps, cells, from, to), "{cells:?}, {steps:?}, {from} to {to}");
            *(if *is_cut { &mut cut } else { &mut open }) += 1;
        }
        // A cell that every way leads over is no farther from a line than the wall that makes it one.
        let squeezes = steps == StepRules::eight(CornerRule::Always);
        let is_inner = |cell: &&GridCell| [from, to].iter().all(|end| end.distance_squared(**cell) > 2);
        let bridge = path.iter().filter(is_inner).find(|&&cell| cuts(&grid, steps, &[cell], from, to));
        let has_narrow_cut = || found.iter().any(|it| it.is_cut && it.cells.len() == 1);
        if let Some(bridge) = bridge.filter(|_| most > 0 && !squeezes) {
            assert!(has_narrow_cut(), "{bridge} alone cuts {from} off from {to}, {steps:?}: {found:?}");
        }
    }
    assert!(cut > 100 && open > 100, "{cut} cuts, {open} others");
}

#[test]
fn the_narrow_places_of_a_way() {
    let map = "\
....#....#....
....#....#....
.........#....
....#.........
....#....#....";
    let grid = Grid::from_ascii(map).unwrap();
    let points = [(0, 2), (4, 2), (9, 3), (13, 3)].map(|cell| GridCell::from(cell).center());
    let of = |grid: &Grid, most| {
        let found = chokepoints(grid, KIND, StepRules::default(), &points, most);
        found.into_iter().map(|it| (it.cells, it.is_cut)).collect::<Vec<_>>()
    };
    let [first, second] = [(4, 2), (9, 3)].map(|cell| vec![GridCell::from(cell)]);
    assert_eq!(of(&grid, 1), [(first.clone(), true), (second.clone(), true)], "two doors");
    let mut open = grid.clone();
    assert!(open.set(GridCell::new(9, 0), Terrain::GROUND).unwrap());
    assert_eq!(of(&open, 1), [(first.clone(), true), (second, false)], "there is another door");
    assert_eq!(of(&grid, 5), [(first, true)], "all of the way is narrow: one part");
    assert_eq!(of(&grid, 0), []);
    assert_eq!(chokepoints(&grid, KIND, StepRules::default(), &[], 3), []);
    let nowhere = [points[0], glam::Vec2::NAN];
    assert_eq!(chokepoints(&grid, KIND, StepRules::default(), &nowhere, 3), []);
}
