//! Speed limits ahead of a turn or an end of a path.

/// The greatest speed from which a body comes down to `end` within `distance`, when it loses at most
/// `acceleration`·`dt` of its speed from one tick to the next.
///
/// Exact for ticks: a body that takes this speed every tick never brakes harder, and stops on the end, not past
/// it. In the limit of short ticks it is √(e² + 2·a·d); with infinite brakes, the speed that arrives in one tick.
/// Units per second, from units, units per second² and seconds. Returns `end` if the distance or the acceleration
/// is not above 0 or an argument is NaN.
///
/// A body that loses b per tick, from e + (m + f)·b with m an integer and f from 0 to 1, has each of its m + 1
/// speeds for one tick, and covers
///
/// ```text
///   dt·((m + 1)·(e + b·m/2) + (m + 1)·b·f)
/// ```
///
/// which is solved for m, then for f.
#[must_use]
pub fn braking_speed(distance: f32, acceleration: f32, dt: f32, end: f32) -> f32 {
    let end = if end > 0.0 { end } else { 0.0 };
    if !(distance > 0.0 && acceleration > 0.0) || dt.is_nan() {
        return end;
    }
    let (distance, brakes, slow) = (f64::from(distance), f64::from(acceleration), f64::from(end));
    let dt = f64::from(dt);
    let speed = if dt <= 0.0 {
        (slow * slow + 2.0 * brakes * distance).sqrt()
    } else {
        let (loss, at_once) = (brakes * dt, distance / dt);
        if at_once <= slow {
            return end;
        }
        if loss >= at_once {
            at_once
        } else {
            let linear = slow + loss / 2.0;
            let root = (linear * linear + 2.0 * loss * (at_once - slow)).sqrt();
            let whole = (2.0 * (at_once - slow) / (linear + root)).floor();
            let rest = at_once / (whole + 1.0) - (slow + loss * whole / 2.0);
            slow + loss * whole + rest.clamp(0.0, loss)
        }
    };
    speed.min(f64::from(f32::MAX)) as f32
}

/// The greatest speed at which a body may pass a turn whose two legs include an angle with this cosine
/// (1 is straight on), so that it leaves its line by no more than `leeway`.
///
/// Units per second, from units per second², seconds and units. Infinite where there is no turn, where `leeway` is
/// infinite, and where `acceleration` is infinite and `dt` is 0; 0 where an argument is NaN, or one other than the
/// cosine is below 0.
#[must_use]
pub fn turning_speed(cosine: f32, acceleration: f32, dt: f32, leeway: f32) -> f32 {
    let is_size = |value: f32| value >= 0.0;
    if cosine.is_nan() || ![acceleration, dt, leeway].into_iter().all(is_size) {
        return 0.0;
    }
    let cosine = cosine.clamp(-1.0, 1.0);
    let half_cosine = ((1.0 + cosine) * 0.5).sqrt();
    // Beyond a right angle the next leg leads back: all of the overshoot counts as leeway.
    let sine = if cosine > 0.0 { (1.0 - cosine * cosine).sqrt() } else { 1.0 };
    if sine < 1e-3 && cosine > 0.0 {
        return f32::INFINITY;
    }
    // A circle tangent to both legs misses the corner by r·(1/cos(half) − 1), and needs v² = a·r. With infinite
    // acceleration the body turns on the spot, whatever the leeway; in a tick of length 0 it loses no distance.
    let by_circle = if acceleration == f32::INFINITY || leeway == f32::INFINITY {
        f32::INFINITY
    } else {
        (acceleration * leeway * half_cosine / (1.0 - half_cosine)).sqrt()
    };
    let by_tick = if dt == 0.0 || leeway == f32::INFINITY { f32::INFINITY } else { leeway / (dt * sine) };
    by_circle.min(by_tick)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braking_is_down_to_the_speed_exactly_at_the_end() {
        for (acceleration, distance, end) in [
            (40.0, 3.0, 0.0),
            (5.0, 0.7, 0.0),
            (400.0, 10.0, 0.0),
            (1e9, 2.0, 0.0),
            (0.1, 50.0, 0.0),
            (10.0, 3.0, 2.0),
            (10.0, 0.01, 4.0),
            (10.0, 7.0, 0.3),
        ] {
            let (dt, mut left, mut speed) = (1.0 / 64.0, distance, f32::INFINITY);
            let loss = acceleration * dt * 1.001;
            // A body that stops comes nearer and nearer.
            let near = if end > 0.0 { 0.0 } else { 1e-4 };
            let mut ticks = 0;
            while left > near && ticks < 100_000 {
                let allowed = braking_speed(left, acceleration, dt, end);
                assert!(allowed >= speed - loss || speed == f32::INFINITY, "no harder than the brakes can");
                speed = allowed;
                left -= speed * dt;
                ticks += 1;
            }
            assert!(ticks < 100_000, "it arrives");
            assert!(end > 0.0 || left > -1e-5, "it does not run past the end: {left}");
            assert!(end == 0.0 || speed - end <= loss, "one tick past the end it is down to {end}: {speed}");
        }
        assert_eq!(braking_speed(10.0, f32::INFINITY, 0.5, 0.0), 20.0, "with perfect brakes, in one tick");
    }

    #[test]
    fn short_ticks_come_near_to_steady_braking() {
        let steady = (2.0_f32 * 10.0 * 5.0 + 9.0).sqrt();
        assert!((braking_speed(5.0, 10.0, 1e-5, 3.0) - steady).abs() < 1e-3);
        assert!((braking_speed(5.0, 10.0, 0.0, 3.0) - steady).abs() < 1e-5);
    }

    #[test]
    fn nonsense_brakes_to_the_end_speed() {
        for (distance, acceleration, dt) in [(f32::NAN, 1.0, 1.0), (1.0, 0.0, 1.0), (1.0, f32::NAN, 1.0)] {
            assert_eq!(braking_speed(distance, acceleration, dt, 2.0), 2.0);
        }
        assert_eq!(braking_speed(1.0, 1.0, f32::NAN, f32::NAN), 0.0, "and no speed is none");
        assert_eq!(turning_speed(f32::NAN, 1.0, 1.0, 1.0), 0.0, "nor is there one for no turn");
        assert_eq!(turning_speed(0.0, 1.0, 1.0, -1.0), 0.0, "nor without leeway");
        assert!(braking_speed(f32::MAX, f32::MAX, 1e-30, 0.0).is_finite(), "however large");
    }

    #[test]
    fn a_turning_speed_is_a_number_for_any_arguments() {
        let sizes = [0.0, 1e-45, 1e-30, 0.25, 1.0, 1e30, f32::MAX, f32::INFINITY];
        for cosine in [-1.0, -0.5, 0.0, 1e-30, 0.5, 1.0, f32::INFINITY, f32::NEG_INFINITY] {
            for (acceleration, dt) in sizes.into_iter().flat_map(|a| sizes.map(|dt| (a, dt))) {
                let mut slower = 0.0;
                for leeway in sizes {
                    let speed = turning_speed(cosine, acceleration, dt, leeway);
                    assert!(speed >= slower, "more leeway ({leeway}) is no slower: {speed} after {slower}");
                    slower = speed;
                }
            }
        }
        assert_eq!(turning_speed(0.0, f32::INFINITY, 0.0, 0.0), f32::INFINITY, "it turns on the spot");
        assert_eq!(turning_speed(0.0, f32::INFINITY, 0.1, 0.0), 0.0, "a tick late it has left its line");
    }

    #[test]
    fn sharper_turns_are_taken_more_slowly() {
        let speed = |degrees: f32| turning_speed(libm::cosf(degrees.to_radians()), 40.0, 1.0 / 64.0, 0.25);
        assert_eq!(speed(0.0), f32::INFINITY, "straight on is no turn");
        assert!(speed(20.0) > speed(45.0) && speed(45.0) > speed(90.0) && speed(90.0) > speed(150.0));
        assert!(speed(180.0) < 1e-3, "to turn back it has to stop");
    }
}
