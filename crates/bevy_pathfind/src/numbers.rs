//! An order by numbers, for what has no other: so that no query's order shows.

use core::cmp::Ordering;

/// Compares two rows of numbers; the first that differ decide.
pub(crate) fn by_numbers(
    one: impl IntoIterator<Item = f32>,
    other: impl IntoIterator<Item = f32>,
) -> Ordering {
    let mut orders = one.into_iter().zip(other).map(|(a, b)| a.total_cmp(&b));
    orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}
