//! Cells of several sizes, for bodies of very different radii. In cells for the widest body there would be too many of
//! the narrow ones.

use std::ops::Range;

use glam::Vec3;

use super::cell_grid::CellGrid;
use super::extent::{bounds, bounds_of_most};
use super::{NOWHERE, Neighbors};
use crate::body::Body;

/// The cells of bodies that differ in radius by less than a factor of 4.
#[derive(Copy, Clone, Debug)]
pub(super) struct RadiusLevel {
    cell_grid: CellGrid,
    /// The number of cells of the levels before this one.
    first: usize,
    /// The radius of its widest body.
    widest: f32,
}

/// The most levels: the last holds all bodies that are narrower than the widest by a factor of 4¹⁵.
const LEVELS: usize = 16;

/// How many times a radius can be multiplied by 4 without becoming greater than the widest.
fn level(radius: f32, widest: f32) -> usize {
    let ratio = widest / radius.max(0.0);
    (ratio.to_bits().saturating_sub(1.0_f32.to_bits()) >> 24).min(LEVELS as u32 - 1) as usize
}

impl Neighbors {
    /// Whether bodies are in cells by their radius.
    pub(super) const fn has_levels(&self) -> bool {
        !self.levels.is_empty()
    }

    /// The radius of the widest body in the smallest cells; `widest` if all cells have one size.
    pub(crate) fn narrowest(&self, widest: f32) -> f32 {
        self.levels.iter().map(|level| level.widest).filter(|&radius| radius > 0.0).fold(widest, f32::min)
    }

    /// Visits ranges of slots that together hold every body within reach of a place (in the grid's axes), and some
    /// farther bodies. `reach` is the reach for bodies of a radius; `widest` is the greatest radius.
    #[inline]
    pub(crate) fn for_each_range_by_radius(
        &self,
        at: Vec3,
        widest: f32,
        reach: impl Fn(f32) -> f32,
        mut visit: impl FnMut(Range<usize>),
    ) {
        if self.has_levels() {
            self.for_each_level_range((at, at), reach, |range, _| visit(range));
        } else {
            self.for_each_range(at, reach(widest), visit);
        }
    }

    /// [`for_each_range_by_radius`](Self::for_each_range_by_radius) of a box, with the radius of the widest body of
    /// each range.
    #[inline(always)]
    pub(super) fn for_each_level_range(
        &self,
        (low, high): (Vec3, Vec3),
        reach: impl Fn(f32) -> f32,
        mut visit: impl FnMut(Range<usize>, f32),
    ) {
        for &RadiusLevel { cell_grid, first, widest } in &self.levels {
            cell_grid.for_each_run(low, high, reach(widest), |cells| {
                self.visit(&(cells.start + first..cells.end + first), &mut |range| visit(range, widest));
            });
        }
    }

    /// Counts the bodies of each cell anew, in cells by their radius, if radii differ by a factor of 4 or more.
    #[cold]
    pub(super) fn count_by_radius(&mut self, bodies: &[Body]) {
        let places = || bodies.iter().zip(&self.slots).filter(|(_, slot)| **slot != NOWHERE);
        let widest = places().map(|(body, _)| body.radius).fold(0.0, f32::max);
        let mut found = [(0.0_f32, 0); LEVELS];
        for (body, _) in places() {
            let (radius, count) = &mut found[level(body.radius, widest)];
            (*radius, *count) = (radius.max(body.radius), *count + 1);
        }
        if found.iter().filter(|(_, count)| *count > 0).count() < 2 {
            return;
        }
        let (mut first, mut of) = (0, [0; LEVELS]);
        for (index, &(radius, count)) in found.iter().enumerate().filter(|(_, (_, count))| *count > 0) {
            let of_level = |(body, _): &(&Body, _)| level(body.radius, widest) == index;
            let places = places().filter(of_level).map(|(body, _)| self.axes.grid(body.position));
            let all = places.clone().fold([Vec3::INFINITY, Vec3::NEG_INFINITY], bounds);
            let [low, high] = bounds_of_most(places.clone(), count, 2.0 * radius, all);
            let mut cell_grid = CellGrid::new(low, high, 2.0 * radius, count);
            if cell_grid.is_shared() {
                let coarse = cell_grid.without_sharing(high, count);
                self.starts.clear();
                self.starts.resize(coarse.len(), 0);
                places.for_each(|place| self.starts[coarse.cell(place)] += 1);
                cell_grid = if self.is_clustered(count) { cell_grid } else { coarse };
            }
            let cell_grid = cell_grid.with_bodies_outside();
            of[index] = self.levels.len();
            self.levels.push(RadiusLevel { cell_grid, first, widest: radius });
            first += cell_grid.len();
            // In the end that of the narrowest, as blocks of members are to be no wider than its reach.
            self.cell_grid = cell_grid;
        }
        self.starts.clear();
        self.starts.resize(first + 2, 0);
        self.fullest = 0;
        for (body, slot) in bodies.iter().zip(&mut self.slots).filter(|(_, slot)| **slot != NOWHERE) {
            let RadiusLevel { cell_grid, first, .. } = self.levels[of[level(body.radius, widest)]];
            let cell = first + cell_grid.cell(self.axes.grid(body.position));
            let held = &mut self.starts[cell + 2];
            *held += 1;
            self.fullest = self.fullest.max(*held);
            *slot = cell as u32;
        }
    }
}
