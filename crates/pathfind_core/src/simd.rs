//! SIMD arithmetic on eight `f32` lanes, with the widest instruction set of the processor. All instruction sets give
//! the same results, bit for bit, except for the bits of a NaN.
//!
//! A [`Pass`] is generic over [`SimdF32x8`] and compiled once for each [`Simd`]. A [`Batch`] is generic over
//! [`SimdF32`], and has a single lane if there are no SIMD instructions. Each lane computes one member (a body for
//! which the pass computes a result), so every sum is in the order of its terms; and no operation is a fused
//! multiply-add or an approximate reciprocal. So the results do not depend on the instruction set.
//!
//! The only unsafe code of the crate is in this module and its submodules, for three purposes: to call a pass that is
//! compiled for instructions which the processor was found to have, to call those instructions, and to read eight
//! numbers of several arrays, or of a body, after a single check of their length.
#![expect(unsafe_code, reason = "instructions of the processor, called after it was found to have them")]

use std::ops::Range;

/// Operations on two numbers of lanes that are one instruction for each register, of the fields in parentheses.
#[cfg(target_arch = "x86_64")]
macro_rules! lane_by_lane {
    ($registers:tt, $($visible:vis $operation:ident = $instruction:path,)+) => {$(
        #[inline(always)]
        $visible fn $operation(self, other: Self) -> Self {
            lane_by_lane!(@$registers, self, other, $instruction)
        }
    )+};
    (@($($register:tt),+), $one:ident, $other:ident, $instruction:path) => {
        unsafe { Self($($instruction($one.$register, $other.$register)),+) }
    };
}

// The lanes: eight for each instruction set, and any number without SIMD instructions.
mod scalar;
#[cfg(target_arch = "x86_64")]
mod x86;

// Eight integers.
#[cfg(target_arch = "x86_64")]
mod u32x8;

// Types made of lanes: vectors, and bodies read as rows.
mod rows;
mod vectors;

pub(crate) use rows::BodyRows;
#[cfg(target_arch = "x86_64")]
pub(crate) use u32x8::{PassU32x8, U32x8, run_u32x8};
pub(crate) use vectors::{Vectors, dot, share};

/// The instruction set of a batched pass. Results do not depend on it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Simd {
    /// No SIMD instructions: every processor.
    Scalar,
    /// Four lanes in a register: every x86-64 processor.
    Sse2,
    /// Eight lanes in a register: most x86-64 processors since 2013.
    Avx2,
}

impl Simd {
    /// All instruction sets, from the narrowest to the widest.
    pub(crate) const ALL: [Self; 3] = [Self::Scalar, Self::Sse2, Self::Avx2];

    /// The widest instruction set that this processor has.
    #[must_use]
    pub(crate) fn widest() -> Self {
        Self::ALL.into_iter().rfind(|simd| simd.is_available()).unwrap_or(Self::Scalar)
    }

    /// Whether this processor has the instruction set. A pass run with one that is not available uses
    /// [`Scalar`](Self::Scalar).
    #[must_use]
    pub(crate) fn is_available(self) -> bool {
        match self {
            Self::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Self::Sse2 => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => std::is_x86_feature_detected!("avx2"),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// Runs a pass with this instruction set.
    #[inline]
    pub(crate) fn run<P: Pass>(self, pass: P) -> P::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Sse2 => pass.run::<x86::Sse2>(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 if self.is_available() => {
                // SAFETY: the processor has AVX2.
                unsafe { x86::run_avx2(pass) }
            }
            _ => pass.run::<scalar::Scalar<LANES>>(),
        }
    }

    /// Runs a batch with this instruction set: with eight lanes, or with one lane for [`Scalar`](Self::Scalar).
    #[inline]
    pub(crate) fn batch<P: Batch>(self, batch: P) -> P::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Sse2 => batch.run::<x86::Sse2>(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 if self.is_available() => {
                // SAFETY: the processor has AVX2.
                unsafe { x86::batch_avx2(batch) }
            }
            _ => batch.run::<scalar::Scalar<1>>(),
        }
    }
}

impl Default for Simd {
    fn default() -> Self {
        Self::widest()
    }
}

/// Work on eight lanes that is compiled for each instruction set.
pub(crate) trait Pass {
    type Output;

    /// Does the work. This function and all that it calls with [`SimdF32x8`] must be `#[inline(always)]`: a function
    /// that is not inlined is compiled for the narrowest instruction set, unless it is a [`Part`].
    fn run<L: SimdF32x8>(self) -> Self::Output;
}

/// Work on eight lanes, or on a single lane without SIMD instructions, that is compiled for each instruction set.
pub(crate) trait Batch {
    type Output;

    /// Does the work; must be inlined as [`Pass::run`].
    fn run<L: SimdF32>(self) -> Self::Output;
}

/// A part of a pass or batch that may be compiled as a function of its own, with its own registers; run by
/// [`SimdF32::apart`].
pub(crate) trait Part<L> {
    type Output;

    /// Does the work; must be inlined as [`Pass::run`].
    fn run(self) -> Self::Output;
}

/// A single number instead of lanes: plain code by the same formulas.
pub(crate) type OneLane = scalar::Scalar<1>;

/// Eight lanes without SIMD instructions, for tests of single steps: passes are tested with every instruction set.
#[cfg(test)]
pub(crate) type EightLanes = scalar::Scalar<LANES>;

/// The largest number of lanes.
pub(crate) const LANES: usize = 8;

/// Prefetches an entry that will be read soon, if it exists; does nothing on other processors than x86-64.
#[inline(always)]
pub(crate) fn prefetch<T>(entries: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(entry) = entries.get(at) {
        x86::prefetch(entry, 0);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (entries, at);
}

/// As [`prefetch`], for an entry that may lie on two lines of the cache: both. Where many prefetches follow one another,
/// the second ones cost more than they gain.
#[inline(always)]
pub(crate) fn prefetch_whole<T>(entries: &[T], at: usize) {
    prefetch(entries, at);
    #[cfg(target_arch = "x86_64")]
    if let Some(entry) = entries.get(at) {
        x86::prefetch(entry, size_of::<T>() - 1);
    }
}

/// The index of each lane.
pub(crate) static LANE: [f32; LANES] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];

/// [`WIDTH`](Self::WIDTH) lanes of `f32`. A mask is a value of this type whose lanes have all bits set or none.
pub(crate) trait SimdF32: Copy {
    /// The number of lanes.
    const WIDTH: usize;

    /// The same value in all lanes.
    fn splat(value: f32) -> Self;
    /// The first [`WIDTH`](Self::WIDTH) values.
    fn load(values: &[f32; LANES]) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    fn sqrt(self) -> Self;
    /// The larger of both; `other` where either is NaN or both are zero.
    fn max(self, other: Self) -> Self;
    /// The smaller of both; `other` where either is NaN or both are zero.
    fn min(self, other: Self) -> Self;
    /// The bits that are set in both.
    fn and(self, other: Self) -> Self;
    /// The bits of `self` that are not set in `mask`.
    fn and_not(self, mask: Self) -> Self;
    /// The bits that are set in either.
    fn or(self, other: Self) -> Self;
    /// The mask of the lanes in which `self` is greater than `other`; not set for NaN.
    fn is_more(self, other: Self) -> Self;
    /// The mask of the lanes in which all bits are equal.
    fn is_same(self, other: Self) -> Self;
    /// [`round_i32`] of each lane, stored as the bits of the lane.
    fn round_i32(self) -> Self;
    /// Wrapping subtraction of the lanes as 32-bit integers. Subtracting a mask, whose set lanes are -1, adds 1.
    fn sub_whole(self, other: Self) -> Self;
    /// Whether any lane of a mask is set.
    fn is_any(self) -> bool;
    /// Whether all lanes of a mask are set.
    #[inline(always)]
    fn is_every(self) -> bool {
        self.bits() == (1 << Self::WIDTH) - 1
    }
    /// The lanes of a mask as bits; the first lane is the lowest bit.
    fn bits(self) -> u32;
    /// The largest lane. No lane may be NaN; the sign of a zero is unspecified.
    fn reduce_max(self) -> f32;
    /// The values of the lanes, then zeros.
    fn to_array(self) -> [f32; LANES];

    /// [`WIDTH`](Self::WIDTH) entries of a slice from index `at` on.
    #[inline(always)]
    fn read(entries: &[f32], at: usize) -> Self {
        let mut values = [0.0; LANES];
        values[..Self::WIDTH].copy_from_slice(&entries[at..at + Self::WIDTH]);
        Self::load(&values)
    }

    /// Writes the lanes to a slice from index `at` on.
    #[inline(always)]
    fn write(self, entries: &mut [f32], at: usize) {
        entries[at..at + Self::WIDTH].copy_from_slice(&self.to_array()[..Self::WIDTH]);
    }

    /// The mask with all lanes set.
    #[inline(always)]
    fn every() -> Self {
        Self::splat(f32::from_bits(u32::MAX))
    }

    /// The mask with the first `count` lanes set.
    #[inline(always)]
    fn first(count: usize) -> Self {
        Self::splat(count as f32).is_more(Self::load(&LANE))
    }

    /// The lanes of `set` where this mask is set, else those of `unset`.
    #[inline(always)]
    fn select(self, set: Self, unset: Self) -> Self {
        set.and(self).or(unset.and_not(self))
    }

    /// Runs a part. This default inlines it; AVX2 and scalar lanes run it in a function of its own.
    #[inline(always)]
    fn apart<P: Part<Self>>(part: P) -> P::Output {
        part.run()
    }
}

/// The nearest integer, and the even one of two that are equally near. Unspecified beyond the range of `i32` and for
/// NaN.
#[inline(always)]
pub(crate) fn round_i32(number: f32) -> i32 {
    number.round_ties_even() as i32
}

/// Eight lanes of `f32`, with operations that move values between lanes.
pub(crate) trait SimdF32x8: SimdF32 {
    /// Transposes eight rows into eight columns.
    fn transpose(rows: [Self; LANES]) -> [Self; LANES];
    /// The lanes whose bits are set among the lowest eight of `which`, moved to the front in their order. The lanes
    /// behind them are unspecified.
    #[inline(always)]
    fn compress(self, which: u32) -> Self {
        let (lanes, mut packed, mut count) = (self.to_array(), [0.0; LANES], 0);
        for (lane, &value) in lanes.iter().enumerate() {
            // Branchless: the bits are unpredictable.
            packed[count % LANES] = value;
            count += (which >> lane & 1) as usize;
        }
        Self::load(&packed)
    }
}

/// Columns of equal length, of which one or eight entries are read after a single bounds check.
#[derive(Copy, Clone)]
pub(crate) struct Table<'a, const N: usize> {
    len: usize,
    columns: [&'a [f32]; N],
}

impl<'a, const N: usize> Table<'a, N> {
    /// # Panics
    ///
    /// If the columns differ in length.
    pub(crate) fn new(columns: [&'a [f32]; N]) -> Self {
        let len = columns.first().map_or(0, |column| column.len());
        assert!(columns.iter().all(|column| column.len() == len), "columns are of one length");
        Self { len, columns }
    }

    /// The rows of a range, one after the other.
    #[inline(always)]
    pub(crate) fn rows(&self, range: Range<usize>) -> impl Iterator<Item = TableRow<'a, N>> + use<'a, N> {
        assert!(range.end <= self.len, "the entries lie within the columns");
        let columns = self.columns;
        range.map(move |at| TableRow { at, columns })
    }

    /// The rows at some indices.
    #[inline(always)]
    pub(crate) fn rows_at<'b>(&'b self, places: &'b [u32]) -> impl Iterator<Item = TableRow<'a, N>> + 'b {
        places.iter().map(|&at| self.row(at as usize))
    }

    /// One entry of each column.
    #[inline(always)]
    pub(crate) fn row(&self, at: usize) -> TableRow<'a, N> {
        assert!(at < self.len, "the entry lies within the columns");
        TableRow { at, columns: self.columns }
    }

    /// Eight consecutive entries of each column, from index `at` on.
    #[inline(always)]
    pub(crate) fn window(&self, at: usize) -> Window<'a, N> {
        assert!(at < self.len && self.len - at >= LANES, "eight entries lie within the columns");
        Window { at, columns: self.columns }
    }
}

/// Eight consecutive entries of each column of a [`Table`].
#[derive(Copy, Clone)]
pub(crate) struct Window<'a, const N: usize> {
    at: usize,
    columns: [&'a [f32]; N],
}

impl<const N: usize> Window<'_, N> {
    /// The entries of one column.
    #[inline(always)]
    pub(crate) fn lanes<L: SimdF32>(&self, column: usize) -> L {
        // SAFETY: a window is made only by a table, which checked that every column has eight entries from `at` on.
        L::load(unsafe { &*self.columns[column].as_ptr().add(self.at).cast() })
    }
}

/// One entry of each column of a [`Table`].
#[derive(Copy, Clone)]
pub(crate) struct TableRow<'a, const N: usize> {
    /// The index of the row in the table.
    pub(crate) at: usize,
    columns: [&'a [f32]; N],
}

impl<const N: usize> TableRow<'_, N> {
    /// The entry of one column, in every lane.
    #[inline(always)]
    pub(crate) fn splat<L: SimdF32>(&self, column: usize) -> L {
        // SAFETY: a row is made only by a table, which checked that the entry lies in every column.
        L::splat(unsafe { *self.columns[column].get_unchecked(self.at) })
    }
}

#[cfg(test)]
mod tests;
