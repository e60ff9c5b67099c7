//! Several windows, cameras and egui contexts.

use bevy::camera::{ImageRenderTarget, RenderTarget};
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;
use bevy::window::WindowRef;
use bevy_egui::{EguiContext, EguiGlobalSettings, EguiPlugin, PrimaryEguiContext};
use bevy_pathfind::prelude::*;
use bevy_pathfind::show::panel::widget_rects;

use crate::bevy_version::EguiSchedule;
use crate::support::PanelHarness;

/// The schedule of a game's own context.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct OwnPass;

/// An application that creates its egui contexts itself.
fn harness(spawn: impl FnOnce(&mut World)) -> PanelHarness {
    let mut harness = PanelHarness::with(1280, 2600, |app| {
        app.insert_resource(EguiGlobalSettings { auto_create_primary_context: false, ..default() })
            .add_plugins((EguiPlugin::default(), NavPanelPlugin::default()))
            .init_schedule(OwnPass);
        spawn(app.world_mut());
    });
    harness.panel().is_open = true;
    harness.frames(6);
    harness
}

/// A camera that renders to a second window.
fn second_window(world: &mut World) -> (Camera2d, RenderTarget) {
    let window = world.spawn(Window { resolution: (640, 480).into(), ..default() }).id();
    (Camera2d, RenderTarget::Window(WindowRef::Entity(window)))
}

/// Whether a camera's context shows the panel.
fn shows(harness: &mut PanelHarness, camera: Entity) -> bool {
    let context = harness.app.world_mut().get_mut::<EguiContext>(camera);
    context.is_some_and(|mut context| widget_rects(context.get_mut()).contains_key("undo"))
}

#[test]
fn a_context_on_the_primary_window_goes_before_a_primary_context_elsewhere() {
    let (mut here, mut there) = (Entity::PLACEHOLDER, Entity::PLACEHOLDER);
    let mut harness = harness(|world| {
        let second = second_window(world);
        there = world.spawn((second, PrimaryEguiContext)).id();
        here = world.spawn((Camera2d, RenderTarget::default(), EguiSchedule::new(OwnPass))).id();
    });
    assert!(shows(&mut harness, here), "the primary window shows it, in the pass of its own context");
    assert!(!shows(&mut harness, there), "and no other window");
    let area = harness.panel().area().expect("it is drawn");
    assert!(area.height() > 480.0, "it has the room of the primary window: {area:?}");
}

#[test]
fn a_context_can_be_named_and_another_one_later() {
    let (mut here, mut there) = (Entity::PLACEHOLDER, Entity::PLACEHOLDER);
    let mut harness = harness(|world| {
        here = world.spawn((Camera2d, RenderTarget::default(), PrimaryEguiContext)).id();
        let second = second_window(world);
        there = world.spawn((second, EguiSchedule::new(OwnPass))).id();
    });
    assert!(shows(&mut harness, here), "unasked, the primary context shows it");
    harness.panel().context = Some(there);
    harness.frames(6);
    assert!(shows(&mut harness, there) && !shows(&mut harness, here), "named, the other one does, alone");
    harness.app.world_mut().despawn(there);
    harness.frames(6);
    assert!(shows(&mut harness, here), "and when that is gone, the first one again");
}

#[test]
fn a_primary_context_that_is_drawn_on_a_picture_is_left_alone() {
    let (mut screen, mut window) = (Entity::PLACEHOLDER, Entity::PLACEHOLDER);
    let mut harness = harness(|world| {
        let picture = ImageRenderTarget { handle: Handle::default(), scale_factor: 1.0 };
        screen = world.spawn((Camera2d, RenderTarget::Image(picture), PrimaryEguiContext)).id();
        window = world.spawn((Camera2d, RenderTarget::default(), EguiSchedule::new(OwnPass))).id();
    });
    assert!(
        shows(&mut harness, window) && !shows(&mut harness, screen),
        "the panel is no part of the game's world"
    );
}

#[test]
fn without_any_context_a_camera_of_the_primary_window_gets_one() {
    let mut there = Entity::PLACEHOLDER;
    let mut harness = harness(|world| {
        let second = second_window(world);
        there = world.spawn(second).id();
    });
    assert!(harness.find("undo").is_some(), "some camera shows it");
    assert!(!shows(&mut harness, there), "and not the one that looks out of the other window");
}
