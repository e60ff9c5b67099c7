//! Hills, and several grids: floors over one another, grids that touch, worlds that are loaded in chunks, and how an
//! agent gets from one grid to another.
//!
//! # Which grid an agent uses
//!
//! Every [`NavGrid`] in the world can be walked on. Where there is only one, all agents use it. If there are several,
//! an agent uses the grid in its [`OnGrid`]; without that component, the grid whose cells lie below or above the
//! agent and whose plane is nearest to it in height. In 3D heights are enough if each agent stands nearer to its own
//! floor than to another one. In 2D, where the height is only the order of drawing, floors share their places: give
//! every agent an [`OnGrid`].
//!
//! A carved [`Obstacle`] covers cells of the grid that an agent in its place would use, so it may have an [`OnGrid`]
//! too.
//!
//! [`NavQuery::hit`] finds the floor that a ray meets first: a click in 3D, or the ground under a falling crate.
//!
//! # Hills and cliffs
//!
//! A grid may have a height for each cell, above its plane: [`Grid::with_elevation`] when it is made,
//! [`NavGrid::set_elevation`] at any later time. Heights are in cells, so that 1 is as high as a cell is wide.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::world::Grid;
//! # use bevy_pathfind::prelude::*;
//! fn setup(mut commands: Commands, mut kinds: ResMut<AgentKinds>) -> Result {
//!     let hills = |cell: GridCell| (cell.x as f32 * 0.2).sin() + (cell.y as f32 * 0.15).cos();
//!     let map = Grid::new(80, 60).and_then(|map| map.with_elevation(hills))?;
//!     let mut nav = NavGrid::new(map).with_plane(GridPlane::Xz);
//!     // A rock that is too steep for every kind, and a kind that climbs higher steps than the others.
//!     nav.edit(|edit| edit.set_elevation(GridCell::new(40, 30), 6.0))?;
//!     let goat = kinds.add(AgentKind::default().with_climb(2.5))?;
//!     commands.spawn(nav);
//!     commands.spawn((Agent::default().with_kind(goat), PathRequest::to(Vec3::new(60.5, 0.0, 30.5))));
//!     Ok(())
//! }
//! ```
//!
//! - **Cliffs:** where two cells differ in height by more than the [`climb`](AgentKind::climb) of an agent's kind, no
//!   step leads from one to the other, up or down. Paths, fields, sight and straightening keep to that, and no agent
//!   is pushed over an edge. A drop that agents may take is a one-way [`NavLink`]. Rays, obstacle avoidance and
//!   reciprocal avoidance do not look for cliffs: agents that are pressed against one slide along it.
//! - **Standing:** [`MotionPlugin`] puts agents on the ground, at a [`GroundOffset`] if their origin is not at their
//!   feet. Lengths, speeds and distances between bodies are measured in the plane, without heights: a slope counts as
//!   long as its projection, and two bodies above and below a cliff keep apart as if they stood side by side.
//! - **Joined grids** keep the heights of their parts, above the plane that they share.
//! - **Slopes that cost:** [`Grid::steepness`] says how steep the ground is at a cell; give steep cells a terrain
//!   that costs.
//! - **Several floors:** an agent is on the floor whose ground is nearest to it, and [`NavQuery::hit`] finds the hill
//!   that a ray meets first.
//! - **Speed:** searches on flat or smooth ground are as fast as without heights; at a cliff jump point search stops
//!   as at a border of terrain. Shortest paths at any angle and Theta\* are answered by A\* where there are cliffs.
//!
//! # Which agents meet
//!
//! | grids | agents on them |
//! |---|---|
//! | side by side, or at an angle (a ramp) | avoid and touch one another where they really meet |
//! | over one another, farther apart than bodies are wide | are told apart by their heights |
//! | over one another and nearer than that, as in 2D | ignore one another, if each has its [`OnGrid`] |
//!
//! # Grids that touch
//!
//! Grids that touch edge to edge, and whose cells continue one another, are joined automatically, by their
//! `Transform`s alone. They may be turned by quarter turns and mirrored (as with [`GridPlane::XyDown`]); their cells must
//! have one size and lie on one plane. Then the seam makes no difference
//! to paths of any algorithm, flow fields, crowds and obstacles: diagonal steps and corner rules are those inside a
//! grid.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::world::Grid;
//! # use bevy_pathfind::prelude::*;
//! /// A chunk of an endless world: call it when the camera comes near, and despawn the chunk when it has gone.
//! fn load(commands: &mut Commands, chunk: IVec2, terrain: impl Fn(IVec2) -> Terrain) -> Entity {
//!     let corner = chunk * 64;
//!     let cells = Grid::from_fn(64, 64, |cell| terrain(corner + IVec2::new(cell.x, cell.y)));
//!     let nav = NavGrid::new(cells.expect("64 by 64 is a size of a grid"));
//!     commands.spawn((nav, Transform::from_translation(corner.as_vec2().extend(0.0)))).id()
//! }
//! ```
//!
//! - **Chunks:** spawn and despawn grids at any time, also under agents and on their paths. A path to a place that is
//!   not loaded leads towards it up to the last loaded cell, and goes on when the chunk is loaded. An agent whose
//!   chunk is unloaded walks to the nearest cell that is left. Grids of 64 by 64 cells whose corners lie on multiples
//!   of 64 cells of one another are the cheapest to load (some tenths of a millisecond).
//! - **What the plugin makes of them** is one more grid, with a [`JoinedGrid`]; each part has a [`PartOfGrid`] that
//!   names it. [`NavPath::grid`] is the joined one. Edit the parts; read obstacles and what lies across a seam from
//!   the joined grid. From one end to the other it may have 16,384 cells. To goals farther away than
//!   [`SolveSettings::exact_within`] paths are found hierarchically: many times as fast over open ground, and on
//!   average at most 0.5 % dearer than the cheapest; none measured was over 2 % dearer.
//! - **Holes:** [`Terrain::VOID`] is no ground at all. Agents over it are not on the grid, but on one above or below
//!   it.
//! - **What moves:** parts of one ship are joined with each other while they move with their parent. A ferry that
//!   comes to lie exactly at the edge of the shore is joined with it, and separated from it when it leaves. Agents on
//!   board have to be its children, and goals on board entities: see the example `moving_ship`.
//! - **Grids that touch but cannot be joined** are named once in the log: their cells have another size, are turned
//!   by an angle, or are shifted by a part of a cell. Connect them with a [`NavLink`]. A grid with [`Standalone`] is
//!   never joined: in 2D, where floors lie in one plane, put it on upper floors that end where another grid begins.
//!
//! # From floor to floor
//!
//! A [`NavLink`] joins a cell of one grid with a cell of another, or of the same: stairs, a ladder, a lift, a door, a
//! jump down a ledge, a teleporter. It is an entity of its own. A request whose goal lies on another grid leads over
//! as many links as it takes, at the least total cost; a link on one grid is taken too, where that is cheaper. The
//! goal lies on the grid that is nearest above or below it; if it is an entity, on the grid that this entity uses. In
//! a world without links a goal counts as the point of the agent's own grid below or above it.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::world::{Grid, LinkEnd};
//! # use bevy_pathfind::prelude::*;
//! fn setup(mut commands: Commands) {
//!     let floor = || NavGrid::new(Grid::new(40, 40).expect("a small map")).with_plane(GridPlane::Xz);
//!     let ground = commands.spawn(floor()).id();
//!     let upper = commands.spawn((floor(), Transform::from_xyz(0.0, 4.0, 0.0))).id();
//!     let cell = |grid, x, y| LinkEnd::new(grid, GridCell::new(x, y));
//!     commands.spawn(NavLink::new(cell(ground, 30, 8), cell(upper, 34, 8)).with_cost(6.0));
//!     let hole = NavLink::new(cell(upper, 5, 5), cell(ground, 5, 5)).with_both_ways(false);
//!     commands.spawn(hole.with_crossing(LinkMotion::Jump { height: 0.5 }));
//!     // From the ground to the upper floor.
//!     let at = Transform::from_xyz(2.5, 0.0, 2.5);
//!     commands.spawn((Agent::default(), PathRequest::to(Vec3::new(3.5, 4.0, 20.5)), at));
//! }
//!
//! fn shut(door: Entity, mut links: Query<&mut NavLink>) -> Result {
//!     links.get_mut(door)?.is_open = false;
//!     Ok(())
//! }
//!
//! fn plug_in(app: &mut App) {
//!     app.add_systems(Startup, setup)
//!         .add_observer(|it: On<LinkReached>| info!("{} begins to climb to {}", it.entity, it.to))
//!         .add_observer(|it: On<LinkCrossed>| info!("{} goes on", it.entity));
//! }
//! ```
//!
//! - **Crossing:** at the link [`LinkReached`] is triggered on the agent, its [`PathStatus`] becomes `Crossing`, and
//!   it gets an [`OnLink`]; nothing else moves it until [`LinkCrossed`]. [`LinkMotion`] says how: straight, along
//!   an arc, at once, or as your own system does it (an animation, a lift), which triggers `LinkCrossed` at the end.
//!   [`MotionPlugin`] moves agents over links; without it they wait at the first one.
//! - **Changes:** open, shut, spawn and despawn links at any time. An agent plans again if a link or a cell on the
//!   rest of its path changes, on whichever grid that is; other agents do not. Agents that found no path go on when a
//!   link opens.
//! - **Wide stairs:** [`LinkEnd::strip`] joins several cells side by side.
//! - **Who may pass:** [`NavLink::with_kinds`], one way, and a cost.
//! - **Where the path is:** [`NavPath`] is the part on the present grid, [`NavPath::link`] the link at its end; a new
//!   `NavPath` is put in place behind the link.
//! - **Pursuit:** a [`Pursuer`] follows its target over links, and does not see it on another grid.
//!
//! The gizmo `NavGizmos::links` draws them; the example `links` shows all of it.
//!
//! If the goal cannot be reached, the path leads to the nearest cell of the goal's grid that can be; if none can, to
//! the place nearest to the goal in the world, on whatever grid. Of a goal of several points ([`NavGoal::any_of`])
//! all points count as points of the first one's grid. A [`FlowField`] does not lead over links. With
//! [`SolveSettings::seek_shortcuts`] agents under way also take a door that opens, or a link that is spawned, if
//! that is cheaper than the rest of their path.

use super::links::*;
