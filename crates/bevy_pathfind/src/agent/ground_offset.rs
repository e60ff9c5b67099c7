//! How high above the ground an agent's transform is.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// How far the origin of an agent's `Transform` is above the ground that it stands on, for models whose origin is not at
/// their feet. It has an effect only on grids with [elevation](pathfind_core::Grid::with_elevation): there the
/// [`MotionPlugin`](crate::motion::MotionPlugin) puts each agent on the ground in each tick. On flat grids agents keep the
/// height that the game gave them.
///
/// The floor of an agent is still the one nearest to its origin: where floors lie nearer to one another than twice the offset,
/// give agents an [`OnGrid`](crate::world::OnGrid).
///
/// Unit: world units. Default: `0.0`, as without the component.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// fn spawn(mut commands: Commands) {
///     let dunes = |cell: Cell| 0.5 * (cell.x as f32 * 0.3).sin();
///     let desert = Grid::new(64, 64).and_then(|grid| grid.with_elevation(dunes)).expect("heights are in range");
///     commands.spawn(NavGrid::new(desert).with_plane(Plane::Xz));
///     // A capsule, whose origin is its middle.
///     commands.spawn((Agent::with_speed(3.0), GroundOffset(0.9), Transform::from_xyz(8.5, 0.0, 8.5)));
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroundOffset(pub f32);
