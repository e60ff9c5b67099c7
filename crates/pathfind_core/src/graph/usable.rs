//! The links that a kind of agent can take, and the connected regions that they join.

use core::ops::Range;
use std::collections::HashMap;

use super::{GridId, LinkUse, NavGraph, Place};
use crate::grid::{CellRect, GridCell, KindId, StepRules};

pub(super) type Region = (GridId, u32);

/// A link that can be taken, in one direction.
#[derive(Copy, Clone, Debug)]
pub(super) struct UsableLink {
    pub(super) used: LinkUse,
    pub(super) from: Place,
    pub(super) to: Place,
    pub(super) cost: f64,
    /// The region in which it begins, and the one that it leads to: indices into [`UsableLinks::regions`].
    region: [u32; 2],
}

/// The most links of a [`LinkGroup`] without parts of its own. Up to this number bounds are computed for all at once, which
/// takes less time than to find out which of them may change.
const FEW: usize = 64;

/// Links that lead to one region: all of them, or those of a half of a larger part, which lie near to each other.
#[derive(Clone, Debug)]
pub(super) struct LinkGroup {
    pub(super) links: Range<u32>,
    /// A rectangle round the cells that they lead to.
    pub(super) rect: CellRect,
    /// The part's two halves, indices into [`UsableLinks::parts`]; `None` for few links.
    pub(super) halves: Option<[u32; 2]>,
}

/// All links that a kind of agent can take on a graph.
#[derive(Debug, Default)]
pub(super) struct UsableLinks {
    /// In the order of the regions that they lead to and of `parts`, so that the links of a part lie side by side.
    links: Vec<UsableLink>,
    /// Column and row of the cell that each link leads to: all that bounds are computed from.
    far_ends: [Vec<f64>; 2],
    pub(super) parts: Vec<LinkGroup>,
    regions: Vec<Region>,
    index_of: HashMap<Region, u32>,
    /// For each region the links that begin in it.
    exits: Vec<Vec<u32>>,
    /// For each region the part of all links that lead to it, if there are any.
    entrances: Vec<Option<u32>>,
}

impl UsableLinks {
    pub(super) fn new(graph: &NavGraph, kind: KindId, steps: StepRules) -> Self {
        let mut usable = Self::default();
        for (index, link) in graph.links().iter().enumerate().filter(|(_, link)| link.kinds.contains(kind)) {
            let region = |place: Place| graph.region(kind, steps, place);
            let Some(regions) = region(link.from).zip(region(link.to)) else { continue };
            let (a, b) = (usable.index(regions.0), usable.index(regions.1));
            let mut add = |is_backwards: bool, [from, to]: [Place; 2], region: [u32; 2]| {
                let used = LinkUse { link: index as u32, is_backwards };
                usable.links.push(UsableLink { used, from, to, cost: f64::from(link.cost), region });
            };
            add(false, [link.from, link.to], [a, b]);
            if link.both_ways {
                add(true, [link.to, link.from], [b, a]);
            }
        }
        usable.sort();
        usable
    }

    /// Sorts the links by the regions that they lead to, and lists them by region.
    fn sort(&mut self) {
        self.links.sort_by_key(|link| link.region[1]);
        let mut first = 0;
        while let Some(&UsableLink { region: [_, to], .. }) = self.links.get(first) {
            let count = self.links[first..].partition_point(|link| link.region[1] == to);
            self.entrances[to as usize] = Some(self.add_part(first..first + count, true));
            first += count;
        }
        for (number, link) in (0..).zip(&self.links) {
            self.exits[link.region[0] as usize].push(number);
        }
        let far_ends =
            |side: fn(GridCell) -> i32| self.links.iter().map(|link| f64::from(side(link.to.cell))).collect();
        self.far_ends = [far_ends(|cell| cell.x), far_ends(|cell| cell.y)];
    }

    /// Adds a part and the parts of it, halved by rows and by columns in turn. Returns its index.
    fn add_part(&mut self, links: Range<usize>, by_row: bool) -> u32 {
        let own = &mut self.links[links.clone()];
        let cells = own.iter().map(|link| CellRect::new(link.to.cell, link.to.cell));
        let rect = cells.reduce(CellRect::union).expect("a part has links");
        let index = self.parts.len();
        self.parts.push(LinkGroup { links: links.start as u32..links.end as u32, rect, halves: None });
        if own.len() > FEW {
            let middle = own.len() / 2;
            let place = |GridCell { x, y }: GridCell| if by_row { (y, x) } else { (x, y) };
            own.select_nth_unstable_by_key(middle, |link| (place(link.to.cell), link.used));
            let middle = links.start + middle;
            let halves = [links.start..middle, middle..links.end].map(|half| self.add_part(half, !by_row));
            self.parts[index].halves = Some(halves);
        }
        index as u32
    }

    /// The index of a region, which is added if it is new.
    fn index(&mut self, region: Region) -> u32 {
        *self.index_of.entry(region).or_insert_with(|| {
            self.regions.push(region);
            self.exits.push(Vec::new());
            self.entrances.push(None);
            self.regions.len() as u32 - 1
        })
    }

    pub(super) fn link(&self, number: u32) -> &UsableLink {
        &self.links[number as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.links.len()
    }

    pub(super) fn exits(&self, region: Region) -> &[u32] {
        self.index_of.get(&region).map_or(&[], |&index| &self.exits[index as usize])
    }

    pub(super) fn entrances(&self, region: Region) -> Range<u32> {
        let part = self.index_of.get(&region).and_then(|&index| self.entrances[index as usize]);
        part.map_or(0..0, |part| self.parts[part as usize].links.clone())
    }

    /// The part of all links that lead to the region in which a link begins.
    pub(super) fn before(&self, number: u32) -> Option<u32> {
        self.entrances[self.link(number).region[0] as usize]
    }

    /// Column and row of the cells that some links lead to.
    pub(super) fn far_ends(&self, links: &Range<u32>) -> impl Iterator<Item = [f64; 2]> {
        let [x, y] = self.far_ends.each_ref().map(|ends| &ends[links.start as usize..links.end as usize]);
        x.iter().zip(y).map(|(&x, &y)| [x, y])
    }

    /// The regions `from` and all that links lead to from there; with `BACKWARDS` all from which links lead there.
    pub(super) fn connected<const BACKWARDS: bool>(&self, from: &[Region]) -> Vec<Region> {
        let mut seen = vec![false; self.regions.len()];
        // A region without links has no index.
        let (mut open, without_links): (Vec<_>, Vec<_>) =
            from.iter().partition(|region| self.index_of.contains_key(*region));
        let mut found: Vec<Region> = without_links;
        open.retain(|region| !core::mem::replace(&mut seen[self.index_of[region] as usize], true));
        while let Some(region) = open.pop() {
            found.push(region);
            let entrances = if BACKWARDS { self.entrances(region) } else { 0..0 };
            let exits = if BACKWARDS { &[] } else { self.exits(region) };
            for link in entrances.chain(exits.iter().copied()) {
                let there = self.link(link).region[usize::from(!BACKWARDS)];
                if !core::mem::replace(&mut seen[there as usize], true) {
                    open.push(self.regions[there as usize]);
                }
            }
        }
        found.sort_unstable();
        found
    }

    pub(super) fn regions(&self, number: u32) -> [Region; 2] {
        self.link(number).region.map(|index| self.regions[index as usize])
    }
}
