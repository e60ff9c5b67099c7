//! A single lane, for batches without SIMD instructions. Its results are the reference for the other instruction sets.

use super::{LANES, Part, SimdF32};

/// One `f32`.
#[derive(Copy, Clone)]
pub(super) struct One(f32);

impl One {
    #[inline(always)]
    fn zip_bits(self, other: Self, rule: impl Fn(u32, u32) -> u32) -> Self {
        Self(f32::from_bits(rule(self.0.to_bits(), other.0.to_bits())))
    }

    #[inline(always)]
    fn mask(is_set: bool) -> Self {
        Self(f32::from_bits(if is_set { u32::MAX } else { 0 }))
    }
}

impl SimdF32 for One {
    const WIDTH: usize = 1;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(value)
    }

    #[inline(always)]
    fn load(values: &[f32; LANES]) -> Self {
        Self(values[0])
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(self.0 / other.0)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self.0 > other.0 { self } else { other }
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if self.0 < other.0 { self } else { other }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.zip_bits(other, |a, b| a & b)
    }

    #[inline(always)]
    fn and_not(self, mask: Self) -> Self {
        self.zip_bits(mask, |a, b| a & !b)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.zip_bits(other, |a, b| a | b)
    }

    #[inline(always)]
    fn is_more(self, other: Self) -> Self {
        Self::mask(self.0 > other.0)
    }

    #[inline(always)]
    fn is_same(self, other: Self) -> Self {
        Self::mask(self.0.to_bits() == other.0.to_bits())
    }

    #[inline(always)]
    fn round_i32(self) -> Self {
        Self(f32::from_bits(super::round_i32(self.0).cast_unsigned()))
    }

    #[inline(always)]
    fn sub_whole(self, other: Self) -> Self {
        self.zip_bits(other, u32::wrapping_sub)
    }

    #[inline(always)]
    fn is_any(self) -> bool {
        self.0.to_bits() != 0
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        u32::from(self.is_any())
    }

    #[inline(always)]
    fn reduce_max(self) -> f32 {
        self.0
    }

    #[inline(always)]
    fn to_array(self) -> [f32; LANES] {
        let mut values = [0.0; LANES];
        values[0] = self.0;
        values
    }

    #[inline(never)]
    fn apart<P: Part<Self>>(part: P) -> P::Output {
        part.run()
    }
}
