//! Under a physics engine.
//!
//! Three velocities, one after the other, are where an engine is joined on: [`DesiredVelocity`] (what the agent
//! wants), [`AdjustedVelocity`] (what is left of it when everybody has made way), [`AgentVelocity`] (how it really moves).
//! Leave out [`MotionPlugin`], hand the second to the engine, and give back the third:
//!
//! ```
//! # use bevy::prelude::*;
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
//! - What is solid is then the engine's affair: give it colliders where the grid has walls.
//! - With the feature `avian2d` or `avian3d`, avian's colliders are obstacles for [`Avoider`]s, by their layers. The
//!   example `physics` is such a scene, complete.
//! - An agent that is pushed off its path finds back; one that is pushed into a wall walks out of it.
//! - Whether a run is the same twice is then the engine's promise, not ours.

use crate::prelude::*;
