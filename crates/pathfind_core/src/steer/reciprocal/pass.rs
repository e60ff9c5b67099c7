//! All bodies, in parts.

use std::ops::Range;

use glam::Vec3;

use super::decide::{Decider, Decision};
use super::disc::Disc;
use super::walls::Walls;
use super::{Intent, ReciprocalSettings};
use crate::neighbors::Neighbors;
use crate::steer::{Body, Flat};

/// How many are noted before they are ranked.
const NOTED: usize = 64;

/// Bodies and their intents laid flat, as a [`ReciprocalPass`] reads them. Keep it from tick to tick: once warm,
/// it allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Traffic {
    flat: Flat,
    /// Those who are near each other mostly lie near each other.
    discs: Vec<Disc>,
    deciders: Vec<Option<Decider>>,
    fastest: f32,
    widest: f32,
}

impl Traffic {
    /// Lays bodies into a plane. `neighbors` must have been built of these bodies; those without an intent stand
    /// and do not make way.
    pub fn gather(&mut self, flat: Flat, neighbors: &Neighbors, bodies: &[Body], intents: &[Intent]) {
        let standing = Intent::default().yielding(0.0);
        self.flat = flat;
        self.discs.clear();
        self.deciders.clear();
        (self.fastest, self.widest) = (0.0, 0.0);
        for &index in neighbors.order() {
            let body = &bodies[index as usize];
            let intent = intents.get(index as usize).unwrap_or(&standing);
            let disc = Disc::of(&flat, body, intent);
            let decider = Decider::of(&flat, body, intent);
            let max_speed = decider.map_or(0.0, |decider| decider.max_speed);
            self.fastest = self.fastest.max(disc.velocity.length()).max(max_speed);
            self.widest = self.widest.max(disc.radius);
            self.discs.push(disc);
            self.deciders.push(decider);
        }
    }
}

/// Adjusts the velocities of all bodies that [`Neighbors`] holds.
#[derive(Copy, Clone)]
pub struct ReciprocalPass<'a> {
    /// How they avoid each other.
    pub settings: ReciprocalSettings,
    /// Who is near whom.
    pub neighbors: &'a Neighbors,
    /// What they are about, gathered with the same `neighbors`.
    pub traffic: &'a Traffic,
    /// What stands still.
    pub walls: &'a dyn Walls,
    /// The step in which overlaps end, in seconds.
    pub dt: f32,
}

impl ReciprocalPass<'_> {
    /// Writes the velocities for the bodies at some slots of [`Neighbors::order`], one for each: in the plane,
    /// no faster than their `max_speed`. However the slots are divided, and on however many threads, the
    /// velocities are the same.
    ///
    /// # Panics
    ///
    /// If there are not as many places in `out` as slots, or fewer bodies than slots.
    pub fn run(&self, slots: Range<usize>, out: &mut [Vec3]) {
        assert_eq!(slots.len(), out.len(), "every slot has a place for its velocity");
        let Traffic { flat, discs, deciders, fastest, widest } = self.traffic;
        let mut decision = Decision::new(&self.settings, flat, self.walls, self.dt);
        for (slot, out) in slots.zip(out) {
            let Some(own) = &deciders[slot] else {
                *out = Vec3::ZERO;
                continue;
            };
            decision.begin();
            let reach = decision.reach(own, *fastest, *widest);
            // Who is near is noted without a branch, which no processor could foresee.
            let (mut noted, mut count) = ([0; NOTED], 0);
            self.neighbors.for_each_range_around(slot, reach, |range| {
                for (other, disc) in range.clone().zip(&discs[range]) {
                    noted[count] = other as u32;
                    count += usize::from(decision.is_near(own, disc) & (other != slot));
                    if count == NOTED {
                        noted.iter().for_each(|&other| decision.meet(own, &discs[other as usize], other));
                        count = 0;
                    }
                }
            });
            noted[..count].iter().for_each(|&other| decision.meet(own, &discs[other as usize], other));
            *out = decision.end(own, |&other| discs[other as usize]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steer::reciprocal::Wall;

    /// A crowd with all that may come: some at odds with numbers, some in one place, some who stand.
    fn crowd(count: u64) -> (Vec<Body>, Vec<Intent>) {
        let mut chance = crate::steer::Chance::new(11, 0, 0);
        let mut level = |size: f32| Vec3::new(chance.signed(), chance.signed(), 0.0) * size;
        let side = (count as f32).sqrt();
        (0..count)
            .map(|id| {
                let velocity = if id % 31 == 7 { Vec3::NAN } else { level(2.0) };
                let position = if id % 17 < 2 { Vec3::ONE } else { level(side) };
                let intent = Intent::new(id, level(2.0), (id % 5) as f32).yielding((id % 7) as f32 / 3.0);
                (Body::new(position, velocity).with_radius((id % 4) as f32 * 0.2), intent)
            })
            .unzip()
    }

    fn adjusted(bodies: &[Body], intents: &[Intent], parts: usize) -> Vec<Vec3> {
        let mut neighbors = Neighbors::default();
        neighbors.build(5.0, bodies, &[]);
        let mut traffic = Traffic::default();
        traffic.gather(Flat::XY, &neighbors, bodies, intents);
        let walls = [Wall::new(Vec3::ZERO, Vec3::X * 3.0)];
        let settings = ReciprocalSettings::default();
        let pass =
            ReciprocalPass { settings, neighbors: &neighbors, traffic: &traffic, walls: &walls, dt: 0.02 };
        let mut by_slot = vec![Vec3::NAN; neighbors.len()];
        let size = by_slot.len().div_ceil(parts);
        for (part, out) in by_slot.chunks_mut(size).enumerate() {
            pass.run(part * size..part * size + out.len(), out);
        }
        let mut out = vec![Vec3::ZERO; bodies.len()];
        neighbors.order().iter().zip(by_slot).for_each(|(&index, velocity)| out[index as usize] = velocity);
        out
    }

    #[test]
    fn parts_and_order_change_nothing_and_one_alone_would_do_the_same() {
        let (mut bodies, mut intents) = crowd(400);
        let whole = adjusted(&bodies, &intents, 1);
        assert_eq!(whole, adjusted(&bodies, &intents, 7), "parts do not matter");

        let walls = [Wall::new(Vec3::ZERO, Vec3::X * 3.0)];
        for (index, &velocity) in whole.iter().enumerate() {
            let others = bodies.iter().zip(&intents).enumerate().filter(|&(other, _)| other != index);
            let own = (&bodies[index], &intents[index]);
            let alone = ReciprocalSettings::default().adjusted(
                &Flat::XY,
                own,
                others.map(|(_, other)| other),
                &walls,
                0.02,
            );
            assert_eq!(velocity, alone, "body {index}, asked alone");
            assert!(velocity.length() <= own.1.max_speed * 1.00001, "body {index} is too fast: {velocity}");
            assert_eq!(velocity.z, 0.0, "body {index} stays in the plane");
        }

        bodies.reverse();
        intents.reverse();
        let mut back = adjusted(&bodies, &intents, 3);
        back.reverse();
        assert_eq!(whole, back, "the order of bodies does not matter");
    }
}
