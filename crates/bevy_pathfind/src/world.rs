//! World: grids as entities, placed by their transforms.
//!
//! A [`NavGrid`] holds cells; its `Transform` says where they lie. [`Plane`] says how the flat grid lies
//! in that frame, so that 2D and 3D games share every line of the other stages. Edits are kept in a short
//! journal, from which `solve` learns whose path they touch. A [`GridObstacle`] covers cells while it stands
//! on them. This stage knows no agent and no search.

mod edits;
#[cfg(feature = "assets")]
pub mod files;
mod floors;
mod grids;
mod nav_grid;
mod grid_obstacle;
mod edits_since;
mod obstacle;
mod outline;
mod grid_transform;
mod plane;
mod position_query;
mod saved;
mod covered_cells;
mod tiles;

use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::prelude::*;

pub(crate) use floors::{Floor, Floors};
pub use grids::{Airborne, OnGrid, OnGridTemplate};
pub(crate) use grids::{DisabledGrids, GridRef, Grids, GridList, SeenRevisions, Tie};
pub use nav_grid::NavGrid;
pub use grid_obstacle::{GridObstacle, ReflectedTerrain};
pub(crate) use edits_since::EditsSince;
pub(crate) use obstacle::ObstacleMap;
pub use obstacle::{Obstacle, ObstacleShape};
pub(crate) use outline::Outline;
pub use grid_transform::GridTransform;
pub use plane::Plane;
pub(crate) use position_query::{Positions, PositionQuery};
pub use tiles::Tiles;

use crate::plugins::{NavSystems, Stage, add_stage};

/// Places grids in the world; see [`NavSystems::World`].
#[derive(Debug, Clone, Copy)]
pub struct WorldPlugin {
    pub(crate) schedule: InternedScheduleLabel,
}

impl Plugin for WorldPlugin {
    fn build(&self, app: &mut App) {
        add_stage(app, self.schedule, NavSystems::World);
        #[cfg(feature = "assets")]
        files::plug_in(app);
        app.register_type::<NavGrid>()
            .register_type::<Plane>()
            .register_type::<GridTransform>()
            .register_type::<OnGrid>()
            .register_type::<Airborne>()
            .register_type::<GridObstacle>()
            .register_type::<Obstacle>()
            .register_type::<ObstacleShape>()
            .init_resource::<ObstacleMap>()
            .add_systems(
                Stage(NavSystems::World),
                (grid_transform::place_grids, grid_obstacle::stamp, obstacle::survey).chain(),
            );
    }
}
