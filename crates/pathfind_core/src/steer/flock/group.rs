//! What all members of one flock share in a tick: count, centre and leader.

use glam::{DVec3, Vec3};

use crate::steer::{Body, MovementPlane};

/// One flock: its size, its centre, and the body that it follows.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct FlockGroup {
    /// Number of members. Range: 0 and up. Default: `0`.
    pub count: usize,
    /// The mean of their positions. Unit: lengths. Default: the origin.
    pub center: Vec3,
    /// The body that it follows: `None` where there is none, or where its numbers are not finite or beyond ±10¹⁸.
    pub leader: Option<Body>,
    /// Factor on `leader_distance`: the cube root of `count`, in a plane the square root.
    pub(in crate::steer) width: f32,
}

impl FlockGroup {
    /// The flock of these bodies, leaving out bodies with a number that is not finite or beyond ±10¹⁸.
    #[must_use]
    pub fn new<'a>(
        members: impl IntoIterator<Item = &'a Body>,
        leader: Option<Body>,
        plane: Option<MovementPlane>,
    ) -> Self {
        let (mut count, mut sum) = (0, DVec3::ZERO);
        for body in members.into_iter().filter(|body| body.is_in_range()) {
            count += 1;
            sum += body.position.as_dvec3();
        }
        let center = (sum / f64::from(count.max(1))).as_vec3();
        Self::of(count as usize, center, leader, plane)
    }

    /// A flock of `count` members with their mean position at `center`.
    #[must_use]
    pub fn of(count: usize, center: Vec3, leader: Option<Body>, plane: Option<MovementPlane>) -> Self {
        let size = count as f32;
        let width = if plane.is_some() { size.sqrt() } else { libm::cbrtf(size) };
        Self { count, center, leader: leader.filter(Body::is_in_range), width }
    }
}
