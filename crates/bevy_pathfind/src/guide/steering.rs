//! Steering: chasing, avoiding, flocking, and passing narrow places.
//!
//! # From goals to one velocity
//!
//! In every tick the components of an agent state which changes of velocity they want. Together the changes may be at
//! most [`Agent::acceleration`] times the length of the tick. They are granted in a fixed order, each out of what the
//! ones before it have left:
//!
//! ```text
//!  1 obstacles    2 other agents    3 the goal               4 the flock      then
//!    Avoider        Separation        ManualVelocity,        Flock            Avoider
//!                                     SteeringGoal, Pursuer,
//!                                     NavPath, FollowField,
//!                                     Behavior, FlockLeader
//! ```
//!
//! While obstacle avoidance turns an agent, the velocity that it asks for leads round the obstacle to the goal, and
//! goal and flock add nothing. Agents with an [`Avoider`] then adjust their velocities to one another.
//!
//! An agent has one goal at a time: the place where it stands if it has [`HoldPosition`], else its [`ManualVelocity`],
//! else a goal that your own system states with a [`SteeringGoal`], else the target of its [`Pursuer`] while it sees
//! that target, else the next waypoint of its [`NavPath`], else the flow field that it
//! [follows](crate::order::FollowField), else its place in a [`Formation`], else its [`Behavior`] or [`FlockLeader`].
//! An agent that stands on a blocked cell leaves it before anything else.
//!
//! The results are components too. [`DesiredVelocity`] is what goal and flock ask for, before obstacles and other
//! agents are considered. [`AdjustedVelocity`] is the agent's velocity one tick ahead: after all of the above,
//! limited by its acceleration. [`AgentVelocity`] is how it moved in the last tick. [`SteeringBreakdown`] holds the
//! contribution of each part: look there, or in the panel, to see why an agent turns.
//!
//! No agent ends a tick with its centre inside a wall or an [`Obstacle`], whatever the components ask for, nor with a part
//! of its body in a wall (see [wide bodies](super::world#wide-bodies)).
//!
//! # Chase
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! fn hunt(mut commands: Commands, prey: Entity) {
//!     commands.spawn((Agent::new(6.0), Pursuer::intercept(prey)));
//!     commands.spawn((Agent::new(9.0), Pursuer::line_of_sight(prey).with_turn_rate(1.5)));
//! }
//! ```
//!
//! While it sees its target a pursuer steers by its [`PursuitMode`]; out of sight it requests a path to it. Its
//! events are [`CaughtTarget`] (on the target [`CaughtBy`]), [`LostTarget`]. The target can
//! be any entity with a `Transform`.
//!
//! # Simple behaviours
//!
//! [`Behavior`]: seek, arrive, flee, evade, keep a distance, wander. They steer in a straight line, without a search
//! for a path; with an [`Avoider`] the agent goes round obstacles.
//!
//! # Avoid
//!
//! | you want | put on the agents |
//! |---|---|
//! | to go round obstacles with the body's width, and to avoid other agents early (ORCA) | [`Avoider::default`] |
//! | the same, but to bump into other agents | [`Avoider::contact`] |
//! | the tutorials' single ray | [`Avoider::ray`] |
//! | soft distances between agents, as in a queue | [`Separation`] |
//! | no avoidance, only bodies that do not overlap | `Avoider { obstacles: ObstacleAvoidance::Off, ..Avoider::contact() }` |
//!
//! | agent | its avoidance |
//! |---|---|
//! | walks among others | [`Avoider::default`] |
//! | walks alone, or should shove its way through | [`Avoider::contact`] |
//! | stands and may be moved aside | the same as those that walk |
//! | stands and must not be moved (a post, a boss, a target) | the same, and [`HoldPosition`]: others go round it, and nobody pushes it |
//! | flies | [`Airborne`] and [`Avoider::default`]: it avoids only others that fly |
//!
//! An agent without an order makes way for others, also in a dense crowd. One that has arrived makes way as well, though
//! less, and goes back to where it stood when they have passed, also if it was blown away, as long as it sees that
//! point. [`SteerSettings::return_when_pushed`] switches that off. A hunter and its prey do not avoid each other: the prey
//! stands, or flees by a behaviour of its own.
//!
//! # Narrow places
//!
//! Agents that go in the same direction queue before a gap and pass it as a stream.
//!
//! **Two streams.** Where agents on paths meet others that come the other way, in a passage that is wide enough for
//! two bodies and at most 12 cells wide, they keep to its right half, so that each stream has a lane. On every plane,
//! right is meant as seen from above. Only agents with an [`Avoider`] that does not ignore other agents do so.
//!
//! **Where two bodies do not fit side by side** (a corridor or door of one cell, for discs of a radius above a quarter of
//! a cell), agents on paths go one way at a time. An agent that comes to such a stretch gets the right of way for all of
//! it, up to the next ground with room to wait, if no other comes against it; else it waits beside the mouth, with the
//! status [`PathStatus::Yielding`](crate::order::PathStatus). Turns end when an agent on the other side has waited for
//! longer than it takes to pass the stretch, and two seconds. Where two narrow ways cross, they take turns too. Of two that
//! meet in a stretch because both were there before, one goes back to where the other can pass. Agents with right of way
//! go in file, each as fast as the gap to the body ahead allows. [`SteerSettings::right_of_way`] switches this off.
//! [`corridor`](pathfind_core::corridor) tells a game which cells are narrow.
//!
//! How many of 27 arrangements with slightly different starts resolve, and the time until the last agent arrives, with a
//! speed of 3 and cells of side 1, as `traffic_bench` prints them:
//!
//! | scene | radius | resolved | median | alone | agents a second |
//! |---|---|---|---|---|---|
//! | `counter-flow --agents 6 --against 6` | 0.45 | 27 | 29 s | 17.7 s | |
//! | `counter-flow --agents 20 --against 3` | 0.45 | 27 | 30 s | 17.7 s | |
//! | `counter-flow --agents 40 --against 40` | 0.3 | 27 | 77 s | 17.7 s | |
//! | `bay --agents 6 --against 6` | 0.45 | 27 | 29 s | 17.7 s | |
//! | `door --agents 80` | 0.45 | 27 | 42 s | 10.1 s | 2.4 |
//! | `door --width 2 --agents 80` | 0.3 | 27 | 22 s | 10.1 s | 5.3 |
//! | `door --width 3 --agents 80` | 0.3 | 27 | 18 s | 10.1 s | 7.8 |
//! | `two-doors --agents 40 --against 40` | 0.3 | 27 | 47 s | 17.6 s | |
//!
//! Where many agents go both ways, a passage has to be two cells wide for both streams to pass, and three to pass
//! freely. With one cell it serves one direction at a time.
//!
//! **What stands in the way**: an agent that comes no farther before another one that stands (idle, holding its position, or
//! on its way against it) looks for a way round it on the ground beside, as it does before an [`Obstacle`].
//!
//! **One exact point.** Agents with [`PathRequest::with_spread`] and an [`Avoider`] predict collisions no
//! farther ahead than about the time they still need, so that many agents with the same goal point reach it one after
//! another instead of keeping one another away from it.
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
//!         commands.spawn((Agent::new(12.0), Flock::default(), FlockOf(leader), at));
//!     }
//! }
//! ```
//!
//! The leader can be any entity with a `Transform`. Members of a flock react to members of the same flock only.
//! [`FlockStats`] on the leader measures the flock. [`Flock::model`] selects one of three models: with the default,
//! the spacing does not depend on the flock's size; the others are those of the tutorials and of OpenSteer, to learn
//! from and to compare.
//!
//! # Without a grid
//!
//! A grid is not needed. Without one, agents move in space or, with [`NavSettings::up`], on a plane:
//! `app.insert_resource(NavSettings::default().with_up(Vec3::Z))`.
//!
//! [`Airborne`] makes an agent fly where there are grids: over walls and beyond borders, straight to the goals of its
//! requests. Of all agents it avoids only airborne ones. Insert it to take off, remove it to land. [`LowFlying`] is for
//! flight indoors: by paths, over what is lower than the agent flies.
//!
//! Agents on several floors: see [`floors`](super::floors). Steering by rules of your own: see
//! [`own_behaviour`](super::own_behaviour).

use super::links::*;
