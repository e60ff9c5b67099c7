//! Queries of the bodies near a place.

use std::ops::{Range, RangeInclusive};

use glam::Vec3;

use super::Neighbors;

/// A body found near a place.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Neighbor {
    /// The index of the body, as given to [`Neighbors::build`].
    pub index: usize,
    /// The vector from the place to the centre of the body, in world units.
    pub offset: Vec3,
    /// The squared length of `offset`.
    pub distance_squared: f32,
}

impl Neighbors {
    /// Visits every body whose centre is within a radius of a place, including a body at the place itself, in
    /// an order that depends only on the build. A negative or NaN radius finds no body; an infinite radius finds all.
    #[inline]
    pub fn for_each_near(&self, center: Vec3, radius: f32, mut visit: impl FnMut(Neighbor)) {
        let at = self.axes.grid(center);
        let within = radius * radius;
        self.for_each_range(at, radius, |range| {
            for slot in range {
                let offset = self.columns.position(slot) - at;
                let distance_squared = offset.length_squared();
                if distance_squared <= within {
                    visit(Neighbor {
                        index: self.order[slot] as usize,
                        offset: self.axes.world(offset),
                        distance_squared,
                    });
                }
            }
        });
    }

    /// Finds the nearest bodies within a radius of a place, at most `count`: nearest first, equally near bodies in the
    /// order in which they were given. The body with index `skip` is left out, usually the one at the place. `out` is
    /// cleared first.
    pub fn nearest(
        &self,
        center: Vec3,
        radius: f32,
        count: usize,
        skip: Option<usize>,
        out: &mut Vec<Neighbor>,
    ) {
        self.nearest_of(None, center, radius, (count, skip), out);
    }

    /// [`nearest`](Self::nearest) of one group, or of all.
    pub(crate) fn nearest_of(
        &self,
        group: Option<u32>,
        center: Vec3,
        radius: f32,
        (count, skip): (usize, Option<usize>),
        out: &mut Vec<Neighbor>,
    ) {
        out.clear();
        if count > 0 && radius >= 0.0 {
            let (at, skip) = (self.axes.grid(center), skip.unwrap_or(usize::MAX));
            // A wide search is made in parts: with so many near, what is farther away need not be looked at.
            let mut near = radius.min(self.reach());
            loop {
                out.clear();
                self.search(near, &mut NearestBodies { at, within: near * near, group, count, skip, out });
                if out.len() == count || near >= radius {
                    return;
                }
                // Farther out most bodies are looked at in each part.
                near = if near < 16.0 * self.reach() { (2.0 * near).min(radius) } else { radius };
            }
        }
    }
}

/// The nearest bodies that a search has found so far.
pub(super) struct NearestBodies<'a> {
    /// The place, in the grid's axes.
    pub(super) at: Vec3,
    /// The squared distance of the farthest body that may be added.
    within: f32,
    group: Option<u32>,
    count: usize,
    skip: usize,
    out: &'a mut Vec<Neighbor>,
}

impl NearestBodies<'_> {
    /// Whether a body may be added that has an index of at least `first`, this squared distance, and one of the groups.
    pub(super) fn may_be_in(&self, distance_squared: f32, first: u32, groups: &RangeInclusive<u32>) -> bool {
        let last = self.out.last().filter(|_| self.out.len() == self.count);
        let is_before =
            |last: &Neighbor| (distance_squared, first as usize) < (last.distance_squared, last.index);
        distance_squared <= self.within
            && self.group.is_none_or(|group| groups.contains(&group))
            && last.is_none_or(is_before)
    }

    /// Adds the bodies at some slots that are nearer than those found so far.
    #[inline]
    pub(super) fn look(&mut self, neighbors: &Neighbors, slots: Range<usize>) {
        #[cfg(test)]
        crate::testing::count(slots.len());
        for slot in slots {
            let offset = neighbors.columns.position(slot) - self.at;
            let distance_squared = offset.length_squared();
            if distance_squared > self.within {
                continue;
            }
            let index = neighbors.order[slot] as usize;
            let is_mate = self.group.is_none_or(|group| neighbors.columns.group(slot) == group);
            if index == self.skip || !is_mate {
                continue;
            }
            let near = Neighbor { index, offset: neighbors.axes.world(offset), distance_squared };
            let place = self.out.iter().rposition(|other| other.is_before(&near)).map_or(0, |last| last + 1);
            if place == self.count {
                continue;
            }
            if self.out.len() == self.count {
                self.out.pop();
            }
            self.out.insert(place, near);
            if self.out.len() == self.count {
                self.within = self.out[self.count - 1].distance_squared;
            }
        }
    }
}

impl Neighbor {
    fn is_before(&self, other: &Self) -> bool {
        (self.distance_squared, self.index) < (other.distance_squared, other.index)
    }
}
