//! Maps: how to put one into the world, how to change it, and how to keep wide bodies out of walls.
//!
//! # A grid
//!
//! A [`NavGrid`] is a component that holds a map of cells; spawn an entity with it. Each cell has a terrain class
//! ([`Terrain`]). The kinds of agents of the world ([`AgentKinds`]) have a table of costs each that says what a class
//! costs them, or that the class is blocked for them.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! fn setup(mut commands: Commands, mut kinds: ResMut<AgentKinds>) -> Result {
//!     // A 2D game with tiles of 16 units, its middle at the origin.
//!     commands.spawn(NavGrid::from_ascii("..W..\n..W..\n.....")?.with_cell_size(16.0).centered());
//!     let swimmer = kinds.add(AgentKind::default().with_cost(Terrain::WATER, 3.0)?)?;
//!     // Five cells a second, with the default radius of 0.4 cells.
//!     commands.spawn(Agent::new(80.0).with_radius(6.4).with_kind(swimmer));
//!     Ok(())
//! }
//! ```
//!
//! - **Costs:** they decide which way is planned, and slow no agent. To slow agents, insert [`TerrainSpeed`]; for
//!   paths that take the least time, let a class that slows to a third cost three times as much as ground.
//! - **Position:** the entity's `Transform` and those of its parents place the grid; it may be moved, turned and
//!   scaled. The outer *corner* of cell (0, 0) lies at the entity, not the middle of the grid.
//! - **2D or 3D:** the grid's [`GridPlane`] decides: `Xy` for 2D, `XyDown` for 2D maps whose first row is on top,
//!   `Xz` for 3D.
//! - **Units:** what a game reads or writes in the world is in world units. On cells of 16 units an agent of speed 80
//!   walks five cells a second. The default [`Agent`] is for cells of 1 unit: on larger cells, set its speed and its
//!   radius. All other settings follow: they are in [body units](Agent::body_unit), or may be left out.
//! - **Sources:** [`NavGrid::from_fn`] takes the terrain of each cell from a closure, as of a tilemap; `world::files`
//!   (feature `assets`) reads `.map`, `.grid.ron` and `.png`, within limits, and levels of LDtk and Tiled (features
//!   `ldtk`, `tiled`).
//!
//! Where there is one grid, all agents use it. Several grids: see [`floors`](super::floors).
//!
//! # Change it
//!
//! Set cells at any time. Agents whose remaining path is touched by an edit ask for a new path, and so do agents that
//! the map had kept from their goal; all others keep their paths.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! fn shut_the_gate(mut grid: Single<&mut NavGrid>) {
//!     grid.fill(CellRect::new(GridCell::new(4, 7), GridCell::new(5, 7)), Terrain::WALL);
//!     grid.edit(|edit| {
//!         edit.fill_disc(Vec2::new(9.0, 3.0), 2.5, Terrain::TREES); // many edits, one repair
//!     });
//! }
//! ```
//!
//! Objects that come and go need no edits: a carved [`Obstacle`] covers cells while it stands on them. For an object
//! that moves every tick use an [`Obstacle`]: searches ignore it, and avoiders see it when it is near.
//!
//! | in the way | taken into account by | for |
//! |---|---|---|
//! | a cell of terrain | searches, line of sight, movement | what stands: houses, rivers |
//! | [`Obstacle::carved`] | the same, by the cells that it covers | what is moved now and then: carts, doors, towers |
//! | [`Obstacle`] | [`Avoider`]s near it, movement | what moves, or is smaller than a cell |
//! | `CarvedCollider`, `CarvedLayers` (`avian2d`) | the same as for [`Obstacle::carved`] | colliders that are walls or doors |
//! | avian's colliders (`avian2d`, `avian3d`) | [`Avoider`]s near them | what the physics engine moves |
//!
//! # Doors
//!
//! A door is terrain that changes: set its cell to [`Terrain::WALL`] to shut it and to [`Terrain::GROUND`] to open
//! it, or put a carved [`Obstacle`] on the entity of the door and insert or remove it. Agents on their way through it
//! plan again at once; one that stands in the doorway walks out of it. A door between two grids, or one that costs
//! time, is a [`NavLink`]: see [`floors`](super::floors).
//!
//! # Who sees whom
//!
//! | question | ask |
//! |---|---|
//! | does a guard see the thief? | [`NavQuery::sees`]; check the guard's range and angle of view in your own code |
//! | where does a shot or a ray hit a wall? | [`cast_ray`](pathfind_core::cast_ray) |
//! | can an agent walk there straight? | [`line_of_sight`](pathfind_core::line_of_sight): its size and corner rule count |
//! | does a pursuer see its target? | [`PursuitAim::is_in_sight`] |
//!
//! # Wide bodies
//!
//! An agent keeps its [`Agent::radius`] from walls, up to half a cell: on its path, in contact and at corners. For a body
//! wider than a cell, add a kind with an [`AgentSize`] and set it as [`Agent::kind`]: a `Disc` with the body's radius in
//! cells keeps that distance from walls along the whole path. `Disc(0.0)` is a point, whose centre alone stays out of
//! walls; so it is under the corner rules that let bodies cut corners
//! ([`CornerRule::OneFree`](pathfind_core::CornerRule), `Always`).
//!
//! # What has changed
//!
//! [`NavGrid::changes_since`] lists the rectangles that were edited since a revision: for a mini-map or a fog that
//! redraws only what is new.

use super::links::*;
