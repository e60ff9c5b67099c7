//! Queries of the bodies near a place.

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
        out.clear();
        if count > 0 && radius >= 0.0 {
            self.search(radius, &mut |neighbors, radius| {
                out.clear();
                neighbors.note_nearest(center, radius, count, skip, out);
                out.len() == count
            });
        }
    }

    /// [`nearest`](Self::nearest), with this index alone.
    fn note_nearest(
        &self,
        center: Vec3,
        radius: f32,
        count: usize,
        skip: Option<usize>,
        out: &mut Vec<Neighbor>,
    ) {
        let skip = skip.unwrap_or(usize::MAX);
        let at = self.axes.grid(center);
        let mut within = radius * radius;
        self.for_each_range(at, radius, |range| {
            for slot in range {
                // Bodies at one position are in the order of their indices: none that follows is before these.
                if within == 0.0 && out.len() == count {
                    break;
                }
                #[cfg(test)]
                crate::testing::count(1);
                let offset = self.columns.position(slot) - at;
                let distance_squared = offset.length_squared();
                if distance_squared > within {
                    continue;
                }
                let index = self.order[slot] as usize;
                if index == skip {
                    continue;
                }
                let near = Neighbor { index, offset: self.axes.world(offset), distance_squared };
                let place = out.iter().rposition(|other| other.is_before(&near)).map_or(0, |last| last + 1);
                if place == count {
                    continue;
                }
                if out.len() == count {
                    out.pop();
                }
                out.insert(place, near);
                if out.len() == count {
                    within = out[count - 1].distance_squared;
                }
            }
        });
    }
}

impl Neighbor {
    fn is_before(&self, other: &Self) -> bool {
        (self.distance_squared, self.index) < (other.distance_squared, other.index)
    }
}
