//! A set of obstacles in coarse grids, for fast queries.

use super::Shape;
use super::shape::PreparedShape;
use crate::steer::MovementPlane;

mod level;

// Queries.
mod near_obstacles;
mod probe;

use level::{CellSpan, Level, PlaneBounds};

/// A set of shapes, sorted into the cells of a coarse grid seen from above: a query tests only the shapes in cells
/// near its path, so that hundreds of shapes cost little more than a few. Where many shapes would be in one cell,
/// because others are much larger, those have a grid of their own.
///
/// In a plane a shape has the same cross-section at every height, that at its centre. A moving shape is hit where it
/// will be by then; hits after the set's horizon may be missed.
#[derive(Clone, Debug, Default)]
pub struct Obstacles {
    plane: Option<MovementPlane>,
    solids: Vec<PreparedShape>,
    /// The bounds of each shape within the horizon.
    bounds: Vec<PlaneBounds>,
    /// The bounds of all shapes.
    all: PlaneBounds,
    /// The largest [`lean`](Solid::lean) of the shapes, a factor on distances.
    lean: f32,
    /// The shapes, level by level, as indices of `solids`.
    order: Vec<u32>,
    levels: Vec<Level>,
    /// The cells that each shape touches on its level.
    ranges: Vec<CellSpan>,
    /// Start of each cell's shapes in `sorted`, and the end of the last cell's; level by level.
    starts: Vec<u32>,
    sorted: Vec<u32>,
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
        let solid = |shape| PreparedShape::new(shape, up);
        self.solids.clear();
        self.solids.extend(shapes.into_iter().filter(Shape::is_valid).map(solid));
        let horizon = if horizon.is_finite() { horizon.max(0.0) } else { 0.0 };
        let ground = self.ground();
        let bounds = |solid: &PreparedShape| {
            let Shape { position, velocity, .. } = solid.shape;
            let a = ground.project(position);
            let b = a + ground.project(velocity) * horizon;
            PlaneBounds { low: a.min(b) - solid.reach, high: a.max(b) + solid.reach }
        };
        self.bounds.clear();
        self.bounds.extend(self.solids.iter().map(bounds));
        self.all = self.bounds.iter().copied().reduce(PlaneBounds::union).unwrap_or_default();
        self.lean = self.solids.iter().map(|solid| solid.lean).fold(1.0, f32::max);
        self.sort();
    }

    /// The shapes, as they were given.
    #[must_use]
    pub fn shapes(&self) -> impl ExactSizeIterator<Item = &Shape> {
        self.solids.iter().map(|solid| &solid.shape)
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
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};
    use proptest::prelude::*;

    use super::*;
    use crate::steer::CounterRng;
    use crate::steer::obstacle::{Cast, LayerMask, ObstacleProbe};
    use crate::testing::work_of;

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

    /// Whether a query of the nearest points within `reach` of a position finds a shape.
    fn is_near(shape: &Shape, plane: Option<MovementPlane>, at: Vec3, reach: f32) -> bool {
        let solid = PreparedShape::new(*shape, plane.map(|plane| plane.up()));
        solid.gap((at - shape.position).into(), reach).is_some_and(|(gap, _)| gap > 0.0)
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
            let cast = Cast { speed, ..Cast::new(origin, direction, radius, max) };
            let displacement = direction * max;
            let each = shapes.iter().filter_map(|shape| {
                let along = displacement - shape.velocity * (max / speed);
                let met = PreparedShape::new(*shape, plane.map(|plane| plane.up())).meets(origin - shape.position, along, radius);
                met.map(|(at, _)| at as f32 * max)
            });
            let nearest = each.fold(f32::INFINITY, f32::min);
            let found = set.sweep(&cast).map_or(f32::INFINITY, |hit| hit.distance);
            prop_assert_eq!(found, nearest);
            let mut among_few = None;
            set.within(origin, max + radius, LayerMask::ALL, &mut |few| among_few = few.sweep(&cast));
            prop_assert_eq!(among_few.map_or(f32::INFINITY, |hit| hit.distance), nearest);
        }

        #[test]
        fn points_near_a_shape_find_it(
            shapes in prop::collection::vec(shape(), 0..60), at in vector(25.0), reach in 0.0f32..12.0,
            planar in any::<bool>(),
        ) {
            let plane = planar.then_some(MovementPlane::XY);
            let set = Obstacles::of(plane, shapes.iter().copied(), 0.0);
            let near = shapes.iter().filter(|shape| is_near(shape, plane, at, reach)).count();
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

    /// The work is the number of shapes that queries look at. Small shapes are spread over a square; others are far away
    /// or huge, one or a thousand of them.
    #[test]
    fn far_and_huge_shapes_do_not_make_queries_of_others_slow() {
        let mut rng = CounterRng::new(14, 0, 0);
        let mut square = |side: f32| (rng.place() * side).with_z(0.0);
        let small: Vec<Shape> = (0..4_000).map(|_| Shape::sphere(square(200.0), 0.5)).collect();
        let places: Vec<Vec3> = (0..200).map(|_| square(200.0)).collect();
        let others: [Vec<Shape>; 7] = [
            vec![],
            vec![Shape::sphere(Vec3::new(1e9, -1e9, 0.0), 0.5)],
            vec![Shape::sphere(Vec3::new(-1e20, 1e9, 0.0), 1e3), Shape::sphere(Vec3::X * 1e12, 0.5)],
            [1e3, 1e4, 1e7, 1e30]
                .map(|half| Shape::cuboid(Vec3::Y * -(300.0 + half), Vec3::splat(half)))
                .to_vec(),
            vec![Shape::sphere(Vec3::Y * 300.0, 1.0).with_velocity(Vec3::Y * 1e7)],
            (0..1_000).map(|_| Shape::cuboid(square(1e6) + Vec3::Y * 2e6, Vec3::splat(1e4))).collect(),
            (0..1_000).map(|_| Shape::sphere(square(1e5) + Vec3::X * 1e7, 0.5)).collect(),
        ];
        for (index, others) in others.iter().enumerate() {
            let set = Obstacles::of(Some(MovementPlane::XY), small.iter().chain(others).copied(), 1.0);
            let mut found = 0;
            let work = work_of(|| {
                let count = |&at: &Vec3| set.nearest_points(at, 2.0, LayerMask::ALL).count();
                found = places.iter().map(count).sum();
            });
            let all = || small.iter().chain(others);
            let count = |&at: &Vec3| all().filter(|shape| is_near(shape, set.plane(), at, 2.0)).count();
            let expected: usize = places.iter().map(count).sum();
            assert_eq!(found, expected, "set {index}");
            assert!(work < 20 * places.len() as u64, "set {index}: {work} for {} queries", places.len());
            let (noted, count) = (set.sorted.len(), small.len() + others.len());
            assert!(noted < 100 * count, "set {index}: {count} shapes are noted {noted} times");
        }
    }

    #[test]
    fn layers_hide_and_moving_shapes_are_met_where_they_will_be() {
        let mut set = Obstacles::new(Some(MovementPlane::XZ));
        let crossing =
            Shape::sphere(Vec3::new(5.0, 0.0, 5.0), 1.0).with_velocity(Vec3::NEG_Z * 5.0).with_who(7);
        set.rebuild([crossing.with_layers(LayerMask::layer(2))], 3.0);
        let cast = Cast { speed: 5.0, ..Cast::new(Vec3::ZERO, Vec3::X, 0.5, 10.0) };
        assert_eq!(set.sweep(&cast).map(|hit| hit.who), Some(7), "both come to the crossing after a second");
        assert_eq!(
            set.sweep(&Cast { speed: 0.0, ..cast }),
            None,
            "at speed 0 shapes count as standing still"
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
