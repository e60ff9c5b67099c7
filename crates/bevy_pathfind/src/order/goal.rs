//! The goal of a path request.

use bevy::ecs::entity::MapEntities;
use bevy::ecs::template::FromTemplate;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The goal of a path request. Points of the world are projected onto the grid.
#[derive(FromTemplate, MapEntities, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
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
    /// The one of several points that is cheapest to reach.
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
    /// [`GoalError`] for no points or more than [`GoalPoints::MAX_POINTS`].
    pub fn any_of(points: &[Vec3]) -> Result<Self, GoalError> {
        GoalPoints::new(points).map(Self::AnyOf)
    }

    /// Within `radius` world units of a point.
    #[must_use]
    pub const fn within(center: Vec3, radius: f32) -> Self {
        Self::Within { center, radius }
    }
}

/// From one to [`MAX_POINTS`](Self::MAX_POINTS) points, one of which is the goal. They are stored inline, so that a
/// request is copied and compared without allocating.
#[derive(Reflect, Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Default, Debug, PartialEq)]
#[serde(try_from = "Vec<Vec3>", into = "Vec<Vec3>")]
pub struct GoalPoints {
    points: [Vec3; Self::MAX_POINTS],
    /// The number of points beside the first, which always exists.
    others: u8,
}

impl GoalPoints {
    /// The greatest number of points.
    pub const MAX_POINTS: usize = 8;

    /// A goal of these points.
    ///
    /// # Errors
    /// [`GoalError`] for no points or more than [`MAX_POINTS`](Self::MAX_POINTS).
    pub fn new(points: &[Vec3]) -> Result<Self, GoalError> {
        let mut goal = Self::default();
        match points.len() {
            0 => return Err(GoalError::NoPoints),
            count @ 1..=Self::MAX_POINTS => goal.others = count as u8 - 1,
            count => return Err(GoalError::TooManyPoints(count)),
        }
        goal.points[..points.len()].copy_from_slice(points);
        Ok(goal)
    }

    /// The points, in the order given.
    #[must_use]
    pub fn points(&self) -> &[Vec3] {
        &self.points[..=usize::from(self.others).min(Self::MAX_POINTS - 1)]
    }
}

impl TryFrom<Vec<Vec3>> for GoalPoints {
    type Error = GoalError;

    fn try_from(points: Vec<Vec3>) -> Result<Self, GoalError> {
        Self::new(&points)
    }
}

impl From<GoalPoints> for Vec<Vec3> {
    fn from(goal: GoalPoints) -> Self {
        goal.points().to_vec()
    }
}

impl PartialEq for GoalPoints {
    fn eq(&self, other: &Self) -> bool {
        self.points() == other.points()
    }
}

/// Why points make no goal.
#[derive(Error, Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum GoalError {
    /// There are no points.
    #[error("a goal needs at least one point")]
    NoPoints,
    /// There are more than [`GoalPoints::MAX_POINTS`].
    #[error("{0} points are more than the {most} that a goal may have", most = GoalPoints::MAX_POINTS)]
    TooManyPoints(usize),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_has_from_one_to_eight_points() {
        assert_eq!(NavGoal::any_of(&[]), Err(GoalError::NoPoints));
        assert_eq!(NavGoal::any_of(&[Vec3::X; 9]), Err(GoalError::TooManyPoints(9)));
        let eight = GoalPoints::new(&[Vec3::Y; 8]).unwrap();
        assert_eq!(eight.points(), [Vec3::Y; 8], "all eight are kept");
        let two = GoalPoints::new(&[Vec3::X, Vec3::Y]).unwrap();
        assert_eq!(two.points(), [Vec3::X, Vec3::Y], "and no more than were given");
    }
}
