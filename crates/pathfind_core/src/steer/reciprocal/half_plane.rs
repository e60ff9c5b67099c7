//! What one neighbour or one wall leaves of the velocities.

use glam::Vec2;

use super::disc::Disc;

/// The velocities `v` with `normal · v >= offset`.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(super) struct HalfPlane {
    /// Away from what is to be avoided; of length 1.
    pub(super) normal: Vec2,
    /// Speed along the normal that is the least allowed.
    pub(super) offset: f32,
}

impl HalfPlane {
    /// By how much a velocity misses it; negative where it holds.
    #[inline]
    pub(super) fn miss(&self, velocity: Vec2) -> f32 {
        self.offset - self.normal.dot(velocity)
    }

    /// What `other` leaves to `own`, if `own` does `share` of the avoiding.
    ///
    /// The relative velocities that lead to a touch within the horizon form a cone with a round tip. With
    /// `s` the distance of the present relative velocity from the nearest point of its edge (negative inside)
    /// and `normal` the direction outwards there, this body takes on `share` of closing or using up `s`.
    ///
    /// ```text
    ///            \         /      normal of a flank: square to the tangent from here to the other's disc
    ///             \  ---  /       normal of the tip: away from the middle of the tip
    ///              \(   )/
    ///   here         ---
    /// ```
    ///
    /// `None` where the two cannot touch: they have no size.
    #[inline]
    pub(super) fn between(own: &Disc, other: &Disc, share: f32, horizon: f32, dt: f32) -> Option<Self> {
        let (gap, relative) = (other.at - own.at, own.velocity - other.velocity);
        let reach = own.radius + other.radius;
        let (far_squared, reach_squared) = (gap.length_squared(), reach * reach);
        let (normal, outside);
        if far_squared > reach_squared {
            let rate = horizon.recip();
            let from_tip = relative - gap * rate;
            let (along, squared) = (from_tip.dot(gap), from_tip.length_squared());
            if along < 0.0 && along * along > reach_squared * squared {
                let length = squared.sqrt();
                normal = from_tip * length.recip();
                outside = length - reach * rate;
            } else {
                let near = far_squared.sqrt().recip();
                let (ahead, sine) = (gap * near, reach * near);
                let cosine = (far_squared - reach_squared).sqrt() * near;
                // Dead ahead is passed on its right, so that both of a pair give way to the same side.
                let side = if gap.perp_dot(relative) > 0.0 { cosine } else { -cosine };
                normal = ahead.perp() * side - ahead * sine;
                outside = normal.dot(relative);
            }
        } else if reach > 0.0 {
            // They overlap: the horizon is one step, and the cone all tip.
            let from_tip = relative - gap / dt;
            let squared = from_tip.length_squared();
            let length = squared.sqrt();
            normal = if squared > 1e-12 { from_tip / length } else { own.way_out(other)? };
            outside = length - reach / dt;
        } else {
            return None;
        }
        Some(Self { normal, offset: own.velocity.dot(normal) - share * outside })
    }

    /// What a wall leaves, `nearest` being its point nearest to `own`: the gap between them may be used up
    /// within the horizon, not sooner; an overlap ends within a step, if the speed allows. `None` from within
    /// the wall.
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

#[cfg(test)]
mod tests {
    use super::*;

    const HORIZON: f32 = 2.0;
    const DT: f32 = 1.0 / 60.0;

    fn disc(at: (f32, f32), velocity: (f32, f32), id: u64) -> Disc {
        Disc::new(at.into(), velocity.into(), 0.5, id)
    }

    /// How near two discs come within the horizon.
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
                    let plane = HalfPlane::between(&own, &other, share, HORIZON, DT).unwrap();
                    let velocity = own.velocity + plane.normal * plane.miss(own.velocity);
                    Disc { velocity, ..own }
                });
                let near = least_distance(&own, &other);
                assert!((near - 1.0).abs() < 1e-3, "{own:?} and {other:?} pass at {near}");
            }
        }
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
                let plane = HalfPlane::between(&own, &other, 0.5, HORIZON, DT).unwrap();
                own.at + (own.velocity + plane.normal * plane.miss(own.velocity)) * DT
            });
            assert!((to.distance(from) - 1.0).abs() < 1e-3, "after a step they touch: {to} {from}");
        }
    }

    #[test]
    fn points_do_not_collide() {
        let point = Disc::new(Vec2::ONE, Vec2::X, 0.0, 0);
        assert_eq!(HalfPlane::between(&point, &Disc { id: 1, ..point }, 0.5, HORIZON, DT), None);
    }

    #[test]
    fn a_wall_may_be_reached_at_the_end_of_the_horizon() {
        let own = disc((0.0, 0.0), (3.0, 0.0), 0);
        let plane = HalfPlane::wall(&own, Vec2::new(2.5, 0.0), 0.5, DT, 5.0).unwrap();
        assert_eq!(plane, HalfPlane { normal: Vec2::NEG_X, offset: -4.0 });
        assert_eq!(
            HalfPlane::wall(&own, Vec2::ZERO, 0.5, DT, 5.0),
            None,
            "there is no way out of its middle"
        );
        let inside = HalfPlane::wall(&own, Vec2::new(0.4, 0.0), 0.5, DT, 5.0).unwrap();
        assert!(inside.offset > 4.0 && inside.offset < 5.0, "it backs out, as fast as it can: {inside:?}");
    }
}
