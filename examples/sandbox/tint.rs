//! A colour over each cell of a map: of its influence, or of who fits through.

use bevy::{image::ImageSampler, prelude::*};
use bevy_pathfind::prelude::*;

use crate::grid_picture::{Pictures, blank_image, layer};

/// On the picture over a map, which is its child.
#[derive(Component)]
pub(crate) struct Tint(Handle<Image>);

/// Spawns an empty picture over a map, for [`paint`]. If it is smooth, colours are blended between cells.
pub(crate) fn spawn(
    commands: &mut Commands,
    pictures: &mut Pictures,
    (map, nav, &place): (Entity, &NavGrid, &Transform),
    is_smooth: bool,
) {
    let mut image = blank_image(nav.size());
    if is_smooth {
        image.sampler = ImageSampler::linear();
    }
    let image = pictures.images.add(image);
    commands.spawn((ChildOf(map), Tint(image.clone()), pictures.over((nav, place), image, layer::CELLS)));
}

/// Paints every cell of the picture anew.
pub(crate) fn paint(
    tint: &Tint,
    nav: &NavGrid,
    images: &mut Assets<Image>,
    color: impl Fn(GridCell) -> Option<Color>,
) {
    let Some(mut image) = images.get_mut(&tint.0) else { return };
    let Some(data) = &mut image.data else { return };
    for (texel, cell) in data.chunks_exact_mut(4).zip(nav.bounds().cells()) {
        texel.copy_from_slice(&color(cell).unwrap_or(Color::NONE).to_srgba().to_u8_array());
    }
}
