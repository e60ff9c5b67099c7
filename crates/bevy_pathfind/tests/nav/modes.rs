//! Search modes: background, sliced, inline. That all give the same paths is scene 13.

use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    solve::{SolveMode, SolveSettings},
    world::Grid,
};

use crate::support::*;

#[test]
fn a_higher_priority_is_served_first_and_equals_in_order() {
    let mut app = slow_app();
    spawn_grid(&mut app, walled(20));
    let [first, second, urgent, last] = [(1, 0), (2, 0), (3, 9), (4, 0)].map(|(row, priority)| {
        spawn_with(&mut app, (1, row), PathRequest::to(at((18, 1))).with_priority(priority))
    });
    until(&mut app, "all four have a path", |app| found(app).len() >= 4);
    assert_eq!(found(&app), [urgent, first, second, last]);
}

#[test]
fn a_background_search_does_not_block_the_frame() {
    let mut app = app(SolveMode::Background);
    app.world_mut().resource_mut::<SolveSettings>().workers = Some(2);
    spawn_grid(&mut app, walled(100));
    for i in 0..40 {
        send(&mut app, (1 + i, 1), (98, 1));
    }
    let mut most = 0;
    until(&mut app, "all forty are answered", |app| {
        most = most.max(stats(app).running);
        logged_events(app).len() == 40
    });
    assert!(most <= 2, "no more than two searches ran at once: {most}");
}

#[test]
fn the_latest_search_is_recorded_when_asked_for() {
    let (mut app, _) = app_on(walled(20));
    let agent = send(&mut app, (1, 1), (18, 1));
    app.update();
    let last = |app: &App| stats(app).last.clone().expect("there was a search");
    assert!(last(&app).recording.is_none(), "nobody asked");
    app.world_mut().resource_mut::<SolveSettings>().record = true;
    order(&mut app, agent, at((18, 1)));
    app.update();
    let last = last(&app);
    let closed = last.recording.expect("now there is a record").events().len() as u64;
    assert!(closed >= last.expanded && last.expanded > 50, "with every cell in it");
    assert!(last.length > 17.0 && last.cells > 17 && last.cost >= last.length - 1e-3);
}

/// The checksum of the fixed run below: it changes only if behaviour does. After an intended change of behaviour,
/// pin the new number.
const PINNED: u64 = 12_365_554_987_532_029_490;

#[test]
fn a_fixed_run_is_always_the_same() {
    let run = || {
        let (mut app, nav) = app_on(walled(24));
        let agents: Vec<_> = (0..8).map(|i| spawn_agent(&mut app, (1 + i, 2 + i))).collect();
        let mut sum = Checksum::default();
        for tick in 0..300 {
            if tick % 50 == 0 {
                let agent = agents[tick / 50];
                order(&mut app, agent, at((22, 3 + tick as i32 / 25)));
                app.world_mut()
                    .entity_mut(agents[7])
                    .insert(Pursuer::line_of_sight(agent).with_arrives(false));
                edit(&mut app, nav, (12, 22 - tick as i32 / 50), Terrain::GROUND);
            }
            app.update();
            for &agent in &agents {
                sum.add(position(&app, agent));
            }
        }
        sum.0
    };
    let first = run();
    assert_eq!(first, run(), "the same run twice");
    assert_eq!(first, PINNED, "the run of today is that of yesterday, on every machine");
}

#[test]
fn many_small_searches_take_few_ticks_in_the_background() {
    let mut app = limited_app(SolveMode::Background, 1_000_000);
    spawn_grid(&mut app, Grid::new(30, 30).unwrap());
    for i in 0..500 {
        send(&mut app, (i % 25, i / 25), (i % 25 + 3, i / 25));
    }
    // Ticks in which no answer came do not count: on a busy machine the worker may not run between two ticks.
    let (mut answered, mut taken) = (0, 0);
    ticks_until(&mut app, 3_000, |app| {
        let finished = stats(app).finished;
        taken += usize::from(finished > answered);
        answered = finished;
        finished >= 500
    });
    assert_eq!(answered, 500);
    assert!(taken <= 100, "five hundred small searches on one worker took {taken} ticks");
}

#[test]
fn an_answer_does_not_wait_for_later_requests() {
    let mut app = limited_app(SolveMode::Background, 500);
    spawn_grid(&mut app, walled(300));
    let goal = |i: i32| if i == 0 { (4, 2) } else { (297, 2) };
    let agents: Vec<_> = (0..6).map(|i| send(&mut app, (2, 2 + i), goal(i))).collect();
    until(&mut app, "the first has its path", |app| has_path(app, agents[0]));
    assert!(!has_path(&app, agents[5]), "it did not wait for the last");
    // Requests in the middle are withdrawn while they are in the search queue; the last is still served.
    for &agent in &agents[2..5] {
        app.world_mut().despawn(agent);
    }
    set_expansions(&mut app, 1_000_000);
    until(&mut app, "the last has its path", |app| has_path(app, agents[5]));
    assert_eq!(stats(&app).finished, 3, "nothing was searched to its end for those who are gone");
}

/// Gives an agent a new goal every tick; counts in how many of 300 ticks it had a path.
fn order_every_tick(mode: SolveMode, goal: impl Fn(i32) -> Vec3) -> (App, Entity, usize) {
    let mut app = app(mode);
    set_expansions(&mut app, 300);
    spawn_grid(&mut app, walled(60));
    let agent = spawn_agent(&mut app, (2, 2));
    let mut with_path = 0;
    for tick in 0..300 {
        order(&mut app, agent, goal(tick));
        app.update();
        if mode == SolveMode::Background {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        with_path += usize::from(has_path(&app, agent));
    }
    (app, agent, with_path)
}

#[test]
fn an_agent_with_a_new_goal_every_tick_still_walks() {
    for mode in [SolveMode::Background, SolveMode::Sliced, SolveMode::Inline] {
        let (app, agent, with_path) = order_every_tick(mode, |_| at((57, 2)));
        assert!(with_path > 200, "the same goal, {mode:?}: a path in {with_path} ticks of 300");
        let gone = position(&app, agent).distance(at((2, 2)));
        assert!(gone > 10.0, "it walks to the goal, {mode:?}: {gone}");
        let (app, agent, with_path) = order_every_tick(mode, |tick| at((57, 2 + tick % 50)));
        assert!(with_path > 200, "a goal that moves, {mode:?}: a path in {with_path} ticks of 300");
        let gone = position(&app, agent).distance(at((2, 2)));
        assert!(gone > 10.0, "it walks after the goal, {mode:?}: {gone}");
        let (_, _, with_path) = order_every_tick(mode, |tick| at((2 + tick % 2 * 55, 57 - tick % 3 * 20)));
        assert!(with_path > 100, "goals far apart, {mode:?}: a path in {with_path} ticks of 300");
    }
}

#[test]
fn the_latest_of_many_orders_is_the_one_that_stays() {
    for mode in [SolveMode::Background, SolveMode::Sliced, SolveMode::Inline] {
        let mut app = app(mode);
        set_expansions(&mut app, 500);
        spawn_grid(&mut app, walled(60));
        let agent = spawn_agent(&mut app, (2, 2));
        for tick in 0..20 {
            order(&mut app, agent, at((57, 2 + tick / 4)));
            app.update();
        }
        searches_end(&mut app);
        assert_eq!(path_end(&app, agent), at((57, 6)), "to the last goal, {mode:?}");
    }
}

#[test]
fn a_higher_priority_overtakes_queued_background_searches() {
    let mut app = limited_app(SolveMode::Background, 20_000);
    spawn_grid(&mut app, walled(150));
    (0..60).for_each(|i| _ = send(&mut app, (1, 1 + i), (148, 1)));
    app.update();
    let urgent = spawn_with(&mut app, (2, 2), PathRequest::to(at((148, 2))).with_priority(1));
    until(&mut app, "the urgent one has its path", |app| has_path(app, urgent));
    let before = logged_events(&app).len() - 1;
    assert!(before < 40, "it did not wait for all sixty who came before: {before} did");
}
