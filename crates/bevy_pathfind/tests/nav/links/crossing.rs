//! What happens to an agent while it crosses a link.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, solve::SolveMode};

use super::*;

#[test]
fn the_games_own_crossing_ends_when_the_game_says_so() {
    let (mut app, floors) = two_floors(SolveMode::Inline);
    let lift = spawn_link(&mut app, stairs(floors, (5, 1)).with_crossing(LinkMotion::Custom));
    let agent = walker(&mut app, 0, (1, 1));
    order(&mut app, agent, on_floor(1, (1, 1)));
    until(&mut app, "it is at the lift", |app| status(app, agent) == PathStatus::Crossing);
    let waits = position(&app, agent);
    ticks(&mut app, 100);
    assert_eq!(position(&app, agent), waits, "it waits");
    let other = spawn_link(&mut app, stairs(floors, (9, 3)));
    app.world_mut().trigger(LinkCrossed { entity: agent, link: other });
    ticks(&mut app, 5);
    assert_eq!(status(&app, agent), PathStatus::Crossing, "that is another link");
    app.world_mut().trigger(LinkCrossed { entity: agent, link: lift });
    app.update();
    assert!((position(&app, agent).z - 3.0).abs() < 1e-4, "it is upstairs");
    arrives(&mut app, agent, on_floor(1, (1, 1)));
}

#[test]
fn another_order_on_the_stairs_is_obeyed_behind_them() {
    for mode in MODES {
        let (mut app, floors) = two_floors(mode);
        spawn_link(&mut app, stairs(floors, (8, 1)));
        let agent = climber(&mut app, (5, 1));
        order(&mut app, agent, on_floor(0, (2, 3)));
        arrives(&mut app, agent, on_floor(0, (2, 3)));
        order(&mut app, agent, on_floor(1, (1, 1)));
        until(&mut app, "it climbs again", |app| position(app, agent).z > 1.0);
        app.world_mut().entity_mut(agent).remove::<PathRequest>();
        until(&mut app, "it stands above", |app| status(app, agent) == PathStatus::Idle);
        ticks(&mut app, 200);
        assert!(position(&app, agent).distance(on_floor(1, (8, 1))) < 1.5, "it has no order any more");
    }
}

#[test]
fn a_crossing_that_is_stopped_or_flown_over_ends_at_the_goal_all_the_same() {
    let (mut app, floors) = two_floors(SolveMode::Inline);
    spawn_link(&mut app, stairs(floors, (6, 1)));
    for flies in [false, true] {
        let agent = climber(&mut app, (3, 1));
        match flies {
            true => _ = app.world_mut().entity_mut(agent).insert(Airborne),
            false => _ = app.world_mut().entity_mut(agent).remove::<OnLink>(),
        }
        all_arrive(&mut app, &[agent]);
        let place = position(&app, agent);
        assert!(place.truncate().distance(at((1, 1)).truncate()) < 0.6 && place.z > 2.5, "{place}");
        assert!(!app.world().entity(agent).contains::<OnLink>());
        app.world_mut().despawn(agent);
    }
}

#[test]
fn a_crossing_can_end_at_the_event_with_which_it_begins() {
    let (mut app, floors) = two_floors(SolveMode::Inline);
    spawn_link(&mut app, stairs(floors, (5, 1)).with_crossing(LinkMotion::Custom));
    app.add_observer(|it: On<LinkReached>, mut commands: Commands, crossings: Query<Has<OnLink>>| {
        assert_eq!(crossings.get(it.entity).ok(), Some(true), "the crossing is on it");
        commands.trigger(LinkCrossed { entity: it.entity, link: it.link });
    });
    let agent = walker(&mut app, 0, (1, 1));
    order(&mut app, agent, on_floor(1, (1, 1)));
    arrives(&mut app, agent, on_floor(1, (1, 1)));
}

#[test]
fn a_teleport_on_the_stairs_ends_the_crossing() {
    let (mut app, floors) = two_floors(SolveMode::Inline);
    spawn_link(&mut app, stairs(floors, (5, 1)));
    let agent = climber(&mut app, (3, 1));
    app.world_mut().commands().entity(agent).teleport_to(on_floor(0, (9, 3)));
    ticks(&mut app, 2);
    assert!(position(&app, agent).distance(on_floor(0, (9, 3))) < 0.5);
    arrives(&mut app, agent, on_floor(1, (1, 1)));
}

#[test]
fn the_far_end_moves_with_its_grid() {
    let (mut app, [quay, ship]) = two_floors(SolveMode::Inline);
    spawn_link(&mut app, stairs([quay, ship], (5, 1)));
    let agent = climber(&mut app, (3, 1));
    app.world_mut().get_mut::<Transform>(ship).unwrap().translation.y += 20.0;
    until(&mut app, "it is aboard", |app| status(app, agent) != PathStatus::Crossing);
    assert!(position(&app, agent).distance(on_floor(1, (5, 21))) < 0.6, "{}", position(&app, agent));
}

#[test]
fn an_agent_of_speed_0_stops_on_the_stairs_and_before_a_portal() {
    for crossing in [LinkMotion::Walk, LinkMotion::Jump { height: 1.0 }, LinkMotion::Teleport] {
        let (mut app, floors) = two_floors(SolveMode::Inline);
        spawn_link(&mut app, stairs(floors, (5, 1)).with_crossing(crossing));
        let agent = walker(&mut app, 0, (2, 1));
        order(&mut app, agent, on_floor(1, (1, 1)));
        until(&mut app, "it is there", |app| {
            let at = position(app, agent);
            at.z > 0.5 || crossing == LinkMotion::Teleport && at.x > 5.0
        });
        app.world_mut().get_mut::<Agent>(agent).unwrap().speed = 0.0;
        ticks(&mut app, 20);
        let waits = position(&app, agent);
        ticks(&mut app, 100);
        assert_eq!(
            (position(&app, agent), velocity(&app, agent)),
            (waits, Vec3::ZERO),
            "{crossing:?}: it waits"
        );
        assert!(waits.z < 3.0, "{crossing:?}: it is not above yet");
        app.world_mut().get_mut::<Agent>(agent).unwrap().speed = 5.0;
        arrives(&mut app, agent, on_floor(1, (1, 1)));
    }
}

#[test]
fn a_request_that_is_put_back_on_the_stairs_is_served() {
    for is_stopped in [false, true] {
        let (mut app, floors) = two_floors(SolveMode::Inline);
        spawn_link(&mut app, stairs(floors, (8, 1)));
        let agent = climber(&mut app, (5, 1));
        app.world_mut().entity_mut(agent).remove::<PathRequest>();
        ticks(&mut app, 2);
        assert_eq!(status(&app, agent), PathStatus::Crossing, "it goes on to the far end");
        order(&mut app, agent, on_floor(1, (2, 3)));
        ticks(&mut app, 2);
        if is_stopped {
            app.world_mut().entity_mut(agent).remove::<OnLink>();
        }
        all_arrive(&mut app, &[agent]);
        let place = position(&app, agent).truncate();
        assert!(place.distance(at((2, 3)).truncate()) < 0.6, "stopped: {is_stopped}: {place}");
    }
}

#[test]
fn a_crossing_that_does_not_reach_its_end_leaves_the_agent_on_the_ground() {
    type Stop = fn(&mut App, Entity, Entity);
    let cases: [(&str, Stop, f32); 3] = [
        ("removed", |app, agent, _| _ = app.world_mut().entity_mut(agent).remove::<OnLink>(), 3.0),
        (
            "flown over",
            |app, agent, _| {
                app.world_mut().entity_mut(agent).insert(Airborne);
                ticks(app, 100);
                app.world_mut().entity_mut(agent).remove::<Airborne>();
            },
            3.0,
        ),
        ("its floor is gone", |app, _, upper| _ = app.world_mut().despawn(upper), 0.0),
    ];
    for (what, stop, floor) in cases {
        // The height of the agent's origin above its feet, or in 2D the order of drawing.
        for height in [0.0, 0.9] {
            let (mut app, floors) = two_floors(SolveMode::Inline);
            spawn_link(&mut app, stairs(floors, (6, 1)));
            let agent = walker(&mut app, 0, (3, 1));
            app.world_mut().get_mut::<Transform>(agent).unwrap().translation.z = height;
            order(&mut app, agent, on_floor(1, (1, 1)));
            until(&mut app, "it climbs", |app| position(app, agent).z > 2.0);
            stop(&mut app, agent, floors[1]);
            ticks(&mut app, 64 * 6);
            let z = position(&app, agent).z;
            assert!((z - floor - height).abs() < 1e-3, "{what}: with an origin at {height} it is at {z}");
        }
    }
}

#[test]
fn a_saved_crossing_goes_on() {
    for has_tie in [false, true] {
        let (mut app, floors) = two_floors(SolveMode::Inline);
        // Upstairs two grids touch, so that a joined grid, which is not saved, holds the far end.
        let annex = Transform::from_xyz(10.0, 0.0, 3.0);
        let annex = app.world_mut().spawn((NavGrid::new(grid(ROOM)), annex)).id();
        let stairs = spawn_link(&mut app, stairs(floors, (6, 1)));
        let agent = walker(&mut app, 0, (3, 1));
        if has_tie {
            app.world_mut().entity_mut(agent).insert(OnGrid(floors[0]));
        }
        order(&mut app, agent, on_floor(1, (1, 1)));
        until(&mut app, "it climbs", |app| position(app, agent).z > 1.6);
        let text = ron::to_string(app.world().get::<OnLink>(agent).unwrap()).unwrap();
        let saved = crate::saving::save(app.world(), [floors[0], floors[1], annex, stairs, agent]);
        let mut app = links_app(SolveMode::Inline);
        let loaded = crate::saving::load(app.world_mut(), &saved);
        let agent = loaded[&agent];
        arrives(&mut app, agent, on_floor(1, (1, 1)));
        let place = position(&app, agent);
        assert!((place.z - 3.0).abs() < 1e-3, "it stands upstairs, at {place}");
        let on = app.world().get::<OnGrid>(agent).map(|on| on.0);
        assert_eq!(on, has_tie.then_some(loaded[&floors[1]]), "and is tied to the floor there");
        let read: OnLink = ron::from_str(&text).unwrap();
        assert_eq!(read.link(), stairs, "a format of one's own can hold it, too");
    }
}
