//! Bodies as one array for each of their numbers, in the order of their slots.

use glam::Vec3;

use super::axes::Axes;
use crate::simd::{LANES, Table, fetch};
use crate::steer::Body;

/// How many entries lie beyond the last body, so that eight can be read from any slot on.
const PADDING: usize = LANES;

/// How many bodies ahead one is fetched.
const AHEAD: usize = 48;

/// Positions and velocities in the grid's axes, and groups.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    pub(crate) x: Vec<f32>,
    pub(crate) y: Vec<f32>,
    pub(crate) z: Vec<f32>,
    pub(crate) vx: Vec<f32>,
    pub(crate) vy: Vec<f32>,
    pub(crate) vz: Vec<f32>,
    /// Each group's bits, as if they were a float's: compared, never computed with.
    pub(crate) group: Vec<f32>,
    has_groups: bool,
}

impl Columns {
    pub(crate) fn fill(&mut self, axes: Axes, order: &[u32], bodies: &[Body], groups: &[u32]) {
        let len = order.len() + PADDING;
        let arrays = [&mut self.x, &mut self.y, &mut self.z, &mut self.vx, &mut self.vy, &mut self.vz];
        let [x, y, z, vx, vy, vz] = arrays.map(|array| {
            array.resize(len, 0.0);
            // What was a body of a longer build is none now.
            array[len - PADDING..].fill(0.0);
            &mut array[..len]
        });
        for (slot, &index) in order.iter().enumerate() {
            // Bodies lie in no order: those to come take long.
            if let Some(&later) = order.get(slot + AHEAD) {
                fetch(bodies, later as usize);
            }
            let body = &bodies[index as usize];
            let position = axes.grid(body.position);
            let velocity = axes.grid(body.velocity);
            (x[slot], y[slot], z[slot]) = (position.x, position.y, position.z);
            (vx[slot], vy[slot], vz[slot]) = (velocity.x, velocity.y, velocity.z);
        }
        let group = |&index: &u32| f32::from_bits(groups.get(index as usize).copied().unwrap_or_default());
        self.has_groups = groups.iter().any(|&group| group != 0);
        self.group.clear();
        if self.has_groups {
            self.group.extend(order.iter().map(group));
        }
        self.group.resize(len, f32::from_bits(0));
    }

    /// Column 0 holds the groups, from [`POSITION`](Self::POSITION) on are the places and from
    /// [`VELOCITY`](Self::VELOCITY) on the velocities.
    pub(crate) fn table(&self) -> Table<'_, 7> {
        Table::new([&self.group, &self.x, &self.y, &self.z, &self.vx, &self.vy, &self.vz].map(Vec::as_slice))
    }

    pub(crate) const POSITION: usize = 1;
    pub(crate) const VELOCITY: usize = 4;

    /// Whether there is another group than 0.
    pub(crate) fn has_groups(&self) -> bool {
        self.has_groups
    }

    #[inline(always)]
    pub(crate) fn group(&self, slot: usize) -> u32 {
        self.group[slot].to_bits()
    }

    #[inline(always)]
    pub(crate) fn position(&self, slot: usize) -> Vec3 {
        Vec3::new(self.x[slot], self.y[slot], self.z[slot])
    }
}
