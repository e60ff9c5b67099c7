//! Chasing, avoiding, flocking.
//!
//! # Who decides
//!
//! Every tick each agent's components state wishes, which are served in a fixed order until the tick's acceleration
//! is spent:
//!
//! ```text
//!  off obstacles ─▶ off others ─▶ to the goal ─▶ with the flock ─▶ others make way ─▶ walls hold
//!    Avoider        Separation    SteeringOverride, Pursuer,    Flock          Avoider with        always
//!                                 Behavior, NavPath                     Reciprocal
//! ```
//!
//! Of several goals one leads: your hand ([`SteeringOverride`]) before a hunt ([`Pursuer`]), that before a [`Behavior`], that
//! before a [`NavPath`]. [`SteeringBreakdown`] on each agent tells what was wished for and what became of it: look there (or in the
//! panel) when somebody turns and you wonder why.
//!
//! No agent ends a tick inside a wall or an [`Obstacle`], whatever it wishes.
//!
//! # Chase
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! fn hunt(mut commands: Commands, prey: Entity) {
//!     commands.spawn((Agent::with_speed(6.0), Pursuer::intercept(prey)));
//!     commands.spawn((Agent::with_speed(9.0), Pursuer::line_of_sight(prey).with_turn_rate(1.5)));
//! }
//! ```
//!
//! In sight a pursuer goes by its [`PursuitMode`]; out of sight it orders itself a path. It tells
//! [`TargetCaught`], [`TargetLost`] and [`TargetAbandoned`]. The target is any entity with a `Transform`.
//!
//! # Simple behaviours
//!
//! [`Behavior`]: seek, arrive, flee, evade, keep a distance, wander; straight on, without a search. With an
//! [`Avoider`] they go round what is in the way.
//!
//! # Avoid
//!
//! | you want | put on the agents |
//! |---|---|
//! | to go round obstacles with the body's width | [`Avoider::default`] |
//! | the tutorials' single ray | [`Avoider::ray`] |
//! | to make way for one another in time (ORCA) | [`Avoider::reciprocal`] |
//! | soft distances, as in a queue | [`Separation`] |
//! | bodies that only do not overlap | `Avoider { obstacles: ObstacleAvoidance::Off, ..default() }` |
//!
//! # Narrow places
//!
//! Agents that go the same way queue before a gap and pass it as a stream. Two that meet head-on where there is room for
//! one only, with no third agent near or in the same straits, arrange it: one of them goes back to a place where the
//! other gets past, and [`PathYielded`] tells of it; [`SteerSettings::back_off`] switches it off.
//!
//! What a corridor of 20 cells lets through, in agents a second between the first arrival and the last, with
//! [`Avoider::reciprocal`], bodies of radius 0.3 cells and a speed of 3 cells a second, 60 agents from each side that are all
//! sent at once:
//!
//! | width in cells | one way | both ways |
//! |---|---|---|
//! | 1 | 3.6 | jams |
//! | 2 | 5.6, the stream is not denser | jams (20 from each side pass) |
//! | 3 | 5.6 | 6.6 |
//! | 4 | 5.6 | 4.9 |
//! | 5 | 5.6 | 9.2 |
//!
//! Where many go both ways, build at least three cells wide, or two corridors.
//!
//! # Flock
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! fn gulls(mut commands: Commands) {
//!     let leader = commands.spawn(FlockLeader::default()).id();
//!     for i in 0..200 {
//!         let at = Transform::from_xyz(i as f32 * 0.3, (i % 7) as f32, (i % 5) as f32);
//!         commands.spawn((Agent::with_speed(12.0), Flock::default(), FlockOf(leader), at));
//!     }
//! }
//! ```
//!
//! The leader is any entity with a `Transform`. Members of one flock see one another alone; [`FlockStats`] tells each
//! one's mates. [`Flock`] has three laws; the default keeps its spacing whatever the flock's size, the others are
//! those of the tutorials and of OpenSteer, to learn from and to compare.
//!
//! # In the open
//!
//! A grid is not needed: without one agents fly in space, or walk on a plane with [`NavSettings::up`].
//!
//! # In the air
//!
//! [`Airborne`] makes an agent fly where there are grids: over walls and borders, straight to the goals of its
//! requests, and among other airborne agents. Insert it to take off, remove it to land.
//!
//! # On several floors
//!
//! Agents tied by [`OnGrid`] to grids that lie over one another do not mind each other, whatever their heights; those on
//! grids side by side do.

use crate::prelude::*;
