//! Path lengths that are precise enough to be compared for equality.

use glam::DVec2;

/// The length of a path, in cells, as the unevaluated sum of two `f64` (a double-double): about 106 bits.
///
/// A length is a sum of square roots. On a regular map many paths of the same length sum the same roots in
/// different orders; with 53 bits, rounding would depend on the order, and equal lengths would differ.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(super) struct Length {
    high: f64,
    /// The rest of the length: at most half a unit in the last place of `high`.
    low: f64,
}

impl Length {
    /// Relative difference up to which two lengths count as equal. The rounding of 4,096 turns stays below it.
    const TIE: f64 = 1.0 / (1_u128 << 90) as f64;

    /// The length plus that of a straight line, whose coordinates are multiples of ½ up to 2¹⁵.
    pub(super) fn plus(self, from: DVec2, to: DVec2) -> Self {
        let square = from.distance_squared(to);
        let high = square.sqrt();
        let low = if high > 0.0 { (square - high * high - square_error(high)) / (2.0 * high) } else { 0.0 };
        let sum = self.high + high;
        let added = sum - self.high;
        let error = (self.high - (sum - added)) + (high - added);
        let rest = error + (self.low + low);
        let high = sum + rest;
        Self { high, low: rest - (high - sum) }
    }

    /// Whether a length is less than another by more than the rounding of sums.
    pub(super) fn is_shorter(self, other: Self) -> bool {
        (other.high - self.high) + (other.low - self.low) > other.high * Self::TIE
    }

    pub(super) fn rounded(self) -> f64 {
        self.high
    }
}

/// The exact square of a number less the rounded one (Dekker, 1971).
fn square_error(x: f64) -> f64 {
    // Split the number into the upper and lower half of its bits: products of the halves are exact.
    let upper = f64::from_bits(x.to_bits() & !((1 << 27) - 1));
    let lower = x - upper;
    (upper * upper - x * x) + 2.0 * upper * lower + lower * lower
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steer::CounterRng;

    fn length(legs: &[(f64, f64)]) -> Length {
        legs.iter().fold(Length::default(), |sum, &leg| sum.plus(DVec2::ZERO, leg.into()))
    }

    #[test]
    fn the_order_of_legs_does_not_show() {
        let mut rng = CounterRng::new(41, 0, 0);
        for _ in 0..200 {
            let mut coordinate = || f64::from(rng.below(64)) / 2.0;
            let mut legs: Vec<(f64, f64)> = (0..300).map(|_| (coordinate(), coordinate())).collect();
            let first = length(&legs);
            legs.reverse();
            let shift = rng.below(300) as usize;
            legs.rotate_left(shift);
            let other = length(&legs);
            assert!(!first.is_shorter(other) && !other.is_shorter(first), "{first:?} is {other:?}");
        }
    }

    #[test]
    fn multiples_of_a_root_are_equal_to_it() {
        let whole = length(&[(3000.0, 7000.0)]);
        let parts = length(&[(3.0, 7.0); 1000]);
        assert!(!whole.is_shorter(parts) && !parts.is_shorter(whole), "{whole:?} is {parts:?}");
        let (seven, five) = (length(&[(7.0, 1.0)]), length(&[(5.0, 5.0)]));
        assert!(!seven.is_shorter(five) && !five.is_shorter(seven), "both are the root of 50");
    }

    #[test]
    fn lengths_that_round_to_the_same_number_are_told_apart() {
        // They differ by 1.5 / 16,000³.
        let near = length(&[(16_000.0, 0.0), (16_000.0, 0.0), (16_000.0, 0.0), (16_000.0, 2.0)]);
        let far = length(&[(16_000.0, 1.0); 4]);
        assert_eq!(near.rounded(), far.rounded(), "as single numbers they are equal");
        assert!(near.is_shorter(far) && !far.is_shorter(near), "{near:?} is below {far:?}");
    }
}
