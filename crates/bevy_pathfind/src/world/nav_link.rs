//! Links between grids, as entities.

use bevy::ecs::entity::MapEntities;
use bevy::prelude::*;
use pathfind_core::{CellRect, GridCell, graph::KindSet};
use serde::{Deserialize, Serialize};

/// A connection between two cells, of two grids or of one, besides the steps between neighbours: stairs, a ladder, a
/// door, a jump down a ledge, a teleporter. An entity of its own; despawn it, or [shut](Self::is_open) it, at any
/// time.
///
/// A search takes links wherever that costs less, over any number of grids. An agent that comes to the link gets the
/// event [`LinkReached`](crate::order::LinkReached), crosses it as [`crossing`](Self::crossing) says, gets
/// [`LinkCrossed`](crate::order::LinkCrossed), and goes on along its path. The goal of a request lies on the grid
/// that is nearest above or below it.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::world::{Grid, LinkEnd};
/// # use bevy_pathfind::prelude::*;
/// fn house(mut commands: Commands) {
///     let floor = |height| (NavGrid::new(Grid::new(20, 20).unwrap()), Transform::from_xyz(0.0, 0.0, height));
///     let (ground, upper) = (commands.spawn(floor(0.0)).id(), commands.spawn(floor(3.0)).id());
///     let ends = (LinkEnd::new(ground, GridCell::new(15, 4)), LinkEnd::new(upper, GridCell::new(19, 4)));
///     commands.spawn(NavLink::new(ends.0, ends.1).with_cost(5.0)); // stairs
///     commands.spawn((Agent::default(), PathRequest::to(Vec3::new(2.5, 2.5, 3.0)), Transform::from_xyz(0.5, 0.5, 0.0)));
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Debug, PartialEq, Serialize, Deserialize)]
pub struct NavLink {
    /// Where it begins.
    #[entities]
    pub from: LinkEnd,
    /// Where it leads to.
    #[entities]
    pub to: LinkEnd,
    /// Whether it can be taken backwards as well. Default: `true`.
    pub both_ways: bool,
    /// The cost of a crossing; a straight step on ground costs 1. With a cost that is negative or not finite no agent
    /// takes the link. Range: 0 and up. Default: `1.0`.
    pub cost: f32,
    /// The kinds of agents that may take it. Default: all.
    pub kinds: KindSet,
    /// Whether it can be taken now: shut it instead of despawning it where it will be opened again. Default: `true`.
    pub is_open: bool,
    /// How an agent moves from one end to the other. Default: `Walk`.
    pub crossing: LinkMotion,
}

/// An end of a [`NavLink`]: a cell of a grid, or several side by side.
#[derive(MapEntities, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkEnd {
    /// The entity with the [`NavGrid`](super::NavGrid).
    #[entities]
    pub grid: Entity,
    /// Its cells. Both ends need the same number; the first cell of one leads to the first of the other, and so on,
    /// row by row.
    pub cells: CellRect,
}

/// How an agent moves over a [`NavLink`].
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Default, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum LinkMotion {
    /// In a straight line at its top speed, through everything that lies between.
    #[default]
    Walk,
    /// Along an arc. The agent moves at its top speed as seen along the straight line, so it is faster on the arc
    /// itself.
    Jump {
        /// How high the arc rises above the straight line. Unit: world units.
        height: f32,
    },
    /// At once.
    Teleport,
    /// As your own system moves it (an animation, a lift): the agent waits at the link until you trigger
    /// [`LinkCrossed`](crate::order::LinkCrossed), and then stands at the other end.
    Custom,
}

impl LinkEnd {
    /// One cell.
    #[must_use]
    pub const fn new(grid: Entity, cell: GridCell) -> Self {
        Self::strip(grid, CellRect { min: cell, max: cell })
    }

    /// All cells of a rectangle, usually of one row or column.
    #[must_use]
    pub const fn strip(grid: Entity, cells: CellRect) -> Self {
        Self { grid, cells }
    }
}

impl<C: Into<GridCell>> From<(Entity, C)> for LinkEnd {
    fn from((grid, cell): (Entity, C)) -> Self {
        Self::new(grid, cell.into())
    }
}

impl NavLink {
    /// A link with the defaults: open, both ways, for all kinds. An end is a grid with a cell, or a [`LinkEnd`].
    #[must_use]
    pub fn new(from: impl Into<LinkEnd>, to: impl Into<LinkEnd>) -> Self {
        Self {
            from: from.into(),
            to: to.into(),
            both_ways: true,
            cost: 1.0,
            kinds: KindSet::ALL,
            is_open: true,
            crossing: LinkMotion::Walk,
        }
    }

    /// The same link with another cost of a crossing.
    #[must_use]
    pub const fn with_cost(self, cost: f32) -> Self {
        Self { cost, ..self }
    }

    /// The same link in both directions, or only from `from` to `to`.
    #[must_use]
    pub const fn with_both_ways(self, both_ways: bool) -> Self {
        Self { both_ways, ..self }
    }

    /// The same link, for these kinds of agents only.
    #[must_use]
    pub const fn with_kinds(self, kinds: KindSet) -> Self {
        Self { kinds, ..self }
    }

    /// The same link with another manner of crossing.
    #[must_use]
    pub const fn with_crossing(self, crossing: LinkMotion) -> Self {
        Self { crossing, ..self }
    }
}
