//! Tests that avoiders see avian's colliders: `cargo test -p bevy_pathfind --features avian3d --test avian`.

use avian3d::prelude::*;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pathfind::prelude::*;

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
