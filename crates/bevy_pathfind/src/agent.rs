//! An agent's body: its limits of motion, its identity and its velocities.
//!
//! This module has no systems, and knows nothing of paths: requests and their results are in [`order`](crate::order).

mod body;
mod facing;
mod identity;
mod teleports;
mod vehicle;
mod velocity;

pub use body::{Agent, AgentFacing};
pub(crate) use body::{AgentBody, AgentError};
pub use identity::AgentId;
pub(crate) use identity::AgentIds;
pub(crate) use teleports::TeleportCount;
pub use vehicle::Vehicle;
pub(crate) use vehicle::VehicleCourse;
pub(crate) use velocity::accelerate;
pub use velocity::{AdjustedVelocity, AgentVelocity, DesiredVelocity};
