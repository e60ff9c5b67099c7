//! Danger round the hunters: an influence layer that scouts keep away from, drawn as a heat map.

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_pathfind::prelude::*;

use super::HuntSettings;
use crate::{
    brush::Paintable,
    grid_picture::Pictures,
    theme,
    tint::{self, Tint},
};

/// How far the danger round a hunter reaches, in cells.
const REACH: f32 = 20.0;
/// What it costs to pass a hunter itself, in cells of open ground.
const COST: f32 = 12.0;
/// The colour of the greatest danger has this opacity.
const OPACITY: f32 = 0.55;

/// The layer, and the kind of the agents that mind it.
#[derive(Resource, Default)]
pub(super) struct Danger {
    layer: InfluenceId,
    pub(super) wary: KindId,
}

/// Access to the layers of influence and the kinds of agents.
#[derive(SystemParam)]
pub(super) struct Layers<'w> {
    danger: ResMut<'w, Danger>,
    kinds: ResMut<'w, AgentKinds>,
    layers: ResMut<'w, InfluenceLayers>,
}

impl Layers<'_> {
    /// Adds the layer and the kind.
    pub(super) fn begin(&mut self, settings: &HuntSettings) -> &Danger {
        let wary = self.kinds.add(AgentKind::default()).expect("one kind is few");
        *self.danger = Danger { layer: self.layers.add("danger"), wary };
        self.set_cost(settings);
        &self.danger
    }

    fn set_cost(&mut self, settings: &HuntSettings) {
        let weight = if settings.danger { COST } else { 0.0 };
        let (layer, wary) = (self.danger.layer, self.danger.wary);
        self.layers.set_cost(layer, wary, InfluenceCost::weight(weight));
    }
}

impl Danger {
    /// What makes the surroundings of a hunter dangerous.
    pub(super) fn source(&self) -> InfluenceSource {
        InfluenceSource::new(self.layer, REACH)
    }
}

pub(super) fn apply_settings(
    settings: Res<HuntSettings>,
    mut layers: Layers,
    mut before: Local<Option<bool>>,
) {
    if before.replace(settings.danger).is_some_and(|before| before != settings.danger) {
        layers.set_cost(&settings);
    }
}

/// Takes the layers from the world, when the scene is left.
pub(super) fn forget_layers(mut layers: ResMut<InfluenceLayers>) {
    *layers = InfluenceLayers::default();
}

/// Paints the danger of the cells that can be walked on.
pub(super) fn paint(
    maps: Query<(Entity, &NavGrid, &Transform, Ref<GridInfluence>), With<Paintable>>,
    tints: Query<(&Tint, &ChildOf)>,
    (danger, settings): (Res<Danger>, Res<HuntSettings>),
    mut commands: Commands,
    mut pictures: Pictures,
) {
    for (map, nav, place, influence) in &maps {
        let Some((tint, _)) = tints.iter().find(|(_, of)| of.parent() == map) else {
            tint::spawn(&mut commands, &mut pictures, (map, nav, place), true);
            continue;
        };
        if !influence.is_changed() && !settings.is_changed() {
            continue;
        }
        tint::paint(tint, nav, &mut pictures.images, |cell| {
            let value = influence.value(danger.layer, cell).min(1.0);
            let is_shown = settings.danger && value > 0.0 && nav.is_walkable(danger.wary, cell);
            is_shown.then(|| theme::HUNTER.with_alpha(OPACITY * value))
        });
    }
}
