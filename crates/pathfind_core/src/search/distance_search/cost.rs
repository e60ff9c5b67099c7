//! Costs in 32 or 64 bits.

use std::ops::Add;

/// A number of units of the search.
pub(super) trait Cost: Copy + Ord + Add<Output = Self> + TryFrom<u64> + Into<u64> {
    /// The cost of a cell that has not been reached.
    const NONE: Self;

    fn wrapping_add(self, other: Self) -> Self;

    /// The units that fit; greater numbers become `NONE`.
    #[inline]
    fn of(units: u64) -> Self {
        units.try_into().unwrap_or(Self::NONE)
    }

    #[inline]
    fn units(self) -> u64 {
        self.into()
    }

    /// The number of the cost's bucket, before wrapping round the ring. A bucket is 2^`width_bits` units wide.
    #[inline]
    fn bucket(self, width_bits: u32) -> usize {
        (self.units() >> width_bits) as usize
    }
}

impl Cost for u32 {
    const NONE: Self = Self::MAX;

    #[inline]
    fn wrapping_add(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
}

impl Cost for u64 {
    const NONE: Self = Self::MAX;

    #[inline]
    fn wrapping_add(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
}
