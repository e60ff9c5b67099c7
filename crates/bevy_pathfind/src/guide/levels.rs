//! # From your level to agents
//!
//! A [`NavGridBake`] is a box. The ground of what stands in it becomes grids, in the background: one [`NavGrid`] with
//! heights for each floor, and [`NavLink`]s where ground goes on from floor to floor. When something of the level
//! moves, appears or goes, its cells are baked again, and only agents whose path that touches plan anew.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! # use bevy_pathfind::world::{BakeMesh, BakeSource};
//! fn level(mut commands: Commands) {
//!     // A box of 40 by 8 by 40 units. Agents are 1.8 high, take steps of 0.4, and jump down 2 units.
//!     let bake = NavGridBake::new(Vec3::new(20.0, 4.0, 20.0)).with_max_drop(2.0);
//!     commands.spawn((bake, Transform::from_xyz(0.0, 3.0, 0.0)));
//!     // With the feature `meshes` each `Mesh3d` at or below this entity is geometry: spawn a scene of glTF here.
//!     commands.spawn((BakeTerrain::default(), Transform::default()));
//!     // Any triangles are a source, in the frame of their entity.
//!     let ground = BakeMesh::cuboid(Vec3::new(-20.0, -1.0, -20.0), Vec3::new(20.0, 0.0, 20.0));
//!     commands.spawn(BakeSource::new(ground));
//!     let slope = BakeSource::heightmap(UVec2::splat(17), 0.5, |x, _| x as f32 * 0.2);
//!     commands.spawn((slope, BakeTerrain(Terrain::SHALLOW)));
//! }
//!
//! fn plug_in(app: &mut App) {
//!     app.add_systems(Startup, level).add_observer(|baked: On<GridBaked>, mut commands: Commands| {
//!         if baked.cells.is_none() {
//!             commands.spawn((Agent::new(4.0), PathRequest::to(Vec3::new(9.0, 0.0, 9.0)), Transform::default()));
//!         }
//!     });
//! }
//! ```
//!
//! | source | how |
//! |---|---|
//! | `Mesh3d`, scenes of glTF | feature `meshes`: a [`BakeTerrain`] on them or above them |
//! | colliders of avian | feature `avian3d`: the same; the collider counts, not the mesh of its entity |
//! | heights | [`BakeSource::heightmap`] |
//! | anything else | a system that inserts a [`BakeSource`] |
//!
//! - **Walls** are never too thin: a cell is blocked when any part of a triangle in it is in the way. Closed meshes are
//!   solid. Agents keep their own radius from blocked cells, so one bake serves bodies of all sizes.
//! - **Slopes and steps** are those of the bake. What a kind of agent climbs ([`AgentKind::climb`], in cells) has to be
//!   as much as both together, or it finds cliffs: 1 by default, enough for 40 degrees.
//! - **Terrain** is that of the nearest [`BakeTerrain`] at or above the source.
//! - **Doors and crates**: move, spawn and despawn sources at any time. A door of 4 cells takes some hundredths of a
//!   millisecond in the background, and about as long on the main thread. What moves in every tick is better an
//!   [`Obstacle`].
//! - **Progress** is in [`BakedGround`]; [`BakeFailed`] says what is wrong. Remove [`NavGridBake`] to cancel. For
//!   lockstep, bake [in the tick](NavGridBake::is_inline).
//! - **Floors** all lie at the bottom of the box, told apart by the heights of their ground: leave [`OnGrid`] out on
//!   agents, so that those on a bridge and on its ramps avoid each other.
//!
//! The example `bake` shows all of it.

use super::links::*;
