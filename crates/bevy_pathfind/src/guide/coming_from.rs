//! Coming from another library: what you know, and what it is called here.
//!
//! # bevy_northstar
//!
//! | there | here |
//! |---|---|
//! | `NorthstarPlugin::<OrdinalNeighborhood>` | [`PathfindPlugins`]; four or eight directions are an option of each request |
//! | `Grid` with `GridSettingsBuilder`, `set_nav`, `build()` | [`NavGrid`]; set cells at any time, there is nothing to build |
//! | `Nav::Passable(cost)`, `Nav::Impassable` | terrain classes, and a [`CostTable`] for each kind of agent |
//! | `AgentPos`, `AgentOfGrid` | the `Transform`; [`OnGrid`] only where it is not clear |
//! | `Pathfind::new_2d(x, y)` | [`PathRequest::to`] a point of the world ([`NavGrid::cell_to_world`]) |
//! | `NextPos`, which your system walks and removes | nothing: an [`Agent`] walks by itself; [`Path::remaining`] for your own walking |
//! | `PathfindingFailed`, rerouting by hand | [`PathFailed`]; agents plan again by themselves when the map changes |
//! | `Blocking` and collision look-ahead | [`Avoider::reciprocal`] for who moves, [`NavObstacle`] for what stands |
//! | HPA\* | no hierarchy: jump point search and connected regions answer large maps without baking |
//!
//! # vleue_navigator
//!
//! | there | here |
//! |---|---|
//! | `NavMesh`, `ManagedNavMesh`, `NavMeshSettings` | [`NavGrid`]: cells instead of polygons |
//! | `NavmeshUpdaterPlugin` with obstacle components | [`NavObstacle`]; only agents whose path is touched plan again |
//! | `navmesh.transformed_path(from, to)`, and a task of your own | [`PathRequest`] as a component; searches are in the background already |
//! | the exact shortest path | `Algorithm::AnyAngle`, exact on the grid |
//! | `agent_radius` of the mesh | an [`AgentSize`] for each kind of agent, several on one map |
//! | moving along the path yourself | [`Agent`], or [`Path::remaining`] |
//!
//! Keep a navmesh where the ground has several floors or its walls lie at odd angles and must be followed exactly: a grid
//! is flat.
//!
//! # landmass (bevy_landmass)
//!
//! | there | here |
//! |---|---|
//! | `Landmass2dPlugin`, `Landmass3dPlugin` | [`PathfindPlugins`]; 2D or 3D is the grid's [`Plane`] |
//! | `Archipelago`, islands | [`NavGrid`]s; an agent walks on the one that it stands over |
//! | `Agent` with `AgentSettings { radius, desired_speed, max_speed }` | [`Agent`] |
//! | `AgentTarget::Point`, `AgentTarget::Entity` | [`PathRequest::to`] either; [`Pursuer`] to chase by sight |
//! | `AgentState` | [`PathStatus`], and events |
//! | `AgentDesiredVelocity` | [`AdjustedVelocity`]; [`DesiredVelocity`] is that before others made way |
//! | writing `Velocity` and moving the body yourself | by default done; see [`physics`](super::physics) for your own |
//! | `Character` | an [`Obstacle`], or an agent without orders |
//! | type indices and their costs | terrain classes and [`CostTable`]s |
//! | `AvoidanceOptions` | the fields of [`Avoider`] |
//!
//! # Godot
//!
//! | there | here |
//! |---|---|
//! | `AStarGrid2D.set_point_solid`, `update()` | [`NavGrid::set`] with [`Terrain::WALL`]; no update |
//! | `set_point_weight_scale` | a terrain class and its cost; jump point search never drops it: the planner takes A\* |
//! | `DIAGONAL_MODE_NEVER` | [`Directions::Four`] |
//! | `DIAGONAL_MODE_ONLY_IF_NO_OBSTACLES` | [`CornerRule::Never`] |
//! | `DIAGONAL_MODE_AT_LEAST_ONE_WALKABLE` | [`CornerRule::OneFree`] |
//! | `DIAGONAL_MODE_ALWAYS` | [`CornerRule::Always`] |
//! | `get_id_path` | [`Path`], or `pathfind_core::solve` without an engine |
//! | `NavigationAgent2D.target_position` | [`PathRequest::to`] |
//! | `get_next_path_position`, `move_and_slide` | nothing: an [`Agent`] walks by itself |
//! | `target_desired_distance` | [`Agent::arrive_radius`], or [`NavGoal::within`] |
//! | `velocity_computed`, `avoidance_enabled` | [`AdjustedVelocity`], [`Avoider::reciprocal`] |
//! | `time_horizon_agents`, `neighbor_distance`, `max_neighbors` | [`Avoider::time_horizon`], [`Avoider::neighbor_range`], [`Avoider::max_neighbors`] |
//! | `navigation_finished`, `target_reached` | [`PathArrived`]; the [`PathOutcome`] says whether it was the goal |
//! | `NavigationObstacle2D` | [`Obstacle`] (seen when near) or [`NavObstacle`] (searched round) |
//! | navigation layers | kinds of agents with cost tables of their own |

use crate::prelude::*;
