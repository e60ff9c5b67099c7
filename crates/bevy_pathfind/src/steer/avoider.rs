//! Turns aside from walls ahead.

use bevy::ecs::query::QueryData;
use bevy::prelude::*;
use pathfind_core::cast_ray;
use serde::{Deserialize, Serialize};

use crate::motion::{AdjustedVelocity, Agent, DesiredVelocity};
use crate::world::{Grids, OnGrid, Positions};

/// Looks along a ray and turns aside from the wall that it hits: what the agent wants plus the wall's
/// normal, the more the nearer the wall, at the speed that it wants.
///
/// The rule is the classic one of a single ray, without a width and without memory; it sees the walls of the
/// agent's grid. Motion keeps the agent out of walls in any case.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
#[require(Agent)]
pub struct Avoider {
    /// How far ahead it looks, in world units. Range: 0 and up. Default: `2.0`.
    #[reflect(@0.0..=20.0_f32)]
    pub range: f32,
    /// How hard it turns aside: the weight of the normal of a wall that it touches. Range: 0 and up.
    /// Default: `2.0`.
    #[reflect(@0.0..=10.0_f32)]
    pub force: f32,
}

impl Default for Avoider {
    fn default() -> Self {
        Self { range: 2.0, force: 2.0 }
    }
}

/// What avoiding needs of an agent.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct Avoiding {
    entity: Entity,
    avoider: &'static Avoider,
    agent: &'static Agent,
    on_grid: Option<&'static OnGrid>,
    desired: &'static DesiredVelocity,
    adjusted: &'static mut AdjustedVelocity,
}

/// Adjusts the velocities of avoiders.
pub(super) fn avoid(mut avoiders: Query<Avoiding>, grids: Grids, positions: Positions) {
    for mut it in &mut avoiders {
        let DesiredVelocity(desired) = *it.desired;
        let (Some(ahead), Some(at)) = (desired.try_normalize(), positions.of(it.entity)) else { continue };
        let Ok(grid) = grids.of(it.on_grid, at) else { continue };
        let (from, to) = (grid.place.to_grid(at), grid.place.to_grid(at + ahead * it.avoider.range));
        let Some(hit) = cast_ray(grid.nav.grid(), it.agent.kind, from, to) else { continue };
        let normal = grid.place.to_world(hit.normal, 0.0) - grid.place.to_world(Vec2::ZERO, 0.0);
        let aside = normal.normalize_or_zero() * it.avoider.force.max(0.0) * (1.0 - hit.fraction);
        let Some(way) = (ahead + aside).try_normalize() else { continue };
        it.adjusted.set_if_neq(AdjustedVelocity(way * desired.length()));
    }
}
