//! Helpers for floating-point numbers: comparing sequences, and testing and sorting vectors.

use core::cmp::Ordering;

use bevy::math::{Vec2, Vec3};

/// Compares two sequences of the same length lexicographically, by `total_cmp`: a sort key for things that have no
/// other order, so that results do not depend on query order.
pub(crate) fn by_numbers(
    one: impl IntoIterator<Item = f32>,
    other: impl IntoIterator<Item = f32>,
) -> Ordering {
    let mut orders = one.into_iter().zip(other).map(|(a, b)| a.total_cmp(&b));
    orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// Whether all components of a vector are finite; half the time of testing each.
#[inline(always)]
pub(crate) fn is_finite(vector: Vec3) -> bool {
    // A finite number times zero is zero; an infinity or NaN times zero is NaN.
    (vector * 0.0).element_sum() == 0.0
}

/// The nearest of eight directions, counter-clockwise from the x axis.
pub(crate) fn octant(direction: Vec2) -> usize {
    let eighths = direction.to_angle() * (4.0 / core::f32::consts::PI);
    (eighths.round() as i32).rem_euclid(8) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_direction_has_one_of_eight_octants() {
        let directions = [Vec2::X, Vec2::ONE, Vec2::Y, Vec2::new(-1.0, 1.0), -Vec2::X, -Vec2::ONE, -Vec2::Y];
        let octants: Vec<_> = directions.into_iter().map(octant).collect();
        assert_eq!(octants, [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(octant(Vec2::new(1.0, -0.1)), 0, "also just below the x axis");
    }
}
