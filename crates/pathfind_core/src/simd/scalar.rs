//! Lanes without SIMD instructions, one after the other. Their results are the reference for the other instruction
//! sets.

use super::{LANES, Part, SimdF32, SimdF32x8};

/// `N` numbers in an array.
#[derive(Copy, Clone)]
pub(crate) struct Scalar<const N: usize>([f32; N]);

impl<const N: usize> Scalar<N> {
    #[inline(always)]
    fn zip(self, other: Self, rule: impl Fn(f32, f32) -> f32) -> Self {
        Self(std::array::from_fn(|lane| rule(self.0[lane], other.0[lane])))
    }

    #[inline(always)]
    fn zip_bits(self, other: Self, rule: impl Fn(u32, u32) -> u32) -> Self {
        self.zip(other, |a, b| f32::from_bits(rule(a.to_bits(), b.to_bits())))
    }
}

/// Operations on two numbers of lanes: each is [`zip`](Scalar::zip) or [`zip_bits`](Scalar::zip_bits) with a rule.
macro_rules! lane_by_lane {
    ($($operation:ident = $zip:ident $rule:expr,)+) => {$(
        #[inline(always)]
        fn $operation(self, other: Self) -> Self {
            self.$zip(other, $rule)
        }
    )+};
}

impl<const N: usize> SimdF32 for Scalar<N> {
    const WIDTH: usize = N;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([value; N])
    }

    #[inline(always)]
    fn load(values: &[f32; LANES]) -> Self {
        Self(std::array::from_fn(|lane| values[lane]))
    }

    lane_by_lane! {
        add = zip |a, b| a + b,
        sub = zip |a, b| a - b,
        mul = zip |a, b| a * b,
        div = zip |a, b| a / b,
        max = zip |a, b| if a > b { a } else { b },
        min = zip |a, b| if a < b { a } else { b },
        and = zip_bits |a, b| a & b,
        or = zip_bits |a, b| a | b,
        is_more = zip |a, b| f32::from_bits(if a > b { u32::MAX } else { 0 }),
        is_same = zip_bits |a, b| if a == b { u32::MAX } else { 0 },
        sub_whole = zip_bits u32::wrapping_sub,
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f32::sqrt))
    }

    #[inline(always)]
    fn and_not(self, mask: Self) -> Self {
        self.zip_bits(mask, |a, b| a & !b)
    }

    #[inline(always)]
    fn round_i32(self) -> Self {
        Self(self.0.map(|lane| f32::from_bits(super::round_i32(lane).cast_unsigned())))
    }

    #[inline(always)]
    fn is_any(self) -> bool {
        self.0.iter().any(|lane| lane.to_bits() != 0)
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        self.0.iter().rev().fold(0, |bits, lane| bits << 1 | u32::from(lane.to_bits() != 0))
    }

    #[inline(always)]
    fn reduce_max(self) -> f32 {
        self.0.into_iter().fold(f32::NEG_INFINITY, |most, lane| if lane > most { lane } else { most })
    }

    #[inline(always)]
    fn to_array(self) -> [f32; LANES] {
        std::array::from_fn(|lane| if lane < N { self.0[lane] } else { 0.0 })
    }

    #[inline(never)]
    fn apart<P: Part<Self>>(part: P) -> P::Output {
        part.run()
    }
}

impl SimdF32x8 for Scalar<LANES> {
    #[inline(always)]
    fn transpose(rows: [Self; LANES]) -> [Self; LANES] {
        std::array::from_fn(|column| Self(std::array::from_fn(|row| rows[row].0[column])))
    }
}
