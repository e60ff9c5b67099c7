//! The search over areas of the grid: A* over the map of areas that the grid's regions keep.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::PathQuery;
use crate::grid::{Area, Directions, Grid, GridCell};

/// An area that the search over areas has reached, and the cheapest path to it so far.
#[derive(Copy, Clone, Debug)]
struct AreaNode {
    cost: f32,
    before: u32,
    /// The cell through which paths over this area are taken to lead.
    place: GridCell,
    area: Area,
    is_closed: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct AreaScratch {
    /// For each area of the grid the index of its node, or [`Self::UNKNOWN`].
    slots: Vec<u32>,
    /// The indices of the areas that have nodes.
    areas: Vec<u32>,
    nodes: Vec<AreaNode>,
    open: BinaryHeap<Reverse<(u32, u32)>>,
}

impl AreaScratch {
    const UNKNOWN: u32 = u32::MAX;

    fn begin(&mut self, areas: usize) {
        for area in self.areas.drain(..) {
            self.slots[area as usize] = Self::UNKNOWN;
        }
        if self.slots.len() < areas {
            self.slots.resize(areas, Self::UNKNOWN);
        }
        self.nodes.clear();
        self.open.clear();
    }
}

/// The places along the cheapest path over areas to a goal that can be reached, from the start to the goal; and how
/// many areas were expanded to find them.
pub(super) fn places(
    grid: &Grid,
    query: &PathQuery,
    goal: GridCell,
    scratch: &mut AreaScratch,
) -> (Vec<GridCell>, u64) {
    let (regions, walkable) = grid.regions(query.kind, query.steps);
    let (first, last) = (regions.area(walkable, query.start), regions.area(walkable, goal));
    let diagonal = query.steps.diagonal.value() as f32;
    let is_four = query.steps.directions == Directions::Four;
    let distance = |from: GridCell, to: GridCell| {
        let (dx, dy) = (from.x.abs_diff(to.x) as f32, from.y.abs_diff(to.y) as f32);
        if is_four { dx + dy } else { dx.max(dy) - dx.min(dy) + dx.min(dy) * diagonal }
    };
    scratch.begin(regions.area_count());
    let AreaScratch { slots, areas, nodes, open } = scratch;
    let (start, end) = (regions.area_index(first), regions.area_index(last));
    slots[start] = 0;
    areas.push(start as u32);
    nodes.push(AreaNode { cost: 0.0, before: 0, place: query.start, area: first, is_closed: false });
    // Costs are not negative, so that they have the order of their bits; of equal ones the area found first comes
    // first.
    open.push(Reverse((distance(query.start, goal).to_bits(), 0)));
    let (mut expanded, mut found) = (0, 0);
    while let Some(Reverse((_, at))) = open.pop() {
        let node = &mut nodes[at as usize];
        if std::mem::replace(&mut node.is_closed, true) {
            continue;
        }
        let AreaNode { cost, place: here, area, .. } = *node;
        expanded += 1;
        if area == last {
            found = at as usize;
            break;
        }
        regions.areas_around(area, |next| {
            let index = regions.area_index(next);
            if slots[index] == AreaScratch::UNKNOWN {
                slots[index] = nodes.len() as u32;
                areas.push(index as u32);
                let place = if index == end { goal } else { regions.middle(next) };
                nodes.push(AreaNode { cost: f32::INFINITY, before: 0, place, area: next, is_closed: false });
            }
            let node = &mut nodes[slots[index] as usize];
            let total = cost + distance(here, node.place);
            if total < node.cost && !node.is_closed {
                (node.cost, node.before) = (total, at);
                open.push(Reverse(((total + distance(node.place, goal)).to_bits(), slots[index])));
            }
        });
    }
    let mut places = vec![nodes[found].place];
    while found != 0 {
        found = nodes[found].before as usize;
        places.push(nodes[found].place);
    }
    places.reverse();
    (places, expanded)
}
