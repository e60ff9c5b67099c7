//! A layer of influence that one kind of agents minds, drawn as a heat map over the map.

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_pathfind::prelude::*;

use crate::{
    grid_picture::{GridPicture, Pictures},
    theme,
    tint::{self, Tint},
};

/// The layer of the current scene, if it has one.
#[derive(Resource, Default)]
pub(crate) struct HeatMap {
    layer: InfluenceId,
    /// The kind of the agents that mind it.
    pub(crate) kind: KindId,
    /// The colour of a value; `None` where nothing is drawn.
    color: Option<fn(f32) -> Option<Color>>,
    /// Whether it is drawn.
    is_shown: bool,
}

/// Access to the layers of influence and the kinds of agents, for a scene with a heat map.
#[derive(SystemParam)]
pub(crate) struct HeatLayers<'w> {
    map: ResMut<'w, HeatMap>,
    kinds: ResMut<'w, AgentKinds>,
    layers: ResMut<'w, InfluenceLayers>,
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<HeatMap>().add_systems(Update, paint);
}

impl HeatLayers<'_> {
    /// Adds a layer, and a kind of agents that will mind it; returns both.
    pub(crate) fn begin(
        &mut self,
        name: &'static str,
        color: fn(f32) -> Option<Color>,
    ) -> (InfluenceId, KindId) {
        let kind = self.kinds.add(AgentKind::default()).expect("one kind is few");
        let layer = self.layers.add(name);
        *self.map = HeatMap { layer, kind, color: Some(color), is_shown: true };
        (layer, kind)
    }

    /// Sets the cost for the kind of passing a value of 1, in cells of open ground, and whether the map is drawn.
    pub(crate) fn set(&mut self, weight: f32, is_shown: bool) {
        let (layer, kind) = (self.map.layer, self.map.kind);
        let cost = InfluenceCost::weight(weight);
        if self.layers.cost(layer, kind) != cost {
            self.layers.set_cost(layer, kind, cost);
        }
        if self.map.is_shown != is_shown {
            self.map.is_shown = is_shown;
        }
    }
}

/// The delay that has the strongest colour: three times the time that an unhindered walker needs.
const SLOW: f32 = 2.0;

/// The colour of a delay: a value of the layer of crowding.
pub(crate) fn of_delay(delay: f32) -> Option<Color> {
    let slow = (delay / SLOW).min(1.0);
    (slow > 0.02).then(|| theme::OPENED.mix(&theme::HUNTER, slow).with_alpha(0.6 * slow.sqrt()))
}

/// Takes the layers from the world, when a scene is left.
pub(crate) fn forget_layers(mut layers: ResMut<InfluenceLayers>, mut map: ResMut<HeatMap>) {
    *layers = InfluenceLayers::default();
    *map = HeatMap::default();
}

/// Paints the values of the cells that can be walked on.
fn paint(
    maps: Query<(Entity, &NavGrid, &Transform, Ref<GridInfluence>), With<GridPicture>>,
    tints: Query<(&Tint, &ChildOf)>,
    heat: Res<HeatMap>,
    mut commands: Commands,
    mut pictures: Pictures,
) {
    let Some(color) = heat.color else { return };
    for (map, nav, place, influence) in &maps {
        let Some((tint, _)) = tints.iter().find(|(_, of)| of.parent() == map) else {
            tint::spawn(&mut commands, &mut pictures, (map, nav, place), true);
            continue;
        };
        if influence.is_changed() || heat.is_changed() {
            tint::paint(tint, nav, &mut pictures.images, |cell| {
                let is_shown = heat.is_shown && nav.is_walkable(heat.kind, cell);
                color(influence.value(heat.layer, cell)).filter(|_| is_shown)
            });
        }
    }
}
