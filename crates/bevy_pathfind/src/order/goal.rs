//! Where a path shall lead.

use bevy::ecs::entity::MapEntities;
use bevy::ecs::template::FromTemplate;
use bevy::prelude::*;
use thiserror::Error;

/// Where a path shall lead. Points of the world are dropped onto the grid.
#[derive(FromTemplate, MapEntities, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Default, Debug, PartialEq)]
pub enum NavGoal {
    /// A point of the world.
    #[default]
    Point(Vec3),
    /// An entity, wherever it goes: the path is made again when it has moved by more than a quarter of the
    /// way to it, at least by a cell. To chase one by sight, use a `Pursuer`.
    Entity(#[entities] Entity),
    /// Whichever of several points is cheapest to reach.
    AnyOf(GoalPoints),
    /// Anywhere near a point: on the cheapest cell to reach whose centre is near enough to that of the
    /// point's cell.
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
    /// Whichever of these points is cheapest to reach.
    ///
    /// # Errors
    /// [`GoalError`] for no points or more than [`GoalPoints::MOST`].
    pub fn any_of(points: &[Vec3]) -> Result<Self, GoalError> {
        GoalPoints::new(points).map(Self::AnyOf)
    }

    /// Within so many world units of a point.
    #[must_use]
    pub const fn within(center: Vec3, radius: f32) -> Self {
        Self::Within { center, radius }
    }
}

/// A few points, one of which is the goal: from one to [`MOST`](Self::MOST), kept in place, so that an order
/// is copied and compared without taking memory.
#[derive(Reflect, Debug, Clone, Copy, Default)]
#[reflect(Default, Debug, PartialEq)]
pub struct GoalPoints {
    points: [Vec3; Self::MOST],
    /// The first is always there.
    others: u8,
}

impl GoalPoints {
    /// The most points that it holds.
    pub const MOST: usize = 8;

    /// Takes the points.
    ///
    /// # Errors
    /// [`GoalError`] for no points or more than [`MOST`](Self::MOST).
    pub fn new(points: &[Vec3]) -> Result<Self, GoalError> {
        let mut taken = Self::default();
        match points.len() {
            0 => return Err(GoalError::NoPoints),
            count @ 1..=Self::MOST => taken.others = count as u8 - 1,
            count => return Err(GoalError::TooManyPoints(count)),
        }
        taken.points[..points.len()].copy_from_slice(points);
        Ok(taken)
    }

    /// The points, in their order.
    #[must_use]
    pub fn points(&self) -> &[Vec3] {
        &self.points[..=usize::from(self.others).min(Self::MOST - 1)]
    }
}

impl PartialEq for GoalPoints {
    fn eq(&self, other: &Self) -> bool {
        self.points() == other.points()
    }
}

/// Why points make no goal.
#[derive(Error, Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoalError {
    /// There are none.
    #[error("a goal needs at least one point")]
    NoPoints,
    /// There are too many.
    #[error("{0} points are more than the {most} that a goal may have", most = GoalPoints::MOST)]
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
