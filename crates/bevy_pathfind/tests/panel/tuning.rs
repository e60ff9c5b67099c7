//! Sliders: which agents they change, marks, and undo.

use bevy::input::keyboard::Key;
use bevy::prelude::*;
use bevy_pathfind::prelude::*;
use bevy_pathfind::show::panel::Scope;

use crate::support::Bench;

#[test]
fn a_slider_changes_everyone_while_nobody_is_selected() {
    let mut bench = Bench::new();
    let gulls = [0, 1, 2].map(|_| bench.spawn((Agent::default(), Flock::default())));
    let before = bench.get::<Flock>(gulls[0]).separation_radius;
    bench.slide("Flock.separation_radius", 0.9);
    for gull in gulls {
        assert!(bench.get::<Flock>(gull).separation_radius > before * 1.5, "every gull keeps off farther");
    }
}

#[test]
fn a_drag_is_one_change_and_can_be_undone_and_done_again() {
    let mut bench = Bench::new();
    let agent = bench.spawn(Agent::default());
    let before = bench.get::<Agent>(agent).speed;
    bench.slide("Agent.speed", 0.9);
    let after = bench.get::<Agent>(agent).speed;
    assert!(after > before, "the slider is moved");
    bench.click("undo");
    assert_eq!(bench.get::<Agent>(agent).speed, before, "one click takes the whole drag back");
    bench.click("redo");
    assert_eq!(bench.get::<Agent>(agent).speed, after, "and one does it again");
    bench.shortcut(KeyCode::KeyZ, "z");
    assert_eq!(bench.get::<Agent>(agent).speed, before, "Ctrl+Z does the same");
    bench.shortcut(KeyCode::KeyY, "y");
    assert_eq!(bench.get::<Agent>(agent).speed, after, "and so does Ctrl+Y");
}

#[test]
fn a_double_click_lets_one_type() {
    let mut bench = Bench::new();
    let agent = bench.spawn(Agent::default());
    let at = bench.rect("Agent.speed:rail").center();
    bench.click_at(at.x, at.y);
    bench.click_at(at.x, at.y);
    bench.frames(2);
    bench.type_text("7.25");
    bench.key(KeyCode::Enter, Key::Enter);
    assert_eq!(bench.get::<Agent>(agent).speed, 7.25, "what is typed counts");
}

#[test]
fn what_differs_is_marked_and_a_click_puts_it_back() {
    let mut bench = Bench::new();
    let agent = bench.spawn(Agent { speed: 9.0, ..default() });
    assert!(bench.find("Agent.radius:reset").is_none(), "what has its default bears no mark");
    bench.click("Agent.speed:reset");
    assert_eq!(bench.get::<Agent>(agent), Agent::default());
    bench.frames(2);
    assert!(bench.find("Agent.speed:reset").is_none(), "the mark is gone");
}

#[test]
fn a_mixed_value_is_left_alone_until_it_is_changed() {
    let mut bench = Bench::new();
    let slow = bench.spawn(Agent { speed: 2.0, radius: 0.3, ..default() });
    let fast = bench.spawn(Agent { speed: 20.0, radius: 0.3, ..default() });
    bench.slide("Agent.radius", 0.9);
    let (one, other) = (bench.get::<Agent>(slow), bench.get::<Agent>(fast));
    assert_eq!((one.speed, other.speed), (2.0, 20.0), "speeds stay as different as they were");
    assert!(one.radius == other.radius && one.radius > 1.0, "the radius is the same for both");
    bench.slide("Agent.speed", 0.5);
    assert_eq!(bench.get::<Agent>(slow).speed, bench.get::<Agent>(fast).speed, "now the speed is one");
}

#[test]
fn the_settings_of_the_solver_are_there() {
    let mut bench = Bench::new();
    bench.click("section Solve");
    bench.frames(20);
    let before = bench.app.world().resource::<SolveSettings>().expansions_per_frame;
    bench.slide("SolveSettings.expansions_per_frame", 0.2);
    let after = bench.app.world().resource::<SolveSettings>().expansions_per_frame;
    assert!(after < before / 20, "a fifth of a logarithmic rail is far less: {before} to {after}");
    bench.click("undo");
    assert_eq!(bench.app.world().resource::<SolveSettings>().expansions_per_frame, before);
}

#[test]
fn a_scope_reaches_the_selected_or_the_whole_flock() {
    let mut bench = Bench::new();
    let leader = bench.spawn(Transform::default());
    let other_leader = bench.spawn(Transform::default());
    let gulls = [leader, leader, other_leader]
        .map(|leader| bench.spawn((Agent::default(), Flock::default(), FlockOf(leader))));
    let radius = |bench: &Bench| gulls.map(|gull| bench.get::<Flock>(gull).separation_radius);
    let usual = Flock::default().separation_radius;
    bench.panel().select(gulls[0], false);
    bench.panel().scope = Scope::Selected;
    bench.frames(3);
    bench.slide("Flock.separation_radius", 0.8);
    let [first, second, third] = radius(&bench);
    assert!(first > usual && second == usual && third == usual, "only the selected one changes");
    bench.click("scope flock");
    bench.frames(2);
    bench.slide("Flock.separation_radius", 0.6);
    let [first, second, third] = radius(&bench);
    assert!(first == second && first > usual && third == usual, "its flock changes, the other does not");
}

#[test]
fn a_slider_has_fine_steps_where_its_usual_value_lies() {
    let mut bench = Bench::new();
    let gull = bench.spawn((Agent::default(), Flock::default()));
    bench.slide("Flock.separation_radius", 0.5);
    let middle = bench.get::<Flock>(gull).separation_radius;
    assert!((1.0..5.0).contains(&middle), "the middle of 0 to 60 is near the usual 2.5: {middle}");
    bench.slide("Flock.separation_radius", 1.0);
    assert_eq!(
        bench.get::<Flock>(gull).separation_radius,
        60.0,
        "the end of the rail is the end of the range"
    );
}

#[test]
fn what_changes_behind_the_panels_back_is_noticed() {
    let mut bench = Bench::new();
    let [one, other] = [0, 1].map(|_| bench.spawn(Agent { speed: 9.0, ..default() }));
    assert!(bench.find("Agent.speed:reset").is_some(), "one value that is not the default bears a mark");
    bench.app.world_mut().get_mut::<Agent>(other).expect("it is there").speed = 3.0;
    bench.frames(3);
    assert!(bench.find("Agent.speed:reset").is_none(), "mixed values bear none");
    bench.app.world_mut().despawn(other);
    bench.frames(3);
    bench.click("Agent.speed:reset");
    assert_eq!(bench.get::<Agent>(one), Agent::default(), "alone again, the mark is back and works");
}
