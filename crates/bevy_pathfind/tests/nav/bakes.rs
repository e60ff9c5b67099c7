//! Grids baked from geometry: found, followed when something moves, taken away, and refused.

use std::f32::consts::FRAC_PI_2;

use bevy::prelude::*;
use bevy_pathfind::prelude::*;
use bevy_pathfind::solve::SolveMode;
use bevy_pathfind::world::{
    BakeError, BakeFailed, BakeMesh, BakeSource, BakedGround, GridBaked, NavGridBake, Standalone,
};

use crate::support::{app, arrives, nav_grid, status, ticks, until};

#[derive(Resource, Default)]
struct Told {
    baked: Vec<GridBaked>,
    failed: Vec<BakeFailed>,
}

fn baking_app() -> App {
    let mut app = app(SolveMode::Inline);
    app.init_resource::<Told>()
        .add_observer(|on: On<GridBaked>, mut told: ResMut<Told>| told.baked.push(on.event().clone()))
        .add_observer(|on: On<BakeFailed>, mut told: ResMut<Told>| told.failed.push(on.event().clone()));
    app
}

fn told(app: &App) -> &Told {
    app.world().resource::<Told>()
}

fn block(low: Vec3, high: Vec3) -> BakeSource {
    BakeSource::new(BakeMesh::cuboid(low, high))
}

fn ground(app: &App, bake: Entity) -> &BakedGround {
    app.world().get::<BakedGround>(bake).expect("a bake has its ground")
}

/// A box of 20 by 8 by 12 units with cells of half a unit, with ground at its bottom.
fn spawn_level(app: &mut App, is_inline: bool) -> Entity {
    let bake = NavGridBake::new(Vec3::new(10.0, 4.0, 6.0)).with_inline(is_inline);
    let bake = app.world_mut().spawn((bake, Transform::from_xyz(0.0, 3.0, 0.0))).id();
    app.world_mut().spawn(block(Vec3::new(-10.0, -1.0, -6.0), Vec3::new(10.0, 0.0, 6.0)));
    bake
}

/// Whether the lowest ground, 2 cells above the bottom of the box, is walkable in a column of row 12.
fn is_ground(app: &App, floor: Entity, x: i32) -> bool {
    let (nav, cell) = (nav_grid(app, floor), GridCell::new(x, 12));
    nav.is_walkable(KindId::default(), cell) && nav.elevation(cell) == 2.0
}

/// A road along Z under a bridge along X, with ramps.
fn spawn_bridge(app: &mut App) {
    let wedge = |x: f32, to: f32| {
        let foot = [Vec3::new(x, 0.0, -2.0), Vec3::new(x, 0.0, 2.0)];
        let top = foot.map(|it| it.with_x(to) + Vec3::Y * 3.0);
        let below = foot.map(|it| it.with_x(to));
        let corners = foot.into_iter().chain(top).chain(below).collect();
        let sides = [[0, 1, 3], [0, 3, 2], [4, 2, 3], [4, 3, 5], [0, 4, 5], [0, 5, 1], [0, 2, 4], [1, 5, 3]];
        BakeSource::new(BakeMesh::new(corners, sides.into()).expect("a wedge"))
    };
    app.world_mut().spawn(wedge(-8.0, -3.0));
    app.world_mut().spawn(wedge(8.0, 3.0));
    app.world_mut().spawn(block(Vec3::new(-3.0, 2.7, -2.0), Vec3::new(3.0, 3.0, 2.0)));
}

fn walker(app: &mut App, from: Vec3, to: Vec3) -> Entity {
    app.world_mut().spawn((Agent::new(4.0), PathRequest::to(to), Transform::from_translation(from))).id()
}

#[test]
fn an_agent_walks_over_a_bridge_and_under_it() {
    for is_inline in [true, false] {
        let mut app = baking_app();
        let bake = spawn_level(&mut app, is_inline);
        spawn_bridge(&mut app);
        app.update();
        assert!(!is_inline || told(&app).baked.len() == 1, "inline it is there in the same tick");
        until(&mut app, "it is baked", |app| !told(app).baked.is_empty());
        let event = &told(&app).baked[0];
        assert_eq!((event.entity, event.floors, event.cells), (bake, 2, None));
        let floors = ground(&app, bake).floors.clone();
        assert!(floors.iter().all(|&floor| app.world().get::<Standalone>(floor).is_some()));
        let deck = Vec3::new(0.0, 3.0, 0.5);
        let over = walker(&mut app, Vec3::new(-9.2, 0.0, 0.3), deck);
        let under = walker(&mut app, Vec3::new(0.3, 0.0, -5.2), Vec3::new(0.3, 0.0, 0.3));
        arrives(&mut app, over, deck);
        arrives(&mut app, under, Vec3::new(0.3, 0.0, 0.3));
    }
}

#[test]
fn a_door_that_moves_edits_its_own_cells_alone() {
    let mut app = baking_app();
    let bake = spawn_level(&mut app, true);
    // A wall with a gap, and a door in the gap, turned by a quarter.
    app.world_mut().spawn(block(Vec3::new(-0.5, 0.0, -6.0), Vec3::new(0.5, 3.0, -1.0)));
    app.world_mut().spawn(block(Vec3::new(-0.5, 0.0, 1.0), Vec3::new(0.5, 3.0, 6.0)));
    let door = block(Vec3::new(-1.0, 0.0, -0.5), Vec3::new(1.0, 2.0, 0.5));
    let shut = Transform::from_rotation(Quat::from_rotation_y(FRAC_PI_2));
    let door = app.world_mut().spawn((door, shut)).id();
    ticks(&mut app, 3);
    assert_eq!(told(&app).baked.len(), 1, "nothing moves, nothing is baked again");
    let floor = ground(&app, bake).floors[0];
    let agent = walker(&mut app, Vec3::new(-7.0, 0.0, 0.2), Vec3::new(7.0, 0.0, 0.2));
    until(&mut app, "it stands before the door", |app| {
        matches!(status(app, agent), PathStatus::EndedShort(_))
    });
    let before = nav_grid(&app, floor).revision();
    app.world_mut().get_mut::<Transform>(door).expect("the door").translation.y = 9.0;
    app.update();
    let changes: Vec<CellRect> =
        nav_grid(&app, floor).changes_since(before).expect("the journal holds them").collect();
    let all = changes.iter().copied().reduce(CellRect::union).expect("the door opened");
    let gap = CellRect::new(GridCell::new(18, 9), GridCell::new(21, 14));
    assert!(gap.intersection(all) == Some(all), "{changes:?}");
    assert!(told(&app).baked[1].cells.is_some());
    arrives(&mut app, agent, Vec3::new(7.0, 0.0, 0.2));
    // Despawned, it is gone as well; one that appears blocks the gap again.
    let anew = block(Vec3::new(-0.5, 0.0, -1.0), Vec3::new(0.5, 2.0, 1.0));
    let is_open = |app: &App| is_ground(app, floor, 20);
    let anew = app.world_mut().spawn(anew).id();
    app.update();
    assert!(!is_open(&app));
    app.world_mut().despawn(anew);
    app.update();
    assert!(is_open(&app));
}

#[test]
fn terrain_comes_from_the_nearest_entity_above() {
    let mut app = baking_app();
    let bake = spawn_level(&mut app, true);
    let swamp = app.world_mut().spawn((BakeTerrain(Terrain::SHALLOW), Transform::default())).id();
    let slab = block(Vec3::new(0.0, 0.0, 0.0), Vec3::new(4.0, 0.1, 4.0));
    app.world_mut().spawn((slab, ChildOf(swamp)));
    app.update();
    let floor = ground(&app, bake).floors[0];
    let at = |app: &App| nav_grid(app, floor).terrain(GridCell::new(22, 14));
    assert_eq!(at(&app), Some(Terrain::SHALLOW));
    app.world_mut().entity_mut(swamp).insert(BakeTerrain(Terrain::weight(3)));
    app.update();
    assert_eq!(at(&app), Some(Terrain::weight(3)));
}

#[test]
fn a_bake_that_is_removed_takes_its_grids_along() {
    for is_inline in [true, false] {
        let mut app = baking_app();
        let bake = spawn_level(&mut app, is_inline);
        spawn_bridge(&mut app);
        if is_inline {
            app.update();
        } else {
            // Under way, or done: in the task, in any case.
            app.world_mut().run_schedule(FixedUpdate);
        }
        app.world_mut().entity_mut(bake).remove::<NavGridBake>();
        ticks(&mut app, 20);
        let grids = app.world_mut().query::<&NavGrid>().iter(app.world()).count();
        let links = app.world_mut().query::<&NavLink>().iter(app.world()).count();
        assert_eq!((grids, links), (0, 0), "inline: {is_inline}");
        app.world_mut().entity_mut(bake).insert(NavGridBake::default().with_inline(true));
        app.update();
        assert_eq!(ground(&app, bake).floors.len(), 2, "and comes again");
        app.world_mut().despawn(bake);
        app.update();
        assert_eq!(app.world_mut().query::<&NavGrid>().iter(app.world()).count(), 0);
    }
}

#[test]
fn what_cannot_be_baked_is_told_once_and_does_no_harm() {
    let mut app = baking_app();
    let bake = spawn_level(&mut app, true);
    app.update();
    let bad = [
        NavGridBake { cell_size: f32::NAN, ..default() },
        NavGridBake { cell_size: 0.0, ..default() },
        NavGridBake { cell_size: -1.0, ..default() },
        NavGridBake { half_size: Vec3::splat(f32::INFINITY), ..default() },
        NavGridBake { half_size: Vec3::new(1e6, 1.0, 1e6), ..default() },
        NavGridBake { step: f32::NAN, ..default() },
        NavGridBake { head_room: 0.1, ..default() },
        NavGridBake { max_gap: 1e9, ..default() },
    ];
    for (count, settings) in bad.into_iter().enumerate() {
        app.world_mut().entity_mut(bake).insert(settings.with_inline(true));
        ticks(&mut app, 5);
        assert_eq!(told(&app).failed.len(), count + 1, "{settings:?}");
    }
    assert!(matches!(told(&app).failed[5].error, BakeError::BadSetting { .. }));
    // A source that is nowhere is left out, and so is one with no extent.
    app.world_mut().spawn((block(Vec3::ZERO, Vec3::ONE), Transform::from_xyz(f32::NAN, 0.0, 0.0)));
    app.world_mut().spawn((block(Vec3::ZERO, Vec3::ONE), Transform::from_scale(Vec3::ZERO)));
    app.world_mut().entity_mut(bake).insert(NavGridBake::default().with_inline(true));
    ticks(&mut app, 3);
    assert_eq!(told(&app).failed.len(), 8);
    assert_eq!(told(&app).baked.len(), 2);
}

#[cfg(feature = "meshes")]
#[test]
fn meshes_below_a_terrain_are_sources_when_they_are_loaded() {
    let mut app = baking_app();
    app.add_plugins((AssetPlugin::default(), bevy::mesh::MeshPlugin, TransformPlugin));
    let bake = spawn_level(&mut app, true);
    let scene = app.world_mut().spawn((BakeTerrain::default(), Transform::from_xyz(2.0, 0.0, 0.0))).id();
    let handle = app.world().resource::<Assets<Mesh>>().reserve_handle();
    let wall = app.world_mut().spawn((Mesh3d(handle.clone()), ChildOf(scene))).id();
    let other = app.world_mut().spawn((Mesh3d(handle.clone()), Transform::from_xyz(-4.0, 0.0, 0.0))).id();
    ticks(&mut app, 2);
    let floor = ground(&app, bake).floors[0];
    let is_open = |app: &App, x: i32| is_ground(app, floor, x);
    assert!(is_open(&app, 24), "it is not loaded");
    let mesh = Cuboid::new(1.0, 3.0, 1.0).mesh().build();
    app.world_mut().resource_mut::<Assets<Mesh>>().insert(&handle, mesh).expect("it was reserved");
    ticks(&mut app, 3);
    assert!(!is_open(&app, 24) && is_open(&app, 12), "only the one below the terrain");
    assert!(app.world().get::<BakeSource>(other).is_none());
    app.world_mut().entity_mut(wall).remove::<Mesh3d>();
    app.update();
    assert!(is_open(&app, 24));
}
