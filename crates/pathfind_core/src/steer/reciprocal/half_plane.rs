//! The half-plane of velocities that one neighbour or one wall leaves; the formulas are in [`reciprocal`](super).

use glam::Vec2;

use super::disc::Disc;
use crate::simd::{SimdF32x8, dot};
use crate::steer::MovementPlane;
use crate::steer::apart::separating_direction;

/// The velocities `v` with `normal · v >= offset`.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(super) struct HalfPlane {
    /// Direction away from the neighbour or wall, of length 1.
    pub(super) normal: Vec2,
    /// Least allowed speed along the normal.
    pub(super) offset: f32,
}

impl HalfPlane {
    /// By how much a velocity violates the half-plane; negative or 0 if it is inside.
    #[inline]
    pub(super) fn violation(&self, velocity: Vec2) -> f32 {
        self.offset - self.normal.dot(velocity)
    }

    /// The half-plane of a wall whose nearest point to `own` is `nearest`: the gap may be used up within the
    /// horizon at the earliest; an overlap has to end within a step, at no more than 0.9 of `max_speed`. `None` if
    /// the centre of `own` is on the wall.
    #[inline]
    pub(super) fn wall(own: &Disc, nearest: Vec2, horizon: f32, dt: f32, max_speed: f32) -> Option<Self> {
        let away = own.at - nearest;
        let distance = away.length();
        let normal = away / distance;
        let gap = distance - own.radius;
        let offset = if gap > 0.0 { -gap / horizon } else { (-gap / dt).min(0.9 * max_speed) };
        (distance > 1e-6).then_some(Self { normal, offset })
    }
}

/// The half-planes that eight neighbours leave to one body.
pub(super) struct HalfPlanes<L> {
    pub(super) normal: [L; 2],
    pub(super) offset: L,
    /// Mask: the neighbour leaves a half-plane.
    pub(super) is_some: L,
    /// Mask: the two overlap, and the relative velocity is at the middle of the tip, as at the same position with the
    /// same velocity. So the normal is undefined: see [`HalfPlane::by_ids`].
    pub(super) is_undirected: L,
}

/// Inverse times, in 1/s, and the slack of the radii.
#[derive(Copy, Clone, Debug)]
pub(super) struct Rates {
    /// 1 / horizon.
    pub(super) horizon: f32,
    /// 1 / dt.
    pub(super) step: f32,
    /// Factor on the sum of both radii.
    pub(super) slack: f32,
}

impl<L: SimdF32x8> HalfPlanes<L> {
    /// The half-planes that others leave to `own`, which makes its share of the change: of two bodies each in
    /// proportion to its `yields`.
    ///
    /// The relative velocities that lead to a collision within the horizon form a cone with a round tip. `s` is
    /// the signed distance of the present relative velocity from the nearest point of the cone's edge (negative
    /// inside) and `normal` the outward direction there; this body takes on its share of closing or using up `s`. The
    /// body that does more to close it leaves more of the room to the other.
    ///
    /// ```text
    ///            \         /      normal of a flank: square to the tangent from here to the other's disc
    ///             \  ---  /       normal of the tip: away from the middle of the tip
    ///              \(   )/
    ///   here         ---
    /// ```
    ///
    /// For an overlapping pair the horizon is one step, and the cone is all tip. Two bodies of radius 0 cannot
    /// collide and leave no half-plane.
    #[inline(always)]
    pub(super) fn between(own: &Disc, [x, y, vx, vy, radius, yields]: [L; 6], rates: Rates) -> Self {
        let (zero, one, most) = (L::splat(0.0), L::splat(1.0), L::splat(f32::MAX));
        let (own_vx, own_vy) = (L::splat(own.velocity.x), L::splat(own.velocity.y));
        let gap = [x.sub(L::splat(own.at.x)), y.sub(L::splat(own.at.y))];
        let relative = [own_vx.sub(vx), own_vy.sub(vy)];
        let reach = L::splat(own.radius).add(radius).mul(L::splat(rates.slack));
        let (far_squared, reach_squared) = (dot(gap, gap), reach.mul(reach));
        let is_apart = far_squared.is_more(reach_squared);
        let rate = is_apart.select(L::splat(rates.horizon), L::splat(rates.step));

        let from_tip = [relative[0].sub(gap[0].mul(rate)), relative[1].sub(gap[1].mul(rate))];
        let (along, squared) = (dot(from_tip, gap), dot(from_tip, from_tip));
        let is_before = zero.is_more(along).and(along.mul(along).is_more(reach_squared.mul(squared)));
        let is_flank = is_apart.and_not(is_before);
        // One root and one division serve flank and tip.
        let root = is_flank.select(far_squared, squared).sqrt();
        let inverse = one.div(root);
        let (ahead, sine) = ([gap[0].mul(inverse), gap[1].mul(inverse)], reach.mul(inverse));
        let cosine = far_squared.sub(reach_squared).sqrt().mul(inverse);
        // A neighbour dead ahead is passed on its right, so that both of a pair turn to the same hand.
        let turn = gap[0].mul(relative[1]).sub(gap[1].mul(relative[0]));
        let side = turn.is_more(zero).select(cosine, zero.sub(cosine));
        let flank = [
            zero.sub(ahead[1].mul(side)).sub(ahead[0].mul(sine)),
            ahead[0].mul(side).sub(ahead[1].mul(sine)),
        ];
        let normal = [
            is_flank.select(flank[0], from_tip[0].mul(inverse)),
            is_flank.select(flank[1], from_tip[1].mul(inverse)),
        ];
        let outside = is_flank.select(dot(normal, relative), root.sub(reach.mul(rate)));
        let own_yields = L::splat(own.yields);
        // A neighbour with 0 keeps its velocity: it neither avoids nor uses up room.
        let leaves_room = outside.is_more(zero).and(yields.is_more(zero));
        let share = leaves_room.select(yields, own_yields).div(own_yields.add(yields));
        let offset = dot([own_vx, own_vy], normal).sub(share.mul(outside));

        let is_sized = is_apart.or(reach.is_more(zero));
        let is_number = most.is_more(offset).and(offset.is_more(zero.sub(most)));
        let is_moving = is_apart.or(squared.is_more(L::splat(1e-12)));
        Self {
            normal,
            offset,
            is_some: is_sized.and(is_number).and(is_moving),
            is_undirected: is_sized.and_not(is_moving),
        }
    }
}

impl HalfPlane {
    /// The half-plane of a neighbour for which [`HalfPlanes::between`] finds no normal: the two ids give it. `None`
    /// if the ids are equal.
    #[cold]
    pub(super) fn by_ids(own: &Disc, id: u64, [radius, yields]: [f32; 2], rates: Rates) -> Option<Self> {
        let normal = separating_direction(own.id, id, Some(&MovementPlane::XY))?.truncate();
        let share = own.yields / (own.yields + yields);
        let offset = own.velocity.dot(normal) + share * (own.radius + radius) * rates.slack * rates.step;
        (offset < f32::MAX).then_some(Self { normal, offset })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{EightLanes, SimdF32};

    const HORIZON: f32 = 2.0;
    const DT: f32 = 1.0 / 60.0;

    fn disc(at: (f32, f32), velocity: (f32, f32), id: u64) -> Disc {
        Disc::new(at.into(), velocity.into(), 0.5, id)
    }

    /// The half-plane that a disc leaves to another, which makes this share of the change.
    fn between(own: &Disc, other: &Disc, share: f32) -> Option<HalfPlane> {
        let own = Disc { yields: share, ..*own };
        let rates = Rates { horizon: HORIZON.recip(), step: DT.recip(), slack: 1.0 };
        let numbers = [other.at.x, other.at.y, other.velocity.x, other.velocity.y, other.radius, 1.0 - share];
        let planes = HalfPlanes::<EightLanes>::between(&own, numbers.map(EightLanes::splat), rates);
        if planes.is_undirected.is_any() {
            return HalfPlane::by_ids(&own, other.id, [other.radius, 1.0 - share], rates);
        }
        let normal = planes.normal.map(|axis| axis.to_array()[0]);
        let plane = HalfPlane { normal: normal.into(), offset: planes.offset.to_array()[0] };
        planes.is_some.is_any().then_some(plane)
    }

    /// The least distance of two discs within the horizon.
    fn least_distance(own: &Disc, other: &Disc) -> f32 {
        let (gap, relative) = (other.at - own.at, own.velocity - other.velocity);
        let when = (gap.dot(relative) / relative.length_squared().max(1e-9)).clamp(0.0, HORIZON);
        (gap - relative * when).length()
    }

    #[test]
    fn two_that_both_keep_their_half_only_just_touch() {
        let pairs = [
            (disc((0.0, 0.0), (1.0, 0.2), 0), disc((4.0, 0.0), (-1.0, 0.0), 1)),
            (disc((0.0, 0.0), (1.0, 0.0), 0), disc((4.0, 0.0), (-1.0, 0.0), 1)),
            (disc((0.0, 0.0), (0.6, 0.0), 0), disc((2.2, 0.1), (-0.6, 0.0), 1)),
            (disc((0.0, 0.0), (3.0, 0.5), 0), disc((2.0, 1.0), (0.0, 0.0), 1)),
        ];
        for (own, other) in pairs {
            assert!(least_distance(&own, &other) < 1.0, "{own:?} and {other:?} are on a collision course");
            for share in [0.5, 0.2] {
                let planes = [(own, other, share), (other, own, 1.0 - share)];
                let [own, other] = planes.map(|(own, other, share)| {
                    let plane = between(&own, &other, share).unwrap();
                    let velocity = own.velocity + plane.normal * plane.violation(own.velocity);
                    Disc { velocity, ..own }
                });
                let near = least_distance(&own, &other);
                assert!((near - 1.0).abs() < 1e-3, "{own:?} and {other:?} pass at {near}");
            }
        }
    }

    #[test]
    fn who_avoids_less_may_use_up_more_of_the_room() {
        let (own, other) = (disc((0.0, 0.0), (0.0, -1.0), 0), disc((4.0, 0.0), (0.0, 0.0), 1));
        let room = |own: &Disc, other: &Disc, share: f32| {
            -between(own, other, share).expect("they are apart").violation(own.velocity)
        };
        let (walker, stander) = (room(&own, &other, 0.1), room(&other, &own, 0.9));
        assert!((walker - 9.0 * stander).abs() < 1e-4, "{walker} and {stander}");
        let all = room(&own, &other, 1.0);
        assert!((walker + stander - all).abs() < 1e-4, "together all of it: {walker} + {stander} of {all}");
    }

    #[test]
    fn an_overlap_is_over_after_one_step() {
        let overlapping = [
            (disc((0.0, 0.0), (0.0, 0.0), 0), disc((0.7, 0.1), (0.0, 0.0), 1)),
            (disc((0.0, 0.0), (1.0, 0.0), 0), disc((0.0, 0.0), (-1.0, 0.0), 1)),
            (disc((0.0, 0.0), (0.0, 0.0), 0), disc((0.0, 0.0), (0.0, 0.0), 1)),
        ];
        for (own, other) in overlapping {
            let [to, from] = [(own, other), (other, own)].map(|(own, other)| {
                let plane = between(&own, &other, 0.5).unwrap();
                own.at + (own.velocity + plane.normal * plane.violation(own.velocity)) * DT
            });
            assert!((to.distance(from) - 1.0).abs() < 1e-3, "after a step they touch: {to} {from}");
        }
    }

    #[test]
    fn points_do_not_collide() {
        let point = Disc::new(Vec2::ONE, Vec2::X, 0.0, 0);
        assert_eq!(between(&point, &Disc { id: 1, ..point }, 0.5), None);
    }

    #[test]
    fn a_wall_may_be_reached_at_the_end_of_the_horizon() {
        let own = disc((0.0, 0.0), (3.0, 0.0), 0);
        let plane = HalfPlane::wall(&own, Vec2::new(2.5, 0.0), 0.5, DT, 5.0).unwrap();
        assert_eq!(plane, HalfPlane { normal: Vec2::NEG_X, offset: -4.0 });
        assert_eq!(HalfPlane::wall(&own, Vec2::ZERO, 0.5, DT, 5.0), None, "no way leads out of its middle");
        let inside = HalfPlane::wall(&own, Vec2::new(0.4, 0.0), 0.5, DT, 5.0).unwrap();
        assert!(inside.offset > 4.0 && inside.offset < 5.0, "it backs out, as fast as it can: {inside:?}");
    }
}
