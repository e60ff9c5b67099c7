//! Agents that cross links: stairs, doors, teleporters, on one grid and between several.

use bevy::prelude::*;
use bevy_pathfind::prelude::*;

use crate::support::*;

const MODES: [SolveMode; 3] = [SolveMode::Inline, SolveMode::Sliced, SolveMode::Background];

/// The events at both ends of links, in their order.
#[derive(Resource, Default, Debug)]
struct Crossings(Vec<(Entity, Entity, bool)>);

fn links_app(mode: SolveMode) -> App {
    let mut app = app(mode);
    app.init_resource::<Crossings>()
        .add_observer(|on: On<LinkReached>, mut log: ResMut<Crossings>| {
            log.0.push((on.entity, on.link, false))
        })
        .add_observer(|on: On<LinkCrossed>, mut log: ResMut<Crossings>| {
            log.0.push((on.entity, on.link, true))
        });
    app
}

/// Floors of this map, one above the other, 3 units apart.
fn floors(app: &mut App, count: usize, map: &str) -> Vec<Entity> {
    let spawn = |floor: usize| {
        let place = Transform::from_xyz(0.0, 0.0, 3.0 * floor as f32);
        app.world_mut().spawn((NavGrid::new(grid(map)), place)).id()
    };
    (0..count).map(spawn).collect()
}

fn on_floor(floor: usize, cell: (i32, i32)) -> Vec3 {
    at(cell) + Vec3::Z * 3.0 * floor as f32
}

fn walker(app: &mut App, floor: usize, cell: (i32, i32)) -> Entity {
    app.world_mut().spawn((Agent::default(), Transform::from_translation(on_floor(floor, cell)))).id()
}

fn end(grid: Entity, cell: (i32, i32)) -> LinkEnd {
    LinkEnd::new(grid, cell.into())
}

fn spawn_link(app: &mut App, link: NavLink) -> Entity {
    app.world_mut().spawn(link).id()
}

fn arrives(app: &mut App, agent: Entity, goal: Vec3) {
    until(app, "it arrives", |app| status(app, agent) == PathStatus::Arrived);
    let place = position(app, agent);
    assert!(place.distance(goal) < 0.6, "it stands at {place}, not at {goal}");
}

const ROOM: &str = "..........\n..........\n..........\n..........";

#[test]
fn agents_walk_up_the_stairs_and_back() {
    for mode in MODES {
        let mut app = links_app(mode);
        let [ground, upper] = floors(&mut app, 2, ROOM)[..] else { unreachable!() };
        let stairs = spawn_link(&mut app, NavLink::new(end(ground, (8, 1)), end(upper, (6, 1))));
        let agent = walker(&mut app, 0, (1, 1));
        for (goal, floor) in [(on_floor(1, (1, 3)), 1), (on_floor(0, (1, 1)), 0)] {
            order(&mut app, agent, goal);
            until(&mut app, "it is on the stairs", |app| status(app, agent) == PathStatus::Crossing);
            assert!(app.world().get::<CrossingLink>(agent).is_some_and(|it| it.link() == stairs));
            ticks(&mut app, 20);
            let height = position(&app, agent).z;
            assert!((0.1..2.9).contains(&height), "it climbs: {height}");
            arrives(&mut app, agent, goal);
            assert_eq!(position(&app, agent).z, 3.0 * floor as f32);
        }
        let expected = [false, true, false, true].map(|is_over| (agent, stairs, is_over));
        assert_eq!(app.world().resource::<Crossings>().0, expected, "{mode:?}");
        assert_eq!(count(&app, &LoggedEvent::Arrived(agent)), 2);
    }
}

#[test]
fn the_path_says_where_it_changes_grids() {
    let mut app = links_app(SolveMode::Inline);
    let [ground, upper] = floors(&mut app, 2, ROOM)[..] else { unreachable!() };
    let stairs = spawn_link(&mut app, NavLink::new(end(ground, (8, 1)), end(upper, (8, 1))).with_cost(4.0));
    let agent = walker(&mut app, 0, (1, 1));
    order(&mut app, agent, on_floor(1, (1, 1)));
    ticks(&mut app, 2);
    let path = app.world().get::<NavPath>(agent).expect("it has a path");
    assert_eq!((path.grid(), path.link(), path.outcome()), (ground, Some(stairs), PathOutcome::Complete));
    assert_eq!(path.cost(), 7.0 + 4.0 + 7.0, "of the whole way");
    assert_eq!(path.waypoints().last(), Some(&at((8, 1))));
    until(&mut app, "it is upstairs", |app| {
        app.world().get::<NavPath>(agent).is_some_and(|it| it.grid() == upper)
    });
    assert_eq!(app.world().get::<NavPath>(agent).unwrap().link(), None, "the last part");
}

#[test]
fn links_on_one_grid_are_short_cuts() {
    let mut app = links_app(SolveMode::Inline);
    let nav = spawn_grid(&mut app, grid(&"....................\n".repeat(4)));
    let link = NavLink::new(end(nav, (1, 3)), end(nav, (18, 3))).with_crossing(Crossing::Teleport);
    spawn_link(&mut app, link);
    let agent = spawn_agent(&mut app, (1, 1));
    order(&mut app, agent, at((18, 1)));
    let mut longest = 0.0_f32;
    let mut before = position(&app, agent);
    until(&mut app, "it arrives", |app| {
        let now = position(app, agent);
        longest = longest.max(now.distance(core::mem::replace(&mut before, now)));
        status(app, agent) == PathStatus::Arrived
    });
    assert!(longest > 15.0, "it was moved at once: {longest}");
    let near = spawn_agent(&mut app, (8, 1));
    order(&mut app, near, at((12, 1)));
    arrives(&mut app, near, at((12, 1)));
    assert_eq!(app.world().resource::<Crossings>().0.len(), 2, "the other one walks");
}

#[test]
fn a_door_that_is_shut_sends_agents_elsewhere_or_makes_them_wait() {
    for mode in MODES {
        let mut app = links_app(mode);
        let rooms = floors(&mut app, 2, ROOM);
        let door = spawn_link(&mut app, NavLink::new(end(rooms[0], (8, 0)), end(rooms[1], (8, 0))));
        let detour = NavLink::new(end(rooms[0], (0, 3)), end(rooms[1], (0, 3))).with_cost(30.0);
        let detour = spawn_link(&mut app, detour);
        let agent = walker(&mut app, 0, (1, 0));
        let goal = on_floor(1, (9, 0));
        order(&mut app, agent, goal);
        until(&mut app, "it nears the door", |app| position(app, agent).x > 5.0);
        app.world_mut().get_mut::<NavLink>(door).unwrap().is_open = false;
        let link = |app: &App| app.world().get::<NavPath>(agent).and_then(NavPath::link);
        until(&mut app, "it turns to the other way", |app| link(app) == Some(detour));
        assert_eq!(count(&app, &LoggedEvent::Replanned(agent)), 1);
        app.world_mut().despawn(detour);
        let is_short = PathStatus::EndedShort(PartialReason::Unreachable);
        until(&mut app, "no way is left", |app| status(app, agent) == is_short);
        let nearest = on_floor(0, (9, 0));
        assert!(position(&app, agent).distance(nearest) < 0.6, "it waits below its goal");
        ticks(&mut app, 30);
        app.world_mut().get_mut::<NavLink>(door).unwrap().is_open = true;
        arrives(&mut app, agent, goal);
        assert!(app.world().resource::<Crossings>().0.iter().all(|&(_, link, _)| link == door));
    }
}

#[test]
fn the_games_own_crossing_ends_when_the_game_says_so() {
    let mut app = links_app(SolveMode::Inline);
    let [ground, upper] = floors(&mut app, 2, ROOM)[..] else { unreachable!() };
    let lift = NavLink::new(end(ground, (5, 1)), end(upper, (5, 1))).with_crossing(Crossing::Custom);
    let lift = spawn_link(&mut app, lift);
    let agent = walker(&mut app, 0, (1, 1));
    order(&mut app, agent, on_floor(1, (1, 1)));
    until(&mut app, "it is at the lift", |app| status(app, agent) == PathStatus::Crossing);
    let waits = position(&app, agent);
    ticks(&mut app, 100);
    assert_eq!(position(&app, agent), waits, "it waits");
    let other = spawn_link(&mut app, NavLink::new(end(ground, (9, 3)), end(upper, (9, 3))));
    app.world_mut().trigger(LinkCrossed { entity: agent, link: other });
    ticks(&mut app, 5);
    assert_eq!(status(&app, agent), PathStatus::Crossing, "that is another link");
    app.world_mut().trigger(LinkCrossed { entity: agent, link: lift });
    app.update();
    assert!((position(&app, agent).z - 3.0).abs() < 1e-4, "it is upstairs");
    arrives(&mut app, agent, on_floor(1, (1, 1)));
}

#[test]
fn one_way_links_and_links_for_some_kinds_are_taken_by_nobody_else() {
    let mut app = links_app(SolveMode::Inline);
    let [ground, upper] = floors(&mut app, 2, ROOM)[..] else { unreachable!() };
    for floor in [ground, upper] {
        app.world_mut().get_mut::<NavGrid>(floor).unwrap().add_kind(AgentKind::default()).unwrap();
    }
    let trapdoor = NavLink::new(end(upper, (2, 2)), end(ground, (2, 2))).one_way();
    spawn_link(&mut app, trapdoor.with_crossing(Crossing::Jump { height: 0.5 }));
    let rope = NavLink::new(end(ground, (7, 2)), end(upper, (7, 2)));
    spawn_link(&mut app, rope.for_kinds(KindSet::NONE.with(KindId(1))));
    let (up, down) = (on_floor(1, (9, 0)), on_floor(0, (9, 3)));
    let walker_up = walker(&mut app, 0, (1, 1));
    let climber = walker(&mut app, 0, (1, 2));
    app.world_mut().get_mut::<Agent>(climber).unwrap().kind = KindId(1);
    let faller = walker(&mut app, 1, (1, 1));
    order(&mut app, walker_up, up);
    order(&mut app, climber, up);
    order(&mut app, faller, down);
    arrives(&mut app, climber, up);
    arrives(&mut app, faller, down);
    assert_eq!(status(&app, walker_up), PathStatus::EndedShort(PartialReason::Unreachable));
    let mut request = PathRequest::to(up);
    request.options = Some(SearchOptions { allow_partial: false, ..default() });
    app.world_mut().entity_mut(walker_up).insert(request);
    ticks(&mut app, 5);
    assert_eq!(status(&app, walker_up), PathStatus::Failed(PathError::Unreachable));
}

#[test]
fn the_nearest_place_may_lie_on_a_third_floor() {
    let mut app = links_app(SolveMode::Inline);
    let [ground, middle, _] = floors(&mut app, 3, ROOM)[..] else { unreachable!() };
    spawn_link(&mut app, NavLink::new(end(ground, (8, 1)), end(middle, (8, 1))));
    let agent = walker(&mut app, 0, (1, 1));
    order(&mut app, agent, on_floor(2, (2, 2)));
    let is_short = PathStatus::EndedShort(PartialReason::Unreachable);
    until(&mut app, "it is as near as it can come", |app| status(app, agent) == is_short);
    assert!(position(&app, agent).distance(on_floor(1, (2, 2))) < 0.6, "right below its goal");
}

#[test]
fn only_those_whose_way_is_touched_plan_again() {
    let mut app = links_app(SolveMode::Inline);
    let [ground, upper] = floors(&mut app, 2, &"....................\n".repeat(8))[..] else {
        unreachable!()
    };
    spawn_link(&mut app, NavLink::new(end(ground, (18, 2)), end(upper, (18, 2))));
    let agents = [(1, 2), (1, 5)].map(|cell| walker(&mut app, 0, cell));
    order(&mut app, agents[0], on_floor(1, (1, 2)));
    order(&mut app, agents[1], on_floor(1, (18, 7)));
    until(&mut app, "both are on their way", |app| position(app, agents[0]).x > 3.0);
    // Behind the link, on the way of the first.
    edit(&mut app, upper, (8, 2), Terrain::WALL);
    ticks(&mut app, 3);
    assert_eq!(agents.map(|agent| count(&app, &LoggedEvent::Replanned(agent))), [1, 0]);
    // On the way of neither.
    edit(&mut app, upper, (3, 6), Terrain::WALL);
    ticks(&mut app, 3);
    assert_eq!(agents.map(|agent| count(&app, &LoggedEvent::Replanned(agent))), [1, 0]);
    // While the first crosses.
    until(&mut app, "it crosses", |app| status(app, agents[0]) == PathStatus::Crossing);
    edit(&mut app, upper, (12, 2), Terrain::WALL);
    arrives(&mut app, agents[0], on_floor(1, (1, 2)));
    assert_eq!(count(&app, &LoggedEvent::Replanned(agents[1])), 0);
}

#[test]
fn a_wide_door_is_crossed_in_both_ways_by_many() {
    let mut app = links_app(SolveMode::Inline);
    let rooms = floors(&mut app, 2, &"............\n".repeat(12));
    let strip = |grid| LinkEnd::strip(grid, CellRect::new(Cell::new(11, 5), Cell::new(11, 6)));
    spawn_link(&mut app, NavLink::new(strip(rooms[0]), strip(rooms[1])));
    let agents: Vec<_> = (0..40)
        .map(|i| {
            let (floor, cell) = (i % 2, (i as i32 / 2 % 5, i as i32 / 10 * 2));
            let agent = walker(&mut app, floor, cell);
            let request = PathRequest::to(on_floor(1 - floor, (2, 5)));
            app.world_mut().entity_mut(agent).insert((Avoider::reciprocal(), request));
            (agent, 1 - floor)
        })
        .collect();
    until(&mut app, "all arrive", |app| {
        agents.iter().all(|&(agent, _)| status(app, agent) == PathStatus::Arrived)
    });
    for (agent, floor) in agents {
        let height = position(&app, agent).z;
        assert!((height - 3.0 * floor as f32).abs() < 1e-3, "it is on its floor: {height}");
    }
}

#[test]
fn hunters_follow_over_links_and_do_not_see_through_floors() {
    let mut app = links_app(SolveMode::Inline);
    let rooms = floors(&mut app, 2, ROOM);
    spawn_link(&mut app, NavLink::new(end(rooms[0], (9, 1)), end(rooms[1], (9, 1))));
    let prey = walker(&mut app, 1, (2, 2));
    let hunter = walker(&mut app, 0, (2, 1));
    app.world_mut().entity_mut(hunter).insert(Pursuer::line_of_sight(prey));
    ticks(&mut app, 30);
    assert_eq!(count(&app, &LoggedEvent::Caught(hunter, prey)), 0, "it stands below, and that is not caught");
    until(&mut app, "it is caught", |app| count(app, &LoggedEvent::Caught(hunter, prey)) > 0);
    assert!((position(&app, hunter).z - 3.0).abs() < 1e-3);
}

#[test]
fn agents_tied_to_a_grid_are_tied_to_the_next() {
    let mut app = links_app(SolveMode::Inline);
    let [ground, upper] = floors(&mut app, 2, ROOM)[..] else { unreachable!() };
    spawn_link(&mut app, NavLink::new(end(ground, (5, 1)), end(upper, (5, 1))));
    let agent = walker(&mut app, 0, (1, 1));
    app.world_mut().entity_mut(agent).insert(OnGrid(ground));
    order(&mut app, agent, on_floor(1, (1, 1)));
    arrives(&mut app, agent, on_floor(1, (1, 1)));
    assert_eq!(app.world().get::<OnGrid>(agent), Some(&OnGrid(upper)));
}

#[test]
fn another_order_on_the_stairs_is_obeyed_behind_them() {
    for mode in MODES {
        let mut app = links_app(mode);
        let [ground, upper] = floors(&mut app, 2, ROOM)[..] else { unreachable!() };
        spawn_link(&mut app, NavLink::new(end(ground, (8, 1)), end(upper, (8, 1))));
        let agent = walker(&mut app, 0, (5, 1));
        order(&mut app, agent, on_floor(1, (1, 1)));
        until(&mut app, "it climbs", |app| position(app, agent).z > 1.0);
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
    let mut app = links_app(SolveMode::Inline);
    let [ground, upper] = floors(&mut app, 2, ROOM)[..] else { unreachable!() };
    spawn_link(&mut app, NavLink::new(end(ground, (6, 1)), end(upper, (6, 1))));
    for flies in [false, true] {
        let agent = walker(&mut app, 0, (3, 1));
        order(&mut app, agent, on_floor(1, (1, 1)));
        until(&mut app, "it climbs", |app| position(app, agent).z > 1.0);
        match flies {
            true => _ = app.world_mut().entity_mut(agent).insert(Airborne),
            false => _ = app.world_mut().entity_mut(agent).remove::<CrossingLink>(),
        }
        until(&mut app, "it arrives", |app| status(app, agent) == PathStatus::Arrived);
        // One that was stopped in the air keeps its height above its floor.
        let place = position(&app, agent);
        assert!(place.truncate().distance(at((1, 1)).truncate()) < 0.6 && place.z > 2.5, "{place}");
        assert!(!app.world().entity(agent).contains::<CrossingLink>());
        app.world_mut().despawn(agent);
    }
}

#[test]
fn an_entity_on_another_floor_is_followed_without_a_search_in_every_tick() {
    let mut app = links_app(SolveMode::Inline);
    let rooms = floors(&mut app, 2, ROOM);
    let link = spawn_link(&mut app, NavLink::new(end(rooms[0], (9, 1)), end(rooms[1], (9, 1))));
    let target = app.world_mut().spawn(Transform::from_translation(on_floor(1, (2, 2)))).id();
    let agent = walker(&mut app, 0, (2, 1));
    app.world_mut().entity_mut(agent).insert(PathRequest::to(target));
    arrives(&mut app, agent, on_floor(1, (2, 2)));
    let searches = |app: &App| app.world().resource::<SolveStats>().finished;
    assert!(searches(&app) <= 2, "{} searches for a target that stands still", searches(&app));
    app.world_mut().get_mut::<Transform>(target).unwrap().translation = on_floor(0, (1, 1));
    until(&mut app, "it goes down again", |app| position(app, agent).z < 0.1);
    arrives(&mut app, agent, on_floor(0, (1, 1)));
    // As near as it can come.
    app.world_mut().despawn(link);
    spawn_link(&mut app, NavLink::new(end(rooms[0], (0, 3)), end(rooms[0], (9, 3))));
    app.world_mut().get_mut::<Transform>(target).unwrap().translation = on_floor(1, (5, 2));
    let is_short = PathStatus::EndedShort(PartialReason::Unreachable);
    until(&mut app, "it is below its goal", |app| status(app, agent) == is_short);
    let before = searches(&app);
    ticks(&mut app, 100);
    assert!(searches(&app) <= before + 1, "it waits for a change");
}

#[test]
fn a_crossing_can_end_at_the_event_with_which_it_begins() {
    let mut app = links_app(SolveMode::Inline);
    let [ground, upper] = floors(&mut app, 2, ROOM)[..] else { unreachable!() };
    let lift = NavLink::new(end(ground, (5, 1)), end(upper, (5, 1))).with_crossing(Crossing::Custom);
    spawn_link(&mut app, lift);
    app.add_observer(|it: On<LinkReached>, mut commands: Commands, crossings: Query<Has<CrossingLink>>| {
        assert_eq!(crossings.get(it.entity).ok(), Some(true), "the crossing is on it");
        commands.trigger(LinkCrossed { entity: it.entity, link: it.link });
    });
    let agent = walker(&mut app, 0, (1, 1));
    order(&mut app, agent, on_floor(1, (1, 1)));
    arrives(&mut app, agent, on_floor(1, (1, 1)));
}

#[test]
fn who_is_teleported_on_the_stairs_is_not_on_them_any_more() {
    let mut app = links_app(SolveMode::Inline);
    let [ground, upper] = floors(&mut app, 2, ROOM)[..] else { unreachable!() };
    spawn_link(&mut app, NavLink::new(end(ground, (5, 1)), end(upper, (5, 1))));
    let agent = walker(&mut app, 0, (3, 1));
    order(&mut app, agent, on_floor(1, (1, 1)));
    until(&mut app, "it climbs", |app| position(app, agent).z > 1.0);
    app.world_mut().commands().entity(agent).queue(Teleport::to(on_floor(0, (9, 3))));
    ticks(&mut app, 2);
    assert!(position(&app, agent).distance(on_floor(0, (9, 3))) < 0.5);
    arrives(&mut app, agent, on_floor(1, (1, 1)));
}

#[test]
fn the_far_end_moves_with_its_grid() {
    let mut app = links_app(SolveMode::Inline);
    let [quay, ship] = floors(&mut app, 2, ROOM)[..] else { unreachable!() };
    spawn_link(&mut app, NavLink::new(end(quay, (5, 1)), end(ship, (5, 1))));
    let agent = walker(&mut app, 0, (3, 1));
    order(&mut app, agent, on_floor(1, (1, 1)));
    until(&mut app, "it climbs", |app| position(app, agent).z > 1.0);
    app.world_mut().get_mut::<Transform>(ship).unwrap().translation.y += 20.0;
    until(&mut app, "it is aboard", |app| status(app, agent) != PathStatus::Crossing);
    assert!(position(&app, agent).distance(on_floor(1, (5, 21))) < 0.6, "{}", position(&app, agent));
}

#[test]
fn a_link_that_is_moved_is_another_way() {
    let mut app = links_app(SolveMode::Inline);
    let [ground, upper] = floors(&mut app, 2, ROOM)[..] else { unreachable!() };
    let link = spawn_link(&mut app, NavLink::new(end(ground, (8, 1)), end(upper, (8, 1))));
    let agent = walker(&mut app, 0, (1, 1));
    order(&mut app, agent, on_floor(1, (1, 3)));
    ticks(&mut app, 5);
    app.world_mut().get_mut::<NavLink>(link).unwrap().to = end(upper, (2, 3));
    ticks(&mut app, 2);
    assert_eq!(count(&app, &LoggedEvent::Replanned(agent)), 1);
    arrives(&mut app, agent, on_floor(1, (1, 3)));
}

#[test]
fn despawning_anything_on_the_way_harms_nobody() {
    let mut app = links_app(SolveMode::Inline);
    for round in 0..6 {
        let rooms = floors(&mut app, 2, ROOM);
        let link = spawn_link(&mut app, NavLink::new(end(rooms[0], (6, 1)), end(rooms[1], (6, 1))));
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
fn a_link_that_nobody_can_take_is_warned_of_once() {
    warnings();
    let mut app = links_app(SolveMode::Inline);
    let [ground, upper] = floors(&mut app, 2, ROOM)[..] else { unreachable!() };
    let wide = LinkEnd::strip(upper, CellRect::new(Cell::new(0, 0), Cell::new(1, 0)));
    let nowhere = app.world_mut().spawn_empty().id();
    for (name, link) in [
        ("link of unlike ends", NavLink::new(end(ground, (1, 1)), wide)),
        ("link to nowhere", NavLink::new(end(ground, (1, 1)), end(nowhere, (1, 1)))),
        ("link of cost NaN", NavLink::new(end(ground, (1, 1)), end(upper, (1, 1))).with_cost(f32::NAN)),
        ("link to a far cell", NavLink::new(end(ground, (1, 1)), end(upper, (99, 1)))),
    ] {
        app.world_mut().spawn((Name::new(name), link));
    }
    let agent = walker(&mut app, 0, (1, 1));
    order(&mut app, agent, on_floor(1, (1, 1)));
    ticks(&mut app, 5);
    edit(&mut app, ground, (5, 3), Terrain::WALL);
    ticks(&mut app, 30);
    assert_eq!(status(&app, agent), PathStatus::EndedShort(PartialReason::Unreachable));
    let warned = |name: &str| warnings().lock().unwrap().iter().filter(|text| text.starts_with(name)).count();
    let names = ["link of unlike ends", "link to nowhere", "link of cost NaN", "link to a far cell"];
    assert_eq!(names.map(warned), [1; 4]);
}

#[test]
fn two_hundred_agents_pass_one_door_both_ways() {
    let mut app = links_app(SolveMode::Inline);
    app.insert_resource(DefaultSearch(SearchOptions::default()));
    let rooms: Vec<Entity> = [0.0, 23.0]
        .map(|x| {
            let map = Grid::new(22, 16).expect("a room");
            app.world_mut().spawn((NavGrid::new(map), Transform::from_xyz(x, 0.0, 0.0))).id()
        })
        .into();
    let door = |grid, x| LinkEnd::strip(grid, CellRect::new(Cell::new(x, 6), Cell::new(x, 9)));
    spawn_link(&mut app, NavLink::new(door(rooms[0], 21), door(rooms[1], 0)));
    let agents: Vec<(Entity, bool)> = (0..200)
        .map(|number| {
            let (is_east, place) = (number % 2 == 0, number / 2);
            let (x, y) = ((place % 10) as f32 * 1.5 + 1.0, (place / 10) as f32 * 1.5 + 1.0);
            let (from, to) = if is_east { (44.0 - x, x) } else { (x, 44.0 - x) };
            let body = Agent { radius: 0.35, ..Agent::with_speed(5.0) };
            let request = PathRequest::to(Vec3::new(to, y, 0.0));
            let at = Transform::from_xyz(from, y, 0.0);
            (app.world_mut().spawn((body, Avoider::reciprocal(), request, at)).id(), is_east)
        })
        .collect();
    let over = |app: &App| {
        let is_over = |&&(agent, is_east): &&(Entity, bool)| (position(app, agent).x < 22.5) == is_east;
        agents.iter().filter(is_over).count()
    };
    let mut ticks = 0;
    while over(&app) < agents.len() && ticks < 64 * 120 {
        app.update();
        ticks += 1;
    }
    assert_eq!(over(&app), agents.len(), "after {ticks} ticks");
}

#[test]
fn a_door_that_opens_is_taken_by_those_who_seek_shortcuts() {
    for seek_shortcuts in [true, false] {
        for floors in [1, 2] {
            let mut app = links_app(SolveMode::Inline);
            app.insert_resource(ReplanSettings { seek_shortcuts, ..default() });
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
            let agent = spawn_agent(&mut app, (1, 0));
            order(&mut app, agent, at((1, 2)));
            until(&mut app, "it is under way", |app| position(app, agent).x > 4.0);
            app.world_mut().get_mut::<NavLink>(door).unwrap().is_open = true;
            ticks(&mut app, 3);
            let path = app.world().get::<NavPath>(agent).expect("it has a path");
            let what = format!("{seek_shortcuts}, {floors} floors");
            assert_eq!(path.link() == Some(door), seek_shortcuts, "{what}");
            assert_eq!(count(&app, &LoggedEvent::Replanned(agent)), usize::from(seek_shortcuts), "{what}");
            arrives(&mut app, agent, at((1, 2)));
        }
    }
}
