//! A body laid flat.

use glam::Vec2;

use super::Intent;
use crate::steer::apart::way_out;
use crate::steer::{Body, Flat};

/// A body as its plane sees it.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(super) struct Disc {
    pub(super) at: Vec2,
    pub(super) height: f32,
    pub(super) velocity: Vec2,
    pub(super) radius: f32,
    pub(super) yields: f32,
    pub(super) id: u64,
}

impl Disc {
    /// Stands for a body that nobody can see: it has no place.
    pub(super) const NOWHERE: Self =
        Self { at: Vec2::NAN, height: 0.0, velocity: Vec2::ZERO, radius: 0.0, yields: 0.0, id: 0 };

    /// A disc that avoids as others do.
    #[cfg(test)]
    pub(super) const fn new(at: Vec2, velocity: Vec2, radius: f32, id: u64) -> Self {
        Self { at, height: 0.0, velocity, radius, yields: 1.0, id }
    }

    /// The disc of a body; [`Disc::NOWHERE`] if its numbers are none.
    #[inline]
    pub(super) fn of(flat: &Flat, body: &Body, intent: &Intent) -> Self {
        if !body.is_finite() {
            return Self::NOWHERE;
        }
        let yields = if intent.yields > 0.0 { intent.yields.min(1.0) } else { 0.0 };
        Self {
            at: flat.project(body.position),
            height: flat.up().dot(body.position),
            velocity: flat.project(body.velocity),
            radius: body.radius.max(0.0),
            yields,
            id: intent.id,
        }
    }

    /// Whether another one is within a distance and on the same floor; not where one is nowhere.
    #[inline]
    pub(super) fn is_near(&self, other: &Self, distance: f32) -> bool {
        let is_level = (self.height - other.height).abs() <= self.radius + other.radius;
        (self.at.distance_squared(other.at) <= distance * distance) & is_level
    }

    /// How much of the avoiding falls to this one of the two, of which it must be one that yields. 0 to 1.
    #[inline]
    pub(super) fn share(&self, other: &Self) -> f32 {
        if self.yields == other.yields { 0.5 } else { self.yields / (self.yields + other.yields) }
    }

    /// The way out for two in one place.
    pub(super) fn way_out(&self, other: &Self) -> Option<Vec2> {
        way_out(self.id, other.id, Some(&Flat::XY)).map(|way| way.truncate())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn shares_make_up_the_whole_and_fall_to_those_who_yield() {
        let with = |yields| Disc { yields, ..Disc::new(Vec2::ZERO, Vec2::ZERO, 1.0, 0) };
        for (own, other, share) in [(1.0, 1.0, 0.5), (0.25, 0.25, 0.5), (1.0, 0.0, 1.0), (0.25, 0.75, 0.25)] {
            assert_eq!(with(own).share(&with(other)), share);
            assert_eq!(with(other).share(&with(own)), 1.0 - share, "the other does the rest");
        }
    }

    #[test]
    fn floors_are_apart() {
        let low = Disc::new(Vec2::ZERO, Vec2::ZERO, 0.5, 0);
        let beside = Disc { at: Vec2::new(3.0, 4.0), height: 0.9, ..low };
        assert!(low.is_near(&beside, 5.0) && !low.is_near(&beside, 4.9));
        assert!(!low.is_near(&Disc { height: 3.0, ..low }, 5.0), "one is on the floor above");
        assert!(!low.is_near(&Disc::NOWHERE, f32::MAX), "what is nowhere is not near");
    }

    #[test]
    fn a_body_without_numbers_is_nowhere() {
        let body = Body::new(Vec3::ZERO, Vec3::new(0.0, f32::NAN, 0.0));
        assert!(Disc::of(&Flat::XY, &body, &Intent::default()).at.is_nan());
    }
}
