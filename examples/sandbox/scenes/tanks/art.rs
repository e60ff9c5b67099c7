//! The game's pictures: drawn once from signed distance functions, and tinted by each sprite.

use bevy::prelude::*;

use crate::actors::shape_image;

/// All pictures of the game.
#[derive(Resource)]
pub(super) struct Art {
    pub hull: Handle<Image>,
    pub turret: Handle<Image>,
    pub shell: Handle<Image>,
    pub flame: Handle<Image>,
    pub glow: Handle<Image>,
    pub tread: Handle<Image>,
    pub crumb: Handle<Image>,
    pub ring: Handle<Image>,
    pub base: Handle<Image>,
    pub plus: Handle<Image>,
    pub bolt: Handle<Image>,
    pub shield: Handle<Image>,
}

impl FromWorld for Art {
    fn from_world(world: &mut World) -> Self {
        let mut images = world.resource_mut::<Assets<Image>>();
        let mut draw = |shape: fn(Vec2) -> f32, border: bool| images.add(shape_image(shape, border));
        Self {
            hull: draw(hull, true),
            turret: draw(turret, true),
            shell: draw(|p| p.length() - 0.8, false),
            flame: draw(flame, false),
            // Fades from the middle to the rim.
            glow: draw(|p| (p.length() - 0.5) * 0.045, false),
            tread: draw(|p| bar(Vec2::new(p.x, p.y.abs() - 0.6), Vec2::new(0.12, 0.1)), false),
            crumb: draw(|p| bar(p, Vec2::splat(0.6)), false),
            ring: draw(|p| (p.length() - 0.85).abs() - 0.08, false),
            base: draw(base, true),
            plus: draw(|p| bar(p, Vec2::new(0.62, 0.2)).min(bar(p, Vec2::new(0.2, 0.62))), true),
            bolt: draw(|p| chevron(p - Vec2::X * 0.2).min(chevron(p + Vec2::X * 0.3)), true),
            shield: draw(|p| (p.length() - 0.55).abs() - 0.16, true),
        }
    }
}

impl Art {
    /// A sprite with this side, in world units.
    pub(super) fn sprite(&self, image: &Handle<Image>, color: Color, side: f32) -> Sprite {
        Sprite { image: image.clone(), color, custom_size: Some(Vec2::splat(side)), ..default() }
    }
}

/// The signed distance to a rectangle round the origin with rounded corners.
fn bar(point: Vec2, half: Vec2) -> f32 {
    let beyond = point.abs() - half;
    beyond.max(Vec2::ZERO).length() + beyond.max_element().min(0.0) - 0.06
}

/// Two tracks and the body between them.
fn hull(point: Vec2) -> f32 {
    let tracks = bar(Vec2::new(point.x, point.y.abs() - 0.6), Vec2::new(0.74, 0.14));
    tracks.min(bar(point, Vec2::new(0.6, 0.36)))
}

/// A dome with a gun that points to the right.
fn turret(point: Vec2) -> f32 {
    let gun = bar(point - Vec2::X * 0.48, Vec2::new(0.4, 0.06));
    gun.min(point.length() - 0.36)
}

/// A flame that points to the right.
fn flame(point: Vec2) -> f32 {
    let along = (point.x + 0.8) / 1.6;
    point.y.abs() - 0.75 * along.max(0.0).sqrt() * (1.0 - along).max(0.0) + (-along).max(0.0)
}

/// A star with four points.
fn base(point: Vec2) -> f32 {
    let folded = point.abs();
    let star = (folded.x.sqrt() + folded.y.sqrt() - 0.93) * 0.5;
    star.max(point.length() - 0.9)
}

/// A chevron that points to the right.
fn chevron(point: Vec2) -> f32 {
    let along = point.x + point.y.abs() * 0.8;
    ((along - 0.35).abs() - 0.14).max(point.y.abs() - 0.55) * 0.8
}
