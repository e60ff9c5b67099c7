//! Errors of path requests.

use bevy::prelude::*;
use pathfind_core::SearchError;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::agent::AgentError;
use crate::world::GridLookupError;

/// Why a request failed.
#[derive(Error, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum PathError {
    /// There is no enabled `NavGrid`, or the entity in `OnGrid` has none.
    #[error("there is no NavGrid for it")]
    NoGrid,
    /// There are several grids, and the agent stands on none of them.
    #[error("it stands on none of the grids; move it onto one, or say which with OnGrid")]
    OffGrid,
    /// The grid cannot be placed in the world: its scale or cell size is zero, NaN or infinite.
    #[error("the grid's Transform or cell size has a scale of zero, or is not a number")]
    BadGrid,
    /// The grid was removed before the agent had arrived. If a grid is only disabled, the request waits.
    #[error("its grid was removed")]
    GridRemoved,
    /// The agent's position, the goal or a setting is not a finite number.
    #[error("its position, its goal or its speed is not a finite number")]
    NotFinite,
    /// The agent's speed is negative, or its acceleration is zero or negative. A speed of 0 is no error: the request
    /// waits.
    #[error("its speed is below zero, or its acceleration is not above zero")]
    #[serde(alias = "ZeroSpeed")]
    BadSpeed,
    /// The entity that is the goal is gone or disabled, or has no `Transform`.
    #[error("the entity that it wants to reach is gone, or has no Transform")]
    TargetGone,
    /// The [`FlowField`](super::FlowField) that the agent follows is gone.
    #[error("the field that it follows is gone")]
    FieldGone,
    /// The agent stands outside its grid.
    #[error("it stands outside its grid, at cell {0}")]
    StartOutside(IVec2),
    /// The agent stands on a blocked cell.
    #[error("it stands on a blocked cell, {0}")]
    StartBlocked(IVec2),
    /// The goal lies outside the grid. The agent goes there when the grid has grown so far, or is joined with one that
    /// holds the goal.
    #[error("its goal lies outside the grid, at cell {0}")]
    GoalOutside(IVec2),
    /// The goal is blocked, and no partial path was allowed.
    #[error("its goal is a blocked cell, {0}")]
    GoalBlocked(IVec2),
    /// No path leads to the goal, and no partial path was allowed.
    #[error("no path leads to its goal")]
    Unreachable,
    /// Steps lead to the goal, but the vehicle cannot drive there.
    #[error("its Vehicle cannot drive to its goal")]
    NotDrivable,
    /// The length, the width or the turning circle of the vehicle is not above 0, or is too great.
    #[error("its Vehicle has a length, a width or a turning circle that is out of range")]
    BadVehicle,
    /// A limit of the search was reached, and no partial path was allowed.
    #[error("the search reached its limit")]
    LimitReached,
    /// No answer came before the request's deadline.
    #[error("no answer came before its deadline")]
    DeadlineExceeded,
    /// The grid does not have the agent's kind.
    #[error("its grid knows no agents of kind {0}; add them with AgentKinds::add")]
    UnknownKind(u8),
    /// The weight of weighted A* is not between 1 and 100.
    #[error("the weight in its SearchOptions is not between 1 and 100")]
    BadWeight,
    /// A number of the group's `Formation` is not finite, or its spacing is not above 0.
    #[error("its Formation has a number that is out of range")]
    BadFormation,
    /// A number of the target's [`TargetSlots`](super::TargetSlots) is not finite, or out of its range.
    #[error("the TargetSlots of its target have a number that is out of range")]
    BadSlots,
    /// The entity of a [`SlotOf`](super::NavGoal::SlotOf) has no [`TargetSlots`](super::TargetSlots), or all its slots and
    /// the ground round it are blocked. An agent waits for a slot that is taken.
    #[error("there is no slot for it: its target has no TargetSlots, or stands among walls")]
    NoSlot,
    /// The search rejected the query for another reason.
    #[error("the search refused the question")]
    InvalidQuery,
}

impl From<SearchError> for PathError {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::StartOutside(cell) => Self::StartOutside(cell.into()),
            SearchError::StartBlocked(cell) => Self::StartBlocked(cell.into()),
            SearchError::GoalOutside(cell) => Self::GoalOutside(cell.into()),
            SearchError::GoalBlocked(cell) => Self::GoalBlocked(cell.into()),
            SearchError::Unreachable => Self::Unreachable,
            SearchError::NotDrivable => Self::NotDrivable,
            SearchError::BadBody => Self::BadVehicle,
            SearchError::LimitReached => Self::LimitReached,
            SearchError::UnknownKind(kind) => Self::UnknownKind(kind.0),
            SearchError::BadWeight => Self::BadWeight,
            _ => Self::InvalidQuery,
        }
    }
}

impl From<GridLookupError> for PathError {
    fn from(error: GridLookupError) -> Self {
        match error {
            GridLookupError::NoGrid => Self::NoGrid,
            GridLookupError::OffGrid => Self::OffGrid,
            GridLookupError::BadGrid => Self::BadGrid,
            GridLookupError::NotFinite => Self::NotFinite,
        }
    }
}

impl From<AgentError> for PathError {
    fn from(error: AgentError) -> Self {
        match error {
            AgentError::NotFinite => Self::NotFinite,
            AgentError::BadSpeed => Self::BadSpeed,
        }
    }
}

impl PathError {
    /// Whether the fault lies with the agent or the grid under it: then no other goal has a path either.
    pub(crate) const fn is_of_agent(self) -> bool {
        use PathError::{
            BadGrid, BadSpeed, BadVehicle, GridRemoved, NoGrid, OffGrid, StartBlocked, StartOutside,
            UnknownKind,
        };
        matches!(
            self,
            NoGrid
                | OffGrid
                | BadGrid
                | GridRemoved
                | BadSpeed
                | BadVehicle
                | StartOutside(_)
                | StartBlocked(_)
                | UnknownKind(_)
        )
    }
}
