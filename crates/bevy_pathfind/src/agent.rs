//! An agent's body: what it can do, which one it is, and how fast it moves.
//!
//! What an agent is to do, and what came of it, is in [`order`](crate::order).

mod body;
mod facing;
mod identity;
mod velocity;

pub(crate) use body::AgentError;
pub use body::{Agent, Facing, ReflectedKindId};
pub use identity::AgentId;
pub(crate) use identity::AgentIds;
pub(crate) use velocity::accelerate;
pub use velocity::{AdjustedVelocity, AgentVelocity, DesiredVelocity};
