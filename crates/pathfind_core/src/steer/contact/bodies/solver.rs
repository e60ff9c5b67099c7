//! The sweeps of a tick: until no overlap is left, or as many as the settings allow.

use glam::Vec3;

use super::{BodyContact, ContactBody, ContactSweep, SweepStats};
use crate::neighbors::Neighbors;
use crate::steer::{Body, LengthError, MovementPlane};

/// Pushes bodies apart, sweep by sweep. Keep it from tick to tick: once warm, it allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct ContactSolver {
    /// The positions before and after a sweep, by slot.
    places: [Vec<Vec3>; 2],
    neighbors: Neighbors,
}

impl ContactSolver {
    /// Pushes bodies apart and writes their new positions, on one thread. Returns the deepest overlap that the
    /// last sweep found, as a part of the sum of the pair's radii: above the tolerance only if there were too few
    /// sweeps or there is no room. Bodies with a number that is NaN, infinite or beyond ±10¹⁸ are not moved.
    ///
    /// # Errors
    /// [`LengthError`] if the arrays do not fit together.
    pub fn solve(
        &mut self,
        contact: &BodyContact,
        plane: Option<MovementPlane>,
        bodies: &mut [Body],
        contact_bodies: &[ContactBody],
    ) -> Result<f32, LengthError> {
        self.solve_with(contact, plane, bodies, contact_bodies, |sweep, out| sweep.run(0..out.len(), out))
    }

    /// As [`solve`](Self::solve), with `run` to execute each sweep over all slots, in parts on threads of the
    /// caller's.
    ///
    /// # Errors
    /// [`LengthError`] if the arrays do not fit together.
    pub fn solve_with(
        &mut self,
        contact: &BodyContact,
        plane: Option<MovementPlane>,
        bodies: &mut [Body],
        contact_bodies: &[ContactBody],
        mut run: impl FnMut(&ContactSweep, &mut [Vec3]) -> Result<SweepStats, LengthError>,
    ) -> Result<f32, LengthError> {
        LengthError::unless_equal("contact bodies", bodies.len(), contact_bodies.len())?;
        let widest =
            bodies.iter().filter(|body| body.is_in_range()).map(|body| body.radius).fold(0.0, f32::max);
        self.find_neighbors(widest, bodies, contact_bodies);
        // NaN counts as 0. Half of what may remain is ignored.
        let most = if contact.tolerance > 0.0 { contact.tolerance.min(1.0) } else { 0.0 };
        let tolerance = 0.5 * most;
        let mut sweep_stats = SweepStats::default();
        for _ in 0..contact.sweeps {
            // Once bodies have drifted far, the search radius would be too large: rebuild.
            if sweep_stats.drift > self.neighbors.narrowest(widest) {
                self.write(bodies);
                self.find_neighbors(widest, bodies, contact_bodies);
                sweep_stats.drift = 0.0;
            }
            let Self { places: [from, to], neighbors } = &mut *self;
            let drift = sweep_stats.drift;
            let sweep =
                ContactSweep { plane, neighbors, bodies, contact_bodies, from, widest, tolerance, drift };
            sweep_stats = run(&sweep, to)?;
            if sweep_stats.deepest <= most {
                break;
            }
            std::mem::swap(from, to);
        }
        self.write(bodies);
        Ok(sweep_stats.deepest)
    }

    /// Builds the neighbours of the bodies at their present positions.
    fn find_neighbors(&mut self, widest: f32, bodies: &[Body], contact_bodies: &[ContactBody]) {
        let Self { places: [from, to], neighbors } = self;
        neighbors.build_by(2.0 * widest, bodies, &[], Some(&|index| contact_bodies[index].id));
        from.clear();
        from.extend(neighbors.order().iter().map(|&index| bodies[index as usize].position));
        to.clear();
        to.resize(neighbors.len(), Vec3::ZERO);
    }

    /// Writes the pushed positions to the bodies.
    fn write(&self, bodies: &mut [Body]) {
        for (&index, &place) in self.neighbors.order().iter().zip(&self.places[0]) {
            bodies[index as usize].position = place;
        }
    }
}
