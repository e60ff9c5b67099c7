//! Separation: each body is pushed away from others nearby, the harder the nearer.
//!
//! The push falls off linearly with distance (C. Reynolds, "Steering behaviors for autonomous characters", 1999,
//! with the fall-off of Unity's Island demo). Two bodies at the same position part in opposite directions that
//! depend on their ids; if more than 16 others are at a body's position, each of them pushes by the mean of many such
//! pushes, in a direction that depends on the body's id. Pushes are summed in integers, so that the sum does not
//! depend on the order of the others. The work of a pass grows with the number of bodies, not with its square: of a
//! dense crowd in [packed cells](crate::neighbors), a sample pushes for all.
//!
//! It proposes accelerations and guarantees no distance: that is done by [`contact`](super::contact).

use std::ops::Range;

use glam::Vec3;

use super::apart::{COINCIDENT, MAX_SUMMED, mean_separating_direction, separating_direction};
use super::sum::Sum;
use super::{Body, MovementPlane};
use crate::neighbors::Neighbors;
use crate::simd::{Simd, round_i32};
use crate::steer::LengthError;

mod many;

use many::Many;

/// The settings of separation.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Separation {
    /// Others nearer than this push, from centre to centre; at 0, NaN or infinity none does. Unit: lengths. Range: 0
    /// and up. Default: `2.0`.
    pub radius: f32,
    /// Push of another body at the same position; it falls to 0 at the radius. Unit: lengths/s². Range: 0 and up.
    /// Default: `20.0`.
    pub force: f32,
    /// Limit of the sum of all pushes. Unit: lengths/s². Range: 0 and up, infinity too. Default: `30.0`.
    #[cfg_attr(feature = "serde", serde(with = "crate::saved::infinite"))]
    pub limit: f32,
}

impl Default for Separation {
    fn default() -> Self {
        Self { radius: 2.0, force: 20.0, limit: 30.0 }
    }
}

impl Separation {
    /// The push on a body from others, each with its id; `others` must not contain the body itself. Give `plane` if
    /// bodies move in a plane, so that the push lies in it. A body whose position is not finite gets no push and
    /// pushes no other.
    #[must_use]
    pub fn push<'a>(
        &self,
        plane: Option<&MovementPlane>,
        (id, body): (u64, &Body),
        others: impl IntoIterator<Item = (u64, &'a Body)>,
    ) -> Vec3 {
        if !self.has_radius() {
            return Vec3::ZERO;
        }
        let (mut push, mut here) = (Push::default(), Coincident::default());
        for (other_id, other) in others {
            let gap = body.position - other.position;
            let squared = gap.length_squared();
            if squared > COINCIDENT {
                // (1 - distance / radius) / distance: only what is nearer than the radius is above 0.
                let weight = 1.0 / squared.sqrt() - 1.0 / self.radius;
                if weight > 0.0 {
                    add_rounded(&mut push, gap * (weight * Push::PARTS));
                }
            } else if squared <= COINCIDENT {
                here.add(plane, (id, other_id), 1.0);
            }
        }
        push.add_parts(here.push(plane, id).0);
        self.total(push)
    }

    /// Writes the pushes on the bodies at some slots of [`Neighbors::order`], one for each; they do not depend on
    /// how the slots are divided. `bodies` are those that `neighbors` was built of, `ids` their ids in the same
    /// order.
    ///
    /// # Errors
    /// [`LengthError`] if the arrays do not fit together.
    pub fn run(
        &self,
        plane: Option<&MovementPlane>,
        neighbors: &Neighbors,
        (ids, bodies): (&[u64], &[Body]),
        slots: Range<usize>,
        out: &mut [Vec3],
    ) -> Result<(), LengthError> {
        self.run_with(Simd::widest(), Others { plane, neighbors, ids, bodies }, slots, out)
    }

    fn run_with(
        &self,
        simd: Simd,
        others: Others<'_>,
        slots: Range<usize>,
        out: &mut [Vec3],
    ) -> Result<(), LengthError> {
        let sorted = others.neighbors.len();
        LengthError::unless_equal("pushes for the slots", slots.len(), out.len())?;
        LengthError::unless_enough("sorted bodies", slots.end, sorted)?;
        LengthError::unless_enough("bodies", sorted, others.bodies.len())?;
        LengthError::unless_enough("ids", sorted, others.ids.len())?;
        if self.has_radius() {
            simd.batch(Many { rule: self, others, slots, out });
        } else {
            out.fill(Vec3::ZERO);
        }
        Ok(())
    }

    fn has_radius(&self) -> bool {
        self.radius > 0.0 && self.radius.is_finite()
    }

    fn total(&self, push: Push) -> Vec3 {
        let push = push.total() * self.force.max(0.0);
        if push.is_finite() { push.clamp_length_max(self.limit.max(0.0)) } else { Vec3::ZERO }
    }
}

/// The bodies that push, with their neighbours and ids.
#[derive(Copy, Clone)]
struct Others<'a> {
    plane: Option<&'a MovementPlane>,
    neighbors: &'a Neighbors,
    ids: &'a [u64],
    bodies: &'a [Body],
}

impl Others<'_> {
    /// The push of the bodies at the same position as a body.
    #[cold]
    fn coincident(&self, own: usize) -> Push {
        let Self { plane, neighbors, ids, bodies } = *self;
        let mut here = Coincident::default();
        let at = neighbors.axes.grid(bodies[own].position);
        neighbors.for_each_sample(at, 2.0 * COINCIDENT.sqrt(), |range, weight| {
            #[cfg(test)]
            crate::testing::count(range.len());
            for slot in range {
                let (other, offset) =
                    (neighbors.order()[slot] as usize, neighbors.columns.position(slot) - at);
                if other != own && offset.length_squared() <= COINCIDENT {
                    here.add(plane, (ids[own], ids[other]), weight);
                }
            }
        });
        here.push(plane, ids[own])
    }
}

/// The pushes of the bodies at the same position as a body.
#[derive(Default)]
struct Coincident {
    sum: Push,
    count: f32,
}

impl Coincident {
    /// Adds the push of a body with another id, or of as many bodies as it stands for.
    fn add(&mut self, plane: Option<&MovementPlane>, (own, other): (u64, u64), weight: f32) {
        if own != other {
            self.count += weight;
        }
        if self.count <= MAX_SUMMED
            && let Some(direction) = separating_direction(own, other, plane)
        {
            add_rounded(&mut self.sum, direction * Push::PARTS);
        }
    }

    /// The sum; of many, their number times the mean push.
    fn push(self, plane: Option<&MovementPlane>, own: u64) -> Push {
        if self.count <= MAX_SUMMED {
            return self.sum;
        }
        let mut one = Push::default();
        add_rounded(&mut one, mean_separating_direction(own, plane) * Push::PARTS);
        Sum(one.0.map(|parts| parts * self.count as i64))
    }
}

/// A sum of pushes, each of length 1 at most.
type Push = Sum<18>;

/// Adds a push that is given in parts, rounded as the eight lanes of [`Many`] round it.
#[inline]
fn add_rounded(sum: &mut Push, parts: Vec3) {
    sum.add_parts(parts.to_array().map(|part| i64::from(round_i32(part))));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steer::CounterRng;
    use crate::testing::{bits, standing, work_of};

    const SETTINGS: Separation = Separation { radius: 2.0, force: 10.0, limit: 30.0 };

    fn at(x: f32, y: f32) -> Body {
        Body::new(Vec3::new(x, y, 0.0), Vec3::ZERO)
    }

    /// The pushes of all bodies, by index: the same in any parts and with any instructions.
    fn pushes(rule: &Separation, plane: Option<&MovementPlane>, ids: &[u64], bodies: &[Body]) -> Vec<Vec3> {
        let neighbors = &Neighbors::of(rule.radius, bodies);
        let others = Others { plane, neighbors, ids, bodies };
        let [whole, six, eight] = Simd::ALL.map(|simd| {
            let part = if simd == Simd::Sse2 { neighbors.len().div_ceil(6) } else { neighbors.len() };
            let run = |slots, out: &mut [Vec3]| rule.run_with(simd, others, slots, out).unwrap();
            neighbors.found_by(bodies.len(), part, Vec3::ZERO, run)
        });
        let same = bits(whole.iter().copied());
        assert!(same == bits(six) && same == bits(eight), "parts and instructions change nothing: {rule:?}");
        whole
    }

    /// The push on one body, from each of the others in turn.
    fn alone(
        rule: &Separation,
        plane: Option<&MovementPlane>,
        ids: &[u64],
        bodies: &[Body],
        own: usize,
    ) -> Vec3 {
        let others = ids.iter().copied().zip(bodies).enumerate().filter(|(index, _)| *index != own);
        rule.push(plane, (ids[own], &bodies[own]), others.map(|(_, other)| other))
    }

    #[test]
    fn pushes_fall_off_linearly_and_are_mutual() {
        for (gap, push) in [(0.5, 7.5), (1.0, 5.0), (1.5, 2.5), (2.0, 0.0), (3.0, 0.0)] {
            let (own, other) = (at(0.0, 0.0), at(gap, 0.0));
            assert_eq!(SETTINGS.push(None, (0, &own), [(1, &other)]), Vec3::X * -push, "{gap} apart");
            assert_eq!(SETTINGS.push(None, (1, &other), [(0, &own)]), Vec3::X * push, "and back");
        }
    }

    #[test]
    fn the_whole_is_limited() {
        let others: Vec<Body> = (0..50).map(|index| at(0.1, index as f32 * 0.01)).collect();
        let push = SETTINGS.push(None, (99, &at(0.0, 0.25)), (0..).zip(&others));
        assert!((push.length() - 30.0).abs() < 1e-3, "fifty push no harder than allowed: {push}");
    }

    #[test]
    fn what_is_no_number_does_not_push_and_is_not_pushed() {
        let (own, lost) = (at(0.0, 0.0), at(f32::NAN, 0.0));
        assert_eq!(SETTINGS.push(None, (0, &own), [(1, &lost)]), Vec3::ZERO);
        assert_eq!(SETTINGS.push(None, (1, &lost), [(0, &own)]), Vec3::ZERO);
        for broken in [f32::NAN, 0.0, -1.0, f32::INFINITY] {
            let none = Separation { radius: broken, ..SETTINGS };
            for other in [at(0.0, 0.0), at(1.0, 0.0)] {
                assert_eq!(none.push(None, (0, &own), [(1, &other)]), Vec3::ZERO, "a radius of {broken}");
            }
            let none = Separation { force: broken.min(0.0), limit: broken, ..SETTINGS };
            assert_eq!(none.push(None, (0, &own), [(1, &own)]), Vec3::ZERO, "no force, a limit of {broken}");
        }
    }

    #[test]
    fn the_pass_is_one_body_after_the_other_in_any_order() {
        let xy = Some(&MovementPlane::XY);
        for (plane, extent) in [
            (xy, Vec3::new(8.0, 8.0, 0.0)),
            (None, Vec3::splat(6.0)),
            (None, Vec3::new(0.0, 9.0, 5.0)),
            (None, Vec3::new(3.0, 9.0, 1.0)),
        ] {
            let mut bodies = standing(&mut CounterRng::new(5, 0, 0), 300, extent);
            bodies[7] = bodies[80];
            let mut ids: Vec<u64> = (100..400).collect();
            let forth = pushes(&SETTINGS, plane, &ids, &bodies);
            for (own, push) in forth.iter().enumerate() {
                let alone = alone(&SETTINGS, plane, &ids, &bodies, own);
                let most = if plane.is_some() { 0.0 } else { 1e-3 };
                assert!(push.distance(alone) <= most, "body {own}: {push}, not {alone}, in {extent}");
            }
            ids.reverse();
            bodies.reverse();
            let back = pushes(&SETTINGS, plane, &ids, &bodies);
            assert!(forth.iter().eq(back.iter().rev()), "the order of bodies does not matter");
        }
    }

    #[test]
    fn more_pushes_than_are_summed_push_no_less() {
        let rule = Separation { limit: f32::INFINITY, ..SETTINGS };
        let (own, crowd) = (at(0.0, 0.0), at(1.0, 0.0));
        let bodies: Vec<Body> = [own].into_iter().chain(std::iter::repeat_n(crowd, 40_000)).collect();
        let ids: Vec<u64> = (0..bodies.len() as u64).collect();
        let neighbors = Neighbors::of(rule.radius, &bodies);
        let slot = neighbors.order().iter().position(|&index| index == 0).expect("every body has a slot");
        let mut out = [Vec3::ZERO];
        rule.run(Some(&MovementPlane::XY), &neighbors, (&ids, &bodies), slot..slot + 1, &mut out).unwrap();
        assert_eq!(out[0], Vec3::X * -200_000.0, "half a push of each of 40,000");
    }

    /// The work is the number of others that are looked at, all together.
    #[test]
    fn a_sample_of_a_heap_pushes_as_all_do_and_the_work_is_bounded() {
        let rule = Separation { limit: f32::INFINITY, ..SETTINGS };
        let plane = Some(&MovementPlane::XY);
        for (size, count) in [0.0, 1e-4, 0.3].into_iter().flat_map(|size| [(size, 2_000), (size, 8_000)]) {
            let bodies = standing(&mut CounterRng::new(7, 0, 0), count, Vec3::new(size, size, 0.0));
            let ids: Vec<u64> = (0..count as u64).collect();
            let mut sampled = Vec::new();
            let work = work_of(|| sampled = pushes(&rule, plane, &ids, &bodies)) / count as u64;
            assert!(work < 3_000, "each of {count} within {size} looks at {work} in three passes");
            for own in (0..count).step_by(count / 9) {
                let (push, all) = (sampled[own], alone(&rule, plane, &ids, &bodies, own));
                let most = 0.2 * SETTINGS.force * count as f32;
                assert!(push.distance(all) < most, "{push} for {all} of {count} within {size}");
            }
        }
    }

    #[test]
    fn a_crowd_in_one_place_is_pushed_apart_whatever_the_order() {
        for plane in [None, Some(&MovementPlane::XZ)] {
            let bodies = vec![at(1.0, 1.0); 100];
            let mut ids: Vec<u64> = (0..100).collect();
            let rule = Separation { limit: f32::INFINITY, ..SETTINGS };
            let forth = pushes(&rule, plane, &ids, &bodies);
            for (index, &push) in forth.iter().enumerate() {
                let share = if plane.is_some() { 0.637 } else { 0.667 };
                let most = push.length() / (99.0 * SETTINGS.force);
                assert!((most - share).abs() < 0.001, "each of 99 pushes by {share} in the mean, not {most}");
                assert!(!forth[..index].contains(&push), "each body is pushed in a direction of its own");
            }
            ids.reverse();
            let back = pushes(&rule, plane, &ids, &bodies);
            assert!(forth.iter().eq(back.iter().rev()), "the order of bodies does not matter");
        }
    }

    #[test]
    fn numbers_of_any_size_give_pushes_that_are_numbers() {
        for seed in 0..3_000 {
            let mut rng = CounterRng::new(32, seed, 0);
            let bodies = rng.any_bodies(20);
            let [radius, force, limit] = [(); 3].map(|()| rng.any_number());
            let rule = Separation { radius, force, limit };
            let pushes = pushes(&rule, Some(&MovementPlane::XY), &Vec::from_iter(0..20), &bodies);
            assert!(pushes.iter().all(|push| push.is_finite()), "seed {seed}: {rule:?} gives {pushes:?}");
        }
    }
}
