//! The velocity of something, estimated from its positions.

use glam::Vec3;

use crate::steer::wide::narrow;

/// Settings of the estimate.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct EstimateSettings {
    /// Time constant of the filter: the time after which a change of velocity shows to 63 %. Unit: seconds. Range: 0
    /// and up; 0 shows it at once. Default: `0.05`.
    pub smoothing: f32,
    /// A displacement faster than this counts as a teleport, not as movement. Unit: lengths/s. Range: above 0.
    /// Default: `100.0`.
    pub teleport_speed: f32,
}

impl Default for EstimateSettings {
    fn default() -> Self {
        Self { smoothing: 0.05, teleport_speed: 100.0 }
    }
}

/// An estimate of the velocity of something whose position alone is known, tick after tick.
///
/// The first position gives no velocity, the second all of it; after that a low-pass filter, exact for any length
/// of tick, takes noise away. After a teleport or a position that is not finite, the estimate starts again, with
/// velocity 0.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct VelocityEstimate {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::saved::finite"))]
    last: Option<Vec3>,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::saved::finite"))]
    velocity: Option<Vec3>,
}

impl VelocityEstimate {
    /// The present estimate, in units per second; 0 if there is none.
    #[must_use]
    pub fn velocity(&self) -> Vec3 {
        self.velocity.unwrap_or(Vec3::ZERO)
    }

    /// Adds a position, `dt` seconds after the one before, and returns the estimate. A `dt` that is not above 0 and
    /// finite does not change the estimate.
    pub fn observe(&mut self, place: Vec3, dt: f32, settings: &EstimateSettings) -> Vec3 {
        if !place.is_finite() {
            *self = Self::default();
        } else if dt > 0.0 && dt.is_finite() {
            self.velocity = self.last.and_then(|last| self.filtered(last, place, f64::from(dt), settings));
            self.last = Some(place);
        } else if self.last.is_none() {
            self.last = Some(place);
        }
        self.velocity()
    }

    fn filtered(&self, last: Vec3, place: Vec3, dt: f64, settings: &EstimateSettings) -> Option<Vec3> {
        let measured = (place.as_dvec3() - last.as_dvec3()) / dt;
        if measured.length() > f64::from(settings.teleport_speed.min(f32::MAX)) {
            return None;
        }
        let Some(known) = self.velocity else { return Some(narrow(measured)) };
        let kept =
            if settings.smoothing > 0.0 { libm::exp(-dt / f64::from(settings.smoothing)) } else { 0.0 };
        Some(narrow(measured + (known.as_dvec3() - measured) * kept))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: EstimateSettings = EstimateSettings { smoothing: 0.1, teleport_speed: 50.0 };

    #[test]
    fn a_steady_velocity_is_known_from_the_second_place_on() {
        let mut estimate = VelocityEstimate::default();
        assert_eq!(estimate.observe(Vec3::ONE, 0.5, &SETTINGS), Vec3::ZERO, "one place is no velocity");
        assert_eq!(estimate.observe(Vec3::new(2.0, 1.0, 1.0), 0.5, &SETTINGS), Vec3::X * 2.0);
        assert_eq!(estimate.observe(Vec3::new(3.0, 1.0, 1.0), 0.5, &SETTINGS), Vec3::X * 2.0);
    }

    #[test]
    fn a_jump_is_no_velocity() {
        let mut estimate = VelocityEstimate::default();
        estimate.observe(Vec3::ZERO, 0.1, &SETTINGS);
        estimate.observe(Vec3::X, 0.1, &SETTINGS);
        assert_eq!(estimate.observe(Vec3::X * 90.0, 0.1, &SETTINGS), Vec3::ZERO, "it has been put there");
        assert_eq!(estimate.observe(Vec3::X * 91.0, 0.1, &SETTINGS).x.round(), 10.0, "and walks on");
        assert_eq!(estimate.observe(Vec3::NAN, 0.1, &SETTINGS), Vec3::ZERO, "nowhere is no place");
        assert_eq!(estimate.observe(Vec3::Y, 0.1, &SETTINGS), Vec3::ZERO, "nor to come from");
    }

    #[test]
    fn no_time_tells_nothing() {
        let mut estimate = VelocityEstimate::default();
        estimate.observe(Vec3::ZERO, 0.1, &SETTINGS);
        estimate.observe(Vec3::X, 0.1, &SETTINGS);
        let before = estimate;
        let endless = EstimateSettings { smoothing: f32::INFINITY, ..SETTINGS };
        for (dt, settings) in
            [(0.0, SETTINGS), (-1.0, SETTINGS), (f32::NAN, SETTINGS), (f32::INFINITY, endless)]
        {
            assert_eq!(estimate.observe(Vec3::X * 2.0, dt, &settings), before.velocity(), "after {dt} s");
            assert_eq!(estimate, before, "after {dt} s");
        }
    }

    #[test]
    fn a_turn_shows_alike_at_every_rate() {
        // Runs along x for a second, then along y; a tenth of a second later 1 − 1/e of the turn shows.
        let after_turn = |rate: u16| {
            let (dt, mut estimate, mut place) =
                (1.0 / f32::from(rate), VelocityEstimate::default(), Vec3::ZERO);
            for tick in 0..=(f32::from(rate) * 1.1).round() as u16 {
                estimate.observe(place, dt, &SETTINGS);
                place += if tick < rate { Vec3::X } else { Vec3::Y } * 4.0 * dt;
            }
            estimate.velocity()
        };
        let expected = Vec3::new(4.0 * libm::expf(-1.0), 4.0 * (1.0 - libm::expf(-1.0)), 0.0);
        for rate in [30, 60, 144] {
            let shown = after_turn(rate);
            assert!(shown.distance(expected) < 0.1, "{rate} a second: {shown}, not {expected}");
        }
    }
}
