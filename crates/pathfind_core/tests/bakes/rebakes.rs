//! A rebake of a part gives the ground of a full bake.

use glam::UVec2;
use pathfind_core::bake::{BakeMesh, BakeSettings, Baked, BakedLinkKind};
use pathfind_core::steer::CounterRng;
use pathfind_core::{GridCell, Terrain};

use crate::support::{
    Below, bake, check_floors, crossings, level, random_mesh, random_scene, settings, solid, steps,
};

/// The surfaces of all cells, without the numbers of their floors.
fn surfaces(baked: &Baked) -> Vec<(GridCell, f32, Terrain, Option<pathfind_core::bake::Obstruction>)> {
    let cells = baked.grid(0).bounds().cells();
    cells
        .flat_map(|cell| {
            let spans = baked.spans(cell).to_vec();
            spans.into_iter().map(move |it| (cell, it.height, it.terrain, it.obstruction()))
        })
        .collect()
}

#[test]
fn local_rebakes_give_the_ground_and_the_steps_of_a_full_bake() {
    let mut changed = 0;
    for seed in 0..12 {
        let mut rng = CounterRng::new(seed, 55, 0);
        let mut scene = random_scene(&mut rng, 12);
        let (max_drop, max_gap) = [(0.0, 0), (3.0, 0), (2.0, 2)][seed as usize % 3];
        let with = BakeSettings { max_drop, max_gap, low: -4.0, high: 9.0, ..settings(24, 24) };
        let mut baked = bake(with, &scene);
        for round in 0..10 {
            let at = 1 + rng.below(scene.len() as u32 - 1) as usize;
            let new = random_mesh(&mut rng);
            let old = std::mem::replace(&mut scene[at], new);
            let meshes: Vec<&BakeMesh> = scene.iter().collect();
            let rects = [&old, &scene[at]].map(|mesh| mesh.cells(UVec2::splat(24)));
            let before = surfaces(&baked);
            for rect in rects.into_iter().flatten() {
                baked.rebake(rect, &meshes).expect("it can be baked");
            }
            let full = bake(with, &scene);
            check_floors(&baked);
            assert_eq!(surfaces(&baked), surfaces(&full), "{seed}, {round}");
            assert_eq!(steps(&baked), steps(&full), "{seed}, {round}");
            let jumps = |kind| kind != BakedLinkKind::Joint;
            assert_eq!(crossings(&baked, jumps), crossings(&full, jumps), "{seed}, {round}");
            changed += u32::from(surfaces(&baked) != before);
        }
    }
    assert!(changed > 90, "{changed} of 120 changed anything");
}

#[test]
fn the_order_of_the_meshes_does_not_matter() {
    for seed in 0..10 {
        let mut scene = random_scene(&mut CounterRng::new(seed, 56, 0), 20);
        let with = BakeSettings { max_drop: 2.0, low: -4.0, high: 9.0, ..settings(24, 24) };
        let before = bake(with, &scene);
        scene.reverse();
        let after = bake(with, &scene);
        assert_eq!((surfaces(&before), before.links()), (surfaces(&after), after.links()));
        assert!((0..before.floor_count()).all(|it| before.grid(it).to_ascii() == after.grid(it).to_ascii()));
    }
}

#[test]
fn a_door_changes_its_own_cells_and_no_number_of_a_floor() {
    // Two rooms, a bridge over both; the door stands between them.
    let wall = |from: f32, to: f32| solid((9.0, from, 0.0), (10.0, to, 3.0));
    let door = solid((9.0, 4.0, 0.0), (10.0, 6.0, 2.0));
    let scene = [
        level((0.0, 0.0), (20.0, 10.0), 0.0),
        wall(0.0, 4.0),
        wall(6.0, 10.0),
        solid((2.0, 7.0, 2.6), (18.0, 9.0, 3.0)),
    ];
    let shut: Vec<&BakeMesh> = scene.iter().chain([&door]).collect();
    let open: Vec<&BakeMesh> = scene.iter().collect();
    let mut baked = Baked::new(settings(20, 10), &shut).expect("sound");
    let before: Vec<_> = (0..baked.floor_count()).map(|floor| baked.grid(floor)).collect();
    let rect = door.cells(UVec2::new(20, 10)).expect("it lies in the box");
    for _ in 0..3 {
        assert_eq!(baked.rebake(rect, &open).expect("sound").cells, Some(rect));
        for (floor, old) in before.iter().enumerate() {
            let new = baked.grid(floor);
            let differs = |cell: &GridCell| new.terrain(*cell) != old.terrain(*cell);
            let changed: Vec<_> = new.bounds().cells().filter(differs).collect();
            let behind_door = |cell: &GridCell| cell.x == 9 && (4..6).contains(&cell.y);
            assert!(changed.iter().all(behind_door), "floor {floor}: {changed:?}");
        }
        // Written as an edit, it is the same grid.
        let mut edited = before[0].clone();
        edited.edit(|edit| baked.write(0, rect, edit));
        assert_eq!(edited.to_ascii(), baked.grid(0).to_ascii());
        baked.rebake(rect, &shut).expect("sound");
        assert!(before.iter().enumerate().all(|(at, old)| baked.grid(at).to_ascii() == old.to_ascii()));
    }
}
