//! Tests of steering as an application sees it, headless: one binary, one module per topic.

mod air;
mod avoidance;
mod behaviors;
mod blending;
mod contact;
mod determinism;
mod direct;
mod escape;
mod fixture;
mod flocks;
mod floors;
mod formation_orders;
mod formations;
mod invalid_agents;
mod invalid_values;
mod low_flying;
mod narrow;
mod pursuit;
mod rates;
mod reciprocal;
mod scale;
#[path = "../nav/support.rs"]
#[expect(dead_code, reason = "the tests of navigation need more of it")]
mod support;
mod target_slots;
mod vehicles;
