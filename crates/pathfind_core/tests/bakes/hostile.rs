//! Bad input is a typed error or gives the right answer.

use glam::{Affine3A, UVec2, Vec3};
use pathfind_core::bake::{BakeError, BakeMesh, BakeSettings, Baked};
use pathfind_core::steer::CounterRng;
use pathfind_core::{CellRect, GridCell, GridError};

use crate::support::{Below, bake, level, picture, settings};

fn error(with: BakeSettings) -> Option<BakeError> {
    Baked::new(with, &[]).err()
}

#[test]
fn boxes_of_no_size_and_of_a_thousand_million_cells_are_errors() {
    let sized = |x, y| error(settings(x, y));
    assert_eq!(sized(0, 5), Some(BakeError::Size(GridError::Empty { width: 0, height: 5 })));
    assert_eq!(
        sized(40_000, 25_000),
        Some(BakeError::Size(GridError::TooLarge { width: 40_000, height: 25_000 }))
    );
    assert_eq!(sized(16_000, 16_000), Some(BakeError::TooManyCells(256_000_000)));
    assert!(matches!(sized(u32::MAX, u32::MAX), Some(BakeError::Size(_))));
    assert_eq!(sized(1, 1), None, "no triangles are no error");
}

#[test]
fn settings_out_of_range_are_named() {
    for bad in [f32::NAN, f32::INFINITY, -1e30] {
        let all = [
            BakeSettings { low: bad, ..settings(4, 4) },
            BakeSettings { high: bad, ..settings(4, 4) },
            BakeSettings { max_slope: bad, ..settings(4, 4) },
            BakeSettings { step: bad, ..settings(4, 4) },
            BakeSettings { head_room: bad, ..settings(4, 4) },
            BakeSettings { max_drop: bad, ..settings(4, 4) },
        ];
        for with in all {
            assert!(matches!(error(with), Some(BakeError::BadSetting { .. })), "{with:?}");
        }
    }
    let flat = BakeSettings { step: 1.0, ..settings(4, 4) };
    assert!(matches!(error(flat), Some(BakeError::BadSetting { name: "head room", .. })));
    assert!(matches!(
        error(BakeSettings { max_gap: 17, ..settings(4, 4) }),
        Some(BakeError::BadSetting { .. })
    ));
}

#[test]
fn meshes_that_are_not_sound_are_refused() {
    let corners = || vec![Vec3::ZERO, Vec3::X, Vec3::Y];
    for bad in [f32::NAN, f32::INFINITY] {
        let mut with = corners();
        with[1].y = bad;
        assert_eq!(BakeMesh::new(with, vec![[0, 1, 2]]).err(), Some(BakeError::BadVertex(1)));
        let scale = Affine3A::from_scale(Vec3::splat(bad));
        let mesh = BakeMesh::new(corners(), vec![[0, 1, 2]]).expect("sound");
        assert!(mesh.transformed(&scale).is_err());
    }
    assert_eq!(BakeMesh::new(corners(), vec![[0, 1, 2], [0, 1, 3]]).err(), Some(BakeError::BadTriangle(1)));
    assert_eq!(BakeMesh::new(vec![], vec![]).map(|it| it.cells(UVec2::splat(9))), Ok(None));
}

#[test]
fn degenerate_and_huge_triangles_do_no_harm() {
    let ground = level((0.0, 0.0), (8.0, 8.0), 0.0);
    let expected = picture(&bake(settings(8, 8), core::slice::from_ref(&ground)), 0);
    let point = Vec3::new(3.3, 3.3, 1.0);
    let degenerate = [
        vec![point, point, point],
        vec![point, point + Vec3::X, point + Vec3::X * 2.0],
        vec![point, point, point + Vec3::Z],
    ];
    for corners in degenerate {
        let mesh = BakeMesh::new(corners, vec![[0, 1, 2]]).expect("finite");
        assert_eq!(picture(&bake(settings(8, 8), &[ground.clone(), mesh]), 0), expected);
    }
    for size in [1e6, 1e18, 3e38_f32] {
        let huge = level((-size, -size), (size, size), 0.0);
        assert_eq!(picture(&bake(settings(8, 8), core::slice::from_ref(&huge)), 0), expected, "{size}");
        assert_eq!(
            huge.cells(UVec2::splat(8)),
            Some(CellRect::new(GridCell::new(0, 0), GridCell::new(7, 7)))
        );
        // A needle of a wall, skewed beyond measure.
        let needle = [Vec3::new(-size, 3.2, 0.0), Vec3::new(size, 3.4, 0.0), Vec3::new(size, 3.4, 3.0)];
        let needle = BakeMesh::new(needle.into(), vec![[0, 1, 2]]).expect("finite");
        let rows = picture(&bake(settings(8, 8), &[ground.clone(), needle]), 0);
        assert_eq!(rows.lines().nth(3), Some("########"), "{size}\n{rows}");
    }
}

#[test]
fn noise_of_triangles_is_baked_without_a_panic() {
    for seed in 0..30 {
        let mut rng = CounterRng::new(seed, 57, 0);
        let scale = [1.0, 30.0, 1e4, 1e9, 1e37][rng.below(5) as usize];
        let mut vertex = || Vec3::new(rng.signed(), rng.signed(), rng.signed()) * scale;
        let vertices: Vec<_> = (0..300).map(|_| vertex()).collect();
        let triangles: Vec<_> = (0..400).map(|_| [0; 3].map(|_| rng.below(300))).collect();
        let mesh = BakeMesh::new(vertices, triangles).expect("finite");
        let with = BakeSettings { max_drop: 4.0, max_gap: 3, low: -9.0, ..settings(20, 20) };
        match Baked::new(with, &[&mesh]) {
            Ok(mut baked) => {
                let rect = CellRect::new(GridCell::new(-4, 3), GridCell::new(9, 30));
                assert!(baked.rebake(rect, &[&mesh]).is_ok());
            }
            Err(error) => assert_eq!(error, BakeError::TooManyFloors),
        }
    }
}

#[test]
fn more_than_the_greatest_number_of_floors_is_an_error_and_leaves_all_as_it_was() {
    let storeys = |count: i32| -> Vec<BakeMesh> {
        (0..count).map(|i| level((0.0, 0.0), (6.0, 6.0), i as f32 * 2.0)).collect()
    };
    let high = BakeSettings { high: 200.0, ..settings(6, 6) };
    let mut baked = bake(high, &storeys(32));
    assert_eq!(baked.floor_count(), 32);
    let before: Vec<_> = (0..32).map(|floor| picture(&baked, floor)).collect();
    let tower = storeys(33);
    let meshes: Vec<&BakeMesh> = tower.iter().collect();
    assert_eq!(Baked::new(high, &meshes).err(), Some(BakeError::TooManyFloors));
    let rect = CellRect::new(GridCell::new(1, 1), GridCell::new(2, 2));
    assert_eq!(baked.rebake(rect, &meshes).err(), Some(BakeError::TooManyFloors));
    assert!((0..32).all(|floor| picture(&baked, floor) == before[floor]));
}

#[test]
fn a_million_triangles_are_baked_or_refused_within_the_limit() {
    // All over each other in every cell: refused before the lists are made.
    let vertices = vec![Vec3::ZERO, Vec3::new(600.0, 0.0, 0.0), Vec3::new(0.0, 600.0, 0.0)];
    let pile = BakeMesh::new(vertices, vec![[0, 1, 2]; 1_000_000]).expect("sound");
    assert_eq!(Baked::new(settings(256, 256), &[&pile]).err(), Some(BakeError::TooManyPieces));
    let hills = BakeMesh::heightmap(UVec2::splat(708), |x, y| ((x * 7 + y * 13) % 11) as f32 * 0.02);
    assert!(hills.triangle_count() > 999_000);
    let small = hills.transformed(&Affine3A::from_scale(Vec3::new(0.1, 0.1, 1.0))).expect("finite");
    let baked = Baked::new(BakeSettings { max_slope: 1.4, ..settings(70, 70) }, &[&small]).expect("sound");
    assert!(baked.spans((69, 69)).iter().any(|span| span.floor().is_some()));
}
