//! Flight by path: the cell to run to from threats that follow.
//!
//! The agent can use the cells that it reaches before the threats do, all along its way: its *own cells*. Of all ways to
//! flee without looking at what the threat does, the way to the own cell that the threats reach last puts off capture
//! the longest (the algorithm TrailMax: C. Moldenhauer and N. R. Sturtevant, "Evaluating Strategies for Running from the
//! Cops", IJCAI 2009). But that cell often lies at the end of a dead end, and capture is then certain. Where a way leads
//! round something the threat can only shut one side of it at a time, and the agent leaves by the other.
//!
//! So dead ends are told from ways that lead on by the shape of the own cells together with the threat's cells:
//! [thinning](super::thinning) takes own cells away as long as no hole opens or closes. A dead end, a room with one
//! door, and everything if there is just one way, vanish. What stays are rings round walls, the ways to them, and ways
//! from the threat's cells round to the threat's cells again:
//!
//! ```text
//!  #############################      #############################
//!  #.......#...........#.......#      #       #...........#       #    P  the threat
//!  #...........#######.........#  ->  #        ..#######..        #    A  the agent
//!  #.......#.P...A.....#.......#      #       #.P...A.....#       #    .  what thinning leaves of A's cells
//!  #############################      #############################       and of P's cells between
//! ```
//!
//! The agent runs to the cell of these that the threats reach last, and only if there is none to the own cell that the
//! threats reach last.

use super::astar::{CellByCell, KeyOrder};
use super::costs::StepCosts;
use super::nodes::{AdjacentParent, Node, Nodes};
use super::run::{Slice, check_start, prepare_flood};
use super::strategy::{Expansion, Kernel, Strategy, SuccessorSink, UnitLimits};
use super::thinning::{CellMap, Role};
use super::{Heuristic, Metrics, SearchError, SearchScratch};
use crate::grid::{CellRect, Grid, GridCell, KindId, StepRules};

/// A query for the cell to flee to.
///
/// ```
/// use pathfind_core::{
///     DistanceField, FleeOutcome, FleeQuery, Grid, GridCell, KindId, SearchScratch, StepRules, find_refuge,
/// };
/// let grid = Grid::from_ascii("
/// ##.........
/// ##.#######.
/// ...........
/// ##.########
/// ##.........".trim_start())?;
/// let (kind, steps, scratch) = (KindId::default(), StepRules::FOUR, &mut SearchScratch::default());
/// let threats = DistanceField::new(&grid, kind, steps, &[GridCell::new(0, 2)], scratch)?;
/// let query = FleeQuery::new(GridCell::new(2, 2)).with_steps(steps);
/// let FleeOutcome::Flee(refuge) = find_refuge(&grid, &query, &|cell| threats.distance(cell), scratch)? else { panic!() };
/// assert!(!refuge.is_dead_end && refuge.cell.y <= 2, "round the loop, not down into the dead end");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FleeQuery {
    /// The cell of the agent that flees.
    pub start: GridCell,
    /// The kind of the agent. Default: the grid's default kind.
    pub kind: KindId,
    /// The steps that the agent may take. Default: eight directions, no corners cut, diagonals at √2.
    pub steps: StepRules,
    /// The distance by path from the nearest threat beyond which the agent is safe, as a cost. Range: 0 and up, infinity
    /// too. Default: infinity.
    #[cfg_attr(feature = "serde", serde(with = "crate::saved::infinite"))]
    pub safe_distance: f32,
    /// The speed of the threats divided by that of the agent. Range: above 0. Default: 1.
    pub speed_ratio: f32,
    /// The greatest cost of the way to the cell, which bounds the work: the cells that it lets the agent reach. Beyond
    /// it the agent takes ground to be open. Range: 0 and up, infinity too. Default: 64.
    #[cfg_attr(feature = "serde", serde(with = "crate::saved::infinite"))]
    pub limit: f32,
}

impl FleeQuery {
    /// A query with all defaults.
    #[must_use]
    pub fn new(start: GridCell) -> Self {
        let (kind, steps) = (KindId::default(), StepRules::default());
        Self { start, kind, steps, safe_distance: f32::INFINITY, speed_ratio: 1.0, limit: 64.0 }
    }

    /// The query for another kind of agent.
    #[must_use]
    pub fn with_kind(self, kind: KindId) -> Self {
        Self { kind, ..self }
    }

    /// The query with other steps.
    #[must_use]
    pub fn with_steps(self, steps: StepRules) -> Self {
        Self { steps, ..self }
    }

    /// The query with a distance beyond which the agent is safe.
    #[must_use]
    pub fn with_safe_distance(self, safe_distance: f32) -> Self {
        Self { safe_distance, ..self }
    }

    /// The query for threats of another speed.
    #[must_use]
    pub fn with_speed_ratio(self, speed_ratio: f32) -> Self {
        Self { speed_ratio, ..self }
    }

    /// The query with another greatest cost of the way.
    #[must_use]
    pub fn with_limit(self, limit: f32) -> Self {
        Self { limit, ..self }
    }

    fn check(&self, grid: &Grid) -> Result<(), SearchError> {
        check_start(grid, self.kind, self.start)?;
        if self.safe_distance.is_nan() || self.safe_distance < 0.0 {
            return Err(SearchError::BadDistance);
        }
        if !self.speed_ratio.is_finite() || self.speed_ratio <= 0.0 {
            return Err(SearchError::BadSpeedRatio);
        }
        if self.limit.is_nan() || self.limit < 0.0 { Err(SearchError::BadCost) } else { Ok(()) }
    }
}

/// What an agent does about its threats.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FleeOutcome {
    /// It flees to a cell.
    Flee(Refuge),
    /// It is as far from all threats as it wants to be.
    Safe,
    /// No cell is better than its own.
    Cornered,
}

/// A cell to flee to.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Refuge {
    /// The cell.
    pub cell: GridCell,
    /// The cells of the way, from the start to the refuge, both included. The agent reaches each before the threats.
    pub path: Vec<GridCell>,
    /// The cost of the way.
    pub cost: f64,
    /// The distance by path from the nearest threat, as a cost; infinite if no threat can come to the cell.
    pub distance: f32,
    /// Whether the threats can shut the agent in: there is no way round that it reaches before them.
    pub is_dead_end: bool,
}

/// The cell to flee to, of all that the agent reaches before the threats do.
///
/// `threat_distance` is the cost of the path between a cell and the nearest threat; `None` where no threat can come. The
/// distances of a [`DistanceField`] whose goals are the threats' cells are such, and serve all agents that flee from the
/// same threats; the field can be made for another kind of agent than the one that flees.
///
/// Cells on ways that lead on or round come before dead ends; of them the one that is farthest from the threats comes
/// first, of equally far ones, or of those beyond the safe distance, the cheapest to reach, then by row and column. As
/// threats move, ask again: every few steps is enough in the open, every step at close quarters.
///
/// Where terrain costs differ, a threat's way is taken to cost as much in both directions. Cliffs count as open ground
/// where dead ends are told from ways round. The time is in proportion to the number of cells within the query's limit.
///
/// # Errors
/// [`SearchError::UnknownKind`], [`SearchError::StartOutside`], [`SearchError::StartBlocked`];
/// [`SearchError::BadDistance`], [`SearchError::BadSpeedRatio`] and [`SearchError::BadCost`] for a number of the query
/// that is out of its range.
///
/// [`DistanceField`]: crate::DistanceField
pub fn find_refuge(
    grid: &Grid,
    query: &FleeQuery,
    threat_distance: &dyn Fn(GridCell) -> Option<f32>,
    scratch: &mut SearchScratch,
) -> Result<FleeOutcome, SearchError> {
    query.check(grid)?;
    let query = FleeQuery { steps: grid.steps_for(query.kind, query.steps), ..*query };
    if threat_distance(query.start).is_none_or(|distance| distance >= query.safe_distance) {
        return Ok(FleeOutcome::Safe);
    }
    let flight = Flight { grid, query, threat_distance };
    flight.search(scratch);
    let own = flight.own_cells(scratch);
    let ways_on = flight.ways_on(&own, &scratch.nodes, &scratch.costs);
    let best = ways_on.iter().chain(&own).next();
    let is_dead_end = ways_on.is_empty();
    let Some(best) = best.filter(|best| best.cell != query.start) else { return Ok(FleeOutcome::Cornered) };
    Ok(FleeOutcome::Flee(Refuge {
        cell: best.cell,
        path: path(&scratch.nodes, best.cell),
        cost: scratch.costs.cost(best.g),
        distance: best.distance,
        is_dead_end,
    }))
}

/// A query with what it is asked of; its steps are those of the kind of agent.
struct Flight<'f> {
    grid: &'f Grid,
    query: FleeQuery,
    threat_distance: &'f dyn Fn(GridCell) -> Option<f32>,
}

/// A cell that the agent reaches before the threats.
#[derive(Copy, Clone)]
struct OwnCell {
    cell: GridCell,
    g: u64,
    /// The distance from the nearest threat.
    distance: f32,
}

impl Flight<'_> {
    /// Closes the cells that the agent reaches before the threats, with the costs of their paths.
    fn search(&self, scratch: &mut SearchScratch) {
        let FleeQuery { start, kind, steps, limit, .. } = self.query;
        scratch.costs.set(self.grid, kind, steps, 1);
        prepare_flood(self.grid, scratch);
        let SearchScratch { nodes, buckets, heap, costs, targets, .. } = scratch;
        let costs = &*costs;
        let limits = &mut UnitLimits { cost: costs.units(limit.into()), ..UnitLimits::none() };
        let (heuristic, metrics, starts) = (Heuristic::Chebyshev, &mut Metrics::default(), &[start.into()]);
        let kernel = Kernel { nodes, costs, targets, heuristic, metrics, limits };
        let mut slice = Slice { kernel, starts, buckets, heap, budget: u32::MAX, observer: &mut () };
        let (agent, order) = ((kind, steps), KeyOrder::Cost);
        // Cells are not pruned for a cheaper way of two steps: the threat may reach the cell between first.
        let is_pruned_by_two = false;
        let arrives_first = |node: Node, g| self.arrives_first(node.cell(), costs.cost(g));
        _ = if costs.weighted {
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
    fn own_cells(&self, scratch: &SearchScratch) -> Vec<OwnCell> {
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
    fn ways_on(&self, own: &[OwnCell], nodes: &Nodes, costs: &StepCosts) -> Vec<OwnCell> {
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
        let steps = self.grid.steps_from(self.query.kind, self.query.steps, own.cell);
        for direction in steps.take(if is_inside { 0 } else { 8 }) {
            let beside = own.cell.step(direction);
            if nodes.is_closed(beside.into()) {
                continue;
            }
            let g = own.g + costs.onto(self.grid, beside)[usize::from(direction.is_diagonal())];
            let is_beyond = self.arrives_first(beside, costs.cost(g));
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
        let rect = own.grown(2 * most as i32).intersection(self.grid.bounds());
        let Some(rect) = rect else { return Vec::new() };
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
fn path(nodes: &Nodes, end: GridCell) -> Vec<GridCell> {
    let before = |&cell: &GridCell| {
        let parent = nodes.parent::<AdjacentParent>(cell.into()).cell();
        (parent != cell).then_some(parent)
    };
    let mut path: Vec<GridCell> = std::iter::successors(Some(end), before).collect();
    path.reverse();
    path
}
