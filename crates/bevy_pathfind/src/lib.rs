//! Bevy agents that find their way: round walls, after a target, on maps that change while they walk.
//!
//! ![An army that marches through the gates of a town](https://raw.githubusercontent.com/bevy-pathfind/bevy_pathfind/main/assets/gallery/crowd.png)
//!
//! # Three nouns
//!
//! - A [`NavGrid`](world::NavGrid) is a map of cells on an entity; the entity's `Transform` says where it
//!   lies. 2D or 3D is a question of its [`Plane`](world::Plane), not of other types.
//! - An [`Agent`](motion::Agent) is a body with a top speed, an acceleration and a turn rate.
//! - An order says where it shall go: a [`PathRequest`](request::PathRequest) to a point, or a
//!   [`Pursuer`](steer::Pursuer) after an entity.
//!
//! # Start
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_pathfind::prelude::*;
//!
//! fn setup(mut commands: Commands) {
//!     commands.spawn(NavGrid::new(Grid::from_ascii("..#..\n..#..\n.....").expect("a map")));
//!     let prey = commands.spawn((Agent::default(), Transform::from_xyz(4.5, 0.5, 0.0))).id();
//!     commands.spawn((Pursuer::line_of_sight(prey), Transform::from_xyz(0.5, 0.5, 0.0)));
//!     commands.entity(prey).insert(PathRequest::to(Vec3::new(4.5, 2.5, 0.0)));
//! }
//!
//! App::new()
//!     .add_plugins((MinimalPlugins, PathfindPlugins::default())) // DefaultPlugins in a game
//!     .add_systems(Startup, setup)
//!     .add_observer(|caught: On<TargetCaught>| println!("{} has it", caught.entity))
//! #   .add_systems(Update, |mut exit: MessageWriter<AppExit>| { exit.write(AppExit::Success); })
//!     .run();
//! ```
//!
//! # The flow
//!
//! ```text
//! Pursuer ─▶ PathRequest ─▶ search ─▶ NavPath ─▶ DesiredVelocity ─▶ AdjustedVelocity ─▶ Transform
//!            request        solve             steer                                  motion
//! ```
//!
//! Everything an agent is told comes as an event on its entity: [`PathFound`](solve::PathFound),
//! [`PathFailed`](solve::PathFailed), [`PathArrived`](solve::PathArrived),
//! [`PathEndedShort`](solve::PathEndedShort),
//! [`PathInvalidated`](solve::PathInvalidated), [`PathStuck`](solve::PathStuck), [`TargetCaught`](steer::TargetCaught),
//! [`TargetLost`](steer::TargetLost), [`TargetAbandoned`](steer::TargetAbandoned),
//! [`AgentInvalid`](steer::AgentInvalid), [`AgentRecovered`](steer::AgentRecovered). How a request stands
//! now is its [`PathStatus`](solve::PathStatus).
//!
//! # How does it work?
//!
//! Each run of the schedule (`FixedUpdate` by default; [`PathfindPlugins::new`] takes another) goes once
//! through five sets of [`NavSystems`], in this order:
//!
//! 1. **`World`** works out where each grid lies from its `Transform` and its parents', and lays on it what
//!    [`GridObstacle`](world::GridObstacle)s cover.
//! 2. **`Request`** closes the tickets of requests that were removed, and opens one for each request that
//!    is new or changed. A ticket owns the work for it: closing it ends the work.
//! 3. **`Solve`** first looks at what was edited since the last tick, and asks for a new path for those
//!    agents on whose remaining way something changed, and for those whom the map had kept from their
//!    goal. Then it collects finished searches, and starts those that are first in line: those whose time
//!    is up first (see [`PathRequest`](request::PathRequest)). A search gets an `Arc` of the grid as it is now, and runs on Bevy's
//!    `AsyncComputeTaskPool`; an answer for a request that was withdrawn dies, one for a map that has
//!    changed goes back in line, unless the edits missed it.
//! 4. **`Steer`** reads where all agents are into arrays, in the order of their [`AgentId`](motion::AgentId)s, and
//!    sorts them by place for all who ask for neighbours. Paths, targets ([`Pursuer`](steer::Pursuer)), simple
//!    behaviours ([`Behavior`](steer::Behavior)), [`SteeringOverride`](steer::SteeringOverride) wishes and flocks
//!    ([`Flock`](steer::Flock)) state their wishes. They are served in order until the tick's acceleration is
//!    spent: off obstacles ([`Avoider`](steer::Avoider)), off others ([`Separation`](steer::Separation)), to the
//!    goal, with the flock. Then agents make way for each other. Why an agent turns can be read from its
//!    [`SteeringBreakdown`](steer::SteeringBreakdown).
//! 5. **`Motion`** moves the `Transform`, slides along walls and [`Obstacle`](world::Obstacle)s, pushes bodies that
//!    overlap apart, and turns each body.
//!
//! **`Show`** draws and measures in `PostUpdate`; nothing reads what it does.
//!
//! With [`SolveMode::Background`](solve::SolveMode) the tick in which an answer comes depends on the
//! machine, the answer does not. [`SolveMode::Inline`](solve::SolveMode) answers in the same tick, so that
//! a run with the same input is the same, bit by bit.
//!
//! # Where to go on
//!
//! The [`guide`] has a page for each topic: the [world](guide::world), [requests](guide::requests),
//! [steering](guide::steering), [presets](guide::presets), [physics](guide::physics),
//! [determinism and lockstep](guide::determinism), [coming from another library](guide::coming_from), and, when
//! nothing moves or everything jerks, [troubleshooting](guide::troubleshooting) by symptom.
//!
//! # Versions
//!
//! | `bevy_pathfind` | Bevy | avian | bevy_egui | Rust |
//! |---|---|---|---|---|
//! | 0.1 | 0.19 | 0.7 | 0.40 | 1.95 |
//!
//! # Features
//!
//! | feature | default | brings |
//! |---|---|---|
//! | `multi_threaded` | yes | searches on the task pool; without it they are sliced on the main thread |
//! | `gizmos` | yes | drawing grids, paths and searches |
//! | `assets` | no | grids as assets: `.map`, `.grid.ron`, `.png`, hot reload; see [`world::files`] |
//! | `avian2d`, `avian3d` | no | colliders of avian 0.7 are obstacles for avoiders, where its plugins are added |
//! | `presets` | yes | settings of agents as files: assets with hot reload, and saving |
//! | `panel` | no | the panel: sliders for every setting, presets, read-outs, plots, with egui |

#![cfg_attr(docsrs, feature(doc_cfg))]

// For readers.
#[cfg(doc)]
pub mod guide;

// Modules in the order of their layers: each uses those above it, and none below.

// What every stage may use.
mod mirror;
mod numbers;
mod settings;
mod template;
mod warnings;

mod parallel;
mod rows;
mod stage;

pub mod world;

// The vocabulary of the stages: a body, and what is asked of it.
pub mod agent;
pub mod order;

// The stages of a tick, in running order.
pub mod request;
pub mod solve;
pub mod steer;

pub mod motion;

// Settings as files, and what the stages do, made visible.
#[cfg(feature = "presets")]
pub mod presets;
pub mod show;

mod plugins;

pub use pathfind_core;
pub use plugins::PathfindPlugins;
pub use settings::NavSettings;
pub use stage::NavSystems;

/// All that an application needs, the core's grid types included.
pub mod prelude {
    pub use crate::settings::NavSettings;
    pub use pathfind_core::{
        AgentKind, AgentSize, Cell, CellRect, CostTable, Grid, GridEdit, GridError, KindId, Terrain,
        TextError,
    };

    pub use crate::agent::{AdjustedVelocity, Agent, AgentId, AgentVelocity, DesiredVelocity, Facing};
    pub use crate::motion::MotionPlugin;
    pub use crate::order::{
        Algorithm, Arrival, CornerRule, DefaultSearch, DiagonalCost, Directions, GoalError, GoalPoints,
        Heuristic, NavGoal, NavPath, PartialReason, PathArrived, PathEndedShort, PathError, PathFailed,
        PathFound, PathInvalidated, PathOutcome, PathRequest, PathStatus, PathStuck, PathYielded,
        ReplanReason, SearchOptions,
    };
    pub use crate::plugins::PathfindPlugins;
    #[cfg(feature = "presets")]
    pub use crate::presets::{Preset, PresetFiles, PresetOf, PresetsPlugin};
    pub use crate::request::RequestPlugin;
    #[cfg(feature = "panel")]
    pub use crate::show::panel::{NavPanel, NavPanelPlugin, reflect_ui};
    pub use crate::show::{InterpolateTransform, ShowPlugin, SolveDiagnostics};
    #[cfg(feature = "gizmos")]
    pub use crate::show::{MotionGizmos, NavGizmoSettings, SolveGizmos, SteerGizmos, WorldGizmos};
    pub use crate::solve::{LastSearch, ReplanSettings, SolveMode, SolvePlugin, SolveSettings, SolveStats};
    pub use crate::stage::NavSystems;
    pub use crate::steer::{
        AgentAvoidance, AgentInvalid, AgentRecovered, AvoidProbe, Avoider, Behavior, BehaviorKind,
        BehaviorTarget, Flock, FlockLeader, FlockMembers, FlockModel, FlockOf, FlockStats, GoalSource,
        InterceptForecast, InvalidAgent, ObstacleAvoidance, Pursuer, PursuitAim, PursuitMode, Separation,
        SteerPlugin, SteerSettings, SteerTick, SteeringBreakdown, SteeringOverride, TargetAbandoned,
        TargetCaught, TargetLost, Uncatchable,
    };
    #[cfg(feature = "assets")]
    pub use crate::world::files::{GridFileError, GridFileSettings, GridLoader, NavGridSource};
    pub use crate::world::{
        Airborne, GridObstacle, GridTransform, NavGrid, Obstacle, ObstacleShape, OnGrid, Plane, Tiles,
        WorldPlugin,
    };
}

/// The README's code, compiled.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
