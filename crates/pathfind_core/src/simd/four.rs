//! Four lanes in one register of SSE2.

use std::arch::x86_64::*;

use super::x86::largest_of_four;
use super::{LANES, Numbers, Part};

/// Four lanes.
#[derive(Copy, Clone)]
pub(super) struct Four(__m128);

// SAFETY of the whole block: SSE2 is part of x86-64, and what is loaded is a reference.
impl Numbers for Four {
    const WIDTH: usize = 4;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(unsafe { _mm_set1_ps(value) })
    }

    #[inline(always)]
    fn load(values: &[f32; LANES]) -> Self {
        Self(unsafe { _mm_loadu_ps(values.as_ptr()) })
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(unsafe { _mm_sqrt_ps(self.0) })
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(unsafe { _mm_add_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(unsafe { _mm_sub_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(unsafe { _mm_mul_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(unsafe { _mm_div_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(unsafe { _mm_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(unsafe { _mm_min_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(unsafe { _mm_and_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(unsafe { _mm_or_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn and_not(self, mask: Self) -> Self {
        Self(unsafe { _mm_andnot_ps(mask.0, self.0) })
    }

    #[inline(always)]
    fn is_more(self, other: Self) -> Self {
        Self(unsafe { _mm_cmpgt_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn is_same(self, other: Self) -> Self {
        let (a, b) = unsafe { (_mm_castps_si128(self.0), _mm_castps_si128(other.0)) };
        Self(unsafe { _mm_castsi128_ps(_mm_cmpeq_epi32(a, b)) })
    }

    #[inline(always)]
    fn to_whole(self) -> Self {
        Self(unsafe { _mm_castsi128_ps(_mm_cvtps_epi32(self.0)) })
    }

    #[inline(always)]
    fn sub_whole(self, other: Self) -> Self {
        let (a, b) = unsafe { (_mm_castps_si128(self.0), _mm_castps_si128(other.0)) };
        Self(unsafe { _mm_castsi128_ps(_mm_sub_epi32(a, b)) })
    }

    #[inline(always)]
    fn is_any(self) -> bool {
        unsafe { _mm_movemask_ps(self.0) != 0 }
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        unsafe { _mm_movemask_ps(self.0) as u32 }
    }

    #[inline(always)]
    fn largest(self) -> f32 {
        unsafe { largest_of_four(self.0) }
    }

    #[inline(always)]
    fn to_array(self) -> [f32; LANES] {
        let mut values = [0.0; LANES];
        unsafe { _mm_storeu_ps(values.as_mut_ptr(), self.0) };
        values
    }

    #[inline(never)]
    fn apart<P: Part<Self>>(part: P) -> P::Output {
        part.run()
    }
}
