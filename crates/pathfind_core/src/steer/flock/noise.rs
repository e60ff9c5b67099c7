//! The random push of each member: chance with a memory.

use glam::Vec3;

use super::{FlockLaw, FlockRules};
use crate::steer::Chance;

impl FlockRules {
    /// A member's random push a tick later, from what it is now (zero at first).
    ///
    /// An Ornstein-Uhlenbeck process (Uhlenbeck and Ornstein, 1930): mean, deviation and memory are the same
    /// whatever a tick's length. For the tutorial's law a push that stays as it is until it is drawn anew,
    /// `random_freq` times a second in the mean. It depends on the seed, the member's id and the tick's
    /// number only. In a plane, `normal` is square to it.
    #[must_use]
    #[inline]
    pub fn random_push(&self, now: Vec3, seed: u64, id: u64, tick: u64, normal: Option<Vec3>) -> Vec3 {
        if self.random_force == 0.0 {
            return Vec3::ZERO;
        }
        let mut chance = Chance::new(seed, id, tick);
        let flat = |way: Vec3| normal.map_or(way, |normal| way - normal * way.dot(normal));
        if self.law == FlockLaw::Tutorial {
            // Not yet drawn, or due.
            if now != Vec3::ZERO && chance.unit() < self.memory {
                return now;
            }
            return flat(chance.direction()).normalize_or_zero() * self.random_force;
        }
        let axes: f32 = if normal.is_some() { 2.0 } else { 3.0 };
        // Of variance 1 in each axis: that of two uniform numbers' sum is a sixth.
        let drawn = flat(thirds(chance.bits()) + thirds(chance.bits())) * 6.0_f32.sqrt();
        let fresh = self.random_force * ((1.0 - self.memory * self.memory) / axes).sqrt();
        now * self.memory + drawn * fresh
    }
}

/// Three numbers from -0.5 to 0.5.
#[inline(always)]
fn thirds(bits: u64) -> Vec3 {
    let third = |shift: u32| ((bits >> shift) & 0x1f_ffff) as f32;
    Vec3::new(third(0), third(21), third(42)) * (1.0 / 2_097_152.0) - 0.5
}

#[cfg(test)]
mod tests {
    use super::super::FlockSettings;
    use super::*;

    #[test]
    fn the_push_has_its_size_and_memory_whatever_the_tick() {
        for rate in [30.0, 144.0_f32] {
            let settings = FlockSettings { random_force: 3.0, random_freq: 2.5, ..FlockSettings::default() };
            let rules = settings.rules(1.0 / rate);
            let lag = (0.4 * rate) as usize;
            for normal in [None, Some(Vec3::Y)] {
                let (mut squares, mut kept, mut count) = (0.0_f64, 0.0_f64, 0.0);
                for id in 0..200 {
                    let mut push = Vec3::ZERO;
                    let mut pushes = Vec::new();
                    for tick in 0..(8.0 * rate) as u64 {
                        push = rules.random_push(push, 7, id, tick, normal);
                        pushes.push(push);
                    }
                    for pair in pushes[2 * lag..].windows(lag + 1) {
                        squares += f64::from(pair[0].length_squared());
                        kept += f64::from(pair[0].dot(pair[lag]));
                        count += 1.0;
                    }
                    assert!(normal.is_none() || push.y == 0.0, "in a plane it stays there");
                }
                let size = (squares / count).sqrt();
                assert!((size - 3.0).abs() < 0.1, "a push of {size} at {rate} Hz");
                let memory = kept / squares;
                assert!((memory - 0.37).abs() < 0.05, "after its time 1/e of it is left, not {memory}");
            }
        }
    }

    #[test]
    fn the_tutorials_push_stays_until_drawn_anew() {
        let rules = FlockSettings::seagull().rules(0.01);
        let mut push = Vec3::ZERO;
        let mut drawn = 0;
        for tick in 0..100_000 {
            let next = rules.random_push(push, 1, 2, tick, None);
            drawn += u32::from(next != push);
            push = next;
            assert!((push.length() - 5.0).abs() < 1e-4, "of one length");
        }
        assert!((1800..2200).contains(&drawn), "drawn {drawn} times in 1,000 seconds at 2 a second");
    }
}
