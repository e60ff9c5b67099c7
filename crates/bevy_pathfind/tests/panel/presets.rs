//! Presets in the panel: reading and writing files.

use bevy::input::keyboard::Key;
use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    presets::{Preset, PresetComponent, PresetError, PresetFiles, differ, from_ron, to_ron},
    show::panel::Scope,
};

use crate::support::PanelHarness;

/// Compares the presets in `assets` with the values in code. With `WRITE_PRESETS` set in the environment, writes
/// them.
#[test]
fn the_presets_in_assets_hold_the_numbers_of_their_sources() {
    fn check<T: PresetComponent>(name: &str, values: &T) {
        let file = format!("../../assets/presets/{name}.{}", T::EXTENSION);
        let text = to_ron(values).expect("settings can be written");
        if std::env::var_os("WRITE_PRESETS").is_some() {
            std::fs::write(&file, &text).expect("the file can be written");
        }
        let there = std::fs::read_to_string(&file).expect("the file is there");
        let read: T = from_ron(&there).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(!differ(&read, values), "{file} should hold\n{text}but has\n{read:?}\n{values:?}");
    }
    check("default", &Flock::default());
    check("seagull", &Flock::seagull());
    check("unity_flock", &Flock::unity_flock());
    check("reynolds", &Flock::reynolds());
    check("default", &Avoider::default());
    check("default", &Pursuer::default());
    check("default", &Agent::default());
    check("default", &Separation::default());
    check("default", &Behavior::default());
    check("default", &FlockLeader::default());
}

const GULLS: &str = "(separation_radius: 2.0, cohesion_force: 3.0)";

/// A panel, and an agent that follows the preset above.
fn gulls() -> (PanelHarness, Entity) {
    let mut harness = PanelHarness::new();
    harness.write("gulls.flock.ron", GULLS);
    let gull = harness.spawn_with_preset("gulls.flock.ron");
    (harness, gull)
}

/// Waits until the agent has this radius.
fn until_radius(harness: &mut PanelHarness, gull: Entity, radius: f32) {
    harness.until("the radius", |app| app.world().get::<Flock>(gull).unwrap().separation_radius == radius);
}

fn radius(harness: &PanelHarness, gull: Entity) -> f32 {
    harness.get::<Flock>(gull).separation_radius
}

#[test]
fn agents_follow_their_preset_and_its_file() {
    let (mut harness, gull) = gulls();
    assert_eq!(radius(&harness, gull), 2.0, "the file's value counts");
    harness.write("gulls.flock.ron", "(separation_radius: 7.5)");
    until_radius(&mut harness, gull, 7.5);
}

#[test]
fn a_broken_file_keeps_the_last_good_values_and_reports_its_line() {
    let (mut harness, gull) = gulls();
    harness.frames(40);
    harness.write("gulls.flock.ron", "(\n    separation_radius: wide,\n)");
    let path = "presets/gulls.flock.ron";
    harness.until("the error", |app| app.world().resource::<PresetFiles>().error(path).is_some());
    let error = harness.app.world().resource::<PresetFiles>().error(path).cloned();
    let Some(PresetError::Broken(reason)) = error else { panic!("the file is broken") };
    assert!(reason.contains("line 2"), "{reason}");
    assert_eq!(radius(&harness, gull), 2.0, "the last good value stays");
    harness.frames(2);
    assert!(harness.find("Flock/error").is_some(), "the panel shows it");
    harness.write("gulls.flock.ron", "(separation_radius: 4.25)");
    until_radius(&mut harness, gull, 4.25);
    harness.until("the end of the error", |app| app.world().resource::<PresetFiles>().error(path).is_none());
}

#[test]
fn tuned_values_can_be_saved_and_found_again() {
    let (mut harness, gull) = gulls();
    harness.slide("Flock.separation_radius", 0.8);
    let tuned = radius(&harness, gull);
    assert!(tuned > 2.0, "the preset changes, and the gull with it");
    assert_eq!(harness.read("gulls.flock.ron"), GULLS, "the file waits");
    harness.click("Flock/save");
    assert!(harness.read("gulls.flock.ron").contains("separation_radius"), "the file is written");
    let again: Flock = from_ron(&harness.read("gulls.flock.ron")).expect("it is sound");
    assert_eq!((again.separation_radius, again.cohesion_force), (tuned, 3.0), "it holds what was tuned");
}

#[test]
fn a_file_that_changed_on_disk_is_not_overwritten_unasked() {
    let (mut harness, gull) = gulls();
    harness.app.world_mut().resource_mut::<PresetFiles>().watch = false;
    harness.slide("Flock.separation_radius", 0.8);
    let tuned = radius(&harness, gull);
    let theirs = "(separation_radius: 9.0)";
    harness.write("gulls.flock.ron", theirs);
    harness.click("Flock/save");
    assert_eq!(harness.read("gulls.flock.ron"), theirs, "nothing is written");
    harness.frames(2);
    harness.click("Flock/cancel");
    harness.click("Flock/save");
    harness.click("Flock/yes");
    assert_ne!(harness.read("gulls.flock.ron"), theirs, "once asked, it is");
    assert_eq!(radius(&harness, gull), tuned);
}

#[test]
fn edits_are_never_replaced_by_a_reload() {
    let (mut harness, gull) = gulls();
    harness.frames(40);
    harness.slide("Flock.separation_radius", 0.8);
    let tuned = radius(&harness, gull);
    harness.write("gulls.flock.ron", "(separation_radius: 9.0)");
    let path = "presets/gulls.flock.ron";
    harness.until("a notice of the edits", |app| {
        app.world().resource::<PresetFiles>().error(path) == Some(&PresetError::Conflict)
    });
    assert_eq!(radius(&harness, gull), tuned, "what was tuned stays");
    harness.frames(2);
    harness.click("Flock/revert");
    until_radius(&mut harness, gull, 9.0);
}

#[test]
fn revert_takes_the_edits_back() {
    let (mut harness, gull) = gulls();
    harness.slide("Flock.separation_radius", 0.9);
    harness.click("Flock/revert");
    assert_eq!(radius(&harness, gull), 2.0);
    harness.click("undo");
    assert!(radius(&harness, gull) > 2.0, "and that can be undone");
}

#[test]
fn values_can_be_saved_under_another_name() {
    let mut harness = PanelHarness::new();
    let gull = harness.spawn((Agent::default(), Flock { separation_radius: 6.5, ..default() }));
    harness.frames(2);
    harness.click("Flock/save as");
    // The proposed name is selected, so typed text replaces it.
    harness.type_text("wide");
    harness.key(KeyCode::Enter, Key::Enter);
    harness.frames(2);
    assert!(harness.read("wide.flock.ron").contains("separation_radius: 6.5"), "the file is there");
    harness.until("the new preset", |app| app.world().get::<PresetOf<Flock>>(gull).is_some());
    harness.until("its values", |app| {
        let world = app.world();
        let preset = world.get::<PresetOf<Flock>>(gull).expect("it follows");
        world.resource::<Assets<Preset<Flock>>>().get(&preset.handle).is_some()
    });
    harness.frames(3);
    harness.click("Flock/duplicate");
    assert!(harness.read("wide 2.flock.ron").contains("6.5"), "a duplicate has a name of its own");
}

#[test]
fn a_preset_can_be_chosen_and_two_compared() {
    let (mut harness, gull) = gulls();
    harness.write("wide.flock.ron", "(separation_radius: 11.0, cohesion_force: 3.0)");
    harness.click("Flock/compare");
    harness.click("Flock/compare with");
    harness.click("Flock/compare with=wide");
    harness.until("the other preset", |app| app.world().resource::<Assets<Preset<Flock>>>().len() == 2);
    harness.frames(3);
    assert!(harness.find("Flock/take cohesion_force").is_none(), "what is the same cannot be taken");
    harness.click("Flock/take separation_radius");
    assert_eq!(radius(&harness, gull), 11.0, "what differs can");
    harness.click("undo");
    harness.click("Flock/preset");
    harness.click("Flock/preset=wide");
    until_radius(&mut harness, gull, 11.0);
}

#[test]
fn a_value_taken_over_for_one_agent_is_its_own() {
    let (mut harness, gull) = gulls();
    let other = harness.spawn_with_preset("gulls.flock.ron");
    harness.write("wide.flock.ron", "(separation_radius: 11.0, cohesion_force: 3.0)");
    harness.panel().select(gull, false);
    harness.panel().scope = Scope::Selected;
    harness.frames(2);
    harness.click("Flock/compare");
    harness.click("Flock/compare with");
    harness.click("Flock/compare with=wide");
    harness.until("the other preset", |app| app.world().resource::<Assets<Preset<Flock>>>().len() == 2);
    harness.frames(3);
    harness.click("Flock/take separation_radius");
    assert_eq!([gull, other].map(|gull| radius(&harness, gull)), [11.0, 2.0]);
    assert!(!harness.get::<PresetOf<Flock>>(gull).follows, "a change of the preset would replace the value");
    harness.click("undo");
    assert_eq!(radius(&harness, gull), 2.0);
    assert!(harness.get::<PresetOf<Flock>>(gull).follows, "both are one change");
}

#[test]
fn a_pursuer_keeps_its_target_when_it_takes_a_preset() {
    let mut harness = PanelHarness::new();
    harness.write("wolf.pursuit.ron", "(catch_radius: 3.5)");
    let prey = harness.spawn(Agent::default());
    let wolf = harness.spawn(Pursuer::line_of_sight(prey));
    let handle = harness.app.world().resource::<AssetServer>().load("presets/wolf.pursuit.ron");
    harness.app.world_mut().entity_mut(wolf).insert(PresetOf::<Pursuer>::new(handle));
    harness.until("the preset", |app| app.world().get::<Pursuer>(wolf).unwrap().catch_radius == Some(3.5));
    assert_eq!(harness.get::<Pursuer>(wolf).target, prey, "whom it hunts is no setting");
}
