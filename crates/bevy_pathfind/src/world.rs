//! World: grids and obstacles as entities, placed by their transforms.
//!
//! A [`NavGrid`] holds cells; its `Transform` says where they lie. [`GridPlane`] says how the grid lies in the frame of
//! its entity, so that all other stages are the same for 2D and 3D. Each grid keeps a bounded journal of its edits,
//! from which `solve` finds the paths that they touch. A carved [`Obstacle`] changes the terrain of the cells it covers.
//! An [`InfluenceSource`] makes cells dearer to those kinds that mind it. A [`NavLink`] joins cells of two grids; grids that touch edge to edge become one [`JoinedGrid`]. This module knows
//! neither agents nor searches.

mod agent_kinds;
mod bake;
mod carving;
mod cell_frame;
#[cfg(feature = "avian2d")]
mod collider_cells;
mod covered_cells;
mod edits;
mod edits_since;
#[cfg(feature = "assets")]
pub mod files;
mod first_hit;
mod floors;
mod grid_transform;
mod grids;
mod ground_offset;
mod influence;
mod joined_grid;
mod link_graph;
mod low_flying;
mod nav_grid;
mod nav_link;
mod obstacle;
mod outline;
mod plane;
mod positions;
mod saved;
mod seams;
mod terrain_speed;

use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::prelude::*;

pub use agent_kinds::AgentKinds;
pub use bake::{
    BakeError, BakeFailed, BakeMesh, BakeSource, BakeTerrain, BakedGround, GridBaked, NavGridBake,
};
#[cfg(feature = "avian2d")]
pub use collider_cells::{CarvedCollider, CarvedLayers};
pub(crate) use edits_since::EditsSince;
pub use first_hit::GridHit;
pub(crate) use first_hit::first_hit;
pub(crate) use floors::{Floor, Floors};
pub use grid_transform::GridTransform;
pub use grids::{Airborne, OnGrid, OnGridTemplate};
pub(crate) use grids::{DisabledGrids, FoundGrid, GridList, GridLookupError, GridRef, Grids, Tie, TieOf};
pub use ground_offset::GroundOffset;
pub(crate) use ground_offset::OffGround;
pub use influence::{
    GridInfluence, InfluenceCost, InfluenceId, InfluenceLayers, InfluenceSettings, InfluenceSource,
};
pub use joined_grid::{JoinedGrid, PartOfGrid, Standalone};
#[cfg(feature = "panel")]
pub(crate) use link_graph::obstruction;
pub(crate) use link_graph::{GridBits, LinkChanges, LinkGraph, WorldGraph, release as release_graph};
pub use low_flying::LowFlying;
pub use nav_grid::NavGrid;
pub use nav_link::{LinkEnd, LinkMotion, NavLink};
pub use obstacle::{Obstacle, ObstacleShape};
pub(crate) use obstacle::{ObstacleMap, OwnObstacles};
pub(crate) use outline::Outline;
pub use pathfind_core::graph::KindSet;
pub use pathfind_core::{
    AgentKind, AgentSize, CellRect, CostTable, Direction, EdgeRule, Falloff, Grid, GridCell, GridEdit,
    GridError, InfluenceLayer, InfluenceStamp, KindId, Terrain,
};
pub use plane::GridPlane;
pub(crate) use positions::Positions;
pub use terrain_speed::{SpeedFactor, TerrainSpeed};

use crate::stage::{NavStage, NavSystems, add_stage, in_a_schedule};

/// Adds grids and obstacles: see [`NavSystems::World`].
#[derive(Debug, Clone, Copy)]
pub struct WorldPlugin {
    schedule: InternedScheduleLabel,
}

in_a_schedule!(WorldPlugin);

impl Plugin for WorldPlugin {
    fn build(&self, app: &mut App) {
        add_stage(app, self.schedule, NavSystems::World);
        #[cfg(feature = "assets")]
        files::plug_in(app);
        bake::plug_in(app);
        #[cfg(feature = "avian2d")]
        collider_cells::plug_in(app);
        app.register_type::<NavGrid>()
            .register_type::<GridPlane>()
            .register_type::<GridTransform>()
            .register_type::<OnGrid>()
            .register_type::<JoinedGrid>()
            .register_type::<PartOfGrid>()
            .register_type::<Standalone>()
            .register_type::<Airborne>()
            .register_type::<LowFlying>()
            .register_type::<NavLink>()
            .register_type::<Obstacle>()
            .register_type::<TerrainSpeed>()
            .register_type::<InfluenceSource>()
            .register_type::<InfluenceLayers>()
            .init_resource::<InfluenceLayers>()
            .init_resource::<AgentKinds>()
            .init_resource::<TerrainSpeed>()
            .init_resource::<ObstacleMap>()
            .init_resource::<LinkGraph>()
            .init_resource::<seams::Seams>()
            .init_resource::<grids::WorldRuns>()
            .add_observer(joined_grid::compact_part)
            .add_systems(
                NavStage(NavSystems::World),
                (
                    grids::count_run,
                    bake::systems(),
                    agent_kinds::give_kinds,
                    grid_transform::place_grids,
                    seams::join,
                    carving::stamp,
                    influence::apply,
                    link_graph::update,
                    obstacle::survey,
                )
                    .chain(),
            );
    }
}
