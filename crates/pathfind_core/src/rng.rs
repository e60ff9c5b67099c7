//! Random numbers that depend only on seed, agent and tick.

use glam::Vec3;

/// A stream of random numbers for one agent in one tick: the same seed, agent and tick give the same
/// numbers on every machine, whatever others draw.
///
/// Each number is a hash of a counter (J. Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3",
/// 2011); the mixing function is SplitMix64's (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number
/// Generators", 2014).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct CounterRng {
    key: u64,
    drawn: u64,
}

impl CounterRng {
    /// The stream of numbers of an agent in a tick.
    #[must_use]
    pub const fn new(seed: u64, agent: u64, tick: u64) -> Self {
        Self { key: mix(mix(mix(seed) ^ agent) ^ tick), drawn: 0 }
    }

    /// The next 64 random bits.
    pub const fn bits(&mut self) -> u64 {
        self.drawn = self.drawn.wrapping_add(1);
        mix(self.key ^ self.drawn.wrapping_mul(STEP))
    }

    /// A number from 0 up to, but without, 1.
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / 16_777_216.0
    }

    /// A number from -1 up to, but without, 1.
    pub fn signed(&mut self) -> f32 {
        self.unit() * 2.0 - 1.0
    }

    /// A direction of length 1, each as likely as any other.
    pub fn direction(&mut self) -> Vec3 {
        loop {
            let point = Vec3::new(self.signed(), self.signed(), self.signed());
            let length_squared = point.length_squared();
            if (1e-6..=1.0).contains(&length_squared) {
                return point / length_squared.sqrt();
            }
        }
    }

    /// A normally distributed number with mean 0 and deviation 1, as the sum of twelve uniform ones: never
    /// beyond ±6, and the same on every machine.
    pub fn normal(&mut self) -> f32 {
        let mut sum = -6.0;
        for _ in 0..6 {
            let bits = self.bits();
            sum += ((bits >> 32) as u32 as f32 + bits as u32 as f32) / 4_294_967_296.0;
        }
        sum
    }
}

/// One random number for each of many agents in a tick, cheaper than a stream for each: SplitMix64 itself, seeded
/// anew in each tick; an agent takes the number at the index of its id.
#[derive(Copy, Clone)]
pub(crate) struct AgentRng {
    start: u64,
}

impl AgentRng {
    pub(crate) const fn new(seed: u64, tick: u64) -> Self {
        Self { start: mix(mix(seed) ^ tick) }
    }

    #[inline(always)]
    pub(crate) const fn of(self, agent: u64) -> u64 {
        mix(self.start.wrapping_add(agent.wrapping_mul(STEP)))
    }
}

/// The increment of SplitMix64's state.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// SplitMix64's mixing function.
pub(crate) const fn mix(mut bits: u64) -> u64 {
    bits = bits.wrapping_add(STEP);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_key_draws_the_same_numbers_and_another_key_others() {
        let drawn = |seed, agent, tick| {
            let mut rng = CounterRng::new(seed, agent, tick);
            [rng.bits(), rng.bits(), rng.bits()]
        };
        assert_eq!(drawn(1, 2, 3), drawn(1, 2, 3));
        let others = [drawn(2, 2, 3), drawn(1, 3, 3), drawn(1, 2, 4), drawn(2, 1, 3), drawn(3, 2, 1)];
        assert!(others.iter().all(|&other| other != drawn(1, 2, 3)), "every part of the key counts");
    }

    #[test]
    fn each_agent_has_a_number_of_its_own_in_each_tick() {
        let (agents, ticks) = (200, 50);
        let mut ones = [0; 64];
        let keys = (0..3).flat_map(|seed| (0..ticks).map(move |tick| AgentRng::new(seed, tick)));
        let mut draws: Vec<u64> = keys.flat_map(|rng| (0..agents).map(move |agent| rng.of(agent))).collect();
        for bits in &draws {
            ones.iter_mut().enumerate().for_each(|(place, ones)| *ones += bits >> place & 1);
        }
        let half = draws.len() as f64 / 2.0;
        assert!(ones.iter().all(|&ones| (ones as f64 / half - 1.0).abs() < 0.03), "bits are fair: {ones:?}");
        // Between consecutive ids, and between consecutive ticks, half of the bits differ.
        for apart in [1, 2, agents as usize, agents as usize + 1, (agents * ticks) as usize] {
            let pairs = draws.iter().zip(&draws[apart..]);
            let differ: u32 = pairs.clone().map(|(a, b)| (a ^ b).count_ones()).sum();
            let share = f64::from(differ) / (64.0 * pairs.count() as f64);
            assert!((share - 0.5).abs() < 0.002, "draws {apart} apart differ in {share} of their bits");
        }
        draws.sort_unstable();
        draws.dedup();
        assert_eq!(draws.len() as u64, 3 * agents * ticks, "all draws differ");
    }

    #[test]
    fn numbers_have_the_mean_and_the_spread_they_promise() {
        let mut rng = CounterRng::new(7, 0, 0);
        let count = 100_000;
        let (mut uniform, mut normal, mut squares, mut direction_sum) = (0.0, 0.0, 0.0, Vec3::ZERO);
        for _ in 0..count {
            uniform += f64::from(rng.unit());
            let drawn = f64::from(rng.normal());
            normal += drawn;
            squares += drawn * drawn;
            let direction = rng.direction();
            assert!((direction.length() - 1.0).abs() < 1e-5, "a direction has length 1: {direction}");
            direction_sum += direction;
        }
        let [uniform, normal, squares] = [uniform, normal, squares].map(|sum| sum / f64::from(count));
        assert!((uniform - 0.5).abs() < 0.005, "uniform numbers are centred");
        assert!(normal.abs() < 0.01 && (squares - 1.0).abs() < 0.02, "normal ones are, with deviation 1");
        assert!(direction_sum.length() / (count as f32) < 0.01, "directions point everywhere");
    }
}
