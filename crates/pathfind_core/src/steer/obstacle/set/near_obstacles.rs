//! The shapes of a set that are near a straight path.

use std::slice::Iter;

use glam::{IVec2, Vec2, Vec3};

use super::{CellSpan, Level, Obstacles, PreparedShape};
use crate::steer::obstacle::LayerMask;

impl Obstacles {
    /// The shapes on some layers that may be within `reach` of a straight path, each once, in an order that
    /// depends on nothing but the set and the query; without those that have the number `except`.
    #[inline]
    pub(crate) fn near(
        &self,
        (from, to): (Vec3, Vec3),
        reach: f32,
        mask: LayerMask,
        except: Option<u64>,
    ) -> impl Iterator<Item = &PreparedShape> {
        let mut near = NearObstacles {
            set: self,
            low: Vec2::ZERO,
            high: Vec2::ZERO,
            mask,
            except,
            levels: [].iter(),
            level: None,
            span: CellSpan::default(),
            is_every: false,
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
        (near.low, near.high) = (a.min(b) - reach, a.max(b) + reach);
        if near.low.cmple(self.all.high).all() && near.high.cmpge(self.all.low).all() {
            near.levels = self.levels.iter();
        }
        near
    }
}

/// Iterates, level by level, either over all shapes, or over the cells of a rectangle and the shapes in them.
struct NearObstacles<'a> {
    set: &'a Obstacles,
    low: Vec2,
    high: Vec2,
    mask: LayerMask,
    except: Option<u64>,
    /// The levels still to visit.
    levels: Iter<'a, Level>,
    /// The present level, and the cells of the rectangle on it.
    level: Option<&'a Level>,
    span: CellSpan,
    /// Whether all shapes of the level are visited, as if they were in the last cell.
    is_every: bool,
    /// The shapes still to visit in the present cell, and that cell.
    here: Iter<'a, u32>,
    cell: IVec2,
}

impl<'a> NearObstacles<'a> {
    /// Goes on to the next level.
    fn enter(&mut self, level: &'a Level) {
        self.level = Some(level);
        self.span = level.span(self.low, self.high);
        // Testing the range of a shape is cheaper than visiting a cell: for a large rectangle go through all
        // shapes.
        self.is_every = level.shapes.len() as i64 <= 2 * self.span.count();
        (self.cell, self.here) = if self.is_every {
            (self.span.max, self.set.order[level.shapes.clone()].iter())
        } else {
            (self.span.min, self.set.held(level, self.span.min).iter())
        };
    }
}

impl<'a> Iterator for NearObstacles<'a> {
    type Item = &'a PreparedShape;

    #[inline]
    fn next(&mut self) -> Option<&'a PreparedShape> {
        loop {
            let Self { set, span, mask, except, is_every, here, cell, .. } = self;
            for &shape in here.by_ref() {
                #[cfg(test)]
                crate::testing::count(1);
                let cells = &set.ranges[shape as usize];
                // A shape in several of the cells is returned in the first of them only.
                let counts = if *is_every { span.meets(cells) } else { cells.min.max(span.min) == *cell };
                let solid = &set.solids[shape as usize];
                if counts && solid.shape.layers.meets(*mask) && Some(solid.shape.who) != *except {
                    return Some(solid);
                }
            }
            if cell.x < span.max.x {
                cell.x += 1;
            } else if cell.y < span.max.y {
                *cell = IVec2::new(span.min.x, cell.y + 1);
            } else {
                let level = self.levels.next()?;
                self.enter(level);
                continue;
            }
            if let Some(level) = self.level {
                self.here = self.set.held(level, self.cell).iter();
            }
        }
    }
}
