//! Small levels whose floors and links are known.

use glam::Vec3;
use pathfind_core::bake::{BakeMesh, BakeSettings, BakedLinkKind, Obstruction};
use pathfind_core::{GridCell, KindId, StepRules, Terrain};

use crate::support::{bake, check_floors, is_connected, level, picture, place_on, settings, sheet, solid};

#[test]
fn a_wall_thinner_than_a_cell_blocks_at_every_angle() {
    let ground = level((0.0, 0.0), (24.0, 24.0), 0.0);
    for turn in 0..48 {
        let angle = turn as f32 * std::f32::consts::TAU / 48.0;
        let turned = glam::Affine3A::from_rotation_translation(
            glam::Quat::from_rotation_z(angle),
            Vec3::new(12.03, 11.97, 0.0),
        );
        for thickness in [0.0, 0.001, 0.02, 0.3] {
            let half = Vec3::new(20.0, thickness, 0.0);
            let wall = BakeMesh::cuboid(-half, half.with_z(1.5)).transformed(&turned).expect("finite");
            let baked = bake(settings(24, 24), &[ground.clone(), wall]);
            let across = Vec3::new(-libm::sinf(angle), libm::cosf(angle), 0.0) * 4.0;
            let cell = |point: Vec3| GridCell::containing(point.truncate());
            let sides = [1.0, -1.0].map(|side| cell(Vec3::new(12.0, 12.0, 0.0) + across * side));
            let places = sides.map(|side| place_on(&baked, 0, side).expect("ground beside the wall"));
            assert!(!is_connected(&baked, places[0], places[1]), "{thickness} thick, turned by {angle}");
        }
    }
}

#[test]
fn a_wall_blocks_the_cells_that_it_stands_in_and_no_more() {
    let walls = [solid((3.0, 0.0, 0.0), (4.0, 5.0, 2.0)), solid((6.4, 0.0, 0.0), (6.6, 5.0, 2.0))];
    let ground = level((0.0, 0.0), (10.0, 5.0), 0.0);
    let high = BakeSettings { high: 1.0, ..settings(10, 5) };
    let baked = bake(high, &[ground, walls[0].clone(), walls[1].clone()]);
    assert_eq!(picture(&baked, 0), "...#..#...\n".repeat(5));
    assert_eq!(baked.spans((3, 2))[0].obstruction(), Some(Obstruction::NoRoom));
    assert!(baked.spans((12, 2)).is_empty(), "outside");
}

#[test]
fn closed_meshes_are_solid_whichever_way_they_face() {
    let ground = level((0.0, 0.0), (8.0, 8.0), 0.0);
    let outwards = solid((2.0, 2.0, 0.0), (6.0, 6.0, 5.0));
    // Mirrored, the triangles face inwards, if it were not made up for.
    let mirror = glam::Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0));
    let inwards = {
        let corners: Vec<Vec3> = (0..8)
            .map(|i| Vec3::new([2.0, 6.0][i & 1], [2.0, 6.0][i >> 1 & 1], [0.0, 5.0][i >> 2]))
            .collect();
        let sides = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
        BakeMesh::new(corners, sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect())
            .expect("sound")
    };
    let back = outwards.transformed(&mirror).and_then(|mesh| mesh.transformed(&mirror)).expect("finite");
    for mesh in [outwards, inwards, back] {
        let baked = bake(settings(8, 8), &[ground.clone(), mesh]);
        let heights: Vec<_> = baked.spans((4, 4)).iter().map(|span| (span.height, span.floor())).collect();
        assert_eq!(heights, [(0.0, None), (5.0, Some(0))]);
        assert_eq!(baked.floor_count(), 1);
    }
}

#[test]
fn slopes_up_to_the_greatest_are_walkable_and_exact() {
    for (degrees, is_walkable) in [(0.0_f32, true), (20.0, true), (39.9, true), (40.1, false), (80.0, false)]
    {
        let rise = libm::tanf(degrees.to_radians());
        let ramp =
            sheet([(0.0, 0.0, 0.0), (10.0, 0.0, 10.0 * rise), (10.0, 4.0, 10.0 * rise), (0.0, 4.0, 0.0)]);
        let high = BakeSettings { high: 100.0, ..settings(10, 4) };
        let baked = bake(high, &[ramp]);
        let expected = if is_walkable { "..........\n" } else { "##########\n" };
        assert_eq!(picture(&baked, 0), expected.repeat(4), "{degrees}");
        for x in 0..10 {
            let height = baked.spans((x, 2))[0].height;
            assert!((height - (x as f32 + 0.5) * rise).abs() < 1e-4, "{degrees}: {height}");
        }
        let (from, to) = (GridCell::new(0, 0), GridCell::new(9, 3));
        let grid = baked.grid(0);
        assert_eq!(grid.connected(KindId::default(), StepRules::default(), from, to), is_walkable);
    }
}

#[test]
fn head_room_and_steps_have_exact_limits() {
    let ground = level((0.0, 0.0), (9.0, 3.0), 0.0);
    for (gap, is_walkable) in [(1.79, false), (1.81, true)] {
        let beam = solid((4.2, 0.0, gap), (4.4, 3.0, gap + 0.3));
        let baked = bake(BakeSettings { high: 1.0, ..settings(9, 3) }, &[ground.clone(), beam]);
        let expected = if is_walkable { ".........\n" } else { "....#....\n" };
        assert_eq!(picture(&baked, 0), expected.repeat(3), "under a beam {gap} high");
    }
    for (height, is_walkable) in [(0.39, true), (0.41, false)] {
        // A kerb that covers no centre of a cell, and a ledge.
        let kerb = solid((4.6, 0.0, 0.0), (4.9, 3.0, height));
        let ledge = solid((7.0, 0.0, 0.0), (9.0, 3.0, height));
        let baked = bake(settings(9, 3), &[ground.clone(), kerb, ledge]);
        let expected = if is_walkable { ".........\n" } else { "....#....\n" };
        assert_eq!(picture(&baked, 0), expected.repeat(3), "over a kerb {height} high");
        let grid = baked.grid(0);
        let is_up =
            grid.connected(KindId::default(), StepRules::FOUR, GridCell::new(6, 1), GridCell::new(7, 1));
        assert_eq!(is_up, is_walkable, "a ledge {height} high, though the kind climbs 1");
    }
}

#[test]
fn stairs_and_a_ramp_stay_on_the_floor_that_they_begin_on() {
    // Twelve steps along x, and a ramp beside them, up to a platform.
    let mut meshes = vec![level((0.0, 0.0), (20.0, 8.0), 0.0)];
    meshes.extend((0..12).map(|i| {
        let x = 3.0 + i as f32;
        solid((x, 0.0, 0.0), (x + 1.0, 2.0, 0.3 * (i + 1) as f32))
    }));
    meshes.push(sheet([(3.0, 5.0, 0.0), (15.0, 5.0, 3.6), (15.0, 7.0, 3.6), (3.0, 7.0, 0.0)]));
    meshes.push(solid((15.0, 0.0, 0.0), (20.0, 8.0, 3.6)));
    let baked = bake(settings(20, 8), &meshes);
    check_floors(&baked);
    let [ground, top] = [(1, 3), (18, 3)].map(|cell| place_on(&baked, 0, cell.into()).expect("one floor"));
    assert!(is_connected(&baked, ground, top));
    // The ground under the high end of the ramp stays, and the ramp above it goes to a floor of its own.
    assert_eq!(baked.floor_count(), 2, "{}\n{}", picture(&baked, 0), picture(&baked, 1));
    for (x, y) in [(3, 0), (14, 1), (3, 6), (8, 6)] {
        assert!(place_on(&baked, 0, GridCell::new(x, y)).is_some(), "({x}, {y})\n{}", picture(&baked, 0));
    }
}

/// A road along y under a bridge along x, with ramps at both ends, on ground of 32 by 16 cells.
pub(crate) fn bridge() -> Vec<BakeMesh> {
    let ramp =
        |from: f32, to: f32| sheet([(from, 6.0, 0.0), (to, 6.0, 4.0), (to, 10.0, 4.0), (from, 10.0, 0.0)]);
    let walls = [11.0, 20.0].map(|x: f32| solid((x, 6.0, 0.0), (x + 1.0, 10.0, 4.0)));
    let mut meshes = vec![level((0.0, 0.0), (32.0, 16.0), 0.0), ramp(3.0, 11.0), ramp(29.0, 21.0)];
    meshes.extend(walls);
    meshes.push(solid((12.0, 6.0, 3.7), (20.0, 10.0, 4.0)));
    // Earth under the ramps.
    meshes.extend([(4.0, 11.0), (21.0, 28.0)].map(|(a, b)| solid((a, 6.0, -1.0), (b, 10.0, 0.2))));
    meshes
}

#[test]
fn a_bridge_over_a_road_is_a_second_floor_over_the_road_alone() {
    let baked = bake(settings(32, 16), &bridge());
    check_floors(&baked);
    let upper = picture(&baked, 1);
    let middle = (13, 8);
    let over = baked.spans(middle);
    assert_eq!(over.iter().filter_map(|span| span.floor()).collect::<Vec<_>>(), [0, 1], "{upper}");
    let road = place_on(&baked, 0, middle.into()).expect("the road");
    let deck = place_on(&baked, 1, middle.into()).expect("the deck");
    let ramp = place_on(&baked, 0, GridCell::new(4, 8)).expect("the ramp begins on the ground");
    assert!(is_connected(&baked, road, deck) && is_connected(&baked, ramp, deck), "{upper}");
    let joints = baked.links();
    assert!(joints.iter().all(|link| link.kind == BakedLinkKind::Joint), "{joints:?}");
    let wide = joints.iter().filter(|link| link.from.cells.cells().count() == 4).count();
    assert!(wide >= 2 && joints.len() <= 6, "the ends of the deck are one link each: {joints:#?}");
}

#[test]
fn storeys_are_floors_and_walls_below_leave_no_holes_above() {
    // Two storeys of 16 by 16 with inner walls below, and a stairwell with stairs.
    let mut meshes = vec![solid((0.0, 0.0, -0.5), (16.0, 16.0, 0.0))];
    meshes.push(solid((0.0, 0.0, 2.5), (16.0, 12.0, 3.0)));
    meshes.push(solid((8.0, 12.0, 2.5), (16.0, 16.0, 3.0)));
    meshes.push(solid((0.0, 5.0, 0.0), (6.0, 6.0, 2.5)));
    meshes.push(solid((9.0, 5.0, 0.0), (16.0, 6.0, 2.5)));
    meshes.extend((0..8).map(|i| {
        let x = i as f32;
        solid((x, 13.0, 0.0), (x + 1.0, 15.0, 0.375 * (i + 1) as f32))
    }));
    let storeys = BakeSettings { high: 4.0, ..settings(16, 16) };
    let baked = bake(storeys, &meshes);
    check_floors(&baked);
    assert_eq!(baked.floor_count(), 2);
    for (x, y) in [(2, 2), (2, 5), (8, 5), (12, 5), (12, 14)] {
        let on_top = baked.spans((x, y)).last().expect("the upper storey");
        assert_eq!((on_top.height, on_top.floor()), (3.0, Some(1)), "({x}, {y})\n{}", picture(&baked, 1));
    }
    let [below, above] = [(0, (2, 2)), (1, (2, 2))]
        .map(|(floor, cell): (_, (i32, i32))| place_on(&baked, floor, cell.into()).expect("a storey"));
    assert!(is_connected(&baked, below, above), "the stairs lead up");
}

#[test]
fn a_spiral_goes_round_by_round_to_further_floors() {
    // A spiral ramp round a pillar: four sides of 6 cells, each rising by 1, three times round.
    let corners = [(2.0, 2.0), (14.0, 2.0), (14.0, 14.0), (2.0, 14.0)];
    let inner = [(5.0, 5.0), (11.0, 5.0), (11.0, 11.0), (5.0, 11.0)];
    let meshes: Vec<_> = (0..12_usize)
        .map(|i| {
            let (a, b, z) = (i % 4, (i + 1) % 4, i as f32);
            let at = |(x, y): (f32, f32), z: f32| (x, y, z);
            sheet([at(corners[a], z), at(corners[b], z + 1.0), at(inner[b], z + 1.0), at(inner[a], z)])
        })
        .collect();
    let baked = bake(settings(16, 16), &meshes);
    check_floors(&baked);
    assert_eq!(baked.floor_count(), 3);
    let bottom =
        baked.spans((8, 3)).iter().position(|span| span.floor().is_some()).expect("the lowest round");
    let top = baked.spans((3, 8)).len() - 1;
    assert!(is_connected(&baked, (8, 3, bottom), (3, 8, top)), "up all rounds");
}

#[test]
fn ledges_and_gaps_are_jumped_as_far_as_the_settings_say() {
    let blocks = [solid((0.0, 0.0, 0.0), (4.0, 4.0, 2.0)), solid((6.0, 0.0, 0.0), (9.0, 4.0, 2.1))];
    let ground = level((0.0, 0.0), (14.0, 4.0), 0.0);
    let links = |max_drop, max_gap, extra: Option<BakeMesh>| {
        let jumps = BakeSettings { max_drop, max_gap, ..settings(14, 4) };
        let meshes: Vec<_> = [ground.clone()].into_iter().chain(blocks.clone()).chain(extra).collect();
        let of = |kind, links: &[pathfind_core::bake::BakedLink]| {
            links.iter().filter(|link| link.kind == kind).count()
        };
        let all = bake(jumps, &meshes).links();
        (of(BakedLinkKind::Drop, &all), of(BakedLinkKind::Gap, &all))
    };
    assert_eq!(links(0.0, 0, None), (0, 0), "0 for none");
    assert_eq!(links(1.9, 0, None), (0, 0), "too high");
    assert_eq!(links(2.5, 0, None), (3, 0), "three ledges of four cells, each one link");
    assert_eq!(links(0.0, 1, None), (0, 0), "too wide");
    assert_eq!(links(0.0, 2, None), (0, 1), "over the gap");
    let wall = sheet([(4.9, 0.0, 2.5), (5.1, 0.0, 5.0), (5.1, 4.0, 5.0), (4.9, 4.0, 2.5)]);
    assert_eq!(links(2.5, 2, Some(wall)), (1, 0), "what hangs in the gap is in the way there");
}

#[test]
fn terrain_is_that_of_the_surface() {
    let ground = level((0.0, 0.0), (4.0, 2.0), 0.0).with_terrain(Terrain::SHALLOW);
    let road = level((0.0, 0.0), (2.0, 2.0), 0.001).with_terrain(Terrain::weight(2));
    let baked = bake(settings(4, 2), &[ground, road]);
    assert_eq!(baked.grid(0).terrain(GridCell::new(1, 0)), Some(Terrain::weight(2)));
    assert_eq!(baked.grid(0).terrain(GridCell::new(2, 0)), Some(Terrain::SHALLOW));
}
