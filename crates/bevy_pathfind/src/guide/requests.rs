//! Sending somebody somewhere.
//!
//! # Order, change, cancel
//!
//! A [`PathRequest`] on an entity is an order. Insert another to change it, remove it or despawn the entity to
//! cancel. An [`Agent`] walks the path as soon as it is there; an entity without it only gets the
//! [`NavPath`].
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
//! Goals: a point, an entity, the cheapest of several points, anywhere within a distance. A crowd sent to one
//! point settles on places round it.
//!
//! # Hear how it went
//!
//! Each agent is told by events on its entity, and [`PathStatus`] says at any time how its request stands.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! fn listen(app: &mut App) {
//!     app.add_observer(|on: On<PathArrived>| info!("{} is there", on.entity))
//!         .add_observer(|on: On<PathEndedShort>| info!("{} is kept from its goal: {:?}", on.entity, on.reason))
//!         .add_observer(|on: On<PathFailed>| warn!("{}: {}", on.entity, on.error))
//!         .add_observer(|on: On<PathStuck>| info!("{} does not get on", on.entity));
//! }
//! ```
//!
//! | you hear | it means |
//! |---|---|
//! | [`PathFound`] | there is a path; its [`PathOutcome`] says whether it leads to the goal or only near it |
//! | [`PathArrived`] | the agent is at its goal or, among others who share it, beside it: see [`Arrival`] |
//! | [`PathEndedShort`] | the agent is at the end of a partial path, not at its goal |
//! | [`PathInvalidated`] | another path took the place of one that an edit had cut, or that had a better one |
//! | [`PathFailed`] | there is none; the [`PathError`] says why |
//! | [`PathStuck`] | it has a path and does not get on, nor did another path help; not while it waits in a queue |
//!
//! A goal that cannot be reached gives the path to the nearest place that can, unless
//! [`SearchOptions::allow_partial`] is off.
//!
//! # While time stands still
//!
//! While `Time<Virtual>` is paused or its speed is 0, orders are still answered, once a frame, so that a game with an
//! active pause can show paths; nothing moves, and no deadline runs. Edits of the map and obstacles that come or go
//! count, too. [`NavSettings::while_paused`] switches that off; [`NavSystems`] says how it runs.
//!
//! Agents and grids that are disabled (Bevy's `Disabled`, or a component of your own) are left out of everything. An
//! agent that comes back goes on with its order, on the map as it is then. An order on a grid that is disabled waits
//! ([`PathStatus::Waiting`]), and goes on when the grid comes back; an order to go to an
//! entity fails when that entity is disabled, as when it is gone.
//!
//! # What kind of path
//!
//! [`SearchOptions`] of a request, or [`DefaultSearch`] for all: four or eight directions, what corners may be cut,
//! the algorithm. `Auto` takes the fastest that answers the question with an optimal path of steps; the turns that
//! sight makes needless are then left out.
//!
//! | you want | take |
//! |---|---|
//! | the least cost by steps, fast | `Auto` |
//! | the shortest path at any angle | `AnyAngle`, with `CornerRule::OneFree` or `Always` |
//! | a path soon rather than the best | `WeightedAStar`, or `Greedy` |
//! | to show how searching works | any, with [`SolveSettings::record`] and [`LastSearch`] |
//!
//! # Where the work is done
//!
//! The mode in [`SolveSettings`]: in the background (frames never wait), sliced on the main thread with a budget of cells a
//! frame, or inline in the same tick. All give the same answers. [`SolveStats`] counts; the same figures are among Bevy's
//! diagnostics, below `nav/solve/`.

use crate::prelude::*;
