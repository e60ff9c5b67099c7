//! Bodies as one array for each of their numbers, in the order of their slots.

use glam::Vec3;

use super::axes::Axes;
use crate::steer::Body;

/// How many entries lie beyond the last body, so that whole vectors can be loaded anywhere.
pub(crate) const PADDING: usize = 8;

/// Positions and velocities in the grid's axes, and groups.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    pub(crate) x: Vec<f32>,
    pub(crate) y: Vec<f32>,
    pub(crate) z: Vec<f32>,
    pub(crate) vx: Vec<f32>,
    pub(crate) vy: Vec<f32>,
    pub(crate) vz: Vec<f32>,
    pub(crate) group: Vec<u32>,
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
            let body = &bodies[index as usize];
            let position = axes.grid(body.position);
            let velocity = axes.grid(body.velocity);
            (x[slot], y[slot], z[slot]) = (position.x, position.y, position.z);
            (vx[slot], vy[slot], vz[slot]) = (velocity.x, velocity.y, velocity.z);
        }
        self.group.clear();
        if groups.is_empty() {
            self.group.resize(len, 0);
        } else {
            self.group
                .extend(order.iter().map(|&index| groups.get(index as usize).copied().unwrap_or_default()));
            self.group.resize(len, 0);
        }
    }

    #[inline(always)]
    pub(crate) fn position(&self, slot: usize) -> Vec3 {
        Vec3::new(self.x[slot], self.y[slot], self.z[slot])
    }
}
