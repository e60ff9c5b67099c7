//! Tower defence: would a tower seal the path, and which target is nearest along the path?
//!
//! # Would a tower seal the path?
//!
//! A [`Grid`] knows its connected regions: [`Grid::would_disconnect`] says whether walls on some cells would part two
//! others, without an edit and without a search.
//!
//! ```
//! use bevy_pathfind::{order::StepRules, world::Grid};
//! use bevy_pathfind::prelude::*;
//!
//! /// Whether a path still leads from each of these cells to the base with a tower on the cells of `tower`.
//! fn leaves_a_path(nav: &NavGrid, tower: CellRect, from: &[GridCell], base: GridCell) -> bool {
//!     let (cells, grid) = (Vec::from_iter(tower.cells()), nav.grid());
//!     let is_cut = |cell| grid.would_disconnect(KindId::default(), StepRules::default(), &cells, cell, base);
//!     !from.iter().any(|&cell| is_cut(cell))
//! }
//!
//! let mut nav = NavGrid::new(Grid::from_ascii(".....\n.###.\n.....").expect("the map is sound"));
//! let (spawn, base) = (GridCell::new(0, 1), GridCell::new(4, 1));
//! let (above, below) = (GridCell::new(2, 0), GridCell::new(2, 2));
//! assert!(leaves_a_path(&nav, CellRect::new(above, above), &[spawn], base), "below the wall it is open");
//! nav.set(above, Terrain::WALL)?;
//! assert!(!leaves_a_path(&nav, CellRect::new(below, below), &[spawn], base), "that would seal it");
//! # Ok::<(), GridError>(())
//! ```
//!
//! - Ask for every spawn point, and for the cells on which agents stand now, so that none is walled in. A wall on a
//!   cell cuts that cell off: refuse a tower on an agent, or leave its cell out (the agent walks off a blocked cell
//!   by itself).
//! - Ask for each kind of agent in the game ([`Agent::kind`]): a wide one may not fit where a small one does.
//! - `StepRules::default()` has eight directions and cuts no corner, as [`SearchOptions`] do by default. Four directions
//!   and the rule `OneFree` join the same cells. If your requests have options of their own, ask with
//!   [`SearchOptions::steps`].
//!
//! Then build: [`NavGrid::fill`] takes effect at once. A carved [`Obstacle`] takes effect in the next
//! [`NavSystems::World`]; where players may place two towers in one tick, fill the cells, or ask for the cells of
//! both together. Agents whose path a tower cuts plan again by themselves; if nothing leads to the base any more,
//! they walk as near as they can ([`PathEndedShort`]), and go on when a tower is sold.
//!
//! # To the base
//!
//! Send agents with `PathRequest::to(base).with_spread(false)` and an [`Avoider`], so that they come to the
//! very point one after another, and despawn them on [`AgentArrived`]. Requests of one tick with the same goal are
//! searched together where that is cheaper. For whichever of several exits is cheapest to reach, use
//! [`NavGoal::any_of`].
//!
//! Where hundreds go to the same base, one [`FlowField`] for all is cheaper than a path for each: spawn
//! `FlowField::to(base)` once, give each agent [`FollowField`] with that entity in place of a request, and despawn it
//! on [`AgentArrived`]. The field is made in the background and repaired after every edit. It is for one kind of
//! agent: make one for each. In the example `tower_defence` there are 5,000 agents: three kinds on the ground, each
//! with a field, and flyers ([`Airborne`]); Space pauses the game, so that towers can be planned.
//!
//! # The nearest target along the path
//!
//! A field also holds the cost of the path from every cell to the nearest of its goals
//! ([`FlowFieldValues::distance`]). One field round the base tells a tower which agent is nearest to it; a field
//! round a hero tells the hero which target it would reach first. A field takes 5 bytes per cell, and the time to
//! make it is in proportion to the cells that can be reached.
//!
//! ```
//! # use bevy::prelude::*;
//! use bevy_pathfind::{order::FlowFieldValues, prelude::*, world::GridTransform};
//!
//! #[derive(Component)]
//! struct Tower {
//!     reach: f32,
//!     target: Option<Entity>,
//! }
//!
//! /// Each tower takes, of the agents within its reach, the one with the shortest path to the base.
//! fn aim(
//!     mut towers: Query<(&Transform, &mut Tower)>,
//!     agents: Query<(Entity, &Transform), With<Agent>>,
//!     map: Single<&GridTransform>,
//!     to_base: Single<&FlowFieldValues>,
//! ) {
//!     for (tower_at, mut tower) in &mut towers {
//!         let mut nearest: Option<(f32, Entity)> = None;
//!         for (agent, at) in &agents {
//!             let is_in_reach = at.translation.distance(tower_at.translation) <= tower.reach;
//!             // `None` outside the grid, in a wall, and where no path leads to the base.
//!             let Some(left) = to_base.distance(map.cell_at(at.translation)) else { continue };
//!             if is_in_reach && nearest.is_none_or(|(least, _)| left < least) {
//!                 nearest = Some((left, agent));
//!             }
//!         }
//!         tower.target = nearest.map(|(_, agent)| agent);
//!     }
//! }
//!
//! fn plug_in(app: &mut App) {
//!     app.add_systems(FixedUpdate, aim.after(NavSystems::Motion));
//! }
//! ```
//!
//! For the nearest of many targets from one place, [`Reach::nearest`](pathfind_core::Reach::nearest) stops when it
//! has found them. For a few starts, [`ManyToOne`](pathfind_core::ManyToOne) stops when it has reached them, and
//! gives whole paths.

use super::links::*;
