//! The discs of all bodies, as a structure of arrays.

use glam::Vec2;

use super::NOBODY;
use super::disc::Disc;
use crate::simd::{LANES, Table};

/// Number of entries beyond the last disc, so that eight can be read from any slot on.
const PADDING: usize = LANES;

/// Discs by slot: the numbers that tell which are near as columns, the numbers that make half-planes as rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Discs {
    columns: [Vec<f32>; 5],
    rows: Vec<[f32; LANES]>,
    ids: Vec<u64>,
    /// The id of the body that each follows; empty if none follows another.
    leaders: Vec<u64>,
}

impl Discs {
    /// Indices of the columns.
    pub(super) const X: usize = 0;
    pub(super) const Y: usize = 1;
    pub(super) const HEIGHT: usize = 2;
    pub(super) const RADIUS: usize = 3;
    pub(super) const TOP_SPEED: usize = 4;

    /// Replaces all discs by these, in the order of their slots.
    pub(super) fn fill(&mut self, discs: impl ExactSizeIterator<Item = Disc>) {
        let len = discs.len();
        self.leaders.clear();
        // Entries beyond the last are read, but masked out.
        self.columns.iter_mut().for_each(|column| column.resize(len + PADDING, 0.0));
        self.rows.resize(len + PADDING, [0.0; LANES]);
        self.ids.resize(len + PADDING, 0);
        for (slot, disc) in discs.enumerate() {
            let Disc { at, height, velocity, radius, yields, top_speed, under_way, id } = disc;
            for (column, number) in self.columns.iter_mut().zip([at.x, at.y, height, radius, top_speed]) {
                column[slot] = number;
            }
            self.rows[slot] = [at.x, at.y, velocity.x, velocity.y, radius, yields, under_way, 0.0];
            self.ids[slot] = id;
        }
    }

    /// The disc at a slot.
    #[inline(always)]
    pub(super) fn disc(&self, slot: usize) -> Disc {
        let [x, y, vx, vy, radius, yields, under_way, _] = self.rows[slot];
        Disc {
            at: Vec2::new(x, y),
            height: self.columns[Self::HEIGHT][slot],
            velocity: Vec2::new(vx, vy),
            radius,
            yields,
            top_speed: self.columns[Self::TOP_SPEED][slot],
            under_way,
            id: self.ids[slot],
        }
    }

    /// Notes which body each follows.
    pub(super) fn note_leaders(&mut self, leaders: impl IntoIterator<Item = u64>) {
        self.leaders.clear();
        self.leaders.extend(leaders);
    }

    pub(super) fn has_leaders(&self) -> bool {
        !self.leaders.is_empty()
    }

    /// Whether the disc at a slot follows the body with this id.
    pub(super) fn follows(&self, slot: u32, leader: u64) -> bool {
        leader != NOBODY && self.leaders.get(slot as usize) == Some(&leader)
    }

    /// The columns.
    #[inline(always)]
    pub(super) fn table(&self) -> Table<'_, 5> {
        Table::new(self.columns.each_ref().map(Vec::as_slice))
    }

    /// Position (2), velocity (2), radius, `yields` and `under_way` of the disc at a slot.
    #[inline(always)]
    pub(super) fn row(&self, slot: u32) -> &[f32; LANES] {
        &self.rows[slot as usize]
    }

    #[inline(always)]
    pub(super) fn id(&self, slot: u32) -> u64 {
        self.ids[slot as usize]
    }
}
