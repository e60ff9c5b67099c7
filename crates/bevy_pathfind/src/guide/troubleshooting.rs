//! Troubleshooting: what you see, and what it means.
//!
//! First look at the agent's [`PathStatus`], at the log (each kind of error is logged once per agent, for up to 8
//! agents), and at [`SteeringBreakdown`].
//! [`NavGizmos`] draws grids, paths and probes.
//!
//! # It does not move
//!
//! | what you see | what it is |
//! |---|---|
//! | no agent moves, no warning | no fixed tick runs: is Bevy's `TimePlugin` added, and is time [paused](super::pausing)? |
//! | "there is no NavGrid for it" | the grid was not spawned, or the entity in [`OnGrid`] has no [`NavGrid`] |
//! | "it stands on none of the grids" | there are several grids, and it is above or below none: move it, or name one with [`OnGrid`] |
//! | "it stands outside its grid" | the grid's corner, not its middle, lies at the grid's entity: move the grid or the agent |
//! | "it stands on a blocked cell" | an entity without [`Agent`] has to stand on a walkable cell; an agent leaves a blocked cell by itself, unless its kind can stand nowhere on the grid |
//! | [`PathStatus::Waiting`] for long | there are more requests than [`SolveSettings`] allows time for: look at [`SolveStats`]; or its grid is disabled |
//! | it has a path and stands | [`AgentStuck`] is sent: is its body too wide for the gap, or does something that the grid does not know stand in its way? |
//! | it has a path and stands, without [`AgentStuck`] | it waits in a queue behind another agent, or its [`ManualVelocity`] moves it against something |
//! | it stops beside the goal, among others | it has arrived: they share the goal; see [`PathRequest::spread_at_goal`] |
//! | it waits before a goal that another agent occupies | [`PathRequest::with_spread`]: the other has to leave first |
//! | "its speed is below zero, or its acceleration is not above zero" | set these fields of its [`Agent`] |
//! | it has a path and stands, with an [`Agent::speed`] of 0 | it waits for its speed |
//! | two streams jam in a passage | it is one cell wide: see "Narrow places" in [`steering`](super::steering) |
//! | a building seals the map | check it before you build: see [`tower_defence`](super::tower_defence) |
//! | it froze from one tick to the next | its position, its velocity or a setting is NaN or infinite: [`AgentInvalid`] and the log say which |
//!
//! # It moves strangely
//!
//! | what you see | what it is |
//! |---|---|
//! | it walks as if mirrored in 3D | a 3D game needs [`GridPlane::Xz`] |
//! | it walks up instead of down | rows of [`GridPlane::Xy`] go up; maps whose first row is on top need [`GridPlane::XyDown`] |
//! | it crawls on a grid of 64-unit cells, or sees no others | its speed and radius are in world units: `Agent::new(5.0 * 64.0).with_radius(0.4 * 64.0)`; all other settings follow from these |
//! | it stops short of a goal in a wall | that is a partial path; its status [`PathStatus::EndedShort`] says why |
//! | it jerks at high frame rates | agents move in `FixedUpdate`, not in every frame: add [`InterpolateTransform`] to it |
//! | it cuts corners with its body | paths keep its centre out of walls: give its kind a size, in [`AgentKinds`] |
//! | it swings past its goal | its acceleration is too small for its speed: raise [`Agent::acceleration`] |
//! | it turns in circles round its target | the pursuer's turn rate is too small for its speed |
//! | it runs through a new wall | the cells were not set on the [`NavGrid`] component of the map |
//! | it runs through an object | a mesh is no wall: give the object an [`Obstacle`], carved if paths shall lead round it |
//! | it runs through other agents | add an [`Avoider`] to both |
//! | it is meant to fly, and walls hold it | add [`Airborne`] to it; [`LowFlying`] if walls shall hold it, and tables not |
//! | agents on two floors avoid each other | tie each to its grid with [`OnGrid`]: see [`floors`](super::floors) |
//! | it does not go to a goal on another floor | join the floors by a [`NavLink`] that is open in this direction: see [`floors`](super::floors) |
//! | it goes back, away from its goal | it lets another agent pass, with the status [`PathStatus::Yielding`]; [`SteerSettings::right_of_way`] switches that off |
//! | two stand face to face for ever | [`Avoider::side_bias`] is 0 |
//! | it does not face the direction in which it moves | set [`Agent::facing`] to the side that is the front of your model |
//! | it jerks or drifts under a physics engine | the plugin and the engine both move it: see [`physics`](super::physics) |
//!
//! # It is slow, or differs
//!
//! | what you see | what it is |
//! |---|---|
//! | everything is slow | a debug build: set `opt-level = 3` for dependencies, or `--release` |
//! | frames wait for searches | [`SolveMode::Inline`] is for lockstep; by default searches run in the background |
//! | frames take unequal times on one thread | `SolveMode::Sliced`, with a smaller [`SolveSettings::expansions_per_frame`] |
//! | an any-angle path is not the shortest | under `CornerRule::Never`, and for discs, it is nearly the shortest: take `OneFree` or `Always` |
//! | two runs differ | see [`determinism`](super::determinism): the mode, the ids, the seed, the schedule |
//! | a loaded game differs from the saved one | see [`saving`](super::saving): what is kept and what is not |
//! | no gizmos are drawn | all of [`NavGizmos`] is off by default, and gizmos need a renderer |

use super::links::*;
