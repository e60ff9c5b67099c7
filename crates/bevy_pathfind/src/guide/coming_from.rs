//! Coming from another library: what you know, and what it is called here.
//!
//! Names are those of the versions for Bevy 0.19 (bevy_northstar 0.7, vleue_navigator 0.16, bevy_landmass 0.12), and of
//! Godot 4.
//!
//! # bevy_northstar
//!
//! | there | here |
//! |---|---|
//! | `NorthstarPlugin::<OrdinalNeighborhood>` | [`PathfindPlugins`]; four or eight directions are an option of each request |
//! | `Grid` with `GridSettingsBuilder`, `set_nav`, `build()` | [`NavGrid`]; set cells at any time, there is nothing to build |
//! | `Nav::Passable(cost)`, `Nav::Impassable` | terrain classes, and a [`CostTable`] for each kind of agent |
//! | `NavMask`, `AgentMask` | a kind of agents with costs of its own: [`NavGrid::add_kind`], [`Agent::kind`] |
//! | `AgentPos`, `AgentOfGrid` | the `Transform`; [`OnGrid`] only where it is not clear |
//! | `Pathfind::new_2d(x, y)` | [`PathRequest::to`] a point of the world ([`NavGrid::cell_to_world`]) |
//! | `PathfindMode`, `partial()` | [`SearchOptions::algorithm`], [`SearchOptions::allow_partial`] |
//! | `max_distance(n)` | [`SearchOptions::max_expansions`] |
//! | `NextPos`, which your system walks and removes | nothing: an [`Agent`] walks by itself; [`NavPath::remaining`] for your own walking |
//! | `PathfindingFailed`, `RerouteFailed` | [`PathFailed`], [`PathStuck`]; agents plan again by themselves when the map changes |
//! | `Blocking`, `enable_collision()`, `avoidance_distance(n)` | [`Avoider::reciprocal`] for who moves, [`GridObstacle`] for what stands |
//! | `Nav::Portal`, grids in 3D | nothing: a grid is flat, and has no portals |
//! | HPA\* | no hierarchy: jump point search and connected regions answer large maps without baking |
//!
//! # vleue_navigator
//!
//! | there | here |
//! |---|---|
//! | `NavMesh`, `ManagedNavMesh`, `NavMeshSettings` | [`NavGrid`]: cells instead of polygons |
//! | `NavmeshUpdaterPlugin` with obstacle components, `NavMeshUpdateMode` | [`GridObstacle`], at any time; only agents whose path is touched plan again |
//! | `navmesh.transformed_path(from, to)`, and a task of your own | [`PathRequest`] as a component; searches are in the background already |
//! | the exact shortest path | `Algorithm::AnyAngle`, exact on the grid |
//! | `NavMeshSettings::agent_radius` | an [`AgentSize`] for each kind of agent, several on one map |
//! | moving along the path yourself | [`Agent`], or [`NavPath::remaining`] |
//!
//! Keep a navmesh where the ground has several floors or its walls lie at odd angles and must be followed exactly: a grid
//! is flat.
//!
//! # landmass (bevy_landmass)
//!
//! | there | here |
//! |---|---|
//! | `Landmass2dPlugin`, `Landmass3dPlugin` | [`PathfindPlugins`]; 2D or 3D is the grid's [`Plane`] |
//! | `Archipelago2d`, islands | [`NavGrid`]s; an agent walks on the one that it stands over, and not from one to another |
//! | `Agent2dBundle` with `AgentSettings { radius, desired_speed, max_speed }` | [`Agent`] |
//! | `AgentTarget2d::Point`, `AgentTarget2d::Entity` | [`PathRequest::to`] either; [`Pursuer`] to chase by sight |
//! | `AgentState` | [`PathStatus`], and events |
//! | `TargetReachedCondition` | [`Agent::arrive_radius`], or [`NavGoal::within`] |
//! | `AgentDesiredVelocity2d` | [`AdjustedVelocity`]; [`DesiredVelocity`] is that before others made way |
//! | writing `Velocity2d` and moving the body yourself | by default done; see [`physics`](super::physics) for your own |
//! | `Character2dBundle` | an [`Obstacle`], or an agent without orders |
//! | `set_type_index_cost`, `AgentTypeIndexCostOverrides` | terrain classes, and a [`CostTable`] for each kind of agent |
//! | `ArchipelagoOptions { neighbourhood, avoidance_time_horizon, .. }` | [`Avoider::neighbor_range`], [`Avoider::time_horizon`] of each agent |
//! | `AnimationLink2d` | nothing: ways lead over the grid alone |
//!
//! # Godot
//!
//! | there | here |
//! |---|---|
//! | `AStarGrid2D` with `region`, `cell_size`, `offset`, `update()` | [`NavGrid`], [`NavGrid::with_cell_size`] and its `Transform`; no update |
//! | `set_point_solid`, `fill_solid_region` | [`NavGrid::set`], [`NavGrid::fill`] with [`Terrain::WALL`] |
//! | `set_point_weight_scale` | a terrain class and its cost; jump point search never drops it: the planner takes A\* |
//! | `DIAGONAL_MODE_NEVER` | [`Directions::Four`] |
//! | `DIAGONAL_MODE_ONLY_IF_NO_OBSTACLES` | [`CornerRule::Never`] |
//! | `DIAGONAL_MODE_AT_LEAST_ONE_WALKABLE` | [`CornerRule::OneFree`] |
//! | `DIAGONAL_MODE_ALWAYS` | [`CornerRule::Always`] |
//! | `get_id_path`, `get_point_path` | [`NavPath`], or `pathfind_core::solve` without an engine |
//! | `NavigationAgent2D.target_position` | [`PathRequest::to`] |
//! | `get_next_path_position`, `move_and_slide` | nothing: an [`Agent`] walks by itself |
//! | `target_desired_distance` | [`Agent::arrive_radius`], or [`NavGoal::within`] |
//! | `velocity_computed`, `avoidance_enabled` | [`AdjustedVelocity`], [`Avoider::reciprocal`] |
//! | `time_horizon_agents`, `neighbor_distance`, `max_neighbors` | [`Avoider::time_horizon`], [`Avoider::neighbor_range`], [`Avoider::max_neighbors`] |
//! | `navigation_finished`, `target_reached` | [`PathArrived`]; at the end of a partial path [`PathEndedShort`] |
//! | `NavigationObstacle2D` | [`Obstacle`] (seen when near) or [`GridObstacle`] (searched round) |
//! | navigation layers | kinds of agents with cost tables of their own |

use crate::prelude::*;
