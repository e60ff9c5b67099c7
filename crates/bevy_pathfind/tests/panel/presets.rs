//! Presets in the panel: reading and writing files.

use bevy::input::keyboard::Key;
use bevy::prelude::*;
use bevy::reflect::TypeRegistry;
use bevy_pathfind::prelude::*;
use bevy_pathfind::presets::{PresetComponent, PresetError, differ, from_ron, to_ron};

use crate::support::Bench;

/// Compares the presets in `assets` with the values in code. With `WRITE_PRESETS` set in the environment, writes
/// them.
#[test]
fn the_presets_in_assets_hold_the_numbers_of_their_sources() {
    fn check<T: PresetComponent>(name: &str, values: &T) {
        let mut registry = TypeRegistry::default();
        registry.register::<T>();
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/presets");
        let file = format!("{folder}/{name}.{}", T::EXTENSION);
        let text = to_ron(values, &registry).expect("settings can be written");
        if std::env::var_os("WRITE_PRESETS").is_some() {
            std::fs::write(&file, &text).expect("the file can be written");
        }
        let there = std::fs::read_to_string(&file).expect("the file is there");
        let read: T = from_ron(&there, &registry).unwrap_or_else(|error| panic!("{file}: {error}"));
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

fn radius(bench: &Bench, gull: Entity) -> f32 {
    bench.get::<Flock>(gull).separation_radius
}

#[test]
fn agents_follow_their_preset_and_its_file() {
    let mut bench = Bench::new();
    bench.write("gulls.flock.ron", GULLS);
    let gull = bench.spawn_with_preset("gulls.flock.ron");
    assert_eq!(radius(&bench, gull), 2.0, "the file's value counts");
    bench.write("gulls.flock.ron", "(separation_radius: 7.5)");
    bench.until("the reload", |app| app.world().get::<Flock>(gull).unwrap().separation_radius == 7.5);
}

#[test]
fn a_broken_file_keeps_the_last_good_values_and_is_told_with_its_place() {
    let mut bench = Bench::new();
    bench.write("gulls.flock.ron", GULLS);
    let gull = bench.spawn_with_preset("gulls.flock.ron");
    bench.frames(40);
    bench.write("gulls.flock.ron", "(\n    separation_radius: wide,\n)");
    let path = "presets/gulls.flock.ron";
    bench.until("the trouble", |app| app.world().resource::<PresetFiles>().error(path).is_some());
    let Some(PresetError::Broken(reason)) = bench.app.world().resource::<PresetFiles>().error(path).cloned()
    else {
        panic!("the file is broken")
    };
    assert!(reason.contains("line 2"), "{reason}");
    assert_eq!(radius(&bench, gull), 2.0, "the last good value stays");
    bench.frames(2);
    assert!(bench.find("Flock/trouble").is_some(), "the panel shows it");
    bench.write("gulls.flock.ron", "(separation_radius: 4.25)");
    bench.until("the mended file", |app| app.world().get::<Flock>(gull).unwrap().separation_radius == 4.25);
    bench.until("the end of the trouble", |app| app.world().resource::<PresetFiles>().error(path).is_none());
}

#[test]
fn what_is_tuned_can_be_saved_and_found_again() {
    let mut bench = Bench::new();
    bench.write("gulls.flock.ron", GULLS);
    let gull = bench.spawn_with_preset("gulls.flock.ron");
    bench.slide("Flock.separation_radius", 0.8);
    bench.frames(2);
    let tuned = radius(&bench, gull);
    assert!(tuned > 2.0, "the preset changes, and the gull with it");
    assert_eq!(bench.read("gulls.flock.ron"), GULLS, "the file waits");
    bench.click("Flock/save");
    assert!(bench.read("gulls.flock.ron").contains("separation_radius"), "the file is written");
    let again: Flock = {
        let registry = bench.app.world().resource::<AppTypeRegistry>().clone();
        from_ron(&bench.read("gulls.flock.ron"), &registry.read()).expect("it is sound")
    };
    assert_eq!((again.separation_radius, again.cohesion_force), (tuned, 3.0), "it holds what was tuned");
}

#[test]
fn a_file_that_changed_on_disk_is_not_overwritten_unasked() {
    let mut bench = Bench::new();
    bench.write("gulls.flock.ron", GULLS);
    let gull = bench.spawn_with_preset("gulls.flock.ron");
    bench.app.world_mut().resource_mut::<PresetFiles>().watch = false;
    bench.slide("Flock.separation_radius", 0.8);
    bench.frames(2);
    let tuned = radius(&bench, gull);
    let theirs = "(separation_radius: 9.0)";
    bench.write("gulls.flock.ron", theirs);
    bench.click("Flock/save");
    assert_eq!(bench.read("gulls.flock.ron"), theirs, "nothing is written");
    bench.frames(2);
    bench.click("Flock/cancel");
    bench.frames(2);
    bench.click("Flock/save");
    bench.frames(2);
    bench.click("Flock/yes");
    assert_ne!(bench.read("gulls.flock.ron"), theirs, "once asked, it is");
    assert_eq!(radius(&bench, gull), tuned);
}

#[test]
fn edits_are_never_replaced_by_a_reload() {
    let mut bench = Bench::new();
    bench.write("gulls.flock.ron", GULLS);
    let gull = bench.spawn_with_preset("gulls.flock.ron");
    bench.frames(40);
    bench.slide("Flock.separation_radius", 0.8);
    bench.frames(2);
    let tuned = radius(&bench, gull);
    bench.write("gulls.flock.ron", "(separation_radius: 9.0)");
    let path = "presets/gulls.flock.ron";
    bench.until("the news", |app| {
        app.world().resource::<PresetFiles>().error(path) == Some(&PresetError::Both)
    });
    assert_eq!(radius(&bench, gull), tuned, "what was tuned stays");
    bench.frames(2);
    bench.click("Flock/revert");
    bench.until("the file's value", |app| app.world().get::<Flock>(gull).unwrap().separation_radius == 9.0);
}

#[test]
fn revert_takes_the_edits_back() {
    let mut bench = Bench::new();
    bench.write("gulls.flock.ron", GULLS);
    let gull = bench.spawn_with_preset("gulls.flock.ron");
    bench.slide("Flock.separation_radius", 0.9);
    bench.frames(2);
    bench.click("Flock/revert");
    bench.frames(2);
    assert_eq!(radius(&bench, gull), 2.0);
    bench.click("undo");
    bench.frames(2);
    assert!(radius(&bench, gull) > 2.0, "and that can be undone");
}

#[test]
fn values_can_be_saved_under_another_name() {
    let mut bench = Bench::new();
    let gull = bench.spawn((Agent::default(), Flock { separation_radius: 6.5, ..default() }));
    bench.frames(2);
    bench.click("Flock/save as");
    bench.frames(2);
    // The proposed name is selected, so typed text replaces it.
    bench.type_text("wide");
    bench.key(KeyCode::Enter, Key::Enter);
    bench.frames(2);
    assert!(bench.read("wide.flock.ron").contains("separation_radius: 6.5"), "the file is there");
    bench.until("the new preset", |app| app.world().get::<PresetOf<Flock>>(gull).is_some());
    bench.until("its values", |app| {
        let world = app.world();
        let preset = world.get::<PresetOf<Flock>>(gull).expect("it follows");
        world.resource::<Assets<Preset<Flock>>>().get(&preset.handle).is_some()
    });
    bench.frames(3);
    bench.click("Flock/duplicate");
    bench.frames(2);
    assert!(bench.read("wide 2.flock.ron").contains("6.5"), "a duplicate has a name of its own");
}

#[test]
fn a_preset_can_be_chosen_and_two_compared() {
    let mut bench = Bench::new();
    bench.write("gulls.flock.ron", GULLS);
    bench.write("wide.flock.ron", "(separation_radius: 11.0, cohesion_force: 3.0)");
    let gull = bench.spawn_with_preset("gulls.flock.ron");
    bench.click("Flock/compare");
    bench.frames(2);
    bench.click("Flock/compare with");
    bench.frames(2);
    bench.click("Flock/compare with=wide");
    bench.until("the other preset", |app| app.world().resource::<Assets<Preset<Flock>>>().len() == 2);
    bench.frames(3);
    assert!(bench.find("Flock/take cohesion_force").is_none(), "what is the same cannot be taken");
    bench.click("Flock/take separation_radius");
    bench.frames(2);
    assert_eq!(radius(&bench, gull), 11.0, "what differs can");
    bench.click("undo");
    bench.frames(2);
    bench.click("Flock/preset");
    bench.frames(2);
    bench.click("Flock/preset=wide");
    bench.until("the other values", |app| app.world().get::<Flock>(gull).unwrap().separation_radius == 11.0);
}

#[test]
fn a_pursuer_keeps_its_target_when_it_takes_a_preset() {
    let mut bench = Bench::new();
    bench.write("wolf.pursuit.ron", "(catch_radius: 3.5)");
    let prey = bench.spawn(Agent::default());
    let wolf = bench.spawn(Pursuer::line_of_sight(prey));
    let handle = bench.app.world().resource::<AssetServer>().load("presets/wolf.pursuit.ron");
    bench.app.world_mut().entity_mut(wolf).insert(PresetOf::<Pursuer>::new(handle));
    bench.until("the preset", |app| app.world().get::<Pursuer>(wolf).unwrap().catch_radius == 3.5);
    assert_eq!(bench.get::<Pursuer>(wolf).target, prey, "whom it hunts is no setting");
}
