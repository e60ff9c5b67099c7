//! Statistics of a flock, for tuning.

use glam::{DVec3, Vec3};

use crate::neighbors::Neighbors;
use crate::steer::Body;

/// Statistics of one flock.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FlockStats {
    /// Polarisation, the length of the mean of the members' headings. Range: 0 (headings cancel out) to 1 (all
    /// alike).
    pub polarization: f32,
    /// Mean distance to the nearest mate, over the members that have a mate within 8 times the reach that
    /// [`Neighbors`] was built for.
    pub nearest: f32,
    /// Radius of gyration: root mean square distance from the flock's centre.
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
        for &index in &members {
            let position = bodies[index].position;
            spread += position.as_dvec3().distance_squared(center);
            let is_mate = |other| other != index && in_group(other);
            if let Some(distance) = nearest_mate(neighbors, position, is_mate) {
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

/// The distance of the nearest mate, searched in circles that double in radius, up to 8 times the reach.
fn nearest_mate(neighbors: &Neighbors, center: Vec3, is_mate: impl Fn(usize) -> bool) -> Option<f32> {
    let mut least = f32::INFINITY;
    let mut is_found = |neighbors: &Neighbors, radius: f32| {
        let (at, columns) = (neighbors.axes().grid(center), neighbors.columns());
        neighbors.for_each_range(at, radius, |range| {
            for slot in range {
                if least == 0.0 {
                    break;
                }
                #[cfg(test)]
                crate::testing::count(1);
                let squared = (columns.position(slot) - at).length_squared();
                if squared <= radius * radius && squared < least && is_mate(neighbors.order()[slot] as usize)
                {
                    least = squared;
                }
            }
        });
        least.is_finite()
    };
    let radii = [0.5, 1.0, 2.0, 4.0, 8.0].map(|part| part * neighbors.reach());
    let is_any = neighbors.search(radii[0], &mut is_found)
        || radii[1..].iter().any(|&radius| is_found(neighbors, radius));
    is_any.then(|| least.sqrt())
}
