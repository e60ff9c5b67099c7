//! Steering by rules of your own: where a system of yours joins the stages of a tick.
//!
//! # Where to write
//!
//! | you want to | write | when |
//! |---|---|---|
//! | decide where an agent goes | [`SteeringOverride`] | before [`NavSystems::Steer`] |
//! | add a steering behaviour beside those of the crate | [`GoalWriter::set`](crate::steer::GoalWriterItem::set) | in [`SteerSystems::Goals`] |
//! | change the velocity that a path, a pursuit or another goal asks for (wind, a queue) | [`GoalWriter::adjust`](crate::steer::GoalWriterItem::adjust) | in [`SteerSystems::Adjust`] |
//! | push an agent, once (a blow, an explosion) | [`AgentVelocity`], added to | before [`NavSystems::Steer`] |
//! | limit or change what steering decided | [`AdjustedVelocity`] | after [`NavSystems::Steer`], before [`NavSystems::Motion`] |
//! | do all the steering | [`AdjustedVelocity`], with [`SteerPlugin`] disabled | before [`NavSystems::Motion`] |
//! | read where agents are | nothing | after [`NavSystems::Motion`] |
//!
//! Put such systems into the schedule of the stages, `FixedUpdate` by default.
//!
//! A [`SteeringOverride`] is a velocity in world units per second. It holds until it is written again, and takes
//! precedence over the agent's [`Pursuer`], [`NavPath`] and [`Behavior`]; while it is zero, they decide. The agent
//! moves as usual: no faster than its top speed, within its acceleration, round obstacles if it has an [`Avoider`],
//! and never into walls.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! /// Runs round a point, anticlockwise.
//! #[derive(Component)]
//! #[require(SteeringOverride)]
//! struct Circling {
//!     center: Vec3,
//!     radius: f32,
//! }
//!
//! fn circle(mut agents: Query<(&Circling, &Transform, &Agent, &mut SteeringOverride)>) {
//!     for (circling, at, agent, mut steering) in &mut agents {
//!         let out = at.translation - circling.center;
//!         let along = Vec3::Z.cross(out).normalize_or_zero();
//!         // Back to the circle, the more the farther it is from it.
//!         let back = out.normalize_or_zero() * (circling.radius - out.length());
//!         steering.0 = (along + back).normalize_or_zero() * agent.speed;
//!     }
//! }
//!
//! /// Wades: however fast the agent could walk, it walks no faster than this.
//! #[derive(Component)]
//! struct SpeedLimit(f32);
//!
//! fn limit(mut agents: Query<(&SpeedLimit, &mut AdjustedVelocity)>) {
//!     for (limit, mut adjusted) in &mut agents {
//!         adjusted.0 = adjusted.0.clamp_length_max(limit.0);
//!     }
//! }
//!
//! fn plug_in(app: &mut App) {
//!     let limit = limit.after(NavSystems::Steer).before(NavSystems::Motion);
//!     app.add_systems(FixedUpdate, (circle.before(NavSystems::Steer), limit));
//! }
//! ```
//!
//! # Behaviours beside those of the crate
//!
//! A goal velocity that you state with a [`GoalWriter`] is treated as that of a path or a pursuit: obstacle avoidance
//! and separation are served before it, the agent's limits hold, agents avoid one another, and [`SteeringBreakdown`]
//! and the panel name its source. It holds for one tick, so no component has to be reset when the behaviour ends. A
//! system with a [`GoalWriter`] runs inside the stage, in the schedule [`NavStage`]; the sets [`SteerSystems`] are
//! the steps of the stage. The example `custom_behavior` has a wind and a queue before a door.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! /// Goes home when it is hurt, whatever else it was told to do.
//! #[derive(Component)]
//! struct Coward {
//!     home: Vec3,
//!     is_hurt: bool,
//! }
//!
//! /// The number of the behaviour. If two behaviours state a goal for an agent, the one with the lower number counts.
//! const HOME: u8 = 1;
//!
//! fn run_home(mut agents: Query<(&Coward, &Transform, &Agent, GoalWriter)>) {
//!     for (coward, at, agent, mut goal) in &mut agents {
//!         if coward.is_hurt {
//!             goal.set(HOME, (coward.home - at.translation).normalize_or_zero() * agent.speed);
//!         }
//!     }
//! }
//!
//! fn plug_in(app: &mut App) {
//!     app.add_systems(NavStage(NavSystems::Steer), run_home.in_set(SteerSystems::Goals));
//!     app.world_mut().resource_mut::<GoalNames>().set(HOME, "its fear");
//! }
//! ```
//!
//! A component with the settings of your behaviour can have presets and sliders in the panel as well: see
//! [`presets`](super::presets).
//!
//! # What to know
//!
//! - [`AdjustedVelocity`] is the velocity one tick ahead, limited by the acceleration; it is not the velocity that
//!   the agent will have in the end. Clamp it, as above. A factor of 0.5 would brake the agent again in every tick,
//!   to much less than half of its speed.
//! - [`NavSystems::Motion`] changes the velocity by at most the acceleration, too, and keeps the agent out of walls,
//!   obstacles and other bodies. So a velocity of zero stops an agent as fast as it can brake.
//! - The other agents see where an agent is and how it moved in the last tick, not what your system is about to
//!   write.
//! - An agent that has a path and is held by your system counts as stuck after 3.5 seconds ([`PathStuck`]). Remove
//!   its [`PathRequest`] if it is to wait for long. While a [`SteeringOverride`] or a [`GoalWriter`] moves an agent,
//!   its path waits, and no [`PathStuck`] is sent.
//! - Read [`SteeringBreakdown`], [`DesiredVelocity`] and [`NavPath::remaining`] to build on what the crate computes.
//!   For runs that are the same bit by bit, see [`determinism`](super::determinism).
//! - To hand the velocity to a physics engine, see [`physics`](super::physics).

use crate::prelude::*;
