//! The goal of a path request.

use bevy::ecs::entity::MapEntities;
use bevy::ecs::template::FromTemplate;
use bevy::prelude::*;
use pathfind_core::{Goal, GridCell};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::PathError;
use crate::world::{GridRef, Positions};

/// The goal of a path request. Points of the world are projected onto the grid.
#[derive(FromTemplate, MapEntities, Reflect, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Default, Debug, PartialEq)]
#[non_exhaustive]
pub enum NavGoal {
    /// A point of the world.
    #[default]
    Point(Vec3),
    /// An entity that may move: a new path is requested when the entity has moved by more than a quarter of the
    /// distance to it, and by more than one cell. To chase a target in sight, use a `Pursuer`.
    Entity(#[entities] Entity),
    /// A slot at an entity with [`TargetSlots`](super::TargetSlots), which the agent claims from now on. While no slot is
    /// free it waits round the target, and its status is `AwaitingSlot`. In a question without an agent, and for one that
    /// is airborne, it is the entity.
    SlotOf(#[entities] Entity),
    /// The one of several points that is cheapest to reach. Agents that share such a goal spread over its points; see
    /// [`PathRequest::spread_at_goal`](super::PathRequest::spread_at_goal).
    AnyOf(GoalPoints),
    /// Anywhere near a point: the cell that is cheapest to reach among those whose centre is within `radius` of the
    /// centre of the point's cell.
    Within {
        /// The point to come near to.
        center: Vec3,
        /// Greatest distance, in world units. Range: 0 and up.
        radius: f32,
    },
}

impl Default for NavGoal {
    /// The origin of the world.
    fn default() -> Self {
        Self::Point(Vec3::ZERO)
    }
}

impl From<Vec3> for NavGoal {
    fn from(point: Vec3) -> Self {
        Self::Point(point)
    }
}

impl From<Entity> for NavGoal {
    fn from(entity: Entity) -> Self {
        Self::Entity(entity)
    }
}

impl NavGoal {
    /// The one of these points that is cheapest to reach.
    ///
    /// # Errors
    /// [`GoalError`] for no points.
    pub fn any_of(points: &[Vec3]) -> Result<Self, GoalError> {
        GoalPoints::new(points).map(Self::AnyOf)
    }

    /// Within `radius` world units of a point.
    #[must_use]
    pub const fn within(center: Vec3, radius: f32) -> Self {
        Self::Within { center, radius }
    }

    /// The points of the world that the goal consists of at present.
    ///
    /// # Errors
    /// `TargetGone` if the entity that is the goal is gone or has no `Transform`; `NotFinite` for a point that is not
    /// finite, and for a radius that is negative or not finite.
    pub(crate) fn points(&self, positions: &Positions) -> Result<Vec<Vec3>, PathError> {
        let points = match self {
            Self::Point(point) | Self::Within { center: point, .. } => vec![*point],
            Self::Entity(entity) | Self::SlotOf(entity) => {
                vec![positions.of(*entity).ok_or(PathError::TargetGone)?]
            }
            Self::AnyOf(any) => any.points().to_vec(),
        };
        let has_valid_radius =
            !matches!(self, Self::Within { radius, .. } if !(*radius >= 0.0 && radius.is_finite()));
        let is_valid = has_valid_radius && !points.is_empty() && points.iter().all(|point| point.is_finite());
        if is_valid { Ok(points) } else { Err(PathError::NotFinite) }
    }

    /// The goal as the core takes it, for the cells of a grid on which its points lie.
    pub(crate) fn on(&self, grid: &GridRef, cells: Vec<GridCell>) -> Goal {
        match (self, cells.as_slice()) {
            (&Self::Within { radius, .. }, &[center]) => {
                Goal::Within { center, radius: radius / grid.place.cell_size() }
            }
            (_, &[only]) => Goal::GridCell(only),
            _ => Goal::AnyOf(cells),
        }
    }

    /// The point of the goal that is nearest to a position.
    ///
    /// # Errors
    /// The errors of [`points`](Self::points).
    pub(crate) fn nearest_point(&self, at: Vec3, positions: &Positions) -> Result<Vec3, PathError> {
        let points = self.points(positions)?;
        let nearest =
            points.into_iter().min_by(|a, b| a.distance_squared(at).total_cmp(&b.distance_squared(at)));
        nearest.ok_or(PathError::NotFinite)
    }
}

/// Points one of which is the goal: at least one.
#[derive(Reflect, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Default, Debug, PartialEq)]
#[serde(try_from = "Vec<Vec3>", into = "Vec<Vec3>")]
pub struct GoalPoints {
    points: Vec<Vec3>,
}

impl Default for GoalPoints {
    /// The origin of the world.
    fn default() -> Self {
        Self { points: vec![Vec3::ZERO] }
    }
}

impl GoalPoints {
    /// A goal of these points.
    ///
    /// # Errors
    /// [`GoalError`] for no points.
    pub fn new(points: impl Into<Vec<Vec3>>) -> Result<Self, GoalError> {
        let points = points.into();
        if points.is_empty() { Err(GoalError::NoPoints) } else { Ok(Self { points }) }
    }

    /// The points, in the order given.
    #[must_use]
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }
}

impl TryFrom<Vec<Vec3>> for GoalPoints {
    type Error = GoalError;

    fn try_from(points: Vec<Vec3>) -> Result<Self, GoalError> {
        Self::new(points)
    }
}

impl From<GoalPoints> for Vec<Vec3> {
    fn from(goal: GoalPoints) -> Self {
        goal.points
    }
}

/// Why points make no goal.
#[derive(Error, Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum GoalError {
    /// There are no points.
    #[error("a goal needs at least one point")]
    NoPoints,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_has_at_least_one_point() {
        assert_eq!(NavGoal::any_of(&[]), Err(GoalError::NoPoints));
        let many = GoalPoints::new([Vec3::Y; 99]).unwrap();
        assert_eq!(many.points(), [Vec3::Y; 99], "all are kept");
    }
}
