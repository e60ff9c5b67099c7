//! The agents of the benchmark: at random places in a square or a cube.

use std::f32::consts::PI;

use pathfind_core::steer::flock::FlockSettings;
use pathfind_core::steer::{Body, CounterRng};

use crate::options::Options;

/// The bodies at the start, and the flock settings.
pub(crate) struct Crowd {
    pub(crate) bodies: Vec<Body>,
    pub(crate) settings: FlockSettings,
    pub(crate) is_flat: bool,
}

impl Crowd {
    /// A crowd in an area so large that each agent has the requested mean number of neighbours within its alignment
    /// radius.
    pub(crate) fn new(options: &Options, agents: usize) -> Self {
        let settings = FlockSettings::default();
        let radius = settings.alignment_radius;
        let is_flat = options.dim == 2;
        let ball = if is_flat { PI * radius.powi(2) } else { 4.0 / 3.0 * PI * radius.powi(3) };
        let size = agents as f32 * ball / options.neighbours;
        let half = 0.5 * if is_flat { size.sqrt() } else { size.cbrt() };
        let bodies = (0..agents as u64)
            .map(|agent| {
                let mut rng = CounterRng::new(1, agent, 0);
                let mut place = [(); 3].map(|()| rng.signed());
                let mut direction = rng.direction();
                if is_flat {
                    (place[2], direction.z) = (0.0, 0.0);
                }
                Body::new(half * glam::Vec3::from_array(place), direction.normalize_or_zero() * 8.0)
            })
            .collect();
        Self { bodies, settings, is_flat }
    }
}

/// A hash (FNV-1a) of positions and velocities of all bodies, in the order of their ids.
pub(crate) fn hash<'a>(bodies: impl Iterator<Item = (u64, &'a Body)>) -> u64 {
    let mut by_id: Vec<_> = bodies.collect();
    by_id.sort_by_key(|&(id, _)| id);
    let vectors = by_id.iter().flat_map(|(_, body)| [body.position, body.velocity]);
    vectors
        .flat_map(|vector| vector.to_array())
        .flat_map(|number| number.to_bits().to_le_bytes())
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
