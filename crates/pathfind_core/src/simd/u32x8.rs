//! Eight lanes of whole numbers, on processors with AVX2.
//!
//! There is no version for other processors: where [`run_u32x8`] returns `None`, and where this module is left out, its
//! caller has plain code that finds the same.

use std::arch::x86_64::*;

/// Work on eight whole numbers that is compiled for AVX2.
pub(crate) trait PassU32x8 {
    type Output;

    /// Does the work; must be inlined as [`Pass::run`](super::Pass::run). So must all closures that work on lanes,
    /// hence they are functions. Only what runs below this function may use [`U32x8`].
    fn run(self) -> Self::Output;
}

/// Runs a pass; `None` if the processor does not have AVX2.
pub(crate) fn run_u32x8<P: PassU32x8>(pass: P) -> Option<P::Output> {
    // SAFETY: the processor has AVX2.
    super::Simd::Avx2.is_available().then(|| unsafe { run_avx2(pass) })
}

/// Runs a pass compiled for AVX2.
///
/// # Safety
///
/// The processor has AVX2.
#[target_feature(enable = "avx2")]
unsafe fn run_avx2<P: PassU32x8>(pass: P) -> P::Output {
    pass.run()
}

/// Eight numbers in one register.
#[derive(Copy, Clone)]
pub(crate) struct U32x8(__m256i);

// SAFETY of the whole block: lanes are used in passes alone, so the processor has AVX2; loads and stores go through
// references to eight numbers.
impl U32x8 {
    #[inline(always)]
    pub(crate) fn splat(value: u32) -> Self {
        unsafe { Self(_mm256_set1_epi32(value.cast_signed())) }
    }

    #[inline(always)]
    pub(crate) fn load(values: &[u32; 8]) -> Self {
        unsafe { Self(_mm256_loadu_si256(values.as_ptr().cast())) }
    }

    #[inline(always)]
    pub(crate) fn to_array(self) -> [u32; 8] {
        let mut values = [0; 8];
        unsafe { _mm256_storeu_si256(values.as_mut_ptr().cast(), self.0) };
        values
    }

    /// The lowest byte of each lane; every lane is below 256.
    #[inline(always)]
    pub(crate) fn to_bytes(self) -> [u8; 8] {
        unsafe {
            let (low, high) = (_mm256_castsi256_si128(self.0), _mm256_extracti128_si256::<1>(self.0));
            let words = _mm_packus_epi32(low, high);
            _mm_cvtsi128_si64(_mm_packus_epi16(words, words)).to_le_bytes()
        }
    }

    lane_by_lane! {
        (0),
        pub(crate) min = _mm256_min_epu32,
        pub(crate) max = _mm256_max_epu32,
        pub(crate) add = _mm256_add_epi32,
        pub(crate) or = _mm256_or_si256,
        pub(crate) xor = _mm256_xor_si256,
        // All bits of a lane where the two are equal, else none.
        pub(crate) equal = _mm256_cmpeq_epi32,
    }

    #[inline(always)]
    pub(crate) fn is_zero(self) -> bool {
        unsafe { _mm256_testz_si256(self.0, self.0) != 0 }
    }

    /// The lanes of `yes` where a lane of this one has all its bits, else those of `no`.
    #[inline(always)]
    pub(crate) fn choose(self, yes: Self, no: Self) -> Self {
        unsafe { Self(_mm256_blendv_epi8(no.0, yes.0, self.0)) }
    }

    /// Each lane moved one up; the first lane is that of `fill`.
    #[inline(always)]
    pub(crate) fn up_1(self, fill: Self) -> Self {
        unsafe {
            let moved = _mm256_permutevar8x32_epi32(self.0, _mm256_setr_epi32(0, 0, 1, 2, 3, 4, 5, 6));
            Self(_mm256_blend_epi32::<0b0000_0001>(moved, fill.0))
        }
    }

    /// Each lane moved two up; the first two lanes are those of `fill`.
    #[inline(always)]
    pub(crate) fn up_2(self, fill: Self) -> Self {
        unsafe {
            let moved = _mm256_permute4x64_epi64::<0b10_01_00_00>(self.0);
            Self(_mm256_blend_epi32::<0b0000_0011>(moved, fill.0))
        }
    }

    /// Each lane moved four up; the first four lanes are those of `fill`.
    #[inline(always)]
    pub(crate) fn up_4(self, fill: Self) -> Self {
        unsafe { Self(_mm256_permute2x128_si256::<0x20>(fill.0, self.0)) }
    }

    /// Each lane moved one down; the last lane is that of `fill`.
    #[inline(always)]
    pub(crate) fn down_1(self, fill: Self) -> Self {
        unsafe {
            let moved = _mm256_permutevar8x32_epi32(self.0, _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 7));
            Self(_mm256_blend_epi32::<0b1000_0000>(moved, fill.0))
        }
    }

    /// Each lane moved two down; the last two lanes are those of `fill`.
    #[inline(always)]
    pub(crate) fn down_2(self, fill: Self) -> Self {
        unsafe {
            let moved = _mm256_permute4x64_epi64::<0b11_11_10_01>(self.0);
            Self(_mm256_blend_epi32::<0b1100_0000>(moved, fill.0))
        }
    }

    /// Each lane moved four down; the last four lanes are those of `fill`.
    #[inline(always)]
    pub(crate) fn down_4(self, fill: Self) -> Self {
        unsafe { Self(_mm256_permute2x128_si256::<0x31>(self.0, fill.0)) }
    }

    /// The least lane.
    #[inline(always)]
    pub(crate) fn reduce_min(self) -> u32 {
        unsafe {
            let (low, high) = (_mm256_castsi256_si128(self.0), _mm256_extracti128_si256::<1>(self.0));
            let four = _mm_min_epu32(low, high);
            let two = _mm_min_epu32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
            let one = _mm_min_epu32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two));
            _mm_cvtsi128_si32(one).cast_unsigned()
        }
    }
}
