//! Several grids: floors over one another, grids side by side, and how an agent gets from one to another.
//!
//! # Which grid an agent uses
//!
//! Every [`NavGrid`] in the world can be walked on. Where there is only one, all agents use it. Of several an agent
//! uses the grid in its [`OnGrid`]; without that component, the grid whose cells lie below or above the agent and
//! whose plane is nearest to it in height. In 3D heights are enough if each agent stands nearer to its own floor than
//! to another one. In 2D, where the height is only the order of drawing, floors share their places: give every agent
//! an [`OnGrid`].
//!
//! A [`GridObstacle`] covers cells of the grid that an agent in its place would use, so it may have an [`OnGrid`] too.
//!
//! # Which agents meet
//!
//! | grids | agents on them |
//! |---|---|
//! | side by side, or at an angle (a ramp) | avoid and touch one another where they really meet |
//! | over one another, farther apart than bodies are wide | are told apart by their heights |
//! | over one another and nearer than that, as in 2D | ignore one another, if each has its [`OnGrid`] |
//!
//! # From floor to floor
//!
//! A search stays on the agent's own grid: **there are no links between grids yet**, no stairs, lifts or portals. A
//! goal on another floor counts as the point of the agent's own grid below or above it. Until there are links, the
//! game takes an agent from floor to floor in three steps: a request to the foot of the stairs, a move to the
//! landing, and a request on the other floor.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! /// An agent on its way to the foot of some stairs.
//! #[derive(Component)]
//! struct Climbing {
//!     floor: Entity, // the other NavGrid
//!     landing: Vec3, // where the stairs end on it
//!     goal: Vec3,    // where the agent goes from there
//! }
//!
//! fn setup(mut commands: Commands) {
//!     let floor = || NavGrid::new(Grid::new(40, 40).expect("a small map")).with_plane(Plane::Xz);
//!     let ground = commands.spawn(floor()).id();
//!     let upper = commands.spawn((floor(), Transform::from_xyz(0.0, 4.0, 0.0))).id();
//!     let foot = Vec3::new(30.5, 0.0, 8.5);
//!     let climbing =
//!         Climbing { floor: upper, landing: Vec3::new(34.5, 4.0, 8.5), goal: Vec3::new(3.5, 4.0, 20.5) };
//!     let at = Transform::from_xyz(2.5, 0.0, 2.5);
//!     // To the very foot: on a free place beside it the agent could not climb.
//!     commands.spawn((Agent::default(), OnGrid(ground), PathRequest::to(foot).without_spread(), climbing, at));
//! }
//!
//! fn climb(
//!     arrived: On<PathArrived>,
//!     mut climbers: Query<(&Climbing, &mut Transform)>,
//!     mut commands: Commands,
//! ) {
//!     let Ok((climbing, mut at)) = climbers.get_mut(arrived.entity) else { return };
//!     at.translation = climbing.landing; // or play an animation first
//!     commands
//!         .entity(arrived.entity)
//!         .remove::<Climbing>()
//!         .insert((OnGrid(climbing.floor), PathRequest::to(climbing.goal)));
//! }
//!
//! fn plug_in(app: &mut App) {
//!     app.add_systems(Startup, setup).add_observer(climb);
//! }
//! ```
//!
//! - An agent that gets another [`OnGrid`] before it has arrived asks for its path anew, on the other grid.
//! - While an agent is carried (on a lift, by an animation) remove its [`PathRequest`], and move the `Transform`
//!   yourself.
//! - If stairs can be blocked, observe [`PathEndedShort`] too.
//! - With several stairs, a goal of [`NavGoal::any_of`] leads to the feet that are cheapest to reach; which stairs are
//!   best for the *whole* way, over several floors, is for the game to decide.
//! - A [`Pursuer`] hunts on its own grid as well.

use crate::prelude::*;
