//! From the triangles of a level to grids that agents walk.
//!
//! [`BakeMesh`]es hold the triangles, in the grid space of a box of cells ([`BakeSettings`]): x along columns, y along
//! rows, z up, all in cells. A [`BakeRun`] finds in each column of the box the surfaces that an agent can stand on;
//! [`Baked`] holds them, divided into floors. Each floor is a [`Grid`](crate::Grid) with heights, of the size of the
//! box, [`VOID`](crate::Terrain::VOID) where the floor has no ground; [`BakedLink`]s join floors where ground goes on
//! from one to another, and ledges that agents may jump.
//!
//! ```
//! use glam::{UVec2, Vec3};
//! use pathfind_core::{GridCell, KindId, bake::{BakeMesh, BakeSettings, Baked}};
//! // Ground of 8 by 4 cells, and a crate of 2 by 2 by 3 cells on it.
//! let ground = [(0.0, 0.0), (8.0, 0.0), (8.0, 4.0), (0.0, 4.0)].map(|(x, y)| Vec3::new(x, y, 0.0));
//! let ground = BakeMesh::new(ground.into(), vec![[0, 1, 2], [0, 2, 3]])?;
//! let crate_on_it = BakeMesh::cuboid(Vec3::new(4.0, 1.0, 0.0), Vec3::new(6.0, 3.0, 3.0));
//! let settings = BakeSettings { size: UVec2::new(8, 4), ..BakeSettings::default() };
//! let mut baked = Baked::new(settings, &[&ground, &crate_on_it])?;
//! let floor = baked.grid(0);
//! assert_eq!((baked.floor_count(), floor.elevation(GridCell::new(4, 1))), (1, 3.0), "one can stand on the crate");
//! assert!(!floor.connected(KindId::default(), Default::default(), GridCell::new(3, 1), GridCell::new(4, 1)));
//! // The crate is gone: only its cells are baked again.
//! baked.rebake(crate_on_it.cells(settings.size).expect("it lies in the box"), &[&ground])?;
//! assert_eq!(baked.grid(0).elevation(GridCell::new(4, 1)), 0.0);
//! # Ok::<(), pathfind_core::bake::BakeError>(())
//! ```
//!
//! # What is walkable
//!
//! - **Ground** is a surface at the centre of a cell, no steeper than [`max_slope`](BakeSettings::max_slope), with
//!   [`head_room`](BakeSettings::head_room) above it. Its height is exact.
//! - **Obstacles** are conservative: a cell is blocked as soon as any part of a triangle in its square stands higher
//!   above the ground than a [`step`](BakeSettings::step) and lower than the head room. So no wall is too thin. Where a
//!   triangle is no steeper than ground may be, it may rise by as much as such a slope does.
//! - **Two neighbours are joined** if their heights differ by at most a step from what their slopes promise. Between
//!   two cells of one floor that are not joined there is a [fence](crate::Grid::set_fence), so that the result holds
//!   for kinds of agents that climb more. A kind that climbs less than slope and step together is kept from them as
//!   well.
//! - **A closed mesh is solid**, whichever way its triangles face: nobody stands inside it, and a face of it that
//!   reaches less than 1/512 of a cell into a cell does not count. The triangles of an open mesh are sheets with two
//!   sides.
//! - The **radius** of agents is not used: paths keep wide bodies away from blocked cells, each kind by its own size.
//!
//! # Floors
//!
//! A floor holds at most one surface of each column. Ground that is connected stays on one floor while no column has
//! two of its surfaces; where there are two, the lower one stays and what lies above goes to a further floor. So a
//! bridge with its ramps lies on the floor of the road, but for the part over the road. A rebake keeps the floor of
//! each surface that it finds again, and gives a new one the floor of the ground beside it; so a local change renumbers
//! nothing. A full bake may divide the same ground into floors otherwise.
//!
//! # Limits
//!
//! A box has at most 2^24 cells and 32 floors; triangles and the cells that they touch make at most 2^25 pairs. A bake
//! takes about 4 bytes for each such pair, 64 for each triangle, and 16 for each surface.
//!
//! The crate rerecast, a port of Recast, was weighed as the base: it rounds heights to steps of a voxel, merges spans
//! so that what it rounded cannot be told apart again, has no rebake of a part and takes ghost ground inside of closed
//! meshes for walkable. Exact heights from a surface a column, tested against each triangle of that column alone, gave
//! all of these in less code than the conversion would have been.

mod baked;
mod column;
mod face;
mod floors;
mod ground;
mod links;
mod mesh;
mod settings;

pub use baked::{BakeRun, Baked, Rebaked};
pub use ground::{BakedSpan, Obstruction};
pub use links::{BakedLink, BakedLinkEnd, BakedLinkKind};
pub use mesh::BakeMesh;
pub use settings::{BakeError, BakeSettings};
