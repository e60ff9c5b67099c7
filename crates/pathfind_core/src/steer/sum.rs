//! A sum of vectors that does not depend on the order of its terms.

use glam::Vec3;

/// A sum of vectors, kept in integers: whole numbers of parts of 1/2ᴮᴵᵀˢ. Rounding happens once for each term, never
/// for the sum, so that it is the same in any order.
///
/// Terms have components of at most 1 in size. More bits are more exact; the sums of separation have 18, because eight
/// lanes of 32-bit integers then hold over 8,000 terms each without an overflow.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) struct Sum<const BITS: u32>(pub(crate) [i64; 3]);

impl<const BITS: u32> Sum<BITS> {
    /// The number of parts in 1.
    pub(crate) const PARTS: f32 = (1_u64 << BITS) as f32;

    /// Adds a vector, cut to whole parts.
    #[inline]
    pub(crate) fn add(&mut self, vector: Vec3) {
        self.add_parts((vector * Self::PARTS).to_array().map(|part| part as i64));
    }

    /// Adds a vector that is given in parts.
    #[inline]
    pub(crate) fn add_parts(&mut self, parts: [i64; 3]) {
        for (sum, part) in self.0.iter_mut().zip(parts) {
            *sum = sum.wrapping_add(part);
        }
    }

    /// The sum.
    #[inline]
    pub(crate) fn total(self) -> Vec3 {
        Vec3::from_array(self.0.map(|parts| parts as f32 / Self::PARTS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steer::CounterRng;

    #[test]
    fn a_sum_is_the_same_in_any_order() {
        let mut rng = CounterRng::new(1, 2, 3);
        let terms: Vec<Vec3> = (0..1000).map(|_| rng.direction() * rng.unit()).collect();
        let (mut forth, mut back, mut plain) = (Sum::<32>::default(), Sum::<32>::default(), Vec3::ZERO);
        terms.iter().for_each(|&term| forth.add(term));
        terms.iter().rev().for_each(|&term| back.add(term));
        terms.iter().for_each(|&term| plain += term);
        assert_eq!(forth, back, "order does not matter, not by one bit");
        assert!((forth.total() - plain).length() < 1e-3, "and it is the sum: {} {plain}", forth.total());
    }
}
