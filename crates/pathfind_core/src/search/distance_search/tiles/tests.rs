//! The search by tiles against that by single cells.

use super::*;
use crate::grid::{DiagonalCost, KindId, StepRules};
use crate::search::distance_search::{DistanceScratch, FieldCosts, find_by_cells};
use crate::steer::CounterRng;
use crate::testing::walled;

#[test]
fn tiles_find_what_single_cells_find() {
    let mut rng = CounterRng::new(11, 0, 0);
    let (mut memory, mut costs, mut compared) = (DistanceScratch::default(), StepCosts::default(), 0);
    for round in 0..400 {
        let (width, height) = (1 + rng.below(90), 1 + rng.below(40));
        let density = rng.below(35);
        let grid = walled(width, height, |_| rng.below(100) < density);
        let kind = KindId::default();
        let mut cell = || GridCell::new(rng.below(width) as i32, rng.below(height) as i32);
        let goals: Vec<GridCell> = (0..1 + round % 3).map(|_| cell()).collect();
        let mut steps = StepRules::RULES[round % 4];
        steps.diagonal =
            [DiagonalCost::Sqrt2, DiagonalCost::One, DiagonalCost::FourteenTenths][round / 4 % 3];
        let job = DistanceJob { kind, steps, goals: &goals };
        if job.check(&grid).is_err() {
            continue;
        }
        costs.set(&grid, kind, steps, 1);
        let rows = grid.rows(kind).unwrap();
        let Some(found) = memory.tiles.find((&grid, rows), job, &costs, GREATEST) else { continue };
        let exact = find_by_cells((&grid, rows), job, &costs, &mut memory);
        assert_eq!((FieldCosts::Narrow(found.0), found.1), (exact.costs, exact.steps), "round {round}");
        compared += 1;
    }
    assert!(compared > 200 || !std::is_x86_feature_detected!("avx2"), "only {compared}");
}

#[test]
fn where_costs_are_too_great_single_cells_answer() {
    let grid = Grid::new(100, 1).unwrap();
    let (kind, mut costs) = (KindId::default(), StepCosts::default());
    let job = DistanceJob { kind, steps: StepRules::FOUR, goals: &[GridCell::new(0, 0)] };
    costs.set(&grid, kind, job.steps, 1);
    let mut tiles = Tiles::default();
    assert_eq!(tiles.find((&grid, grid.rows(kind).unwrap()), job, &costs, 50), None);
}

#[test]
fn mazes_one_cell_wide_are_dense() {
    let grid = walled(200, 80, |cell| cell.x % 2 == 1 && cell.y % 40 != 0);
    let rows = grid.rows(KindId::default()).unwrap();
    assert!(is_dense(rows, Directions::Four) && is_dense(rows, Directions::Eight));
    let open = Grid::new(200, 80).unwrap();
    assert!(!is_dense(open.rows(KindId::default()).unwrap(), Directions::Eight));
}
