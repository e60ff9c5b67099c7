//! Sliders: which agents they change, marks, and undo.

use bevy::input::ButtonState;
use bevy::input::keyboard::Key;
use bevy::prelude::*;
use bevy::reflect::GetPath;
use bevy::reflect::structs::StructInfo;
use bevy_pathfind::{
    prelude::*,
    presets::PresetComponent,
    show::{
        MeasuredIn,
        panel::{NavPanel, PanelComponentPlugin, Scope},
    },
    solve::SolveSettings,
    world::Grid,
};

use crate::support::PanelHarness;

#[test]
fn a_slider_changes_all_agents_while_none_is_selected() {
    let mut harness = PanelHarness::new();
    let gulls = [0, 1, 2].map(|_| harness.spawn((Agent::default(), Flock::default())));
    let before = harness.get::<Flock>(gulls[0]).separation_radius;
    harness.slide("Flock.separation_radius", 0.9);
    for gull in gulls {
        assert!(harness.get::<Flock>(gull).separation_radius > before * 1.5, "every gull keeps off farther");
    }
}

#[test]
fn a_drag_is_one_change_and_can_be_undone_and_done_again() {
    let mut harness = PanelHarness::new();
    let agent = harness.spawn(Agent::default());
    let speed = |harness: &PanelHarness| harness.get::<Agent>(agent).speed;
    let before = speed(&harness);
    harness.slide("Agent.speed", 0.9);
    let after = speed(&harness);
    assert!(after > before, "the slider is moved");
    harness.click("undo");
    assert_eq!(speed(&harness), before, "one click takes the whole drag back");
    harness.click("redo");
    assert_eq!(speed(&harness), after, "and one does it again");
    harness.shortcut(KeyCode::KeyZ, "z");
    assert_eq!(speed(&harness), before, "Ctrl+Z does the same");
    harness.shortcut(KeyCode::KeyY, "y");
    assert_eq!(speed(&harness), after, "and so does Ctrl+Y");
}

#[test]
fn a_double_click_lets_one_type() {
    let mut harness = PanelHarness::new();
    let agent = harness.spawn(Agent::default());
    let at = harness.rect("Agent.speed:rail").center();
    harness.click_at(at.x, at.y);
    harness.click_at(at.x, at.y);
    harness.frames(2);
    harness.type_text("7.25");
    harness.key(KeyCode::Enter, Key::Enter);
    assert_eq!(harness.get::<Agent>(agent).speed, 7.25, "what is typed counts");
}

#[test]
fn changed_values_are_marked_and_can_be_reset() {
    let mut harness = PanelHarness::new();
    let agent = harness.spawn(Agent { speed: 9.0, ..default() });
    assert!(harness.find("Agent.radius:reset").is_none(), "what has its default bears no mark");
    harness.click("Agent.speed:reset");
    assert_eq!(harness.get::<Agent>(agent), Agent::default());
    harness.frames(2);
    assert!(harness.find("Agent.speed:reset").is_none(), "the mark is gone");
}

#[test]
fn a_mixed_value_is_left_alone_until_it_is_changed() {
    let mut harness = PanelHarness::new();
    let slow = harness.spawn(Agent { speed: 2.0, radius: 0.3, ..default() });
    let fast = harness.spawn(Agent { speed: 20.0, radius: 0.3, ..default() });
    harness.slide("Agent.radius", 0.9);
    let (one, other) = (harness.get::<Agent>(slow), harness.get::<Agent>(fast));
    assert_eq!((one.speed, other.speed), (2.0, 20.0), "speeds stay as different as they were");
    assert!(one.radius == other.radius && one.radius > 1.0, "the radius is the same for both");
    harness.slide("Agent.speed", 0.5);
    assert_eq!(harness.get::<Agent>(slow).speed, harness.get::<Agent>(fast).speed, "now the speed is one");
}

#[test]
fn the_settings_of_the_solver_are_there() {
    let mut harness = PanelHarness::new();
    harness.click("section Solve");
    harness.frames(20);
    let before = harness.app.world().resource::<SolveSettings>().expansions_per_frame;
    harness.slide("SolveSettings.expansions_per_frame", 0.2);
    let after = harness.app.world().resource::<SolveSettings>().expansions_per_frame;
    assert!(after < before / 20, "a fifth of a logarithmic rail is far less: {before} to {after}");
    harness.click("undo");
    assert_eq!(harness.app.world().resource::<SolveSettings>().expansions_per_frame, before);
}

#[test]
fn a_scope_reaches_the_selected_or_the_whole_flock() {
    let mut harness = PanelHarness::new();
    let leader = harness.spawn(Transform::default());
    let other_leader = harness.spawn(Transform::default());
    let gulls = [leader, leader, other_leader]
        .map(|leader| harness.spawn((Agent::default(), Flock::default(), FlockOf(leader))));
    let radius = |harness: &PanelHarness| gulls.map(|gull| harness.get::<Flock>(gull).separation_radius);
    let usual = Flock::default().separation_radius;
    harness.panel().select(gulls[0], false);
    harness.panel().scope = Scope::Selected;
    harness.frames(3);
    harness.slide("Flock.separation_radius", 0.8);
    let [first, second, third] = radius(&harness);
    assert!(first > usual && second == usual && third == usual, "only the selected one changes");
    harness.click("scope flock");
    harness.slide("Flock.separation_radius", 0.6);
    let [first, second, third] = radius(&harness);
    assert!(first == second && first > usual && third == usual, "its flock changes, the other does not");
}

#[test]
fn a_slider_has_fine_steps_where_its_usual_value_lies() {
    let mut harness = PanelHarness::new();
    let gull = harness.spawn((Agent::default(), Flock::default()));
    harness.slide("Flock.separation_radius", 0.5);
    let middle = harness.get::<Flock>(gull).separation_radius;
    assert!((1.0..5.0).contains(&middle), "the middle of 0 to 60 is near the usual 2.5: {middle}");
    harness.slide("Flock.separation_radius", 1.0);
    let widest = harness.get::<Flock>(gull).separation_radius;
    assert_eq!(widest, 60.0, "the end of the rail is the end of the range");
}

#[test]
fn changes_from_outside_the_panel_are_shown() {
    let mut harness = PanelHarness::new();
    let [one, other] = [0, 1].map(|_| harness.spawn(Agent { speed: 9.0, ..default() }));
    assert!(harness.find("Agent.speed:reset").is_some(), "one value that is not the default bears a mark");
    harness.app.world_mut().get_mut::<Agent>(other).expect("it is there").speed = 3.0;
    harness.frames(3);
    assert!(harness.find("Agent.speed:reset").is_none(), "mixed values bear none");
    harness.app.world_mut().despawn(other);
    harness.frames(3);
    harness.click("Agent.speed:reset");
    assert_eq!(harness.get::<Agent>(one), Agent::default(), "alone again, the mark is back and works");
}

/// Sets a number in a component by reflection, as inspectors and editors do.
fn set_from_outside(harness: &mut PanelHarness, entity: Entity, component: &str, path: &str, value: f32) {
    let world = harness.app.world_mut();
    let registry = world.resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    let kind = registry.get_with_type_path(component).expect("it is registered");
    let kind = kind.data::<ReflectComponent>().expect("it is a component");
    let mut component = kind.reflect_mut(world.entity_mut(entity)).expect("the entity has one");
    *component.path_mut::<f32>(path).expect("it has such a number") = value;
}

#[test]
fn the_panel_and_other_editors_leave_each_others_values_alone() {
    let mut harness = PanelHarness::new();
    let gull = harness.spawn((Agent::default(), Flock::default()));
    set_from_outside(&mut harness, gull, "bevy_pathfind::Flock", "turn_speed", 9.0);
    harness.frames(2);
    assert!(harness.find("Flock.turn_speed:reset").is_some(), "the panel shows what it has not set");
    harness.slide("Flock.separation_radius", 0.9);
    let flock = harness.get::<Flock>(gull);
    assert!(flock.separation_radius > 20.0, "the panel writes");
    assert_eq!(flock.turn_speed, 9.0, "and only what was moved");
    // A slider that is held keeps its own value, and no other one.
    let rail = harness.rect("Flock.damping:rail");
    harness.move_to(rail.right(), rail.center().y);
    harness.button(ButtonState::Pressed);
    set_from_outside(&mut harness, gull, "bevy_pathfind::Flock", "turn_speed", 7.0);
    set_from_outside(&mut harness, gull, "bevy_pathfind::Flock", "damping", 0.25);
    harness.frames(3);
    let flock = harness.get::<Flock>(gull);
    assert_eq!((flock.damping, flock.turn_speed), (3.0, 7.0), "the hand on the slider counts");
    harness.button(ButtonState::Released);
    set_from_outside(&mut harness, gull, "bevy_pathfind::Flock", "damping", 0.25);
    harness.frames(3);
    assert_eq!(harness.get::<Flock>(gull).damping, 0.25, "released, it does not write");
    (0..2).for_each(|_| harness.click("undo"));
    let flock = harness.get::<Flock>(gull);
    assert_eq!(flock.separation_radius, Flock::default().separation_radius, "undone");
    assert_eq!(flock.turn_speed, 7.0, "undo takes back what the panel did, and nothing else");
}

/// A component of a game.
#[derive(Component, Reflect, Debug, Clone, Default, serde::Serialize, serde::Deserialize)]
#[reflect(Component, Default)]
struct Sail {
    /// How fast it drifts. Unit: world units per second. Range: 0 and up. Default: `0`.
    #[reflect(@0.0..=4.0_f32, @MeasuredIn("world units per second"))]
    drift: f32,
}

impl PresetComponent for Sail {
    const EXTENSION: &'static str = "sail.ron";
    const TITLE: &'static str = "Sail";
}

#[test]
fn a_component_of_the_game_has_sliders_and_presets() {
    let mut harness = PanelHarness::with(1280, 2600, |app| {
        app.add_plugins((PanelComponentPlugin::<Sail>::default(), NavPanelPlugin::default()));
        app.world_mut().resource_mut::<NavPanel>().is_open = true;
    });
    let ship = harness.spawn((Agent::default(), Sail::default()));
    harness.slide("Sail.drift", 0.9);
    let drift = harness.get::<Sail>(ship).drift;
    assert!(drift > 1.0 && drift <= 4.0, "{drift}");
    harness.click("undo");
    assert_eq!(harness.get::<Sail>(ship).drift, 0.0);
    harness.write("fast.sail.ron", "(drift: 3.5)");
    let preset = harness.app.world().resource::<AssetServer>().load("presets/fast.sail.ron");
    let follower = harness.spawn((Agent::default(), PresetOf::<Sail>::new(preset)));
    let has_it = |app: &mut App| app.world().get::<Sail>(follower).is_some_and(|sail| sail.drift == 3.5);
    harness.until("the preset", has_it);
}

#[test]
fn sliders_of_lengths_reach_as_far_as_the_cells_are_wide() {
    let mut harness = PanelHarness::new();
    let agent = harness.spawn(Agent { speed: 20.0, ..default() });
    harness.slide("Agent.speed", 1.0);
    assert_eq!(harness.get::<Agent>(agent).speed, 50.0, "without a grid the range is that of cells of 1");
    harness.spawn(NavGrid::new(Grid::new(8, 8).unwrap()).with_cell_size(20.0));
    harness.slide("Agent.speed", 1.0);
    assert_eq!(harness.get::<Agent>(agent).speed, 1000.0, "20 times as far");
    harness.slide("Agent.turn_rate", 1.0);
    assert_eq!(harness.get::<Agent>(agent).turn_rate, 25.0, "angles are not lengths");
}

#[test]
fn the_panel_and_the_documentation_name_the_same_unit() {
    let harness = PanelHarness::new();
    let registry = harness.app.world().resource::<AppTypeRegistry>().read();
    let structs = registry.iter().filter_map(|kind| kind.type_info().as_struct().ok());
    let mut checked = 0;
    for field in structs.flat_map(StructInfo::iter) {
        let Some(MeasuredIn(unit)) = field.get_attribute() else { continue };
        let docs: Vec<_> = field.docs().unwrap_or_default().split_whitespace().collect();
        assert!(
            docs.join(" ").contains(&format!("Unit: {unit}")),
            "{unit} is not in the text of {}",
            field.name()
        );
        checked += 1;
    }
    assert!(checked > 50, "{checked} fields have a unit");
}
