//! The geometry of the level: closed boxes, all of them sources for the bake.

use bevy::prelude::*;
use bevy_pathfind::prelude::*;

use super::SCENE;
use crate::{scene3d::SceneBuilder, theme};

/// Half the size of the box that is baked.
pub(super) const HALF_SIZE: Vec3 = Vec3::new(20.0, 5.0, 14.0);

/// Where walkers go: on the ground at both ends, on the bridge, under it, on the tower, on the plateau, in the cave.
pub(super) const SPOTS: [Vec3; 8] = [
    Vec3::new(-17.0, 0.0, 6.0),
    Vec3::new(-9.0, 0.0, 11.0),
    Vec3::new(0.0, 3.0, 0.0),
    Vec3::new(0.0, 0.0, 9.0),
    Vec3::new(-14.0, 3.0, -9.0),
    Vec3::new(14.0, 2.0, 9.0),
    Vec3::new(14.0, 0.0, -8.0),
    Vec3::new(17.5, 0.0, 0.0),
];

/// Spawns the level.
pub(super) fn spawn(builder: &mut SceneBuilder) {
    let stone = theme::WALL.mix(&theme::TEXT, 0.1);
    let mut put = |low: Vec3, high: Vec3, color: Color| {
        solid(builder, Transform::from_translation(low.midpoint(high)).with_scale((high - low) / 2.0), color);
    };
    put(Vec3::new(-20.0, -0.5, -14.0), Vec3::new(20.0, 0.0, 14.0), theme::GROUND.mix(&theme::TEXT, 0.08));
    // The deck of the bridge, and walls along the road under it.
    put(Vec3::new(-3.0, 2.7, -2.0), Vec3::new(3.0, 3.0, 2.0), stone);
    for side in [-1.0, 1.0] {
        for (from, to) in [(2.2, 10.0), (-10.0, -2.2)] {
            put(Vec3::new(5.0 * side - 0.2, 0.0, from), Vec3::new(5.0 * side + 0.2, 1.6, to), theme::WALL);
        }
    }
    // The tower, with stairs, and a parapet with a gap from which walkers jump.
    put(Vec3::new(-18.0, 0.0, -13.0), Vec3::new(-10.0, 3.0, -5.0), stone);
    put(Vec3::new(-10.4, 3.0, -13.0), Vec3::new(-10.0, 3.9, -9.0), theme::WALL);
    for step in 0..9 {
        let (height, z) = (3.0 - 0.3 * (step + 1) as f32, -5.0 + 0.4 * step as f32);
        put(Vec3::new(-17.0, 0.0, z), Vec3::new(-14.0, height, z + 0.4), stone.mix(&theme::VOID, 0.12));
    }
    // The plateau.
    put(Vec3::new(11.0, 0.0, 6.0), Vec3::new(19.0, 2.0, 13.0), theme::GROWTH_EDGE.mix(&theme::GROUND, 0.5));
    // The cave: a roof on walls, open at both ends.
    put(Vec3::new(9.0, 0.0, -6.0), Vec3::new(19.0, 2.6, -5.2), theme::WALL);
    put(Vec3::new(9.0, 0.0, -11.6), Vec3::new(19.0, 2.6, -10.8), theme::WALL);
    put(Vec3::new(11.0, 2.2, -10.8), Vec3::new(17.0, 2.6, -6.0), theme::WALL.mix(&theme::VOID, 0.3));
    // The ramps of the bridge, and a steeper one to the plateau.
    for side in [-1.0, 1.0] {
        slope(builder, Vec3::new(11.5 * side, 0.0, 0.0), Vec3::new(3.0 * side, 3.0, 0.0), 3.6, stone);
    }
    slope(builder, Vec3::new(6.6, 0.0, 9.5), Vec3::new(11.0, 2.0, 9.5), 3.0, theme::GROWTH_EDGE);
}

/// A slab whose upper side leads from one point to another, up along X.
fn slope(builder: &mut SceneBuilder, from: Vec3, to: Vec3, width: f32, color: Color) {
    const THICK: f32 = 0.2;
    let along = to - from;
    let turn = Quat::from_rotation_arc(Vec3::X, along.normalize());
    let middle = from.midpoint(to) - turn * Vec3::Y * (THICK / 2.0) * along.x.signum();
    let size = Vec3::new(along.length() + 0.1, THICK, width) / 2.0;
    solid(builder, Transform::from_translation(middle).with_rotation(turn).with_scale(size), color);
}

/// Spawns a box of the level.
fn solid(builder: &mut SceneBuilder, place: Transform, color: Color) {
    let (block, paint) = (builder.shared_meshes.block.clone(), builder.paint(color));
    builder.commands.spawn((Mesh3d(block), paint, place, BakeTerrain::default(), SCENE.despawn_on_exit()));
}
