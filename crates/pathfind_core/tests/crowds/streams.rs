//! Streams that meet in the open, and the time that they lose. The bounds are 1.1 times the times of RVO2 2.0 for
//! the same bodies, whose velocities may change at once there (`neighborDist` 15, `maxNeighbors` 10, the mean over
//! `timeHorizon` 2 and 5 and three seeds).

use glam::{Vec2, Vec2Swizzles};
use pathfind_core::steer::CounterRng;

use super::world::{DT, RADIUS, SPEED, World};

/// A body slower than this stands still. Unit: its top speed.
const SLOW: f32 = 0.05;

/// Bodies that reach their top speed in an eighth of a second and are kept apart by contacts; each goes from its
/// first point to its second, with a small random offset.
fn world(seed: u64, routes: impl Iterator<Item = [Vec2; 2]>) -> World {
    let mut rng = CounterRng::new(seed, 0, 0);
    let mut world = World { is_hard: true, acceleration: Some(8.0 * SPEED), ..World::default() };
    for [from, to] in routes {
        let nudge = Vec2::new(rng.signed(), rng.signed()) * 0.2 * RADIUS;
        world.add((from + nudge).extend(0.0), &[to.extend(0.0)]);
    }
    world
}

/// Runs until all bodies have arrived; bodies that arrive are removed. Returns the seconds that it took, and the
/// longest time that a body stood still before its goal.
fn run(world: &mut World) -> (f32, f32) {
    let (mut standing, mut longest) = (vec![0; world.bodies.len()], 0);
    for tick in 0..(180.0 / DT) as usize {
        if world.bodies.is_empty() {
            assert!(world.deepest <= 0.04 * RADIUS, "bodies overlap by {}", world.deepest);
            return (tick as f32 * DT, longest as f32 * DT);
        }
        world.tick();
        for index in (0..world.bodies.len()).rev() {
            let (body, ticks) = (&world.bodies[index], &mut standing[index]);
            *ticks = if body.velocity.length() < SLOW * SPEED { *ticks + 1 } else { 0 };
            longest = longest.max(*ticks);
            if body.position.distance(world.stations[index][0]) < RADIUS {
                world.bodies.swap_remove(index);
                world.ids.swap_remove(index);
                world.stations.swap_remove(index);
                standing.swap_remove(index);
            }
        }
    }
    panic!("after three minutes not all are there");
}

/// The mean seconds of a crowd over some seeds; no body may stand still for more than ten seconds.
fn mean(name: &str, routes: impl Fn() -> Vec<[Vec2; 2]>) -> f32 {
    let seconds = [1, 2, 3].map(|seed| {
        let (seconds, stood) = run(&mut world(seed, routes().into_iter()));
        assert!(stood < 10.0, "{name}, seed {seed}: a body stood for {stood} s");
        seconds
    });
    println!("{name}: {seconds:?} s");
    seconds.iter().sum::<f32>() / 3.0
}

#[test]
fn sixty_agents_on_a_circle_change_places() {
    let seconds = mean("sixty on a circle", || {
        let angles = (0..60).map(|index| std::f32::consts::TAU * index as f32 / 60.0);
        let places = angles.map(|angle| Vec2::new(libm::cosf(angle), libm::sinf(angle)) * 25.0);
        places.map(|place| [place, -place]).collect()
    });
    assert!(seconds < 1.1 * 45.2, "RVO2 takes 45.2 s, they take {seconds} s");
}

/// Two blocks, each of ten rows of ten.
fn blocks(route: impl Fn(bool, Vec2) -> [Vec2; 2]) -> Vec<[Vec2; 2]> {
    let places = (0..100).map(|index| Vec2::new((index % 10) as f32, (index / 10) as f32 - 4.5) * 1.8);
    places.flat_map(|place| [route(false, place), route(true, place)]).collect()
}

#[test]
fn two_opposed_streams_pass_each_other() {
    let seconds = mean("a hundred across a hundred", || {
        blocks(|is_back, place| {
            let ends = [-1.0, 1.0].map(|side| Vec2::new(side * (20.0 + place.x), place.y));
            if is_back { [ends[1], ends[0]] } else { ends }
        })
    });
    assert!(seconds < 1.1 * 55.5, "RVO2 takes 55.5 s, they take {seconds} s");
}

#[test]
fn two_perpendicular_streams_cross() {
    let seconds = mean("two hundred that cross", || {
        blocks(|is_up, place| {
            let ends = [-15.0 - place.x, 15.0 + 16.2 - place.x].map(|along| Vec2::new(along, place.y));
            if is_up { ends.map(|end| end.yx()) } else { ends }
        })
    });
    assert!(seconds < 1.1 * 43.8, "RVO2 takes 43.8 s, they take {seconds} s");
}
