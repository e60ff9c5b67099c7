//! Statistics of a flock, for tuning.

use glam::{DVec3, Vec3};

use crate::neighbors::{Neighbor, Neighbors};
use crate::steer::Body;

/// Statistics of one flock.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FlockStats {
    /// Polarisation, the length of the mean of the members' headings. Range: 0 (headings cancel out) to 1 (all
    /// alike).
    pub polarization: f32,
    /// Mean distance to the nearest mate, over the members that have a mate within 8 times the reach that [`Neighbors`]
    /// was built for; 0 if none has. Unit: lengths. Range: 0 and up.
    pub nearest: f32,
    /// Radius of gyration: root mean square distance from the flock's centre. Unit: lengths. Range: 0 and up.
    pub gyration: f32,
}

impl FlockStats {
    /// The statistics of the members of `group`, from the bodies and groups that [`Neighbors::build`] was given.
    /// All zero for a group without members.
    #[must_use]
    pub fn new(neighbors: &Neighbors, bodies: &[Body], groups: &[u32], group: u32) -> Self {
        let in_group = |index: usize| groups.get(index).copied().unwrap_or_default() == group;
        let members: Vec<usize> =
            (0..bodies.len()).filter(|&index| in_group(index) && bodies[index].is_finite()).collect();
        if members.is_empty() {
            return Self::default();
        }
        let (mut headings, mut center) = (DVec3::ZERO, DVec3::ZERO);
        for &index in &members {
            headings += bodies[index].velocity.normalize_or_zero().as_dvec3();
            center += bodies[index].position.as_dvec3();
        }
        let count = members.len() as f64;
        center /= count;
        let (mut spread, mut nearest, mut paired) = (0.0, 0.0, 0_u32);
        let mut found = Vec::new();
        for &index in &members {
            let position = bodies[index].position;
            spread += position.as_dvec3().distance_squared(center);
            if let Some(distance) = nearest_mate(neighbors, (index, position), group, &mut found) {
                nearest += f64::from(distance);
                paired += 1;
            }
        }
        Self {
            polarization: (headings.length() / count) as f32,
            nearest: (nearest / f64::from(paired.max(1))) as f32,
            gyration: (spread / count).sqrt() as f32,
        }
    }
}

/// The distance of the nearest mate within 8 times the reach; usually it is within half of it.
fn nearest_mate(
    neighbors: &Neighbors,
    (own, center): (usize, Vec3),
    group: u32,
    found: &mut Vec<Neighbor>,
) -> Option<f32> {
    let radii = [0.5, 8.0].map(|part| part * neighbors.reach());
    radii.into_iter().find_map(|radius| {
        neighbors.nearest_of(Some(group), center, radius, (1, Some(own)), found);
        found.first().map(|near| near.distance_squared.sqrt())
    })
}
