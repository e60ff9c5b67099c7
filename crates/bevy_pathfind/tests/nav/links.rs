//! Agents that cross links: stairs, doors, teleporters, on one grid and between several.

use bevy::prelude::*;
use bevy_pathfind::{
    order::{PartialReason, PathOutcome},
    prelude::*,
    solve::SolveMode,
    world::{Grid, KindSet, LinkEnd},
};

use crate::support::*;

mod changes;
mod crossing;

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

/// Two floors of a small room.
fn two_floors(mode: SolveMode) -> (App, [Entity; 2]) {
    let mut app = links_app(mode);
    let floors = floors(&mut app, 2, ROOM);
    (app, [floors[0], floors[1]])
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

/// Stairs from a cell of the first floor to the same cell of the second.
fn stairs([ground, upper]: [Entity; 2], cell: (i32, i32)) -> NavLink {
    NavLink::new(end(ground, cell), end(upper, cell))
}

/// Sends an agent from the first floor to cell (1, 1) of the second, and waits until it climbs.
fn climber(app: &mut App, from: (i32, i32)) -> Entity {
    let agent = walker(app, 0, from);
    order(app, agent, on_floor(1, (1, 1)));
    until(app, "it climbs", |app| position(app, agent).z > 1.0);
    agent
}

#[test]
fn agents_walk_up_the_stairs_and_back() {
    for mode in MODES {
        let (mut app, [ground, upper]) = two_floors(mode);
        let stairs = spawn_link(&mut app, NavLink::new(end(ground, (8, 1)), end(upper, (6, 1))));
        let agent = walker(&mut app, 0, (1, 1));
        for (goal, floor) in [(on_floor(1, (1, 3)), 1), (on_floor(0, (1, 1)), 0)] {
            order(&mut app, agent, goal);
            until(&mut app, "it is on the stairs", |app| status(app, agent) == PathStatus::Crossing);
            assert!(app.world().get::<OnLink>(agent).is_some_and(|it| it.link() == stairs));
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
fn no_agent_is_too_fast_for_a_link() {
    let row = ".".repeat(160);
    for speed in [20.0, 45.0, 60.0, 90.0, 200.0] {
        for arrive_radius in [0.0, 0.1] {
            let mut app = links_app(SolveMode::Inline);
            let floors = floors(&mut app, 2, &format!("{row}\n{row}\n{row}"));
            spawn_link(&mut app, stairs([floors[0], floors[1]], (80, 1)));
            let walkers = [0, 21, 55, 120].map(|x| {
                let walker = walker(&mut app, 0, (x, x % 3));
                let agent = Agent { arrive_radius, ..Agent::new(speed) };
                app.world_mut().entity_mut(walker).insert(agent);
                order(&mut app, walker, on_floor(1, (x, 0)));
                walker
            });
            ticks(&mut app, 64 * 20);
            for (index, walker) in walkers.into_iter().enumerate() {
                let at = position(&app, walker);
                assert!(at.z > 2.9, "walker {index} at {speed} cells/s, radius {arrive_radius}, is at {at}");
            }
        }
    }
}

#[test]
fn the_path_says_where_it_changes_grids() {
    let (mut app, [ground, upper]) = two_floors(SolveMode::Inline);
    let stairs = spawn_link(&mut app, stairs([ground, upper], (8, 1)).with_cost(4.0));
    let agent = walker(&mut app, 0, (1, 1));
    order(&mut app, agent, on_floor(1, (1, 1)));
    ticks(&mut app, 2);
    let path = path(&app, agent);
    assert_eq!((path.grid(), path.link(), path.outcome()), (ground, Some(stairs), PathOutcome::Complete));
    assert_eq!(path.cost(), 7.0 + 4.0 + 7.0, "of the whole route");
    assert_eq!(path.waypoints().last(), Some(&at((8, 1))));
    until(&mut app, "it is upstairs", |app| has_path(app, agent) && self::path(app, agent).grid() == upper);
    assert_eq!(self::path(&app, agent).link(), None, "the last part");
}

#[test]
fn links_on_one_grid_are_short_cuts() {
    let mut app = links_app(SolveMode::Inline);
    let nav = spawn_grid(&mut app, grid(&"....................\n".repeat(4)));
    let link = NavLink::new(end(nav, (1, 3)), end(nav, (18, 3))).with_crossing(LinkMotion::Teleport);
    spawn_link(&mut app, link);
    let agent = send(&mut app, (1, 1), (18, 1));
    let mut longest = 0.0_f32;
    let mut before = position(&app, agent);
    until(&mut app, "it arrives", |app| {
        let now = position(app, agent);
        longest = longest.max(now.distance(core::mem::replace(&mut before, now)));
        status(app, agent) == PathStatus::Arrived
    });
    assert!(longest > 15.0, "it was moved at once: {longest}");
    let near = send(&mut app, (8, 1), (12, 1));
    arrives(&mut app, near, at((12, 1)));
    assert_eq!(app.world().resource::<Crossings>().0.len(), 2, "the other one walks");
}

#[test]
fn one_way_links_and_links_for_some_kinds_are_taken_by_no_others() {
    let (mut app, [ground, upper]) = two_floors(SolveMode::Inline);
    app.world_mut().resource_mut::<AgentKinds>().add(AgentKind::default()).unwrap();
    let trapdoor = NavLink::new(end(upper, (2, 2)), end(ground, (2, 2))).with_both_ways(false);
    spawn_link(&mut app, trapdoor.with_crossing(LinkMotion::Jump { height: 0.5 }));
    let rope = NavLink::new(end(ground, (7, 2)), end(upper, (7, 2)));
    spawn_link(&mut app, rope.with_kinds(KindSet::NONE.with(KindId(1))));
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
    let options = SearchOptions { allow_partial: false, ..default() };
    app.world_mut().entity_mut(walker_up).insert(PathRequest::to(up).with_options(options));
    ticks(&mut app, 5);
    assert_eq!(status(&app, walker_up), PathStatus::Failed(PathError::Unreachable));
}

#[test]
fn the_nearest_place_may_lie_on_a_third_floor() {
    let mut app = links_app(SolveMode::Inline);
    let [ground, middle, _] = floors(&mut app, 3, ROOM)[..] else { unreachable!() };
    spawn_link(&mut app, stairs([ground, middle], (8, 1)));
    let agent = walker(&mut app, 0, (1, 1));
    order(&mut app, agent, on_floor(2, (2, 2)));
    let is_short = PathStatus::EndedShort(PartialReason::Unreachable);
    until(&mut app, "it is as near as it can come", |app| status(app, agent) == is_short);
    assert!(position(&app, agent).distance(on_floor(1, (2, 2))) < 0.6, "right below its goal");
}

#[test]
fn a_wide_door_is_crossed_in_both_ways_by_many() {
    let mut app = links_app(SolveMode::Inline);
    let rooms = floors(&mut app, 2, &"............\n".repeat(12));
    let strip = |grid| LinkEnd::strip(grid, CellRect::new(GridCell::new(11, 5), GridCell::new(11, 6)));
    spawn_link(&mut app, NavLink::new(strip(rooms[0]), strip(rooms[1])));
    let agents: Vec<_> = (0..40)
        .map(|i| {
            let (floor, cell) = (i % 2, (i as i32 / 2 % 5, i as i32 / 10 * 2));
            let agent = walker(&mut app, floor, cell);
            let request = PathRequest::to(on_floor(1 - floor, (2, 5)));
            app.world_mut().entity_mut(agent).insert((Avoider::default(), request));
            (agent, 1 - floor)
        })
        .collect();
    all_arrive(&mut app, &agents.iter().map(|&(agent, _)| agent).collect::<Vec<_>>());
    for (agent, floor) in agents {
        let height = position(&app, agent).z;
        assert!((height - 3.0 * floor as f32).abs() < 1e-3, "it is on its floor: {height}");
    }
}

#[test]
fn hunters_follow_over_links_and_do_not_see_through_floors() {
    let (mut app, rooms) = two_floors(SolveMode::Inline);
    spawn_link(&mut app, stairs(rooms, (9, 1)));
    let prey = walker(&mut app, 1, (2, 2));
    let hunter = walker(&mut app, 0, (2, 1));
    app.world_mut().entity_mut(hunter).insert(Pursuer::line_of_sight(prey));
    ticks(&mut app, 30);
    assert_eq!(count(&app, &LoggedEvent::Caught(hunter, prey)), 0, "it stands below, and that is not caught");
    until(&mut app, "it is caught", |app| count(app, &LoggedEvent::Caught(hunter, prey)) > 0);
    assert!((position(&app, hunter).z - 3.0).abs() < 1e-3);
}

#[test]
fn a_link_that_no_agent_can_take_is_warned_of_once() {
    warnings();
    let (mut app, [ground, upper]) = two_floors(SolveMode::Inline);
    let wide = LinkEnd::strip(upper, CellRect::new(GridCell::new(0, 0), GridCell::new(1, 0)));
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
    app.insert_resource(SearchOptions::default());
    let rooms = [0.0, 23.0].map(|x| {
        let room = NavGrid::new(Grid::new(22, 16).expect("a room"));
        app.world_mut().spawn((room, Transform::from_xyz(x, 0.0, 0.0))).id()
    });
    let door = |grid, x| LinkEnd::strip(grid, CellRect::new(GridCell::new(x, 6), GridCell::new(x, 9)));
    spawn_link(&mut app, NavLink::new(door(rooms[0], 21), door(rooms[1], 0)));
    let agents: Vec<(Entity, bool)> = (0..200)
        .map(|number| {
            let (is_east, place) = (number % 2 == 0, number / 2);
            let (x, y) = ((place % 10) as f32 * 1.5 + 1.0, (place / 10) as f32 * 1.5 + 1.0);
            let (from, to) = if is_east { (44.0 - x, x) } else { (x, 44.0 - x) };
            let body = Agent { radius: 0.35, ..Agent::new(5.0) };
            let request = PathRequest::to(Vec3::new(to, y, 0.0));
            let at = Transform::from_xyz(from, y, 0.0);
            (app.world_mut().spawn((body, Avoider::default(), request, at)).id(), is_east)
        })
        .collect();
    let over = |app: &App| {
        let is_over = |&&(agent, is_east): &&(Entity, bool)| (position(app, agent).x < 22.5) == is_east;
        agents.iter().filter(is_over).count()
    };
    let all_are_over = (0..64 * 120).any(|_| {
        app.update();
        over(&app) == agents.len()
    });
    assert!(all_are_over, "only {} pass within two minutes", over(&app));
}
