//! Links, goals and maps that change while agents are under way.

use bevy::prelude::*;
use bevy_pathfind::{
    order::PartialReason,
    prelude::*,
    solve::{SolveMode, SolveSettings},
};

use super::*;

#[test]
fn a_door_that_is_shut_sends_agents_elsewhere_or_makes_them_wait() {
    for mode in MODES {
        let (mut app, rooms) = two_floors(mode);
        let door = spawn_link(&mut app, stairs(rooms, (8, 0)));
        let detour = spawn_link(&mut app, stairs(rooms, (0, 3)).with_cost(30.0));
        let agent = walker(&mut app, 0, (1, 0));
        let goal = on_floor(1, (9, 0));
        order(&mut app, agent, goal);
        until(&mut app, "it nears the door", |app| position(app, agent).x > 5.0);
        app.world_mut().get_mut::<NavLink>(door).unwrap().is_open = false;
        let link = |app: &App| app.world().get::<NavPath>(agent).and_then(NavPath::link);
        until(&mut app, "it turns to the other link", |app| link(app) == Some(detour));
        assert_eq!(count(&app, &LoggedEvent::Invalidated(agent)), 1);
        app.world_mut().despawn(detour);
        let is_short = PathStatus::EndedShort(PartialReason::Unreachable);
        until(&mut app, "no link is left", |app| status(app, agent) == is_short);
        let nearest = on_floor(0, (9, 0));
        assert!(position(&app, agent).distance(nearest) < 0.6, "it waits below its goal");
        ticks(&mut app, 30);
        app.world_mut().get_mut::<NavLink>(door).unwrap().is_open = true;
        arrives(&mut app, agent, goal);
        assert!(app.world().resource::<Crossings>().0.iter().all(|&(_, link, _)| link == door));
    }
}

#[test]
fn only_agents_whose_route_is_touched_plan_again() {
    let mut app = links_app(SolveMode::Inline);
    let floors = floors(&mut app, 2, &"....................\n".repeat(8));
    let upper = floors[1];
    spawn_link(&mut app, stairs([floors[0], upper], (18, 2)));
    let agents = [(1, 2), (1, 5)].map(|cell| walker(&mut app, 0, cell));
    order(&mut app, agents[0], on_floor(1, (1, 2)));
    order(&mut app, agents[1], on_floor(1, (18, 7)));
    until(&mut app, "both are on their way", |app| position(app, agents[0]).x > 3.0);
    // Behind the link, on the route of the first.
    edit(&mut app, upper, (8, 2), Terrain::WALL);
    ticks(&mut app, 3);
    assert_eq!(agents.map(|agent| count(&app, &LoggedEvent::Invalidated(agent))), [1, 0]);
    // On the route of neither.
    edit(&mut app, upper, (3, 6), Terrain::WALL);
    ticks(&mut app, 3);
    assert_eq!(agents.map(|agent| count(&app, &LoggedEvent::Invalidated(agent))), [1, 0]);
    // While the first crosses.
    until(&mut app, "it crosses", |app| status(app, agents[0]) == PathStatus::Crossing);
    edit(&mut app, upper, (12, 2), Terrain::WALL);
    arrives(&mut app, agents[0], on_floor(1, (1, 2)));
    assert_eq!(count(&app, &LoggedEvent::Invalidated(agents[1])), 0);
}

#[test]
fn an_entity_on_another_floor_is_followed_without_a_search_in_every_tick() {
    let (mut app, rooms) = two_floors(SolveMode::Inline);
    let link = spawn_link(&mut app, stairs(rooms, (9, 1)));
    let target = app.world_mut().spawn(Transform::from_translation(on_floor(1, (2, 2)))).id();
    let agent = walker(&mut app, 0, (2, 1));
    app.world_mut().entity_mut(agent).insert(PathRequest::to(target));
    arrives(&mut app, agent, on_floor(1, (2, 2)));
    let searches = stats(&app).finished;
    assert!(searches <= 2, "{searches} searches for a target that stands still");
    app.world_mut().get_mut::<Transform>(target).unwrap().translation = on_floor(0, (1, 1));
    until(&mut app, "it goes down again", |app| position(app, agent).z < 0.1);
    arrives(&mut app, agent, on_floor(0, (1, 1)));
    // As near as it can come.
    app.world_mut().despawn(link);
    spawn_link(&mut app, NavLink::new(end(rooms[0], (0, 3)), end(rooms[0], (9, 3))));
    app.world_mut().get_mut::<Transform>(target).unwrap().translation = on_floor(1, (5, 2));
    let is_short = PathStatus::EndedShort(PartialReason::Unreachable);
    until(&mut app, "it is below its goal", |app| status(app, agent) == is_short);
    let before = stats(&app).finished;
    ticks(&mut app, 100);
    assert!(stats(&app).finished <= before + 1, "it waits for a change");
}

#[test]
fn agents_plan_again_when_their_link_is_moved() {
    let (mut app, [ground, upper]) = two_floors(SolveMode::Inline);
    let link = spawn_link(&mut app, stairs([ground, upper], (8, 1)));
    let agent = walker(&mut app, 0, (1, 1));
    order(&mut app, agent, on_floor(1, (1, 3)));
    ticks(&mut app, 5);
    app.world_mut().get_mut::<NavLink>(link).unwrap().to = end(upper, (2, 3));
    ticks(&mut app, 2);
    assert_eq!(count(&app, &LoggedEvent::Invalidated(agent)), 1);
    arrives(&mut app, agent, on_floor(1, (1, 3)));
}

#[test]
fn any_part_of_a_route_may_be_despawned() {
    let mut app = links_app(SolveMode::Inline);
    for round in 0..6 {
        let rooms = floors(&mut app, 2, ROOM);
        let link = spawn_link(&mut app, stairs([rooms[0], rooms[1]], (6, 1)));
        let agent = walker(&mut app, 0, (3, 1));
        order(&mut app, agent, on_floor(1, (1, 1)));
        let is_crossing = round % 2 == 1;
        until(&mut app, "it is on its way", |app| match is_crossing {
            true => position(app, agent).z > 1.0,
            false => position(app, agent).x > 4.0,
        });
        app.world_mut().despawn([link, rooms[1], rooms[0]][round / 2]);
        ticks(&mut app, 300);
        assert!(position(&app, agent).is_finite());
        let others: Vec<_> = app
            .world_mut()
            .query_filtered::<Entity, Or<(With<NavGrid>, With<NavLink>, With<Agent>)>>()
            .iter(app.world())
            .collect();
        others.into_iter().for_each(|entity| _ = app.world_mut().try_despawn(entity));
        app.update();
    }
}

#[test]
fn a_door_that_opens_is_taken_if_shortcuts_are_sought() {
    for seek_shortcuts in [true, false] {
        for floors in [1, 2] {
            let mut app = links_app(SolveMode::Inline);
            app.world_mut().resource_mut::<SolveSettings>().seek_shortcuts = seek_shortcuts;
            let nav =
                spawn_grid(&mut app, grid(&format!("{0}\n{1}\n{0}", ".".repeat(40), "#".repeat(39) + ".")));
            // With two floors the detour leads over another grid.
            if floors == 2 {
                edit(&mut app, nav, (39, 1), Terrain::WALL);
                let upper = spawn_grid(&mut app, grid(&".".repeat(40)));
                app.world_mut().get_mut::<Transform>(upper).unwrap().translation.z = 3.0;
                spawn_link(&mut app, NavLink::new(end(nav, (39, 0)), end(upper, (39, 0))));
                spawn_link(&mut app, NavLink::new(end(upper, (0, 0)), end(nav, (30, 2))));
            }
            let door = NavLink { is_open: false, ..NavLink::new(end(nav, (10, 0)), end(nav, (10, 2))) };
            let door = spawn_link(&mut app, door);
            let agent = send(&mut app, (1, 0), (1, 2));
            until(&mut app, "it is under way", |app| position(app, agent).x > 4.0);
            app.world_mut().get_mut::<NavLink>(door).unwrap().is_open = true;
            ticks(&mut app, 3);
            let what = format!("{seek_shortcuts}, {floors} floors");
            assert_eq!(path(&app, agent).link() == Some(door), seek_shortcuts, "{what}");
            assert_eq!(count(&app, &LoggedEvent::Invalidated(agent)), usize::from(seek_shortcuts), "{what}");
            arrives(&mut app, agent, at((1, 2)));
        }
    }
}
