//! Generators of input for the steering properties.

use glam::Vec3;
use pathfind_core::steer::{
    Body,
    pursue::{PursuitMode, PursuitSettings, UncatchablePolicy},
};
use proptest::prelude::*;
use proptest::sample::select;

/// Projects a vector to the plane, if the case is planar.
pub(crate) fn flatten(vector: Vec3, is_planar: bool) -> Vec3 {
    if is_planar { vector.with_z(0.0) } else { vector }
}

/// A vector with components of at most this size.
pub(crate) fn vector(most: f32) -> impl Strategy<Value = Vec3> + Clone {
    let axis = move || -most..=most;
    (axis(), axis(), axis()).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

/// Any finite number: ordinary, zero, huge or tiny.
pub(crate) fn number() -> impl Strategy<Value = f32> + Clone {
    let extreme =
        select(vec![0.0, -0.0, 1.0, f32::MAX, f32::MIN, f32::MIN_POSITIVE, 1e-45, 1e30, -1e30, 1e-30]);
    prop_oneof![3 => -100.0_f32..100.0, 1 => extreme, 1 => any::<f32>().prop_filter("finite", |x| x.is_finite())]
}

/// Any finite vector.
pub(crate) fn any_vector() -> impl Strategy<Value = Vec3> + Clone {
    (number(), number(), number()).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

/// Any finite body.
pub(crate) fn any_body() -> impl Strategy<Value = Body> + Clone {
    (any_vector(), any_vector()).prop_map(|(position, velocity)| Body::new(position, velocity))
}

/// Any pursuit settings.
pub(crate) fn settings() -> impl Strategy<Value = PursuitSettings> + Clone {
    let policies = [
        UncatchablePolicy::LeastMiss,
        UncatchablePolicy::LineOfSight,
        UncatchablePolicy::Hold,
        UncatchablePolicy::GiveUp,
    ];
    let flags = (any::<bool>(), any::<bool>());
    (select(PursuitMode::ALL), select(policies.to_vec()), 0.0..5.0_f32, 0.0..60.0_f32, flags).prop_map(
        |(mode, uncatchable, catch_radius, horizon, (normalize_diagonal, arrives))| PursuitSettings {
            mode,
            catch_radius,
            horizon,
            uncatchable,
            normalize_diagonal,
            arrives,
        },
    )
}

/// The length of a vector, without overflow.
pub(crate) fn length(vector: Vec3) -> f64 {
    vector.as_dvec3().length()
}
