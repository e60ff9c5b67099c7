//! Three-dimensional vectors in SIMD lanes.

use glam::Vec3;

use super::{LANES, SimdF32};

/// A vector in each lane, stored coordinate by coordinate. Sums are in the same order as those of `glam`.
#[derive(Copy, Clone)]
pub(crate) struct Vectors<L>(pub(crate) [L; 3]);

impl<L: SimdF32> Vectors<L> {
    #[inline(always)]
    pub(crate) fn zero() -> Self {
        Self([L::splat(0.0); 3])
    }

    /// The same vector in all lanes.
    #[inline(always)]
    pub(crate) fn splat(vec: Vec3) -> Self {
        Self([L::splat(vec.x), L::splat(vec.y), L::splat(vec.z)])
    }

    /// The vector of the first lane.
    #[inline(always)]
    pub(crate) fn first(self) -> Vec3 {
        self.to_vecs()[0]
    }

    /// The first values of each coordinate, one for each lane.
    #[inline(always)]
    pub(crate) fn load(values: &[[f32; LANES]; 3]) -> Self {
        Self([L::load(&values[0]), L::load(&values[1]), L::load(&values[2])])
    }

    /// The vectors in three columns from index `row` on, one for each lane.
    #[inline(always)]
    pub(crate) fn read<const N: usize>(columns: &[[f32; N]; 3], row: usize) -> Self {
        Self([L::read(&columns[0], row), L::read(&columns[1], row), L::read(&columns[2], row)])
    }

    /// Writes the vectors to three columns from index `row` on.
    #[inline(always)]
    pub(crate) fn write<const N: usize>(self, columns: &mut [[f32; N]; 3], row: usize) {
        for (column, lanes) in columns.iter_mut().zip(self.0) {
            lanes.write(column, row);
        }
    }

    /// The first of some vectors, one for each lane.
    #[inline(always)]
    pub(crate) fn of(vecs: &[Vec3; LANES]) -> Self {
        let mut values = [[0.0; LANES]; 3];
        for (lane, vec) in vecs.iter().enumerate() {
            [values[0][lane], values[1][lane], values[2][lane]] = vec.to_array();
        }
        Self::load(&values)
    }

    /// The values of each coordinate, as [`SimdF32::to_array`].
    #[inline(always)]
    pub(crate) fn to_arrays(self) -> [[f32; LANES]; 3] {
        let [x, y, z] = self.0;
        [x.to_array(), y.to_array(), z.to_array()]
    }

    /// The vector of each lane, then zero vectors.
    #[inline(always)]
    pub(crate) fn to_vecs(self) -> [Vec3; LANES] {
        let ([x, y, z], mut vecs) = (self.to_arrays(), [Vec3::ZERO; LANES]);
        for (lane, vec) in vecs.iter_mut().enumerate() {
            *vec = Vec3::new(x[lane], y[lane], z[lane]);
        }
        vecs
    }

    #[inline(always)]
    pub(crate) fn add(self, other: Self) -> Self {
        let ([x, y, z], [u, v, w]) = (self.0, other.0);
        Self([x.add(u), y.add(v), z.add(w)])
    }

    #[inline(always)]
    pub(crate) fn sub(self, other: Self) -> Self {
        let ([x, y, z], [u, v, w]) = (self.0, other.0);
        Self([x.sub(u), y.sub(v), z.sub(w)])
    }

    #[inline(always)]
    pub(crate) fn scale(self, by: L) -> Self {
        let [x, y, z] = self.0;
        Self([x.mul(by), y.mul(by), z.mul(by)])
    }

    /// The vectors where a mask is set, else zero.
    #[inline(always)]
    pub(crate) fn and(self, mask: L) -> Self {
        let [x, y, z] = self.0;
        Self([x.and(mask), y.and(mask), z.and(mask)])
    }

    /// The vectors where a mask is set, else others.
    #[inline(always)]
    pub(crate) fn or_else(self, mask: L, other: Self) -> Self {
        let ([x, y, z], [u, v, w]) = (self.0, other.0);
        Self([mask.select(x, u), mask.select(y, v), mask.select(z, w)])
    }

    #[inline(always)]
    pub(crate) fn dot(self, other: Self) -> L {
        dot(self.0, other.0)
    }

    /// The vectors projected onto the plane with a normal of length 1.
    #[inline(always)]
    pub(crate) fn flat(self, normal: Vec3) -> Self {
        let normal = Self::splat(normal);
        self.sub(normal.scale(self.dot(normal)))
    }

    #[inline(always)]
    pub(crate) fn length(self) -> L {
        self.dot(self).sqrt()
    }

    /// The vectors scaled down to a length of at most `most`.
    #[inline(always)]
    pub(crate) fn shorten(self, most: L) -> Self {
        self.scale(share(self.length(), most))
    }
}

/// The factor that scales `length` down to `room`: `room / length`, at most 1.
#[inline(always)]
pub(crate) fn share<L: SimdF32>(length: L, room: L) -> L {
    // For a length of zero the quotient is NaN or infinite, and its minimum with 1 is 1.
    room.div(length).min(L::splat(1.0))
}

/// The dot product of vectors with two or three coordinates.
#[inline(always)]
pub(crate) fn dot<L: SimdF32, const AXES: usize>(a: [L; AXES], b: [L; AXES]) -> L {
    let plane = a[0].mul(b[0]).add(a[1].mul(b[1]));
    if AXES == 3 { plane.add(a[AXES - 1].mul(b[AXES - 1])) } else { plane }
}
