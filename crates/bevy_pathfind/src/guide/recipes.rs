//! Recipes: combinations of components that games often need, and that no single component names.
//!
//! # As examples that run
//!
//! Each is a small game in the repository's folder `examples/`. Those with another crate are in `examples/companions/`:
//! run `cargo run --example NAME` in that folder.
//!
//! | you want | example |
//! |---|---|
//! | a server without window and renderer | `headless_server` |
//! | multiplayer: the server steers, clients draw smoothly | `companions/multiplayer`, with `bevy_replicon` |
//! | click to move, with keys as data | `companions/click_to_move`, with `bevy_enhanced_input` |
//! | behaviour trees that give the orders | `companions/behavior_tree`, with `bevior_tree` |
//! | jobs by true travel cost, digging, danger | `colony` |
//! | turns on cells, without steering | `turn_based` |
//! | a roguelike | `companions/roguelike`, with `bevy_ecs_tilemap` |
//! | agents on a ship, a lift or a train that moves | `moving_ship` |
//!
//! # Enemies that break through walls
//!
//! To one kind of agent walls are dear instead of blocked. A [`FlowField`] of this kind leads straight through a wall
//! where the way round costs more. The followers are of an ordinary kind: they walk along the field up to the wall and
//! stand before it, until your game has broken the cell ahead of them.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::{order::FlowFieldValues, world::GridTransform};
//! # use bevy_pathfind::prelude::*;
//! fn horde(mut kinds: ResMut<AgentKinds>, mut commands: Commands) -> Result {
//!     let breaker = kinds.add(AgentKind::default().with_cost(Terrain::WALL, 20.0)?)?;
//!     let field = commands.spawn(FlowField::to(Vec3::new(40.5, 8.5, 0.0)).with_kind(breaker)).id();
//!     commands.spawn((Agent::new(2.0), FollowField(field), Avoider::default()));
//!     Ok(())
//! }
//!
//! /// Breaks the wall that an enemy stands before: the next cell along the field. A game would take its time.
//! fn break_through(
//!     enemies: Query<(&GlobalTransform, &FollowField)>,
//!     fields: Query<&FlowFieldValues>,
//!     map: Single<(&mut NavGrid, &GridTransform)>,
//! ) -> Result {
//!     let (mut nav, place) = map.into_inner();
//!     for (at, &FollowField(field)) in &enemies {
//!         let here = place.cell_at(at.translation());
//!         let Some(field) = fields.get(field)?.field() else { continue };
//!         let Some(ahead) = field.path(here).nth(1) else { continue };
//!         if !nav.grid().is_walkable(KindId::default(), ahead) {
//!             nav.set(ahead, Terrain::GROUND)?;
//!         }
//!     }
//!     Ok(())
//! }
//! # fn plug_in(app: &mut App) {
//! #     app.add_systems(Startup, horde).add_systems(FixedUpdate, break_through);
//! # }
//! ```
//!
//! # A door that has to be beaten down
//!
//! Put a [`NavLink`] with [`LinkMotion::Custom`] over the shut cells, from the cell before the door to the cell behind
//! it. Its cost is the time that the beating takes, times the agent's speed: agents compare it with the way round. When
//! [`LinkReached`] comes, the agent stands before the door and waits. Once the door is broken, clear its cells and
//! despawn the link: the agents then plan again, and walk through.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::world::LinkEnd;
//! # use bevy_pathfind::prelude::*;
//! #[derive(Component)]
//! struct Door(f32);
//!
//! fn shut(map: Single<Entity, With<NavGrid>>, mut commands: Commands) {
//!     let (before, behind) = (GridCell::new(9, 4), GridCell::new(11, 4));
//!     let link = NavLink::new(LinkEnd::new(*map, before), LinkEnd::new(*map, behind));
//!     commands.spawn((Door(3.0), link.with_cost(12.0).with_crossing(LinkMotion::Custom)));
//! }
//!
//! /// Every agent that waits before the door takes a unit of strength from it per second.
//! fn beat(
//!     waiting: Query<&OnLink>,
//!     mut doors: Query<&mut Door>,
//!     (mut nav, time): (Single<&mut NavGrid>, Res<Time>),
//!     mut commands: Commands,
//! ) -> Result {
//!     for crossing in &waiting {
//!         let Ok(mut door) = doors.get_mut(crossing.link()) else { continue };
//!         door.0 -= time.delta_secs();
//!         if door.0 <= 0.0 {
//!             nav.set(GridCell::new(10, 4), Terrain::GROUND)?;
//!             commands.entity(crossing.link()).try_despawn();
//!         }
//!     }
//!     Ok(())
//! }
//! # fn plug_in(app: &mut App) {
//! #     app.add_systems(Startup, shut).add_systems(FixedUpdate, beat);
//! # }
//! ```
//!
//! # The nearest job by travel cost
//!
//! One [`Reach`](pathfind_core::Reach) from the worker finds the nearest of any number of jobs, however crooked the
//! paths to them are.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::world::Grid;
//! # use bevy_pathfind::prelude::*;
//! use pathfind_core::{Reach, SearchScratch, StepRules};
//!
//! /// The job that costs a worker the least to walk to; `None` if it can reach none.
//! fn nearest_job(nav: &NavGrid, worker: GridCell, jobs: &[GridCell]) -> Option<GridCell> {
//!     let (kind, scratch) = (KindId::default(), &mut SearchScratch::default());
//!     let reach = Reach::nearest(nav.grid(), kind, StepRules::default(), worker, jobs, 1, scratch).ok()?;
//!     reach.targets().first().map(|&(job, _)| job)
//! }
//! # let nav = NavGrid::new(Grid::from_ascii("..#.\n..#.\n....").unwrap());
//! # let jobs = [GridCell::new(3, 0), GridCell::new(0, 2)];
//! # assert_eq!(nearest_job(&nav, GridCell::new(1, 0), &jobs), Some(GridCell::new(0, 2)));
//! ```
//!
//! # Others keep off a place
//!
//! - **For good, and paths lead round it:** a carved [`Obstacle`].
//! - **For a while, and paths may lead over it:** an [`Obstacle`] with [`Obstacle::with_layers`], on a layer of its
//!   own. The [`Avoider`] of the agent that the place belongs to leaves this layer out ([`Avoider::with_mask`]).
//! - **Only if the way round is short:** an [`Obstacle`] carved as terrain that costs more, such as
//!   [`Terrain::weight`]`(4)`, on agents that stand for long. Others plan round them where that is cheaper, and squeeze
//!   through elsewhere. Remove it before the agent walks.

use super::links::*;
