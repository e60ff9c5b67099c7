//! The graph of all grids and links, for searches over several grids.
//!
//! [`NavLink`] is the component, and [`NavGraph`] the graph of the core; this module makes one from the other, and
//! tells which links and grids have changed.

use std::sync::{Arc, OnceLock};

use bevy::prelude::*;
use pathfind_core::{
    CellRect, GridCell, KindId,
    graph::{GridId, KindSet, Link, LinkUse, NavGraph, Place},
};

use super::cell_frame::CellFrame;
use super::{GridRef, GridTransform, Grids, LinkEnd, NavLink};
use crate::warnings::Warnings;

/// The links of the world, and the graph that they make of the grids.
#[derive(Resource, Default)]
pub(crate) struct LinkGraph {
    /// All links, in the order of their entities.
    links: Vec<PlacedLink>,
    /// Entity, map id and revision of the grids, in the order of their entities; empty while there are no links.
    grids: Vec<(Entity, u64, u64)>,
    /// Grows with every change of a link and, while there are links, of a grid; 0 if there never was a link.
    version: u64,
    /// What changed when the version last grew.
    latest: LinkChanges,
    /// The present graph, made when a search first needs it. It shares the grids, so that an edit would have to copy
    /// them: it is kept only until the end of the solve stage.
    graph: OnceLock<Arc<WorldGraph>>,
}

/// The changes of links and, while there are links, of grids between two runs of a system.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LinkChanges {
    /// Whether any link has changed.
    pub(crate) links: bool,
    /// The grids that were edited, replaced, added or removed.
    pub(crate) grids: GridBits,
}

impl LinkChanges {
    /// As if everything had changed.
    pub(crate) const ALL: Self = Self { links: true, grids: GridBits(u64::MAX) };
}

/// A set of grids as a Bloom filter with one hash: bit `index % 64` of an entity. Grids may share a bit, so a test
/// may give a false positive.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq)]
#[type_path = "bevy_pathfind"]
pub(crate) struct GridBits(u64);

impl GridBits {
    /// Whether two sets may have a grid in common; no false negatives.
    pub(crate) const fn may_meet(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl FromIterator<Entity> for GridBits {
    fn from_iter<I: IntoIterator<Item = Entity>>(grids: I) -> Self {
        Self(grids.into_iter().fold(0, |bits, grid| bits | 1 << (grid.index_u32() % u64::BITS)))
    }
}

/// A graph of the core, and the entities of its grids and links.
pub(crate) struct WorldGraph {
    pub(crate) graph: Arc<NavGraph>,
    /// Entity, map id and place of each grid.
    grids: Vec<(Entity, u64, GridTransform)>,
    /// The entity of each link of the graph: several for a strip.
    links: Vec<Entity>,
}

/// A link, and for each of its ends the grid that agents walk on (the joined grid, for a part of one) and where the
/// cells lie there.
#[derive(Clone, Copy, PartialEq)]
struct PlacedLink {
    entity: Entity,
    link: NavLink,
    ends: [(Entity, CellFrame); 2],
}

impl PlacedLink {
    /// The pairs of cells that it connects, on the grids that agents walk on.
    fn cells(&self) -> impl Iterator<Item = [(Entity, GridCell); 2]> {
        let Self { link, ends: [from, to], .. } = *self;
        let pairs = link.from.cells.cells().zip(link.to.cells.cells());
        pairs.map(move |(a, b)| [(from.0, from.1.cell(a)), (to.0, to.1.cell(b))])
    }
}

/// Notes which links and grids have changed since the last run, and warns of links that cannot be taken.
pub(super) fn update(
    links: Query<(Entity, &NavLink, Option<&Name>)>,
    grids: Grids,
    mut link_graph: ResMut<LinkGraph>,
    mut warnings: Local<Warnings>,
) {
    let link_graph = link_graph.bypass_change_detection();
    link_graph.graph = OnceLock::new();
    if links.is_empty() && link_graph.links.is_empty() {
        return;
    }
    let placed = |(entity, link, _): (Entity, &NavLink, _)| {
        let ends = [link.from, link.to].map(|end| grids.place_of(end.grid));
        PlacedLink { entity, link: *link, ends }
    };
    let mut now: Vec<_> = links.iter().map(placed).collect();
    now.sort_unstable_by_key(|link| link.entity);
    let all = grids.all();
    let revisions = |grid: &GridRef| (grid.entity, grid.nav.map_id(), grid.nav.revision());
    let grids_now: Vec<_> = all.usable().filter(|_| !now.is_empty()).map(|grid| revisions(&grid)).collect();
    if now == link_graph.links && grids_now == link_graph.grids {
        return;
    }
    let before = &link_graph.grids;
    let is_same = |grid: &_| before.binary_search(grid).is_ok() && grids_now.binary_search(grid).is_ok();
    let changed = before.iter().chain(&grids_now).filter(|grid| !is_same(grid)).map(|&(grid, ..)| grid);
    link_graph.latest = LinkChanges { links: now != link_graph.links, grids: changed.collect() };
    (link_graph.links, link_graph.grids) = (now, grids_now);
    link_graph.version += 1;
    for (entity, link, name) in &links {
        if let Some(fault) = fault(link, &grids) {
            warnings.warn(entity, name, format_args!("is a link that no agent can take: {fault}"));
        }
    }
}

/// Drops the graph, so that edits need not copy the grids that it shares.
pub(crate) fn release(mut link_graph: ResMut<LinkGraph>) {
    link_graph.bypass_change_detection().graph = OnceLock::new();
}

/// Why no agent of the default kind can take a link now; `None` if it can be taken.
#[cfg(feature = "panel")]
pub(crate) fn obstruction(link: &NavLink, grids: &Grids) -> Option<&'static str> {
    let is_walkable = |(grid, cell): (Entity, GridCell)| {
        grids.get(grid).is_some_and(|grid| grid.nav.grid().is_walkable(KindId::default(), cell))
    };
    let ends = [link.from, link.to].map(|end| grids.place_of(end.grid));
    let placed = PlacedLink { entity: Entity::PLACEHOLDER, link: *link, ends };
    if !link.is_open {
        Some("it is shut")
    } else if let Some(fault) = fault(link, grids) {
        Some(fault)
    } else if !link.kinds.contains(KindId::default()) {
        Some("it is not for the default kind of agent")
    } else if !placed.cells().any(|[from, to]| is_walkable(from) && is_walkable(to)) {
        Some("one of its ends is blocked")
    } else {
        None
    }
}

/// What is wrong with a link, so that no agent can take it even while it is open; `None` if nothing is.
fn fault(link: &NavLink, grids: &Grids) -> Option<&'static str> {
    let count = |CellRect { min, max }: CellRect| {
        let side = |min: i32, max: i32| (i64::from(max) - i64::from(min) + 1).max(0);
        i128::from(side(min.x, max.x)) * i128::from(side(min.y, max.y))
    };
    let lies_on_grid = |end: &LinkEnd| {
        let bounds = grids.own(end.grid).map(|grid| grid.nav.grid().bounds());
        bounds.is_some_and(|bounds| bounds.contains(end.cells.min) && bounds.contains(end.cells.max))
    };
    if !(link.cost >= 0.0 && link.cost.is_finite()) {
        Some("its cost is negative or not finite")
    } else if [link.from, link.to]
        .iter()
        .any(|end| !grids.get(end.grid).is_some_and(|grid| grid.place.is_usable()))
    {
        Some("one of its ends names no grid that can be used")
    } else if ![link.from, link.to].iter().all(lies_on_grid) {
        Some("one of its ends has cells outside its grid")
    } else if count(link.from.cells) == 0 || count(link.to.cells) == 0 {
        Some("one of its ends has no cells")
    } else if count(link.from.cells) != count(link.to.cells) {
        Some("its ends have different numbers of cells")
    } else {
        None
    }
}

impl LinkGraph {
    /// A number that grows with every change of a link and, while there are links, of a grid; 0 if there never was a
    /// link.
    pub(crate) const fn version(&self) -> u64 {
        self.version
    }

    /// The changes since the version `seen`, which becomes the present one; `None` if there are none. After several
    /// changes, everything counts as changed.
    pub(crate) fn changes_since(&self, seen: &mut u64) -> Option<LinkChanges> {
        match self.version - core::mem::replace(seen, self.version) {
            0 => None,
            1 => Some(self.latest),
            _ => Some(LinkChanges::ALL),
        }
    }

    /// Whether there is no link.
    pub(crate) const fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// Whether a link begins or ends on a grid.
    fn touches(&self, grid: Entity) -> bool {
        self.links.iter().any(|link| link.ends.iter().any(|&(end, _)| end == grid))
    }

    /// Whether a search from one grid to another has to consider links: while there are links, every search between
    /// two grids has to, and a search on one grid if a link begins or ends there.
    pub(crate) fn needs_links(&self, from: Entity, to: Entity) -> bool {
        !self.is_empty() && (from != to || self.touches(from))
    }

    pub(crate) fn graph(&self, grids: &Grids) -> &Arc<WorldGraph> {
        self.graph.get_or_init(|| Arc::new(WorldGraph::new(&self.links, grids)))
    }

    /// The link of an entity, if agents of this kind may now take it to this cell of a grid.
    pub(crate) fn open_link(
        &self,
        entity: Entity,
        kind: KindId,
        (grid, cell): (Entity, GridCell),
    ) -> Option<&NavLink> {
        let index = self.links.binary_search_by_key(&entity, |link| link.entity).ok()?;
        let PlacedLink { link, ends: [from, to], .. } = &self.links[index];
        let leads_there = |end: &LinkEnd, (on, frame): &(Entity, CellFrame)| {
            *on == grid && end.cells.contains(frame.cell_on(cell))
        };
        let is_there = leads_there(&link.to, to) || link.both_ways && leads_there(&link.from, from);
        Some(link).filter(|_| is_there && link.is_open && link.kinds.contains(kind))
    }
}

impl WorldGraph {
    fn new(all_links: &[PlacedLink], all: &Grids) -> Self {
        let list = all.all();
        let grids: Vec<GridRef> = list.usable().collect();
        let place = |(entity, cell): (Entity, GridCell)| {
            let id = grids.binary_search_by_key(&entity, |grid| grid.entity).ok()?;
            Some(Place::new(GridId(id as u32), cell))
        };
        let (mut links, mut entities) = (Vec::new(), Vec::new());
        for placed in all_links.iter().filter(|placed| fault(&placed.link, all).is_none()) {
            let PlacedLink { entity, link, .. } = placed;
            let kinds = if link.is_open { link.kinds } else { KindSet::NONE };
            for (from, to) in placed.cells().filter_map(|[from, to]| place(from).zip(place(to))) {
                links.push(Link { from, to, both_ways: link.both_ways, cost: link.cost, kinds });
                entities.push(*entity);
            }
        }
        let shared = grids.iter().map(|grid| grid.nav.grid().clone()).collect();
        let graph = NavGraph::new(shared, links).expect("links with faults were left out");
        let grids = grids.iter().map(|grid| (grid.entity, grid.nav.map_id(), *grid.place)).collect();
        Self { graph: Arc::new(graph), grids, links: entities }
    }

    pub(crate) fn id(&self, entity: Entity) -> Option<GridId> {
        let index = self.grids.binary_search_by_key(&entity, |&(grid, ..)| grid).ok()?;
        Some(GridId(index as u32))
    }

    /// Entity and map id of a grid.
    pub(crate) fn grid(&self, id: GridId) -> (Entity, u64) {
        let (entity, map_id, _) = self.grids[id.0 as usize];
        (entity, map_id)
    }

    pub(crate) fn place(&self, id: GridId) -> &GridTransform {
        &self.grids[id.0 as usize].2
    }

    pub(crate) fn link(&self, used: LinkUse) -> Entity {
        self.links[used.link as usize]
    }
}
