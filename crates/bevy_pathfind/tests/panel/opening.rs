//! Opening and closing the panel, and other plugins beside it.

use bevy::camera::RenderTarget;
use bevy::input::keyboard::Key;
use bevy::prelude::*;
use bevy_egui::{PrimaryEguiContext, egui};
use bevy_pathfind::{prelude::*, show::panel::widget_rects};

use crate::support::PanelHarness;

#[test]
fn its_key_opens_and_closes_it_and_closed_it_draws_nothing() {
    let mut harness = PanelHarness::with(1280, 720, |app| {
        app.add_plugins(NavPanelPlugin::opened_by(KeyCode::F4));
    });
    harness.frames(3);
    assert!(widget_rects(&harness.ctx()).is_empty(), "nothing is drawn while it is closed");
    assert!(harness.panel().area().is_none());
    harness.key(KeyCode::F2, Key::F2);
    assert!(!harness.panel().is_open, "another key does not open it");
    harness.key(KeyCode::F4, Key::F4);
    harness.frames(2);
    assert!(harness.find("section Steer").is_some() && harness.panel().area().is_some(), "its key opens it");
    harness.key(KeyCode::F4, Key::F4);
    harness.frames(3);
    assert!(widget_rects(&harness.ctx()).is_empty(), "its key closes it");
}

#[test]
fn it_moves_to_another_camera_when_its_own_is_gone() {
    let mut harness = PanelHarness::new();
    let world = harness.app.world_mut();
    let camera = world.query_filtered::<Entity, With<PrimaryEguiContext>>().single(world).unwrap();
    world.despawn(camera);
    world.spawn((Camera2d, RenderTarget::default()));
    harness.frames(6);
    assert!(harness.find("undo").is_some(), "the new camera shows it");
}

#[test]
fn every_section_is_there_and_fits_small_screens_and_large_ones() {
    for (width, height) in [(1280, 720), (3840, 2160)] {
        let mut harness = PanelHarness::sized(width, height);
        harness.spawn((Agent::default(), Flock::default()));
        harness.frames(3);
        let area = harness.panel().area().expect("it is drawn");
        let screen = Rect::new(0.0, 0.0, width as f32, height as f32);
        assert!(screen.contains(area.min) && screen.contains(area.max), "{area:?} lies on the screen");
    }
    let mut harness = PanelHarness::new();
    for section in ["Agents", "World", "Request", "Solve", "Steer", "Motion", "Show", "Plots"] {
        assert!(harness.find(&format!("section {section}")).is_some(), "{section} has a section");
    }
}

#[test]
fn it_keeps_its_width_and_nothing_reaches_out_of_it() {
    for width in [1280, 320] {
        let mut harness = PanelHarness::sized(width, 6000);
        let leader = harness.spawn((Agent::default(), FlockLeader::default()));
        let every = (Flock::default(), FlockOf(leader), Pursuer::intercept(leader), Avoider::contact());
        // A target with three coordinates, and numbers that may be none: below the lists of their variants.
        let behavior = Behavior { far: Some(8.0), ..Behavior::seek(Vec3::new(-1234.5, 1234.5, 1234.5)) };
        let agent = harness.spawn((Agent::default(), every, behavior, PathRequest::to(Vec3::X)));
        let before = harness.panel().area().expect("it is drawn").width();
        harness.panel().select(agent, false);
        harness.frames(4);
        for section in ["World", "Request", "Solve", "Show", "Plots"] {
            harness.click(&format!("section {section}"));
            harness.frames(12);
        }
        for button in ["replay", "Flock/save as", "Flock/compare"] {
            harness.click(button);
            harness.frames(4);
        }
        let area = harness.panel().area().expect("it is drawn");
        assert_eq!(area.width(), before, "in a window {width} wide it is as wide as it was");
        let is_outside = |rect: &egui::Rect| rect.min.x < area.min.x || rect.max.x > area.max.x;
        let rects = widget_rects(&harness.ctx());
        let outside: Vec<_> = rects.iter().filter(|(_, rect)| is_outside(rect)).collect();
        assert!(outside.is_empty(), "in a window {width} wide, {area:?}: {outside:#?}");
    }
}

#[test]
fn the_keyboard_reaches_it() {
    let mut harness = PanelHarness::with(1280, 2600, |app| {
        app.add_plugins(NavPanelPlugin::default());
    });
    let agent = harness.spawn(Agent::default());
    harness.key(KeyCode::F2, Key::F2);
    harness.frames(3);
    let focus = harness.ctx().memory(|memory| memory.focused());
    assert_eq!(focus, None, "who opens it keeps the keys of the game");
    let rail = harness.rect("Agent.speed:rail");
    let before = harness.get::<Agent>(agent).speed;
    for _ in 0..200 {
        harness.key(KeyCode::Tab, Key::Tab);
        let focus = harness.ctx().memory(|memory| memory.focused());
        let is_on_it = focus.and_then(|id| harness.ctx().read_response(id)).is_some_and(|it| it.rect == rail);
        if is_on_it {
            harness.key(KeyCode::ArrowRight, Key::ArrowRight);
            break;
        }
    }
    assert!(harness.get::<Agent>(agent).speed > before, "Tab finds the slider, and an arrow moves it");
}
