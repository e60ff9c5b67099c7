//! What your game knows of its ground: danger, crowding, fences, places that are good for something.
//!
//! # Layers of influence
//!
//! A layer is a value for each cell: danger, smoke, noise, scent. Name it, and say what it costs whom; a kind of agent
//! ignores a layer until it is told.
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_pathfind::prelude::*;
//!
//! fn set_up(mut layers: ResMut<InfluenceLayers>, mut kinds: ResMut<AgentKinds>, mut commands: Commands) -> Result {
//!     let smoke = layers.add("smoke");
//!     let deer = kinds.add(AgentKind::default())?;
//!     // To deer a cell in the thick of it costs five times open ground; firemen, of the default kind, walk through.
//!     layers.set_cost(smoke, deer, InfluenceCost::weight(4.0));
//!     // A source moves with its entity, and ends with it.
//!     commands.spawn((InfluenceSource::new(smoke, 6.0), Transform::from_xyz(20.5, 8.5, 0.0)));
//!     commands.spawn((Agent::new(6.0).with_kind(deer), Transform::from_xyz(2.5, 8.5, 0.0))).go_to(Vec3::new(40.5, 8.5, 0.0));
//!     Ok(())
//! }
//!
//! /// What is painted stays, or fades with `InfluenceSettings::half_life` and spreads: here a trail of scent.
//! fn leave_scent(
//!     layers: Res<InfluenceLayers>,
//!     walkers: Query<&Transform, With<Agent>>,
//!     mut grids: Query<(&NavGrid, &bevy_pathfind::world::GridTransform, &mut GridInfluence)>,
//! ) {
//!     let Some(scent) = layers.id("scent") else { return };
//!     for (grid, at, mut influence) in &mut grids {
//!         let cells = walkers.iter().map(|walker| (at.cell_at(walker.translation), 1.0));
//!         influence.layer_mut(scent, grid).add(cells);
//!     }
//! }
//!
//! /// Whoever follows the scent goes where it grows.
//! fn sniff(nav: NavQuery, layers: Res<InfluenceLayers>, hounds: Query<&Transform>) {
//!     for hound in &hounds {
//!         let (strength, direction) = layers.id("scent").map_or_default(|it| nav.influence_at(it, hound.translation));
//!         info!("{strength} here, more towards {direction}");
//!     }
//! }
//! ```
//!
//! - Values become costs of cells four times a second ([`InfluenceLayers::apply_every`]), rounded to one step an octave:
//!   0.25, 0.5, 1, 2, 4 and so on. Paths are the cheapest for terrain and rounded costs together, under every algorithm
//!   that honours costs, and so are flow fields.
//! - No agent plans again at once. Each looks for a cheaper path once a second
//!   ([`SolveSettings::reconsider_every`]) if its own has become dear, every fourth time also if another may have become
//!   cheap; it takes one that is cheaper by a share and by an amount ([`SolveSettings::min_gain`] and
//!   [`SolveSettings::min_saving`]), and gets [`PathFound`] with the cause [`PathCause::ShorterWay`].
//! - Cost: see [`benchmarks`](super::benchmarks); `influence_bench` measures it.
//! - [`NavGizmos::influence`] draws the layers; the panel has their weights in the section *World*.
//!
//! # Crowds that spread over several ways
//!
//! The layer [`InfluenceLayers::CROWDING`] is written by the plugin: how much agents on their way are slowed down in a
//! cell. With a weight of 1, paths take the least time as the traffic is now:
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! fn mind_crowds(mut layers: ResMut<InfluenceLayers>) {
//!     let crowding = layers.add(InfluenceLayers::CROWDING);
//!     layers.set_cost(crowding, KindId::default(), InfluenceCost::weight(1.0));
//! }
//! ```
//!
//! Of 200 agents with a short way of two cells and a detour of six, the last arrives after 58 s instead of 73; of 40 each
//! way before two doors of one cell, after 43 s instead of 53 (`traffic_bench two-routes --width 2 --agents 200`,
//! `two-doors --width 1 --agents 40 --against 40`, each with and without `--crowding 1`). It costs searches their speed on
//! uniform ground, so it is off until you add it.
//!
//! # Fences
//!
//! A fence stands on the edge *between* two cells; both stay free. Nobody steps over it, bodies, lines of sight and rays
//! stop at it. [`NavGrid::set_fence`] edits one, [`NavGrid::edit`] many; files keep them (`fences` in `.grid.ron`). A gate
//! is a fence that comes and goes: agents replan as after every edit.

use super::links::*;
