//! Eight numbers at a time, by the widest instructions that the processor has, with the same result from
//! each, bit for bit.
//!
//! A batched pass is written once, over `SimdF32x8`, and compiled once for each [`Simd`]; a `Batch`, over
//! `SimdF32`, takes one at a time where there are no instructions for more. Each lane is one member, so that
//! every sum is made in the order of its terms; and nothing fuses a multiplication with an addition or takes
//! an approximate reciprocal. So it never shows in a result which instructions ran.
//!
//! The only unsafe code of the crate is here and in the rooms of this module, for three things: calling a
//! pass compiled for instructions that the processor was found to have, calling those instructions, and
//! reading eight numbers of each of several arrays, or of a body, after one look at their length.
#![expect(unsafe_code, reason = "instructions of the processor, called after it was found to have them")]

use std::ops::Range;

// Eight numbers by different instructions, and one.
mod one;
mod scalar;
#[cfg(target_arch = "x86_64")]
mod x86;

// Vectors lane by lane, and bodies as rows.
mod rows;
mod vectors;

pub(crate) use rows::BodyRows;
pub(crate) use vectors::{Vectors, share};

/// Which instructions a batched pass uses. None changes a result.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Simd {
    /// One number at a time, on every processor.
    Scalar,
    /// Four at a time: every x86-64 processor.
    Sse2,
    /// Eight at a time: x86-64 processors since 2013 or so.
    Avx2,
}

impl Simd {
    /// From the narrowest to the widest.
    pub const ALL: [Self; 3] = [Self::Scalar, Self::Sse2, Self::Avx2];

    /// The widest that this processor has.
    #[must_use]
    pub fn widest() -> Self {
        Self::ALL.into_iter().rfind(|simd| simd.is_available()).unwrap_or(Self::Scalar)
    }

    /// Whether this processor has it. A pass that is told to use what is not available uses
    /// [`Scalar`](Self::Scalar).
    #[must_use]
    pub fn is_available(self) -> bool {
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

    /// Runs a pass with these instructions.
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
            _ => pass.run::<scalar::Scalar>(),
        }
    }

    /// The same with eight numbers at a time, or one without instructions for more.
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
            _ => batch.run::<one::One>(),
        }
    }
}

impl Default for Simd {
    fn default() -> Self {
        Self::widest()
    }
}

/// Work that is compiled for each instruction set.
pub(crate) trait Pass {
    type Output;

    /// Does the work. To be marked `#[inline(always)]`, as is all that it calls with [`SimdF32x8`]: what is
    /// not inlined is compiled for the narrowest instructions, unless it is a [`Part`].
    fn run<L: SimdF32x8>(self) -> Self::Output;
}

/// The same for work that takes eight numbers at a time, or one without instructions for more.
pub(crate) trait Batch {
    type Output;

    /// Does the work; as [`Pass::run`].
    fn run<L: SimdF32>(self) -> Self::Output;
}

/// A part of such work with its own registers: a function for each instruction set, by [`SimdF32::apart`].
pub(crate) trait Part<L> {
    type Output;

    /// Does the work; as [`Pass::run`].
    fn run(self) -> Self::Output;
}

/// How many lanes there are at most.
pub(crate) const LANES: usize = 8;

/// Tells the processor that an entry will be read soon.
#[inline(always)]
pub(crate) fn prefetch<T>(entries: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(entry) = entries.get(at) {
        x86::prefetch(entry);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (entries, at);
}

/// The number of each.
pub(crate) static LANE: [f32; LANES] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];

/// [`WIDTH`](Self::WIDTH) numbers. A mask is as many numbers, each with all bits set or none.
pub(crate) trait SimdF32: Copy {
    /// How many there are.
    const WIDTH: usize;

    fn splat(value: f32) -> Self;
    /// As many of the first values as there are lanes.
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
    /// The bits that both have.
    fn and(self, other: Self) -> Self;
    /// The bits of `self` that `mask` has not.
    fn and_not(self, mask: Self) -> Self;
    /// The bits that either has.
    fn or(self, other: Self) -> Self;
    /// Where this is more.
    fn is_more(self, other: Self) -> Self;
    /// Where all bits are the same.
    fn is_same(self, other: Self) -> Self;
    /// [`round_i32`] of each, kept in bits.
    fn round_i32(self) -> Self;
    /// Whole numbers, kept in bits, less others, wrapping: one more where a mask is set.
    fn sub_whole(self, other: Self) -> Self;
    /// Whether a mask has any lane.
    fn is_any(self) -> bool;
    /// Whether a mask has all lanes.
    #[inline(always)]
    fn is_every(self) -> bool {
        self.bits() == (1 << Self::WIDTH) - 1
    }
    /// The lanes of a mask as bits, the first the lowest.
    fn bits(self) -> u32;
    /// The largest of all, none of which may be NaN; of zeros, either.
    fn reduce_max(self) -> f32;
    /// The lanes' numbers first; beyond them zeros.
    fn to_array(self) -> [f32; LANES];

    /// As many entries as there are lanes, from one on.
    #[inline(always)]
    fn read(entries: &[f32], at: usize) -> Self {
        let mut values = [0.0; LANES];
        values[..Self::WIDTH].copy_from_slice(&entries[at..at + Self::WIDTH]);
        Self::load(&values)
    }

    /// Puts the lanes there.
    #[inline(always)]
    fn write(self, entries: &mut [f32], at: usize) {
        entries[at..at + Self::WIDTH].copy_from_slice(&self.to_array()[..Self::WIDTH]);
    }

    /// A mask of all lanes.
    #[inline(always)]
    fn every() -> Self {
        Self::splat(f32::from_bits(u32::MAX))
    }

    /// A mask of the first few lanes.
    #[inline(always)]
    fn first(count: usize) -> Self {
        Self::splat(count as f32).is_more(Self::load(&LANE))
    }

    /// Of two numbers, the first where the mask is set.
    #[inline(always)]
    fn select(self, set: Self, unset: Self) -> Self {
        set.and(self).or(unset.and_not(self))
    }

    /// Does the work of a part in a function of its own.
    #[inline(always)]
    fn apart<P: Part<Self>>(part: P) -> P::Output {
        part.run()
    }
}

/// The nearest whole number, of two the even one. Beyond ±2²², and of NaN, nobody's promise.
#[inline(always)]
pub(crate) fn round_i32(number: f32) -> i32 {
    // So large that the last bit stands for 1: the sum is rounded as wished.
    const LARGE: f32 = 12_582_912.0;
    (number + LARGE).to_bits().wrapping_sub(LARGE.to_bits()).cast_signed()
}

/// Eight numbers.
pub(crate) trait SimdF32x8: SimdF32 {
    /// Of eight rows, the eight columns.
    fn transpose(rows: [Self; LANES]) -> [Self; LANES];
    /// The lanes that the lowest eight bits name, moved together to the front in their order; beyond them
    /// anything.
    #[inline(always)]
    fn compress(self, which: u32) -> Self {
        let (lanes, mut packed, mut count) = (self.to_array(), [0.0; LANES], 0);
        for (lane, &value) in lanes.iter().enumerate() {
            // Without a branch, which no processor could foresee.
            packed[count % LANES] = value;
            count += (which >> lane & 1) as usize;
        }
        Self::load(&packed)
    }
}

/// Arrays of one length, read eight entries of each at a time.
#[derive(Copy, Clone)]
pub(crate) struct Table<'a, const N: usize> {
    len: usize,
    columns: [&'a [f32]; N],
}

impl<'a, const N: usize> Table<'a, N> {
    /// # Panics
    ///
    /// Where the arrays are not of one length.
    pub(crate) fn new(columns: [&'a [f32]; N]) -> Self {
        let len = columns.first().map_or(0, |column| column.len());
        assert!(columns.iter().all(|column| column.len() == len), "columns are of one length");
        Self { len, columns }
    }

    /// Single entries of each array, one after the other.
    #[inline(always)]
    pub(crate) fn rows(&self, range: Range<usize>) -> Rows<'a, N> {
        assert!(range.end <= self.len, "the entries lie within the columns");
        Rows { range, columns: self.columns }
    }

    /// Those at certain places.
    #[inline(always)]
    pub(crate) fn rows_at<'b>(&'b self, places: &'b [u32]) -> impl Iterator<Item = Row<'a, N>> + 'b {
        places.iter().map(|&at| self.row(at as usize))
    }

    /// A single entry of each array.
    #[inline(always)]
    pub(crate) fn row(&self, at: usize) -> Row<'a, N> {
        assert!(at < self.len, "the entry lies within the columns");
        Row { at, columns: self.columns }
    }

    /// Eight entries of each array.
    #[inline(always)]
    pub(crate) fn window(&self, at: usize) -> Window<'a, N> {
        assert!(at < self.len && self.len - at >= LANES, "eight entries lie within the columns");
        Window { at, columns: self.columns }
    }
}

/// Eight entries of several arrays.
#[derive(Copy, Clone)]
pub(crate) struct Window<'a, const N: usize> {
    at: usize,
    columns: [&'a [f32]; N],
}

impl<const N: usize> Window<'_, N> {
    /// Those of one array.
    #[inline(always)]
    pub(crate) fn lanes<L: SimdF32>(&self, column: usize) -> L {
        // SAFETY: windows are made by a table, which saw that eight entries from `at` on lie in every column.
        L::load(unsafe { &*self.columns[column].as_ptr().add(self.at).cast() })
    }
}

/// Entries of several arrays that all have.
pub(crate) struct Rows<'a, const N: usize> {
    range: Range<usize>,
    columns: [&'a [f32]; N],
}

impl<'a, const N: usize> Iterator for Rows<'a, N> {
    type Item = Row<'a, N>;

    #[inline(always)]
    fn next(&mut self) -> Option<Row<'a, N>> {
        if self.range.start >= self.range.end {
            return None;
        }
        let at = self.range.start;
        self.range.start += 1;
        Some(Row { at, columns: self.columns })
    }
}

/// One entry of several arrays.
#[derive(Copy, Clone)]
pub(crate) struct Row<'a, const N: usize> {
    at: usize,
    columns: [&'a [f32]; N],
}

impl<const N: usize> Row<'_, N> {
    /// Where it is.
    #[inline(always)]
    pub(crate) fn slot(&self) -> usize {
        self.at
    }

    /// That of one array, in every lane.
    #[inline(always)]
    pub(crate) fn splat<L: SimdF32>(&self, column: usize) -> L {
        // SAFETY: rows are made by a table, which saw that the entry lies in every column.
        L::splat(unsafe { *self.columns[column].get_unchecked(self.at) })
    }
}

#[cfg(test)]
mod tests;
