//! What the hunters see: lines of sight to the prey, and where each has last seen it.

use bevy::prelude::*;
use bevy_pathfind::steer::PursuitAim;

use super::{Hunter, Prey};
use crate::{theme, view::View};

/// Where a hunter that has lost sight of the prey has last seen it, and for how long it has lost it, in seconds.
#[derive(Component, Default)]
pub(super) struct LastSeen(Option<(Vec2, f32)>);

/// How long the place is shown, in seconds.
const MEMORY: f32 = 6.0;

pub(super) fn show(
    mut hunters: Query<(&Transform, &PursuitAim, &mut LastSeen), With<Hunter>>,
    prey: Query<&Transform, With<Prey>>,
    (time, view): (Res<Time>, Res<View>),
    mut gizmos: Gizmos,
) {
    let Ok(prey) = prey.single() else { return };
    let prey = prey.translation.truncate();
    for (hunter, aim, mut last) in &mut hunters {
        if aim.is_in_sight {
            last.0 = Some((prey, 0.0));
            gizmos.line_2d(hunter.translation.truncate(), prey, theme::HUNTER.with_alpha(0.9));
            gizmos.circle_2d(prey, 13.0 * view.scale, theme::HUNTER).resolution(32);
            continue;
        }
        let Some((at, lost)) = &mut last.0 else { continue };
        *lost += time.delta_secs();
        let color = theme::TEXT.with_alpha(0.8 * (1.0 - *lost / MEMORY).max(0.0));
        gizmos.circle_2d(*at, 8.0 * view.scale, color).resolution(24);
        gizmos.cross_2d(Isometry2d::new(*at, Rot2::FRAC_PI_4), 5.0 * view.scale, color);
    }
}

/// A prey that begins elsewhere has not been seen there.
pub(super) fn forget(mut hunters: Query<&mut LastSeen>) {
    hunters.iter_mut().for_each(|mut last| last.0 = None);
}
