//! Influence: layers of values that cost agents something, and sources that write them.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_pathfind::{
    order::{FlowFieldValues, PathCause, PathInvalidated},
    prelude::*,
    solve::{SolveMode, SolveSettings},
    world::{Falloff, JoinedGrid},
};

use crate::support::*;

/// A field of 30 by 11 cells, with a layer that costs the default kind its value.
fn danger_app() -> (App, Entity, InfluenceId) {
    let (mut app, nav) = app_on(open(30, 11));
    let danger = add_layer(&mut app, "danger");
    (app, nav, danger)
}

fn add_layer(app: &mut App, name: &str) -> InfluenceId {
    let mut layers = app.world_mut().resource_mut::<InfluenceLayers>();
    let layer = layers.add(name);
    layers.set_cost(layer, KindId::default(), InfluenceCost::default());
    layer
}

fn spawn_source(app: &mut App, layer: InfluenceId, cell: (i32, i32), radius: f32, strength: f32) -> Entity {
    let source = InfluenceSource::new(layer, radius).with_strength(strength).with_falloff(Falloff::Constant);
    app.world_mut().spawn((source, Transform::from_translation(at(cell)))).id()
}

/// How near the way of an agent came to a cell, until it had arrived at `goal`.
fn nearest_on_the_way(app: &mut App, agent: Entity, cell: (i32, i32)) -> f32 {
    let mut nearest = f32::INFINITY;
    until(app, "it arrives", |app| {
        nearest = nearest.min(position(app, agent).distance(at(cell)));
        status(app, agent) == PathStatus::Arrived
    });
    nearest
}

#[test]
fn a_path_leads_round_danger_for_those_who_mind_it() {
    let (mut app, _, danger) = danger_app();
    let brave = app.world_mut().resource_mut::<AgentKinds>().add(AgentKind::default()).unwrap();
    spawn_source(&mut app, danger, (15, 5), 4.0, 8.0);
    ticks(&mut app, 20);
    let [deer, fireman] = [KindId::default(), brave].map(|kind| {
        let agent = Agent::new(6.0).with_kind(kind);
        let agent = spawn_with(&mut app, (2, 5), (agent, PathRequest::to(at((27, 5)))));
        ticks(&mut app, 1);
        nearest_on_the_way(&mut app, agent, (15, 5))
    });
    assert!(deer > 3.9, "it keeps {deer} away");
    assert!(fireman < 0.1, "it walks through: {fireman}");
}

#[test]
fn an_agent_on_its_way_looks_again_and_is_not_stopped() {
    let (mut app, _, danger) = danger_app();
    app.world_mut().resource_mut::<EventLog>().0.clear();
    let agent = spawn_with(&mut app, (2, 5), (Agent::new(1.0), PathRequest::to(at((27, 5)))));
    ticks(&mut app, 64);
    let fire = spawn_source(&mut app, danger, (17, 5), 4.0, 8.0);
    // A quarter of a second until the costs are there, and a second until it is the agent's turn.
    ticks(&mut app, 82);
    assert!(path(&app, agent).waypoints().len() > 1, "its path leads round");
    assert_eq!(found(&app).len(), 2, "it heard of a cheaper path, once");
    app.world_mut().despawn(fire);
    // It looks for a way through what was dear in every fourth turn.
    ticks(&mut app, 64 * 5);
    assert_eq!(path(&app, agent).remaining().len(), 1, "straight on, once the fire is out");
    let nearest = nearest_on_the_way(&mut app, agent, (27, 5));
    assert!(nearest < 0.6);
    let found = found(&app).len();
    assert!((3..=4).contains(&found), "one path at first, and one for each change: {found}");
}

#[test]
fn nobody_plans_again_twice_in_a_second_while_sources_move() {
    let (mut app, _) = app_on(open(96, 96));
    let danger = add_layer(&mut app, "danger");
    let mut random = Random(4);
    let mut cell = || (random.below(96) as i32, random.below(96) as i32);
    let agents: Vec<Entity> = (0..100)
        .map(|_| {
            let (from, goal) = (cell(), cell());
            spawn_with(&mut app, from, (Agent::new(3.0), GoalQueue::ping_pong([at(from), at(goal)])))
        })
        .collect();
    let sources: Vec<_> =
        (0..8).map(|_| cell()).map(|at| (at, spawn_source(&mut app, danger, at, 8.0, 5.0))).collect();
    ticks(&mut app, 20);
    #[derive(Resource, Default)]
    struct Replans(Vec<(Entity, u64)>);
    app.init_resource::<Replans>();
    let note = |on: On<PathFound>, time: Res<Time>, mut replans: ResMut<Replans>| {
        if on.cause == PathCause::ShorterWay {
            replans.0.push((on.entity, time.elapsed().as_millis() as u64));
        }
    };
    app.add_observer(note)
        .add_observer(|on: On<PathInvalidated>| assert_eq!(on.cause, PathCause::ShorterWay));
    for tick in 0..64 * 8 {
        for (index, &((x, y), source)) in sources.iter().enumerate() {
            let turn = bevy::math::ops::sin_cos(tick as f32 / 100.0 + index as f32);
            let at = Vec3::new(x as f32 + 12.0 * turn.0, y as f32 + 12.0 * turn.1, 0.0);
            app.world_mut().get_mut::<Transform>(source).unwrap().translation = at;
        }
        app.update();
    }
    let replans = &app.world().resource::<Replans>().0;
    assert!(replans.len() > 20, "some do change their paths: {}", replans.len());
    for &agent in &agents {
        let own: Vec<u64> = replans.iter().filter(|(it, _)| *it == agent).map(|&(_, at)| at).collect();
        assert!(own.windows(2).all(|pair| pair[1] - pair[0] >= 990), "{agent}: {own:?}");
    }
}

#[test]
fn fields_mind_influence_too() {
    let (mut app, _, danger) = danger_app();
    let field = app.world_mut().spawn(FlowField::to(at((27, 5)))).id();
    ticks(&mut app, 2);
    let follower = spawn_with(&mut app, (2, 5), (Agent::new(6.0), FollowField(field)));
    let before = app.world().get::<FlowFieldValues>(field).unwrap().distance((2, 5).into());
    spawn_source(&mut app, danger, (15, 5), 4.0, 8.0);
    ticks(&mut app, 20);
    let after = app.world().get::<FlowFieldValues>(field).unwrap().distance((2, 5).into());
    assert!(before < after, "the field is repaired: {before:?} {after:?}");
    let nearest = nearest_on_the_way(&mut app, follower, (15, 5));
    assert!(nearest > 3.0, "it keeps {nearest} away");
}

#[test]
fn what_is_painted_fades_and_spreads_and_can_be_read() {
    let (mut app, nav, danger) = danger_app();
    wall(&mut app, nav, (10, 0), (10, 10));
    {
        let mut layers = app.world_mut().resource_mut::<InfluenceLayers>();
        let settings = layers.settings_mut(danger);
        (settings.half_life, settings.spread) = (Some(1.0), 0.5);
    }
    let (grid, mut influence) =
        app.world_mut().query::<(&NavGrid, &mut GridInfluence)>().single_mut(app.world_mut()).unwrap();
    influence.layer_mut(danger, grid).paint(CellRect::new((9, 5).into(), (9, 5).into()), |_, _| 64.0);
    let sum = |app: &App| {
        let influence = app.world().get::<GridInfluence>(nav).unwrap();
        nav_grid(app, nav).bounds().cells().map(|cell| influence.value(danger, cell)).sum::<f32>()
    };
    ticks(&mut app, 64 * 3);
    let left = sum(&app);
    assert!((6.0..11.0).contains(&left), "about an eighth is left after three half-lives: {left}");
    let values = move |nav: NavQuery| [(8, 5), (11, 5)].map(|cell| nav.influence_at(danger, at(cell)));
    let [near, beyond] = app.world_mut().run_system_once(values).unwrap();
    assert!(near.0 > 0.1 && near.1.x > 0.0, "it grows towards the source: {near:?}");
    assert!(beyond.0 < near.0 / 2.0, "the wall keeps it: {beyond:?}");
    ticks(&mut app, 64 * 20);
    assert_eq!(sum(&app), 0.0, "at last nothing is left");
}

#[test]
fn sources_that_make_no_sense_change_nothing_and_are_named_once() {
    let log = warnings();
    let (mut app, nav, danger) = danger_app();
    let bad = [
        InfluenceSource::new(danger, f32::NAN),
        InfluenceSource::new(danger, 1e6),
        InfluenceSource::new(danger, 3.0).with_strength(f32::INFINITY),
        InfluenceSource::new(InfluenceId(9), 3.0),
    ];
    for (index, source) in bad.into_iter().enumerate() {
        app.world_mut().spawn((
            source,
            Transform::from_translation(at((5, 5))),
            Name::new(format!("dud{index}")),
        ));
    }
    app.world_mut().spawn((InfluenceSource::new(danger, 3.0), Transform::from_xyz(f32::NAN, 0.0, 0.0)));
    ticks(&mut app, 100);
    let cells = nav_grid(&app, nav);
    assert!(cells.bounds().cells().all(|cell| cells.cost(KindId::default(), cell) == Some(1.0)));
    let lines = log.lock().unwrap();
    for index in 0..bad.len() {
        assert_eq!(lines.iter().filter(|line| line.contains(&format!("dud{index}"))).count(), 1);
    }
}

#[test]
fn influence_ends_with_its_source_and_its_kind() {
    let (mut app, nav, danger) = danger_app();
    let source = spawn_source(&mut app, danger, (15, 5), 4.0, 8.0);
    ticks(&mut app, 20);
    let cost = |app: &App| nav_grid(app, nav).cost(KindId::default(), (15, 5).into());
    assert_eq!(cost(&app), Some(9.0));
    let dear = AgentKind::default().with_cost(Terrain::GROUND, 2.0).unwrap();
    app.world_mut().resource_mut::<AgentKinds>().set(KindId::default(), dear).unwrap();
    ticks(&mut app, 20);
    assert_eq!(cost(&app), Some(10.0), "a kind that changes keeps what it minds");
    app.world_mut().resource_mut::<InfluenceLayers>().set_cost(
        danger,
        KindId::default(),
        InfluenceCost::weight(0.0),
    );
    ticks(&mut app, 20);
    assert_eq!(cost(&app), Some(2.0), "it does not mind any more");
    let mild = InfluenceCost { weight: 0.9, cap: 4.0 };
    app.world_mut().resource_mut::<InfluenceLayers>().set_cost(danger, KindId::default(), mild);
    ticks(&mut app, 20);
    assert_eq!(cost(&app), Some(6.0), "at most the cap");
    app.world_mut().despawn(source);
    ticks(&mut app, 20);
    assert_eq!(cost(&app), Some(2.0), "the source is gone");
    app.world_mut().despawn(nav);
    spawn_source(&mut app, danger, (3, 3), 4.0, 8.0);
    ticks(&mut app, 40);
}

#[test]
fn influence_moves_with_the_cells_of_a_joined_grid() {
    let mut app = app(SolveMode::Inline);
    let danger = add_layer(&mut app, "danger");
    app.world_mut().spawn((NavGrid::new(open(64, 64)), Transform::default()));
    app.world_mut().spawn((NavGrid::new(open(64, 64)), Transform::from_xyz(64.0, 0.0, 0.0)));
    spawn_source(&mut app, danger, (62, 5), 4.0, 8.0);
    let cost = |app: &mut App, cell: (i32, i32)| {
        let mut joined = app
            .world_mut()
            .query_filtered::<(&NavGrid, &bevy_pathfind::world::GridTransform), With<JoinedGrid>>();
        let (grid, place) = joined.single(app.world()).expect("they touch");
        grid.cost(KindId::default(), place.cell_at(at(cell)))
    };
    ticks(&mut app, 40);
    assert_eq!(
        [(62, 5), (65, 5), (80, 5)].map(|cell| cost(&mut app, cell)),
        [Some(9.0), Some(9.0), Some(1.0)]
    );
    app.world_mut().spawn((NavGrid::new(open(64, 64)), Transform::from_xyz(-64.0, 0.0, 0.0)));
    ticks(&mut app, 40);
    assert_eq!(
        [(62, 5), (65, 5), (-2, 5)].map(|cell| cost(&mut app, cell)),
        [Some(9.0), Some(9.0), Some(1.0)]
    );
    let settings = *app.world().resource::<SolveSettings>();
    assert!(settings.reconsider_every == 1.0 && settings.min_saving == 0.5);
}
