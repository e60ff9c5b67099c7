//! Rotates a body into its direction of motion.

use std::f32::consts::FRAC_PI_2;

use bevy::prelude::*;

use super::AgentFacing;

impl AgentFacing {
    /// The side that points in the direction of motion, in the body's own space.
    pub(crate) const fn ahead(self) -> Option<Vec3> {
        match self {
            Self::None => None,
            Self::Right => Some(Vec3::X),
            Self::Up => Some(Vec3::Y),
            Self::Forward => Some(Vec3::NEG_Z),
        }
    }

    /// The direction away from the ground for a body on no grid: +Z for sprites, which lie in XY, +Y for models.
    pub(crate) const fn usual_up(self) -> Vec3 {
        if matches!(self, Self::Forward) { Vec3::Y } else { Vec3::Z }
    }

    /// The rotation that faces along `direction` with `up` away from the ground; `None` if the two are zero or
    /// parallel.
    fn looking(self, direction: Vec3, up: Vec3) -> Option<Quat> {
        let (direction, up) = (direction.try_normalize()?, up.try_normalize()?);
        let left = up.cross(direction).try_normalize()?;
        let basis = match self {
            Self::None => return None,
            Self::Right => Mat3::from_cols(direction, left, up),
            Self::Up => Mat3::from_cols(-left, direction, up),
            Self::Forward => Mat3::from_cols(-left, up, -direction),
        };
        Some(Quat::from_mat3(&basis))
    }

    /// `rotation`, turned by at most `most` radians towards facing along `direction`.
    pub(crate) fn turned(self, rotation: Quat, direction: Vec3, up: Vec3, most: f32) -> Quat {
        match self.looking(direction, up) {
            Some(wanted) if rotation.is_finite() => {
                // Most bodies can finish their turn within the tick. That is decided without computing the angle:
                // `cosine` is the cosine of half of `most` by its Taylor series, which is slightly above the true
                // value.
                let half = (0.5 * most).clamp(0.0, FRAC_PI_2);
                let squared = half * half;
                let cosine = 1.0 - squared / 2.0 + squared * squared / 24.0;
                if dot(rotation, wanted).abs() >= cosine * length(rotation) {
                    return wanted;
                }
                rotate_towards(rotation, wanted, most.max(0.0))
            }
            _ => rotation,
        }
    }
}

// Bevy's functions for quaternions give different bits with and without SIMD: they add in another order, and use
// another sine. These give the same bits on every processor.

/// The dot product, added in the order of the components.
fn dot(a: Quat, b: Quat) -> f32 {
    a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w
}

fn length(rotation: Quat) -> f32 {
    dot(rotation, rotation).sqrt()
}

/// `from`, turned by at most `most` radians towards `to` in the shorter direction; of length 1.
fn rotate_towards(from: Quat, to: Quat, most: f32) -> Quat {
    let scaled = |q: Quat, by: f32| Quat::from_xyzw(q.x * by, q.y * by, q.z * by, q.w * by);
    let from = scaled(from, 1.0 / length(from));
    let cosine = dot(from, to);
    // A quaternion and its negative are the same rotation.
    let (to, cosine) = if cosine < 0.0 { (scaled(to, -1.0), -cosine) } else { (to, cosine) };
    // Half of the angle between the two rotations.
    let half = libm::acosf(cosine.min(1.0));
    let sine = libm::sinf(half);
    if sine <= 0.0 {
        return to;
    }
    let turned = (0.5 * most).min(half);
    let (of_from, of_to) = (libm::sinf(half - turned) / sine, libm::sinf(turned) / sine);
    let sum = scaled(from, of_from) + scaled(to, of_to);
    scaled(sum, 1.0 / length(sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_side_looks_in_the_direction_of_motion() {
        let sides = [
            (AgentFacing::Right, Vec3::X, Vec3::Z),
            (AgentFacing::Up, Vec3::Y, Vec3::Z),
            (AgentFacing::Forward, Vec3::NEG_Z, Vec3::Y),
        ];
        for (facing, side, up) in sides {
            let around = if up == Vec3::Z { Vec3::Y } else { Vec3::Z };
            for direction in [Vec3::X, -Vec3::X, around, -around, (Vec3::X + around).normalize()] {
                let turned = facing.turned(Quat::IDENTITY, direction, up, 10.0);
                assert!((turned * side).distance(direction) < 1e-4, "{facing:?} looks along {direction}");
                assert!((turned * up).distance(up) < 1e-4, "{facing:?} stays upright towards {direction}");
            }
        }
    }

    #[test]
    fn turning_takes_time() {
        let turned = AgentFacing::Right.turned(Quat::IDENTITY, Vec3::Y, Vec3::Z, 0.25);
        assert!((turned.angle_between(Quat::IDENTITY) - 0.25).abs() < 1e-4, "the turn is limited");
        for most in [0.02_f32, 0.3, 1.6, 3.0, 9.0] {
            for angle in [0.01_f32, 0.019, 0.021, 0.29, 0.31, 1.5, 1.7, 2.9, 3.1] {
                let direction = Quat::from_rotation_z(angle) * Vec3::X;
                let turned = AgentFacing::Right.turned(Quat::IDENTITY, direction, Vec3::Z, most);
                let expected = angle.min(most);
                let by = turned.angle_between(Quat::IDENTITY);
                assert!((by - expected).abs() < 2e-3, "{by} of {angle}, where {most} may be turned");
            }
        }
    }
}
