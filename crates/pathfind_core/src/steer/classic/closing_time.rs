//! The tutorials' estimate of the time until a hunter meets its prey.

use glam::DVec3;

/// |gap| / |relative velocity|, at most `horizon`, in seconds: exact only where the prey comes straight towards the
/// hunter.
#[must_use]
pub fn closing_time(gap: DVec3, relative_velocity: DVec3, horizon: f64) -> f64 {
    let (gap, rate) = (gap.length(), relative_velocity.length());
    if gap < rate * horizon { gap / rate } else { horizon }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closing_time_is_at_most_the_horizon() {
        let gap = DVec3::new(6.0, 0.0, 0.0);
        assert_eq!(closing_time(gap, DVec3::new(-2.0, 0.0, 0.0), 100.0), 3.0);
        assert_eq!(closing_time(gap, DVec3::ZERO, 100.0), 100.0, "the same velocity");
        assert_eq!(closing_time(DVec3::ZERO, DVec3::ZERO, 100.0), 100.0, "the same everything");
    }
}
