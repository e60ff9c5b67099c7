//! Danger round the hunters: an influence layer that scouts keep away from, drawn as a heat map.

use bevy::prelude::*;
use bevy_pathfind::prelude::*;

use super::HuntSettings;
use crate::{heat_map::HeatLayers, theme};

/// How far the danger round a hunter reaches, in cells.
const REACH: f32 = 20.0;
/// What it costs to pass a hunter itself, in cells of open ground.
const COST: f32 = 12.0;
/// The colour of the greatest danger has this opacity.
const OPACITY: f32 = 0.55;

/// Adds the layer. Returns what makes the surroundings of a hunter dangerous, and the kind of the agents that mind it.
pub(super) fn begin(layers: &mut HeatLayers) -> (InfluenceSource, KindId) {
    let color = |danger: f32| (danger > 0.0).then(|| theme::HUNTER.with_alpha(OPACITY * danger.min(1.0)));
    let (layer, wary) = layers.begin("danger", color);
    (InfluenceSource::new(layer, REACH), wary)
}

pub(super) fn apply_settings(settings: Res<HuntSettings>, mut layers: HeatLayers) {
    layers.set(if settings.danger { COST } else { 0.0 }, settings.danger);
}
