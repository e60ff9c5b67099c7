//! An agent's way over a link, as a component, and the events at both ends of it.

use bevy::prelude::*;

use super::OnwardLeg;
use crate::world::Crossing;

/// The agent has come to a [`NavLink`](crate::world::NavLink) on its way, and begins to cross it. It has no
/// [`NavPath`](super::NavPath) until it hears [`LinkCrossed`].
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct LinkReached {
    /// The agent.
    pub entity: Entity,
    /// The link.
    pub link: Entity,
    /// Where the crossing ends, in the world.
    pub to: Vec3,
}

/// The agent is at the other end of a link, and goes on. For links with
/// [`Crossing::Custom`] your own system triggers it.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct LinkCrossed {
    /// The agent.
    pub entity: Entity,
    /// The link.
    pub link: Entity,
}

/// An agent's way over a link. It is on the agent between [`LinkReached`] and [`LinkCrossed`]; meanwhile the agent is
/// moved by nothing else, walls and other agents included. Remove it to stop the crossing: the agent then asks for a
/// path from where it is.
#[derive(Component, Reflect, Debug, Clone, PartialEq)]
#[reflect(Component, Debug, PartialEq)]
pub struct CrossingLink {
    /// The link.
    #[entities]
    pub(crate) link: Entity,
    pub(crate) crossing: Crossing,
    pub(crate) from: Vec3,
    pub(crate) to: Vec3,
    /// The far end on its grid, whose lineage this is, and the height of the agent above it, in cells.
    pub(crate) point: Vec2,
    pub(crate) lineage: u64,
    pub(crate) height: f32,
    /// Away from the ground at the far end.
    pub(crate) up: Vec3,
    /// How much of the way lies behind, from 0 to 1.
    pub(crate) share: f32,
    /// The links and paths behind this link, the first being on the grid that it leads to; none if the map has changed
    /// there.
    #[reflect(ignore)]
    pub(crate) onward: Vec<OnwardLeg>,
    /// The grid that the link leads to.
    #[entities]
    pub(crate) grid: Entity,
}

impl CrossingLink {
    /// The link.
    #[must_use]
    pub const fn link(&self) -> Entity {
        self.link
    }

    /// Where the crossing began and where it ends, in the world.
    #[must_use]
    pub const fn ends(&self) -> [Vec3; 2] {
        [self.from, self.to]
    }

    /// How much of the way lies behind the agent, from 0 to 1; 0 for [`Crossing::Custom`].
    #[must_use]
    pub const fn share(&self) -> f32 {
        self.share
    }

    /// Where the agent is, in the world.
    pub(crate) fn place(&self) -> Vec3 {
        let rise = match self.crossing {
            Crossing::Jump { height } if height.is_finite() => 4.0 * height * self.share * (1.0 - self.share),
            _ => 0.0,
        };
        self.from.lerp(self.to, self.share) + self.up * rise
    }
}
