//! Who fits where: cells that are too narrow for the large units in the colour of the largest that can stand there.

use bevy::prelude::*;
use bevy_pathfind::prelude::*;

use super::{CrowdSettings, SIZES, Unit};
use crate::{
    grid_picture::{GridPicture, Pictures},
    keys::Keys,
    tint::{self, Tint},
};

const OPACITY: f32 = 0.35;

/// Shows or hides the colours by key, and paints them when the town has changed.
pub(super) fn show(
    keys: Keys,
    maps: Query<(Entity, Ref<NavGrid>, &Transform), With<GridPicture>>,
    units: Query<(&Unit, &Agent)>,
    tints: Query<Ref<Tint>>,
    mut settings: ResMut<CrowdSettings>,
    mut commands: Commands,
    mut pictures: Pictures,
) {
    if keys.just_pressed(KeyCode::KeyV) {
        settings.clearance = !settings.clearance;
    }
    let Ok((map, nav, place)) = maps.single() else { return };
    let Ok(tint) = tints.single() else {
        if settings.clearance {
            tint::spawn(&mut commands, &mut pictures, (map, &nav, place), false);
        }
        return;
    };
    if !nav.is_changed() && !settings.is_changed() && !tint.is_added() {
        return;
    }
    let kinds: Vec<_> = (0..SIZES.len())
        .filter_map(|size| units.iter().find(|(unit, _)| unit.0 == size).map(|(_, agent)| (size, agent.kind)))
        .collect();
    tint::paint(&tint, &nav, &mut pictures.images, |cell| {
        let fits = |&&(_, kind): &&(usize, KindId)| nav.is_walkable(kind, cell);
        let largest = kinds.iter().rev().find(fits).filter(|_| settings.clearance);
        largest
            .filter(|(size, _)| size + 1 < SIZES.len())
            .map(|&(size, _)| SIZES[size].color.with_alpha(OPACITY))
    });
}
