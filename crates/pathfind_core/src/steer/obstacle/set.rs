//! A set of obstacles in a coarse grid, for fast queries.

use glam::{IVec2, Vec2};

use super::Shape;
use super::shape::Solid;
use crate::steer::MovementPlane;

// Queries.
mod near_obstacles;
mod probe;

/// A set of shapes, sorted into the cells of a coarse grid seen from above: a query tests only the shapes in cells
/// near its path, so that hundreds of shapes cost little more than a few.
///
/// In a plane a shape has the same cross-section at every height, that at its centre. A moving shape is hit where it
/// will be by then; hits after the set's horizon may be missed.
#[derive(Clone, Debug, Default)]
pub struct Obstacles {
    plane: Option<MovementPlane>,
    solids: Vec<Solid>,
    /// The cells that each shape touches within the horizon.
    ranges: Vec<Span>,
    /// Two opposite corners of the bounds of all shapes.
    corner: Vec2,
    far: Vec2,
    /// The largest [`lean`](Solid::lean) of the shapes, a factor on distances.
    lean: f32,
    /// Cells per unit of length.
    density: f32,
    size: IVec2,
    /// Start of each cell's shapes in `sorted`, and the end of the last cell's.
    starts: Vec<u32>,
    sorted: Vec<u32>,
}

/// Number of cells per shape: fewer cells hold more shapes that are not near; more cells have to be visited along
/// a path.
const CELLS_PER_SHAPE: f32 = 4.0;

/// Least number of cells.
const CELLS: f32 = 256.0;

/// How many shapes may overlap on average before cells get larger: each shape is listed in every cell that it
/// touches.
const LAYERS: f32 = 32.0;

/// A rectangle of the coarse grid's cells, both corners included.
#[derive(Copy, Clone, Debug, Default)]
struct Span {
    min: IVec2,
    max: IVec2,
}

impl Obstacles {
    /// An empty set: in a plane of movement, or in space.
    #[must_use]
    pub fn new(plane: Option<MovementPlane>) -> Self {
        Self { plane, ..Self::default() }
    }

    /// Replaces all shapes. Shapes that are not [valid](Shape::is_valid) are left out. The horizon, in seconds, is
    /// how far ahead moving shapes can be hit.
    pub fn rebuild(&mut self, shapes: impl IntoIterator<Item = Shape>, horizon: f32) {
        let up = self.plane.map(|plane| plane.up());
        let solid = |shape| Solid::new(shape, up);
        self.solids.clear();
        self.solids.extend(shapes.into_iter().filter(Shape::is_valid).map(solid));
        let horizon = if horizon.is_finite() { horizon.max(0.0) } else { 0.0 };
        let ground = self.ground();
        let bounds = |solid: &Solid| {
            let Shape { position, velocity, .. } = *solid.shape();
            let a = ground.project(position);
            let b = a + ground.project(velocity) * horizon;
            (a.min(b) - solid.reach(), a.max(b) + solid.reach())
        };
        let area = |(low, high): (Vec2, Vec2)| (high - low).element_product();
        let all = self.solids.iter().map(bounds).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        let (low, high) = all.unwrap_or_default();
        let (extent, count) = (high - low, self.solids.len() as f32);
        let covered: f32 = self.solids.iter().map(bounds).map(area).sum();
        let cells = (CELLS_PER_SHAPE * count).max(CELLS);
        // At most 1024 cells to a side.
        let area = area((low, high)).max(covered / LAYERS) / cells;
        let cell = area.sqrt().max(extent.max_element() / 1024.0).max(1e-3);
        self.density = 1.0 / cell;
        (self.corner, self.far) = (low, high);
        self.lean = self.solids.iter().map(Solid::lean).fold(1.0, f32::max);
        self.size = (extent * self.density).as_ivec2().min(IVec2::splat(1023)) + 1;
        self.ranges.clear();
        for solid in &self.solids {
            let (low, high) = bounds(solid);
            self.ranges.push(self.span(low, high));
        }
        self.sort();
    }

    /// The shapes, as they were given.
    #[must_use]
    pub fn shapes(&self) -> impl ExactSizeIterator<Item = &Shape> {
        self.solids.iter().map(Solid::shape)
    }

    /// The plane of movement; `None` in space.
    #[must_use]
    pub const fn plane(&self) -> Option<MovementPlane> {
        self.plane
    }

    /// The plane of the coarse grid, which is seen from above; in space any plane serves.
    fn ground(&self) -> MovementPlane {
        self.plane.unwrap_or(MovementPlane::XZ)
    }

    /// Sorts the shapes by the cells that they touch, by counting sort.
    fn sort(&mut self) {
        let cells = (self.size.x * self.size.y) as usize;
        self.starts.clear();
        self.starts.resize(cells + 2, 0);
        // Each cell's count is kept two entries beyond the cell.
        for span in &self.ranges {
            span.cells().for_each(|cell| self.starts[index(self.size, cell) + 2] += 1);
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.sorted.clear();
        self.sorted.resize(sum as usize, 0);
        for (shape, span) in (0..).zip(&self.ranges) {
            for cell in span.cells() {
                // One entry beyond the cell is its next free slot; in the end it is the start of the next cell.
                let slot = &mut self.starts[index(self.size, cell) + 1];
                self.sorted[*slot as usize] = shape;
                *slot += 1;
            }
        }
    }

    /// The cells that a rectangle touches, clamped to the grid.
    fn span(&self, low: Vec2, high: Vec2) -> Span {
        // `as_ivec2` rounds towards zero, so points just before the first cell fall into it.
        let cell = |point: Vec2| ((point - self.corner) * self.density).as_ivec2();
        Span {
            min: cell(low).clamp(IVec2::ZERO, self.size - 1),
            max: cell(high).clamp(IVec2::ZERO, self.size - 1),
        }
    }

    /// The shapes that touch a cell, as indices of `solids`.
    #[inline]
    fn held(&self, cell: IVec2) -> &[u32] {
        let at = index(self.size, cell);
        &self.sorted[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

impl Span {
    fn meets(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    fn cells(self) -> impl Iterator<Item = IVec2> {
        (self.min.y..=self.max.y).flat_map(move |y| (self.min.x..=self.max.x).map(move |x| IVec2::new(x, y)))
    }
}

fn index(size: IVec2, cell: IVec2) -> usize {
    (cell.y * size.x + cell.x) as usize
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};
    use proptest::prelude::*;

    use super::*;
    use crate::steer::obstacle::{Cast, LayerMask, ObstacleProbe};

    fn vector(range: f32) -> impl Strategy<Value = Vec3> {
        [-range..range, -range..range, -range..range].prop_map(Vec3::from)
    }

    fn shape() -> impl Strategy<Value = Shape> {
        (any::<bool>(), vector(20.0), vector(2.0), vector(3.0), vector(3.0)).prop_map(
            |(round, position, size, turn, velocity)| {
                let shape = if round {
                    Shape::sphere(position, size.x.abs())
                } else {
                    Shape::cuboid(position, size.abs())
                };
                shape.with_rotation(Quat::from_scaled_axis(turn)).with_velocity(velocity)
            },
        )
    }

    proptest! {
        #[test]
        fn a_sweep_finds_what_asking_each_one_finds(
            shapes in prop::collection::vec(shape(), 0..60), origin in vector(25.0), towards in vector(1.0),
            radius in 0.0f32..2.0, max in 0.0f32..40.0, speed in 20.0f32..40.0, planar in any::<bool>(),
        ) {
            prop_assume!(towards.length() > 0.1);
            let plane = planar.then_some(MovementPlane::XY);
            let direction = towards.normalize();
            let set = Obstacles::of(plane, shapes.iter().copied(), 2.0);
            let cast = Cast::new(origin, direction, radius, max).with_speed(speed);
            let displacement = direction * max;
            let each = shapes.iter().filter_map(|shape| {
                let along = displacement - shape.velocity * (max / speed);
                let met = Solid::new(*shape, plane.map(|plane| plane.up())).meets(origin - shape.position, along, radius);
                met.map(|(at, _)| at as f32 * max)
            });
            let nearest = each.fold(f32::INFINITY, f32::min);
            let found = set.sweep(&cast).map_or(f32::INFINITY, |hit| hit.distance);
            prop_assert_eq!(found, nearest);
            let mut among_few = None;
            set.within(origin, max + radius, LayerMask::ALL, &mut |few| among_few = few.sweep(&cast));
            prop_assert_eq!(among_few.map_or(f32::INFINITY, |hit| hit.distance), nearest);
        }
    }

    proptest! {
        #[test]
        fn points_near_a_shape_find_it(
            shapes in prop::collection::vec(shape(), 0..60), at in vector(25.0), reach in 0.0f32..12.0,
            planar in any::<bool>(),
        ) {
            let plane = planar.then_some(MovementPlane::XY);
            let up = plane.map(|plane| plane.up());
            let set = Obstacles::of(plane, shapes.iter().copied(), 0.0);
            let is_near = |shape: &&Shape| {
                Solid::new(**shape, up).gap(at - shape.position, reach).is_some_and(|(gap, _)| gap > 0.0)
            };
            let near = shapes.iter().filter(is_near).count();
            prop_assert_eq!(set.nearest_points(at, reach, LayerMask::ALL).count(), near);
        }
    }

    #[test]
    fn a_box_that_leans_is_found_from_where_its_column_comes_near() {
        let leaning = Shape::cuboid(Vec3::ZERO, Vec3::splat(0.1)).with_rotation(Quat::from_rotation_x(0.7));
        let set = Obstacles::of(Some(MovementPlane::XY), [leaning], 0.0);
        let at = Vec3::Y * 2.5;
        assert_eq!(set.nearest_points(at, 2.0, LayerMask::ALL).count(), 1, "less than 2.0 across its sides");
        assert_eq!(set.nearest_points(at, 1.5, LayerMask::ALL).count(), 0, "and more than 1.5");
    }

    #[test]
    fn a_heap_on_one_spot_is_noted_in_few_cells() {
        let mut set = Obstacles::new(Some(MovementPlane::XY));
        for count in [1, 30, 3_000] {
            set.rebuild((0..count).map(|_| Shape::sphere(Vec3::ZERO, 1.0)), 0.0);
            let noted = set.sorted.len();
            assert!(noted <= 300 * count, "{count} shapes are noted {noted} times");
            assert_eq!(set.nearest_points(Vec3::X * 2.0, 1.5, LayerMask::ALL).count(), count);
        }
    }

    #[test]
    fn layers_hide_and_moving_shapes_are_met_where_they_will_be() {
        let mut set = Obstacles::new(Some(MovementPlane::XZ));
        let crossing =
            Shape::sphere(Vec3::new(5.0, 0.0, 5.0), 1.0).with_velocity(Vec3::NEG_Z * 5.0).with_who(7);
        set.rebuild([crossing.with_layers(LayerMask::layer(2))], 3.0);
        let cast = Cast::new(Vec3::ZERO, Vec3::X, 0.5, 10.0).with_speed(5.0);
        assert_eq!(set.sweep(&cast).map(|hit| hit.who), Some(7), "both come to the crossing after a second");
        assert_eq!(
            set.sweep(&cast.with_speed(0.0)),
            None,
            "at speed 0 shapes count as standing still, and the path is free"
        );
        assert_eq!(set.sweep(&cast.with_mask(LayerMask::layer(1))), None, "another layer is not seen");
    }

    #[test]
    fn what_is_no_number_is_no_obstacle_and_hits_none() {
        let mut set = Obstacles::new(None);
        let bad = [Shape::sphere(Vec3::NAN, 1.0), Shape::sphere(Vec3::ZERO, -1.0)];
        set.rebuild(bad, f32::NAN);
        assert_eq!(set.shapes().len(), 0);
        set.rebuild([Shape::sphere(Vec3::ZERO, 1.0)], 1.0);
        for cast in [
            Cast::new(Vec3::NAN, Vec3::X, 1.0, 1.0),
            Cast::new(Vec3::X * 5.0, Vec3::ZERO, 1.0, 9.0),
            Cast::new(Vec3::X * 5.0, Vec3::NEG_X, -1.0, 9.0),
            Cast::new(Vec3::X * 5.0, Vec3::NEG_X, 1.0, f32::INFINITY),
        ] {
            assert_eq!(set.sweep(&cast), None, "{cast:?}");
        }
    }
}
