//! Grid pathfinding and steering for Bevy: agents find paths round walls, pursue targets, avoid each other, and
//! replan when the map changes.
//!
#![doc = include_str!("guide/pictures/crowd.html")]
//!
//! # The three main components
//!
//! - A [`NavGrid`](world::NavGrid) is a map of cells; the `Transform` of its entity places it in the world. 2D and 3D
//!   use the same types: the grid's [`GridPlane`](world::GridPlane) says in which plane of the entity the cells lie.
//! - An [`Agent`](agent::Agent) is a body with a top speed, an acceleration and a turn rate.
//! - An order says where the agent is to go: a [`PathRequest`](order::PathRequest) sends it to a point, a
//!   [`Pursuer`](steer::Pursuer) lets it chase another entity, [`FollowField`](order::FollowField) lets it follow a
//!   [`FlowField`](order::FlowField) with any number of others. An order for a group moves all its members in
//!   [`Formation`](steer::Formation).
//!
//! # Example
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_pathfind::prelude::*;
//!
//! fn setup(mut commands: Commands) {
//!     commands.spawn(NavGrid::from_ascii("..#..\n..#..\n.....").expect("a map").with_plane(GridPlane::Xy));
//!     let prey = commands.spawn((Agent::default(), Transform::from_xyz(4.5, 0.5, 0.0))).id();
//!     commands.spawn((Pursuer::line_of_sight(prey), Transform::from_xyz(0.5, 0.5, 0.0)));
//!     commands.entity(prey).go_to(Vec3::new(4.5, 2.5, 0.0));
//! }
//!
//! App::new()
//!     .add_plugins((MinimalPlugins, PathfindPlugins::default())) // DefaultPlugins in a game
//!     .add_systems(Startup, setup)
//!     .add_observer(|caught: On<CaughtTarget>| println!("{} has caught its target", caught.entity))
//! #   .add_systems(Update, |mut exit: MessageWriter<AppExit>| { exit.write(AppExit::Success); })
//!     .run();
//! ```
//!
//! # From order to movement
//!
//! Each of these components or steps produces the next one. The second line names the stages that do this:
//!
//! ```text
//! Pursuer ─▶ PathRequest ─▶ search ─▶ NavPath ─▶ DesiredVelocity ─▶ AdjustedVelocity ─▶ Transform
//!            request        solve             steer                                  motion
//! ```
//!
//! Every outcome is an event on the agent's entity: [`PathFound`](order::PathFound),
//! [`PathFailed`](order::PathFailed), [`AgentArrived`](order::AgentArrived), [`PathEndedShort`](order::PathEndedShort),
//! [`PathInvalidated`](order::PathInvalidated), [`AgentStuck`](order::AgentStuck),
//! [`LinkReached`](order::LinkReached), [`LinkCrossed`](order::LinkCrossed), [`QueueFinished`](order::QueueFinished),
//! [`CaughtTarget`](steer::CaughtTarget), [`CaughtBy`](steer::CaughtBy), [`LostTarget`](steer::LostTarget),
//! [`FugitiveCornered`](steer::FugitiveCornered), [`CellsFound`](order::CellsFound),
//! [`CellRequestFailed`](order::CellRequestFailed), [`AgentInvalid`](steer::AgentInvalid),
//! [`AgentRecovered`](steer::AgentRecovered). The present state of a request is its
//! [`PathStatus`](order::PathStatus).
//!
//! # The stages of a tick
//!
//! Each run of the schedule (`FixedUpdate` by default; [`PathfindPlugins::new`] takes another) goes once
//! through five sets of [`NavSystems`], in this order:
//!
//! 1. **`World`** computes where each grid lies from its `Transform` and its parents', joins grids that touch
//!    ([`JoinedGrid`](world::JoinedGrid)), and writes the terrain of carved [`Obstacle`](world::Obstacle)s into the
//!    cells that they cover.
//! 2. **`Request`** queues each [`PathRequest`](order::PathRequest) that is new or changed, and cancels the search of
//!    each that was removed.
//! 3. **`Solve`** first looks at the edits since the last tick, and requests a new path for each agent on whose
//!    remaining path something changed, and for each agent whose goal could not be reached on the map before the
//!    edits. Then it collects finished searches and starts waiting ones, earliest due time first (see
//!    [`PathRequest`](order::PathRequest)). A search gets an `Arc` of the grid as it is now, and runs on Bevy's
//!    `AsyncComputeTaskPool`. The answer to a removed request is dropped. If the map has changed during the search,
//!    the request is queued again, unless the path found reaches the goal and no edit touches it.
//! 4. **`Steer`** reads the positions of all agents into arrays, in the order of their [`AgentId`](agent::AgentId)s,
//!    and builds one spatial index for all neighbour queries. Paths, targets ([`Pursuer`](steer::Pursuer)), simple
//!    behaviours ([`Behavior`](steer::Behavior)), [`ManualVelocity`](steer::ManualVelocity)s and flocks
//!    ([`Flock`](steer::Flock)) each propose a velocity or an acceleration. An agent's acceleration is limited, so
//!    each proposal gets what those of higher priority leave of it. The order is: avoiding obstacles
//!    ([`Avoider`](steer::Avoider)), keeping distance ([`Separation`](steer::Separation)), the goal, the flock. Then
//!    agents avoid each other (ORCA). The [`SteeringBreakdown`](steer::SteeringBreakdown) of an agent holds what each
//!    contributed.
//! 5. **`Motion`** moves the `Transform`, slides along walls and [`Obstacle`](world::Obstacle)s, pushes apart bodies
//!    that overlap, and turns each body.
//!
//! A sixth set, **`Show`**, draws gizmos and measures in `PostUpdate`; no other stage reads its results.
//!
//! With [`SolveMode::Background`](solve::SolveMode) the path found is always the same, but the tick in which it
//! arrives depends on the speed of the machine. [`SolveMode::Inline`](solve::SolveMode) answers each request in the
//! tick in which it is made, so that runs with the same input are bit-identical.
//!
//! # Layers
//!
//! The modules form layers, and each uses only those before it: private modules of shared helpers, settings and stage
//! labels, then [`world`], [`agent`], [`order`], [`solve`], [`steer`], [`motion`], then [`AgentCommands`],
//! `presets` and [`show`], and last [`PathfindPlugins`].
//!
//! # Further reading
//!
//! The [`guide`] has a page for each topic: the [world](guide::world), [levels](guide::levels),
//! [requests](guide::requests), [steering](guide::steering), [groups](guide::groups), [presets](guide::presets),
//! [physics](guide::physics), [determinism and lockstep](guide::determinism), [saving](guide::saving),
//! [pausing](guide::pausing), [a behaviour of your own](guide::own_behaviour), [tower defence](guide::tower_defence),
//! [several floors](guide::floors), [coming from another library](guide::coming_from), [benchmarks](guide::benchmarks),
//! and, when nothing moves or everything jerks, [troubleshooting](guide::troubleshooting) by symptom.
//!
//! # Versions
//!
//! | `bevy_pathfind` | Bevy | avian | bevy_egui | Rust |
//! |---|---|---|---|---|
//! | 0.2 | 0.20 | 0.8 | 0.43 | 1.97.1 |
//! | 0.1 | 0.19 | 0.7 | 0.40 | 1.95 |
//!
//! # Features
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `multi_threaded` | yes | searches on the task pool; without it they run in slices on the main thread |
//! | `gizmos` | yes | drawing grids, paths and searches |
//! | `assets` | no | grids as assets: `.map`, `.grid.ron`, `.png`, hot reload; see [`world::files`] |
//! | `ldtk`, `tiled` | no | levels of the editors LDtk (`.ldtk`) and Tiled (`.tmx`); see [`world::files`] |
//! | `meshes` | no | Bevy's meshes are geometry to bake from: see [`NavGridBake`](world::NavGridBake) |
//! | `avian2d`, `avian3d` | no | colliders of avian are obstacles for avoiders, and it moves the agents that are its bodies; see [`guide::physics`]. Colliders of avian2d can be carved, those of avian3d baked |
//! | `presets` | yes | presets: settings of agents in files, as assets with hot reload, which can be saved |
//! | `panel` | no | the panel: sliders for every setting, presets, read-outs, plots, with egui |

#![cfg_attr(docsrs, feature(doc_cfg))]

// Documentation pages; they exist only for rustdoc.
#[cfg(doc)]
pub mod guide;

// The modules are declared in the order of their layers: each uses only those before it.

// Shared helpers, settings and stage labels, which every layer may use.
mod attributes;
mod bevy_version;
mod numbers;
mod settings;
mod template;
mod warnings;

mod parallel;
mod rows;
mod stage;

pub mod world;

// The components that all stages use: the agent's body, and its orders. With these, the stage that accepts requests.
pub mod agent;
pub mod order;

// The other stages of a tick, in running order.
pub mod solve;
pub mod steer;

pub mod motion;

// Settings of agents as files, then gizmos, diagnostics and the panel.
#[cfg(feature = "presets")]
pub mod presets;
pub mod show;

mod agent_commands;
mod plugins;

pub use agent_commands::AgentCommands;
pub use plugins::PathfindPlugins;
pub use settings::NavSettings;
pub use stage::NavSystems;

/// The types that nearly every application names. Everything else has a path: [`world`], [`agent`], [`order`],
/// [`solve`], [`steer`], [`presets`], [`show`].
pub mod prelude {
    pub use crate::AgentCommands;
    pub use crate::agent::{AdjustedVelocity, Agent, AgentFacing, AgentId, AgentVelocity, Vehicle};
    pub use crate::order::{
        AgentArrived, AgentStuck, Breacher, FlowField, FollowField, GoalQueue, LinkCrossed, LinkReached,
        NavGoal, NavPath, OnLink, PathBlocked, PathEndedShort, PathError, PathFailed, PathFound, PathRequest,
        PathStatus, QueueFinished, Reservation, SearchOptions, SlotClaim, TargetSlots,
    };
    pub use crate::plugins::PathfindPlugins;
    #[cfg(feature = "presets")]
    pub use crate::presets::PresetOf;
    pub use crate::settings::NavSettings;
    #[cfg(feature = "panel")]
    pub use crate::show::panel::NavPanelPlugin;
    pub use crate::show::{InterpolateTransform, NavGizmos};
    pub use crate::solve::NavQuery;
    pub use crate::stage::NavSystems;
    pub use crate::steer::{
        AddSteering, Avoider, Behavior, CaughtBy, CaughtTarget, Flock, FlockLeader, FlockOf, Formation,
        FormationOf, HoldPosition, LostTarget, ManualVelocity, Pursuer, Separation, SteeringGoal, SteeringId,
    };
    #[cfg(feature = "assets")]
    pub use crate::world::files::NavGridSource;
    pub use crate::world::{
        AgentKind, AgentKinds, AgentSize, Airborne, BakeTerrain, CellRect, GridBaked, GridCell, GridError,
        GridInfluence, GridPlane, GroundOffset, InfluenceCost, InfluenceId, InfluenceLayers, InfluenceSource,
        KindId, LinkMotion, LowFlying, NavGrid, NavGridBake, NavLink, Obstacle, OnGrid, Terrain,
    };
}

/// The README's code blocks, compiled as doc-tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
