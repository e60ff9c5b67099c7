//! Opening and closing the panel, and other plugins beside it.

use bevy::camera::RenderTarget;
use bevy::input::keyboard::Key;
use bevy::prelude::*;
use bevy_egui::{EguiPlugin, PrimaryEguiContext};
use bevy_pathfind::prelude::*;
use bevy_pathfind::show::panel::widget_rects;

use crate::support::Bench;

#[test]
fn its_key_opens_and_closes_it_and_closed_it_draws_nothing() {
    let mut bench = Bench::with(1280, 720, |app| {
        app.add_plugins(NavPanelPlugin::opened_by(KeyCode::F4));
    });
    bench.frames(3);
    assert!(widget_rects(&bench.ctx()).is_empty(), "nothing is drawn while it is closed");
    assert!(bench.panel().area().is_none());
    bench.key(KeyCode::F2, Key::F2);
    assert!(!bench.panel().is_open, "another key does not open it");
    bench.key(KeyCode::F4, Key::F4);
    bench.frames(2);
    assert!(bench.find("section Steer").is_some() && bench.panel().area().is_some(), "its key opens it");
    bench.key(KeyCode::F4, Key::F4);
    bench.frames(3);
    assert!(widget_rects(&bench.ctx()).is_empty(), "its key closes it");
}

#[test]
fn it_lives_with_an_egui_that_is_there_already() {
    let mut bench = Bench::with(1280, 720, |app| {
        app.add_plugins(EguiPlugin::default()).add_plugins(NavPanelPlugin::default());
        app.world_mut().resource_mut::<NavPanel>().is_open = true;
    });
    assert!(bench.find("undo").is_some(), "it draws into the context that is there");
}

#[test]
fn it_moves_to_another_camera_when_its_own_is_gone() {
    let mut bench = Bench::new();
    let world = bench.app.world_mut();
    let camera = world.query_filtered::<Entity, With<PrimaryEguiContext>>().single(world).unwrap();
    world.despawn(camera);
    world.spawn((Camera2d, RenderTarget::default()));
    bench.frames(6);
    assert!(bench.find("undo").is_some(), "the new camera shows it");
}

#[test]
fn every_section_is_there_and_fits_small_screens_and_large_ones() {
    for (width, height) in [(1280, 720), (3840, 2160)] {
        let mut bench = Bench::sized(width, height);
        bench.spawn((Agent::default(), Flock::default()));
        bench.frames(3);
        let area = bench.panel().area().expect("it is drawn");
        let screen = Rect::new(0.0, 0.0, width as f32, height as f32);
        assert!(screen.contains(area.min) && screen.contains(area.max), "{area:?} lies on the screen");
    }
    let mut bench = Bench::new();
    for section in ["Agents", "World", "Request", "Solve", "Steer", "Motion", "Show", "Plots"] {
        assert!(bench.find(&format!("section {section}")).is_some(), "{section} has a section");
    }
}

#[test]
fn it_keeps_its_width_and_nothing_reaches_out_of_it() {
    for width in [1280, 320] {
        let mut bench = Bench::sized(width, 6000);
        let leader = bench.spawn((Agent::default(), FlockLeader::default()));
        let every = (Flock::default(), FlockOf(leader), Pursuer::intercept(leader), Avoider::default());
        let agent = bench.spawn((Agent::default(), every, PathRequest::to(Vec3::X)));
        let before = bench.panel().area().expect("it is drawn").width();
        bench.panel().select(agent, false);
        bench.frames(4);
        for section in ["World", "Request", "Solve", "Show", "Plots"] {
            bench.click(&format!("section {section}"));
            bench.frames(12);
        }
        for button in ["replay", "Flock/save as", "Flock/compare"] {
            bench.click(button);
            bench.frames(4);
        }
        let area = bench.panel().area().expect("it is drawn");
        assert_eq!(area.width(), before, "in a window {width} wide it is as wide as it was");
        for (name, rect) in widget_rects(&bench.ctx()) {
            let is_inside = rect.min.x >= area.min.x && rect.max.x <= area.max.x;
            assert!(is_inside, "in a window {width} wide {name} lies inside: {rect:?} in {area:?}");
        }
    }
}

#[test]
fn the_keyboard_reaches_it() {
    let mut bench = Bench::with(1280, 2600, |app| {
        app.add_plugins(NavPanelPlugin::default());
    });
    let agent = bench.spawn(Agent::default());
    bench.key(KeyCode::F2, Key::F2);
    bench.frames(3);
    assert_eq!(
        bench.ctx().memory(|memory| memory.focused()),
        None,
        "who opens it keeps the keys of the game"
    );
    let rail = bench.rect("Agent.speed:rail");
    let before = bench.get::<Agent>(agent).speed;
    for _ in 0..200 {
        bench.key(KeyCode::Tab, Key::Tab);
        let focus = bench.ctx().memory(|memory| memory.focused());
        let is_on_it = focus.and_then(|id| bench.ctx().read_response(id)).is_some_and(|it| it.rect == rail);
        if is_on_it {
            bench.key(KeyCode::ArrowRight, Key::ArrowRight);
            break;
        }
    }
    assert!(bench.get::<Agent>(agent).speed > before, "Tab finds the slider, and an arrow moves it");
}
