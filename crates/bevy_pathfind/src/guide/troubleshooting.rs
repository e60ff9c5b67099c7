//! What you see, and what it is.
//!
//! First look at the agent's [`PathStatus`], at the log (every error is told once), and at [`SteeringBreakdown`]; with
//! [`NavGizmoSettings`] grids, paths and probes are drawn.
//!
//! # It does not move
//!
//! | what you see | what it is |
//! |---|---|
//! | nobody moves, no warning | no fixed tick runs: is Bevy's `TimePlugin` there, and is time not paused? |
//! | "there is no NavGrid for it" | the grid was not spawned, or the entity in [`OnGrid`] has none |
//! | "it stands on none of the grids" | there are several, and it is over none: move it, or name one with [`OnGrid`] |
//! | "it stands outside its grid" | the grid's corner, not its middle, lies at its entity: move one of the two |
//! | "it stands on a blocked cell" | where partial paths are allowed it walks out by itself; else see [`NavGrid::ground`] there |
//! | [`PathStatus::Waiting`] for long | more is asked than [`SolveSettings`] has time for: look at [`SolveStats`] |
//! | it has a path and stands | [`PathStuck`] says so; is its body too big for the gap, or does a [`SteeringOverride`] of its own hold it? |
//! | it stands among its mates near the goal | that is arrival: they share the goal; see [`PathRequest::spread`] |
//! | "its speed or acceleration is not above zero" | the fields of its [`Agent`] |
//! | it froze from one tick to the next | a number of it is none: [`AgentInvalid`] and the log say which |
//!
//! # It moves strangely
//!
//! | what you see | what it is |
//! |---|---|
//! | it walks as if mirrored in 3D | the ground of a 3D game is [`Plane::Xz`] |
//! | it walks up instead of down | rows of [`Plane::Xy`] go up; maps that are read from the top are [`Plane::XyDown`] |
//! | it crawls on a grid of 64-unit cells | speeds are in world units per second: multiply by 64, radii and ranges too |
//! | it stops short of a goal in a wall | that is a partial path, and its status [`PathStatus::EndedShort`] says why |
//! | it jerks at high frame rates | motion runs in `FixedUpdate`: put [`InterpolateTransform`] on it |
//! | it cuts corners with its body | the centre keeps to the path: give its kind a size with [`NavGrid::add_kind`] |
//! | it swings past its goal | too little acceleration for its speed: it cannot brake sooner |
//! | it turns in circles round its target | its turn rate is too small for its speed |
//! | it runs through a new wall | its cells were not set on the [`NavGrid`] component |
//! | it runs through a thing | a mesh is no wall: give the thing a [`GridObstacle`] or an [`Obstacle`] |
//! | it runs through others | put an [`Avoider`] on both |
//! | it flies, and walls hold it | put [`Airborne`] on it |
//! | agents on two floors make way for each other | tie each to its grid with [`OnGrid`] |
//! | two stand face to face for ever | [`Avoider::side_bias`] is 0 |
//! | it does not face its way | set [`Agent::facing`] to the side that your model looks to |
//! | it goes somewhere else when the engine pushes it | the plugin and the engine both move it: see [`physics`](super::physics) |
//!
//! # It is slow, or differs
//!
//! | what you see | what it is |
//! |---|---|
//! | everything is slow | a debug build: set `opt-level = 3` for dependencies, or `--release` |
//! | frames wait for searches | [`SolveMode::Inline`] is for lockstep; the default searches in the background |
//! | frames jump on one thread | `SolveMode::Sliced` and [`SolveSettings::expansions_per_frame`] |
//! | any-angle paths take long | under `CornerRule::Never` the exact search is dear; `OneFree` or `Always`, or `LazyTheta` |
//! | two runs differ | see [`determinism`](super::determinism): the mode, the ids, the seed, the schedule |
//! | nothing is drawn | [`NavGizmoSettings`] is all off at first, and gizmos need a renderer |

use crate::prelude::*;
