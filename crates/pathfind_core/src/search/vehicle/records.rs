//! What a search keeps: poses with the drives that led to them, the best pose of each part of a cell, and the open
//! list.

use core::cmp::Ordering;
use core::hash::{BuildHasherDefault, Hasher};
use std::collections::{BinaryHeap, HashMap};

use glam::DVec2;

use super::path::Travel;

/// A pose that a search has reached.
#[derive(Copy, Clone, Debug)]
pub(super) struct PoseRecord {
    pub(super) at: DVec2,
    /// The cost of the drive to here.
    pub(super) cost: f64,
    /// The estimated cost to the goal; 0 at its end.
    pub(super) estimate: f64,
    /// The index of the record before; its own for the start.
    pub(super) parent: u32,
    /// The index of the heading; that of the goal's end is none.
    pub(super) heading: u16,
    pub(super) is_on_lane: bool,
    /// Whether the drive ends on the goal.
    pub(super) is_goal: bool,
    /// The drives from the parent, as curvature and distance; drives of no distance are none.
    pub(super) drives: [(f32, f32); 2],
}

/// The factor on estimates by which open poses are ordered: a path costs about this many times the least at most
/// (weighted A*).
const WEIGHT: f64 = 1.05;

impl PoseRecord {
    pub(super) fn key(&self) -> f64 {
        self.cost + WEIGHT * self.estimate
    }

    /// 1 if the last drive was forwards, -1 if backwards, 0 for the start.
    pub(super) fn gear(&self) -> f64 {
        let last = self.drives.iter().rev().find(|drive| drive.1 != 0.0);
        last.map_or(0.0, |drive| f64::from(drive.1).signum())
    }
}

/// Drives as a record keeps them.
pub(super) fn packed(drives: [Travel; 2]) -> [(f32, f32); 2] {
    drives.map(|Travel { curvature, distance }| (curvature as f32, distance as f32))
}

/// An open record: that of less cost, or of equal ones the newer, is the greater.
#[derive(Copy, Clone, Debug)]
struct OpenPose {
    key: f64,
    index: u32,
}

impl Ord for OpenPose {
    fn cmp(&self, other: &Self) -> Ordering {
        other.key.total_cmp(&self.key).then(self.index.cmp(&other.index))
    }
}

impl PartialOrd for OpenPose {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for OpenPose {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for OpenPose {}

/// Mixes a number by multiplication. No result depends on the order of the map, so that it needs no secret.
#[derive(Default)]
struct MultiplyHasher(u64);

impl Hasher for MultiplyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, number: u64) {
        let mixed = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}

/// The records of a search.
#[derive(Debug, Default)]
pub(super) struct PoseRecords {
    pub(super) all: Vec<PoseRecord>,
    /// For each part of a cell and heading the index of the best record.
    best: HashMap<u64, u32, BuildHasherDefault<MultiplyHasher>>,
    /// Whether records were expanded.
    closed: Vec<bool>,
    open: BinaryHeap<OpenPose>,
}

impl PoseRecords {
    /// Whether a record at a place is of no use: one that is closed, or of no greater key, has the same place.
    pub(super) fn is_dominated(&self, place: u64, record: &PoseRecord) -> bool {
        let known = self.best.get(&place).map(|&known| known as usize);
        known.is_some_and(|known| self.closed[known] || self.all[known].key() <= record.key())
    }

    /// Whether a record at a place was expanded.
    pub(super) fn is_closed(&self, place: u64) -> bool {
        self.best.get(&place).is_some_and(|&known| self.closed[known as usize])
    }

    /// Keeps a record that is not dominated at its place, and opens it; one at the goal has no place.
    pub(super) fn open(&mut self, place: Option<u64>, record: PoseRecord) {
        let index = self.all.len() as u32;
        if let Some(known) = place.and_then(|place| self.best.insert(place, index)) {
            // The other is never expanded.
            self.closed[known as usize] = true;
        }
        self.all.push(record);
        self.closed.push(false);
        self.open.push(OpenPose { key: record.key(), index });
    }

    /// Takes the open record of the least key, and closes it.
    pub(super) fn pop(&mut self) -> Option<u32> {
        loop {
            let index = self.open.pop()?.index;
            if !std::mem::replace(&mut self.closed[index as usize], true) {
                return Some(index);
            }
        }
    }

    /// The drives from the start to a record, as curvature and distance.
    pub(super) fn drives_to(&self, last: u32) -> Vec<(f32, f32)> {
        let (mut drives, mut index) = (Vec::new(), last);
        while let record = &self.all[index as usize]
            && record.parent != index
        {
            drives.extend(record.drives.iter().rev().filter(|drive| drive.1 != 0.0));
            index = record.parent;
        }
        drives.reverse();
        drives
    }
}
