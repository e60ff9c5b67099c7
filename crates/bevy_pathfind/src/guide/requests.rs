//! Orders: how to send an agent somewhere, and how to learn what came of it.
//!
//! # Order, change, cancel
//!
//! A [`PathRequest`] on an entity is an order. Insert another one to change the order; remove it, or despawn the
//! entity, to cancel it. An [`Agent`] walks its path as soon as there is one; an entity without [`Agent`] only gets
//! the [`NavPath`].
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! # fn orders(mut commands: Commands, unit: Entity, boss: Entity) {
//! commands.entity(unit).insert(PathRequest::to(Vec3::new(12.5, 3.5, 0.0)));
//! commands.entity(unit).insert(PathRequest::to(boss).with_priority(2));
//! commands.entity(unit).insert(PathRequest::to(NavGoal::within(Vec3::ZERO, 4.0)).with_deadline(30));
//! commands.entity(unit).remove::<PathRequest>();
//! # }
//! ```
//!
//! A goal ([`NavGoal`]) is a point, an entity, the cheapest to reach of several points, or any place within a
//! distance of a point.
//!
//! # One goal after another
//!
//! A [`GoalQueue`] sends an agent to several goals in turn: orders that a player queues with Shift, a patrol to and
//! fro, or rounds. Push a goal to add an order. If you insert a [`PathRequest`] of your own, the agent serves it
//! first and then goes on with the queue. The example `patrol` shows all of it.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! # fn orders(mut commands: Commands, unit: Entity, guard: Entity, mut queues: Query<&mut GoalQueue>) -> Result {
//! commands.entity(guard).insert(GoalQueue::ping_pong([Vec3::ZERO, Vec3::X * 9.0]).with_wait(2.0));
//! queues.get_mut(unit)?.goals.push(Vec3::new(4.5, 2.5, 0.0).into());
//! # Ok(())
//! # }
//! ```
//!
//! # Events and status
//!
//! Events on the agent's entity say what happens to its request; [`PathStatus`] says at any time how the request
//! stands.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! fn listen(app: &mut App) {
//!     app.add_observer(|on: On<AgentArrived>| info!("{} has arrived", on.entity))
//!         .add_observer(|on: On<PathEndedShort>| info!("{} cannot reach its goal: {:?}", on.entity, on.reason))
//!         .add_observer(|on: On<PathFailed>| warn!("{}: {}", on.entity, on.error))
//!         .add_observer(|on: On<AgentStuck>| info!("{} is stuck", on.entity));
//! }
//! ```
//!
//! | event | meaning |
//! |---|---|
//! | [`PathFound`] | a new path is in place; its [`PathOutcome`] says whether it leads to the goal or only near it |
//! | [`AgentArrived`] | the agent is at its goal or, among others that share it, on a free place beside it: see [`Arrival`] |
//! | [`PathEndedShort`] | the agent is at the end of a partial path, not at its goal |
//! | [`PathInvalidated`] | the map changed on the agent's remaining path, or a shorter path has opened |
//! | [`PathFailed`] | there is no path; the [`PathError`] says why |
//! | [`AgentStuck`] | the agent has a path, cannot move along it, and is not waiting in a queue |
//!
//! [`PathInvalidated`] is sent *before* the new path is there. The old path is cut before the change, and the agent
//! walks on as far as the old path is free. When the new path is in place, [`PathFound`] follows, with the cause,
//! or [`PathFailed`] if there is none. For a shorter path ([`PathCause::ShorterWay`]) nothing is cut, and both
//! events come in the same tick.
//!
//! A goal that cannot be reached gives a path to the nearest place that can be, unless
//! [`SearchOptions::allow_partial`] is off.
//!
//! # Many agents, one goal
//!
//! With [`PathRequest::spread_at_goal`], the default, an agent that finds its goal occupied takes a free cell near
//! it, and so a crowd settles round one point. Its [`AgentArrived`] then has `Arrival::BesideGoal`, with the distance. Of
//! a goal of several points, or of a distance round a point, agents take the free places first.
//!
//! [`PathRequest::with_spread`] sends every agent to the very point. Agents with an [`Avoider`] come to
//! it one after another. An agent that stays on the point keeps the next one from it: despawn agents on
//! [`AgentArrived`], or send them on.
//!
//! [`AgentStuck`] is sent when an agent wanted to move along its path for 3.5 seconds (longer if it needs more than
//! half a second to turn round) and came no nearer to its next waypoint, and two new paths in that time did not help.
//! An agent that waits behind another one is in a queue and gets no event: of a queue before an obstacle only the
//! foremost agent is stuck. Of agents that block one another in a ring, each one is stuck. The event is sent once;
//! the agent keeps trying, and the event can be sent again after the agent has come nearer to a waypoint.
//!
//! # While time is paused
//!
//! While `Time<Virtual>` is paused, requests are answered and nothing moves: see [`pausing`](super::pausing).
//!
//! Agents and grids that are disabled (Bevy's `Disabled`, or a component of your own) are left out of everything. An
//! agent that is enabled again goes on with its request, on the map as it is then. A request on a disabled grid waits
//! ([`PathStatus::Waiting`]) until the grid is enabled. A request whose goal is a disabled entity fails, as if the
//! entity were gone.
//!
//! # Put elsewhere
//!
//! [`AgentCommands::teleport_to`] puts an agent at a point of the world: it stands there, its pursuers do not take the
//! move for speed, and its request is answered again from the new place. [`NavQuery::free_points_near`] lists
//! points round a goal on which agents can stand, nearest first: to spawn a group, or to give each of a group a place of
//! its own.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! fn gather(group: Query<Entity, With<Agent>>, nav: NavQuery, mut commands: Commands) {
//!     for (agent, point) in group.iter().zip(nav.free_points_near(Vec3::new(8.5, 3.5, 0.0))) {
//!         commands.entity(agent).teleport_to(point);
//!     }
//! }
//! ```
//!
//! # Options of a search
//!
//! Set [`SearchOptions`] for one request, or [`SearchOptions`] for all: four or eight directions, which corners may
//! be cut, the algorithm. `Auto` takes the fastest algorithm that finds a least-cost path of steps between cells.
//! Every path is then straightened: turning points are removed where the agent can walk straight on
//! ([`SearchOptions::straighten`]).
//!
//! | you want | take |
//! |---|---|
//! | the least cost in steps between cells, fast | `Auto` |
//! | the shortest path at any angle | `AnyAngle`, with `CornerRule::OneFree` or `Always`; A\* answers instead where terrain costs differ and where there are cliffs |
//! | a path soon rather than the best path | `WeightedAStar`, or `Greedy` |
//! | a path across a world of thousands of cells | `Auto`: to goals beyond [`SolveSettings::exact_within`] it searches hierarchically; on average paths then cost up to 0.5 % more than the cheapest, and none measured cost over 2 % more (see [`benchmarks`](super::benchmarks)) |
//! | to show how a search works | any, with [`SolveSettings::record`] and [`LastSearch`] |
//!
//! # Where searches run
//!
//! [`SolveSettings::mode`]: in the background, so that frames never wait; in slices on the main thread, with a limit
//! of cells per frame; or on the main thread in the tick of the request. All modes give the same paths.
//! [`SolveStats`] counts searches; the diagnostics below `nav/solve/` ([`SolveDiagnostics`]) have the same counts per
//! frame.

use super::links::*;
