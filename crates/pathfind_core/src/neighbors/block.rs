//! Groups of members at consecutive slots that a batched pass computes together, one in each SIMD lane. A member is a
//! body for which the pass computes a result.

use std::ops::{Deref, Range};

use glam::Vec3;

use super::{Columns, Neighbors, RangeList, Span};
use crate::simd::{SimdF32, Table, TableRow, Vectors};

/// Members at consecutive slots, at most one for each lane.
#[derive(Copy, Clone)]
pub(crate) struct Slots<'a> {
    pub(crate) neighbors: &'a Neighbors,
    /// The [`Columns::table`] of the neighbours.
    pub(crate) table: &'a Table<'a, 7>,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Slots<'_> {
    /// The number of members.
    pub(crate) fn len(&self) -> usize {
        self.end - self.start
    }

    /// Whether any member is among a range of slots.
    #[inline(always)]
    pub(crate) fn meets(&self, slots: &Span) -> bool {
        (slots.start as usize) < self.end && self.start < slots.end as usize
    }

    /// The positions of the members, in the world's axes.
    #[inline(always)]
    pub(crate) fn position<L: SimdF32>(&self) -> Vectors<L> {
        self.column(Columns::POSITION)
    }

    /// The velocities of the members, in the world's axes.
    #[inline(always)]
    pub(crate) fn velocity<L: SimdF32>(&self) -> Vectors<L> {
        self.column(Columns::VELOCITY)
    }

    #[inline(always)]
    fn column<L: SimdF32>(&self, first: usize) -> Vectors<L> {
        Vectors(self.neighbors.axes.world_of(self.along(first)))
    }

    /// The positions or the velocities of the members along the grid's first axes, from column `first` on.
    #[inline(always)]
    pub(crate) fn along<L: SimdF32, const AXES: usize>(&self, first: usize) -> [L; AXES] {
        let (window, mut along) = (self.table.window(self.start), [L::splat(0.0); AXES]);
        for (axis, along) in along.iter_mut().enumerate() {
            *along = window.lanes(first + axis);
        }
        along
    }
}

/// [`Slots`] whose members are close together, so that they can share one list of candidates.
#[derive(Copy, Clone)]
pub(crate) struct Block<'a> {
    slots: Slots<'a>,
    /// The bounding box of the members, in the grid's axes.
    low: Vec3,
    high: Vec3,
}

impl<'a> Deref for Block<'a> {
    type Target = Slots<'a>;

    #[inline(always)]
    fn deref(&self) -> &Slots<'a> {
        &self.slots
    }
}

impl<'a> Block<'a> {
    /// The size of a block of which each lane reads all candidates, as a part of the reach. Slots are contiguous along
    /// x, so blocks may be longer there.
    pub(crate) const LONG: Vec3 = Vec3::new(4.0, 1.0, 1.0);

    /// The first slots of a range, up to the first whose body is farther from the first body than `most`, as a part of
    /// the reach; at most one for each lane. A far body would make the list of candidates longer for all members.
    #[inline(always)]
    pub(crate) fn new<L: SimdF32>(
        neighbors: &'a Neighbors,
        table: &'a Table<'a, 7>,
        Range { start, end }: Range<usize>,
        most: Vec3,
    ) -> Self {
        let zero = L::splat(0.0);
        let window = table.window(start);
        let first = neighbors.columns.position(start).to_array();
        let most = (most * neighbors.reach()).to_array();
        let axes = if neighbors.is_flat { 2 } else { 3 };
        let mut is_far = zero;
        for (axis, &first) in first.iter().enumerate().take(axes) {
            let offset = window.lanes::<L>(Columns::POSITION + axis).sub(L::splat(first));
            let most = L::splat(most[axis]);
            is_far = is_far.or(offset.is_more(most)).or(zero.sub(offset).is_more(most));
        }
        let near = !is_far.bits() & ((1 << L::WIDTH.min(end - start)) - 1);
        let count = near.trailing_ones() as usize;
        let is_in = L::first(count);
        let (mut low, mut high) = (first, first);
        for (axis, &first) in first.iter().enumerate().take(axes) {
            let places = is_in.select(window.lanes(Columns::POSITION + axis), L::splat(first));
            high[axis] = places.reduce_max();
            low[axis] = -zero.sub(places).reduce_max();
        }
        let (low, high) = (Vec3::from_array(low), Vec3::from_array(high));
        Self { slots: Slots { neighbors, table, start, end: start + count }, low, high }
    }

    /// Finds ranges of slots that hold all bodies within a radius of any member, and some farther bodies.
    #[inline(always)]
    pub(crate) fn within(&self, radius: f32, ranges: &mut RangeList) {
        ranges.clear();
        self.neighbors.for_each_range_around(self.low, self.high, radius, |range| ranges.push(range));
    }

    /// Finds ranges of slots that hold all bodies within reach of any member, and some farther bodies; each with the
    /// radius of its widest body. `reach` is the reach for bodies of a radius; `widest` is the greatest radius.
    #[inline(always)]
    pub(crate) fn candidates(&self, widest: f32, reach: impl Fn(f32) -> f32, ranges: &mut RangeList) {
        ranges.clear();
        if self.neighbors.has_levels() {
            self.level_candidates(&reach, ranges);
        } else {
            let visit = |range| ranges.push_with(range, widest);
            self.neighbors.for_each_range_around(self.low, self.high, reach(widest), visit);
        }
    }

    #[cold]
    fn level_candidates(&self, reach: &dyn Fn(f32) -> f32, ranges: &mut RangeList) {
        let visit = |range, radius| ranges.push_with(range, radius);
        self.neighbors.for_each_level_range((self.low, self.high), reach, visit);
    }

    /// Finds ranges of slots as [`within`](Self::within); or [a sample](Neighbors::for_each_sample) of the bodies, with
    /// the number of bodies that each body of a range stands for.
    #[inline(always)]
    pub(crate) fn sample(&self, radius: f32, ranges: &mut RangeList) {
        if !self.neighbors.has_packed_cells() {
            return self.within(radius, ranges);
        }
        ranges.clear();
        let visit = &mut |range, weight| ranges.push_with(range, weight);
        self.neighbors.sample_cells((self.low, self.high), radius, visit);
    }
}

impl TableRow<'_, 7> {
    /// The offset from some positions to that of the row's body, along the grid's first axes.
    #[inline(always)]
    pub(crate) fn offset_from<L: SimdF32, const AXES: usize>(&self, at: &[L; AXES]) -> [L; AXES] {
        let mut offset = [L::splat(0.0); AXES];
        for axis in 0..AXES {
            offset[axis] = self.splat::<L>(Columns::POSITION + axis).sub(at[axis]);
        }
        offset
    }
}
