//! How fast agents are on each class of terrain.

use bevy::prelude::*;
use pathfind_core::{KindId, Terrain};
use serde::{Deserialize, Serialize};

/// How much terrain slows agents, for all grids. Default: no class slows any agent.
///
/// The costs of a kind decide which way is planned; they slow no agent. This resource slows agents; it changes no
/// path. For paths that take the least time, let a class that slows to a half cost twice as much as ground.
///
/// An agent is slowed by the class under its centre. [`Agent::speed`](crate::agent::Agent::speed) stays its top speed;
/// the agent brakes for turns and ends, and pursuers aim, by the slowed speed.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::world::TerrainSpeed;
/// # use bevy_pathfind::prelude::*;
/// const MUD: Terrain = Terrain::weight(3);
///
/// fn setup(mut commands: Commands) {
///     commands.insert_resource(TerrainSpeed::default().with(MUD, 1.0 / 3.0));
/// }
/// ```
#[derive(Resource, Reflect, Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Resource, Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TerrainSpeed {
    /// The factors. Of several that apply to an agent, the last one counts. Default: none.
    pub factors: Vec<SpeedFactor>,
}

/// The factor on the top speed of agents on one class of terrain.
#[derive(Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SpeedFactor {
    /// The class of terrain. Default: ground.
    pub terrain: Terrain,
    /// The kind of agents; `None` for all kinds. Default: `None`.
    pub kind: Option<KindId>,
    /// The factor on [`Agent::speed`](crate::agent::Agent::speed). At 0 agents stand still. Range: 0 to 1; values
    /// beyond it count as the nearer end, NaN as 1. Default: `1.0`.
    #[reflect(@0.0..=1.0_f32)]
    pub factor: f32,
}

impl Default for SpeedFactor {
    fn default() -> Self {
        Self { terrain: Terrain::GROUND, kind: None, factor: 1.0 }
    }
}

impl TerrainSpeed {
    /// With this factor for all kinds on a class of terrain.
    #[must_use]
    pub fn with(mut self, terrain: Terrain, factor: f32) -> Self {
        self.factors.push(SpeedFactor { terrain, kind: None, factor });
        self
    }

    /// With this factor for one kind on a class of terrain.
    #[must_use]
    pub fn with_kind(mut self, kind: KindId, terrain: Terrain, factor: f32) -> Self {
        self.factors.push(SpeedFactor { terrain, kind: Some(kind), factor });
        self
    }

    /// The factor for a kind on a class of terrain, from 0 to 1.
    #[must_use]
    pub fn factor(&self, kind: KindId, terrain: Terrain) -> f32 {
        let applies = |it: &&SpeedFactor| it.terrain == terrain && it.kind.is_none_or(|only| only == kind);
        let factor = self.factors.iter().rfind(applies).map_or(1.0, |it| it.factor);
        if factor.is_nan() { 1.0 } else { factor.clamp(0.0, 1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_factor_that_applies_counts_and_none_is_out_of_range() {
        let (mud, boat) = (Terrain::weight(3), KindId(1));
        let speed =
            TerrainSpeed::default().with(mud, 0.5).with_kind(boat, mud, 0.25).with(Terrain::GROUND, 7.0);
        let on = |kind, terrain| speed.factor(kind, terrain);
        assert_eq!(on(KindId(0), mud), 0.5);
        assert_eq!(on(boat, mud), 0.25);
        assert_eq!(on(boat, Terrain::weight(4)), 1.0, "no factor is 1");
        assert_eq!(on(boat, Terrain::GROUND), 1.0, "no agent is faster than its top speed");
        for (factor, counts_as) in [(f32::NAN, 1.0), (-1.0, 0.0), (f32::INFINITY, 1.0)] {
            assert_eq!(TerrainSpeed::default().with(mud, factor).factor(boat, mud), counts_as);
        }
    }
}
