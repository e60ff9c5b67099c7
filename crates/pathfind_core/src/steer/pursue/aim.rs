//! Where a hunter aims, and whether it will catch its prey.

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
use glam::Vec3;

use super::intercept::{least_miss, meeting};
use super::{PursuitMode, PursuitSettings, UncatchablePolicy};
use crate::steer::{
    Body, MotionLimits,
    classic::closing_time,
    wide::{narrow, narrow_number, size},
};

/// The outcome of a pursuit if the prey keeps its velocity.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect), type_path = "bevy_pathfind")]
#[cfg_attr(feature = "bevy_reflect", reflect(Default, Debug, PartialEq, Hash, Serialize, Deserialize))]
#[non_exhaustive]
pub enum InterceptForecast {
    /// No forecast: the mode does not look ahead, the input is not finite, or the hunter cannot move.
    #[default]
    Open,
    /// The prey is within the catch radius.
    Caught,
    /// The prey will be caught.
    Meets,
    /// The prey is too fast to be caught.
    Escapes,
    /// The prey is too fast to be caught, and was [given up](UncatchablePolicy::GiveUp).
    Abandoned,
}

/// Where a hunter aims. For display: the velocity is computed from it.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Aim {
    /// The point that it moves towards; its own position if it waits. Unit: lengths.
    pub point: Vec3,
    /// Time until the prey is expected there; 0 if the aim is the prey's present position. Unit: seconds. Range: 0 to
    /// the horizon.
    pub time: f32,
    /// The outcome, if the prey keeps its velocity.
    pub forecast: InterceptForecast,
}

impl PursuitSettings {
    /// Where a hunter with these settings aims.
    #[must_use]
    pub fn aim(&self, hunter: &Body, prey: &Body, limits: &MotionLimits) -> Aim {
        let here = if hunter.position.is_finite() { hunter.position } else { Vec3::ZERO };
        let stand = |forecast| Aim { point: here, time: 0.0, forecast };
        if !(hunter.is_finite() && prey.is_finite() && limits.can_move()) {
            return stand(InterceptForecast::Open);
        }
        let (at, velocity) = (prey.position.as_dvec3(), prey.velocity.as_dvec3());
        let gap = at - hunter.position.as_dvec3();
        let (speed, reach) = (f64::from(limits.speed), f64::from(size(self.catch_radius)));
        let horizon = f64::from(size(self.horizon));
        let ahead = |time: f64, forecast| Aim {
            point: narrow(at + velocity * time),
            time: narrow_number(time),
            forecast,
        };
        if gap.length_squared() <= reach * reach {
            return ahead(0.0, InterceptForecast::Caught);
        }
        match self.mode {
            PursuitMode::Basic | PursuitMode::LineOfSight => ahead(0.0, InterceptForecast::Open),
            PursuitMode::ClosingTime => {
                let relative = velocity - hunter.velocity.as_dvec3();
                ahead(closing_time(gap, relative, horizon), InterceptForecast::Open)
            }
            PursuitMode::Intercept => match (meeting(gap, velocity, speed, reach), self.uncatchable) {
                (Some(time), _) => ahead(time.min(horizon), InterceptForecast::Meets),
                (None, UncatchablePolicy::LeastMiss) => {
                    ahead(least_miss(gap, velocity, speed, horizon), InterceptForecast::Escapes)
                }
                (None, UncatchablePolicy::LineOfSight) => ahead(0.0, InterceptForecast::Escapes),
                (None, UncatchablePolicy::Hold) => stand(InterceptForecast::Escapes),
                (None, UncatchablePolicy::GiveUp) => stand(InterceptForecast::Abandoned),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aim(settings: PursuitSettings, gap: Vec3, velocity: Vec3) -> Aim {
        let hunter = Body::new(Vec3::ONE, Vec3::ZERO);
        settings.aim(&hunter, &Body::new(Vec3::ONE + gap, velocity), &MotionLimits::new(5.0, 0.02))
    }

    #[test]
    fn each_mode_aims_its_own_way() {
        let of = |mode| aim(PursuitSettings::new(mode).with_catch_radius(0.0), Vec3::X * 4.0, Vec3::Y * 3.0);
        assert_eq!(of(PursuitMode::Basic).point, Vec3::new(5.0, 1.0, 1.0), "at the prey");
        assert_eq!(of(PursuitMode::LineOfSight).point, Vec3::new(5.0, 1.0, 1.0), "at the prey");
        let meets = Aim { point: Vec3::new(5.0, 4.0, 1.0), time: 1.0, forecast: InterceptForecast::Meets };
        assert_eq!(of(PursuitMode::Intercept), meets, "where they meet");
        let guess = of(PursuitMode::ClosingTime);
        assert!((guess.time - 4.0 / 3.0).abs() < 1e-6, "as if the prey came its way: {guess:?}");
    }

    #[test]
    fn a_prey_that_is_too_fast_is_dealt_with_as_told() {
        let of = |uncatchable| {
            let settings = PursuitSettings::default().with_uncatchable(uncatchable);
            aim(settings, Vec3::new(-3.0, 6.0, 0.0), Vec3::X * 10.0)
        };
        let miss = of(UncatchablePolicy::LeastMiss);
        assert_eq!(miss.forecast, InterceptForecast::Escapes, "it will not be caught");
        assert!((miss.time - 0.6464).abs() < 1e-3, "but nearly: {miss:?}");
        assert_eq!(of(UncatchablePolicy::LineOfSight).point, Vec3::new(-2.0, 7.0, 1.0), "at where it is");
        assert_eq!(of(UncatchablePolicy::Hold).point, Vec3::ONE, "waiting");
        assert_eq!(of(UncatchablePolicy::GiveUp).forecast, InterceptForecast::Abandoned, "given up");
    }

    #[test]
    fn no_forecast_is_past_the_horizon() {
        let settings = PursuitSettings::default().with_horizon(2.0);
        let meets = aim(settings, Vec3::X * 10.0, Vec3::X * 4.0);
        assert_eq!((meets.time, meets.point.x), (2.0, 19.0), "no farther than two seconds: {meets:?}");
        assert_eq!(meets.forecast, InterceptForecast::Meets, "though it will take longer");
    }

    #[test]
    fn a_caught_prey_is_aimed_at() {
        let caught = aim(PursuitSettings::default(), Vec3::X * 0.5, Vec3::Y * 100.0);
        assert_eq!(caught.forecast, InterceptForecast::Caught);
        assert_eq!(caught.point, Vec3::new(1.5, 1.0, 1.0));
    }

    #[test]
    fn what_is_not_finite_is_no_aim() {
        assert_eq!(aim(PursuitSettings::default(), Vec3::NAN, Vec3::X).forecast, InterceptForecast::Open);
        let nowhere = Body::new(Vec3::NAN, Vec3::ZERO);
        let none = PursuitSettings::default().aim(&nowhere, &Body::default(), &MotionLimits::new(1.0, 0.1));
        assert_eq!(none, Aim::default());
    }
}
