//! Tests that avoiders see avian's colliders, that avian moves agents that are its bodies, and that grids are baked from
//! colliders: `cargo test -p bevy_pathfind --features avian3d --test avian`.

use avian3d::prelude::*;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pathfind::prelude::*;
use bevy_pathfind::world::BakedGround;

/// An agent driven towards a collider, which only its avoider keeps it away from: how near it comes to the
/// collider's centre, and how far it gets.
fn nearest(avoider: Option<Avoider>, layers: CollisionLayers) -> (f32, f32) {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, PhysicsPlugins::default(), PathfindPlugins::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(NavSettings::default().with_up(Vec3::Y));
    app.finish();
    app.cleanup();
    let pillar = Vec3::new(0.0, 0.0, 0.2);
    app.world_mut().spawn((
        RigidBody::Static,
        Collider::sphere(1.0),
        layers,
        Transform::from_translation(pillar),
    ));
    let agent = (Agent::default(), ManualVelocity(Vec3::X * 4.0), Transform::from_xyz(-6.0, 0.0, 0.0));
    let agent = app.world_mut().spawn(agent).id();
    if let Some(avoider) = avoider {
        app.world_mut().entity_mut(agent).insert(avoider);
    }
    let mut nearest = f32::INFINITY;
    let mut at = Vec3::ZERO;
    for _ in 0..250 {
        app.update();
        at = app.world().get::<Transform>(agent).unwrap().translation;
        nearest = nearest.min(at.distance(pillar));
    }
    (nearest, at.x)
}

#[test]
fn an_avoider_goes_round_a_collider_and_others_do_not() {
    let all = CollisionLayers::default();
    let (gap, _) = nearest(None, all);
    assert!(gap < 0.5, "the plugin's own motion knows no colliders: {gap}");
    for avoider in [Avoider::contact(), Avoider::ray(4.0)] {
        let (gap, _) = nearest(Some(avoider), all);
        assert!(gap > 1.0, "{:?} keeps out of it: {gap}", avoider.obstacles);
    }
    let (gap, far) = nearest(Some(Avoider::contact()), all);
    assert!(gap > 1.35 && far > 3.0, "with its whole width it passes: {gap}, {far}");
}

#[test]
fn a_collider_on_another_layer_is_not_seen() {
    let layers = CollisionLayers::new(LayerMask(2), LayerMask::ALL);
    let (gap, _) = nearest(Some(Avoider::contact().with_mask(4)), layers);
    assert!(gap < 0.5, "it walks as if nothing were there: {gap}");
    let (gap, _) = nearest(Some(Avoider::contact().with_mask(2)), layers);
    assert!(gap > 1.35, "on a layer that it sees it goes round: {gap}");
}

/// A hall with a wall across it, and a door in the wall.
const HALL: &str = "\
    ..........#.........\n\
    ..........#.........\n\
    ..........#.........\n\
    ....................\n\
    ....................\n\
    ..........#.........\n\
    ..........#.........\n";

/// The hall with colliders where it has walls, under gravity.
fn hall() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, PhysicsPlugins::default(), PathfindPlugins::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(NavSettings::default().with_up(Vec3::Y));
    app.finish();
    app.cleanup();
    let nav = NavGrid::from_ascii(HALL).expect("it is a map").with_plane(GridPlane::Xz);
    for cell in nav.grid().bounds().cells() {
        if nav.grid().terrain(cell) == Some(Terrain::WALL) {
            let at = Transform::from_xyz(cell.x as f32 + 0.5, 0.5, cell.y as f32 + 0.5);
            app.world_mut().spawn((RigidBody::Static, Collider::cuboid(1.0, 1.0, 1.0), at));
        }
    }
    let floor = Transform::from_xyz(10.0, -0.5, 3.5);
    app.world_mut().spawn((RigidBody::Static, Collider::cuboid(40.0, 1.0, 40.0), floor));
    app.world_mut().spawn(nav);
    app
}

fn body(kind: RigidBody, at: Vec3) -> impl Bundle {
    (
        Agent::new(4.0),
        (kind, Collider::sphere(0.4), Friction::ZERO, LockedAxes::ROTATION_LOCKED),
        Transform::from_translation(at + Vec3::Y * 0.4),
    )
}

fn place(app: &App, entity: Entity) -> Vec3 {
    app.world().get::<Transform>(entity).expect("it is there").translation
}

/// How far a point is from the way that a path leads.
fn distance_to(way: &[Vec3], point: Vec3) -> f32 {
    let nearest = |ends: &[Vec3]| {
        let along = ends[1] - ends[0];
        let share = (point - ends[0]).dot(along) / along.length_squared().max(f32::EPSILON);
        (ends[0] + along * share.clamp(0.0, 1.0)).with_y(0.0).distance(point.with_y(0.0))
    };
    way.windows(2).map(nearest).fold(f32::INFINITY, f32::min)
}

#[test]
fn bodies_walk_through_a_door_push_a_crate_and_stay_on_their_path() {
    for kind in [RigidBody::Dynamic, RigidBody::Kinematic] {
        let mut app = hall();
        let start = Vec3::new(2.5, 0.0, 0.5);
        let agent =
            app.world_mut().spawn((body(kind, start), PathRequest::to(Vec3::new(17.5, 0.0, 0.5)))).id();
        // Beside the line to the door, so that it is pushed aside.
        let crate_at = Vec3::new(5.5, 0.35, 2.1);
        let goods =
            (RigidBody::Dynamic, Collider::cuboid(0.7, 0.7, 0.7), Transform::from_translation(crate_at));
        let goods = app.world_mut().spawn(goods).id();
        let (mut way, mut farthest, mut lowest) = (Vec::new(), 0.0_f32, 0.0_f32);
        for _ in 0..600 {
            app.update();
            if let Some(path) = app.world().get::<NavPath>(agent) {
                if way.is_empty() {
                    way = path.waypoints().to_vec();
                }
                farthest = farthest.max(distance_to(&way, place(&app, agent)));
            }
            lowest = lowest.min(place(&app, agent).y - 0.4);
        }
        let end = place(&app, agent);
        assert_eq!(app.world().get::<PathStatus>(agent), Some(&PathStatus::Arrived), "{kind:?} at {end}");
        assert!(end.with_y(0.0).distance(Vec3::new(17.5, 0.0, 0.5)) < 0.2, "{kind:?}: {end}");
        assert!(way.len() > 2, "{kind:?}: the way leads through the door");
        assert!(farthest < 0.1, "{kind:?}: it left its path by {farthest}");
        assert!(lowest > -0.1, "{kind:?}: it stands on the floor: {lowest}");
        let pushed = place(&app, goods).distance(crate_at);
        assert!(pushed > 0.3, "{kind:?}: the crate was moved by {pushed}");
        assert!(place(&app, goods).y > 0.2, "{kind:?}: and stands on the floor");
    }
}

#[test]
fn the_velocity_of_an_agent_is_that_of_its_body() {
    let mut app = hall();
    let agent = app.world_mut().spawn(body(RigidBody::Dynamic, Vec3::new(2.5, 0.0, 3.5))).id();
    app.world_mut().entity_mut(agent).insert(PathRequest::to(Vec3::new(17.5, 0.0, 3.5)));
    let block = (RigidBody::Static, Collider::cuboid(0.5, 2.0, 2.0), Transform::from_xyz(6.0, 0.5, 3.5));
    app.world_mut().spawn(block);
    (0..240).for_each(|_| app.update());
    let at = place(&app, agent);
    assert!(at.x < 5.5, "the engine stops it at a collider that the grid does not know: {at}");
    let velocity = app.world().get::<AgentVelocity>(agent).unwrap().0;
    assert!(velocity.length() < 1.0, "and it knows that it is stopped: {velocity}");
}

#[test]
fn a_body_falls_and_one_that_becomes_none_is_moved_by_the_plugin() {
    let mut app = hall();
    let agent = app.world_mut().spawn(body(RigidBody::Dynamic, Vec3::new(2.5, 3.0, 3.5))).id();
    app.world_mut().entity_mut(agent).insert(PathRequest::to(Vec3::new(17.5, 0.0, 3.5)));
    (0..20).for_each(|_| app.update());
    assert!(place(&app, agent).y < 3.0, "it falls while it walks: {}", place(&app, agent));
    app.world_mut().entity_mut(agent).remove::<(RigidBody, Collider)>();
    (0..400).for_each(|_| app.update());
    let end = place(&app, agent);
    assert!(end.with_y(0.0).distance(Vec3::new(17.5, 0.0, 3.5)) < 0.2, "{end}");
}

#[test]
fn colliders_below_a_terrain_are_baked_where_they_stand() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, PhysicsPlugins::default(), PathfindPlugins::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.cleanup();
    let bake = NavGridBake::new(Vec3::new(6.0, 4.0, 6.0)).with_inline(true);
    let bake = app.world_mut().spawn((bake, Transform::from_xyz(0.0, 3.0, 0.0))).id();
    let level = app.world_mut().spawn((BakeTerrain::default(), Transform::default())).id();
    let mut place = |shape, at| app.world_mut().spawn((RigidBody::Static, shape, at, ChildOf(level))).id();
    place(Collider::half_space(Vec3::Y), Transform::default());
    place(Collider::cuboid(12.0, 1.0, 12.0), Transform::from_xyz(0.0, -0.5, 0.0));
    // Twice as wide as its shape.
    let pillar = Transform::from_xyz(3.25, 1.5, 0.25).with_scale(Vec3::new(2.0, 1.0, 2.0));
    let pillar = place(Collider::cylinder(0.5, 3.0), pillar);
    let ball = place(Collider::sphere(1.0), Transform::from_xyz(-3.25, 0.8, 0.25));
    for _ in 0..4 {
        app.update();
    }
    let walkable = |app: &App| -> Vec<bool> {
        let floor = app.world().get::<BakedGround>(bake).expect("it is baked").floors[0];
        let nav = app.world().get::<NavGrid>(floor).expect("a floor");
        // Ground at the height of the world's origin, along the middle row.
        (0..24)
            .map(|x| {
                let cell = GridCell::new(x, 12);
                nav.is_walkable(KindId::default(), cell) && (nav.elevation(cell) - 2.0).abs() < 0.01
            })
            .collect()
    };
    let blocked: Vec<_> = (0..24).filter(|&x| !walkable(&app)[x]).collect();
    assert_eq!(blocked, [3, 4, 5, 6, 7, 16, 17, 18, 19, 20], "the ball, and the pillar");
    app.world_mut().get_mut::<Transform>(pillar).expect("the pillar").translation.z = 40.0;
    app.world_mut().entity_mut(ball).remove::<Collider>();
    for _ in 0..4 {
        app.update();
    }
    assert!(walkable(&app).into_iter().all(|it| it));
}
