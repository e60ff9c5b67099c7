//! The end of a path: at the goal, beside it, or short of it; and agents that are stuck.

use std::collections::BTreeSet;

use bevy::prelude::*;
use bevy_pathfind::{
    order::{Arrival, PartialReason},
    prelude::*,
    solve::SolveMode,
    steer::{AgentAvoidance, ObstacleAvoidance, SteerSettings},
    world::Grid,
};

use crate::support::*;

/// The recorded events: arrivals, paths that ended short, and stuck agents.
#[derive(Resource, Default)]
struct EndLog {
    arrived: Vec<(Entity, Arrival)>,
    short: Vec<PathEndedShort>,
    stuck: Vec<Entity>,
}

fn logging_app(map: Grid) -> App {
    let mut app = app(SolveMode::Inline);
    app.init_resource::<EndLog>()
        .add_observer(|on: On<AgentArrived>, mut log: ResMut<EndLog>| {
            log.arrived.push((on.entity, on.arrival));
        })
        .add_observer(|on: On<PathEndedShort>, mut log: ResMut<EndLog>| log.short.push(on.event().clone()))
        .add_observer(|on: On<AgentStuck>, mut log: ResMut<EndLog>| log.stuck.push(on.entity));
    spawn_grid(&mut app, map);
    app
}

#[test]
fn the_end_of_a_partial_path_is_no_arrival() {
    let mut app = logging_app(grid(".......\n.......\n...###.\n...#.#.\n...###."));
    let agent = send(&mut app, (0, 3), (4, 3));
    ticks(&mut app, 64 * 4);
    let log = app.world().resource::<EndLog>();
    assert_eq!(log.arrived, [], "it is not at its goal");
    let reason = PartialReason::Unreachable;
    assert_eq!(log.short, [PathEndedShort { entity: agent, nearest: at((2, 3)), reason }]);
    assert_eq!(status(&app, agent), PathStatus::EndedShort(reason));
    stands_at(&app, agent, (2, 3), 0.15);
}

#[test]
fn arrivals_distinguish_the_goal_from_places_beside_it() {
    let mut app = logging_app(Grid::new(30, 30).unwrap());
    let goal = at((15, 15));
    let agents: Vec<_> = (0..12).map(|i| send(&mut app, (3 + i % 4, 3 + i / 4), (15, 15))).collect();
    ticks(&mut app, 64 * 8);
    let log = app.world().resource::<EndLog>();
    assert_eq!(log.arrived.len(), agents.len(), "each arrives once");
    let at_goal: Vec<_> = log.arrived.iter().filter(|(_, arrival)| *arrival == Arrival::AtGoal).collect();
    assert_eq!(at_goal.len(), 1, "one has the goal itself: {:?}", log.arrived);
    for &(agent, arrival) in &log.arrived {
        let stands = position(&app, agent).distance(goal);
        match arrival {
            Arrival::AtGoal => assert!(stands < 0.15, "{agent} is {stands} from the goal"),
            Arrival::BesideGoal { distance } => {
                // The event is sent while the agent still brakes.
                let gap = (distance - stands).abs();
                assert!(gap < 0.3, "{agent} is told {distance}, and stands {stands} away");
                assert!(stands > 0.5, "{agent} stands beside the goal");
            }
            other => panic!("{agent} is told {other:?}"),
        }
    }
}

#[test]
fn without_a_crowd_the_goal_is_always_reached() {
    let mut app = logging_app(Grid::new(30, 30).unwrap());
    let agents = [(3, 3), (20, 8), (8, 20)].map(|cell| spawn_agent(&mut app, cell));
    let goals = [at((15, 15)), at((4, 4)) + Vec3::new(0.3, -0.2, 0.0), at((28, 1))];
    for (agent, goal) in agents.into_iter().zip(goals) {
        order(&mut app, agent, goal);
    }
    ticks(&mut app, 64 * 8);
    let arrived = &app.world().resource::<EndLog>().arrived;
    assert_eq!(arrived.len(), agents.len(), "each arrives once");
    for agent in agents {
        assert!(arrived.contains(&(agent, Arrival::AtGoal)), "{agent} is at its goal: {arrived:?}");
    }
}

/// An application with a corridor one cell wide.
fn corridor() -> App {
    let terrain = |cell: GridCell| if cell.y == 1 { Terrain::GROUND } else { Terrain::WALL };
    logging_app(Grid::from_fn(40, 3, terrain).unwrap())
}

/// An agent that fills a corridor of one cell: two cannot pass each other.
fn wide_agent(app: &mut App, cell: (i32, i32), avoider: Avoider) -> Entity {
    spawn_with(app, cell, (Agent { radius: 0.6, ..default() }, avoider))
}

/// The two kinds of agent avoidance, both without obstacle avoidance: reciprocal, and contacts only.
fn avoiders() -> [Avoider; 2] {
    let others = [AgentAvoidance::Reciprocal, AgentAvoidance::Contact];
    others.map(|agents| Avoider { obstacles: ObstacleAvoidance::Off, agents, ..default() })
}

/// Sends `count` agents in a corridor to its end, the foremost first, and runs for some seconds.
fn file(app: &mut App, count: i32, avoider: Avoider, seconds: usize) -> Vec<Entity> {
    let agents: Vec<_> = (0..count).map(|place| wide_agent(app, (17 - 2 * place, 1), avoider)).collect();
    for &agent in &agents {
        order(app, agent, at((38, 1)));
    }
    ticks(app, 64 * seconds);
    agents
}

/// The agents that were reported as stuck.
fn stuck(app: &App) -> BTreeSet<Entity> {
    app.world().resource::<EndLog>().stuck.iter().copied().collect()
}

/// Adds an obstacle to the corridor that the grid does not contain.
fn block(app: &mut App, cell: (i32, i32)) {
    app.world_mut().spawn((Obstacle::sphere(0.45), Transform::from_translation(at(cell))));
}

#[test]
fn only_the_first_of_a_queue_is_stuck() {
    for avoider in avoiders() {
        let mut app = corridor();
        block(&mut app, (22, 1));
        let agents = file(&mut app, 8, avoider, 30);
        let last = position(&app, *agents.last().unwrap()).x;
        assert!(last > 8.0 && last < 20.0, "they queue before the obstacle: {last}");
        assert_eq!(stuck(&app), BTreeSet::from([agents[0]]), "{:?}: of {agents:?}", avoider.agents);
    }
}

#[test]
fn the_next_of_a_queue_is_stuck_when_the_first_is_gone() {
    for avoider in avoiders() {
        let mut app = corridor();
        block(&mut app, (22, 1));
        let agents = file(&mut app, 3, avoider, 20);
        app.world_mut().despawn(agents[0]);
        ticks(&mut app, 64 * 20);
        let foremost = BTreeSet::from([agents[0], agents[1]]);
        assert_eq!(stuck(&app), foremost, "{:?}: of {agents:?}", avoider.agents);
    }
}

#[test]
fn an_agent_with_a_steering_override_is_not_stuck() {
    let mut app = corridor();
    let agent = file(&mut app, 1, Avoider::contact(), 1)[0];
    // The agent is driven against the wall, while its path waits.
    app.world_mut().entity_mut(agent).insert(ManualVelocity(Vec3::Y));
    ticks(&mut app, 64 * 20);
    assert_eq!(stuck(&app), BTreeSet::new(), "the user has it wait");
    app.world_mut().entity_mut(agent).remove::<ManualVelocity>();
    all_arrive(&mut app, &[agent]);
}

#[test]
fn an_agent_behind_a_body_without_a_path_is_stuck() {
    for avoider in avoiders() {
        let mut app = corridor();
        // An obstacle behind it keeps it in place.
        block(&mut app, (23, 1));
        let parked = wide_agent(&mut app, (22, 1), avoider);
        app.world_mut().entity_mut(parked).insert(Behavior::arrive(at((22, 1))));
        let agents = file(&mut app, 3, avoider, 30);
        assert_eq!(stuck(&app), BTreeSet::from([agents[0]]), "{:?}: of {agents:?}", avoider.agents);
    }
}

#[test]
fn a_disc_arrives_as_near_to_a_goal_beside_a_wall_as_it_fits() {
    for spread in [true, false] {
        let mut map = grid("#######\n.......\n.......");
        let disc = AgentKind { size: AgentSize::Disc(0.45), ..default() };
        let kind = map.add_kind(disc).expect("there is room for a kind");
        let mut app = logging_app(map);
        let agent = spawn_with(&mut app, (1, 2), Agent { kind, ..default() });
        let goal = Vec3::new(5.5, 1.05, 0.0);
        let request = PathRequest { spread_at_goal: spread, ..PathRequest::to(goal) };
        app.world_mut().entity_mut(agent).insert(request);
        ticks(&mut app, 64 * 3);
        assert_eq!(status(&app, agent), PathStatus::Arrived, "spread: {spread}");
        assert!(path_end(&app, agent).y > 1.44, "its disc keeps out of the wall at the end of its path");
    }
}

#[test]
fn a_new_order_is_obeyed_while_a_path_to_the_slot_at_the_old_goal_is_searched() {
    let mut app = logging_app(grid("..............\n.####.........\n.#..#.........\n....#........."));
    let agents: Vec<_> = (0..8).map(|i| send(&mut app, (6 + i, 3), (2, 2))).collect();
    let (mut sent, goal) = (Vec::new(), at((13, 0)));
    for _ in 0..64 * 8 {
        ticks(&mut app, 1);
        for &agent in &agents {
            if status(&app, agent) == PathStatus::Waiting && !sent.contains(&agent) {
                order(&mut app, agent, goal);
                sent.push(agent);
            }
        }
    }
    assert!(!sent.is_empty(), "some search for another path");
    for agent in sent {
        assert!(position(&app, agent).distance(goal) < 4.0, "{agent} stands at {}", position(&app, agent));
    }
}

#[test]
fn reciprocal_avoidance_does_not_slow_a_lone_disc_in_a_corridor() {
    let wall = "#".repeat(24);
    let mut map = grid(&format!("{wall}\n{}\n{wall}", ".".repeat(24)));
    let kind = map
        .add_kind(AgentKind { size: AgentSize::Disc(0.4), ..default() })
        .expect("there is room for a kind");
    let ticks_to_arrive = |avoider: Avoider| {
        let mut app = logging_app(map.clone());
        let agent = spawn_with(&mut app, (1, 1), (Agent { kind, ..default() }, avoider));
        order(&mut app, agent, at((22, 1)));
        let mut count = 0;
        until(&mut app, "it arrives", |app| {
            count += 1;
            status(app, agent) == PathStatus::Arrived
        });
        count
    };
    let (with, without) = (ticks_to_arrive(Avoider::default()), ticks_to_arrive(Avoider::contact()));
    assert!(with <= without + 10, "{with} ticks, {without} without avoidance");
}

#[test]
fn a_crowd_before_a_gate_goes_to_its_goal_when_the_gate_opens() {
    let is_wall = |cell: GridCell| cell.x == 30;
    for (avoider, count, seconds) in
        [(Avoider::default(), 6, 8), (Avoider::default(), 20, 4), (Avoider::contact(), 20, 8)]
    {
        let terrain = |cell| if is_wall(cell) { Terrain::WALL } else { Terrain::GROUND };
        let (mut app, nav) = app_on(Grid::from_fn(60, 20, terrain).unwrap());
        let goal = Vec3::new(50.5, 10.5, 0.0);
        let body = Agent { radius: 0.4, ..Agent::new(3.0) };
        let agents: Vec<_> = (0..count)
            .map(|i| spawn_with(&mut app, (20 + i % 5, 8 + i / 5), (body, avoider, PathRequest::to(goal))))
            .collect();
        ticks(&mut app, 64 * seconds);
        edit(&mut app, nav, (30, 10), Terrain::GROUND);
        all_arrive(&mut app, &agents);
        for agent in agents {
            let distance = position(&app, agent).distance(goal);
            assert!(distance < 5.0, "{agent} of {count} arrives {distance} from its goal");
        }
    }
}

#[test]
fn a_search_for_a_slot_says_nothing_about_the_goal() {
    let map = "......#.......\n......#.......\n....#.#.......\n......#.......\n....#.#.......";
    let (mut app, nav) = app_on(grid(map));
    let send = || (Avoider::contact(), PathRequest::to(at((12, 2))));
    let agents: Vec<_> = (0..8).map(|i| spawn_with(&mut app, (i % 3, i / 3), send())).collect();
    ticks(&mut app, 10);
    // Behind a pillar, before the gate: with the next tick its search begins.
    until(&mut app, "one asks for a path to its slot", |app| {
        agents.iter().any(|&agent| status(app, agent) == PathStatus::Waiting)
    });
    edit(&mut app, nav, (6, 4), Terrain::GROUND);
    all_arrive(&mut app, &agents);
}

/// Where each agent of a crowd has arrived that is sent to one goal from the cells of a block.
fn arrivals_of_crowd(
    map: Grid,
    corner: (i32, i32),
    count: i32,
    avoider: Avoider,
    goal: &NavGoal,
) -> Vec<Vec3> {
    #[derive(Resource, Default)]
    struct Places(Vec<Vec3>);
    let mut app = logging_app(map);
    app.init_resource::<Places>().add_observer(
        |on: On<AgentArrived>, at: Query<&Transform>, mut places: ResMut<Places>| {
            assert_eq!(on.arrival, Arrival::AtGoal);
            places.0.push(at.get(on.entity).unwrap().translation);
        },
    );
    let request = PathRequest::to(goal.clone());
    let from = |i: i32| (corner.0 + i % 4, corner.1 + i / 4);
    let agents: Vec<_> =
        (0..count).map(|i| spawn_with(&mut app, from(i), (avoider, request.clone()))).collect();
    all_arrive(&mut app, &agents);
    app.world_mut().remove_resource::<Places>().unwrap().0
}

#[test]
fn agents_spread_over_the_places_of_their_goal() {
    let places: Vec<_> = (0..12).map(|i| at((12 + i % 4 * 3, 4 + i / 4 * 5)) + Vec3::X * 0.3).collect();
    let goal = NavGoal::any_of(&places).unwrap();
    for avoider in avoiders() {
        let arrived = arrivals_of_crowd(Grid::new(30, 20).unwrap(), (2, 8), 12, avoider, &goal);
        for place in &places {
            let near = arrived.iter().filter(|at| at.distance(*place) < 0.2).count();
            assert_eq!(near, 1, "one comes to {place}");
        }
    }
}

#[test]
fn a_crowd_that_has_settled_and_is_sent_there_again_stays_as_it_stands() {
    for avoider in avoiders() {
        let mut app = logging_app(Grid::new(30, 30).unwrap());
        let request = PathRequest::to(at((18, 18)));
        let agents: Vec<_> = (0..24)
            .map(|i| spawn_with(&mut app, (3 + i % 6, 3 + i / 6), (avoider, request.clone())))
            .collect();
        all_arrive(&mut app, &agents);
        ticks(&mut app, 64 * 4);
        let places: Vec<_> = agents.iter().map(|&agent| position(&app, agent)).collect();
        for &agent in &agents {
            order(&mut app, agent, at((18, 18)));
        }
        all_arrive(&mut app, &agents);
        ticks(&mut app, 64 * 4);
        let moved = agents.iter().zip(&places).map(|(&agent, place)| position(&app, agent).distance(*place));
        let farthest = moved.fold(0.0, f32::max);
        // One that others had pushed off its slot goes back to it. Nobody changes places, which are a cell apart.
        assert!(farthest < 0.75, "{avoider:?}: one has gone {farthest} cells");
        // Elsewhere is another order.
        order(&mut app, agents[0], at((10, 10)));
        ticks(&mut app, 64 * 6);
        assert!(position(&app, agents[0]).distance(at((10, 10))) < 0.6, "it goes there");
    }
}

#[test]
fn a_crowd_that_was_blown_away_goes_back() {
    for returns in [true, false] {
        let mut app = logging_app(Grid::new(40, 40).unwrap());
        app.world_mut().resource_mut::<SteerSettings>().return_when_pushed = returns;
        let goal = at((20, 20));
        let request = (Avoider::default(), PathRequest::to(goal));
        let agents: Vec<_> =
            (0..30).map(|i| spawn_with(&mut app, (4 + i % 6, 4 + i / 6), request.clone())).collect();
        all_arrive(&mut app, &agents);
        ticks(&mut app, 64 * 2);
        let places: Vec<_> = agents.iter().map(|&agent| position(&app, agent)).collect();
        for (&agent, &place) in agents.iter().zip(&places) {
            let away = (place - goal).normalize_or(Vec3::X) * 3.0;
            app.world_mut().get_mut::<Transform>(agent).unwrap().translation += away;
        }
        ticks(&mut app, 64 * 10);
        // Two radii off is near enough.
        let is_back = |&i: &usize| position(&app, agents[i]).distance(places[i]) < 0.85;
        let back = (0..agents.len()).filter(is_back).count();
        let is_arrived = |&agent: &Entity| status(&app, agent) == PathStatus::Arrived;
        assert!(agents.iter().all(is_arrived), "they have arrived all the time");
        assert_eq!(back > 20, returns, "{back} of 30 are back");
    }
}

#[test]
fn a_crowd_round_a_building_comes_within_range() {
    let is_wall = |cell: GridCell| (13..17).contains(&cell.x) && (8..12).contains(&cell.y);
    let terrain = |cell| if is_wall(cell) { Terrain::WALL } else { Terrain::GROUND };
    let center = Vec3::new(14.5, 9.5, 0.0);
    for avoider in avoiders() {
        let map = Grid::from_fn(30, 20, terrain).unwrap();
        let arrived = arrivals_of_crowd(map, (6, 7), 16, avoider, &NavGoal::within(center, 4.0));
        assert!(arrived.iter().all(|at| at.distance(center) < 4.2), "{arrived:?}");
    }
}

#[test]
fn an_agent_is_told_how_far_from_its_goal_it_has_arrived() {
    let terrain = |cell: GridCell| if cell.y == 3 && cell.x < 14 { Terrain::WALL } else { Terrain::GROUND };
    let mut app = logging_app(Grid::from_fn(20, 9, terrain).unwrap());
    // Off the middle of its cell.
    let goal = Vec3::new(14.05, 1.95, 0.0);
    app.add_observer(move |on: On<AgentArrived>, at: Query<&Transform>| {
        let stands = at.get(on.entity).unwrap().translation.distance(goal);
        match on.arrival {
            Arrival::AtGoal => assert!(stands < 0.101, "it is at its goal, and {stands} away"),
            Arrival::BesideGoal { distance } => {
                assert!(
                    stands > 0.1 && (stands - distance).abs() < 1e-3,
                    "told {distance}, it is {stands} away"
                );
            }
            other => panic!("it is told {other:?}"),
        }
    });
    let agents: Vec<_> = (0..8)
        .map(|i| spawn_with(&mut app, (2 + i, 1), (Avoider::contact(), PathRequest::to(goal))))
        .collect();
    // The foremost has its slot, the cell of the goal, and is blown behind the wall.
    let foremost = agents[7];
    until(&mut app, "it is near", |app| position(app, foremost).x > 12.5);
    app.world_mut().get_mut::<Transform>(foremost).unwrap().translation.y = 5.0;
    all_arrive(&mut app, &agents);
}
