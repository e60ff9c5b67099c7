//! The height of an agent's origin above its feet, and above the ground where it comes back to it.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// How far the origin of an agent's `Transform` is above its feet, for models whose origin is not there. Of several
/// grids over one another an agent is on the one that is nearest to its feet. On grids with
/// [elevation](pathfind_core::Grid::with_elevation) the [`MotionPlugin`](crate::motion::MotionPlugin) puts the feet
/// of each agent on the ground in each tick; on flat grids agents keep the height that the game gave them.
///
/// Unit: world units. Range: finite; NaN counts as 0. Default: `0.0`, as without the component.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::world::Grid;
/// # use bevy_pathfind::prelude::*;
/// fn spawn(mut commands: Commands) {
///     let dunes = |cell: GridCell| 0.5 * (cell.x as f32 * 0.3).sin();
///     let desert = Grid::new(64, 64).and_then(|grid| grid.with_elevation(dunes)).expect("heights are in range");
///     commands.spawn(NavGrid::new(desert).with_plane(GridPlane::Xz));
///     // A capsule, whose origin is its middle.
///     commands.spawn((Agent::new(3.0), GroundOffset(0.9), Transform::from_xyz(8.5, 0.0, 8.5)));
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroundOffset(pub f32);

/// On an agent that has left the ground: it flies, or its crossing of a link was stopped on the way. When it walks again
/// it is put on the ground, and loses this component.
#[derive(Component, Debug, Clone, Copy, PartialEq)]
pub(crate) struct OffGround {
    /// Its height above the ground before it left it, in cells; `None` for an agent that has not walked yet, which will
    /// stand at its [`GroundOffset`].
    pub(crate) height: Option<f32>,
}
