//! The obstacles of the field, and the count of vehicles that bump into them.

use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    world::{Grid, ObstacleShape},
};

use super::{FIELD, RADIUS, SCENE};
use crate::{paint::Paint, rng::SplitMix64, scene3d::SceneBuilder, theme};

/// Number of round obstacles, and their height.
const COLUMNS: usize = 24;
const HEIGHT: f32 = 3.0;
/// Minimal gap between two obstacles: wide enough for a vehicle.
const GAP: f32 = RADIUS * 2.0 + 1.6;
/// Walls: centres and half sides, seen from above.
const WALLS: [(Vec2, Vec2); 3] = [
    (Vec2::new(-14.0, -12.0), Vec2::new(0.6, 6.0)),
    (Vec2::new(16.0, 9.0), Vec2::new(0.6, 7.0)),
    (Vec2::new(2.0, -4.0), Vec2::new(5.0, 0.6)),
];
/// A vehicle nearer to a surface than this touches it, in world units.
const TOUCH: f32 = 0.04;
/// A touch at a lower speed into the surface is no bump, in world units per second.
const GENTLE: f32 = 0.5;
/// A touch within this time after the last one is the same bump, in seconds.
const LINGER: f32 = 0.3;

/// The bumps of a vehicle.
#[derive(Component, Debug, Default)]
pub(super) struct Bumps {
    pub count: u32,
    /// Total seconds in contact.
    pub seconds: f32,
    /// Seconds for which another touch still belongs to the last bump.
    linger: f32,
}

/// The remaining glow of an obstacle after a bump, in seconds.
#[derive(Component, Debug, Default)]
pub(super) struct Glow(pub f32);

/// The paints of an obstacle, at rest and after a bump.
#[derive(Component)]
pub(super) struct Paints {
    pub calm: Paint,
    pub glowing: Paint,
}

/// Spawns the grid and all obstacles.
pub(super) fn spawn(builder: &mut SceneBuilder, rng: &mut SplitMix64) {
    let grid = Grid::new(FIELD.x as u32, FIELD.y as u32).expect("the field is no giant");
    let corner = Transform::from_xyz(-FIELD.x / 2.0, 0.0, -FIELD.y / 2.0);
    builder.commands.spawn((
        Name::new("Field"),
        NavGrid::new(grid).with_plane(GridPlane::Xz),
        corner,
        SCENE.despawn_on_exit(),
    ));
    let calm = builder.paint(theme::WALL);
    let glowing = builder.paint(theme::PREY);
    let mut placed: Vec<(Obstacle, Transform)> = Vec::new();
    for (at, half) in WALLS {
        let half = Vec3::new(half.x, HEIGHT / 2.0, half.y);
        placed.push((Obstacle::cuboid(half), Transform::from_xyz(at.x, HEIGHT / 2.0, at.y)));
    }
    for _ in 0..4000 {
        let radius = rng.in_range(1.2..3.2);
        let at = Vec3::new(rng.in_range(-33.0..33.0), 0.0, rng.in_range(-25.0..25.0));
        let has_room =
            |(obstacle, place): &(Obstacle, Transform)| surface(obstacle, place, at).0 > radius + GAP;
        if placed.len() < COLUMNS + WALLS.len() && placed.iter().all(has_room) {
            placed.push((Obstacle::sphere(radius), Transform::from_translation(at)));
        }
    }
    for (obstacle, at) in placed {
        let (mesh, scale) = match obstacle.shape {
            ObstacleShape::Sphere { radius } => {
                (&builder.shared_meshes.column, Vec3::new(radius, HEIGHT, radius))
            }
            ObstacleShape::Cuboid { half_size } => (&builder.shared_meshes.block, half_size),
            _ => continue,
        };
        let drawn = (Mesh3d(mesh.clone()), calm.clone(), Transform::from_scale(scale));
        let paints = Paints { calm: calm.clone(), glowing: glowing.clone() };
        builder
            .commands
            .spawn((obstacle, at, Visibility::default(), Glow::default(), SCENE.despawn_on_exit()))
            .with_child((drawn, paints));
    }
}

/// The horizontal distance of a point from an obstacle, negative inside, and the outward normal.
pub(super) fn surface(obstacle: &Obstacle, at: &Transform, point: Vec3) -> (f32, Vec3) {
    let flat = |vector: Vec3| vector.with_y(0.0);
    let from = flat(point - at.translation);
    match obstacle.shape {
        ObstacleShape::Sphere { radius } => (from.length() - radius, from.normalize_or(Vec3::X)),
        ObstacleShape::Cuboid { half_size } => {
            let past = flat(from.abs() - half_size);
            let outside = past.max(Vec3::ZERO);
            let axis = if past.x > past.z { Vec3::X } else { Vec3::Z };
            let off = outside.normalize_or(axis) * flat(from.signum());
            (outside.length() + past.x.max(past.z).min(0.0), off)
        }
        other => unreachable!("{other:?} is not in this scene"),
    }
}

/// Counts contacts of vehicles that still move into an obstacle.
pub(super) fn count_bumps(
    mut vehicles: Query<(&Transform, &AdjustedVelocity, &Agent, &mut Bumps)>,
    mut obstacles: Query<(&Obstacle, &Transform, &mut Glow)>,
    time: Res<Time>,
) {
    let dt = time.delta_secs();
    for (at, wanted, agent, mut bumps) in &mut vehicles {
        let mut touches = false;
        for (obstacle, place, mut glow) in &mut obstacles {
            let (gap, off) = surface(obstacle, place, at.translation);
            if gap < agent.radius + TOUCH && wanted.0.dot(off) < -GENTLE {
                touches = true;
                glow.0 = 0.4;
            }
        }
        if touches {
            bumps.count += u32::from(bumps.linger <= 0.0);
            bumps.seconds += dt;
            bumps.linger = LINGER;
        } else {
            bumps.linger -= dt;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_to_obstacles_are_horizontal() {
        let at = Transform::from_xyz(1.0, 5.0, 0.0);
        let (gap, off) = surface(&Obstacle::sphere(2.0), &at, Vec3::new(5.0, 0.0, 0.0));
        assert_eq!((gap, off), (2.0, Vec3::X), "a circle, whatever the height");
        let wall = Obstacle::cuboid(Vec3::new(1.0, 9.0, 3.0));
        assert_eq!(surface(&wall, &at, Vec3::new(1.0, 0.0, -5.0)), (2.0, Vec3::NEG_Z), "off its narrow side");
        let (inside, off) = surface(&wall, &at, Vec3::new(1.75, 0.0, 0.0));
        assert_eq!((inside, off), (-0.25, Vec3::X), "inside it is below 0, and out is the near way");
    }
}
