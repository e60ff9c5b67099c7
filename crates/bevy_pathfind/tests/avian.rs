//! Tests that avoiders see avian's colliders, and that grids are baked from them: `cargo test -p bevy_pathfind --features avian3d --test avian`.

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
