//! Directions between bodies, defined also for two at the same position.

use glam::{Vec2, Vec3};

use super::{CounterRng, MovementPlane};
use crate::simd::SimdF32;

/// Two positions nearer than this (squared distance) count as the same.
pub(crate) const COINCIDENT: f32 = 1e-12;

/// The direction, of length 1, in which the body `id` leaves a position that it shares with others; it depends on
/// `id` only. In the plane, if there is one.
pub(crate) fn own_direction(id: u64, plane: Option<&MovementPlane>) -> Vec3 {
    let mut rng = CounterRng::new(0, id, 0);
    match plane {
        None => rng.direction(),
        Some(plane) => plane.lift(planar(&mut rng)),
    }
}

/// The direction, of length 1, in which the body `id` leaves `other` where both are at the same position: it
/// depends on the two ids only, and is the opposite of the direction of `other`. In the plane, if there is one.
/// `None` if the ids are equal.
///
/// It is the direction between two points of a circle (in space: of a sphere), one for each body, in its [own
/// direction](own_direction). So one body's directions away from any number of others lie in one half-plane: it
/// can leave all of them at once.
pub(crate) fn separating_direction(id: u64, other: u64, plane: Option<&MovementPlane>) -> Option<Vec3> {
    if id == other {
        return None;
    }
    let (mut own, mut others) = (CounterRng::new(0, id, 0), CounterRng::new(0, other, 0));
    let away = match plane {
        None => (own.direction() - others.direction()).try_normalize(),
        Some(plane) => {
            (planar(&mut own) - planar(&mut others)).try_normalize().map(|parting| plane.lift(parting))
        }
    };
    Some(away.unwrap_or_else(|| {
        // Two ids in some ten million have the same direction.
        let parting = own_direction(id.min(other), plane);
        if id < other { parting } else { -parting }
    }))
}

/// The most separating directions that are summed one by one, a whole number; of more others, each counts as
/// [`mean_separating_direction`].
pub(crate) const MAX_SUMMED: f32 = 16.0;

/// The mean of the [separating directions](separating_direction) of the body `id` from many others.
pub(crate) fn mean_separating_direction(id: u64, plane: Option<&MovementPlane>) -> Vec3 {
    // Half of the mean chord of a circle of radius 1, and of a sphere.
    let share = if plane.is_some() { core::f32::consts::FRAC_2_PI } else { 2.0 / 3.0 };
    own_direction(id, plane) * share
}

/// A uniformly distributed direction of length 1 in a plane.
fn planar(rng: &mut CounterRng) -> Vec2 {
    loop {
        let point = Vec2::new(rng.signed(), rng.signed());
        if (1e-6..=1.0).contains(&point.length_squared()) {
            return point.normalize();
        }
    }
}

/// The direction from `other` to `at`, and the distance between them; NaN if a position is NaN.
#[inline]
pub(crate) fn apart(
    at: (u64, Vec3),
    other: (u64, Vec3),
    plane: Option<&MovementPlane>,
) -> Option<(Vec3, f32)> {
    let gap = at.1 - other.1;
    let squared = gap.length_squared();
    if squared <= COINCIDENT {
        return separating_direction(at.0, other.0, plane).map(|parting| (parting, 0.0));
    }
    let distance = squared.sqrt();
    Some((gap / distance, distance))
}

/// Counts the candidates of each lane's body, and those at another position: a body shares its position if the counts
/// differ by more than itself.
pub(crate) struct CoincidentCounter<L> {
    all: L,
    apart: L,
}

impl<L: SimdF32> CoincidentCounter<L> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self { all: L::splat(0.0), apart: L::splat(0.0) }
    }

    /// Counts a candidate for the lanes in a mask; returns the mask of those of them whose position is another one.
    #[inline(always)]
    pub(crate) fn count(&mut self, counts: L, is_apart: L) -> L {
        let mask = counts.and(is_apart);
        self.all = self.all.sub_whole(counts);
        self.apart = self.apart.sub_whole(mask);
        mask
    }

    /// The lanes whose body shares its position.
    #[inline(always)]
    pub(crate) fn is_any(&self) -> L {
        // No other shares the position if all but the body itself are elsewhere; it may be missing in a sample.
        let is_alone = self.apart.sub_whole(L::every()).is_same(self.all).or(self.apart.is_same(self.all));
        L::every().and_not(is_alone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coincident_bodies_get_opposite_directions_and_stay_in_the_plane() {
        for (id, other) in [(0, 1), (7, 3), (u64::MAX, 0)] {
            for plane in [None, Some(&MovementPlane::XY), Some(&MovementPlane::XZ)] {
                let (parting, back) = (
                    separating_direction(id, other, plane).unwrap(),
                    separating_direction(other, id, plane).unwrap(),
                );
                assert_eq!(parting, -back, "bodies {id} and {other} part in opposite directions");
                assert!((parting.length() - 1.0).abs() < 1e-5, "a direction has length 1: {parting}");
                assert!(plane.is_none_or(|plane| parting.dot(plane.up()) == 0.0), "in the plane: {parting}");
            }
        }
        assert_eq!(separating_direction(4, 4, None), None, "a body is not separated from itself");
    }

    #[test]
    fn a_body_can_leave_all_others_in_its_place_at_once() {
        for plane in [None, Some(&MovementPlane::XY), Some(&MovementPlane::XZ)] {
            for id in 0..50 {
                let own = own_direction(id, plane);
                for parting in (0..50).filter_map(|other| separating_direction(id, other, plane)) {
                    assert!(own.dot(parting) > 0.0, "{own} of body {id} leads away along {parting}");
                }
                let all: Vec3 =
                    (0..5_000).filter_map(|other| separating_direction(id, 100 + other, plane)).sum();
                let mean = mean_separating_direction(id, plane);
                assert!(mean.distance(all / 5_000.0) < 0.03, "{mean} is the mean of many: {}", all / 5_000.0);
            }
        }
    }
}
