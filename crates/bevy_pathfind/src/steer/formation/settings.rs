//! The settings of a formation.

use bevy::prelude::*;
use pathfind_core::steer::formation::FormationShape;
use serde::{Deserialize, Serialize};

use super::state::March;
use crate::order::{PathBody, PathStatus};

/// A group of agents that goes in formation, on an entity that represents the group. Its members are agents with
/// [`FormationOf`](super::FormationOf); each stands at a place of its own.
///
/// [`go_to`](crate::AgentCommands::go_to) on this entity, or a [`PathRequest`](crate::order::PathRequest), moves them
/// all. The events and the [`PathStatus`] of the order are those of the group:
/// [`AgentArrived`](crate::order::AgentArrived) comes once all members stand at their places, or will not get there.
/// The search is for the kind and the radius of the widest member. A member with an order of its own (a request, queue,
/// pursuit, field, behaviour or flight) follows that, and has no place meanwhile; `go_to` on the group takes it back.
/// When members are lost, the others close the ranks.
///
/// The plugin puts the `Transform` of the group at its centre: members must not be children of the entity, nor may it
/// be an agent.
///
/// Where the ground is too narrow for the formation, the members pass it as a column of what fits, or in file, and form
/// again behind it.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// fn muster(mut commands: Commands) {
///     let legion = commands.spawn(Formation::wedge()).id();
///     for i in 0..40 {
///         let at = Transform::from_xyz(i as f32, 0.5, 0.0);
///         commands.spawn((Agent::new(4.0), Avoider::default(), FormationOf::new(legion), at));
///     }
///     commands.entity(legion).go_to(Vec3::new(80.5, 20.5, 0.0));
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[require(Transform, PathStatus, PathBody, March)]
pub struct Formation {
    /// The shape. Default: a line.
    pub shape: FormationShape,
    /// How many stand side by side in a line, column, box or loose formation. Range: 1 and up; 0 counts as 1. Default:
    /// `None`, as many as suits the shape.
    pub abreast: Option<u32>,
    /// How far apart neighbours stand. Unit: [body units](crate::agent::Agent::body_unit) of the widest member. Range:
    /// above 0; below 0.8 the bodies have no room. Default: `1.25`.
    #[reflect(@0.8..=4.0_f32)]
    pub spacing: f32,
    /// Where the front points at the goal, as a direction in the world. Default: `None`, the way that the group came.
    pub facing: Option<Vec3>,
    /// Whether the group goes as fast as its slowest member, and waits for members that lag behind as long as they come
    /// nearer. If not, each goes to its place at the goal as fast as it can. Default: `true`.
    pub keeps_together: bool,
}

impl Default for Formation {
    fn default() -> Self {
        Self {
            shape: FormationShape::default(),
            abreast: None,
            spacing: 1.25,
            facing: None,
            keeps_together: true,
        }
    }
}

impl Formation {
    /// A formation of a shape.
    #[must_use]
    pub fn new(shape: FormationShape) -> Self {
        Self { shape, ..Self::default() }
    }

    /// Few rows, four times as wide as deep.
    #[must_use]
    pub fn line() -> Self {
        Self::new(FormationShape::Line)
    }

    /// Few files, four times as deep as wide.
    #[must_use]
    pub fn column() -> Self {
        Self::new(FormationShape::Column)
    }

    /// A filled triangle with its tip in front.
    #[must_use]
    pub fn wedge() -> Self {
        Self::new(FormationShape::Wedge)
    }

    /// A filled square.
    #[must_use]
    pub fn square() -> Self {
        Self::new(FormationShape::Box)
    }

    /// A circle.
    #[must_use]
    pub fn ring() -> Self {
        Self::new(FormationShape::Ring)
    }

    /// A square with wide, uneven gaps.
    #[must_use]
    pub fn loose() -> Self {
        Self::new(FormationShape::Loose)
    }

    /// A place at each of these points: x to the right, y forward, in units of the spacing.
    #[must_use]
    pub fn offsets(points: impl IntoIterator<Item = Vec2>) -> Self {
        Self::new(FormationShape::Offsets(points.into_iter().collect()))
    }

    /// The same formation with so many side by side.
    #[must_use]
    pub const fn with_abreast(mut self, abreast: u32) -> Self {
        self.abreast = Some(abreast);
        self
    }

    /// The same formation with its front towards a direction at the goal.
    #[must_use]
    pub const fn with_facing(mut self, facing: Vec3) -> Self {
        self.facing = Some(facing);
        self
    }

    /// Whether all numbers are in their ranges.
    pub(super) fn is_valid(&self) -> bool {
        let points: &[Vec2] = if let FormationShape::Offsets(points) = &self.shape { points } else { &[] };
        let are_finite = points.iter().all(|point| point.is_finite());
        are_finite
            && self.spacing.is_finite()
            && self.spacing > 0.0
            && self.facing.is_none_or(Vec3::is_finite)
    }

    /// The places of some members, in units of the spacing.
    pub(super) fn places(&self, count: usize) -> Vec<Vec2> {
        self.shape.places(count, self.abreast.map(|abreast| abreast as usize))
    }
}
