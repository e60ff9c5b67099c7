//! Shells: they fly straight, and damage bricks, tanks and the base.

use bevy::{ecs::query::QueryData, prelude::*};
use bevy_pathfind::{prelude::*, world::GridTransform};
use pathfind_core::cast_ray;

use super::{
    SCENE,
    arena::{Arena, Base, RADIUS},
    art::Art,
    effects::{self, crumble, explode, light_up, muzzle, strike},
    enemies::Enemy,
    game::Game,
    player::Player,
    tank::Tank,
};
use crate::{grid_picture::BRICK, theme};

/// The side of a shell, which does not hit its own tanks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Ours,
    Theirs,
}

/// A shell in flight.
#[derive(Component, Debug)]
pub(super) struct Shell {
    side: Side,
    /// Velocity, in world units per second.
    velocity: Vec2,
    /// Seconds until it disappears.
    left: f32,
}

/// Radius in which a hit destroys bricks, in cells.
const BREAK_RADIUS: f32 = 1.7;

/// Fires a shell.
pub(super) fn spawn(commands: &mut Commands, art: &Art, at: Vec3, direction: Vec2, side: Side) {
    let (speed, color) = match side {
        Side::Ours => (24.0, theme::TEXT),
        Side::Theirs => (15.0, theme::PREY),
    };
    let shell = Shell { side, velocity: direction * speed, left: 3.0 };
    let sprite = Sprite { custom_size: Some(Vec2::new(0.75, 0.4)), ..art.sprite(&art.shell, color, 1.0) };
    let place = Transform::from_translation(at.with_z(effects::HEIGHT))
        .with_rotation(Quat::from_rotation_z(direction.to_angle()));
    commands.spawn((shell, sprite, place, InterpolateTransform::default(), SCENE.despawn_on_exit()));
    muzzle(commands, art, at + (direction * 0.8).extend(0.0), direction, color);
}

/// A tank that can be hit.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct Target {
    entity: Entity,
    tank: &'static mut Tank,
    at: &'static Transform,
    is_enemy: Has<Enemy>,
    player: Option<&'static Player>,
}

impl TargetItem<'_, '_> {
    fn is_there(&self) -> bool {
        self.tank.armour > 0 && self.player.is_none_or(|player| player.dead_for.is_none())
    }
}

/// Moves the shells, and applies their hits.
pub(super) fn move_shells(
    mut shells: Query<(Entity, &mut Shell, &mut Transform)>,
    mut tanks: Query<Target, Without<Shell>>,
    base: Query<&Transform, (With<Base>, Without<Shell>)>,
    mut arenas: Query<(&Arena, &mut NavGrid, &Transform), Without<Shell>>,
    mut game: ResMut<Game>,
    (time, art): (Res<Time>, Res<Art>),
    mut commands: Commands,
) {
    let Ok((arena, mut nav, &place)) = arenas.single_mut() else { return };
    let place = GridTransform::new(&nav, place);
    for (entity, mut shell, mut transform) in &mut shells {
        let from = transform.translation;
        let to = from + (shell.velocity * time.delta_secs()).extend(0.0);
        shell.left -= time.delta_secs();
        let [a, b] = [from, to].map(|point| place.to_grid(point));
        let wall = cast_ray(nav.grid(), arena.shell, a, b);
        let end = wall.map_or(to, |hit| place.to_world(hit.point, 0.0).with_z(from.z));
        let back = -shell.velocity.normalize_or(Vec2::X);
        let path = Segment2d::new(from.truncate(), end.truncate());
        let near = |at: Vec3, reach: f32| path.closest_point(at.truncate()).distance(at.truncate()) < reach;
        let struck = tanks.iter_mut().find(|target| {
            target.is_enemy == (shell.side == Side::Ours)
                && target.is_there()
                && near(target.at.translation, RADIUS)
        });
        if let Some(mut target) = struck {
            if target.player.is_none_or(|player| player.shield == 0.0) {
                target.tank.armour -= 1;
                light_up(&mut commands, &art, target.entity);
            }
            strike(&mut commands, &art, end, back, theme::TEXT);
        } else if shell.side == Side::Theirs && base.iter().any(|at| near(at.translation, 1.3)) {
            game.base = game.base.saturating_sub(1);
            explode(&mut commands, &art, end, theme::PREY);
        } else if let Some(hit) = wall {
            let direction = back * Vec2::new(-1.0, 1.0);
            let fallen = break_bricks(&mut nav, hit.point + direction * 0.5);
            game.fallen += fallen;
            if fallen > 0 {
                crumble(&mut commands, &art, end, back);
            }
            let color = if fallen > 0 { theme::BRICK_EDGE } else { theme::TEXT };
            strike(&mut commands, &art, end, back, color);
        } else if shell.left > 0.0 {
            transform.translation = to;
            continue;
        }
        commands.entity(entity).despawn();
    }
}

/// At the end of the game no shell stays in the air.
pub(super) fn clear(shells: Query<Entity, With<Shell>>, mut commands: Commands) {
    shells.iter().for_each(|shell| commands.entity(shell).despawn());
}

/// Destroys the bricks round a point; returns the number of cells.
fn break_bricks(nav: &mut NavGrid, at: Vec2) -> u32 {
    let reach = BREAK_RADIUS.ceil() as i32;
    let middle = GridCell::containing(at);
    let mut fallen = 0;
    for y in -reach..=reach {
        for x in -reach..=reach {
            let cell = GridCell::new(middle.x + x, middle.y + y);
            if nav.grid().terrain(cell) == Some(BRICK) && cell.center().distance(at) <= BREAK_RADIUS {
                nav.set(cell, Terrain::GROUND).expect("the cell has terrain");
                fallen += 1;
            }
        }
    }
    fallen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid_picture::STEEL;

    #[test]
    fn a_hit_destroys_bricks_and_leaves_steel() {
        let paint = |cell: GridCell| if cell.x < 4 { BRICK } else { STEEL };
        let mut nav = NavGrid::from_fn(8, 8, paint).expect("it is small");
        let fallen = break_bricks(&mut nav, Vec2::new(3.5, 3.5));
        assert!((3..10).contains(&fallen), "{fallen} cells fell");
        assert_eq!(nav.grid().terrain(GridCell::new(4, 3)), Some(STEEL), "steel stands");
        assert_eq!(break_bricks(&mut nav, Vec2::new(6.5, 6.5)), 0);
    }
}
