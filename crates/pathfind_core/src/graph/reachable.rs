//! Which connected regions of the grids can be reached through links.

use std::collections::HashSet;

use super::{GridId, LinkUse, NavGraph, Place};
use crate::grid::{Cell, KindId, Steps};

/// The connected regions that a kind of agent can reach from a place, over all grids.
#[derive(Clone, Debug)]
pub(super) struct Reachable {
    /// Grid and number of each region.
    regions: HashSet<(GridId, u32)>,
    /// The links that can be taken from them.
    exits: Vec<LinkUse>,
}

impl Reachable {
    /// Follows the links from a place: no search on any grid. From a blocked place nothing can be reached.
    pub(super) fn from(graph: &NavGraph, start: Place, kind: KindId, steps: Steps) -> Self {
        let region = |place: Place| graph.grid(place.grid)?.region(kind, steps, place.cell);
        let mut found = Self { regions: HashSet::new(), exits: Vec::new() };
        let mut open: Vec<_> = region(start).map(|number| (start.grid, number)).into_iter().collect();
        found.regions.extend(&open);
        while let Some((grid, number)) = open.pop() {
            for used in graph.exits(grid, kind) {
                let [from, to] = graph.ends(used);
                if region(from) != Some(number) {
                    continue;
                }
                found.exits.push(used);
                let there = region(to).map(|number| (to.grid, number));
                open.extend(there.filter(|&there| found.regions.insert(there)));
            }
        }
        found
    }

    /// Whether a region can be reached.
    pub(super) fn contains(&self, region: &(GridId, u32)) -> bool {
        self.regions.contains(region)
    }

    /// The links that can be taken.
    pub(super) fn exits(&self) -> &[LinkUse] {
        &self.exits
    }

    /// The numbers of the regions of a grid that can be reached, in no order.
    pub(super) fn regions_of(&self, grid: GridId) -> impl Iterator<Item = u32> {
        self.regions.iter().filter(move |(of, _)| *of == grid).map(|&(_, number)| number)
    }

    /// The cells of a region that are nearest to `to`, all at the same distance.
    pub(super) fn nearest_in(
        graph: &NavGraph,
        (grid, region): (GridId, u32),
        to: Cell,
        kind: KindId,
        steps: Steps,
    ) -> Vec<Cell> {
        let mut nearest = Vec::new();
        if let Some(grid) = graph.grid(grid) {
            grid.nearest_in_region(kind, steps, region, &[to], &mut nearest);
        }
        nearest
    }
}
