//! The cells that a fleeing agent reaches before its threats, and those of them from which the way leads on.

use super::super::astar::{CellByCell, KeyOrder};
use super::super::costs::StepCosts;
use super::super::near_edges::NearEdges;
use super::super::nodes::{AdjacentParent, Node, Nodes};
use super::super::run::{Slice, prepare_flood};
use super::super::strategy::{Expansion, Kernel, Strategy, SuccessorSink, UnitLimits};
use super::super::{Heuristic, Metrics, SearchScratch};
use super::FleeQuery;
use super::thinning::{CellMap, Role};
use crate::grid::{CellRect, Grid, GridCell};

/// A query with what it is asked of. Its steps are those of the kind of agent.
pub(super) struct Flight<'f> {
    pub(super) grid: &'f Grid,
    pub(super) query: FleeQuery,
    /// The distance by path between a cell and the nearest threat.
    pub(super) threat_distance: &'f dyn Fn(GridCell) -> Option<f32>,
}

/// A cell that the agent reaches before the threats.
#[derive(Copy, Clone)]
pub(super) struct OwnCell {
    pub(super) cell: GridCell,
    pub(super) g: u64,
    /// The distance from the nearest threat.
    pub(super) distance: f32,
}

impl Flight<'_> {
    /// Closes the cells that the agent reaches before the threats, with the costs of their paths.
    pub(super) fn search(&self, scratch: &mut SearchScratch) {
        let FleeQuery { start, kind, steps, limit, max_cells, .. } = self.query;
        scratch.costs.set(self.grid, kind, steps, 1);
        prepare_flood(self.grid, scratch);
        let SearchScratch { nodes, buckets, heap, costs, targets, .. } = scratch;
        let costs = &*costs;
        let limits = &mut UnitLimits { cost: costs.units(limit.into()), ..UnitLimits::none() };
        let (heuristic, metrics, starts) = (Heuristic::Chebyshev, &mut Metrics::default(), &[start.into()]);
        let kernel = Kernel { nodes, costs, targets, heuristic, metrics, limits };
        let mut slice = Slice { kernel, starts, buckets, heap, budget: max_cells.max(1), observer: &mut () };
        let (agent, order) = ((kind, steps), KeyOrder::Cost);
        // Cells are not pruned for a cheaper way of two steps: the threat may reach the cell between first.
        let is_pruned_by_two = false;
        let arrives_first = |node: Node, g| self.arrives_first(node.cell(), costs.cost(g));
        _ = if let Some(steps) = NearEdges::<false>::new(self.grid, agent, costs, order, is_pruned_by_two) {
            slice.on_buckets(&Ahead { steps, arrives_first })
        } else if costs.weighted {
            let steps = CellByCell::<true>::new(self.grid, agent, costs, order, is_pruned_by_two);
            slice.on_buckets(&Ahead { steps, arrives_first })
        } else {
            let steps = CellByCell::<false>::new(self.grid, agent, costs, order, is_pruned_by_two);
            slice.on_buckets(&Ahead { steps, arrives_first })
        };
    }

    /// Whether an agent whose way to a cell costs this much is there before the threats.
    fn arrives_first(&self, cell: GridCell, cost: f64) -> bool {
        let distance = (self.threat_distance)(cell);
        distance.is_none_or(|distance| cost as f32 * self.query.speed_ratio < distance)
    }

    /// The cells that the search closed, best first.
    pub(super) fn own_cells(&self, scratch: &SearchScratch) -> Vec<OwnCell> {
        let nodes = &scratch.nodes;
        let own = nodes.closed().map(|node| {
            let (cell, g) = (node.cell(), nodes.g::<AdjacentParent>(node));
            OwnCell { cell, g, distance: (self.threat_distance)(cell).unwrap_or(f32::INFINITY) }
        });
        let mut own: Vec<OwnCell> = own.collect();
        let most = self.query.safe_distance;
        own.sort_unstable_by(|a, b| {
            let by_distance = b.distance.min(most).total_cmp(&a.distance.min(most));
            by_distance.then(a.g.cmp(&b.g)).then((a.cell.y, a.cell.x).cmp(&(b.cell.y, b.cell.x)))
        });
        own
    }

    /// The own cells that thinning leaves, best first: those on ways that the threats cannot shut.
    ///
    /// Threats on two sides that only lead to each other through the agent's cells shut the way between them, so that each
    /// side has a thinning of its own, in which the cells of the other sides are walls.
    pub(super) fn ways_on(&self, own: &[OwnCell], nodes: &Nodes, costs: &StepCosts) -> Vec<OwnCell> {
        let rect = own.iter().map(|own| CellRect::new(own.cell, own.cell)).reduce(CellRect::union);
        let Some(rect) = rect.map(|rect| rect.grown(1)) else { return Vec::new() };
        let mut roles = CellMap::new(rect, Role::Gone);
        let mut fronts = Vec::new();
        for own in own {
            self.set_roles(own, &mut roles, &mut fronts, (nodes, costs));
        }
        let left_of = |mut roles: CellMap<Role>| {
            roles.thin(own.iter().rev().map(|own| own.cell), self.query.steps.joins_corners());
            own.iter().map(|own| roles.get(own.cell) != Some(Role::Gone)).collect::<Vec<bool>>()
        };
        let mut leads_on = left_of(roles.clone());
        let sides = if leads_on.contains(&true) { self.sides(rect, &fronts, nodes) } else { Vec::new() };
        let count = sides.iter().max().map_or(0, |last| last + 1);
        if count > 1 {
            leads_on.fill(false);
            for side in 0..count {
                let mut roles = roles.clone();
                let others = fronts.iter().zip(&sides).filter(|&(_, of)| *of != side);
                others.for_each(|(&cell, _)| roles.set(cell, Role::Gone));
                leads_on.iter_mut().zip(left_of(roles)).for_each(|(leads_on, left)| *leads_on |= left);
            }
        }
        own.iter().zip(leads_on).filter(|&(_, leads_on)| leads_on).map(|(own, _)| *own).collect()
    }

    /// Sets the role of an own cell and of its neighbours that are none: threats' cells and cells beyond the limit stay,
    /// and so does an own cell from which the way leads on beyond the limit. Adds the threats' cells to `fronts`.
    fn set_roles(
        &self,
        own: &OwnCell,
        roles: &mut CellMap<Role>,
        fronts: &mut Vec<GridCell>,
        (nodes, costs): (&Nodes, &StepCosts),
    ) {
        let mut leads_on = own.distance == f32::INFINITY;
        let is_inside = nodes.closed_neighbors(own.cell.into()) == 0xff;
        let agent = (self.query.kind, self.query.steps);
        let steps = costs.legal_steps::<false>(self.grid, agent, own.cell);
        for (_, beside, cost) in steps.take(if is_inside { 0 } else { 8 }) {
            if nodes.is_closed(beside.into()) {
                continue;
            }
            let is_beyond = self.arrives_first(beside, costs.cost(own.g + cost));
            leads_on |= is_beyond;
            if !is_beyond && roles.get(beside) == Some(Role::Gone) {
                fronts.push(beside);
            }
            roles.set(beside, Role::Kept);
        }
        roles.set(own.cell, if leads_on { Role::Kept } else { Role::Loose });
    }

    /// For each front cell the number of the side that it belongs to. Cells of one side hang together by cells that are
    /// not the agent's, no farther from the threats than the front is.
    fn sides(&self, own: CellRect, fronts: &[GridCell], nodes: &Nodes) -> Vec<u32> {
        let distance = |cell| (self.threat_distance)(cell).unwrap_or(f32::INFINITY);
        let most = fronts.iter().map(|&cell| distance(cell)).fold(0.0, f32::max);
        // The cells between a front and its threat lie this far from the front at most, where steps cost at least 1.
        let near = own.grown((most as i32).saturating_mul(2)).intersection(self.grid.bounds());
        let rect = near.unwrap_or(own);
        const NONE: u32 = u32::MAX;
        let beside = |cell: GridCell| {
            let steps = self.grid.steps_from(self.query.kind, self.query.steps, cell);
            steps.map(move |direction| cell.step(direction)).filter(|&cell| !nodes.is_closed(cell.into()))
        };
        let (mut side_of, mut count, mut way) = (CellMap::new(rect, NONE), 0, Vec::new());
        // With one threat all fronts are one side: downhill they come to the same cell.
        for &front in fronts {
            let mut cell = front;
            let side = loop {
                if let Some(side) = side_of.get(cell).filter(|&side| side != NONE) {
                    break side;
                }
                way.push(cell);
                let next = beside(cell).min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
                match next.filter(|&next| distance(next) < distance(cell)) {
                    Some(next) => cell = next,
                    None => {
                        count += 1;
                        break count - 1;
                    }
                }
            };
            way.drain(..).for_each(|cell| side_of.set(cell, side));
        }
        if count > 1 {
            (side_of, count) = (CellMap::new(rect, NONE), 0);
            for &front in fronts {
                if side_of.get(front) != Some(NONE) {
                    continue;
                }
                side_of.set(front, count);
                way.push(front);
                while let Some(cell) = way.pop() {
                    for cell in beside(cell).filter(|&cell| distance(cell) <= most) {
                        if side_of.get(cell) == Some(NONE) {
                            side_of.set(cell, count);
                            way.push(cell);
                        }
                    }
                }
                count += 1;
            }
        }
        fronts.iter().filter_map(|&front| side_of.get(front)).collect()
    }
}

/// The steps of another search, only onto cells where the agent `arrives_first`.
struct Ahead<S, F> {
    steps: S,
    /// By the node and the cost of the path to it.
    arrives_first: F,
}

impl<S: Strategy, F: Fn(Node, u64) -> bool> Strategy for Ahead<S, F> {
    type ParentEncoding = S::ParentEncoding;

    #[inline]
    fn key(&self, g: u64, h: u64) -> u64 {
        self.steps.key(g, h)
    }

    #[inline]
    fn validate_parent(&self, node: Node, path: (u64, Node), _: &mut Nodes, _: u64) -> Option<(u64, Node)> {
        (self.arrives_first)(node, path.0).then_some(path)
    }

    #[inline]
    fn expand(&self, from: Expansion, open: &mut impl SuccessorSink) {
        self.steps.expand(from, open);
    }
}

/// The cells of the path to a closed cell.
pub(super) fn path_to(nodes: &Nodes, end: GridCell) -> Vec<GridCell> {
    let before = |&cell: &GridCell| {
        let parent = nodes.parent::<AdjacentParent>(cell.into()).cell();
        (parent != cell).then_some(parent)
    };
    let mut path: Vec<GridCell> = std::iter::successors(Some(end), before).collect();
    path.reverse();
    path
}
