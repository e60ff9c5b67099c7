//! The crossing of a link by an agent: a component, and an event at each end. Moving the agent is in `motion`.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::OnwardLeg;
use crate::world::LinkMotion;

/// The agent has come to a [`NavLink`](crate::world::NavLink) on its route, and begins to cross it. It has no
/// [`NavPath`](super::NavPath) until [`LinkCrossed`].
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct LinkReached {
    /// The agent.
    pub entity: Entity,
    /// The link.
    pub link: Entity,
    /// Where the crossing ends, in the world.
    pub to: Vec3,
}

/// The agent is at the other end of a link, and goes on. For links with [`LinkMotion::Custom`] your own system triggers
/// it.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct LinkCrossed {
    /// The agent.
    pub entity: Entity,
    /// The link.
    pub link: Entity,
}

/// The crossing of a link by an agent. The component is on the agent between [`LinkReached`] and [`LinkCrossed`];
/// meanwhile nothing else moves the agent, nor do walls and other agents stop it. Remove it to stop the crossing: the
/// agent is then put on the ground below or above it, and requests a path from there.
///
/// Save it with the agent, and the crossing goes on in the loaded game; without it the agent would hang in the air.
#[derive(Component, Reflect, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Debug, PartialEq, Serialize, Deserialize)]
pub struct OnLink {
    #[entities]
    pub(crate) link: Entity,
    pub(crate) crossing: LinkMotion,
    /// Where the crossing began and where it ends, in the world.
    pub(crate) from: Vec3,
    pub(crate) to: Vec3,
    /// The far end in the space of its grid, the map id of that grid, and the height of the agent above its ground,
    /// in cells.
    pub(crate) point: Vec2,
    #[reflect(ignore)]
    #[serde(skip)]
    pub(crate) map_id: u64,
    pub(crate) height: f32,
    /// The direction away from the ground at the far end.
    pub(crate) up: Vec3,
    /// The fraction of the crossing that lies behind the agent, from 0 to 1.
    pub(crate) share: f32,
    /// The path on the grid that the link leads to, and the links and paths after it; empty if the map there has
    /// changed.
    #[reflect(ignore)]
    #[serde(skip)]
    pub(crate) onward: Vec<OnwardLeg>,
    /// The grid that the link leads to, as the game has spawned it.
    #[entities]
    pub(crate) grid: Entity,
}

impl OnLink {
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

    /// The fraction of the crossing that lies behind the agent, from 0 to 1; 0 for [`LinkMotion::Custom`].
    #[must_use]
    pub const fn share(&self) -> f32 {
        self.share
    }

    /// Where the agent is, in the world.
    pub(crate) fn place(&self) -> Vec3 {
        let rise = match self.crossing {
            LinkMotion::Jump { height } if height.is_finite() => {
                4.0 * height * self.share * (1.0 - self.share)
            }
            _ => 0.0,
        };
        self.from.lerp(self.to, self.share) + self.up * rise
    }
}
