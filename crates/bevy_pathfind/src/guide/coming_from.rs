//! Coming from another library: its names, and what they are called here.
//!
//! Names are those of the versions for Bevy 0.19 and 0.20, which have the same names for what is listed here:
//! bevy_northstar 0.7 and 0.8, bevy_flowfield_tiles_plugin 0.15 and 0.16, bevy_landmass 0.12 and 0.13, vleue_navigator
//! 0.16 and 0.17, bevy_rerecast 0.5 and 0.6. Those of oxidized_navigation are of its last release, 0.12, for Bevy 0.15;
//! those of Godot are of Godot 4; those of the A\* Pathfinding Project, for Unity, of its version 5.
//!
//! # bevy_northstar
//!
//! | there | here |
//! |---|---|
//! | `NorthstarPlugin::<OrdinalNeighborhood>` | [`PathfindPlugins`]; four or eight directions are an option of each request, [`SearchOptions::directions`] |
//! | `NoCornerCutting`, `NoCornerClipping`, no filter | [`SearchOptions::corners`]: [`CornerRule::Never`], [`CornerRule::OneFree`], [`CornerRule::Always`] |
//! | diagonal steps that cost as much as straight ones | [`DiagonalCost::One`]; the default is √2 |
//! | `Grid` with `GridSettingsBuilder`, `set_nav`, `build()`, and new requests for agents under way | [`NavGrid`]; set cells at any time, there is nothing to build, and agents whose path is touched plan again |
//! | `Nav::Passable(cost)`, `Nav::Impassable` | terrain classes, and a [`CostTable`] for each kind of agent |
//! | `NavMask`, `AgentMask` | a kind of agent with costs of its own: [`AgentKinds`], [`Agent::kind`] |
//! | `AgentPos`, `AgentOfGrid` | the `Transform`; [`OnGrid`] only where grids lie over one another |
//! | `Pathfind::new_2d(x, y)` | [`PathRequest::to`] a point of the world ([`NavQuery::center`] of a cell) |
//! | `PathfindMode`, `partial()` | [`SearchOptions::algorithm`], [`SearchOptions::allow_partial`] |
//! | `max_distance(n)`, `search_region` | no limit in space; [`SearchOptions::max_expansions`] limits the work |
//! | `max_pathfinding_agents_per_frame` | searches are in the background; with [`SolveMode::Sliced`] [`SolveSettings::expansions_per_frame`] |
//! | `NextPos`, which your system walks and removes | nothing: an [`Agent`] walks by itself; [`NavPath::remaining`] for your own walking |
//! | `Grid::pathfind` in a system | [`NavQuery::path`] |
//! | `PathfindingFailed`, `RerouteFailed` | [`PathFailed`], [`AgentStuck`] |
//! | `Blocking`, `enable_collision()`, `avoidance_distance(n)` | an [`Avoider`] for agents that move, [`Obstacle`] for objects that stand |
//! | chunks of one `Grid` | [`NavGrid`]s that touch: they are joined by themselves; see [`floors`](super::floors) |
//! | `Nav::Portal`, grids in 3D | a [`NavLink`] between cells of two grids, or of one, and [heights](pathfind_core::Grid::with_elevation); see [`floors`](super::floors) |
//! | HPA\* | `Algorithm::Hierarchical`, by itself for goals beyond [`SolveSettings::exact_within`]; nothing is baked |
//!
//! Keep it for cells in three dimensions: flight or swimming among blocks, with up to 26 directions.
//!
//! # bevy_flowfield_tiles_plugin
//!
//! | there | here |
//! |---|---|
//! | `FlowFieldTiles::new(origin, size, world_unit_size, actor_radius)` | [`NavGrid::from_fn`], its `Transform`, and [`NavGrid::with_cell_size`]; sides need not be multiples of ten cells |
//! | another `FlowFieldTiles` for each size of actor | one map; a kind of agent with its [`AgentSize`], and a field [for the kind](FlowField::with_kind) |
//! | costs 1 to 254, and 255 | terrain classes, and a [`CostTable`] for each kind of agent; [`Terrain::WALL`] |
//! | `add_costfield_update_2d(position, cost)` | [`NavQuery::cell_at`] and [`NavGrid::set`], or [`NavGrid::edit`] for many cells at once |
//! | `from_ron`, `from_heightmap` | `.grid.ron` and `.png` as assets (feature `assets`) |
//! | `get_route_2d(from, to)`, whose task each actor polls | [`FlowField::to`] on an entity of its own, and [`FollowField`] on each agent |
//! | `read_flowfield(step)`, `get_2d_dir`, `has_los`, and walking | nothing: an [`Agent`] walks; [`FlowFieldValues::distance`] for your own rules |
//! | a count of ticks without a field, then a new route | nothing: the field is repaired after an edit |
//! | sectors and portals: only sectors on a route have fields | a field covers its grid, with 5 bytes a cell (10 after edits); it does not lead over [`NavLink`]s |
//!
//! # bevy_landmass
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
//! | `PauseAgent` | [`HoldPosition`], which others go round |
//! | `Character2dBundle` | an [`Agent`] that you drive by its [`ManualVelocity`], or an [`Obstacle`] |
//! | `set_type_index_cost`, `AgentTypeIndexCostOverrides` | terrain classes, and a [`CostTable`] for each kind of agent |
//! | `sample_point`, `find_path` | [`NavQuery::ground_at`], [`NavQuery::path`], [`NavQuery::distance`] |
//! | `ArchipelagoOptions { neighbourhood, avoidance_time_horizon, .. }` | [`Avoider::neighbor_range`], [`Avoider::time_horizon`] of each agent |
//! | `AnimationLink2d`, `ReachedAnimationLink2d`, `UsingAnimationLink`, `PermittedAnimationLinks` | [`NavLink`], [`LinkReached`], [`OnLink`], [`NavLink::kinds`]; [`LinkMotion::Custom`] for your own animation |
//!
//! # vleue_navigator
//!
//! | there | here |
//! |---|---|
//! | `NavMesh`, `ManagedNavMesh`, `NavMeshSettings` | [`NavGrid`]: cells instead of polygons |
//! | `NavmeshUpdaterPlugin` with obstacle components, `NavMeshUpdateMode` | [`Obstacle::carved`], at any time, or colliders of avian2d that carve (feature `avian2d`); only agents whose path is touched ask for a new one |
//! | a mesh of a level as ground; obstacles in 3D | [`NavGridBake`]: floors are found by themselves; see [`levels`](super::levels) |
//! | `NavMeshStatus` | nothing to wait for |
//! | `layer`, `stitches` | [`NavGrid`]s that touch, or a [`NavLink`]; see [`floors`](super::floors) |
//! | `navmesh.transformed_path(from, to)`, and a task of your own | [`PathRequest`] as a component, searched in the background; [`NavQuery::path`] for an answer now |
//! | `transformed_is_in_mesh(point)` | [`NavQuery::is_walkable`] |
//! | the exact shortest path | `Algorithm::AnyAngle` with `CornerRule::OneFree` or `Always`, exact on the grid where terrain has one cost |
//! | `NavMeshSettings::agent_radius` | [`Agent::radius`] up to half a cell; for wider bodies an [`AgentSize`] for each kind of agent, several on one map |
//! | moving along the path yourself | [`Agent`], or [`NavPath::remaining`] |
//!
//! Keep a navigation mesh where walls lie at odd angles and must be followed exactly: the walls of a grid are
//! cells.
//!
//! # bevy_rerecast and oxidized_navigation
//!
//! Both make navigation meshes out of a level. bevy_rerecast leaves paths to bevy_landmass (by landmass_rerecast) or
//! vleue_navigator; oxidized_navigation has a search.
//!
//! | there | here |
//! |---|---|
//! | a backend (`Mesh3dBackendPlugin`, `AvianBackendPlugin`); colliders with a `NavMeshAffector` | [`NavGridBake`], and a [`BakeTerrain`] at or above the meshes (feature `meshes`) or colliders (feature `avian3d`); any triangles as a [`BakeSource`]; see [`levels`](super::levels) |
//! | `NavmeshSettings::from_agent_3d(radius, height)` | [`NavGridBake::head_room`]; the radius is that of each [`Agent`], not of the bake |
//! | `walkable_climb`; `step_height` | [`NavGridBake::step`], and [`AgentKind::climb`] for kinds that climb less |
//! | `walkable_slope_angle`; `max_traversable_slope_radians` | [`NavGridBake::max_slope`] |
//! | `area_volumes`; `NavMeshAreaType`, `area_cost_multipliers` | the [`BakeTerrain`] of each source, and a [`CostTable`] for each kind of agent |
//! | off-mesh links | made for ledges and gaps by [`NavGridBake::max_drop`] and [`NavGridBake::max_gap`]; a [`NavLink`] anywhere |
//! | `NavmeshGenerator::generate`, `regenerate`, `NavmeshReady`; `TileGenerated` | [`GridBaked`]; what moves, appears or goes is baked again by itself |
//! | `.nav` files and their editor | a bake is not stored; maps that you make are `.grid.ron`, `.map` and `.png` assets (feature `assets`) |
//! | `oxidized_navigation::query::find_path` | [`PathRequest`], or [`NavQuery::path`] |
//!
//! Keep them where edges that lie at an angle to the cells must be followed exactly, and for levels of more than 2^24
//! cells in one piece.
//!
//! # The A\* Pathfinding Project
//!
//! | there | here |
//! |---|---|
//! | `AstarPath` with a `GridGraph` or `LayerGridGraph`, `Scan()` | [`NavGrid`], or a [`NavGridBake`] that finds the floors |
//! | `RecastGraph` | [`NavGridBake`]: cells instead of polygons |
//! | `GraphUpdateObject`, `UpdateGraphs(bounds)` | [`NavGrid::set`], [`NavGrid::edit`]; sources of a bake just move |
//! | `DynamicObstacle`, `NavmeshCut` | [`Obstacle::carved`] |
//! | `ProceduralGraphMover` | [`NavGrid`]s that touch, spawned and despawned as you go; see [`floors`](super::floors) |
//! | `NodeLink2`, `onTraverseOffMeshLink` | [`NavLink`], [`LinkReached`]; [`LinkMotion::Custom`] for your own animation |
//! | tags, penalties, `traversableTags`, `tagPenalties` | terrain classes, and a [`CostTable`] for each kind of agent; [`InfluenceLayers`] for danger that comes and goes |
//! | `FollowerEntity`, `AIPath`, `AILerp`, `RichAI` | [`Agent`] |
//! | `destination`, `AIDestinationSetter`, `Patrol` | [`PathRequest::to`] a point or an entity, [`GoalQueue`] |
//! | `isStopped`, `reachedDestination` | [`HoldPosition`], [`PathStatus`] and [`AgentArrived`] |
//! | `Seeker.StartPath`, `ABPath` | [`PathRequest`], or [`NavQuery::path`] for an answer now |
//! | `MultiTargetPath` | [`NavGoal::any_of`]; [`NavQuery::nearest`], [`NavQuery::nearest_for_each`] |
//! | `FloodPath` and `FloodPathTracer`; `ConstantPath` | [`FlowField`] and [`FollowField`]; [`NavQuery::best_cells`] |
//! | `FleePath` | [`Fugitive`], which looks for ways out instead of for distance |
//! | `FunnelModifier`, `RaycastModifier` | nothing: paths are straightened; `Algorithm::AnyAngle` for the shortest |
//! | `RVOController`, `RVOSimulator`; `locked` | an [`Avoider`]; [`HoldPosition`] |
//! | `GetNearest`, `Linecast`, `PathUtilities.IsPathPossible` | [`NavQuery::ground_at`], [`NavQuery::sees`], [`NavQuery::distance`] |
//!
//! # Hex grids, and free space
//!
//! Cells here are squares. For hex grids take [`hexx`](https://docs.rs/hexx), which has paths, ranges and fields of
//! view. There is no search through free space: an [`Airborne`] agent flies straight at its goal, one that
//! is [`LowFlying`] by the paths of its grid.
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
