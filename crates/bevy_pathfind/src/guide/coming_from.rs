//! Coming from another library: its names, and what they are called here.
//!
//! Names are those of the versions for Bevy 0.19 (bevy_northstar 0.7, vleue_navigator 0.16, bevy_landmass 0.12), and
//! of Godot 4.
//!
//! # bevy_northstar
//!
//! | there | here |
//! |---|---|
//! | `NorthstarPlugin::<OrdinalNeighborhood>` | [`PathfindPlugins`]; four or eight directions are an option of each request |
//! | `Grid` with `GridSettingsBuilder`, `set_nav`, `build()` | [`NavGrid`]; set cells at any time, there is nothing to build |
//! | `Nav::Passable(cost)`, `Nav::Impassable` | terrain classes, and a [`CostTable`] for each kind of agent |
//! | `NavMask`, `AgentMask` | a kind of agent with costs of its own: [`AgentKinds`], [`Agent::kind`] |
//! | `AgentPos`, `AgentOfGrid` | the `Transform`; [`OnGrid`] only where grids lie over one another |
//! | `Pathfind::new_2d(x, y)` | [`PathRequest::to`] a point of the world ([`NavQuery::center`] of a cell) |
//! | `PathfindMode`, `partial()` | [`SearchOptions::algorithm`], [`SearchOptions::allow_partial`] |
//! | `max_distance(n)` | [`SearchOptions::max_expansions`] |
//! | `NextPos`, which your system walks and removes | nothing: an [`Agent`] walks by itself; [`NavPath::remaining`] for your own walking |
//! | `PathfindingFailed`, `RerouteFailed` | [`PathFailed`], [`AgentStuck`]; agents ask for a new path by themselves when the map changes |
//! | `Blocking`, `enable_collision()`, `avoidance_distance(n)` | an [`Avoider`] for agents that move, [`Obstacle`] for objects that stand |
//! | chunks of one `Grid` | [`NavGrid`]s that touch: they are joined by themselves; see [`floors`](super::floors) |
//! | `Nav::Portal`, grids in 3D | a [`NavLink`] between cells of two grids, or of one, and [heights](pathfind_core::Grid::with_elevation); see [`floors`](super::floors) |
//! | HPA\* | `Algorithm::Hierarchical`, by itself for goals beyond [`SolveSettings::exact_within`]; nothing is baked |
//!
//! # vleue_navigator
//!
//! | there | here |
//! |---|---|
//! | `NavMesh`, `ManagedNavMesh`, `NavMeshSettings` | [`NavGrid`]: cells instead of polygons |
//! | `NavmeshUpdaterPlugin` with obstacle components, `NavMeshUpdateMode` | [`Obstacle`], at any time; only agents whose path is touched ask for a new one |
//! | `navmesh.transformed_path(from, to)`, and a task of your own | [`PathRequest`] as a component; searches are in the background already |
//! | the exact shortest path | `Algorithm::AnyAngle` with `CornerRule::OneFree` or `Always`, exact on the grid where terrain has one cost |
//! | `NavMeshSettings::agent_radius` | [`Agent::radius`] up to half a cell; for wider bodies an [`AgentSize`] for each kind of agent, several on one map |
//! | moving along the path yourself | [`Agent`], or [`NavPath::remaining`] |
//!
//! Keep a navigation mesh where walls lie at odd angles and must be followed exactly: the walls of a grid are
//! cells.
//!
//! # landmass (bevy_landmass)
//!
//! | there | here |
//! |---|---|
//! | `Landmass2dPlugin`, `Landmass3dPlugin` | [`PathfindPlugins`]; 2D or 3D is the grid's [`GridPlane`] |
//! | `Archipelago2d`, islands | [`NavGrid`]s; an agent walks on the one below or above it, and crosses to another over a [`NavLink`], or over the seam where they touch; see [`floors`](super::floors) |
//! | `Agent2dBundle` with `AgentSettings { radius, desired_speed, max_speed }` | [`Agent`] |
//! | `AgentTarget2d::Point`, `AgentTarget2d::Entity` | [`PathRequest::to`] with either; [`Pursuer`] to chase by sight |
//! | `AgentState` | [`PathStatus`], and events |
//! | `TargetReachedCondition` | [`Agent::arrive_radius`], or [`NavGoal::within`] |
//! | `AgentDesiredVelocity2d` | [`AdjustedVelocity`], limited by the acceleration; [`DesiredVelocity`] is the velocity before avoidance |
//! | writing `Velocity2d` and moving the body yourself | nothing: [`MotionPlugin`] does it; see [`physics`](super::physics) to do it yourself |
//! | `Character2dBundle` | an [`Obstacle`], or an agent without a request |
//! | `set_type_index_cost`, `AgentTypeIndexCostOverrides` | terrain classes, and a [`CostTable`] for each kind of agent |
//! | `ArchipelagoOptions { neighbourhood, avoidance_time_horizon, .. }` | [`Avoider::neighbor_range`], [`Avoider::time_horizon`] of each agent |
//! | `AnimationLink2d`, `ReachedAnimationLink2d`, `UsingAnimationLink` | [`NavLink`], [`LinkReached`], [`OnLink`]; [`LinkMotion::Custom`] for your own animation |
//!
//! # Godot
//!
//! | there | here |
//! |---|---|
//! | `AStarGrid2D` with `region`, `cell_size`, `offset`, `update()` | [`NavGrid`], [`NavGrid::with_cell_size`] and its `Transform`; no update |
//! | `set_point_solid`, `fill_solid_region` | [`NavGrid::set`], [`NavGrid::fill`] with [`Terrain::WALL`] |
//! | `set_point_weight_scale` | a terrain class and its cost, which always counts: with costs `Auto` jumps inside wide areas of one cost, and takes A\* where costs change from cell to cell |
//! | `DIAGONAL_MODE_NEVER` | [`Directions::Four`] |
//! | `DIAGONAL_MODE_ONLY_IF_NO_OBSTACLES` | [`CornerRule::Never`] |
//! | `DIAGONAL_MODE_AT_LEAST_ONE_WALKABLE` | [`CornerRule::OneFree`] |
//! | `DIAGONAL_MODE_ALWAYS` | [`CornerRule::Always`] |
//! | `get_id_path`, `get_point_path` | [`NavPath`], or `pathfind_core::solve` without an engine |
//! | `NavigationAgent2D.target_position` | [`PathRequest::to`] |
//! | `get_next_path_position`, `move_and_slide` | nothing: an [`Agent`] walks by itself |
//! | `target_desired_distance` | [`Agent::arrive_radius`], or [`NavGoal::within`] |
//! | `velocity_computed`, `avoidance_enabled` | [`AdjustedVelocity`], an [`Avoider`] |
//! | `time_horizon_agents`, `neighbor_distance`, `max_neighbors` | [`Avoider::time_horizon`], [`Avoider::neighbor_range`], [`Avoider::max_neighbors`] |
//! | `navigation_finished`, `target_reached` | [`AgentArrived`]; at the end of a partial path [`PathEndedShort`] |
//! | `NavigationObstacle2D` | [`Obstacle`]: avoided when near, or [carved](Obstacle::carved), so that paths lead round it |
//! | `NavigationLink2D`, `bidirectional`, `enter_cost`, `link_reached` | [`NavLink`], [`NavLink::both_ways`], [`NavLink::cost`], [`LinkReached`] |
//! | `NavigationRegion2D`s whose edges connect (`edge_connection_margin`) | [`NavGrid`]s that touch edge to edge; see [`floors`](super::floors) |
//! | navigation layers | kinds of agents, each with its own cost table |

use super::links::*;
