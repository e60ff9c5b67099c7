//! Steering: chasing, avoiding, flocking, and passing narrow places.
//!
//! # From goals to one velocity
//!
//! In every tick the components of an agent state which changes of velocity they want. A tick allows a change of at
//! most [`Agent::acceleration`] times its length. The changes are granted in a fixed order, each as far as the
//! acceleration that is left allows:
//!
//! ```text
//!  1 obstacles    2 other agents    3 the goal               4 the flock      then
//!    Avoider        Separation        SteeringOverride,        Flock            Avoider::reciprocal
//!                                     Pursuer, NavPath,
//!                                     Behavior
//! ```
//!
//! While obstacle avoidance turns an agent, the velocity that it asks for leads round the obstacle to the goal, and
//! goal and flock add nothing. Agents with [`Avoider::reciprocal`] then adjust their velocities to one another.
//!
//! An agent has one goal at a time: [`SteeringOverride`] if it is not zero, else the target of a [`Pursuer`] that sees
//! it, else the next waypoint of its [`NavPath`], else its [`Behavior`] or [`FlockLeader`]. An agent that stands on a
//! blocked cell leaves it before anything else.
//!
//! The results are components too. [`DesiredVelocity`] is what the agent would do alone. [`AdjustedVelocity`] is its
//! velocity one tick ahead: after all of the above, limited by its acceleration. [`AgentVelocity`] is how it really
//! moved. [`SteeringBreakdown`] holds the contributions of each part: look there, or in the panel, to see why an agent
//! turns.
//!
//! No agent ends a tick inside a wall or an [`Obstacle`], whatever the components ask for.
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
//! While it sees its target a pursuer steers by its [`PursuitMode`]; out of sight it requests a path. Its events are
//! [`TargetCaught`] (on the target [`CaughtBy`]), [`TargetLost`] and [`TargetAbandoned`]. The target is any entity with a `Transform`.
//!
//! # Simple behaviours
//!
//! [`Behavior`]: seek, arrive, flee, evade, keep a distance, wander; in a straight line, without a search. With an
//! [`Avoider`] the agent goes round what is in the way.
//!
//! # Avoid
//!
//! | you want | put on the agents |
//! |---|---|
//! | to go round obstacles with the body's width | [`Avoider::default`] |
//! | the tutorials' single ray | [`Avoider::ray`] |
//! | agents that avoid one another early (ORCA) | [`Avoider::reciprocal`] |
//! | soft distances between agents, as in a queue | [`Separation`] |
//! | bodies that only do not overlap | `Avoider { obstacles: ObstacleAvoidance::Off, ..default() }` |
//!
//! # Narrow places
//!
//! Agents that go the same way queue before a gap and pass it as a stream.
//!
//! **Two streams.** Where agents on paths meet others that come the other way, in a passage of at most 12 cells that
//! is wide enough for two bodies, they keep to the right half of it, so that each stream has a lane. Right is
//! right as seen from above, on every plane. Only agents with an [`Avoider`] that does not ignore other agents do so.
//!
//! **Two agents where one can pass.** If two agents meet head-on, neither can pass, and no other path helps, one goes
//! back to a place where the other gets past; [`PathYielded`] says so, and [`SteerSettings::back_off`] switches it off.
//!
//! **One exact point.** Agents with [`PathRequest::without_spread`] and [`Avoider::reciprocal`] look no farther ahead
//! than their remaining path is long, so that many that want the same point come to it one after another instead of
//! keeping one another away from it.
//!
//! What a passage lets through, in agents per second, with [`Avoider::reciprocal`], bodies of radius 0.3 and cells of
//! 1, in three jittered runs each:
//!
//! | width in cells | one way | 60 against 20 | 60 each way |
//! |---|---|---|---|
//! | 1 | 3.4–3.8 | jams (one of three passes, 3.0) | jams |
//! | 2 | 6.0–6.8 | 6.2–7.6 | 5.4–8.3 |
//! | 3 | 5.9–6.9 | 7.1–7.8 | 9.8–12.5 |
//! | 4 | 5.9–6.9 | 7.3–8.6 | 11.1–14.0 |
//! | 5 | 5.9–6.9 | 8.6–9.6 | 12.4–13.0 |
//! | 8 | 5.9–6.9 | 7.3–8.7 | 10.4–10.9 |
//!
//! Where many agents go both ways, two cells let both streams pass, and three let them pass freely. A passage of one
//! cell is for one direction.
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
//! The leader is any entity with a `Transform`. Members of a flock react to members of the same flock only.
//! [`FlockStats`] on the leader measures the flock. [`Flock::model`] selects one of three models: the default keeps its
//! spacing whatever the flock's size; the others are those of the tutorials and of OpenSteer, to learn from and to
//! compare.
//!
//! # Without a grid
//!
//! A grid is not needed: without one agents move in space or, with [`NavSettings::up`], on a plane:
//! `app.insert_resource(NavSettings::default().with_up(Vec3::Z))`.
//!
//! [`Airborne`] makes an agent fly where there are grids: over walls and beyond borders, straight to the goals of its
//! requests, and among other airborne agents. Insert it to take off, remove it to land.
//!
//! Agents on several floors: see [`floors`](super::floors). Steering by rules of your own: see
//! [`own_behaviour`](super::own_behaviour).

use crate::prelude::*;
