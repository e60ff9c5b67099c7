//! Separation: room between those who have nothing else to do with each other.
//!
//! Each body is pushed away from every other one nearby, the harder the nearer, linearly (C. Reynolds,
//! "Steering behaviors for autonomous characters", 1999, with the fall-off of Unity's Island demo). Two in one
//! place part in a direction that depends on their ids, opposite for the two. Pushes are summed up in whole
//! numbers, so that the sum is the same in whichever order the others come.
//!
//! It asks for room and does not see to it: that is [`contact`](super::contact)'s.

use std::ops::Range;

use glam::Vec3;

use super::apart::{Sum, apart};
use super::{Body, Flat};
use crate::neighbors::Neighbors;

/// How much room a body likes to have.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Separation {
    /// Others nearer than this push, from centre to centre, in units of length. Range: 0 and up.
    /// Default: `2.0`.
    pub radius: f32,
    /// The push of one in the same place, in units of length per second squared; it falls to nothing at the
    /// radius. Range: 0 and up. Default: `20.0`.
    pub force: f32,
    /// The most that all pushes together come to, in units of length per second squared. Range: 0 and up.
    /// Default: `30.0`.
    pub limit: f32,
}

impl Default for Separation {
    fn default() -> Self {
        Self { radius: 2.0, force: 20.0, limit: 30.0 }
    }
}

impl Separation {
    /// The push on a body from others, itself not one of them, all with their ids. Where they move in a plane
    /// and so does the push, tell which. Zero for a body without numbers; others without are not there.
    #[must_use]
    pub fn push<'a>(
        &self,
        flat: Option<&Flat>,
        (id, body): (u64, &Body),
        others: impl IntoIterator<Item = (u64, &'a Body)>,
    ) -> Vec3 {
        let mut sum = Sum::default();
        for (other_id, other) in others {
            self.add(&mut sum, flat, (id, body.position), (other_id, other.position));
        }
        self.total(sum)
    }

    /// Writes the pushes on the bodies at some slots of [`Neighbors::order`], one for each: the same however
    /// the slots are divided. `bodies` are those that `neighbors` was built of; `ids` names them in the same
    /// order.
    ///
    /// # Panics
    ///
    /// If there are not as many places in `out` as slots, or fewer bodies or ids than there were.
    pub fn run(
        &self,
        flat: Option<&Flat>,
        neighbors: &Neighbors,
        (ids, bodies): (&[u64], &[Body]),
        slots: Range<usize>,
        out: &mut [Vec3],
    ) {
        assert_eq!(slots.len(), out.len(), "every slot has a place for its push");
        for (&own, out) in neighbors.order()[slots].iter().zip(out) {
            let own = own as usize;
            let mut sum = Sum::default();
            neighbors.for_each_near(bodies[own].position, self.radius, |near| {
                if near.index != own {
                    let other = (ids[near.index], bodies[near.index].position);
                    self.add(&mut sum, flat, (ids[own], bodies[own].position), other);
                }
            });
            *out = self.total(sum);
        }
    }

    #[inline]
    fn add(&self, sum: &mut Sum, flat: Option<&Flat>, own: (u64, Vec3), other: (u64, Vec3)) {
        if let Some((way, distance)) = apart(own, other, flat)
            && distance < self.radius
        {
            sum.add(way * (1.0 - distance / self.radius));
        }
    }

    fn total(&self, sum: Sum) -> Vec3 {
        let push = sum.total() * self.force.max(0.0);
        if push.is_finite() { push.clamp_length_max(self.limit.max(0.0)) } else { Vec3::ZERO }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steer::Chance;

    const ROOM: Separation = Separation { radius: 2.0, force: 10.0, limit: 30.0 };

    fn at(x: f32, y: f32) -> Body {
        Body::new(Vec3::new(x, y, 0.0), Vec3::ZERO)
    }

    #[test]
    fn pushes_fall_off_linearly_and_are_mutual() {
        for (gap, push) in [(0.5, 7.5), (1.0, 5.0), (1.5, 2.5), (2.0, 0.0), (3.0, 0.0)] {
            let (own, other) = (at(0.0, 0.0), at(gap, 0.0));
            assert_eq!(ROOM.push(None, (0, &own), [(1, &other)]), Vec3::X * -push, "{gap} apart");
            assert_eq!(ROOM.push(None, (1, &other), [(0, &own)]), Vec3::X * push, "and back");
        }
    }

    #[test]
    fn those_in_one_place_part_in_the_plane() {
        let body = at(1.0, 1.0);
        let one = ROOM.push(Some(&Flat::XZ), (3, &body), [(8, &body)]);
        let other = ROOM.push(Some(&Flat::XZ), (8, &body), [(3, &body)]);
        assert!((one.length() - 10.0).abs() < 1e-3 && one == -other, "{one} and {other} are opposite");
        assert_eq!(one.y, 0.0, "the push stays in the plane");
    }

    #[test]
    fn the_whole_is_limited() {
        let others: Vec<Body> = (0..50).map(|index| at(0.1, index as f32 * 0.01)).collect();
        let push = ROOM.push(None, (99, &at(0.0, 0.25)), (0..).zip(&others));
        assert!((push.length() - 30.0).abs() < 1e-3, "fifty push no harder than allowed: {push}");
    }

    #[test]
    fn what_is_no_number_does_not_push_and_is_not_pushed() {
        let (own, lost) = (at(0.0, 0.0), at(f32::NAN, 0.0));
        assert_eq!(ROOM.push(None, (0, &own), [(1, &lost)]), Vec3::ZERO);
        assert_eq!(ROOM.push(None, (1, &lost), [(0, &own)]), Vec3::ZERO);
        for broken in [f32::NAN, 0.0, -1.0] {
            let none = Separation { radius: broken, force: broken, limit: broken };
            assert_eq!(none.push(None, (0, &own), [(1, &at(0.0, 0.0))]), Vec3::ZERO, "settings of {broken}");
        }
    }

    #[test]
    fn the_pass_is_one_body_after_the_other_in_any_parts_and_any_order() {
        let mut chance = Chance::new(5, 0, 0);
        let mut bodies: Vec<Body> =
            (0..300).map(|_| at(chance.signed() * 8.0, chance.signed() * 8.0)).collect();
        bodies[7] = bodies[8];
        let mut ids: Vec<u64> = (100..400).collect();
        let run = |ids: &[u64], bodies: &[Body], parts: usize| {
            let mut neighbors = Neighbors::default();
            neighbors.build(ROOM.radius, bodies, &[]);
            let (mut by_slot, size) = (vec![Vec3::NAN; bodies.len()], bodies.len() / parts);
            for (part, out) in by_slot.chunks_mut(size).enumerate() {
                ROOM.run(
                    Some(&Flat::XY),
                    &neighbors,
                    (ids, bodies),
                    part * size..part * size + out.len(),
                    out,
                );
            }
            let mut out = vec![Vec3::NAN; bodies.len()];
            neighbors.order().iter().zip(by_slot).for_each(|(&index, push)| out[index as usize] = push);
            out
        };
        let whole = run(&ids, &bodies, 1);
        assert_eq!(whole, run(&ids, &bodies, 6), "parts do not matter");
        for (index, push) in whole.iter().enumerate() {
            let others = (0..bodies.len()).filter(|&other| other != index);
            let others = others.map(|other| (ids[other], &bodies[other]));
            assert_eq!(
                *push,
                ROOM.push(Some(&Flat::XY), (ids[index], &bodies[index]), others),
                "body {index}"
            );
        }
        ids.reverse();
        bodies.reverse();
        let mut back = run(&ids, &bodies, 1);
        back.reverse();
        assert_eq!(whole, back, "the order of bodies does not matter");
    }
}
