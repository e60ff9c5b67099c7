//! A seeded random number generator.

use core::ops::Range;

/// The SplitMix64 generator; its state is the seed at first.
#[derive(Debug, Clone, Default)]
pub(crate) struct SplitMix64(pub u64);

impl SplitMix64 {
    /// The next number of the sequence.
    pub(crate) fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// A random integer from 0 up to, not including, `end`.
    pub(crate) fn below(&mut self, end: u32) -> i32 {
        (self.next_u64() % u64::from(end.max(1))) as i32
    }

    /// A random number of a range.
    pub(crate) fn in_range(&mut self, range: Range<f32>) -> f32 {
        range.start + (range.end - range.start) * share(self.next_u64())
    }
}

/// The last steps of SplitMix64: bits of which each depends on every bit of the argument.
pub(crate) fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// A number from 0 up to, not including, 1, from random bits.
pub(crate) fn share(bits: u64) -> f32 {
    (bits >> 40) as f32 / (1_u32 << 24) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers_in_range() {
        let (mut one, mut two) = (SplitMix64(7), SplitMix64(7));
        for _ in 0..100 {
            let number = one.in_range(-2.0..3.0);
            assert_eq!(number, two.in_range(-2.0..3.0));
            assert!((-2.0..3.0).contains(&number), "{number} lies in its range");
            assert_eq!(one.below(5), two.below(5));
        }
    }
}
