//! Steering by rules of your own: where a system of yours joins the stages of a tick.
//!
//! # Where to write
//!
//! | you want to | write | when |
//! |---|---|---|
//! | decide where an agent goes | [`ManualVelocity`] | before [`NavSystems::Steer`] |
//! | let an agent stand, with its orders | [`HoldPosition`] | before [`NavSystems::Steer`] |
//! | add a steering behaviour beside those of the crate | [`SteeringGoal::set`](crate::steer::SteeringGoalItem::set) | in a system added by [`AddSteering::add_steering`] |
//! | change the velocity that a path, a pursuit or another goal asks for (wind, a queue) | [`SteeringGoal::adjust`](crate::steer::SteeringGoalItem::adjust) | in a system added by [`AddSteering::adjust_steering`] |
//! | push an agent, once (a blow, an explosion) | [`AgentVelocity`], added to | before [`NavSystems::Steer`] |
//! | limit or change what steering decided | [`AdjustedVelocity`] | after [`NavSystems::Steer`], before [`NavSystems::Motion`] |
//! | do all the steering | [`AdjustedVelocity`], with [`SteerPlugin`] disabled | before [`NavSystems::Motion`] |
//! | read where agents are | nothing | after [`NavSystems::Motion`] |
//!
//! Put such systems into the schedule of the stages, `FixedUpdate` by default.
//!
//! A [`ManualVelocity`] is a velocity in world units per second. It holds until it is written again, and takes
//! precedence over the agent's [`Pursuer`], [`NavPath`] and [`Behavior`]; with zero the agent stands. Remove the
//! component, and they decide again. The agent moves as usual: no faster than its top speed, within its acceleration, round obstacles if it has an [`Avoider`],
//! and never into walls.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! /// Runs round a point, anticlockwise.
//! #[derive(Component)]
//! #[require(ManualVelocity)]
//! struct Circling {
//!     center: Vec3,
//!     radius: f32,
//! }
//!
//! fn circle(mut agents: Query<(&Circling, &Transform, &Agent, &mut ManualVelocity)>) {
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
//! A goal velocity that you state with a [`SteeringGoal`] is treated as that of a path or a pursuit: obstacle avoidance
//! and separation are served before it, the agent's limits hold, agents avoid one another, and [`SteeringBreakdown`]
//! and the panel name its source. It holds for one tick, so no component has to be reset when the behaviour ends. The
//! system runs inside the stage; it gets a [`SteeringId`], under which its goals are stated. The example `custom_behavior` has a wind and a queue before a door.
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
//! fn run_home(fear: In<SteeringId>, mut agents: Query<(&Coward, &Transform, &Agent, SteeringGoal)>) {
//!     for (coward, at, agent, mut goal) in &mut agents {
//!         if coward.is_hurt {
//!             goal.set(*fear, (coward.home - at.translation).normalize_or_zero() * agent.speed);
//!         }
//!     }
//! }
//!
//! fn plug_in(app: &mut App) {
//!     app.add_steering("its fear", run_home);
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
//! - An agent that has a path and is held by your system counts as stuck after 3.5 seconds ([`AgentStuck`]). Remove
//!   its [`PathRequest`] if it is to wait for long. While a [`ManualVelocity`] or a [`SteeringGoal`] moves an agent,
//!   its path waits, and no [`AgentStuck`] is sent.
//! - Read [`SteeringBreakdown`], [`DesiredVelocity`] and [`NavPath::remaining`] to build on what the crate computes.
//!   For runs that are the same bit by bit, see [`determinism`](super::determinism).
//! - To hand the velocity to a physics engine, see [`physics`](super::physics).

use super::links::*;
