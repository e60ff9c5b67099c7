//! Influence: what a game knows of its ground besides terrain, such as danger, noise, scent or crowding, as layers of
//! values over the cells of a grid; and what the layers cost each kind of agent.
//!
//! The values of a grid are in its [`GridInfluence`]. [`apply`] stamps the sources, lets the layers fade and spread, and
//! turns their values into extra costs of cells.

mod apply;

use bevy::prelude::*;
use pathfind_core::{Falloff, GridCell, InfluenceLayer, InfluenceStamp, KindId};
use serde::{Deserialize, Serialize};

use super::NavGrid;

use crate::attributes::MeasuredIn;

pub(super) use apply::apply;

/// The number of a layer of [`InfluenceLayers`]. The default is the first layer.
#[derive(
    Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[type_path = "bevy_pathfind"]
#[reflect(Default, Debug, PartialEq, Hash, Serialize, Deserialize)]
pub struct InfluenceId(pub u16);

/// The layers of influence of the world, such as danger or noise: how each fades and spreads, and what it costs each
/// kind of agent.
///
/// Every grid has its own values of each layer, in its [`GridInfluence`]; a layer without values costs no time and no
/// memory. A kind ignores a layer until it is told what the layer costs it. The values become costs of cells every
/// [`apply_every`](Self::apply_every) seconds: paths that are found then mind them, and agents on their way look again
/// for a cheaper path every [`reconsider_every`](crate::solve::SolveSettings::reconsider_every) seconds. No agent plans
/// again at once.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// fn set_up(mut layers: ResMut<InfluenceLayers>, mut kinds: ResMut<AgentKinds>, mut commands: Commands) -> Result {
///     let smoke = layers.add("smoke");
///     layers.settings_mut(smoke).half_life = Some(5.0);
///     let deer = kinds.add(AgentKind::default())?;
///     layers.set_cost(smoke, deer, InfluenceCost::weight(3.0));
///     commands.spawn((InfluenceSource::new(smoke, 6.0), Transform::from_xyz(20.5, 8.5, 0.0)));
///     Ok(())
/// }
/// ```
#[derive(Resource, Reflect, Debug, Clone, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct InfluenceLayers {
    /// The layers, in the order of their numbers.
    layers: Vec<InfluenceSettings>,
    /// What layers cost, sorted by kind and layer.
    costs: Vec<LayerCost>,
    /// How often the values become costs of cells. Unit: seconds. Range: 0, for every tick, and up. Default: `0.25`.
    #[reflect(@0.0..=2.0_f32, @MeasuredIn("seconds"))]
    pub apply_every: f32,
}

/// What one layer costs one kind of agent.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Default, Debug, PartialEq)]
struct LayerCost {
    /// The kind of agent.
    kind: KindId,
    layer: InfluenceId,
    cost: InfluenceCost,
}

impl Default for InfluenceLayers {
    fn default() -> Self {
        Self { layers: Vec::new(), costs: Vec::new(), apply_every: 0.25 }
    }
}

/// How what is painted on a layer changes by itself. The stamps of [`InfluenceSource`]s neither fade nor spread.
#[derive(Reflect, Debug, Clone, Default, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Default, Debug, PartialEq)]
pub struct InfluenceSettings {
    /// The name of the layer.
    pub name: String,
    /// The time in which what is painted fades to a half. Unit: seconds. Range: above 0; other numbers count as `None`.
    /// Default: `None`, it stays.
    #[reflect(@0.1..=60.0_f32, @MeasuredIn("seconds"))]
    pub half_life: Option<f32>,
    /// Which part of its value a cell gives to each of the four cells beside it in a second; walls of the default kind
    /// of agent keep it. Range: 0 to 0.25 each time that the layers are applied. Default: `0.0`.
    #[reflect(@0.0..=1.0_f32)]
    pub spread: f32,
}

/// What a layer costs a kind of agent: `weight` times the value of a cell, at most `cap`, in addition to the terrain.
#[derive(Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Default, Debug, PartialEq, Serialize, Deserialize)]
pub struct InfluenceCost {
    /// The cost for a value of 1; 1 is what open ground costs. A negative weight attracts, down to a quarter of the
    /// terrain's cost. Default: `1.0`.
    #[reflect(@-1.0..=10.0_f32)]
    pub weight: f32,
    /// The greatest cost, whatever the value. Range: 0 and up. Default: `100.0`.
    #[reflect(@0.0..=500.0_f32)]
    pub cap: f32,
}

impl Default for InfluenceCost {
    fn default() -> Self {
        Self { weight: 1.0, cap: 100.0 }
    }
}

impl InfluenceCost {
    /// The cost with this weight and the default cap.
    #[must_use]
    pub fn weight(weight: f32) -> Self {
        Self { weight, ..Self::default() }
    }

    /// What a value costs; 0 if it is NaN.
    fn of(self, value: f32) -> f32 {
        let (cost, cap) = (self.weight * value, if self.cap >= 0.0 { self.cap } else { 0.0 });
        if cost.is_nan() { 0.0 } else { cost.clamp(-cap, cap) }
    }
}

impl InfluenceLayers {
    /// The name of the layer that the plugin writes by itself, if you [add](Self::add) it: how much the agents on their
    /// way are slowed down in a cell, averaged over two seconds. 0 where all move at their top speed; 1 where a length
    /// takes them twice the time, at most 9. With a [cost](Self::set_cost) of weight 1, paths take the least time as the
    /// traffic is now: agents spread over several doors, and take a detour that is quicker than the queue.
    pub const CROWDING: &str = "crowding";

    /// Adds a layer, or finds the one of this name.
    pub fn add(&mut self, name: impl Into<String>) -> InfluenceId {
        let name = name.into();
        self.id(&name).unwrap_or_else(|| {
            self.layers.push(InfluenceSettings { name, ..InfluenceSettings::default() });
            InfluenceId(u16::try_from(self.layers.len() - 1).expect("fewer than 65,536 layers"))
        })
    }

    /// The layer of a name.
    #[must_use]
    pub fn id(&self, name: &str) -> Option<InfluenceId> {
        let index = self.layers.iter().position(|layer| layer.name == name)?;
        Some(InfluenceId(index as u16))
    }

    /// How a layer changes by itself; `None` if there is no such layer.
    #[must_use]
    pub fn settings(&self, layer: InfluenceId) -> Option<&InfluenceSettings> {
        self.layers.get(usize::from(layer.0))
    }

    /// The same, to change it.
    ///
    /// # Panics
    /// If there is no such layer: numbers of layers come from [`add`](Self::add).
    pub fn settings_mut(&mut self, layer: InfluenceId) -> &mut InfluenceSettings {
        self.layers.get_mut(usize::from(layer.0)).expect("InfluenceLayers has no such layer: add it first")
    }

    /// Says what a layer costs a kind of agent. A weight of 0 is for a kind that ignores it, as all do at first.
    pub fn set_cost(&mut self, layer: InfluenceId, kind: KindId, cost: InfluenceCost) {
        self.costs.retain(|it| (it.kind, it.layer) != (kind, layer));
        if cost.weight != 0.0 {
            self.costs.push(LayerCost { kind, layer, cost });
            self.costs.sort_by_key(|it| (it.kind.0, it.layer));
        }
    }

    /// What a layer costs a kind of agent; a weight of 0 if the kind ignores it.
    #[must_use]
    pub fn cost(&self, layer: InfluenceId, kind: KindId) -> InfluenceCost {
        let found = self.costs.iter().find(|it| (it.kind, it.layer) == (kind, layer));
        found.map_or_else(|| InfluenceCost::weight(0.0), |it| it.cost)
    }

    /// All layers, in the order in which they were added.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (InfluenceId, &InfluenceSettings)> {
        (0..self.layers.len()).map(|index| (InfluenceId(index as u16), &self.layers[index]))
    }
}

/// The values of all layers of influence on a grid. A required component of [`NavGrid`].
///
/// Of a [joined grid](super::JoinedGrid) the joined grid's entity has the values, not its parts.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// # use pathfind_core::Falloff;
/// # #[derive(Resource)] struct Blood(InfluenceId);
/// fn bleed(blood: Res<Blood>, mut grids: Query<(&NavGrid, &mut GridInfluence)>) {
///     for (grid, mut influence) in &mut grids {
///         let layer = influence.layer_mut(blood.0, grid);
///         layer.paint(CellRect::new((3, 3).into(), (4, 5).into()), |_, before| before + 1.0);
///     }
/// }
/// ```
#[derive(Component, Debug, Clone, Default)]
pub struct GridInfluence {
    layers: Vec<Option<InfluenceLayer>>,
    /// The map that the layers belong to, and the revision at which its kinds of agents last changed.
    map: (u64, u64),
    /// What the layers cost, as it was last applied.
    costs: Vec<LayerCost>,
}

impl GridInfluence {
    /// A layer's values; `None` where nothing was ever painted or stamped.
    #[must_use]
    pub fn layer(&self, layer: InfluenceId) -> Option<&InfluenceLayer> {
        self.layers.get(usize::from(layer.0))?.as_ref()
    }

    /// A layer's values, to paint on. What was painted is read from the next time on that the layers are applied.
    pub fn layer_mut(&mut self, layer: InfluenceId, grid: &NavGrid) -> &mut InfluenceLayer {
        let (index, size) = (usize::from(layer.0), grid.size());
        if self.layers.len() <= index {
            self.layers.resize(index + 1, None);
        }
        let layer = &mut self.layers[index];
        if layer.as_ref().is_none_or(|layer| layer.size() != size) {
            *layer = None;
        }
        layer.get_or_insert_with(|| InfluenceLayer::new(size.x, size.y).expect("a grid has a legal size"))
    }

    /// All layers that have values.
    pub fn layers(&self) -> impl Iterator<Item = (InfluenceId, &InfluenceLayer)> {
        (0..).zip(&self.layers).filter_map(|(index, layer)| Some((InfluenceId(index), layer.as_ref()?)))
    }

    /// The value of a layer at a cell; 0 where there is none.
    #[must_use]
    pub fn value(&self, layer: InfluenceId, cell: impl Into<GridCell>) -> f32 {
        self.layer(layer).map_or(0.0, |layer| layer.value(cell.into()))
    }
}

/// A source of influence, at the entity's position: it moves with the entity, and ends with it.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[require(Transform)]
pub struct InfluenceSource {
    /// The layer that it writes to. Default: the first.
    pub layer: InfluenceId,
    /// How far it reaches. Unit: world units. Range: 0 and up, at most [`InfluenceStamp::MAX_RADIUS`] cells; a source
    /// that is larger, or whose numbers are not finite, has no influence, which is logged once. Default: `5.0`.
    #[reflect(@0.0..=50.0_f32, @MeasuredIn("world units"))]
    pub radius: f32,
    /// The value at the entity. Range: finite. Default: `1.0`.
    #[reflect(@-10.0..=10.0_f32)]
    pub strength: f32,
    /// How the value falls off with the distance. Default: [`Falloff::Linear`].
    pub falloff: Falloff,
}

impl Default for InfluenceSource {
    fn default() -> Self {
        Self { layer: InfluenceId::default(), radius: 5.0, strength: 1.0, falloff: Falloff::Linear }
    }
}

impl InfluenceSource {
    /// A source on a layer with this radius, in world units.
    #[must_use]
    pub fn new(layer: InfluenceId, radius: f32) -> Self {
        Self { layer, radius, ..Self::default() }
    }

    /// The same source with another strength.
    #[must_use]
    pub const fn with_strength(mut self, strength: f32) -> Self {
        self.strength = strength;
        self
    }

    /// The same source with another falloff.
    #[must_use]
    pub const fn with_falloff(mut self, falloff: Falloff) -> Self {
        self.falloff = falloff;
        self
    }

    /// The stamp of the source, if it stands at `center` on a grid with cells of this side.
    fn stamp(&self, center: Vec2, cell_size: f32) -> InfluenceStamp {
        let Self { radius, strength, falloff, .. } = *self;
        InfluenceStamp { center, radius: radius / cell_size, strength, falloff }
    }
}
