//! The components of grids that touch and are joined to one. They are joined in [`seams`](super::seams).

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::NavGrid;
use crate::bevy_version::OnInsert;

/// Marks the grid that the plugin makes of grids that touch edge to edge: its [`NavGrid`](super::NavGrid) holds the
/// cells of all of them.
///
/// Grids are joined by themselves where their cells continue one another: they lie on one plane, have cells of one
/// size and the same kinds of agents, and are turned by quarter turns only (or mirrored). Then paths, flow fields,
/// avoidance and crowds cross the seam as if there were none, with the diagonal steps and corner rules of the inside.
/// Spawn, move, edit and despawn the grids as before: the joined grid follows in the same tick, and is despawned with
/// the last of them. Cells between them are [`Terrain::VOID`](pathfind_core::Terrain::VOID).
///
/// - Edit the grids, not the joined grid, which only copies them. To ask for what is on the ground across seams, or
///   under carved `Obstacle`s, read the joined grid: obstacles cover cells of it alone.
/// - [`NavPath::grid`](crate::order::NavPath::grid) and the flow fields name the joined grid; an
///   [`OnGrid`](super::OnGrid) that names one of the grids means the joined grid. [`NavLink`](super::NavLink)s name
///   the grids.
/// - Leave it and [`PartOfGrid`] out of saved scenes: they are made again.
/// - It may have [`Grid::MAX_SIDE`](pathfind_core::Grid::MAX_SIDE) columns and rows; a grid that lies farther off is
///   not joined, and named in the log. Its memory is that of one grid round all of them; its parts are made
///   [compact](pathfind_core::Grid::compact) when they are joined, until they are searched or tested for walkability.
/// - Grids that overlap are not joined (they are floors), and neither are grids with a [`Standalone`]. Grids that
///   touch, but do not continue one another, are named once in the log, unless a [`NavLink`](super::NavLink) joins
///   them.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct JoinedGrid;

/// On a grid that touches others: the entity with the [`JoinedGrid`] that holds its cells as well. Written by the
/// plugin.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Debug, PartialEq)]
// In a sparse set: with a table, a grid that is joined would move to another table, at the cost of a copy and of the
// space that it leaves behind.
#[component(clone_behavior = Ignore, storage = "SparseSet")]
pub struct PartOfGrid(#[entities] pub(crate) Entity);

impl PartOfGrid {
    /// The entity with the [`JoinedGrid`].
    #[must_use]
    pub const fn joined(self) -> Entity {
        self.0
    }
}

/// Makes a grid compact when it becomes a part: from then on agents use the joined grid. A search or a test of
/// walkability on the part itself expands it again.
pub(super) fn compact_part(on: OnInsert<PartOfGrid>, mut grids: Query<&mut NavGrid>) {
    if let Ok(mut nav) = grids.get_mut(on.entity) {
        // Its cells stay as they are.
        nav.bypass_change_detection().compact();
    }
}

/// On a grid that is not to be joined with those that it touches. Insert or remove it at any time.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standalone;
