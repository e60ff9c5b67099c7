//! Packed cells: with so many bodies that to compare each of them with all the others would take too long.
//!
//! The bodies of a packed cell are in the order of a k-d tree (J. Bentley, "Multidimensional binary search trees used
//! for associative searching", 1975) whose nodes keep their bounds: a search for the nearest bodies skips nodes that are
//! too far away, and is exact. Passes over all bodies read a sample of each node that is small for their radius.

use std::ops::{Range, RangeInclusive};

use glam::Vec3;

use super::Neighbors;
use super::cell_grid::grown;
use super::neighbor::NearestBodies;
use crate::body::Body;

/// The largest number of bodies in a cell that is not packed.
const PACKED: u32 = 256;

/// The largest number of bodies in a leaf.
const LEAF: usize = 32;

/// The number of bodies in a sample, evenly spread over the slots of a node. A prime, so that the sample does not fall
/// in with a pattern in the order of the bodies.
const SAMPLE: usize = 61;

/// Nodes with more bodies are sampled, if they are small.
const SAMPLED: usize = 2 * SAMPLE;

/// The bodies of a packed cell, or of a part of it. A node with more than [`LEAF`] bodies is followed by its two parts.
#[derive(Clone, Debug)]
pub(super) struct TreeNode {
    slots: Range<usize>,
    /// The node behind the last part of this one.
    next: usize,
    /// The bounds of positions, in the grid's axes, and of groups.
    low: Vec3,
    high: Vec3,
    groups: RangeInclusive<u32>,
    /// The least index of a body.
    first: u32,
}

impl Neighbors {
    /// Whether any cell is packed.
    pub(crate) const fn has_packed_cells(&self) -> bool {
        self.fullest > PACKED
    }

    /// Orders the bodies of packed cells by trees.
    #[cold]
    pub(super) fn plant(&mut self, bodies: &[Body], groups: &[u32]) {
        for cell in 1..self.starts.len() {
            let slots = self.starts[cell - 1] as usize..self.starts[cell] as usize;
            if slots.len() > PACKED as usize {
                self.roots.push(self.nodes.len());
                self.split(slots.clone(), bodies, groups);
                for slot in slots {
                    self.slots[self.order[slot] as usize] = slot as u32;
                }
            }
        }
    }

    /// Adds the node of some slots and orders their bodies.
    fn split(&mut self, slots: Range<usize>, bodies: &[Body], groups: &[u32]) {
        let axes = self.axes;
        let place = |index: u32| axes.grid(bodies[index as usize].position);
        let group = |index: u32| groups.get(index as usize).copied().unwrap_or_default();
        let indices = &mut self.order[slots.clone()];
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let (mut first, mut least, mut greatest) = (u32::MAX, u32::MAX, 0);
        for &index in &*indices {
            (low, high) = (low.min(place(index)), high.max(place(index)));
            (first, least, greatest) =
                (first.min(index), least.min(group(index)), greatest.max(group(index)));
        }
        let node = self.nodes.len();
        self.nodes.push(TreeNode {
            slots: slots.clone(),
            next: 0,
            low,
            high,
            groups: least..=greatest,
            first,
        });
        if slots.len() > LEAF {
            // In the middle, so that a few bodies apart leave a dense crowd in one node.
            let axis = (high - low).max_position();
            let middle = 0.5 * low[axis] + 0.5 * high[axis];
            let middle = if middle < high[axis] { middle } else { low[axis] };
            let is_above = |index: u32| place(index)[axis] > middle;
            let half = if low == high {
                let half = slots.len() / 2;
                indices.select_nth_unstable_by_key(half, |&index| (group(index), index));
                half
            } else {
                indices.sort_unstable_by_key(|&index| is_above(index));
                indices.partition_point(|&index| !is_above(index))
            };
            self.split(slots.start..slots.start + half, bodies, groups);
            self.split(slots.start + half..slots.end, bodies, groups);
        } else {
            indices.sort_unstable();
        }
        self.nodes[node].next = self.nodes.len();
    }

    /// Visits the slots of each cell that may hold a body within `radius` of a box, in the order of the slots; with the
    /// root of its tree, if it is packed.
    fn for_each_cell(
        &self,
        (low, high): (Vec3, Vec3),
        radius: f32,
        mut visit: impl FnMut(Range<usize>, Option<usize>),
    ) {
        self.cell_grid.for_each_run(low, high, radius, |cells| {
            for cell in self.starts[cells.start..=cells.end].windows(2).filter(|cell| cell[0] < cell[1]) {
                let slots = cell[0] as usize..cell[1] as usize;
                let find = || self.roots.partition_point(|&root| self.nodes[root].slots.start < slots.start);
                let root = (slots.len() > PACKED as usize).then(|| self.roots[find()]);
                visit(slots, root);
            }
        });
    }

    /// Visits ranges of slots that together hold every body within `radius` of a place (in the grid's axes), and some
    /// farther bodies; in the order of the slots, with the number of bodies that each of a range stands for. That is 1,
    /// except in a crowd of more than [`SAMPLED`] bodies that is half as wide as the radius: there a sample is visited,
    /// the same for all places.
    #[inline]
    pub(crate) fn for_each_sample(&self, at: Vec3, radius: f32, mut visit: impl FnMut(Range<usize>, f32)) {
        if self.has_packed_cells() {
            self.sample_cells((at, at), radius, &mut visit);
        } else {
            self.for_each_range(at, radius, |range| visit(range, 1.0));
        }
    }

    /// [`for_each_sample`](Self::for_each_sample) of a box.
    #[cold]
    pub(super) fn sample_cells(
        &self,
        (low, high): (Vec3, Vec3),
        radius: f32,
        visit: &mut dyn FnMut(Range<usize>, f32),
    ) {
        let within = grown(radius) * grown(radius);
        self.for_each_cell((low, high), radius, |slots, root| {
            let Some(root) = root else { return visit(slots, 1.0) };
            let mut at = root;
            while at < self.nodes[root].next {
                let node = &self.nodes[at];
                let (start, count) = (node.slots.start, node.slots.len());
                let gap = (node.low - high).max(low - node.high).max(Vec3::ZERO);
                let is_near = gap.length_squared() <= within;
                let is_small = (node.high - node.low).max_element() <= 0.5 * radius;
                if is_near && count > SAMPLED && !is_small {
                    // Its halves are next.
                    at += 1;
                    continue;
                }
                at = node.next;
                if is_near && count <= SAMPLED {
                    visit(node.slots.clone(), 1.0);
                } else if is_near {
                    let slots = (0..SAMPLE).map(|at| start + at * count / SAMPLE);
                    slots.for_each(|slot| visit(slot..slot + 1, count as f32 / SAMPLE as f32));
                }
            }
        });
    }

    /// Adds the nearest bodies of all cells.
    pub(super) fn search(&self, radius: f32, nearest: &mut NearestBodies<'_>) {
        if !self.has_packed_cells() {
            return self.for_each_range(nearest.at, radius, |range| nearest.look(self, range));
        }
        self.for_each_cell((nearest.at, nearest.at), radius, |slots, root| match root {
            None => nearest.look(self, slots),
            Some(root) => self.search_node(root, nearest),
        });
    }

    /// Adds the nearest bodies of a node: its nearer half first.
    fn search_node(&self, at: usize, nearest: &mut NearestBodies<'_>) {
        let node = &self.nodes[at];
        let distance =
            |node: &TreeNode| (nearest.at.clamp(node.low, node.high) - nearest.at).length_squared();
        if !nearest.may_be_in(distance(node), node.first, &node.groups) {
            return;
        }
        if node.slots.len() <= LEAF {
            return nearest.look(self, node.slots.clone());
        }
        let (left, right) = (at + 1, self.nodes[at + 1].next);
        let is_right_first = distance(&self.nodes[right]) < distance(&self.nodes[left]);
        let halves = if is_right_first { [right, left] } else { [left, right] };
        halves.into_iter().for_each(|half| self.search_node(half, nearest));
    }
}
