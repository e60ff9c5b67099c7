//! Roofs: one hip roof for each house, lit from above.

use bevy::prelude::*;

use super::{
    SCENE,
    town::{Town, rect_middle, rect_size},
};
use crate::{actors::texture, grid_picture::layer, theme};

/// The roof of a house, with the house's cells.
#[derive(Component)]
pub(super) struct Roof(bevy_pathfind::prelude::CellRect);

/// The width of wall that a roof leaves visible, in cells.
const EAVES: f32 = 0.5;
/// The size of the picture, in texels.
const TEXELS: UVec2 = UVec2::new(66, 54);
/// Brightness of the slopes that face up, sideways and down on screen; and of the ridges between them.
const SLOPES: [f32; 3] = [1.0, 0.82, 0.66];
const RIDGE: f32 = 1.25;

/// Adds a roof to every house that has none, and removes the roofs of houses that are gone.
pub(super) fn update_roofs(
    mut commands: Commands,
    town: Res<Town>,
    roofs: Query<(Entity, &Roof)>,
    mut images: ResMut<Assets<Image>>,
    mut picture: Local<Option<Handle<Image>>>,
) {
    if !town.is_changed() {
        return;
    }
    // All roofs share one picture.
    let picture = picture.get_or_insert_with(|| images.add(draw()));
    for (entity, _) in roofs.iter().filter(|(_, roof)| !town.houses.contains(&roof.0)) {
        commands.entity(entity).despawn();
    }
    for &house in town.houses.iter().filter(|house| roofs.iter().all(|(_, roof)| roof.0 != **house)) {
        let sprite = Sprite {
            image: picture.clone(),
            color: theme::BRICK_EDGE.mix(&theme::WALL, 0.35),
            custom_size: Some(rect_size(house) - EAVES),
            ..default()
        };
        let at = rect_middle(house).extend(layer::CELLS);
        commands.spawn((Roof(house), sprite, Transform::from_translation(at), SCENE.despawn_on_exit()));
    }
}

/// Draws a roof: four slopes that meet in a ridge along the middle, in courses of tiles.
fn draw() -> Image {
    let size = TEXELS.as_vec2();
    texture(TEXELS, |at| {
        let (left, top) = (at.x.min(size.x - at.x), at.y.min(size.y - at.y));
        let slope = match (left < top, at.y < size.y / 2.0) {
            (true, _) => SLOPES[1],
            (false, true) => SLOPES[0],
            (false, false) => SLOPES[2],
        };
        let is_ridge = (left - top).abs() < 1.0 || (left >= top && size.y / 2.0 - top < 1.0);
        let is_course = (left.min(top) as u32) % 5 == 4;
        let light = if is_ridge { RIDGE } else { slope * if is_course { 0.86 } else { 1.0 } };
        let level = (light * 200.0).min(255.0) as u8;
        [level, level, level, 255]
    })
}
