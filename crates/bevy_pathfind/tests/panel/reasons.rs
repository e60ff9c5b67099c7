//! Explanations: sentences, replay, test cases, plots, gizmos.

use bevy::gizmos::config::GizmoConfigStore;
use bevy::prelude::*;
use bevy_egui::EguiOutput;
use bevy_egui::egui;
use bevy_pathfind::prelude::*;
use bevy_pathfind::show::panel::SearchCase;

use crate::support::Bench;

fn walled() -> NavGrid {
    NavGrid::new(Grid::from_ascii("..#.....\n..#.....\n..#.....\n........").expect("a map"))
        .with_cell_size(20.0)
}

fn walker(bench: &mut Bench) -> Entity {
    bench.spawn(walled());
    let body = (Name::new("Walker"), Agent::default(), Transform::from_xyz(10.0, 10.0, 0.0));
    let agent = bench.spawn((body, PathRequest::to(Vec3::new(150.0, 10.0, 0.0))));
    bench.until("the path", |app| app.world().get::<NavPath>(agent).is_some());
    bench.panel().select(agent, false);
    bench.frames(3);
    agent
}

#[test]
fn a_search_can_be_replayed_step_by_step() {
    let mut bench = Bench::new();
    walker(&mut bench);
    bench.click("replay");
    bench.frames(2);
    let back = bench.rect("replay back");
    assert!(back.width() > 0.0, "the controls are there");
    bench.click("replay back");
    bench.click("replay play");
    bench.frames(10);
    bench.click("replay step");
    bench.click("replay close");
    bench.frames(2);
    assert!(bench.find("replay back").is_none(), "and gone when it is closed");
}

#[test]
fn who_has_never_asked_for_a_path_has_no_search_to_replay() {
    let mut bench = Bench::new();
    bench.spawn(walled());
    let agent = bench.spawn((Agent::default(), Transform::from_xyz(10.0, 10.0, 0.0)));
    bench.panel().select(agent, false);
    bench.frames(3);
    assert!(bench.find("replay").is_none() && bench.find("copy case").is_none());
    bench.app.world_mut().entity_mut(agent).insert(PathRequest::to(Vec3::new(150.0, 10.0, 0.0)));
    bench.frames(3);
    assert!(bench.find("replay").is_some() && bench.find("copy case").is_some(), "now it has");
}

#[test]
fn a_request_can_be_copied_and_run_again_in_a_test() {
    let mut bench = Bench::new();
    walker(&mut bench);
    let at = bench.rect("copy case").center();
    bench.move_to(at.x, at.y);
    bench.button(bevy::input::ButtonState::Pressed);
    bench.button(bevy::input::ButtonState::Released);
    let world = bench.app.world_mut();
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
    let mut bench = Bench::new();
    walker(&mut bench);
    bench.click("section Plots");
    bench.frames(30);
    assert!(bench.find("plot nav/solve/waiting").is_some(), "what is measured has a plot");
    for times in ["frame", "stages"] {
        assert!(bench.find(&format!("plot {times}")).is_some(), "so have the times of {times}");
    }
    bench.click("plots pause");
    bench.click("plots clear");
    bench.frames(10);
    assert!(bench.find("plot nav/solve/waiting").is_none(), "while it pauses nothing is added");
    bench.click("plots pause");
    bench.frames(10);
    assert!(bench.find("plot nav/solve/waiting").is_some());
}

#[test]
fn gizmos_have_switches_and_widths() {
    let mut bench = Bench::new();
    walker(&mut bench);
    bench.click("section Show");
    bench.frames(20);
    for switch in [
        "grid",
        "terrain",
        "regions",
        "clearance",
        "flow_field",
        "paths",
        "search",
        "probes",
        "radii",
        "agents",
    ] {
        bench.click(&format!("NavGizmoSettings.{switch}"));
    }
    bench.frames(3);
    let show = bench.app.world().resource::<NavGizmoSettings>().clone();
    assert!(
        show.grid && show.terrain && show.regions && show.clearance && show.flow_field,
        "the world's are on"
    );
    assert!(show.paths && show.search && show.probes && show.radii && show.agents, "the agents' are on");
    bench.slide("NavGizmoSettings.world_width", 1.0);
    bench.frames(2);
    let width = bench.app.world().resource::<GizmoConfigStore>().config::<WorldGizmos>().0.line.width;
    assert_eq!(width, 10.0, "lines are as wide as the slider says");
}

#[test]
fn the_state_is_told_in_words() {
    let mut bench = Bench::new();
    let agent = walker(&mut bench);
    assert!(bench.find("why").is_some(), "there are sentences");
    assert!(bench.app.world().get::<NavPath>(agent).is_some());
}

#[test]
fn each_wish_has_a_bar() {
    let mut bench = Bench::new();
    walker(&mut bench);
    bench.until("a wish", |app| {
        let mut all = app.world_mut().query::<&SteeringBreakdown>();
        all.iter(app.world()).any(|wishes| wishes.goal != Vec3::ZERO)
    });
    bench.frames(2);
    for wish in ["Goal", "Separation", "Flock", "Avoidance", "Reciprocal"] {
        let bar = bench.find(&format!("bar {wish}"));
        assert!(bar.is_some_and(|bar| bar.width() > 50.0), "{wish} has a bar: {bar:?}");
    }
}
