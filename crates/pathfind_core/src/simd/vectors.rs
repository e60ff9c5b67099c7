//! A vector in each lane.

use glam::Vec3;

use super::{LANES, SimdF32};

/// A vector in each lane, coordinate by coordinate. Sums are made in the order in which `glam` makes them.
#[derive(Copy, Clone)]
pub(crate) struct Vectors<L>(pub(crate) [L; 3]);

impl<L: SimdF32> Vectors<L> {
    #[inline(always)]
    pub(crate) fn zero() -> Self {
        Self([L::splat(0.0); 3])
    }

    /// As many of each coordinate's numbers as there are lanes.
    #[inline(always)]
    pub(crate) fn load(values: &[[f32; LANES]; 3]) -> Self {
        Self([L::load(&values[0]), L::load(&values[1]), L::load(&values[2])])
    }

    /// As many of three columns as there are lanes, from a row on.
    #[inline(always)]
    pub(crate) fn read<const N: usize>(columns: &[[f32; N]; 3], row: usize) -> Self {
        Self([L::read(&columns[0], row), L::read(&columns[1], row), L::read(&columns[2], row)])
    }

    /// Puts them there.
    #[inline(always)]
    pub(crate) fn write<const N: usize>(self, columns: &mut [[f32; N]; 3], row: usize) {
        for (column, lanes) in columns.iter_mut().zip(self.0) {
            lanes.write(column, row);
        }
    }

    /// One for each lane.
    #[inline(always)]
    pub(crate) fn of(vecs: &[Vec3; LANES]) -> Self {
        let mut values = [[0.0; LANES]; 3];
        for (lane, vec) in vecs.iter().enumerate() {
            [values[0][lane], values[1][lane], values[2][lane]] = vec.to_array();
        }
        Self::load(&values)
    }

    /// Coordinate by coordinate, as [`SimdF32::to_array`].
    #[inline(always)]
    pub(crate) fn to_arrays(self) -> [[f32; LANES]; 3] {
        let [x, y, z] = self.0;
        [x.to_array(), y.to_array(), z.to_array()]
    }

    /// Lane by lane.
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
        let ([x, y, z], [u, v, w]) = (self.0, other.0);
        x.mul(u).add(y.mul(v)).add(z.mul(w))
    }

    /// Without what lies along a normal of length 1.
    #[inline(always)]
    pub(crate) fn flat(self, normal: Vec3) -> Self {
        let normal = Self([L::splat(normal.x), L::splat(normal.y), L::splat(normal.z)]);
        self.sub(normal.scale(self.dot(normal)))
    }

    #[inline(always)]
    pub(crate) fn length(self) -> L {
        self.dot(self).sqrt()
    }

    /// Of length 1; of length 0 where there is no direction.
    #[inline(always)]
    pub(crate) fn normalize(self) -> Self {
        self.scale(L::splat(1.0).div(self.dot(self).max(L::splat(f32::MIN_POSITIVE)).sqrt()))
    }

    /// Cut to a length.
    #[inline(always)]
    pub(crate) fn shorten(self, most: L) -> Self {
        self.scale(share(self.length(), most))
    }
}

/// What part of a length there is room for: at most all of it.
#[inline(always)]
pub(crate) fn share<L: SimdF32>(length: L, room: L) -> L {
    // A length of zero leaves NaN or infinity, of which the minimum is 1.
    room.div(length).min(L::splat(1.0))
}
