//! Places at a target: which agent has which of its slots, and who waits where.
//!
//! A claim is a component of the agent, [`SlotClaim`](crate::order::SlotClaim), and ends with it. Of an agent that a
//! request sends to a slot, the claim becomes a request for a path to a point; a pursuer goes to its claim instead of to
//! its target.

mod assign;
mod claim;
mod slot_points;

pub(super) use claim::{claim_slots, stay_in_slots};
