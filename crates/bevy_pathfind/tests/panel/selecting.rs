//! Selecting agents, in the world and in the list.

use bevy::prelude::*;
use bevy_pathfind::prelude::*;
use bevy_pathfind::show::panel::widget_rects;

use crate::support::PanelHarness;

#[test]
fn a_click_in_the_world_selects_the_agent_under_it() {
    let mut harness = PanelHarness::new();
    let left = harness.spawn((Agent::default(), Transform::from_xyz(100.0, 0.0, 0.0)));
    let right = harness.spawn((Agent::default(), Transform::from_xyz(200.0, 50.0, 0.0)));
    // The camera looks at the origin in the middle of the window, one unit per pixel, y up.
    harness.click_at(640.0 + 200.0 + 4.0, 1300.0 - 50.0);
    assert_eq!(harness.panel().selected, [right], "the nearest within reach is selected");
    harness.click_at(640.0 + 400.0, 1300.0 + 300.0);
    assert_eq!(harness.panel().selected, [right], "a click on nobody changes nothing");
    harness.click_at(640.0 + 100.0, 1300.0);
    assert_eq!(harness.panel().selected, [left]);
    assert!(harness.find("section Why").is_some(), "its reasons are shown");
}

#[test]
fn a_click_in_the_world_works_in_3d_too() {
    let mut harness = PanelHarness::new();
    let world = harness.app.world_mut();
    let flat = world.query_filtered::<Entity, With<Camera2d>>().single(world).unwrap();
    world.entity_mut(flat).remove::<Camera2d>().insert((
        Projection::from(PerspectiveProjection::default()),
        Transform::from_xyz(0.0, 10.0, 10.0).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    let agent = harness.spawn((Agent::default(), Transform::default()));
    harness.spawn((Agent::default(), Transform::from_xyz(3.0, 0.0, 3.0)));
    harness.frames(3);
    harness.click_at(640.0, 1300.0);
    assert_eq!(harness.panel().selected, [agent], "the agent in the middle of the picture is selected");
}

#[test]
fn the_list_can_be_searched_and_clicked() {
    let mut harness = PanelHarness::new();
    let gull = harness.spawn((Name::new("Gull"), Agent::default()));
    harness.spawn((Name::new("Wolf"), Agent::default()));
    harness.frames(2);
    assert!(harness.find("agent Wolf").is_some());
    harness.click("search");
    harness.type_text("gul");
    harness.frames(2);
    assert!(harness.find("agent Wolf").is_none(), "only names with these letters are left");
    harness.click("agent Gull");
    assert_eq!(harness.panel().selected, [gull]);
}

#[test]
fn a_despawned_agent_is_deselected() {
    let mut harness = PanelHarness::new();
    let agent = harness.spawn(Agent::default());
    harness.panel().select(agent, false);
    harness.app.world_mut().despawn(agent);
    harness.frames(2);
    assert!(harness.panel().selected.is_empty());
}

#[test]
fn of_a_long_list_only_the_lines_in_sight_are_laid_out() {
    let mut harness = PanelHarness::new();
    harness.app.world_mut().spawn_batch((0..3_000).map(|_| Agent::default()));
    harness.frames(3);
    let lines = |harness: &mut PanelHarness| {
        let rects = widget_rects(&harness.ctx());
        rects.keys().filter(|name| name.starts_with("agent ")).count()
    };
    let shown = lines(&mut harness);
    assert!((1..20).contains(&shown), "{shown} of 3000 lines are drawn");
    harness.click("search");
    harness.type_text("gent 1");
    harness.frames(2);
    assert!((1..20).contains(&lines(&mut harness)), "and when it is searched, no more");
}
