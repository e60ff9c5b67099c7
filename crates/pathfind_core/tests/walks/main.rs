//! Paths are walked to their ends: random maps, every algorithm, corner rule and size, with short and long steps.
//!
//! The ordinary run has some thousand walks. `NAV_WALKS=100000 cargo test --release -p pathfind_core --test walks
//! -- --nocapture` runs the given number.

mod contact;
mod map;
mod walk;

use pathfind_core::steer::CounterRng;

use map::Journey;
use walk::Walk;

/// The number of walks in the ordinary run.
const WALKS: u64 = 4_000;

#[test]
fn every_path_can_be_walked_to_its_end_without_crossing_walls() {
    let asked = std::env::var("NAV_WALKS").ok().and_then(|walks| walks.parse().ok());
    let walks = asked.unwrap_or(WALKS);
    let (mut taken, mut steps, mut failures) = (0, 0, Vec::new());
    for seed in 0.. {
        if taken >= walks {
            break;
        }
        let mut rng = CounterRng::new(21, seed, 0);
        let Some(journey) = Journey::draw(&mut rng) else { continue };
        let walk = Walk::draw(&mut rng);
        taken += 1;
        match walk.run(&journey) {
            Ok(count) => steps += count,
            Err(error) => failures.push(format!("walk {seed}: {error}\n{walk:?}\n{journey}")),
        }
    }
    println!("{taken} walks, {steps} steps");
    let count = failures.len();
    assert!(count == 0, "{count} of {taken} walks fail, of them the first:\n{}", failures[0]);
}
