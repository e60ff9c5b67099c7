//! Explanations: sentences, replay, test cases, plots, gizmos.

use bevy::gizmos::config::GizmoConfigStore;
use bevy::prelude::*;
use bevy_egui::EguiOutput;
use bevy_egui::egui;
use bevy_pathfind::{
    order::PathOutcome,
    prelude::*,
    show::{WorldGizmos, panel::SearchCase},
    steer::SteeringBreakdown,
    world::{Grid, LinkEnd},
};

use crate::support::PanelHarness;

fn walled() -> NavGrid {
    NavGrid::new(Grid::from_ascii("..#.....\n..#.....\n..#.....\n........").expect("a map"))
        .with_cell_size(20.0)
}

fn walker(harness: &mut PanelHarness) -> Entity {
    harness.spawn(walled());
    let body = (Name::new("Walker"), Agent::default(), Transform::from_xyz(10.0, 10.0, 0.0));
    let agent = harness.spawn((body, PathRequest::to(Vec3::new(150.0, 10.0, 0.0))));
    harness.until("the path", |app| app.world().get::<NavPath>(agent).is_some());
    harness.panel().select(agent, false);
    harness.frames(3);
    agent
}

#[test]
fn a_search_can_be_replayed_step_by_step() {
    let mut harness = PanelHarness::new();
    walker(&mut harness);
    harness.click("replay");
    let back = harness.rect("replay back");
    assert!(back.width() > 0.0, "the controls are there");
    harness.click("replay back");
    harness.click("replay play");
    harness.frames(10);
    harness.click("replay step");
    harness.click("replay close");
    assert!(harness.find("replay back").is_none(), "and gone when it is closed");
}

#[test]
fn an_agent_without_a_request_has_no_search_to_replay() {
    let mut harness = PanelHarness::new();
    harness.spawn(walled());
    let agent = harness.spawn((Agent::default(), Transform::from_xyz(10.0, 10.0, 0.0)));
    harness.panel().select(agent, false);
    harness.frames(3);
    assert!(harness.find("replay").is_none() && harness.find("copy case").is_none());
    harness.app.world_mut().entity_mut(agent).insert(PathRequest::to(Vec3::new(150.0, 10.0, 0.0)));
    harness.frames(3);
    assert!(harness.find("replay").is_some() && harness.find("copy case").is_some(), "now it has");
}

#[test]
fn a_request_can_be_copied_and_run_again_in_a_test() {
    let mut harness = PanelHarness::new();
    walker(&mut harness);
    let at = harness.rect("copy case").center();
    harness.move_to(at.x, at.y);
    harness.button(bevy::input::ButtonState::Pressed);
    harness.button(bevy::input::ButtonState::Released);
    let world = harness.app.world_mut();
    let output = world.query::<&EguiOutput>().single(world).expect("there is one context");
    let copied = output.platform_output.commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    let case = SearchCase::from_ron(&copied.expect("something was copied")).expect("it can be read");
    let answer = case.run().expect("the agent has found a path, so does the case");
    assert!(answer.length > 7.0, "round the wall it is longer than straight");
}

#[test]
fn plots_fill_while_the_panel_is_open_and_pause() {
    let mut harness = PanelHarness::new();
    walker(&mut harness);
    harness.click("section Plots");
    harness.frames(30);
    assert!(harness.find("plot nav/solve/waiting").is_some(), "what is measured has a plot");
    for times in ["frame", "stages"] {
        assert!(harness.find(&format!("plot {times}")).is_some(), "so have the times of {times}");
    }
    harness.click("plots pause");
    harness.click("plots clear");
    harness.frames(10);
    assert!(harness.find("plot nav/solve/waiting").is_none(), "while it pauses nothing is added");
    harness.click("plots pause");
    harness.frames(10);
    assert!(harness.find("plot nav/solve/waiting").is_some());
}

#[test]
fn gizmos_have_switches_and_widths() {
    let mut harness = PanelHarness::new();
    walker(&mut harness);
    harness.click("section Show");
    harness.frames(20);
    let switches = "grid terrain regions clearance flow_field paths search probes radii agents";
    for switch in switches.split(' ') {
        harness.click(&format!("NavGizmos.{switch}"));
    }
    harness.frames(3);
    let show = harness.app.world().resource::<NavGizmos>().clone();
    let of_world = [show.grid, show.terrain, show.regions, show.clearance, show.flow_field];
    let of_agents = [show.paths, show.search, show.probes, show.radii, show.agents];
    assert_eq!([of_world, of_agents], [[true; 5]; 2], "all are on");
    harness.slide("NavGizmos.world_width", 1.0);
    let width = harness.app.world().resource::<GizmoConfigStore>().config::<WorldGizmos>().0.line.width;
    assert_eq!(width, 10.0, "lines are as wide as the slider says");
}

#[test]
fn the_state_is_described_in_words_and_each_steering_contribution_has_a_bar() {
    let mut harness = PanelHarness::new();
    walker(&mut harness);
    assert!(harness.find("why").is_some(), "there are sentences");
    harness.until("a goal", |app| {
        let mut all = app.world_mut().query::<&SteeringBreakdown>();
        all.iter(app.world()).any(|breakdown| breakdown.goal != Vec3::ZERO)
    });
    harness.frames(2);
    for part in ["Goal", "Separation", "Flock", "Avoidance", "Reciprocal"] {
        let bar = harness.find(&format!("bar {part}"));
        assert!(bar.is_some_and(|bar| bar.width() > 50.0), "{part} has a bar: {bar:?}");
    }
}

#[test]
fn links_have_switches() {
    let mut harness = PanelHarness::new();
    let map = || NavGrid::new(Grid::new(6, 4).expect("a map")).with_cell_size(20.0);
    let ground = harness.spawn(map());
    let upper = harness.spawn((map(), Transform::from_xyz(0.0, 0.0, 100.0)));
    let ends = [ground, upper].map(|grid| LinkEnd::new(grid, GridCell::new(5, 1)));
    let gate = harness.spawn((Name::new("Gate"), NavLink::new(ends[0], ends[1])));
    let body = (Name::new("Walker"), Agent::new(1.0), Transform::from_xyz(10.0, 10.0, 0.0));
    let agent = harness.spawn((body, PathRequest::to(Vec3::new(10.0, 10.0, 100.0))));
    harness.until("the path", |app| app.world().get::<NavPath>(agent).is_some());
    harness.panel().select(agent, false);
    harness.frames(3);
    harness.click("section World");
    harness.frames(3);
    harness.click("link Gate");
    harness.frames(5);
    assert!(!harness.app.world().get::<NavLink>(gate).expect("it is there").is_open, "the switch shuts it");
    let path = |harness: &PanelHarness| harness.app.world().get::<NavPath>(agent).map(NavPath::outcome);
    assert!(matches!(path(&harness), Some(PathOutcome::Partial(_))), "{:?}", path(&harness));
    harness.click("link Gate");
    harness.frames(5);
    assert_eq!(path(&harness), Some(PathOutcome::Complete));
}
