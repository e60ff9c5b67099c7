//! Vectors in `f64`, where no square or product of finite `f32` input overflows or vanishes; and settings in range.

use glam::{DVec3, Vec3};

/// The vector of length 1 along another; zero has no direction and stays zero.
pub(super) fn unit(vector: DVec3) -> DVec3 {
    let length = vector.length();
    if length > 0.0 { vector / length } else { DVec3::ZERO }
}

/// To `f32`; components too large for it become ±`f32::MAX`.
pub(super) fn narrow(vector: DVec3) -> Vec3 {
    let most = DVec3::splat(f64::from(f32::MAX));
    vector.clamp(-most, most).as_vec3()
}

/// A number to `f32`; one too large for it becomes ±`f32::MAX`.
pub(super) fn narrow_number(number: f64) -> f32 {
    number.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32
}

/// A setting, with NaN and negative numbers as 0 and infinity as `f32::MAX`.
pub(super) fn size(value: f32) -> f32 {
    if value > 0.0 { value.min(f32::MAX) } else { 0.0 }
}
