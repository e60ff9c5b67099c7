//! The examples that are games, run without a window.

#![expect(dead_code, reason = "the examples' own windows and input are not opened here")]

use std::time::Duration;

use bevy::prelude::*;
use bevy::state::app::StatesPlugin;
use bevy::time::TimeUpdateStrategy;
use bevy_pathfind::{
    order::FlowFieldValues,
    prelude::*,
    solve::{SolveMode, SolveSettings, SolveStats},
    steer::{GoalSource, SteeringBreakdown, SteeringNames},
};

mod guards;
mod recipes;

#[path = "../animation.rs"]
mod animation;
#[path = "../bake.rs"]
mod bake;
#[path = "../colony.rs"]
mod colony;
#[path = "../custom_behavior.rs"]
mod custom_behavior;
#[path = "../headless_server.rs"]
mod headless_server;
#[path = "../links.rs"]
mod links;
#[path = "../moving_ship.rs"]
mod moving_ship;
#[path = "../patrol.rs"]
mod patrol;
#[path = "../pause_and_plan.rs"]
mod pause_and_plan;
#[path = "../pooling.rs"]
mod pooling;
#[path = "../rts_orders.rs"]
mod rts_orders;
#[path = "../save_load.rs"]
mod save_load;
#[path = "../states.rs"]
mod states;
#[path = "../stealth.rs"]
mod stealth;
#[path = "../tower_defence.rs"]
mod tower_defence;
#[path = "../trucks.rs"]
mod trucks;
#[path = "../turn_based.rs"]
mod turn_based;

/// A game without a window, in which a frame is a tick.
fn play(game: fn(&mut App)) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, StatesPlugin, TransformPlugin, game))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 64.0)))
        .insert_resource(SolveSettings { mode: SolveMode::Inline, ..default() });
    app.finish();
    app.update();
    app
}

fn seconds(app: &mut App, seconds: f32) {
    (0..(seconds * 64.0) as usize).for_each(|_| app.update());
}

fn places<F: bevy::ecs::query::QueryFilter>(app: &mut App) -> Vec<Vec3> {
    let mut agents = app.world_mut().query_filtered::<(&Transform, &AgentId), (With<Agent>, F)>();
    let mut all: Vec<_> = agents.iter(app.world()).map(|(at, id)| (*id, at.translation)).collect();
    all.sort_by_key(|&(id, _)| id);
    all.into_iter().map(|(_, at)| at).collect()
}

/// The number of [`AgentStuck`] events.
#[derive(Resource, Default)]
struct Stuck(u32);

#[test]
fn walkers_cross_a_baked_bridge_above_and_below() {
    #[derive(Resource, Default)]
    struct Arrivals(Vec<Vec3>);
    let mut app = play(|app| {
        app.add_plugins((AssetPlugin::default(), bevy::mesh::MeshPlugin, bake::game));
    });
    app.init_resource::<Arrivals>()
        .add_observer(|on: On<AgentArrived>, mut all: ResMut<Arrivals>| all.0.push(on.goal));
    let begun = std::time::Instant::now();
    // The bake ends when the machine has done it.
    while app.world_mut().query::<&Agent>().iter(app.world()).count() < 12 {
        app.update();
        assert!(begun.elapsed() < Duration::from_secs(60), "the walkers come when the ground is there");
    }
    (0..64 * 40).for_each(|_| app.update());
    let arrivals = &app.world().resource::<Arrivals>().0;
    let (over, under): (Vec<Vec3>, Vec<Vec3>) = arrivals.iter().partition(|goal| goal.x.abs() > 12.0);
    assert!(over.len() >= 6 && under.len() >= 6, "{} over, {} under", over.len(), under.len());
}

#[test]
fn leaves_drift_and_walkers_queue_before_the_door() {
    let mut app = play(custom_behavior::game);
    app.init_resource::<Stuck>().add_observer(|_: On<AgentStuck>, mut stuck: ResMut<Stuck>| stuck.0 += 1);
    let leaves = places::<With<custom_behavior::Leaf>>(&mut app);
    seconds(&mut app, 2.5);
    let moved = places::<With<custom_behavior::Leaf>>(&mut app);
    assert!(
        leaves.iter().zip(&moved).all(|(before, now)| now.x > before.x + 1.0),
        "the wind blows to the right"
    );
    let queue = app.world().resource::<SteeringNames>().id(custom_behavior::QUEUE).map(GoalSource::Custom);
    let queue = queue.expect("the game adds it");
    let (mut waited, mut stuck) = (false, 0);
    for _ in 0..64 * 60 {
        app.update();
        let mut agents = app.world_mut().query::<(&SteeringBreakdown, &AgentVelocity)>();
        let is_waiting = |source| source == queue;
        waited |= agents.iter(app.world()).any(|(told, at)| is_waiting(told.source) && at.0.length() < 0.1);
        stuck = app.world().resource::<Stuck>().0;
    }
    assert!(
        waited && stuck == 0,
        "they wait for each other ({waited}), and waiting is not being stuck ({stuck})"
    );
    let walkers = places::<Without<custom_behavior::Leaf>>(&mut app);
    assert!(walkers.iter().all(|at| at.x > 0.5), "in the end all are through: {walkers:?}");
}

#[test]
fn trucks_go_to_and_fro_among_soldiers() {
    #[derive(Resource, Default)]
    struct Trips(u32);
    let mut app = play(trucks::game);
    app.init_resource::<Trips>().add_observer(
        |it: On<AgentArrived>, trucks: Query<(), With<Vehicle>>, mut trips: ResMut<Trips>| {
            trips.0 += u32::from(trucks.contains(it.entity));
        },
    );
    seconds(&mut app, 60.0);
    let trips = app.world().resource::<Trips>().0;
    assert!(trips >= 4, "both have gone to and fro: {trips} trips");
}

#[test]
fn guards_patrol_and_the_worker_visits_its_goals() {
    let mut app = play(patrol::game);
    let mut turns = [0, 0];
    let mut last = [0, 0];
    for _ in 0..64 * 40 {
        app.update();
        let mut guards = app.world_mut().query_filtered::<(&AgentId, &GoalQueue), Without<patrol::Worker>>();
        let mut now: Vec<_> = guards.iter(app.world()).map(|(id, queue)| (*id, queue.next)).collect();
        now.sort_unstable();
        for (number, (_, next)) in now.into_iter().enumerate() {
            turns[number] += usize::from(last[number] != next);
            last[number] = next;
        }
    }
    assert!(turns[0] >= 4 && turns[1] >= 3, "both have turned: {turns:?}");
    let worker = app
        .world_mut()
        .query_filtered::<(&GoalQueue, &PathStatus), With<patrol::Worker>>()
        .single(app.world());
    let (queue, status) = worker.expect("there is one");
    assert_eq!((queue.goal(), *status), (None, PathStatus::Arrived), "all goals are visited");
}

#[test]
fn runners_come_from_a_pool() {
    let mut app = play(pooling::game);
    seconds(&mut app, 40.0);
    let arrivals = app.world().resource::<pooling::Arrivals>().0;
    let mut all = app.world_mut().query_filtered::<(), (With<pooling::Runner>, bevy::ecs::query::Allow<bevy::ecs::entity_disabling::Disabled>)>();
    let count = all.iter(app.world()).count();
    assert!(count <= pooling::RUNNERS + 1, "{count} runners are enough");
    assert!(arrivals > 2 * count as u32, "each was used again: {arrivals} arrivals of {count}");
}

#[test]
fn nothing_goes_on_in_the_menu_and_nothing_moves_in_a_pause() {
    use states::Phase;
    let mut app = play(states::game);
    let go = |app: &mut App, phase: Phase| {
        app.world_mut().resource_mut::<NextState<Phase>>().set(phase);
        seconds(app, 1.0);
    };
    go(&mut app, Phase::Menu);
    assert!(places::<()>(&mut app).is_empty());
    go(&mut app, Phase::Play);
    let before = places::<()>(&mut app);
    seconds(&mut app, 2.0);
    let after = places::<()>(&mut app);
    assert!(after.len() == 12 && before.iter().zip(&after).all(|(one, other)| one.distance(*other) > 1.0));
    go(&mut app, Phase::Pause);
    let paused = places::<()>(&mut app);
    let unit = app.world_mut().query_filtered::<Entity, With<Agent>>().iter(app.world()).next().unwrap();
    let before = app.world().resource::<SolveStats>().finished;
    app.world_mut().entity_mut(unit).insert(PathRequest::to(Vec3::new(3.0, 3.0, 0.0)));
    seconds(&mut app, 1.0);
    assert_eq!(places::<()>(&mut app), paused, "nothing moves");
    assert!(app.world().resource::<SolveStats>().finished > before, "an order is answered");
    go(&mut app, Phase::Play);
    assert_ne!(places::<()>(&mut app), paused, "and it goes on");
    go(&mut app, Phase::Menu);
    assert!(places::<()>(&mut app).is_empty(), "the round is over");
}

#[test]
fn plans_are_made_in_the_pause_and_carried_out_after_it() {
    use pause_and_plan::Plan;
    let mut app = play(pause_and_plan::game);
    let before = places::<()>(&mut app);
    let goals = [Vec3::new(30.5, 4.5, 0.0), Vec3::new(30.5, 10.5, 0.0)];
    goals.iter().for_each(|&goal| app.world_mut().trigger(Plan(goal, false)));
    seconds(&mut app, 0.5);
    let lengths = |app: &mut App| -> Vec<f32> {
        let mut paths = app.world_mut().query::<(&AgentId, &NavPath)>();
        let mut lengths: Vec<_> = paths.iter(app.world()).map(|(&id, path)| (id, path.length())).collect();
        lengths.sort_unstable_by_key(|&(id, _)| id);
        lengths.into_iter().map(|(_, length)| length).collect()
    };
    let straight = lengths(&mut app);
    assert_eq!(straight.len(), 2, "the two that are nearest to the goals have a path");
    (2..9).for_each(|y| app.world_mut().trigger(Plan(Vec3::new(15.5, y as f32 + 0.5, 0.0), true)));
    seconds(&mut app, 0.5);
    let round = lengths(&mut app);
    assert!(
        round[0] > straight[0] + 0.5 && round[1] == straight[1],
        "one path leads round the wall: {round:?}"
    );
    assert_eq!(places::<()>(&mut app), before, "in the pause nothing moves");
    app.world_mut().resource_mut::<Time<Virtual>>().unpause();
    seconds(&mut app, 12.0);
    let after = places::<()>(&mut app);
    assert!((0..2).all(|unit| after[unit].distance(goals[unit]) < 0.5), "they carry it out: {after:?}");
    assert_eq!(after[2], before[2], "the third has no orders");
}

#[test]
fn steps_follow_the_path_and_figures_tell_when_they_stop() {
    let mut app = play(animation::game);
    #[derive(Resource, Default)]
    struct Heard(Vec<bool>);
    app.init_resource::<Heard>()
        .add_observer(|gait: On<animation::Gait>, mut heard: ResMut<Heard>| heard.0.push(gait.is_walking));
    seconds(&mut app, 30.0);
    let heard = &app.world().resource::<Heard>().0;
    let starts = heard.iter().filter(|is_walking| **is_walking).count();
    assert!(starts > 6 && heard.len() - starts > 6, "figures set off and stop: {heard:?}");
    let mut walks = app.world_mut().query::<&animation::Walk>();
    assert!(walks.iter(app.world()).all(|walk| (0.0..1.0).contains(&walk.phase)));
}

#[test]
fn a_loaded_game_goes_on_as_the_saved_one() {
    use bevy::ecs::system::RunSystemOnce;
    let mut app = play(save_load::game);
    seconds(&mut app, 3.0);
    let saved = app.world_mut().run_system_once(save_load::save).expect("there is a map");
    let text = serde_json::to_string(&saved).expect("it can be written");
    let there = places::<()>(&mut app);
    seconds(&mut app, 5.0);
    let later = places::<()>(&mut app);
    let mut other = play(save_load::game);
    let save: save_load::Save = serde_json::from_str(&text).expect("it can be read");
    assert_eq!(save.units.len(), 10);
    other.world_mut().run_system_once_with(save_load::load, save).expect("it can be loaded");
    assert_eq!(places::<()>(&mut other), there, "each agent is where it was");
    seconds(&mut other, 5.0);
    for (one, other) in later.iter().zip(places::<()>(&mut other)) {
        assert!(one.distance(other) < 2.0, "{one} and {other}: on the same path");
    }
    assert!(
        serde_json::from_str::<save_load::Save>(&text[..text.len() / 2]).is_err(),
        "half a file is an error"
    );
}

#[test]
fn soldiers_obey_fight_and_go_on() {
    use rts_orders::{BoxDrawn, Enemy, Order, Selected, Soldier, center};
    let mut app = play(rts_orders::game);
    let count = |app: &mut App, near: Vec3| {
        places::<With<Soldier>>(app).into_iter().filter(|at| at.distance(near) < 4.0).count()
    };
    // Two columns of the four.
    app.world_mut().trigger(BoxDrawn(Rect::from_corners(center(0, 0).truncate(), center(2, 27).truncate())));
    app.update();
    assert_eq!(app.world_mut().query_filtered::<(), With<Selected>>().iter(app.world()).count(), 10);
    let (first, second) = (center(20, 1), center(6, 26));
    app.world_mut().trigger(Order::Go { to: first, is_added: false, attacks: false });
    app.world_mut().trigger(Order::Go { to: second, is_added: true, attacks: false });
    let mut most = 0;
    for _ in 0..64 * 12 {
        app.update();
        most = most.max(count(&mut app, first));
    }
    assert!(most >= 6, "they come to the first goal: {most}");
    seconds(&mut app, 12.0);
    assert_eq!(count(&mut app, second), 10, "and then to the second");

    let enemies =
        |app: &mut App| app.world_mut().query_filtered::<(), With<Enemy>>().iter(app.world()).count();
    assert_eq!(enemies(&mut app), 5, "no soldier was sent to fight");
    app.world_mut().trigger(BoxDrawn(Rect::from_center_size(Vec2::ZERO, Vec2::splat(100.0))));
    app.world_mut().flush();
    for to in [center(40, 4), center(40, 24)] {
        app.world_mut().trigger(Order::Go { to, is_added: false, attacks: true });
        seconds(&mut app, 20.0);
    }
    let left = enemies(&mut app);
    assert!(left <= 2, "those in sight are caught: {left} are left");
    assert!(count(&mut app, center(40, 24)) >= 10, "and after the fight they go on");
    app.world_mut().trigger(Order::Patrol(center(30, 14)));
    seconds(&mut app, 25.0);
    assert!(app.world_mut().query::<&GoalQueue>().iter(app.world()).any(|queue| queue.next == 0));
}

#[test]
fn creeps_of_all_kinds_come_and_no_tower_seals_off_the_base() {
    use tower_defence::{Build, Creep, Game, Shot, Tower, center};
    #[derive(Resource, Default)]
    struct Shots(u32);
    let mut app = play(tower_defence::game);
    app.init_resource::<Shots>().add_observer(|_: On<Shot>, mut shots: ResMut<Shots>| shots.0 += 1);
    app.world_mut().resource_mut::<Game>().wave = 400;
    let towers =
        |app: &mut App| app.world_mut().query_filtered::<(), With<Tower>>().iter(app.world()).count();
    let build = |app: &mut App, x: i32, y: i32| {
        app.world_mut().trigger(Build(center(GridCell::new(x, y))));
        app.world_mut().flush();
    };
    let mut through = [false; 4];
    for _ in 0..64 * 24 {
        app.update();
        let mut creeps = app.world_mut().query_filtered::<(&Transform, &Agent, Has<Airborne>), With<Creep>>();
        for (at, agent, flies) in creeps.iter(app.world()) {
            let sort = if flies { 3 } else { usize::from(agent.kind.0) };
            through[sort] |= at.translation.x > center(GridCell::new(96, 0)).x;
        }
    }
    assert!(through.iter().all(|&it| it), "runners, swimmers, bosses and flyers come near: {through:?}");

    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    let before = places::<With<Creep>>(&mut app);
    // A wall of towers across the map: those that leave no room for bosses are refused.
    (0..32).for_each(|row| build(&mut app, 92, row * 2));
    seconds(&mut app, 1.0);
    assert_eq!(places::<With<Creep>>(&mut app), before, "in the pause nothing moves");
    let built = towers(&mut app);
    assert!((28..31).contains(&built), "a gap of three cells is left: {built}");
    app.world_mut().resource_mut::<Time<Virtual>>().unpause();
    seconds(&mut app, 8.0);
    assert!(app.world().resource::<Shots>().0 > 20, "towers shoot");
    let to_base = app.world().resource::<Game>().to_base;
    for field in to_base.map(|field| app.world().get::<FlowFieldValues>(field).expect("it is there")) {
        assert!(field.distance(tower_defence::SPAWN).is_some(), "a path is left for each kind");
    }
}

#[test]
fn walkers_go_from_floor_to_floor_and_round_the_shut_door() {
    #[derive(Resource, Default)]
    struct Taken(Vec<(Entity, bool)>);
    let mut app = play(links::game);
    app.init_resource::<Taken>().add_observer(
        |reached: On<LinkReached>, links: Query<&NavLink>, mut taken: ResMut<Taken>| {
            let link = links.get(reached.link).expect("no link is removed");
            taken.0.push((reached.link, link.is_open));
        },
    );
    let mut was_above = vec![false; 12];
    let mut was_below = was_above.clone();
    for _ in 0..64 * 40 {
        app.update();
        for (walker, at) in places::<()>(&mut app).into_iter().enumerate() {
            was_above[walker] |= at.y > 10.0;
            was_below[walker] |= was_above[walker] && at.y < 6.0;
        }
    }
    assert!(was_below.iter().all(|&it| it), "each was above and came back: {was_below:?}");
    let taken = &app.world().resource::<Taken>().0;
    assert!(taken.iter().all(|&(_, is_open)| is_open), "no walker takes the shut door");
    let mut links: Vec<_> = taken.iter().map(|&(link, _)| link).collect();
    links.sort_unstable();
    links.dedup();
    assert!(links.len() >= 3, "several links are taken: {links:?}");
}
