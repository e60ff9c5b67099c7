//! Links, and the graph of grids that they join.

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use std::sync::{Arc, Mutex, PoisonError};

use thiserror::Error;

use super::usable::{Region, UsableLinks};
use crate::grid::{Grid, GridCell, KindId, StepRules};

/// The number of a grid in its [`NavGraph`], from 0.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GridId(pub u32);

/// A cell of one of several grids.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Place {
    /// The grid.
    pub grid: GridId,
    /// Its cell.
    pub cell: GridCell,
}

impl Place {
    /// A cell of a grid.
    #[must_use]
    pub const fn new(grid: GridId, cell: GridCell) -> Self {
        Self { grid, cell }
    }
}

/// A set of kinds of agents.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect), type_path = "bevy_pathfind")]
#[cfg_attr(feature = "bevy_reflect", reflect(Debug, PartialEq, Hash, Serialize, Deserialize))]
pub struct KindSet(u32);

impl KindSet {
    /// Every kind.
    pub const ALL: Self = Self(u32::MAX);
    /// No kind.
    pub const NONE: Self = Self(0);

    /// The set with this kind as well. Ids of [`Grid::MAX_KINDS`] and above, which no grid has, are ignored.
    #[must_use]
    pub const fn with(self, kind: KindId) -> Self {
        Self(self.0 | Self::bit(kind))
    }

    /// The set without this kind.
    #[must_use]
    pub const fn without(self, kind: KindId) -> Self {
        Self(self.0 & !Self::bit(kind))
    }

    /// Whether the kind is in the set.
    #[must_use]
    pub const fn contains(self, kind: KindId) -> bool {
        self.0 & Self::bit(kind) != 0
    }

    const fn bit(kind: KindId) -> u32 {
        // A set has a bit for each kind that a grid can have.
        const { assert!(Grid::MAX_KINDS == 32) };
        if kind.0 < 32 { 1 << kind.0 } else { 0 }
    }
}

/// A connection from one cell to another in addition to the steps of the grids: between two grids, or on one.
///
/// It can be taken while an agent may stand on both of its cells.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Link {
    /// Where it begins.
    pub from: Place,
    /// Where it leads to.
    pub to: Place,
    /// Whether it can be taken backwards as well.
    pub both_ways: bool,
    /// The cost of a crossing; a straight step on ground costs 1. Range: 0 and up.
    pub cost: f32,
    /// The kinds of agents that may take it; [`KindSet::NONE`] shuts it.
    pub kinds: KindSet,
}

impl Link {
    /// A link for every kind, both ways.
    #[must_use]
    pub const fn new(from: Place, to: Place, cost: f32) -> Self {
        Self { from, to, both_ways: true, cost, kinds: KindSet::ALL }
    }
}

/// A link in one of its directions.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LinkUse {
    /// The index of the link in [`NavGraph::links`].
    pub link: u32,
    /// Whether it is taken from its `to` to its `from`.
    pub is_backwards: bool,
}

/// The links that can be taken by each kind of agent with each rule of steps.
type UsableByKind = Vec<((KindId, StepRules), Arc<UsableLinks>)>;

/// Grids joined by links. Grids are shared, and so a copy is cheap: make a new graph after a change.
///
/// ```
/// use std::sync::Arc;
/// use pathfind_core::graph::{GraphQuery, GridId, Link, NavGraph, Place, solve_graph};
/// use pathfind_core::{GridCell, Grid, SearchScratch};
/// let floor = Arc::new(Grid::new(10, 10)?);
/// let (ground, upper) = (GridId(0), GridId(1));
/// let stairs = Link::new(Place::new(ground, GridCell::new(9, 5)), Place::new(upper, GridCell::new(9, 5)), 4.0);
/// let graph = Arc::new(NavGraph::new(vec![floor.clone(), floor], vec![stairs])?);
/// let query = GraphQuery::new(Place::new(ground, GridCell::new(0, 5)), upper, GridCell::new(0, 5));
/// let answer = solve_graph(&graph, query, SearchScratch::default()).0?;
/// assert_eq!((answer.legs.len(), answer.cost), (2, 9.0 + 4.0 + 9.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct NavGraph {
    grids: Vec<Arc<Grid>>,
    links: Vec<Link>,
    /// The links that can be taken, by kind of agent and steps, as far as they were asked for.
    usable: Arc<Mutex<UsableByKind>>,
}

impl NavGraph {
    /// A graph of grids and links.
    ///
    /// # Errors
    /// A [`LinkError`] if a link names a grid that is not in the list, or has a cost that is negative or not finite.
    pub fn new(grids: Vec<Arc<Grid>>, links: Vec<Link>) -> Result<Self, LinkError> {
        for (index, link) in links.iter().enumerate() {
            if !(link.cost >= 0.0 && link.cost.is_finite()) {
                return Err(LinkError::BadCost { link: index, cost: link.cost });
            }
            for Place { grid, .. } in [link.from, link.to] {
                if grid.0 as usize >= grids.len() {
                    return Err(LinkError::UnknownGrid { link: index, grid });
                }
            }
        }
        Ok(Self { grids, links, usable: Arc::default() })
    }

    /// The grids, in the order of their ids.
    #[must_use]
    pub fn grids(&self) -> &[Arc<Grid>] {
        &self.grids
    }

    /// A grid by its id.
    #[must_use]
    pub fn grid(&self, id: GridId) -> Option<&Arc<Grid>> {
        self.grids.get(id.0 as usize)
    }

    /// The links, in the order in which they were given.
    #[must_use]
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Where a use of a link begins, and where it leads to; `None` if the graph has no link of this index.
    #[must_use]
    pub fn ends(&self, used: LinkUse) -> Option<[Place; 2]> {
        let link = self.links.get(used.link as usize)?;
        Some(if used.is_backwards { [link.to, link.from] } else { [link.from, link.to] })
    }

    /// The cells that an agent can reach from a place over any links, of each grid the one nearest to `to(grid)`; of
    /// a grid without reachable cells none. For a goal that cannot be reached itself: only a caller that knows where
    /// the grids lie can say what is near it. Empty if the agent may not stand on the place. Directed rules of edges
    /// do not count (see [`Grid::connected`]).
    #[must_use]
    pub fn nearest_reachable(
        &self,
        from: Place,
        kind: KindId,
        steps: StepRules,
        to: impl Fn(GridId) -> GridCell,
    ) -> Vec<Place> {
        let Some(start) = self.region(kind, steps, from) else { return Vec::new() };
        let regions = self.usable(kind, steps).connected::<false>(&[start]);
        let mut nearest = Vec::new();
        let of_each_grid = regions.chunk_by(|(one, _), (other, _)| one == other);
        let places = of_each_grid.filter_map(|regions| {
            let (id, to) = (regions[0].0, to(regions[0].0));
            let cells = regions.iter().flat_map(|&(_, region)| {
                self.grids[id.0 as usize].nearest_in_region(kind, steps, region, &[to], &mut nearest);
                nearest.first().copied()
            });
            let cell = cells.min_by_key(|cell| (cell.distance_squared(to), cell.y, cell.x))?;
            Some(Place::new(id, cell))
        });
        places.collect()
    }

    /// The connected region of a place; `None` if an agent may not stand there.
    pub(super) fn region(
        &self,
        kind: KindId,
        steps: StepRules,
        Place { grid, cell }: Place,
    ) -> Option<Region> {
        Some((grid, self.grid(grid)?.region(kind, steps, cell)?))
    }

    /// The links that a kind of agent can take, as the grids are now. They are computed once for each kind and rule.
    pub(super) fn usable(&self, kind: KindId, steps: StepRules) -> Arc<UsableLinks> {
        let mut known = self.usable.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, usable)) = known.iter().find(|(of, _)| *of == (kind, steps)) {
            return usable.clone();
        }
        let usable = Arc::new(UsableLinks::new(self, kind, steps));
        known.push(((kind, steps), usable.clone()));
        usable
    }
}

/// Why links and grids make no graph.
#[derive(Error, Copy, Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum LinkError {
    /// A link names a grid that is not in the graph.
    #[error("link {link} names grid {}, which is not in the graph", grid.0)]
    UnknownGrid {
        /// The index of the link.
        link: usize,
        /// The grid that it names.
        grid: GridId,
    },
    /// The cost of a link is negative or not finite.
    #[error("link {link} costs {cost}, which is negative or not finite")]
    BadCost {
        /// The index of the link.
        link: usize,
        /// Its cost.
        cost: f32,
    },
}
