//! Flow fields: one search that leads any number of agents to the same goals.

use std::sync::Arc;

use bevy::ecs::template::FromTemplate;
use bevy::prelude::*;
use bevy::tasks::Task;
use pathfind_core::{DistanceField, GridCell, KindId, SearchError, SearchScratch, StepRules};
use serde::{Deserialize, Serialize};

use super::{NavGoal, PathError, SearchOptions};
use crate::agent::Agent;

/// A flow field: for every cell of a grid, the cheapest path to one of its goals. Any number of agents can
/// [follow](FollowField) it, at the cost of one search for all.
///
/// Spawn it as an entity of its own. The field is made in the background (within the tick in the other modes of
/// [`SolveMode`](crate::solve::SolveMode)), made again when goals move to other cells, and
/// [repaired](DistanceField::repair) when the grid is edited; until then agents follow the old values. The values are
/// in [`FlowFieldValues`].
///
/// If there are several grids, the field lies on the one that its [`OnGrid`](crate::world::OnGrid) names, or on the
/// one at its first goal. It is for one kind of agent: spawn a field for each kind that follows.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// fn spawn(mut commands: Commands) {
///     let to_base = commands.spawn(FlowField::to(Vec3::new(60.5, 20.5, 0.0))).id();
///     for i in 0..1_000 {
///         let at = Transform::from_xyz(0.5, 0.5 + (i % 40) as f32, 0.0);
///         commands.spawn((Agent::new(3.0), FollowField(to_base), Avoider::default(), at));
///     }
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(default)]
#[require(FlowFieldValues)]
pub struct FlowField {
    /// Where the field leads to: agents go to the goal that is cheapest to reach. At least one; without any, the
    /// [error](FlowFieldValues::error) is [`PathError::InvalidQuery`].
    #[entities]
    pub goals: Vec<NavGoal>,
    /// The kind of the agents that follow. Default: the default kind, which every grid has.
    pub kind: KindId,
    /// Directions, corner rule and cost of diagonals; other options have no effect. Default: `None`, for the options
    /// of the resource the resource [`SearchOptions`](super::SearchOptions).
    pub options: Option<SearchOptions>,
}

impl FlowField {
    /// A field that leads to one goal.
    #[must_use]
    pub fn to(goal: impl Into<NavGoal>) -> Self {
        Self { goals: vec![goal.into()], ..Self::default() }
    }

    /// The field for a kind of agent.
    #[must_use]
    pub fn with_kind(self, kind: KindId) -> Self {
        Self { kind, ..self }
    }
}

/// The values of a [`FlowField`], as last made or repaired. A required component of [`FlowField`].
///
/// Memory: 5 bytes a cell of the grid (9 where costs do not fit 32 bits), and as much again once the field has been
/// repaired.
#[derive(Component, Debug, Default)]
pub struct FlowFieldValues {
    made: Option<Made>,
    /// The field before a repair. The next repair begins with it: to repair it anew takes less time than to copy the
    /// present field, which agents follow meanwhile.
    spare: Option<Made>,
    /// The source of the last attempt to make the field, and the error if it failed. A failed attempt is not repeated
    /// until the source changes.
    tried: Option<(FieldSource, Option<PathError>)>,
    /// Why the field cannot be made at present; `None` if the last attempt is up to date and succeeded.
    pub(crate) error: Option<PathError>,
    /// Grows by 1 with each new field that is not a repair of the one before: grid, kind, steps or goals differ.
    version: u64,
    pub(crate) under_way: Option<UnderWay>,
}

/// A finished field and its source.
#[derive(Debug)]
struct Made {
    source: FieldSource,
    /// Shared with a task that repairs a copy of it.
    field: Arc<DistanceField>,
}

impl Made {
    /// Whether the field differs from one of this source by edits of the grid alone.
    fn is_repairable(&self, source: &FieldSource) -> bool {
        let made = &self.source;
        (made.grid, made.map_id, made.kind, made.steps, &made.goals)
            == (source.grid, source.map_id, source.kind, source.steps, &source.goals)
    }
}

/// The task that makes a field, and the field's source. The task also returns the scratch memory that it was given.
#[derive(Debug)]
pub(crate) struct UnderWay {
    pub(crate) source: FieldSource,
    pub(crate) task: Task<(Result<DistanceField, SearchError>, SearchScratch)>,
}

/// The source of a field: grid, kind of agent, steps and goals. Fields of equal sources are equal.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FieldSource {
    pub(crate) grid: Entity,
    /// A grid that replaces another has another map id.
    pub(crate) map_id: u64,
    pub(crate) revision: u64,
    pub(crate) kind: KindId,
    pub(crate) steps: StepRules,
    pub(crate) goals: Vec<GridCell>,
}

impl FlowFieldValues {
    /// The distance field; `None` until it has been made. Cells are those of the grid
    /// ([`GridTransform::cell_at`](crate::world::GridTransform::cell_at)).
    #[must_use]
    pub fn field(&self) -> Option<&DistanceField> {
        self.made.as_ref().map(|made| &*made.field)
    }

    /// The cost of the cheapest path from a cell to a goal, 1 for a straight step where terrain costs 1. `None` if no
    /// path leads to a goal, if the cell lies outside the grid, and until the field has been made. A look-up, without
    /// a search.
    #[must_use]
    pub fn distance(&self, cell: GridCell) -> Option<f32> {
        self.field()?.distance(cell)
    }

    /// The cell of its goals that is nearest to a point of grid space; `None` until the field has been made.
    pub(crate) fn nearest_goal(&self, at: Vec2) -> Option<GridCell> {
        let goals = &self.made.as_ref()?.source.goals;
        let squared = |cell: &GridCell| cell.center().distance_squared(at);
        goals.iter().copied().min_by(|a, b| squared(a).total_cmp(&squared(b)))
    }

    /// The grid that the field lies on; `None` until it has been made.
    #[must_use]
    pub fn grid(&self) -> Option<Entity> {
        self.made.as_ref().map(|made| made.source.grid)
    }

    /// Whether the field was made for the grid with this map id, so that its cells are those of that grid.
    pub(crate) fn is_of(&self, map_id: u64) -> bool {
        self.made.as_ref().is_some_and(|made| made.source.map_id == map_id)
    }

    /// Why the field cannot be made at present, for example because the entity of a goal is gone or all goals are
    /// blocked. Agents then follow the values that it had before.
    #[must_use]
    pub fn error(&self) -> Option<PathError> {
        self.error
    }

    /// A number that changes when the field is made for another grid, kind, steps or goals, and stays when only the
    /// grid was edited.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// The steps that the field was made for.
    pub(crate) fn steps(&self) -> StepRules {
        self.made.as_ref().map_or(StepRules::default(), |made| made.source.steps)
    }

    /// The outcome of the last attempt if it had this source: `Some(Some(error))`, or `Some(None)` if it succeeded.
    /// `None` if it had another source, so that a new attempt is needed.
    pub(crate) fn outcome(&self, source: &FieldSource) -> Option<Option<PathError>> {
        self.tried.as_ref().filter(|tried| tried.0 == *source).map(|tried| tried.1)
    }

    /// Takes the spare field, or shares the present one, if it differs from a field of this source by edits of the
    /// grid alone. The edits are what `edits_since` returns for its revision.
    pub(crate) fn take_repairable<E>(
        &mut self,
        source: &FieldSource,
        edits_since: impl Fn(u64) -> Option<E>,
    ) -> Option<(Arc<DistanceField>, E)> {
        let spare = self.spare.take();
        let mut candidates = spare.iter().chain(&self.made).filter(|made| made.is_repairable(source));
        let found = |made: &Made| Some((made.field.clone(), edits_since(made.source.revision)?));
        candidates.find_map(found)
    }

    /// Sets the result of an attempt: a new field, or an error, which leaves the old field in place.
    pub(crate) fn set(&mut self, source: FieldSource, made: Result<DistanceField, SearchError>) {
        self.error = made.as_ref().err().map(|&error| error.into());
        self.tried = Some((source.clone(), self.error));
        if let Ok(field) = made {
            self.spare = self.made.take().filter(|made| made.is_repairable(&source));
            self.version += u64::from(self.spare.is_none());
            self.made = Some(Made { source, field: Arc::new(field) });
        }
    }
}

/// An agent that follows a [`FlowField`]: it goes to the goal that is cheapest to reach, and stops there.
///
/// The agent heads for the farthest of the next few cells of its path that it sees. It has no
/// [`NavPath`](super::NavPath) and no slot at the goal; walls, avoidance and flocks work as for other agents. One with
/// an [`Avoider`](crate::steer::Avoider) that others keep from the goal, because they stand there, rests beside them. A
/// [`PathRequest`](super::PathRequest) on the same agent takes precedence. At the goal, or at rest beside it, it gets
/// [`AgentArrived`](super::AgentArrived); if the field is gone, or no path leads from its cell to a goal, it stops and
/// gets [`PathFailed`](super::PathFailed), and goes on when there is a way again. Its
/// [`PathStatus`](super::PathStatus) says which.
#[derive(Component, FromTemplate, Reflect, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Debug, PartialEq)]
#[require(Agent)]
pub struct FollowField(#[entities] pub Entity);
