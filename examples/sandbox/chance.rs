//! Seeded random numbers.

use core::ops::Range;

/// A SplitMix64 sequence.
#[derive(Debug, Clone, Default)]
pub(crate) struct Chance(pub u64);

impl Chance {
    /// The next number of the sequence.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A random integer from 0 up to, not including, `end`.
    pub(crate) fn below(&mut self, end: u32) -> i32 {
        (self.next() % u64::from(end.max(1))) as i32
    }

    /// A random number of a range.
    pub(crate) fn within(&mut self, range: Range<f32>) -> f32 {
        let share = (self.next() >> 40) as f32 / (1_u32 << 24) as f32;
        range.start + (range.end - range.start) * share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers_within_their_bounds() {
        let (mut one, mut two) = (Chance(7), Chance(7));
        for _ in 0..100 {
            let number = one.within(-2.0..3.0);
            assert_eq!(number, two.within(-2.0..3.0));
            assert!((-2.0..3.0).contains(&number), "{number} lies in its range");
            assert_eq!(one.below(5), two.below(5));
        }
    }
}
