//! Positions, velocities and groups of the bodies as a structure of arrays, in the order of slots.

use glam::Vec3;

use super::axes::Axes;
use crate::body::Body;
use crate::simd::{BodyRows, LANES, Pass, Simd, SimdF32x8, Table, prefetch};

/// Entries beyond the last body, so that eight entries can be read from any slot on.
const PADDING: usize = LANES;

/// How many bodies ahead a body is prefetched. Measured: 8, 24, 48 and 96 build 100,000 bodies equally fast (0.96 ms).
const AHEAD: usize = 48;

/// One array for each coordinate of position and velocity, in the grid's axes, and one for the groups.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    /// The groups, the positions, the velocities. Of the groups the bits are stored: they are only compared, never
    /// computed with.
    arrays: [Vec<f32>; 7],
    has_groups: bool,
}

impl Columns {
    /// The first of the arrays of positions, and of velocities; the groups are the array before.
    pub(crate) const POSITION: usize = 1;
    pub(crate) const VELOCITY: usize = 4;

    /// Fills the arrays from bodies and groups; `order` is the index of the body at each slot.
    pub(crate) fn fill(&mut self, axes: Axes, order: &[u32], bodies: &[Body], groups: &[u32]) {
        let len = order.len() + PADDING;
        let [group, x, y, z, vx, vy, vz] = self.arrays.each_mut().map(|array| {
            array.resize(len, 0.0);
            // Padding must not hold bodies of an earlier, larger build.
            array[len - PADDING..].fill(0.0);
            &mut array[..]
        });
        let ([x, y, z], [vx, vy, vz]) = (axes.world_of([x, y, z]), axes.world_of([vx, vy, vz]));
        Simd::widest().run(Fill { order, bodies, columns: [x, y, z, vx, vy, vz] });
        let had_groups = std::mem::replace(&mut self.has_groups, groups.iter().any(|&group| group != 0));
        if self.has_groups || had_groups {
            let of = |&index: &u32| groups.get(index as usize).copied().unwrap_or_default();
            group.iter_mut().zip(order).for_each(|(to, index)| *to = f32::from_bits(of(index)));
        }
    }

    /// The arrays as a table.
    pub(crate) fn table(&self) -> Table<'_, 7> {
        Table::new(self.arrays.each_ref().map(Vec::as_slice))
    }

    /// Whether any body is in a group other than 0.
    pub(crate) fn has_groups(&self) -> bool {
        self.has_groups
    }

    #[inline(always)]
    pub(crate) fn group(&self, slot: usize) -> u32 {
        self.arrays[0][slot].to_bits()
    }

    #[inline(always)]
    pub(crate) fn position(&self, slot: usize) -> Vec3 {
        self.vector(Self::POSITION, slot)
    }

    /// The vector at a slot in three arrays, from the array `first` on.
    #[inline(always)]
    pub(crate) fn vector(&self, first: usize, slot: usize) -> Vec3 {
        Vec3::from_array([0, 1, 2].map(|axis| self.arrays[first + axis][slot]))
    }
}

/// The pass that fills the columns of positions and velocities, given in the order of the world's axes.
struct Fill<'a> {
    order: &'a [u32],
    bodies: &'a [Body],
    columns: [&'a mut [f32]; 6],
}

impl Pass for Fill<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: SimdF32x8>(self) {
        let Self { order, bodies, mut columns } = self;
        let (eights, rest) = order.as_chunks::<LANES>();
        let rows = BodyRows::new(bodies);
        for (number, eight) in eights.iter().enumerate() {
            let slot = number * LANES;
            // `bodies` is read in random order, so memory is slow: prefetch the bodies of later slots.
            if let Some(later) = eights.get(number + AHEAD / LANES) {
                later.iter().for_each(|&index| prefetch(bodies, index as usize));
            }
            let mut lanes = [L::splat(0.0); LANES];
            for lane in 0..LANES {
                lanes[lane] = rows.row(eight[lane] as usize);
            }
            let lanes = L::transpose(lanes);
            for axis in 0..6 {
                lanes[axis].write(columns[axis], slot);
            }
        }
        for (slot, &index) in (order.len() - rest.len()..).zip(rest) {
            for (column, number) in columns.iter_mut().zip(bodies[index as usize].row()) {
                column[slot] = number;
            }
        }
    }
}
