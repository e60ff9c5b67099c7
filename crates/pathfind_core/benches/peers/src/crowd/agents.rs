//! The agents that both libraries get.

/// A position or a velocity.
pub(crate) type Pair = [f32; 2];

/// The time horizon of all agents, in seconds.
pub(crate) const HORIZON: f32 = 2.0;
/// The time step, in seconds.
pub(crate) const DT: f32 = 1.0 / 60.0;
/// The radius of all agents.
pub(crate) const RADIUS: f32 = 0.5;
/// The top speed of all agents.
pub(crate) const SPEED: f32 = 2.0;
/// The largest speed along each axis, so that the top speed is not exceeded.
const REACH: f32 = SPEED / std::f32::consts::SQRT_2;

/// Velocities count as different if their squared difference is more than this.
const DIFFERENT: f32 = 1e-4 * SPEED * SPEED;

/// Agents at random places in a square, with random velocities.
pub(crate) struct Agents {
    pub(crate) positions: Vec<Pair>,
    pub(crate) velocities: Vec<Pair>,
    pub(crate) preferred: Vec<Pair>,
    /// The most neighbours that an agent considers.
    pub(crate) neighbors: usize,
    /// The distance within which neighbours are considered.
    pub(crate) range: f32,
}

impl Agents {
    pub(crate) fn spread(count: usize, neighbors: usize, is_dense: bool) -> Self {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut signed = || {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            (state >> 40) as f32 / 8_388_608.0 - 1.0
        };
        let share = if is_dense { 0.2 } else { neighbors as f32 * (RADIUS / 10.0).powi(2) };
        let each = std::f32::consts::PI * RADIUS * RADIUS / share;
        let range = (neighbors as f32 * each / std::f32::consts::PI).sqrt();
        let half = (count as f32 * each).sqrt() / 2.0;
        let positions = (0..count).map(|_| [signed() * half, signed() * half]).collect();
        let mut vectors =
            || -> Vec<Pair> { (0..count).map(|_| [signed() * REACH, signed() * REACH]).collect() };
        Self { positions, velocities: vectors(), preferred: vectors(), neighbors, range }
    }

    /// The neighbours of each agent, nearest first.
    pub(crate) fn near(&self) -> Vec<Vec<usize>> {
        self.positions
            .iter()
            .enumerate()
            .map(|(own, at)| {
                let others = self.positions.iter().enumerate();
                let mut near: Vec<(f32, usize)> = others
                    .filter(|&(other, _)| other != own)
                    .map(|(other, place)| (distance_squared(*place, *at), other))
                    .filter(|&(squared, _)| squared <= self.range * self.range)
                    .collect();
                near.sort_by(|one, other| one.0.total_cmp(&other.0));
                near.truncate(self.neighbors);
                near.into_iter().map(|(_, other)| other).collect()
            })
            .collect()
    }

    /// The share of agents for which two results differ, and the share that does not get its preferred velocity.
    pub(crate) fn compare(&self, one: &[Pair], other: &[Pair]) -> (f64, f64) {
        let share = |is: &dyn Fn(usize) -> bool| {
            (0..one.len()).filter(|&index| is(index)).count() as f64 / one.len() as f64
        };
        (
            share(&|index| distance_squared(one[index], other[index]) > DIFFERENT),
            share(&|index| distance_squared(other[index], self.preferred[index]) > DIFFERENT),
        )
    }
}

fn distance_squared(one: Pair, other: Pair) -> f32 {
    (one[0] - other[0]).powi(2) + (one[1] - other[1]).powi(2)
}
