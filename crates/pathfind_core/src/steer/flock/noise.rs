//! The random push of each member: noise that is correlated in time.

use glam::Vec3;

use super::step_buffer::BLOCK;
use super::{FlockMember, FlockModel, FlockRules};
use crate::rng::AgentRng;
use crate::simd::{Batch, Simd, SimdF32, Vectors};
use crate::steer::{CounterRng, MovementPlane, classic};

impl FlockMember {
    /// Draws the random pushes of many members for a tick, each as [`FlockRules::random_push`] does; members
    /// without rules keep theirs.
    ///
    /// `rng` is the seed and the number of the tick.
    pub fn draw(members: &mut [Self], rules: &[FlockRules], rng: (u64, u64), plane: Option<MovementPlane>) {
        Simd::widest().batch(Draw { members, rules, rng, plane });
    }
}

/// The arguments of [`FlockMember::draw`], to run on any instruction set.
pub(super) struct Draw<'a> {
    pub(super) members: &'a mut [FlockMember],
    pub(super) rules: &'a [FlockRules],
    /// The seed, and the number of the tick.
    pub(super) rng: (u64, u64),
    pub(super) plane: Option<MovementPlane>,
}

impl Batch for Draw<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: SimdF32>(self) {
        let Self { members, rules, rng, plane } = self;
        let mut draft = [[[0.0; BLOCK]; 3]; 2];
        for members in members.chunks_mut(BLOCK) {
            let kind = members[0].rules;
            let is_one = members.iter().all(|member| member.rules == kind);
            let alike =
                rules.get(kind as usize).filter(|rules| is_one && rules.model != FlockModel::Tutorial);
            if let Some(rules) = alike {
                draw_alike::<L>(&mut draft, members, rules, rng, plane);
                continue;
            }
            for member in members {
                let Some(rules) = rules.get(member.rules as usize) else { continue };
                member.noise = rules.random_push(member.noise, rng.0, member.id, rng.1, plane);
            }
        }
    }
}

impl FlockRules {
    /// A member's random push a tick later, from what it is now (zero at first).
    ///
    /// A discrete Ornstein-Uhlenbeck process (Uhlenbeck and Ornstein, 1930) with uniform instead of normal
    /// increments: mean, deviation and correlation over time do not depend on the length of a tick. In the
    /// tutorial's model the push stays as it is until it is drawn anew, `noise_frequency` times a second in the
    /// mean. It depends only on `now`, the seed, the member's id and the number of the tick.
    #[must_use]
    #[inline]
    pub fn random_push(
        &self,
        now: Vec3,
        seed: u64,
        id: u64,
        tick: u64,
        plane: Option<MovementPlane>,
    ) -> Vec3 {
        if self.noise_force == 0.0 {
            return Vec3::ZERO;
        }
        if self.model == FlockModel::Tutorial {
            return classic::tutorial_noise(self, now, CounterRng::new(seed, id, tick), plane);
        }
        let displacement =
            Vec3::from_array(drawn(AgentRng::new(seed, tick).of(id)).map(|number| number * UNIT - CENTER));
        let flat = plane.map_or(displacement, |plane| plane.flat(displacement));
        now * self.memory + flat * self.fresh(plane)
    }

    /// Factor on the random numbers of a tick. Each is uniform from -1 to 1, so its variance is 1/3.
    #[inline(always)]
    fn fresh(&self, plane: Option<MovementPlane>) -> f32 {
        let axes = if plane.is_some() { 2.0 } else { 3.0 };
        self.noise_force * (3.0 * (1.0 - self.memory * self.memory) / axes).sqrt()
    }
}

/// [`FlockRules::random_push`] of at most [`BLOCK`] members, in other models than the tutorial's. The pushes and the
/// random numbers are drafted in one array for each axis.
#[inline(always)]
fn draw_alike<L: SimdF32>(
    [pushes, numbers]: &mut [[[f32; BLOCK]; 3]; 2],
    members: &mut [FlockMember],
    rules: &FlockRules,
    (seed, tick): (u64, u64),
    plane: Option<MovementPlane>,
) {
    if rules.noise_force == 0.0 {
        members.iter_mut().for_each(|member| member.noise = Vec3::ZERO);
        return;
    }
    let draws = AgentRng::new(seed, tick);
    for (at, member) in members.iter().enumerate() {
        let (noise, drawn) = (member.noise.to_array(), drawn(draws.of(member.id)));
        for axis in 0..3 {
            (pushes[axis][at], numbers[axis][at]) = (noise[axis], drawn[axis]);
        }
    }
    let (memory, fresh) = (L::splat(rules.memory), L::splat(rules.fresh(plane)));
    for at in (0..members.len()).step_by(L::WIDTH) {
        let number = Vectors::<L>::read(numbers, at);
        let mut displacement = number.scale(L::splat(UNIT)).sub(Vectors([L::splat(CENTER); 3]));
        // No closures around SIMD values: they are not always inlined.
        if let Some(plane) = plane {
            displacement = displacement.flat(plane.up());
        }
        Vectors::read(pushes, at).scale(memory).add(displacement.scale(fresh)).write(pushes, at);
    }
    for (at, member) in members.iter_mut().enumerate() {
        member.noise = Vec3::new(pushes[0][at], pushes[1][at], pushes[2][at]);
    }
}

/// `drawn · UNIT - CENTER` maps numbers from 1 to 1.25 to numbers from -1 to 1.
const UNIT: f32 = 8.0;
const CENTER: f32 = 9.0;

/// For each axis a number with 21 random bits, from 1 up to, but without, 1.25.
#[inline(always)]
fn drawn(bits: u64) -> [f32; 3] {
    let one = 1.0_f32.to_bits();
    [bits, bits >> 21, bits >> 42].map(|bits| f32::from_bits(one | bits as u32 & 0x1f_ffff))
}

#[cfg(test)]
mod tests {
    use super::super::FlockSettings;
    use super::*;

    #[test]
    fn the_push_has_its_size_and_memory_whatever_the_tick() {
        for rate in [30.0, 144.0_f32] {
            let settings =
                FlockSettings { noise_force: 3.0, noise_frequency: 2.5, ..FlockSettings::default() };
            let rules = settings.rules(1.0 / rate);
            let lag = (0.4 * rate) as usize;
            for plane in [None, Some(MovementPlane::XZ)] {
                let (mut squares, mut kept, mut count) = (0.0_f64, 0.0_f64, 0.0);
                for id in 0..200 {
                    let mut push = Vec3::ZERO;
                    let mut pushes = Vec::new();
                    for tick in 0..(8.0 * rate) as u64 {
                        push = rules.random_push(push, 7, id, tick, plane);
                        pushes.push(push);
                    }
                    for pair in pushes[2 * lag..].windows(lag + 1) {
                        squares += f64::from(pair[0].length_squared());
                        kept += f64::from(pair[0].dot(pair[lag]));
                        count += 1.0;
                    }
                    assert!(plane.is_none() || push.y == 0.0, "in a plane it stays there");
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
