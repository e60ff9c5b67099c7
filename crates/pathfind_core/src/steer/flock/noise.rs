//! The random push of each member: chance with a memory.

use glam::Vec3;

use super::{FlockLaw, FlockMember, FlockRules};
use crate::simd::{Batch, LANES, Numbers, Simd, Vectors};
use crate::steer::Chance;

impl FlockMember {
    /// Draws the random pushes of many members for a tick, each as [`FlockRules::random_push`] would; those
    /// without rules keep theirs.
    ///
    /// `chance` are the seed and the number of the tick; in a plane, `normal` is square to it.
    pub fn draw(members: &mut [Self], rules: &[FlockRules], chance: (u64, u64), normal: Option<Vec3>) {
        Simd::widest().batch(Draw { members, rules, chance, normal });
    }
}

/// Draws many pushes.
pub(super) struct Draw<'a> {
    pub(super) members: &'a mut [FlockMember],
    pub(super) rules: &'a [FlockRules],
    /// The seed, and the number of the tick.
    pub(super) chance: (u64, u64),
    pub(super) normal: Option<Vec3>,
}

impl Batch for Draw<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Numbers>(self) {
        let Self { members, rules, chance, normal } = self;
        for members in members.chunks_mut(L::WIDTH) {
            match FlockMember::alike(members, rules) {
                Some(rules) => {
                    let pushes = rules.random_pushes::<L>(members, chance, normal).to_vecs();
                    members.iter_mut().zip(pushes).for_each(|(member, push)| member.noise = push);
                }
                None => {
                    for member in members {
                        let Some(rules) = rules.get(member.rules as usize) else { continue };
                        member.noise = rules.random_push(member.noise, chance.0, member.id, chance.1, normal);
                    }
                }
            }
        }
    }
}

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
        let drawn = flat(Vec3::from_array(drawn(chance.bits())) * UNIT - 1.0) * SIZE;
        now * self.memory + drawn * self.fresh(normal)
    }

    /// The same for as many members at once as there are lanes, by other laws than the tutorial's.
    #[inline(always)]
    pub(super) fn random_pushes<L: Numbers>(
        &self,
        members: &[FlockMember],
        (seed, tick): (u64, u64),
        normal: Option<Vec3>,
    ) -> Vectors<L> {
        if self.random_force == 0.0 {
            return Vectors::zero();
        }
        let (mut now, mut bits) = ([[0.0; LANES]; 3], [0; LANES]);
        for (lane, member) in members.iter().enumerate() {
            [now[0][lane], now[1][lane], now[2][lane]] = member.noise.to_array();
            bits[lane] = Chance::new(seed, member.id, tick).bits();
        }
        let mut numbers = [[0.0; LANES]; 3];
        for (axis, numbers) in numbers.iter_mut().enumerate() {
            for (lane, number) in numbers.iter_mut().enumerate().take(L::WIDTH) {
                *number = drawn_along(axis, bits[lane]);
            }
        }
        let one = L::splat(1.0);
        let mut way = Vectors::load(&numbers).scale(L::splat(UNIT)).sub(Vectors([one; 3]));
        if let Some(normal) = normal {
            way = way.flat(normal);
        }
        let fresh = way.scale(L::splat(SIZE)).scale(L::splat(self.fresh(normal)));
        Vectors::load(&now).scale(L::splat(self.memory)).add(fresh)
    }

    /// How much of a push is new in each tick.
    #[inline(always)]
    fn fresh(&self, normal: Option<Vec3>) -> f32 {
        let axes = if normal.is_some() { 2.0 } else { 3.0 };
        self.random_force * ((1.0 - self.memory * self.memory) / axes).sqrt()
    }
}

/// What makes drawn numbers reach from 0 to 2.
const UNIT: f32 = 1.0 / 1_048_576.0;

/// The square root of 3, which makes them of variance 1: that of a number from -1 to 1 is a third.
const SIZE: f32 = 1.732_050_8;

/// A number of 21 bits for each axis.
#[inline(always)]
fn drawn(bits: u64) -> [f32; 3] {
    [0, 1, 2].map(|axis| drawn_along(axis, bits))
}

#[inline(always)]
fn drawn_along(axis: usize, bits: u64) -> f32 {
    ((bits >> (21 * axis)) & 0x1f_ffff) as i32 as f32
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
