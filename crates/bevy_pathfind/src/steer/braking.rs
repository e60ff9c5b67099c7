//! How fast one may be before a turn or an end.

/// The greatest speed from which `acceleration` brings a body down to `end` within `distance`, when speed
/// changes once every `dt`. In the limit of infinite acceleration: the speed that arrives in one tick.
///
/// A body that slows by a·dt each tick covers (v² − e²)/2a + (v + e)·dt/2; solved for v.
pub(super) fn braking_speed(distance: f32, acceleration: f32, dt: f32, end: f32) -> f32 {
    if distance <= 0.0 {
        return end;
    }
    let half = acceleration * dt * 0.5;
    if !half.is_finite() || half > 1e6 {
        return end.max(distance / dt);
    }
    // Written so that it stays exact for strong brakes: √(h² + k) − h = k / (√(h² + k) + h).
    let k = 2.0 * acceleration * distance + end * end + 2.0 * half * end;
    let speed = k / ((half * half + k).sqrt() + half);
    // The last tick of all covers its distance at one speed.
    speed.min(end.max(distance / dt))
}

/// The greatest speed at which a body may pass a turn whose two legs include an angle with this cosine
/// (1 is straight on), so that it leaves its line by no more than `leeway`.
pub(super) fn turning_speed(cosine: f32, acceleration: f32, dt: f32, leeway: f32) -> f32 {
    let cosine = cosine.clamp(-1.0, 1.0);
    let half_cosine = ((1.0 + cosine) * 0.5).sqrt();
    // Past a right angle the way on leads back: all that is run past the corner is leeway.
    let sine = if cosine > 0.0 { (1.0 - cosine * cosine).sqrt() } else { 1.0 };
    if sine < 1e-3 && cosine > 0.0 {
        return f32::INFINITY;
    }
    // A circle that touches both legs leaves the corner by r·(1/cos(half) − 1), and needs v² = a·r.
    let by_circle = (acceleration * leeway * half_cosine / (1.0 - half_cosine)).sqrt();
    let by_tick = leeway / (dt * sine);
    by_circle.min(by_tick)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braking_stops_exactly_at_the_end() {
        for (acceleration, distance) in [(40.0, 3.0), (5.0, 0.7), (400.0, 10.0)] {
            let (dt, mut left, mut ticks) = (1.0 / 64.0, distance, 0);
            let mut speed = braking_speed(left, acceleration, dt, 0.0);
            while left > 1e-4 && ticks < 10_000 {
                let allowed = braking_speed(left, acceleration, dt, 0.0);
                assert!(allowed >= speed - acceleration * dt * 1.2, "hardly harder than the brakes can");
                speed = allowed;
                left -= speed * dt;
                ticks += 1;
                assert!(left > -1e-3, "it does not run past the end: {left}");
            }
            assert!(ticks < 10_000, "it arrives");
        }
        assert_eq!(braking_speed(10.0, f32::INFINITY, 0.5, 0.0), 20.0, "with perfect brakes, in one tick");
    }

    #[test]
    fn sharper_turns_are_taken_more_slowly() {
        let speed = |degrees: f32| turning_speed(degrees.to_radians().cos(), 40.0, 1.0 / 64.0, 0.25);
        assert_eq!(speed(0.0), f32::INFINITY, "straight on is no turn");
        assert!(speed(20.0) > speed(45.0) && speed(45.0) > speed(90.0) && speed(90.0) > speed(150.0));
        assert!(speed(180.0) < 1e-3, "to turn back it has to stop");
    }
}
