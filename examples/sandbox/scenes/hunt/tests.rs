//! Tests of the hunt: places, danger and flight.

use super::*;
use crate::scenes::tests::{scene_app, set_ticks_per_frame, tap};

#[test]
fn the_same_seed_gives_the_same_free_cells() {
    let grid = Grid::from_map(MAP).expect("the map in assets is sound");
    let (mut one, mut two) = (RandomCells(SplitMix64(3)), RandomCells(SplitMix64(3)));
    for _ in 0..20 {
        let cell = one.free_cell(&grid, &[GridCell::new(90, 90)]);
        assert_eq!(cell, two.free_cell(&grid, &[GridCell::new(90, 90)]));
        assert!(grid.is_walkable(KindId::default(), cell), "{cell} is free");
    }
    let camp = one.free_cell(&grid, &[]);
    assert_eq!(nearby(&grid, camp, SCOUTS).len(), SCOUTS as usize);
}

#[test]
fn a_map_without_free_cells_gives_the_default_cell() {
    let mut grid = Grid::new(4, 4).unwrap();
    grid.fill(grid.bounds(), Terrain::WALL);
    assert_eq!(RandomCells(SplitMix64(1)).free_cell(&grid, &[]), GridCell::default());
}

/// The cost for a scout of the way from the first hunter to the prey, and its length.
fn way(app: &mut App) -> [f64; 2] {
    let measure = |nav: NavQuery,
                   heat: Res<heat_map::HeatMap>,
                   hunters: Query<&Transform, With<Hunter>>,
                   prey: Query<&Transform, With<Prey>>| {
        let (from, to) = (hunters.iter().next().unwrap().translation, prey.single().unwrap().translation);
        let found = nav.of_kind(heat.kind).path(from, to).unwrap();
        [found.cost, f64::from(found.length)]
    };
    app.world_mut().run_system_cached(measure).unwrap()
}

#[test]
fn danger_costs_scouts_a_detour_while_it_is_on() {
    let mut app = scene_app(SCENE.name);
    (0..40).for_each(|_| app.update());
    let [cost, length] = way(&mut app);
    assert!(cost > length + 10.0, "past a hunter it is dear: {cost} for {length} cells");
    tap(&mut app, KeyCode::KeyH);
    (0..40).for_each(|_| app.update());
    let [cost, length] = way(&mut app);
    assert!((cost - length).abs() < 0.1 * length, "switched off it is not: {cost} for {length} cells");
}

#[test]
fn a_prey_that_flees_is_caught_later() {
    let first_catch = |prey_flees: bool| {
        let mut app = scene_app(SCENE.name);
        set_ticks_per_frame(&mut app, 8);
        let mut settings = app.world_mut().resource_mut::<HuntSettings>();
        (settings.prey_roams, settings.prey_flees) = (false, prey_flees);
        let is_caught = |app: &App| app.world().resource::<Score>().catches > 0;
        (0..200).find(|_| {
            app.update();
            is_caught(&app)
        })
    };
    let (fleeing, standing) = (first_catch(true), first_catch(false).expect("one that stands is caught"));
    assert!(fleeing.is_none_or(|fleeing| fleeing > 3 * standing / 2), "{fleeing:?} frames, not {standing}");
}
