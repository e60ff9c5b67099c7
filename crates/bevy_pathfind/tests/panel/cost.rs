//! Measures the cost of the panel: `cargo test --workspace --test panel cost -- --ignored --nocapture`.

use std::time::Instant;

use bevy::prelude::*;
use bevy_pathfind::prelude::*;

use crate::support::PanelHarness;

const AGENTS: usize = 10_000;
const FRAMES: u32 = 30;

/// The median frame time over [`FRAMES`], in milliseconds.
fn frame(harness: &mut PanelHarness) -> f64 {
    harness.frames(5);
    let mut times: Vec<_> = (0..FRAMES)
        .map(|_| {
            let begun = Instant::now();
            harness.frames(1);
            begun.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn birds(mixed: bool) -> impl Iterator<Item = (Agent, Flock, Avoider, Transform)> {
    (0..AGENTS).map(move |i| {
        let (x, y) = (i % 100, i / 100);
        let speed = if mixed { 5.0 + i as f32 * 1e-3 } else { 5.0 };
        let at = Transform::from_xyz(x as f32 * 12.0 - 600.0, y as f32 * 12.0 - 600.0, 0.0);
        (Agent::new(speed), Flock::default(), Avoider::contact(), at)
    })
}

#[test]
#[ignore = "prints times, and says nothing about right or wrong"]
fn cost_of_ten_thousand_agents() {
    for mixed in [false, true] {
        let mut harness = PanelHarness::with(1280, 720, |app| {
            app.add_plugins(NavPanelPlugin::default());
        });
        harness.app.world_mut().spawn_batch(birds(mixed));
        harness.app.world_mut().resource_mut::<Time<Virtual>>().pause();
        let closed = frame(&mut harness);
        harness.panel().is_open = true;
        let open = frame(&mut harness);
        let first =
            harness.app.world_mut().query_filtered::<Entity, With<Agent>>().iter(harness.app.world()).next();
        harness.panel().select(first.expect("there are agents"), false);
        let selected = frame(&mut harness);
        println!("mixed {mixed}: closed {closed:.2} ms, open {open:.2} ms, one selected {selected:.2} ms");
        harness.panel().is_open = false;
        let show = harness.app.world().resource::<NavGizmos>().clone();
        for (name, on) in [
            ("agents", NavGizmos { agents: true, ..show.clone() }),
            ("radii", NavGizmos { radii: true, ..show.clone() }),
            ("probes", NavGizmos { probes: true, ..show.clone() }),
        ] {
            harness.app.insert_resource(on);
            println!("  gizmos of {name}: {:.2} ms", frame(&mut harness) - closed);
        }
    }
}
