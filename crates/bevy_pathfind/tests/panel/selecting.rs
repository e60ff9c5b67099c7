//! Selecting agents, in the world and in the list.

use bevy::prelude::*;
use bevy_pathfind::prelude::*;
use bevy_pathfind::show::panel::widget_rects;

use crate::support::Bench;

#[test]
fn a_click_in_the_world_selects_the_agent_under_it() {
    let mut bench = Bench::new();
    let left = bench.spawn((Agent::default(), Transform::from_xyz(100.0, 0.0, 0.0)));
    let right = bench.spawn((Agent::default(), Transform::from_xyz(200.0, 50.0, 0.0)));
    // The camera looks at the origin in the middle of the window, one unit per pixel, y up.
    bench.click_at(640.0 + 200.0 + 4.0, 1300.0 - 50.0);
    assert_eq!(bench.panel().selected, [right], "the nearest within reach is selected");
    bench.click_at(640.0 + 400.0, 1300.0 + 300.0);
    assert_eq!(bench.panel().selected, [right], "a click on nobody changes nothing");
    bench.click_at(640.0 + 100.0, 1300.0);
    assert_eq!(bench.panel().selected, [left]);
    assert!(bench.find("section Why").is_some(), "its reasons are shown");
}

#[test]
fn a_click_in_the_world_works_in_3d_too() {
    let mut bench = Bench::new();
    let world = bench.app.world_mut();
    let flat = world.query_filtered::<Entity, With<Camera2d>>().single(world).unwrap();
    world.entity_mut(flat).remove::<Camera2d>().insert((
        Projection::from(PerspectiveProjection::default()),
        Transform::from_xyz(0.0, 10.0, 10.0).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    let agent = bench.spawn((Agent::default(), Transform::default()));
    bench.spawn((Agent::default(), Transform::from_xyz(3.0, 0.0, 3.0)));
    bench.frames(3);
    bench.click_at(640.0, 1300.0);
    assert_eq!(bench.panel().selected, [agent], "the agent in the middle of the picture is selected");
}

#[test]
fn the_list_can_be_searched_and_clicked() {
    let mut bench = Bench::new();
    let gull = bench.spawn((Name::new("Gull"), Agent::default()));
    bench.spawn((Name::new("Wolf"), Agent::default()));
    bench.frames(2);
    assert!(bench.find("agent Wolf").is_some());
    bench.click("search");
    bench.type_text("gul");
    bench.frames(2);
    assert!(bench.find("agent Wolf").is_none(), "only names with these letters are left");
    bench.click("agent Gull");
    assert_eq!(bench.panel().selected, [gull]);
}

#[test]
fn who_is_gone_is_not_selected_any_more() {
    let mut bench = Bench::new();
    let agent = bench.spawn(Agent::default());
    bench.panel().select(agent, false);
    bench.app.world_mut().despawn(agent);
    bench.frames(2);
    assert!(bench.panel().selected.is_empty());
}

#[test]
fn of_a_long_list_only_the_lines_in_sight_are_laid_out() {
    let mut bench = Bench::new();
    bench.app.world_mut().spawn_batch((0..3_000).map(|_| Agent::default()));
    bench.frames(3);
    let lines = |bench: &mut Bench| {
        let rects = widget_rects(&bench.ctx());
        rects.keys().filter(|name| name.starts_with("agent ")).count()
    };
    let shown = lines(&mut bench);
    assert!((1..20).contains(&shown), "{shown} of 3000 lines are drawn");
    bench.click("search");
    bench.type_text("gent 1");
    bench.frames(2);
    assert!((1..20).contains(&lines(&mut bench)), "and when it is searched, no more");
}
