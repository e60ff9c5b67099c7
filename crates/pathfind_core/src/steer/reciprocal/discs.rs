//! Bodies laid flat, number by number.

use glam::Vec2;

use super::disc::Disc;
use crate::simd::{LANES, Table};

/// How many entries lie beyond the last disc, so that eight can be read from any slot on.
const PADDING: usize = LANES;

/// Discs at their slots: what tells who is near as columns, what tells who is in the way as rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Discs {
    columns: [Vec<f32>; 5],
    rows: Vec<[f32; LANES]>,
    ids: Vec<u64>,
    len: usize,
}

impl Discs {
    /// Columns.
    pub(super) const X: usize = 0;
    pub(super) const Y: usize = 1;
    pub(super) const HEIGHT: usize = 2;
    pub(super) const RADIUS: usize = 3;
    pub(super) const TOP_SPEED: usize = 4;

    /// Takes as many as that, in place of those it had.
    pub(super) fn fill(&mut self, len: usize, mut disc: impl FnMut(usize) -> Disc) {
        self.len = len;
        // What lies beyond the last is read, but never counts.
        self.columns.iter_mut().for_each(|column| column.resize(len + PADDING, 0.0));
        self.rows.resize(len + PADDING, [0.0; LANES]);
        self.ids.resize(len + PADDING, 0);
        let [x, y, height, radius, top_speed] = self.columns.each_mut().map(|column| &mut column[..len]);
        let (rows, ids) = (&mut self.rows[..len], &mut self.ids[..len]);
        for slot in 0..len {
            let disc = disc(slot);
            (x[slot], y[slot]) = disc.at.into();
            (height[slot], radius[slot], top_speed[slot]) = (disc.height, disc.radius, disc.top_speed);
            let (at, velocity) = (disc.at, disc.velocity);
            rows[slot] = [at.x, at.y, velocity.x, velocity.y, disc.radius, disc.yields, disc.goes, 0.0];
            ids[slot] = disc.id;
        }
    }

    /// The disc at a slot.
    #[inline(always)]
    pub(super) fn disc(&self, slot: usize) -> Disc {
        let [x, y, vx, vy, radius, yields, goes, _] = self.rows[slot];
        Disc {
            at: Vec2::new(x, y),
            height: self.columns[Self::HEIGHT][slot],
            velocity: Vec2::new(vx, vy),
            radius,
            yields,
            top_speed: self.columns[Self::TOP_SPEED][slot],
            goes,
            id: self.ids[slot],
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The columns.
    #[inline(always)]
    pub(super) fn table(&self) -> Table<'_, 5> {
        Table::new(self.columns.each_ref().map(Vec::as_slice))
    }

    /// Place, velocity, radius, how readily it yields and whether it goes, of the disc at a slot.
    #[inline(always)]
    pub(super) fn row(&self, slot: u32) -> &[f32; LANES] {
        &self.rows[slot as usize]
    }

    #[inline(always)]
    pub(super) fn id(&self, slot: u32) -> u64 {
        self.ids[slot as usize]
    }
}
