//! A map in the world.
//!
//! # A grid
//!
//! A [`NavGrid`] is a component: spawn it, and there is a map. Its cells are of terrain classes
//! ([`Terrain`]); what a class costs, and whether one may walk there, is said for each kind of agent.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! fn setup(mut commands: Commands) {
//!     let map = Grid::from_ascii("..W..\n..W..\n.....").expect("the map is sound");
//!     // A 2D game with tiles of 16 units, the first row on top, its corner at (-40, 24).
//!     let mut grid = NavGrid::new(map).with_cell_size(16.0).with_plane(Plane::XyDown);
//!     let costs = CostTable::default().with(Terrain::WATER, 3.0).expect("3 is a cost");
//!     let swimmer = grid.add_kind(AgentKind { costs, ..default() }).expect("there is room for a kind");
//!     commands.spawn((grid, Transform::from_xyz(-40.0, 24.0, 0.0)));
//!     commands.spawn(Agent { kind: swimmer, ..Agent::with_speed(80.0) });
//! }
//! ```
//!
//! - **Where it lies** is said by its `Transform`, parents included: it may be moved, turned and scaled. The
//!   *corner* of cell (0, 0) lies at the entity.
//! - **2D or 3D** is a question of its [`Plane`]: `Xy` for 2D, `XyDown` for maps that stand upright as they
//!   are read, `Xz` for 3D.
//! - **Units** are the world's. On cells of 16 units an agent of speed 80 runs five cells a second.
//! - **From other things**: [`Tiles`] takes any tilemap, [`NavGrid::from_tiles`] reads it;
//!   `world::files` (feature `assets`) reads `.map`, `.grid.ron` and `.png`, within limits; with
//!   [`Grid::from_fn`] you decide cell by cell.
//!
//! # Several grids
//!
//! An agent walks on the grid that it stands over; where that is not clear, [`OnGrid`] says which.
//!
//! # Change it
//!
//! Set cells at any time. Agents whose remaining path is touched plan again; nobody else does.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! fn shut_the_gate(mut grid: Single<&mut NavGrid>) {
//!     grid.fill(CellRect::new(Cell::new(4, 7), Cell::new(5, 7)), Terrain::WALL);
//!     grid.edit(|edit| {
//!         edit.fill_disc(Vec2::new(9.0, 3.0), 2.5, Terrain::TREES); // many edits, one repair
//!     });
//! }
//! ```
//!
//! Things that come and go need no edits: a [`GridObstacle`] covers cells while it stands on them. What moves
//! every tick is better an [`Obstacle`], which searches do not know and avoiders see.
//!
//! | in the way | seen by | for |
//! |---|---|---|
//! | a cell of terrain | searches, sight, movement | what stands: houses, rivers |
//! | [`GridObstacle`] | the same, by the cells that it covers | what is moved now and then: carts, doors |
//! | [`Obstacle`] | [`Avoider`]s who are near, movement | what moves, or is smaller than a cell |
//! | avian's colliders (`avian2d`, `avian3d`) | [`Avoider`]s who are near | what the physics engine moves |
//!
//! # Big bodies
//!
//! An agent's path keeps its *centre* out of walls. For a body wider than a cell, add a kind with an
//! [`AgentSize`] and name it in [`Agent::kind`]: a `Disc` of its radius in cells keeps that far from walls all
//! along its way.

use crate::prelude::*;
