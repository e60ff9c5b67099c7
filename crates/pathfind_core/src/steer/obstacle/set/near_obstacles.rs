//! Which shapes of a set are near a way.

use glam::{IVec2, Vec3};

use super::{Obstacles, Solid, Span, flat};
use crate::steer::obstacle::LayerMask;

impl Obstacles {
    /// The shapes on some layers that may be near a straight way, each once, in an order that depends on
    /// nothing else.
    #[inline]
    pub(crate) fn near(&self, from: Vec3, to: Vec3, reach: f32, mask: LayerMask) -> NearObstacles<'_> {
        let mut near = NearObstacles {
            set: self,
            span: Span::default(),
            mask,
            all: [].iter(),
            cell: IVec2::ZERO,
            here: [].iter(),
        };
        // Everybody asks, and most worlds have none.
        if self.solids.is_empty() {
            return near;
        }
        let (a, b) = (flat(self.axes, from), flat(self.axes, to));
        let reach = reach * self.lean;
        let (low, high) = (a.min(b) - reach, a.max(b) + reach);
        if low.cmple(self.far).all() && high.cmpge(self.corner).all() {
            near.span = self.span(low, high);
            near.cell = near.span.min;
            let size = near.span.max - near.span.min + 1;
            // A shape is looked at sooner than a cell.
            if self.solids.len() as i32 <= 2 * size.x * size.y {
                near.all = self.ranges.iter();
                near.cell = near.span.max;
            } else {
                near.here = self.held(near.cell).iter();
            }
        }
        near
    }
}

/// Goes through all shapes, or through the cells of a rectangle and what they hold.
pub(crate) struct NearObstacles<'a> {
    set: &'a Obstacles,
    span: Span,
    mask: LayerMask,
    /// What is left of all.
    all: std::slice::Iter<'a, Span>,
    /// What is left in a cell, and which it is.
    here: std::slice::Iter<'a, u32>,
    cell: IVec2,
}

impl<'a> Iterator for NearObstacles<'a> {
    type Item = &'a Solid;

    #[inline]
    fn next(&mut self) -> Option<&'a Solid> {
        let Self { set, span, mask, all, here, cell } = self;
        while let Some(other) = all.next() {
            let solid = &set.solids[set.solids.len() - all.len() - 1];
            if span.meets(other) && solid.shape().layers.meets(*mask) {
                return Some(solid);
            }
        }
        loop {
            for &shape in here.by_ref() {
                // A shape in several of the cells counts in the first.
                let is_first = set.ranges[shape as usize].min.max(span.min) == *cell;
                let solid = &set.solids[shape as usize];
                if is_first && solid.shape().layers.meets(*mask) {
                    return Some(solid);
                }
            }
            if cell.x < span.max.x {
                cell.x += 1;
            } else if cell.y < span.max.y {
                *cell = IVec2::new(span.min.x, cell.y + 1);
            } else {
                return None;
            }
            *here = set.held(*cell).iter();
        }
    }
}
