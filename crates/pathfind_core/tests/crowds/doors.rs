//! Crowds that pass a door.

use glam::Vec3;
use pathfind_core::steer::reciprocal::Wall;

use super::world::{RADIUS, World};

/// A body within this distance of its goal is across.
const CROSSED: f32 = 4.0;

/// A wall along y with a door in its middle.
fn wall_with_door(width: f32) -> Vec<Wall> {
    let post = Vec3::Y * (width / 2.0);
    vec![Wall::new(post, Vec3::Y * 30.0), Wall::new(-post, Vec3::Y * -30.0)]
}

/// Ten bodies, five abreast, that go through the door to the other side.
fn add_group(world: &mut World, side: f32) {
    for index in 0..10 {
        let place = Vec3::new((index / 5) as f32 * 1.5 + 5.0, (index % 5) as f32 * 1.5 - 3.0, 0.0);
        let mirror = Vec3::new(side, side, 0.0);
        let before = Vec3::X * side;
        world.add(place * mirror, &[before, before * -2.0, place * mirror * Vec3::new(-1.0, 1.0, 1.0)]);
    }
}

/// Sends groups from these sides through a door.
fn pass_the_door(width: f32, sides: &[f32]) {
    let mut world = World { walls: wall_with_door(width), ..World::default() };
    sides.iter().for_each(|&side| add_group(&mut world, side));
    let ticks = world.run(60.0, CROSSED);
    println!("{ticks:?} ticks, overlap {}, wall {}", world.deepest, world.in_wall);
    assert!(ticks.is_some(), "all pass");
    assert!(world.in_wall < 0.05 * RADIUS, "nobody walks into the wall: {}", world.in_wall);
}

#[test]
fn ten_agents_pass_a_door() {
    pass_the_door(1.6, &[1.0]);
}

#[test]
fn two_groups_of_ten_pass_a_door_in_opposite_directions() {
    pass_the_door(4.0, &[1.0, -1.0]);
}
