//! Tests of steering as an application sees it, headless: one binary, one module per topic.

mod air;
mod avoidance;
mod behaviors;
mod blending;
mod contact;
mod flocks;
mod floors;
mod health;
mod narrow;
mod nonsense;
mod pursuit;
mod rates;
mod reciprocal;
mod sameness;
mod stage;
#[path = "../nav/support.rs"]
#[expect(dead_code, reason = "the tests of navigation need more of it")]
mod support;
