//! The request for the best cells within reach, in terms of the world, and its answers.

use bevy::ecs::change_detection::Tick;
use bevy::ecs::entity::MapEntities;
use bevy::prelude::*;
use pathfind_core::GridCell;
use serde::{Deserialize, Serialize};

use super::cancel::CancelToken;
use super::{NavGoal, PathError};
use crate::world::{InfluenceId, KindId};

/// Asks for the best cells that an agent can reach: cover, a firing position, a free cell near others. (Game engines call
/// it an environment query or tactical position selection.) On an agent it is answered once, by [`CellsFound`] or
/// [`CellRequestFailed`]; insert it again to ask again, remove it or despawn the agent to cancel. Without an agent
/// [`NavQuery::best_cells`](crate::solve::NavQuery::best_cells) answers it at once.
///
/// Cells are looked for on the agent's own grid (a [joined grid](crate::world::JoinedGrid) is one), not over links. Points
/// on other floors count as if they lay on its own. A goal stands for the point or the entity that it names, of several
/// points for the first, and of a range for the centre.
///
/// Requests are searched in the queue of the searches for paths, in the same [mode](crate::solve::SolveMode) and with the
/// same budget: one of each kind in turn, those for cells in the order of the agents' ids. The positions of entities, and
/// which cells are free, are those of the tick in which a request is queued; at most 64 wait in the queue.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// # use bevy_pathfind::order::{CellRequest, CellsFound};
/// fn take_cover(mut commands: Commands, soldier: Entity, enemy: Entity) {
///     commands.entity(soldier).insert(CellRequest::cover_from(enemy, 12.0));
/// }
///
/// fn go_there(found: On<CellsFound>, mut commands: Commands) {
///     if let Some(best) = found.cells.first() {
///         commands.entity(found.entity).go_to(best.position);
///     }
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(default)]
#[require(Transform, CellTicket)]
pub struct CellRequest {
    /// The greatest cost of the path to a cell, which bounds the work: a length where ground costs 1. Unit: world units.
    /// Range: 0 and up. Default: `10.0`.
    pub within: f32,
    /// How many cells to find at most. Default: `1`.
    pub count: u32,
    /// The conditions that a cell has to meet, all of them. Default: none.
    #[entities]
    pub conditions: Vec<CellCondition>,
    /// The terms of a cell's score. The greatest score is the best, and of equal ones the cell that is cheapest to reach.
    /// Default: none, so that the nearest cells are the best.
    #[entities]
    pub scores: Vec<WeightedValue>,
    /// The kind of agent whose blocked cells block sight, for windows and low walls. Default: `None`, the agent's own kind.
    pub sight_kind: Option<KindId>,
}

/// A condition that a cell has to meet. Distances are those from its centre, in world units.
#[derive(MapEntities, Reflect, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Debug, PartialEq)]
#[non_exhaustive]
pub enum CellCondition {
    /// A line of sight leads from it to a point or an entity.
    Sees(#[entities] NavGoal),
    /// No line of sight leads from it to a point or an entity.
    HiddenFrom(#[entities] NavGoal),
    /// Its straight distance to a point or an entity is in a range.
    Distance {
        /// The point or the entity.
        #[entities]
        to: NavGoal,
        /// The least distance. Range: 0 and up.
        min: f32,
        /// The greatest distance. Range: `min` and up, infinity too.
        max: f32,
    },
    /// No other agent stands on it, is on its way to it, or holds it: as its cell beside a goal, its
    /// [slot](super::TargetSlots) or its [`Reservation`](super::Reservation). Asked without an agent, all agents are
    /// others.
    Free,
    /// The value of a layer of influence is less than a bound.
    InfluenceBelow {
        /// The layer; where it has no values they are 0.
        layer: InfluenceId,
        /// The bound. Range: not NaN.
        bound: f32,
    },
}

/// A number that makes a cell better or worse.
#[derive(MapEntities, Reflect, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Debug, PartialEq)]
#[non_exhaustive]
pub enum CellValue {
    /// The cost of the path to it: its length in world units, where ground costs 1.
    PathCost,
    /// Its straight distance to a point or an entity, in world units.
    Distance(#[entities] NavGoal),
    /// The value of a layer of influence.
    Influence(InfluenceId),
    /// How well it is covered from a point or an entity: 0 in its sight, else 1 divided by the distance to the first wall
    /// towards it in cells, and 1 where that is less than a cell.
    Cover(#[entities] NavGoal),
}

/// A value that counts with a weight.
#[derive(MapEntities, Reflect, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Debug, PartialEq)]
pub struct WeightedValue {
    /// The value.
    #[entities]
    pub value: CellValue,
    /// Its factor. Range: finite.
    pub weight: f32,
}

/// A cell that was found.
#[derive(Reflect, Debug, Clone, Copy, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Debug, PartialEq)]
#[non_exhaustive]
pub struct FoundCell {
    /// Its centre on the ground, in world space.
    pub position: Vec3,
    /// The grid that it lies on, as you spawned it, even if that is part of a joined grid.
    pub grid: Entity,
    /// The cell of that grid.
    pub cell: GridCell,
    /// The weighted sum of its values.
    pub score: f64,
    /// The cost of the path to it: its length in world units, where ground costs 1.
    pub cost: f32,
}

/// The cells that a [`CellRequest`] asked for have been found.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Event, Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CellsFound {
    /// The agent.
    pub entity: Entity,
    /// The cells, the best first; empty if none within reach meets the conditions.
    pub cells: Vec<FoundCell>,
}

/// A [`CellRequest`] cannot be answered. It is not tried again until it is changed or inserted again.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Event, Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CellRequestFailed {
    /// The agent.
    pub entity: Entity,
    /// The reason.
    pub error: PathError,
}

/// The state of a request for cells.
#[derive(Component, Default)]
pub(crate) struct CellTicket {
    /// The change tick of the request that was queued, or has failed, last.
    pub(crate) asked: Option<Tick>,
    /// The search for it; `None` once it is answered.
    pub(crate) search: Option<CancelToken>,
}

impl CellTicket {
    /// Whether a request that changed last at this tick has to be queued: it is new, or its answer was lost while the
    /// agent was disabled.
    pub(crate) fn is_open(&self, changed: Tick) -> bool {
        self.asked != Some(changed) || self.search.as_ref().is_some_and(|search| !search.may_be_answered())
    }
}

impl Default for CellRequest {
    fn default() -> Self {
        Self { within: 10.0, count: 1, conditions: Vec::new(), scores: Vec::new(), sight_kind: None }
    }
}

impl CellRequest {
    /// Asks for the nearest cell within a cost, in world units; conditions and scores are added.
    #[must_use]
    pub fn new(within: f32) -> Self {
        Self { within, ..Self::default() }
    }

    /// The cell with the best cover from a point or an entity. A wall right before the cell is worth a way of half the
    /// range: cover at hand is taken before better cover far away.
    #[must_use]
    pub fn cover_from(threat: impl Into<NavGoal>, within: f32) -> Self {
        let threat = threat.into();
        Self::new(within)
            .with_condition(CellCondition::HiddenFrom(threat.clone()))
            .with_score(CellValue::Cover(threat), 0.5 * within)
            .with_score(CellValue::PathCost, -1.0)
    }

    /// The nearest cell that sees a target within `range` world units of it.
    #[must_use]
    pub fn spot_to_shoot(target: impl Into<NavGoal>, range: f32, within: f32) -> Self {
        let to = target.into();
        Self::new(within)
            .with_condition(CellCondition::Sees(to.clone()))
            .with_condition(CellCondition::Distance { to, min: 0.0, max: range })
    }

    /// The nearest cells that no other agent stands on or goes to.
    #[must_use]
    pub fn free_spots(count: u32, within: f32) -> Self {
        Self::new(within).with_condition(CellCondition::Free).with_count(count)
    }

    /// With one more condition.
    #[must_use]
    pub fn with_condition(mut self, condition: CellCondition) -> Self {
        self.conditions.push(condition);
        self
    }

    /// With one more value in the score.
    #[must_use]
    pub fn with_score(mut self, value: CellValue, weight: f32) -> Self {
        self.scores.push(WeightedValue { value, weight });
        self
    }

    /// For another number of cells.
    #[must_use]
    pub const fn with_count(mut self, count: u32) -> Self {
        self.count = count;
        self
    }

    /// With sight that the blocked cells of another kind block.
    #[must_use]
    pub const fn with_sight_kind(mut self, kind: KindId) -> Self {
        self.sight_kind = Some(kind);
        self
    }
}
