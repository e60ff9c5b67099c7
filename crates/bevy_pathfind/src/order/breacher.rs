//! Agents that plan their way through what they can break.

use bevy::prelude::*;
use pathfind_core::KindId;
use serde::{Deserialize, Serialize};

/// An agent that breaks through walls, gates or rocks where that is quicker than the way round: its paths are searched
/// for another kind of agent, for which what it can break is passable, at the price of breaking it.
///
/// The cost of a class of terrain for that kind is how long it takes to break one cell, in the time that the agent needs
/// for one cell of open ground: hit points, divided by what the agent breaks in a second, times its speed in cells.
///
/// The path ends before the first cell that the agent itself may not enter. There it gets
/// [`PathBlocked`](super::PathBlocked), which names the cell to break, and
/// [`PathEndedShort`](super::PathEndedShort) for the reason [`Breach`](super::PartialReason::Breach). The game breaks the
/// cell, by an edit of the grid; then the agent goes on. It plans again after every edit: if a gate opens elsewhere, and
/// the way through it costs less, it goes there. Agents that break through at one place spread over the cells before it.
///
/// Both kinds should have the same size. Behind a link the path is cut once the agent is there. Insert it before the
/// request, or with it.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// const GATE: Terrain = Terrain(20);
///
/// fn raid(mut kinds: ResMut<AgentKinds>, mut commands: Commands) -> Result {
///     let walker = kinds.add(AgentKind::default().with_blocked(GATE))?;
///     // 300 hit points, 20 a second, and 4 cells a second on foot: 60 cells' worth.
///     let raider = kinds.add(AgentKind::default().with_cost(GATE, 60.0)?)?;
///     let raiders = (Agent::new(4.0).with_kind(walker), Breacher { kind: raider });
///     commands.spawn((raiders, Transform::from_xyz(0.5, 0.5, 0.0))).go_to(Vec3::new(30.5, 8.5, 0.0));
///     Ok(())
/// }
///
/// fn break_in(blocked: On<PathBlocked>, mut grids: Query<&mut NavGrid>) -> Result {
///     // The game takes its time first: here the gate falls at once.
///     grids.get_mut(blocked.grid)?.set(blocked.cell, Terrain::GROUND)?;
///     Ok(())
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Debug, PartialEq, Serialize, Deserialize)]
pub struct Breacher {
    /// The kind for which its paths are searched.
    pub kind: KindId,
}
