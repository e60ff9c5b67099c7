//! The game `stealth`: guards patrol, see, chase and give up.

use bevy::prelude::*;
use bevy_pathfind::prelude::*;

use super::{play, seconds, stealth};

/// The stealth game, its thief, and its guards in the order of their numbers.
fn museum() -> (App, Entity, Vec<Entity>) {
    let mut app = play(stealth::game);
    let mut thief = app.world_mut().query_filtered::<Entity, With<stealth::Thief>>();
    let thief = thief.single(app.world()).expect("there is one thief");
    let mut guards = app.world_mut().query_filtered::<(&AgentId, Entity), With<stealth::Guard>>();
    let mut guards: Vec<_> = guards.iter(app.world()).map(|(&id, guard)| (id, guard)).collect();
    guards.sort_unstable();
    assert_eq!(guards.len(), 3);
    (app, thief, guards.into_iter().map(|(_, guard)| guard).collect())
}

/// Puts an agent on a cell, turned by an angle from the right.
fn put(app: &mut App, agent: Entity, cell: (i32, i32), heading: f32) {
    let at = Transform::from_translation(stealth::center(cell));
    app.world_mut().entity_mut(agent).insert(at.with_rotation(Quat::from_rotation_z(heading)));
}

fn place(app: &App, agent: Entity) -> Vec3 {
    app.world().get::<Transform>(agent).expect("it has a place").translation
}

fn is_chasing(app: &App, guard: Entity) -> bool {
    app.world().get::<Pursuer>(guard).is_some()
}

fn toggle(app: &mut App, (x, y): (i32, i32)) {
    app.world_mut().trigger(stealth::ToggleDoor(GridCell::new(x, y)));
    app.world_mut().flush();
}

/// Runs the stealth game: how often a guard turns to another goal, and on which cells it is.
fn follow(app: &mut App, guard: Entity, seconds: f32) -> (usize, Vec<(i32, i32)>) {
    let next = |app: &App| app.world().get::<GoalQueue>(guard).expect("it has a patrol").next;
    let (mut turns, mut last, mut cells) = (0, next(app), Vec::new());
    for _ in 0..(seconds * 64.0) as usize {
        app.update();
        turns += usize::from(core::mem::replace(&mut last, next(app)) != last);
        let at = place(app, guard);
        cells.push((at.x.floor() as i32, (-at.y).floor() as i32));
    }
    (turns, cells)
}

#[test]
fn guards_walk_their_rounds_and_go_round_shut_doors() {
    let door = (8, 2);
    let is_in_corridor = |cell: &(i32, i32)| cell.1 == 5 || cell.1 == 6;
    let (mut app, thief, guards) = museum();
    let (turns, cells) = follow(&mut app, guards[0], 30.0);
    assert!(turns >= 2 && cells.contains(&door), "through the door: {turns} turns");
    assert!(!cells.iter().any(is_in_corridor), "that is the shortest way");
    for &guard in &guards {
        assert!(follow(&mut app, guard, 40.0).0 >= 2, "each walks to and fro");
        assert!(!is_chasing(&app, guard));
    }
    assert_eq!(place(&app, thief), stealth::center((2, 9)), "no guard has seen the thief");

    let (mut app, _, guards) = museum();
    toggle(&mut app, door);
    let (turns, cells) = follow(&mut app, guards[0], 45.0);
    assert!(turns >= 2 && cells.iter().any(is_in_corridor), "through the corridor: {turns} turns");
    assert!(!cells.contains(&door), "the guard does not walk through a shut door");
    let revision = |app: &mut App| {
        app.world_mut().query::<&NavGrid>().single(app.world()).expect("there is one map").revision()
    };
    let before = revision(&mut app);
    toggle(&mut app, (0, 0));
    toggle(&mut app, (2, 2));
    assert_eq!(revision(&mut app), before, "only doors open and shut");
}

#[test]
fn guards_see_in_a_cone_and_not_through_walls() {
    let spots = |guard: (i32, i32), heading: f32, thief_at: (i32, i32), doors: &[(i32, i32)]| {
        let (mut app, thief, guards) = museum();
        doors.iter().for_each(|&door| toggle(&mut app, door));
        put(&mut app, guards[1], guard, heading);
        put(&mut app, thief, thief_at, 0.0);
        app.update();
        is_chasing(&app, guards[1])
    };
    let (up, down) = (core::f32::consts::FRAC_PI_2, -core::f32::consts::FRAC_PI_2);
    for (guard, heading, thief, doors, is_seen, why) in [
        ((10, 6), 0.0, (15, 6), &[][..], true, "ahead"),
        ((10, 6), 0.0, (13, 5), &[], true, "ahead, to the side"),
        ((10, 6), 0.0, (18, 6), &[], false, "too far away"),
        ((10, 6), 0.0, (5, 6), &[], false, "behind"),
        ((10, 6), 0.0, (11, 5), &[], false, "beside the cone"),
        ((4, 6), up, (4, 2), &[], true, "through an open door"),
        ((4, 6), up, (4, 2), &[(4, 4)], false, "behind a door that was shut"),
        ((6, 6), up, (6, 2), &[], false, "behind a wall"),
        ((24, 5), down, (24, 8), &[], false, "behind a shut door"),
        ((24, 5), down, (24, 8), &[(24, 7)], true, "through a door that was opened"),
    ] {
        assert_eq!(spots(guard, heading, thief, doors), is_seen, "{why}");
    }
}

#[test]
fn a_caught_thief_begins_again() {
    #[derive(Resource, Default)]
    struct Caught(u32);
    let (mut app, thief, guards) = museum();
    app.init_resource::<Caught>().add_observer(move |caught: On<CaughtBy>, mut count: ResMut<Caught>| {
        assert_eq!(caught.entity, thief);
        count.0 += 1;
    });
    put(&mut app, guards[1], (10, 6), 0.0);
    put(&mut app, thief, (14, 6), 0.0);
    app.world_mut().entity_mut(thief).insert(PathRequest::to(stealth::center((20, 6))));
    for _ in 0..64 * 10 {
        app.update();
        if app.world().resource::<Caught>().0 > 0 {
            break;
        }
        assert!(is_chasing(&app, guards[1]));
    }
    assert_eq!(app.world().resource::<Caught>().0, 1, "the guard is faster");
    seconds(&mut app, 1.0);
    let at = place(&app, thief);
    assert!(at.distance(stealth::center((2, 9))) < 0.5, "he is at the start, and stays there: {at}");
    seconds(&mut app, stealth::GIVE_UP);
    assert!(!is_chasing(&app, guards[1]), "the chase is over");
    assert!(follow(&mut app, guards[1], 50.0).0 >= 1, "the patrol goes on");
    assert_eq!(app.world().resource::<Caught>().0, 1);
}

#[test]
fn a_guard_that_loses_the_thief_searches_and_goes_back_to_its_patrol() {
    let seen_at = stealth::center((4, 2));
    // The thief is behind a door that is shut, or has gone away.
    for is_shut_in in [true, false] {
        let (mut app, thief, guards) = museum();
        [guards[0], guards[2]].iter().for_each(|&other| _ = app.world_mut().despawn(other));
        put(&mut app, guards[1], (4, 6), core::f32::consts::FRAC_PI_2);
        put(&mut app, thief, (4, 2), 0.0);
        app.update();
        assert!(is_chasing(&app, guards[1]));
        if is_shut_in {
            toggle(&mut app, (4, 4));
            toggle(&mut app, (8, 2));
        } else {
            put(&mut app, thief, (18, 9), 0.0);
        }
        seconds(&mut app, stealth::GIVE_UP - 0.25);
        assert!(is_chasing(&app, guards[1]), "it has not given up yet");
        let gap = place(&app, guards[1]).distance(seen_at);
        assert!(gap < 3.5 || !is_shut_in, "it stands before the shut door, and not on its patrol: {gap}");
        seconds(&mut app, 0.5);
        assert!(!is_chasing(&app, guards[1]), "it gives up");
        let (mut turned, mut nearest) = (0.0, f32::INFINITY);
        let mut before = *app.world().get::<Transform>(guards[1]).unwrap();

        for _ in 0..64 * 10 {
            app.update();
            let now = *app.world().get::<Transform>(guards[1]).unwrap();
            let moved = now.translation.distance(before.translation);
            nearest = now.translation.distance(seen_at).min(nearest);
            if moved < 1e-3 && now.translation.distance(seen_at) < nearest + 0.2 {
                turned += now.rotation.angle_between(before.rotation);
            }
            before = now;
        }
        let reach = if is_shut_in { 3.5 } else { 0.5 };
        assert!(nearest < reach, "it goes where it saw him last ({is_shut_in}): {nearest}");
        assert!(turned > 3.0, "there it looks around ({is_shut_in}): {turned}");
        assert!(follow(&mut app, guards[1], 60.0).0 >= 1, "the patrol goes on ({is_shut_in})");
        assert!(!is_chasing(&app, guards[1]));
    }
}

#[test]
fn the_thief_wins_at_the_treasure() {
    #[derive(Resource, Default)]
    struct Wins(u32);
    for doors in [&[][..], &[(25, 4), (20, 2)]] {
        let (mut app, thief, guards) = museum();
        app.init_resource::<Wins>().add_observer(|_: On<stealth::Won>, mut wins: ResMut<Wins>| wins.0 += 1);
        guards.iter().for_each(|&guard| _ = app.world_mut().despawn(guard));
        doors.iter().for_each(|&door| toggle(&mut app, door));
        let send = |app: &mut App, cell| {
            app.world_mut().entity_mut(thief).insert(PathRequest::to(stealth::center(cell)));
            seconds(app, 20.0);
            app.world().resource::<Wins>().0
        };
        assert_eq!(send(&mut app, (20, 6)), 0, "the treasure is elsewhere");
        let wins = send(&mut app, (26, 2));
        assert_eq!(wins == 1, doors.is_empty(), "{wins}: behind shut doors he cannot come to it");
        let status = app.world().get::<PathStatus>(thief).unwrap();
        assert_eq!(matches!(status, PathStatus::EndedShort(_)), !doors.is_empty());
    }
}
