//! Groups in formation.
#[path = "steer/formations.rs"]
mod formations;
#[path = "nav/support.rs"]
#[expect(dead_code, reason = "the tests of navigation need more of it")]
mod support;
