//! Determinism: runs that repeat exactly, for replays, tests, and lockstep over a network.
//!
//! # What is promised
//!
//! Two runs **of the same binary, on the same operating system and processor architecture**, that get the same input
//! in the same ticks, have every agent at the same position, bit for bit, in every tick: with any number of threads,
//! any frame rate, and any instruction set (SSE2, AVX2) of the processor. For that:
//!
//! | you have to | because |
//! |---|---|
//! | leave the plugins in `FixedUpdate`, with the same time step everywhere | it is the length of a tick |
//! | set [`SolveMode::Inline`] | in the background the *tick* in which a path is found depends on the machine |
//! | give agents [`AgentId`]s of your own, distinct and below 2³² | sums over neighbours are made in the order of the ids, and random numbers are drawn by id; the default ids depend on the order of spawning |
//! | set the same [`SteerSettings::seed`] | all random numbers are drawn from it, by agent and tick |
//! | request, edit and spawn in `FixedUpdate`, before [`NavSystems::World`] | the tick in which a change from another schedule takes effect depends on the frame rate |
//! | turn [`NavSettings::while_paused`] off, or request and edit nothing while time is paused | a pause lasts for a different number of frames on each machine, and requests are answered in these frames |
//! | make your own systems deterministic | a single one that depends on the order of a `HashMap` or of a query, or on `Time<Real>`, makes runs differ |
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::{solve::{SolveMode, SolveSettings}, steer::SteerSettings};
//! # use bevy_pathfind::prelude::*;
//! fn lockstep(app: &mut App) {
//!     app.insert_resource(Time::<Fixed>::from_hz(30.0))
//!         .insert_resource(SolveSettings { mode: SolveMode::Inline, ..default() })
//!         .insert_resource(SteerSettings { seed: 2_026, ..default() })
//!         .add_plugins(PathfindPlugins::default())
//!         .add_systems(FixedUpdate, obey.before(NavSystems::World));
//! }
//!
//! /// The orders of all peers for this tick, sorted the same way on every peer.
//! #[derive(Resource)]
//! struct Orders(Vec<(AgentId, Vec3)>);
//!
//! fn obey(mut commands: Commands, mut orders: ResMut<Orders>, agents: Query<(Entity, &AgentId)>) {
//!     for (unit, to) in orders.0.drain(..) {
//!         if let Some((agent, _)) = agents.iter().find(|(_, id)| **id == unit) {
//!             commands.entity(agent).insert(PathRequest::to(to));
//!         }
//!     }
//! }
//! ```
//!
//! # On the web and on the desktop
//!
//! Core and plugin take sines and powers from `libm` and use no fused multiply-add, so their results should be the
//! same wherever arithmetic follows IEEE 754. For one pair of platforms this is tested: a scripted run of 2,000 ticks
//! (`examples/lockstep.rs`), with 300 agents that avoid, pursue, wander, flock and turn, moving obstacles and edits
//! of the map, has the same positions, headings and velocities, bit for bit, built for x86-64 Linux and for
//! WebAssembly. Your own systems must not use the platform's sines and powers either: take those of
//! `bevy::math::ops`, with Bevy's feature `libm`.
//!
//! # What is not promised
//!
//! - **Other pairs of binaries or architectures**: they are not tested.
//! - **Physics.** If a physics engine moves the agents in place of [`MotionPlugin`], it depends on that engine.
//! - **Going back to an earlier tick (rollback).** Some state of agents is private, such as how far they are on their
//!   path and what a pursuer knows of its target. Restoring `Transform`s is not enough: replay the input of the
//!   ticks, from the beginning or from a clone of the whole world.
//! - **Joining late.** A [saved game](super::saving) holds grids, agents and requests, but no paths: these are
//!   searched anew. Let *all* peers load the same save in the same tick.
//!
//! # Lockstep
//!
//! Peers exchange orders, not positions, and each tick waits for the orders of all peers. Name agents by [`AgentId`],
//! as an `Entity` differs from peer to peer. Compare a checksum of all positions now and then: so a peer that
//! has diverged is found:
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! /// A hash of all agents' positions that does not depend on the order of the query (FNV-1a, by words).
//! fn checksum(agents: Query<(&AgentId, &Transform)>) -> u64 {
//!     let bits = |at: &Transform| at.translation.to_array().map(f32::to_bits);
//!     let mut positions: Vec<_> = agents.iter().map(|(id, at)| (*id, bits(at))).collect();
//!     positions.sort_unstable();
//!     let words = positions.iter().flat_map(|(id, at)| at.iter().map(|&x| u64::from(x)).chain([id.0]));
//!     words.fold(0xcbf2_9ce4_8422_2325, |sum, word| (sum ^ word).wrapping_mul(0x100_0000_01b3))
//! }
//! ```
//!
//! To limit searches, limit the cells that each may expand ([`SearchOptions::max_expansions`]): unlike a time limit,
//! that ends a search at the same cell on every machine.

use super::links::*;
