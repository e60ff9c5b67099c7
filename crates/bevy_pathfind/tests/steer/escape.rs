//! Agents that stand where they may not: in walls, over void, outside of the map.

use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    steer::ObstacleAvoidance,
    world::{CostTable, Grid},
};

use crate::fixture::*;
use crate::support::{
    LoggedEvent, at, logged_events, open, plot, position, spawn_grid, spawn_with, stands_free, status, ticks,
};

/// A map with a block of wall in its middle: of 7 by 7 cells, with the cell (10, 10) as its centre.
fn block() -> Grid {
    let is_wall = |cell: GridCell| (7..14).contains(&cell.x) && (7..14).contains(&cell.y);
    Grid::from_fn(21, 21, |cell| if is_wall(cell) { Terrain::WALL } else { Terrain::GROUND }).unwrap()
}

/// Avoiders that make way in different manners.
fn avoiders() -> [Avoider; 4] {
    let reciprocal = Avoider::default();
    let blind = Avoider { obstacles: ObstacleAvoidance::Off, ..reciprocal };
    [Avoider::contact(), reciprocal, Avoider { walls: false, ..reciprocal }, blind]
}

const DUTIES: [&str; 8] = ["none", "request", "queue", "pursuer", "field", "behavior", "flock", "separation"];

/// Gives an agent something to do on the map with this corner; its goal is the cell (2, 2).
fn employ(app: &mut App, agent: Entity, duty: &str, corner: Vec3) {
    let end = corner + at((2, 2));
    let goal = spawn(app, (Agent::default(), Transform::from_translation(end)));
    let field = spawn(app, FlowField::to(goal));
    let mut it = app.world_mut().entity_mut(agent);
    match duty {
        "request" => _ = it.insert(PathRequest::to(end)),
        "queue" => _ = it.insert(GoalQueue::to([end])),
        "pursuer" => _ = it.insert(Pursuer::line_of_sight(goal)),
        "field" => _ = it.insert(FollowField(field)),
        "behavior" => _ = it.insert(Behavior::wander()),
        "flock" => _ = it.insert((Flock::default(), FlockOf(goal))),
        "separation" => {
            it.insert(Separation::default());
            for cell in [(10, 6), (10, 14), (6, 10), (14, 10)] {
                let place = Transform::from_translation(corner + at(cell));
                spawn(app, (Agent::default(), Separation::default(), place));
            }
        }
        _ => (),
    }
}

#[test]
fn an_agent_deep_in_a_wall_walks_out_whatever_it_avoids_and_does() {
    for (index, avoider) in avoiders().into_iter().enumerate() {
        let mut app = app();
        let mut agents = Vec::new();
        for duty in DUTIES {
            for size in [AgentSize::Square(1), AgentSize::Disc(0.4)] {
                let mut map = block();
                let kind = map.add_kind(AgentKind { size, ..default() }).unwrap();
                let corner = plot(&mut app, agents.len(), map);
                let start = Transform::from_translation(corner + at((10, 10)));
                let agent = spawn(&mut app, (Agent { kind, ..Agent::new(3.0) }, avoider, start));
                employ(&mut app, agent, duty, corner);
                agents.push((agent, corner, duty, size));
            }
        }
        ticks(&mut app, 64 * 4);
        for (agent, corner, duty, size) in agents {
            let place = position(&app, agent) - corner;
            let is_out = block().is_walkable(KindId::default(), GridCell::containing(place.truncate()));
            assert!(is_out, "avoider {index}, {duty}, {size:?}: it is at {place}");
        }
    }
}

#[test]
fn whatever_blocks_the_ground_under_an_agent_lets_it_out() {
    type Block = fn(&mut App, Entity, Entity);
    let cases: [(&str, Block); 4] = [
        ("terrain", |app, nav, _| {
            let cells = CellRect::new(GridCell::new(7, 7), GridCell::new(13, 13));
            app.world_mut().get_mut::<NavGrid>(nav).unwrap().fill(cells, Terrain::WALL);
        }),
        ("a grid obstacle", |app, _, _| {
            let house = Obstacle::cuboid(Vec3::splat(3.4)).carved();
            spawn(app, (house, place(10.5, 10.5)));
        }),
        ("another kind", |app, _, agent| app.world_mut().get_mut::<Agent>(agent).unwrap().kind = KindId(1)),
        ("the end of a flight", |app, nav, agent| {
            app.world_mut().entity_mut(agent).insert(Airborne);
            ticks(app, 2);
            let cells = CellRect::new(GridCell::new(7, 7), GridCell::new(13, 13));
            app.world_mut().get_mut::<NavGrid>(nav).unwrap().fill(cells, Terrain::WALL);
            ticks(app, 64);
            assert_eq!(position(app, agent), at((10, 10)), "in the air no ground drives it off");
            app.world_mut().entity_mut(agent).remove::<Airborne>();
        }),
    ];
    for (what, block) in cases {
        let mut app = app();
        let is_water = |cell: GridCell| (7..14).contains(&cell.x) && (7..14).contains(&cell.y);
        let water = Terrain(9);
        let mut map =
            Grid::from_fn(21, 21, |cell| if is_water(cell) { water } else { Terrain::GROUND }).unwrap();
        let on_foot = AgentKind { costs: CostTable::default().blocked(water), ..default() };
        map.add_kind(on_foot).unwrap();
        let nav = spawn_grid(&mut app, map);
        let agent = spawn_with(&mut app, (10, 10), Avoider::default());
        ticks(&mut app, 2);
        block(&mut app, nav, agent);
        ticks(&mut app, 64 * 3);
        let (kind, place) = (app.world().get::<Agent>(agent).unwrap().kind, position(&app, agent));
        let grid = app.world().get::<NavGrid>(nav).unwrap().grid();
        assert!(grid.is_walkable(kind, GridCell::containing(place.truncate())), "{what}: it is at {place}");
    }
}

#[test]
fn an_agent_that_is_thrown_off_the_map_comes_back_and_goes_on() {
    for duty in DUTIES {
        let mut app = app();
        let nav = spawn_grid(&mut app, open(12, 10));
        let agent = spawn_with(&mut app, (10, 5), (Avoider::default(), Agent::new(4.0)));
        employ(&mut app, agent, duty, Vec3::ZERO);
        ticks(&mut app, 13);
        put(&mut app, agent, Vec3::new(15.5, 5.5, 0.0));
        ticks(&mut app, 80);
        assert!(stands_free(&app, nav, agent), "{duty}: it is at {}", position(&app, agent));
        let has_failed = logged_events(&app).iter().any(|it| matches!(it, LoggedEvent::Failed(..)));
        assert!(!has_failed, "{duty}: no order fails");
        ticks(&mut app, 64 * 3);
        let place = position(&app, agent);
        assert!(stands_free(&app, nav, agent), "{duty}: it stays on the map, at {place}");
        if matches!(duty, "request" | "queue" | "pursuer" | "field") {
            assert!(place.distance(at((2, 2))) < 2.0, "{duty}: it gets to its goal, and is at {place}");
        }
    }
}

#[test]
fn agents_outside_of_a_map_that_has_become_smaller_come_back() {
    let mut app = app();
    let nav = spawn_grid(&mut app, open(40, 20));
    let walker = spawn_with(&mut app, (36, 5), PathRequest::to(at((3, 5))));
    let idle = spawn_with(&mut app, (30, 15), Avoider::default());
    ticks(&mut app, 10);
    app.world_mut().get_mut::<NavGrid>(nav).unwrap().set_map(&open(20, 20));
    ticks(&mut app, 64 * 10);
    assert!(stands_free(&app, nav, idle), "it is at {}", position(&app, idle));
    assert_eq!(status(&app, walker), PathStatus::Arrived, "it is at {}", position(&app, walker));
}

#[test]
fn an_agent_beside_several_grids_walks_to_the_nearest() {
    let mut app = app();
    let corners = [Vec3::ZERO, Vec3::X * 40.0];
    let grids = corners.map(|corner| {
        app.world_mut().spawn((NavGrid::new(open(10, 10)), Transform::from_translation(corner))).id()
    });
    let agent = spawn_with(&mut app, (30, 5), Avoider::default());
    ticks(&mut app, 64 * 4);
    let place = position(&app, agent);
    assert!((40.0..50.0).contains(&place.x), "it is at {place}");
    app.world_mut().despawn(grids[1]);
    ticks(&mut app, 64 * 10);
    assert!(stands_free(&app, grids[0], agent), "the ground under it is gone, and it is at {place}");
}
