//! Saving and loading: what the components keep in a file, and what is made anew.
//!
//! # What is kept
//!
//! | component | by serde | by reflection | after loading |
//! |---|---|---|---|
//! | [`NavGrid`] | yes | yes | terrain, elevation, kinds of agents, cell size and plane; its revision is 0 |
//! | [`Agent`], [`Airborne`], [`LowFlying`], [`GroundOffset`], [`Avoider`], [`Flock`], [`FlockLeader`], [`Separation`], [`Obstacle`] | yes | yes | as they were |
//! | [`AgentId`] | yes | yes | the same numbers; new agents get numbers above them |
//! | [`AgentVelocity`], [`ManualVelocity`], [`HoldPosition`] | yes | yes | as they were |
//! | [`PathRequest`], [`GoalQueue`], [`Pursuer`], [`Behavior`], [`OnGrid`], [`FlowField`], [`FollowField`], [`TargetSlots`], [`Reservation`] | yes | yes, entities inside are mapped | a request is searched anew, even if the agent had arrived |
//! | [`NavLink`], [`Standalone`] | yes | yes, the grids inside are mapped | as they were |
//! | [`OnLink`] | yes | yes, entities inside are mapped | the agent goes on along its link, and asks for a path behind it |
//! | [`FlockOf`], [`FormationOf`] | – | yes, entities inside are mapped | as it was |
//! | [`NavPath`], [`PathStatus`], [`SlotClaim`] | – | yes | replaced when the request is answered; they need not be saved |
//!
//! - The terrain is run-length coded, row by row. It is the [`NavGrid::ground`], without the cells that
//!   carved [`Obstacle`]s cover: save those entities too, and they cover their cells again.
//! - `Transform` says where a grid, an agent or an obstacle is: save it with each of them.
//! - What an agent remembers from tick to tick is not saved (how far it is on its path, what a pursuer knows of its
//!   target, the side on which it goes round an obstacle). So a loaded game continues well, but not bit for bit as the
//!   saved game would have. For that, save all input and play it again: see
//!   [`determinism`](super::determinism).
//! - Of grids that touch, save the grids that you spawned, and neither the [`JoinedGrid`] (filter with
//!   `Without<JoinedGrid>`) nor [`PartOfGrid`]: both are made again.
//! - A grid with a `NavGridSource` spawns the links of its `.grid.ron` as its children: save neither the grid's cells
//!   nor these links, or take the source away.
//! - Settings that designers edit are better kept as [`presets`](super::presets).
//!
//! # A file of your own
//!
//! With serde, write down what your game needs of each agent, and spawn it again. `Entity` values (of a
//! goal that is an entity, or a pursuer's target) mean nothing in another run; to refer to agents, save their
//! [`AgentId`]s.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Save {
//!     map: NavGrid,
//!     map_at: Transform,
//!     units: Vec<Unit>,
//! }
//!
//! #[derive(Serialize, Deserialize)]
//! struct Unit {
//!     id: AgentId,
//!     agent: Agent,
//!     at: Transform,
//!     order: Option<PathRequest>,
//! }
//!
//! fn save(
//!     map: Single<(&NavGrid, &Transform)>,
//!     units: Query<(&AgentId, &Agent, &Transform, Option<&PathRequest>)>,
//! ) -> Result {
//!     let (map, &map_at) = *map;
//!     let units = units.iter().map(|(&id, &agent, &at, order)| Unit { id, agent, at, order: order.cloned() });
//!     let save = Save { map: map.clone(), map_at, units: units.collect() };
//!     std::fs::write("slot_1.ron", ron::to_string(&save)?)?;
//!     Ok(())
//! }
//!
//! fn load(mut commands: Commands) -> Result {
//!     let save: Save = ron::from_str(&std::fs::read_to_string("slot_1.ron")?)?;
//!     commands.spawn((save.map, save.map_at));
//!     for Unit { id, agent, at, order } in save.units {
//!         let mut unit = commands.spawn((id, agent, at));
//!         if let Some(order) = order {
//!             unit.insert(order);
//!         }
//!     }
//!     Ok(())
//! }
//! # fn plug_in(app: &mut App) {
//! #     app.add_systems(Update, (save, load));
//! # }
//! ```
//!
//! In a game with links, save the [`OnLink`] of a unit too, with the link and the grid in it mapped
//! (`Component::map_entities`): without it a unit that is saved on the stairs hangs where it was.
//!
//! Despawn the old agents and grids before you load. A broken file is an error, not a panic: a grid whose terrain has
//! too few cells is refused, and so is a cost out of its range.
//!
//! # Numbers of agents
//!
//! An agent that is spawned without an [`AgentId`] gets the next free number from 2³² on; a clone of an agent gets a
//! number of its own. Numbers that were loaded are not given out again. If your agents have numbers of yours, keep
//! them distinct and below 2³².
//!
//! # Whole worlds
//!
//! All components above are registered for reflection, and `Entity` values inside them are mapped to the entities of
//! the loaded world. So Bevy's own serialisation of worlds, and save crates that use reflection, work with them: a
//! loaded [`Pursuer`] hunts the loaded target. The test `tests/nav/saving.rs` in the repository saves and loads this
//! way, one component at a time.

use super::links::*;
