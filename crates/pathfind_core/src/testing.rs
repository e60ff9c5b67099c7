//! Helpers that the tests of several files share: seeded random numbers, maps and bodies, and a counter of work.

use std::ops::Range;

use glam::{Vec2, Vec3};

use crate::grid::{Bitmap, Layer, StepRules};
use crate::neighbors::Neighbors;
use crate::sight::Solid;
use crate::steer::{
    Body, CounterRng, MovementPlane,
    obstacle::{Obstacles, Shape},
};
use crate::{Direction, Grid, GridCell, KindId, Terrain};

impl CounterRng {
    /// A random integer from 0 to `end` - 1.
    pub(crate) fn below(&mut self, end: u32) -> u32 {
        (self.bits() % u64::from(end)) as u32
    }

    /// A random position whose coordinates are from -1 to 1.
    pub(crate) fn place(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }
}

/// Edge cases: numbers whose squares overflow or underflow, -0, subnormals, infinities and NaN.
const EXTREMES: [f32; 18] = [
    -0.0,
    1e-45,
    -1e-45,
    f32::MIN_POSITIVE,
    1e-30,
    1e9,
    -1e9,
    1e17,
    -1e18,
    1.1e18,
    1e19,
    -1e19,
    1e30,
    f32::MAX,
    f32::MIN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];

impl CounterRng {
    /// A random number: mostly from -4 to 4, one time in eight one of [`EXTREMES`] or any bit pattern.
    pub(crate) fn any_number(&mut self) -> f32 {
        match self.below(16) {
            0 => EXTREMES[self.below(EXTREMES.len() as u32) as usize],
            1 => f32::from_bits(self.bits() as u32),
            _ => self.signed() * 4.0,
        }
    }

    /// A vector of three [such numbers](Self::any_number).
    pub(crate) fn any_vector(&mut self) -> Vec3 {
        Vec3::new(self.any_number(), self.any_number(), self.any_number())
    }

    /// Bodies of [such numbers](Self::any_number); about one in four has the position of the body before it.
    pub(crate) fn any_bodies(&mut self, count: usize) -> Vec<Body> {
        let mut bodies: Vec<Body> = Vec::new();
        for _ in 0..count {
            let mut body = Body::new(self.any_vector(), self.any_vector()).with_radius(self.any_number());
            if let Some(last) = bodies.last()
                && self.below(4) == 0
            {
                body.position = last.position;
            }
            bodies.push(body);
        }
        bodies
    }
}

/// The bits of vectors, to compare them exactly: equal NaNs are the same, and 0 and -0 differ.
pub(crate) fn bits(vectors: impl IntoIterator<Item = Vec3>) -> Vec<[u32; 3]> {
    vectors.into_iter().map(|vector| vector.to_array().map(f32::to_bits)).collect()
}

/// A grid of ground, with these cells as walls.
pub(crate) fn walled(width: u32, height: u32, mut is_wall: impl FnMut(GridCell) -> bool) -> Grid {
    let terrain = |cell| if is_wall(cell) { Terrain::WALL } else { Terrain::GROUND };
    Grid::from_fn(width, height, terrain).expect("the size is valid")
}

/// A corridor that winds through 21 rows, from (0, 0) to (0, 20).
pub(crate) fn winding() -> Grid {
    walled(20, 21, |GridCell { x, y }| y % 2 == 1 && x != y / 2 % 2 * 19)
}

/// A grid on which each cell is a wall with the probability `walls`.
pub(crate) fn scattered(rng: &mut CounterRng, width: u32, height: u32, walls: f32) -> Grid {
    walled(width, height, |_| rng.unit() < walls)
}

/// Asserts that two grids have the same cells, edges and kinds, and that the same is derived from them.
pub(crate) fn assert_same_grid(one: &Grid, other: &Grid, why: &str) {
    assert_eq!((one.size(), one.kind_count()), (other.size(), other.kind_count()), "{why}");
    for kind in (0..one.kind_count()).map(|id| KindId(id as u8)) {
        let [a, b] = [one, other].map(|grid| grid.known(kind));
        assert_eq!((&a.kind, a.costs), (&b.kind, b.costs), "{why}");
        for cell @ GridCell { x, y } in one.bounds().cells() {
            let seen = |grid: &Grid, layer: &Layer| {
                let bits = |rows: &Bitmap, columns: &Bitmap| [rows.get(y, x), columns.get(x, y)];
                let (rows, columns) = (&layer.row_stops, &layer.column_stops);
                (
                    (grid.terrain(cell), grid.elevation(cell), grid.cost(kind, cell)),
                    [Direction::E, Direction::S].map(|direction| grid.edge(cell, direction)),
                    grid.legal_steps::<false>(kind, StepRules::default(), cell),
                    StepRules::RULES.map(|steps| grid.region(kind, steps, cell)),
                    bits(&layer.rows, &layer.columns),
                    [rows.next::<true>(y, x), rows.next::<false>(y, x)],
                    [columns.next::<true>(x, y), columns.next::<false>(x, y)],
                    layer.borders.as_ref().map(|borders| bits(&borders.rows, &borders.columns)),
                )
            };
            assert_eq!(seen(one, a), seen(other, b), "{why}: {kind:?} at {cell}");
        }
    }
}

/// The distance from a point to the nearest wall, at most `most`, in cells; 0 inside walls.
pub(crate) fn distance_to_wall(grid: &Grid, kind: KindId, at: Vec2, most: f32) -> f32 {
    Solid::of(grid, kind).expect("the grid has the kind").distance_to_wall(at, most)
}

impl Neighbors {
    /// The neighbours of bodies without groups.
    pub(crate) fn of(reach: f32, bodies: &[Body]) -> Self {
        let mut neighbors = Self::default();
        neighbors.build(reach, bodies, &[]);
        neighbors
    }

    /// What a pass finds for each of `count` bodies, by index, if it runs `part` slots at a time; `none` for bodies
    /// that are left out.
    pub(crate) fn found_by<T: Copy>(
        &self,
        count: usize,
        part: usize,
        none: T,
        mut run: impl FnMut(Range<usize>, &mut [T]),
    ) -> Vec<T> {
        let mut by_slot = vec![none; self.len()];
        for (number, out) in by_slot.chunks_mut(part.max(1)).enumerate() {
            run(number * part..number * part + out.len(), out);
        }
        (0..count).map(|index| self.slot(index).map_or(none, |slot| by_slot[slot])).collect()
    }
}

impl Obstacles {
    /// The obstacles of these shapes, as [`rebuild`](Self::rebuild) takes them.
    pub(crate) fn of(
        plane: Option<MovementPlane>,
        shapes: impl IntoIterator<Item = Shape>,
        horizon: f32,
    ) -> Self {
        let mut obstacles = Self::new(plane);
        obstacles.rebuild(shapes, horizon);
        obstacles
    }
}

/// Standing bodies at random positions in a box about the origin; `half` is half its size.
pub(crate) fn standing(rng: &mut CounterRng, count: usize, half: Vec3) -> Vec<Body> {
    (0..count).map(|_| Body::new(rng.place() * half, Vec3::ZERO)).collect()
}

std::thread_local! {
    static WORK: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Adds to the work counted on this thread. Tests of complexity compare counts: times depend on the machine.
pub(crate) fn count(work: usize) {
    WORK.set(WORK.get() + work as u64);
}

/// The work that `run` [counts](count) on this thread.
pub(crate) fn work_of(run: impl FnOnce()) -> u64 {
    let before = WORK.get();
    run();
    WORK.get() - before
}
