//! Entities that are put elsewhere by `teleport_to`.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, solve::SolveMode, steer::PursuitAim};

use crate::support::*;

fn teleport(app: &mut App, entity: Entity, to: Vec3) {
    app.world_mut().commands().entity(entity).teleport_to(to);
    app.world_mut().flush();
}

#[test]
fn an_agent_stands_and_goes_to_its_goal_from_its_new_place() {
    for mode in [SolveMode::Inline, SolveMode::Background] {
        let mut app = app(mode);
        spawn_grid(&mut app, grid("................\n".repeat(14).trim()));
        let agent = send(&mut app, (1, 1), (14, 1));
        until(&mut app, "it is on its way", |app| position(app, agent).x > 4.0);
        teleport(&mut app, agent, at((1, 12)));
        assert_eq!(position(&app, agent), at((1, 12)));
        assert_eq!(velocity(&app, agent), Vec3::ZERO, "it stands");
        assert!(!has_path(&app, agent), "its old path is not followed any more");
        until(&mut app, "it has a path", |app| has_path(app, agent));
        let left = path(&app, agent).remaining_length(position(&app, agent));
        assert!(left < 18.0, "straight from there: {left}");
        all_arrive(&mut app, &[agent]);
        stands_at(&app, agent, (14, 1), 0.5);
    }
}

#[test]
fn a_child_comes_to_the_point_of_the_world() {
    let mut app = app(SolveMode::Inline);
    let turned = Transform::from_xyz(5.0, -2.0, 0.0)
        .with_rotation(Quat::from_rotation_z(1.0))
        .with_scale(Vec3::splat(2.0));
    let grandparent = app.world_mut().spawn(turned).id();
    let parent = app.world_mut().spawn((ChildOf(grandparent), Transform::from_xyz(1.0, 1.0, 0.0))).id();
    let child = app.world_mut().spawn((Agent::default(), ChildOf(parent), Transform::default())).id();
    teleport(&mut app, child, Vec3::new(7.0, 3.0, 0.0));
    let place = turned.transform_point(position(&app, child) + Vec3::new(1.0, 1.0, 0.0));
    assert!(place.distance(Vec3::new(7.0, 3.0, 0.0)) < 1e-4, "{place}");
}

#[test]
fn nonsense_is_ignored() {
    let mut app = app(SolveMode::Inline);
    let agent = spawn_agent(&mut app, (3, 3));
    for nonsense in [Vec3::NAN, Vec3::splat(f32::INFINITY)] {
        teleport(&mut app, agent, nonsense);
        assert_eq!(position(&app, agent), at((3, 3)));
    }
    let nowhere = app.world_mut().spawn_empty().id();
    teleport(&mut app, nowhere, Vec3::ZERO);
    let flat = app.world_mut().spawn(Transform::from_scale(Vec3::ZERO)).id();
    let child = app.world_mut().spawn((ChildOf(flat), Transform::from_xyz(1.0, 2.0, 0.0))).id();
    teleport(&mut app, child, Vec3::ONE);
    assert!(
        position(&app, child).is_finite(),
        "no point inside a parent of scale 0 is anywhere in the world"
    );
}

#[test]
fn a_short_jump_of_the_target_is_not_taken_for_speed() {
    // A move of half a unit in a tick is 32 units a second: less than twenty times the pursuer's speed.
    let aims_ahead = |moves: fn(&mut App, Entity, Vec3)| -> f32 {
        let mut app = app(SolveMode::Inline);
        let target = app.world_mut().spawn(Transform::from_xyz(8.0, 0.0, 0.0)).id();
        let hunter = (Agent::new(20.0), Pursuer::intercept(target), Transform::default());
        let hunter = app.world_mut().spawn(hunter).id();
        ticks(&mut app, 10);
        let to = Vec3::new(8.0, 0.5, 0.0);
        moves(&mut app, target, to);
        ticks(&mut app, 1);
        app.world().get::<PursuitAim>(hunter).unwrap().point.distance(to)
    };
    assert!(aims_ahead(teleport) < 1e-3, "a teleport is no velocity");
    let put = |app: &mut App, target, to| {
        app.world_mut().get_mut::<Transform>(target).unwrap().translation = to;
    };
    assert!(aims_ahead(put) > 1.0, "a fast move is one");
}
