//! Agents under direct control: they hold their position, or have a velocity of their own.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, steer::GoalSource};

use crate::fixture::*;
use crate::support::{at, open, order, position, spawn_grid, status, ticks};

fn on(cell: (i32, i32)) -> Transform {
    Transform::from_translation(at(cell))
}

#[test]
fn an_agent_that_holds_its_position_keeps_all_that_it_was_told() {
    let mut app = app();
    spawn_grid(&mut app, open(30, 12));
    app.init_resource::<Stuck>().add_observer(|_: On<AgentStuck>, mut stuck: ResMut<Stuck>| stuck.0 += 1);
    let prey = spawn(&mut app, on((20, 10)));
    let field = app.world_mut().spawn(FlowField::to(at((20, 1)))).id();
    let agents = [
        spawn(&mut app, (Agent::default(), PathRequest::to(at((20, 3))), on((2, 3)))),
        spawn(&mut app, (FollowField(field), on((2, 1)))),
        spawn(&mut app, (Pursuer::line_of_sight(prey), on((2, 10)))),
        spawn(&mut app, (ManualVelocity(Vec3::X), on((2, 6)))),
        spawn(&mut app, (Agent::default(), Separation::default(), PathRequest::to(at((20, 5))), on((2, 5)))),
    ];
    ticks(&mut app, 32);
    agents.iter().for_each(|&agent| _ = app.world_mut().entity_mut(agent).insert(HoldPosition));
    ticks(&mut app, 64);
    let held: Vec<_> = agents.iter().map(|&agent| position(&app, agent)).collect();
    ticks(&mut app, 64 * 8);
    for (&agent, &held) in agents.iter().zip(&held) {
        assert_eq!(position(&app, agent), held, "it stands");
        assert_eq!(breakdown(&app, agent).source, GoalSource::Hold);
        app.world_mut().entity_mut(agent).remove::<HoldPosition>();
    }
    assert_eq!(app.world().resource::<Stuck>().0, 0, "and is not stuck");
    ticks(&mut app, 64 * 8);
    for (&agent, held) in agents.iter().zip(held) {
        let gone = position(&app, agent).x - held.x;
        assert!(gone > 5.0, "it goes on, and not only {gone} from {held}: {:?}", breakdown(&app, agent));
    }
}

#[derive(Resource, Default)]
struct Stuck(u32);

#[test]
fn nobody_pushes_an_agent_that_holds_its_position() {
    for avoider in [Avoider::contact(), Avoider::default()] {
        let mut app = app();
        spawn_grid(&mut app, open(40, 20));
        let boss = spawn(&mut app, (avoider, HoldPosition, Separation::default(), on((20, 10))));
        let hunters: Vec<_> = (0..16)
            .map(|i| {
                let place = at((20, 10)) + Quat::from_rotation_z(i as f32 * 0.39) * Vec3::X * 6.0;
                let body = (avoider, Agent::new(3.0), Transform::from_translation(place));
                spawn(&mut app, (body, Pursuer::line_of_sight(boss)))
            })
            .collect();
        ticks(&mut app, 64 * 15);
        let moved = position(&app, boss).distance(at((20, 10)));
        assert!(moved < 1e-3, "{:?}: they have pushed it {moved} away", avoider.agents);
        let near = hunters.iter().filter(|&&it| position(&app, it).distance(at((20, 10))) < 3.0).count();
        assert!(near > 8, "they stand round it: {near}");
    }
}

#[test]
fn a_passer_by_goes_round_an_agent_that_holds_its_position() {
    let mut app = app();
    spawn_grid(&mut app, open(40, 20));
    let guard = spawn(&mut app, (Avoider::default(), HoldPosition, on((20, 10))));
    let walker = spawn(&mut app, (Avoider::default(), Agent::new(3.0), on((10, 10))));
    order(&mut app, walker, at((32, 10)));
    ticks(&mut app, 64 * 10);
    assert_eq!(status(&app, walker), PathStatus::Arrived);
    assert_eq!(position(&app, guard), at((20, 10)));
}

#[test]
fn a_manual_velocity_of_zero_stops_an_agent_and_none_lets_it_go_on() {
    let mut app = app();
    spawn_grid(&mut app, open(30, 12));
    let agent = spawn(&mut app, (Agent::default(), PathRequest::to(at((20, 3))), on((2, 3))));
    ticks(&mut app, 16);
    app.world_mut().entity_mut(agent).insert(ManualVelocity(Vec3::ZERO));
    ticks(&mut app, 32);
    let stood = position(&app, agent);
    ticks(&mut app, 64 * 5);
    assert_eq!(position(&app, agent), stood);
    app.world_mut().entity_mut(agent).remove::<ManualVelocity>();
    ticks(&mut app, 64 * 5);
    assert_eq!(status(&app, agent), PathStatus::Arrived);
}

#[test]
fn one_that_holds_its_position_in_a_wall_walks_out_first() {
    let mut app = app();
    let nav = spawn_grid(&mut app, open(30, 12));
    let agent = spawn(&mut app, (HoldPosition, Avoider::default(), on((12, 6))));
    ticks(&mut app, 4);
    for (x, y) in (-1..2).flat_map(|y| (-1..2).map(move |x| (12 + x, 6 + y))) {
        app.world_mut().get_mut::<NavGrid>(nav).unwrap().set((x, y), Terrain::WALL).unwrap();
    }
    ticks(&mut app, 64 * 3);
    assert!(position(&app, agent).distance(at((12, 6))) > 1.4, "it is at {}", position(&app, agent));
    let stood = position(&app, agent);
    ticks(&mut app, 64);
    assert_eq!(position(&app, agent), stood, "and stands there");
}
