//! The same run twice: replays, tests, lockstep over a network.
//!
//! # What is promised
//!
//! Two runs **of the same binary, on the same operating system and processor architecture**, that are given the same
//! input in the same ticks, have the same agents in the same places, bit for bit, in every tick; on any number of
//! threads, whatever the frame rate, and whichever instructions (SSE2, AVX2) the processor has. For that:
//!
//! | you have to | because |
//! |---|---|
//! | leave the plugins in `FixedUpdate`, with one time step for all | a tick is as long as that says |
//! | set [`SolveMode::Inline`] | in the background the *tick* in which an answer comes depends on the machine |
//! | give agents [`AgentId`]s of your own, distinct | sums over neighbours, and chance, go by them; else the order of spawning counts |
//! | share [`SteerSettings::seed`] | all chance is drawn from it, by agent and tick |
//! | order, edit and spawn in `FixedUpdate`, before [`NavSystems::World`] | what comes in another schedule comes in a tick that depends on the frame rate |
//! | turn [`NavSettings::while_paused`] off, or give no order and make no edit while time is paused | a pause lasts for another number of frames on each machine, and what is found in it comes sooner than in the next tick |
//! | keep your own systems as strict | a `HashMap`, a query's order or `Time<Real>` in them is enough to break it |
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! fn lockstep(app: &mut App) {
//!     app.insert_resource(Time::<Fixed>::from_hz(30.0))
//!         .insert_resource(SolveSettings { mode: SolveMode::Inline, ..default() })
//!         .insert_resource(SteerSettings { seed: 2_026, ..default() })
//!         .add_plugins(PathfindPlugins::default())
//!         .add_systems(FixedUpdate, obey.before(NavSystems::World));
//! }
//!
//! /// The orders that all peers have agreed on for this tick, in the same order everywhere.
//! #[derive(Resource)]
//! struct Orders(Vec<(AgentId, Vec3)>);
//!
//! fn obey(mut commands: Commands, mut orders: ResMut<Orders>, agents: Query<(Entity, &AgentId)>) {
//!     for (whom, to) in orders.0.drain(..) {
//!         if let Some((agent, _)) = agents.iter().find(|(_, id)| **id == whom) {
//!             commands.entity(agent).insert(PathRequest::to(to));
//!         }
//!     }
//! }
//! ```
//!
//! # What is not
//!
//! - **Different binaries or architectures.** The core takes its sines and powers from `libm` and fuses nothing, so that its
//!   answers are the same wherever arithmetic follows IEEE 754; but Bevy's transforms and the turning of bodies use
//!   the platform's functions, and those we do not promise.
//! - **Physics.** With [`MotionPlugin`] left out, the engine's promise counts.
//! - **Rolling back.** Some state of agents is private (how far they are on their path, what they remember of their prey).
//!   Roll back by playing the tick's inputs again from the beginning or from a clone of the whole world, not by
//!   restoring `Transform`s.
//! - **Joining late.** Grids and settings can be saved; paths are searched anew. Let *all* peers load the same save
//!   in the same tick.
//!
//! # Lockstep
//!
//! Peers exchange orders, not places: each tick waits for everybody's orders for it. Name entities by their [`AgentId`], for
//! an `Entity` differs from peer to peer. Now and then compare a sum of where everyone is, and a peer that has
//! strayed is found at once:
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! /// A sum over all agents, whatever order the query has (FNV-1a).
//! fn checksum(agents: Query<(&AgentId, &Transform)>) -> u64 {
//!     let bits = |at: &Transform| at.translation.to_array().map(f32::to_bits);
//!     let mut places: Vec<_> = agents.iter().map(|(id, at)| (*id, bits(at))).collect();
//!     places.sort_unstable();
//!     let words = places.iter().flat_map(|(id, at)| at.iter().map(|&x| u64::from(x)).chain([id.0]));
//!     words.fold(0xcbf2_9ce4_8422_2325, |sum, word| (sum ^ word).wrapping_mul(0x100_0000_01b3))
//! }
//! ```
//!
//! How many cells a search may expand is a limit that is the same everywhere
//! ([`SearchOptions::max_expansions`]); a limit of time would not be.

use crate::prelude::*;
