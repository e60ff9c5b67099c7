//! Knowledge of the ground: danger, crowding, what can be broken, fences and one-way edges, where to run, the best cell to
//! stand on, the nearest of many places, chokepoints, and flight indoors.
//!
#![doc = include_str!("pictures/danger.html")]
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
//! ```
//!
//! - Values become costs of cells four times a second ([`InfluenceLayers::apply_every`]), rounded to one step an octave:
//!   0.25, 0.5, 1, 2, 4 and so on. Paths are the cheapest for terrain and rounded costs together, under every algorithm
//!   that honours costs, and so are flow fields.
//! - No agent plans again at once. Each looks for a cheaper path once a second
//!   ([`SolveSettings::reconsider_every`]) if its own has become dear, every fourth time also if another may have become
//!   cheap; it takes one that is cheaper by a share and by an amount ([`SolveSettings::min_gain`] and
//!   [`SolveSettings::min_saving`]), and gets [`PathFound`] with the cause [`PathCause::ShorterWay`].
//! - [`NavQuery::influence_at`] reads a value, and where it grows: whoever follows a scent goes there.
//! - Cost: see [`benchmarks`](super::benchmarks). [`NavGizmos::influence`] draws the layers; the panel has their weights.
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
//! The time of the last arrival in seconds, medians of three arrangements or five, without and with crowding
//! (`traffic_bench SCENE --crowding 1`), for bodies of radius 0.3 and 0.45:
//!
//! | scene | 0.3 | 0.45 |
//! |---|---|---|
//! | 200 agents, a short way of two cells and a detour of six | 68, 53 | 107, 96 |
//! | 40 each way, two doors of one cell | 50, 43 | 61, 60 |
//! | 60 through 60 in the open | 36, 38 | 41, 36 |
//! | 80 before one door | 27, 27 | 42, **51** |
//!
//! Where there is only one way it gains nothing, and crowds jostle more. It costs searches their speed on uniform ground.
//! So it is off until you add it.
//!
//! # What can be broken, and doors that open
//!
//! A [`Breacher`] plans for another kind than its own: for that kind, what it can break is passable at a price. Its path
//! ends before the first cell that it may not enter itself; there it gets [`PathBlocked`], waits, and goes on once the
//! game has edited the cell. So enemies break the gate or walk round it, whichever takes less time, and change their mind
//! when a gate opens elsewhere.
//!
//! A door that opens for some is the same: shut, it is a terrain that blocks everybody; the kind that its owners plan for
//! may pass it at the price of opening it.
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_pathfind::prelude::*;
//!
//! const SHUT: Terrain = Terrain(20);
//! const OPEN: Terrain = Terrain(22);
//!
//! fn open_doors(blocked: On<PathBlocked>, mut grids: Query<&mut NavGrid>) -> Result {
//!     let mut grid = grids.get_mut(blocked.grid)?;
//!     if grid.terrain(blocked.cell) == Some(SHUT) {
//!         grid.set(blocked.cell, OPEN)?;
//!     }
//!     Ok(())
//! }
//! ```
//!
//! Of two doors that open in turn, an agent stays at the one that it waits for as long as the way to the other costs more
//! than the wait: give the shut door the cost of the usual wait.
//!
//! # Fences
//!
//! A fence stands on the edge *between* two cells; both stay free. Nobody steps over it, bodies, lines of sight and rays
//! stop at it. [`NavGrid::set_fence`] edits one, [`NavGrid::edit`] many; files keep them (`fences` in `.grid.ron`). A gate
//! is a fence that comes and goes: agents replan as after every edit.
//!
//! # One-way edges and surcharges
//!
//! [`NavGrid::set_edge`] gives the edge between two cells a rule for plans: steps over it lead only one way (a ledge to
//! drop down, a turnstile), or cost something in addition, in each direction its own amount (a conveyor, a slope).
//! Paths, fields and chases obey; bodies, sight and rays pass. So an agent that others push back over a one-way edge
//! looks for another way. Where rules close every way to the goal, the path ends at the nearest cell that can be
//! reached.
//!
//! ```
//! use bevy_pathfind::{prelude::*, world::{Direction, EdgeRule}};
//!
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! let mut map = NavGrid::from_ascii("......\n......")?;
//! map.edit(|edit| {
//!     // A belt runs along the upper row: against it each step costs 2 more.
//!     (0..5).try_for_each(|x| {
//!         edit.set_edge((x, 0).into(), Direction::E, EdgeRule::surcharge(0.0, 2.0)).map(|_| ())
//!     })?;
//!     // Down to the lower row there is a turnstile.
//!     edit.set_edge((2, 0).into(), Direction::S, EdgeRule::ONE_WAY)
//! })?;
//! # Ok(())
//! # }
//! ```
//!
//! # Where to run
//!
//! A [`Fugitive`] flees by path: it runs to where it is before its threats and stays ahead of them the longest, round blocks
//! and through doors, into a dead end only if nothing else is left. It is told when it is safe ([`AgentArrived`]) and when it
//! is cornered ([`FugitiveCornered`]); its own [`PathRequest`] or [`GoalQueue`] waits while it flees.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::{prelude::*, steer::Fugitive};
//! fn graze(mut commands: Commands, wolf: Entity) {
//!     // It grazes by its queue, and runs when the wolf comes nearer than 8 units by path.
//!     let graze = GoalQueue::looped([Vec3::new(12.5, 4.5, 0.0), Vec3::new(18.5, 9.5, 0.0)]).with_wait(4.0);
//!     commands.spawn((Fugitive::from_threats([wolf], 8.0), graze, Avoider::default()));
//! }
//! ```
//!
//! All that flee from a threat share its distances: one search each time that the threat has come to another cell. Each
//! decides anew every 0.2 s ([`Fugitive::decide_every`]), and all together make no more than
//! [`SteerSettings::flee_searches`] searches a tick; [`FleeStats`] counts them. A maze with dead ends of more than 64
//! cells needs a longer [`Fugitive::look_ahead`]. [`NavGizmos::targets`] draws who flees whereto; the example `flee` shows it.
//!
//! # The best cell to stand on
//!
//! [`CellRequest`] asks which of the cells within reach is the best: what it must be (in sight of a point or an entity,
//! hidden from it, within a range of it, free, low in influence), and what makes it better (cheap to reach, near or far,
//! influence, cover), each with a weight. [`NavQuery::best_cells`] answers at once; on an agent the request goes into the
//! queue of the searches for paths, and is answered by [`CellsFound`]. [`NavGizmos::candidates`] draws the scores.
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_pathfind::{order::{CellCondition, CellRequest, CellValue}, prelude::*};
//!
//! /// Somewhere quiet, with a view of the gate.
//! fn picnic(nav: NavQuery, layers: Res<InfluenceLayers>, walker: &Transform, gate: Vec3) -> Option<Vec3> {
//!     let quiet = CellRequest::new(30.0)
//!         .with_condition(CellCondition::Sees(gate.into()))
//!         .with_score(CellValue::Influence(layers.id("noise")?), -1.0)
//!         .with_score(CellValue::PathCost, -0.1);
//!     Some(nav.best_cells(walker.translation, &quiet).ok()?.first()?.position)
//! }
//! ```
//!
//! # The nearest of many places, and chokepoints
//!
//! [`NavQuery::nearest`] finds the nearest of many places by path, [`NavQuery::nearest_for_each`] does so for many askers
//! with one field: for forty among six hundred places in a fiftieth of the time of forty calls (2.2 and 112 ms, in a
//! development build). [`NavQuery::chokepoints`] finds the narrow places of a way, and whether to shut one would leave no
//! way:
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! /// Barricades where the enemy has to come through.
//! fn barricade(nav: NavQuery, camp: Vec3, home: Vec3, mut commands: Commands) -> Result {
//!     let narrow = nav.chokepoints(camp, home, 3.0)?;
//!     for point in narrow.iter().filter(|narrow| narrow.is_cut).flat_map(|narrow| &narrow.points) {
//!         commands.spawn((Obstacle::cuboid(Vec3::splat(0.4)).carved(), Transform::from_translation(*point)));
//!     }
//!     Ok(())
//! }
//! ```
//!
//! # Flight indoors
//!
//! [`LowFlying`] is for what flies inside of a house: over what is lower than it flies, round walls, and from floor to
//! floor by the stairs.

use super::links::*;
