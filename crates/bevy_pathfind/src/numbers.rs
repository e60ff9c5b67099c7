//! Helpers for floating-point numbers: comparing sequences, and testing vectors.

use core::cmp::Ordering;

use bevy::math::Vec3;

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
