//! Agents that fly over the ground of their grid.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// An agent that flies low over the ground of its grid, at its [`GroundOffset`](super::GroundOffset): a drone indoors, a
/// bat in a cave. Walls hold it, ceilings and floors too.
///
/// It walks as other agents do, by the costs of its kind: give it a kind that may cross what is lower than it flies
/// (low walls, water, tables that are [carved](super::Obstacle::carved) as a terrain of their own) and that climbs any
/// cliff ([`with_climb`](super::AgentKind::with_climb)`(f32::INFINITY)`). It changes floors by links. Over ground that
/// rises or falls it keeps its height, up and down no faster than [`Agent::speed`](crate::agent::Agent::speed).
///
/// It touches and avoids only agents that fly as high as it does (nearer than both radii): it flies over those on the
/// ground, and waits for no one in a corridor. Obstacles that are not carved are in its way, however low, unless its
/// [`Avoider::mask`](crate::steer::Avoider::mask) leaves out their [layers](super::Obstacle::layers).
///
/// Through walls and ceilings flies [`Airborne`](super::Airborne), which an agent has instead.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// const TABLE: Terrain = Terrain(20);
///
/// fn spawn(mut kinds: ResMut<AgentKinds>, mut commands: Commands) -> Result {
///     // The default kind has no cost for a table: to walkers it is a wall.
///     let drone = kinds.add(AgentKind::default().with_cost(TABLE, 1.0)?.with_climb(f32::INFINITY))?;
///     commands.spawn((Agent::new(4.0).with_kind(drone), LowFlying, GroundOffset(1.5), Avoider::default()));
///     Ok(())
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
pub struct LowFlying;
