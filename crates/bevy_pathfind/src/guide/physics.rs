//! Agents that a physics engine moves.
//!
//! # avian
//!
//! With the feature `avian2d` or `avian3d`, an agent with a `RigidBody` of avian is moved by avian, and needs no system
//! of the game:
//!
//! ```ignore
//! commands.spawn((Agent::new(4.0), RigidBody::Dynamic, Collider::sphere(0.4), LockedAxes::ROTATION_LOCKED));
//! ```
//!
//! - The plugin's motion (walls of the grid, obstacles, acceleration) becomes the body's `LinearVelocity`; before the
//!   next steering, the body's velocity becomes the agent's [`AgentVelocity`].
//! - A **dynamic** body is stopped by colliders, pushes crates, and is pushed; avian keeps it apart from other bodies,
//!   and the plugin does not. Its velocity along the grid's normal stays the engine's: it falls, and a floor holds it.
//! - A **kinematic** body pushes others and is not pushed; only the plugin keeps it out of walls and other agents, and
//!   on the ground. A **static** body is moved by its `Transform`, as an agent without a body is.
//! - Over a link the plugin moves the body by its `Transform`.
//!
//! # Other engines
//!
//! An agent has three velocities, one computed from the other: [`DesiredVelocity`] (what it would do alone),
//! [`AdjustedVelocity`] (its velocity one tick ahead, after it has avoided obstacles and other agents, limited by its
//! acceleration), [`AgentVelocity`] (how it really moved). Leave out [`MotionPlugin`], give the second one to the
//! engine, and write the engine's result into the third:
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::motion::MotionPlugin;
//! # use bevy_pathfind::prelude::*;
//! # #[derive(Component)] struct LinearVelocity(Vec3); // stands for the engine's component
//! fn plug_in(app: &mut App) {
//!     app.add_plugins(PathfindPlugins::default().build().disable::<MotionPlugin>())
//!         .add_systems(FixedUpdate, (feel.before(NavSystems::Steer), push.after(NavSystems::Steer)));
//! }
//!
//! fn feel(mut agents: Query<(&LinearVelocity, &mut AgentVelocity)>) {
//!     agents.iter_mut().for_each(|(body, mut velocity)| velocity.0 = body.0);
//! }
//!
//! fn push(mut agents: Query<(&AdjustedVelocity, &mut LinearVelocity)>) {
//!     agents.iter_mut().for_each(|(adjusted, mut body)| body.0 = adjusted.0.with_y(body.0.y));
//! }
//! ```
//!
//! - `with_y(body.0.y)` leaves falling to the engine.
//! - Walls are then up to the engine: give it colliders where the grid has walls.
//!
//! # With either
//!
//! - With the feature `avian2d` or `avian3d`, avian's colliders are obstacles for [`Avoider`]s, by their layers. The
//!   example `physics` is a complete scene.
//! - An agent that is pushed off its path goes back to it or asks for another; one that is pushed into a wall walks
//!   out of it.
//! - Whether two runs are the same then depends on the engine.

use super::links::*;
