//! The shapes of a set that are near a straight path.

use glam::{IVec2, Vec3};

use super::{Obstacles, Solid, Span};
use crate::steer::obstacle::LayerMask;

impl Obstacles {
    /// The shapes on some layers that may be within `reach` of a straight path, each once, in an order that
    /// depends on nothing but the set and the query.
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
        // Fast path: most worlds have no shapes.
        if self.solids.is_empty() {
            return near;
        }
        let ground = self.ground();
        let (a, b) = (ground.project(from), ground.project(to));
        let reach = reach * self.lean;
        let (low, high) = (a.min(b) - reach, a.max(b) + reach);
        if low.cmple(self.far).all() && high.cmpge(self.corner).all() {
            near.span = self.span(low, high);
            near.cell = near.span.min;
            let size = near.span.max - near.span.min + 1;
            // Testing the range of a shape is cheaper than visiting a cell: for a large rectangle go through all
            // shapes.
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

/// Iterates either over all shapes, or over the cells of a rectangle and the shapes in them.
pub(crate) struct NearObstacles<'a> {
    set: &'a Obstacles,
    span: Span,
    mask: LayerMask,
    /// The shapes still to visit, if all are visited.
    all: std::slice::Iter<'a, Span>,
    /// The shapes still to visit in the present cell, and that cell.
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
                // A shape in several of the cells is returned in the first of them only.
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
