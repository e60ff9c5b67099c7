//! Who is there.

/// A point or a velocity.
pub(crate) type Pair = [f32; 2];

/// How far ahead everybody looks, in seconds.
pub(crate) const HORIZON: f32 = 2.0;
/// The step, in seconds.
pub(crate) const DT: f32 = 1.0 / 60.0;
/// Everybody's radius.
pub(crate) const RADIUS: f32 = 0.5;
/// Everybody's greatest speed.
pub(crate) const SPEED: f32 = 2.0;
/// How fast they go along either axis, so as not to exceed it.
const REACH: f32 = SPEED / std::f32::consts::SQRT_2;

/// Velocities that differ by more than this, squared, are different decisions.
const DIFFERENT: f32 = 1e-4 * SPEED * SPEED;

/// Agents somewhere in a square, under way in some direction.
pub(crate) struct Agents {
    pub(crate) positions: Vec<Pair>,
    pub(crate) velocities: Vec<Pair>,
    pub(crate) preferred: Vec<Pair>,
    /// How many others each looks at.
    pub(crate) neighbors: usize,
    /// Within which distance.
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
        let mut ways = || -> Vec<Pair> { (0..count).map(|_| [signed() * REACH, signed() * REACH]).collect() };
        Self { positions, velocities: ways(), preferred: ways(), neighbors, range }
    }

    /// Which others each looks at, nearest first.
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

    /// The shares of agents for whom two decisions differ, and of those who do not get what they prefer.
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
