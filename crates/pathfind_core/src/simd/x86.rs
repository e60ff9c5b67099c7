//! Eight lanes on x86-64: in two registers of SSE2, or in one of AVX2.

use std::arch::x86_64::*;

use super::{Batch, LANES, Part, Pass, SimdF32, SimdF32x8};

/// Runs a pass compiled for AVX2.
///
/// # Safety
///
/// The processor has AVX2.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn run_avx2<P: Pass>(pass: P) -> P::Output {
    pass.run::<Avx2>()
}

/// Runs a batch compiled for AVX2.
///
/// # Safety
///
/// The processor has AVX2.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn batch_avx2<P: Batch>(batch: P) -> P::Output {
    batch.run::<Avx2>()
}

/// Runs a part compiled for AVX2.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(never)]
#[target_feature(enable = "avx2")]
unsafe fn apart_avx2<P: Part<Avx2>>(part: P) -> P::Output {
    part.run()
}

/// Prefetches the byte of a value at an offset, with all of its line, into all levels of the cache.
#[inline(always)]
pub(super) fn prefetch<T>(value: &T, offset: usize) {
    let byte = std::ptr::from_ref(value).cast::<i8>().wrapping_add(offset);
    // SAFETY: the instruction is part of SSE and has no effect but on the cache.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(byte) }
}

/// The first four lanes, and the last four.
#[derive(Copy, Clone)]
pub(super) struct Sse2(__m128, __m128);

// SAFETY of the whole block: SSE2 is part of x86-64, and loads and stores go through references to eight numbers.
impl SimdF32 for Sse2 {
    const WIDTH: usize = LANES;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        let half = unsafe { _mm_set1_ps(value) };
        Self(half, half)
    }

    #[inline(always)]
    fn load(values: &[f32; LANES]) -> Self {
        unsafe { Self(_mm_loadu_ps(values.as_ptr()), _mm_loadu_ps(values.as_ptr().add(4))) }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        unsafe { Self(_mm_sqrt_ps(self.0), _mm_sqrt_ps(self.1)) }
    }

    lane_by_lane! {
        (0, 1),
        add = _mm_add_ps,
        sub = _mm_sub_ps,
        mul = _mm_mul_ps,
        div = _mm_div_ps,
        max = _mm_max_ps,
        min = _mm_min_ps,
        and = _mm_and_ps,
        or = _mm_or_ps,
        is_more = _mm_cmpgt_ps,
    }

    #[inline(always)]
    fn and_not(self, mask: Self) -> Self {
        unsafe { Self(_mm_andnot_ps(mask.0, self.0), _mm_andnot_ps(mask.1, self.1)) }
    }

    #[inline(always)]
    fn is_same(self, other: Self) -> Self {
        let half =
            |a, b| unsafe { _mm_castsi128_ps(_mm_cmpeq_epi32(_mm_castps_si128(a), _mm_castps_si128(b))) };
        Self(half(self.0, other.0), half(self.1, other.1))
    }

    #[inline(always)]
    fn round_i32(self) -> Self {
        unsafe {
            let (low, high) = (_mm_cvtps_epi32(self.0), _mm_cvtps_epi32(self.1));
            Self(_mm_castsi128_ps(low), _mm_castsi128_ps(high))
        }
    }

    #[inline(always)]
    fn sub_whole(self, other: Self) -> Self {
        let half =
            |a, b| unsafe { _mm_castsi128_ps(_mm_sub_epi32(_mm_castps_si128(a), _mm_castps_si128(b))) };
        Self(half(self.0, other.0), half(self.1, other.1))
    }

    #[inline(always)]
    fn is_any(self) -> bool {
        unsafe { _mm_movemask_ps(_mm_or_ps(self.0, self.1)) != 0 }
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        unsafe { (_mm_movemask_ps(self.0) | (_mm_movemask_ps(self.1) << 4)) as u32 }
    }

    #[inline(always)]
    fn reduce_max(self) -> f32 {
        largest_of_four(unsafe { _mm_max_ps(self.0, self.1) })
    }

    #[inline(always)]
    fn to_array(self) -> [f32; LANES] {
        let mut values = [0.0; LANES];
        unsafe {
            _mm_storeu_ps(values.as_mut_ptr(), self.0);
            _mm_storeu_ps(values.as_mut_ptr().add(4), self.1);
        }
        values
    }
}

// SAFETY: as above.
impl SimdF32x8 for Sse2 {
    #[inline(always)]
    fn transpose(rows: [Self; LANES]) -> [Self; LANES] {
        let [a, b, c, d, e, f, g, h] = rows;
        let first = [transpose_four([a.0, b.0, c.0, d.0]), transpose_four([a.1, b.1, c.1, d.1])];
        let second = [transpose_four([e.0, f.0, g.0, h.0]), transpose_four([e.1, f.1, g.1, h.1])];
        std::array::from_fn(|column| Self(first[column / 4][column % 4], second[column / 4][column % 4]))
    }
}

/// The largest of four lanes.
#[inline(always)]
fn largest_of_four(four: __m128) -> f32 {
    // SAFETY: SSE2 is part of x86-64.
    unsafe {
        let two = _mm_max_ps(four, _mm_movehl_ps(four, four));
        _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps::<1>(two, two)))
    }
}

/// Transposes four rows into four columns.
#[inline(always)]
fn transpose_four([a, b, c, d]: [__m128; 4]) -> [__m128; 4] {
    // SAFETY: SSE2 is part of x86-64.
    unsafe {
        let (ab, cd) = (_mm_unpacklo_ps(a, b), _mm_unpacklo_ps(c, d));
        let (top_ab, top_cd) = (_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(c, d));
        [
            _mm_movelh_ps(ab, cd),
            _mm_movehl_ps(cd, ab),
            _mm_movelh_ps(top_ab, top_cd),
            _mm_movehl_ps(top_cd, top_ab),
        ]
    }
}

/// All eight lanes.
#[derive(Copy, Clone)]
pub(super) struct Avx2(__m256);

// SAFETY of the whole block: only passes and batches run by `run_avx2` and `batch_avx2` use this type, and loads and
// stores go through references to eight numbers.
impl SimdF32 for Avx2 {
    const WIDTH: usize = LANES;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(unsafe { _mm256_set1_ps(value) })
    }

    #[inline(always)]
    fn load(values: &[f32; LANES]) -> Self {
        Self(unsafe { _mm256_loadu_ps(values.as_ptr()) })
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(unsafe { _mm256_sqrt_ps(self.0) })
    }

    lane_by_lane! {
        (0),
        add = _mm256_add_ps,
        sub = _mm256_sub_ps,
        mul = _mm256_mul_ps,
        div = _mm256_div_ps,
        max = _mm256_max_ps,
        min = _mm256_min_ps,
        and = _mm256_and_ps,
        or = _mm256_or_ps,
        is_more = _mm256_cmp_ps::<_CMP_GT_OQ>,
    }

    #[inline(always)]
    fn and_not(self, mask: Self) -> Self {
        Self(unsafe { _mm256_andnot_ps(mask.0, self.0) })
    }

    #[inline(always)]
    fn is_same(self, other: Self) -> Self {
        let (a, b) = unsafe { (_mm256_castps_si256(self.0), _mm256_castps_si256(other.0)) };
        Self(unsafe { _mm256_castsi256_ps(_mm256_cmpeq_epi32(a, b)) })
    }

    #[inline(always)]
    fn round_i32(self) -> Self {
        Self(unsafe { _mm256_castsi256_ps(_mm256_cvtps_epi32(self.0)) })
    }

    #[inline(always)]
    fn sub_whole(self, other: Self) -> Self {
        let (a, b) = unsafe { (_mm256_castps_si256(self.0), _mm256_castps_si256(other.0)) };
        Self(unsafe { _mm256_castsi256_ps(_mm256_sub_epi32(a, b)) })
    }

    #[inline(always)]
    fn apart<P: Part<Self>>(part: P) -> P::Output {
        unsafe { apart_avx2(part) }
    }

    #[inline(always)]
    fn is_any(self) -> bool {
        unsafe { _mm256_movemask_ps(self.0) != 0 }
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        unsafe { _mm256_movemask_ps(self.0) as u32 }
    }

    #[inline(always)]
    fn reduce_max(self) -> f32 {
        let half = unsafe { _mm_max_ps(_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0)) };
        largest_of_four(half)
    }

    #[inline(always)]
    fn to_array(self) -> [f32; LANES] {
        let mut values = [0.0; LANES];
        unsafe { _mm256_storeu_ps(values.as_mut_ptr(), self.0) };
        values
    }
}

// SAFETY: as above.
impl SimdF32x8 for Avx2 {
    #[inline(always)]
    fn transpose(rows: [Self; LANES]) -> [Self; LANES] {
        let [a, b, c, d, e, f, g, h] = rows;
        unsafe {
            let (ab, cd) = (_mm256_unpacklo_ps(a.0, b.0), _mm256_unpacklo_ps(c.0, d.0));
            let (ef, gh) = (_mm256_unpacklo_ps(e.0, f.0), _mm256_unpacklo_ps(g.0, h.0));
            let (top_ab, top_cd) = (_mm256_unpackhi_ps(a.0, b.0), _mm256_unpackhi_ps(c.0, d.0));
            let (top_ef, top_gh) = (_mm256_unpackhi_ps(e.0, f.0), _mm256_unpackhi_ps(g.0, h.0));
            // Each register holds two columns of four rows: 0 and 4, 1 and 5, 2 and 6, 3 and 7.
            let first = [
                _mm256_shuffle_ps::<0x44>(ab, cd),
                _mm256_shuffle_ps::<0xee>(ab, cd),
                _mm256_shuffle_ps::<0x44>(top_ab, top_cd),
                _mm256_shuffle_ps::<0xee>(top_ab, top_cd),
            ];
            let second = [
                _mm256_shuffle_ps::<0x44>(ef, gh),
                _mm256_shuffle_ps::<0xee>(ef, gh),
                _mm256_shuffle_ps::<0x44>(top_ef, top_gh),
                _mm256_shuffle_ps::<0xee>(top_ef, top_gh),
            ];
            [
                Self(_mm256_permute2f128_ps::<0x20>(first[0], second[0])),
                Self(_mm256_permute2f128_ps::<0x20>(first[1], second[1])),
                Self(_mm256_permute2f128_ps::<0x20>(first[2], second[2])),
                Self(_mm256_permute2f128_ps::<0x20>(first[3], second[3])),
                Self(_mm256_permute2f128_ps::<0x31>(first[0], second[0])),
                Self(_mm256_permute2f128_ps::<0x31>(first[1], second[1])),
                Self(_mm256_permute2f128_ps::<0x31>(first[2], second[2])),
                Self(_mm256_permute2f128_ps::<0x31>(first[3], second[3])),
            ]
        }
    }

    #[inline(always)]
    fn compress(self, which: u32) -> Self {
        let places = &PACKED[(which & 0xff) as usize];
        unsafe {
            let places = _mm256_cvtepu8_epi32(_mm_loadl_epi64(places.as_ptr().cast()));
            Self(_mm256_permutevar8x32_ps(self.0, places))
        }
    }
}

/// For each mask of lanes, the indices of its set lanes in order; the table of [`compress`](SimdF32x8::compress).
static PACKED: [[u8; LANES]; 256] = {
    let mut packed = [[0; LANES]; 256];
    let mut which = 0;
    while which < packed.len() {
        let (mut lane, mut count) = (0, 0);
        while lane < LANES {
            if which >> lane & 1 != 0 {
                packed[which][count] = lane as u8;
                count += 1;
            }
            lane += 1;
        }
        which += 1;
    }
    packed
};
