//! The open-list loop that the searches over cells share, and the trait by which an algorithm adapts it.

use super::costs::StepCosts;
use super::nodes::{Node, Nodes, ParentEncoding};
use super::open_list::OpenList;
use super::targets::Targets;
use super::{Heuristic, Metrics, SearchEvent, SearchEventKind, SearchObserver};

/// An algorithm: the order of its open nodes, its successors, and where a parent may lie.
pub(crate) trait Strategy {
    /// How a node's record stores where the parent lies, and so how far away the parent may be.
    type ParentEncoding: ParentEncoding;

    /// The key of an open node, from its cost so far and its estimate; the least key is expanded first.
    fn key(&self, g: u64, h: u64) -> u64 {
        g + h
    }

    /// Checks the path to a node, as cost and parent, just before the node is closed, and corrects it where line
    /// of sight was only assumed when the node was opened. `None` if the path costs more than `most`.
    #[inline]
    fn validate_parent(&self, _: Node, path: (u64, Node), _: &mut Nodes, _most: u64) -> Option<(u64, Node)> {
        Some(path)
    }

    fn expand(&self, from: Expansion, open: &mut impl SuccessorSink);
}

/// The node that is being expanded; the start is its own parent.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Expansion {
    pub(crate) node: Node,
    pub(crate) parent: Node,
    pub(crate) g: u64,
}

/// Receives the successors of the node that is being expanded.
pub(crate) trait SuccessorSink {
    fn nodes(&self) -> &Nodes;
    /// Offers a path to a node: if it is the best known and within the cost limit, it is kept and the node opened.
    fn relax(&mut self, node: Node, parent: Node, g: u64);
}

/// The state of a search that every algorithm shares.
pub(crate) struct Kernel<'s> {
    pub(crate) nodes: &'s mut Nodes,
    pub(crate) costs: &'s StepCosts,
    pub(crate) targets: &'s Targets,
    pub(crate) heuristic: Heuristic,
    pub(crate) metrics: &'s mut Metrics,
    pub(crate) limits: &'s mut UnitLimits,
}

/// The query's limits, with costs in the integer units of the search, and the node where a partial path would end.
#[derive(Clone, Debug)]
pub(crate) struct UnitLimits {
    pub(crate) expansions: u64,
    pub(crate) cost: u64,
    /// Whether the query sets limits: only then are expansions limited and `nearest` is updated.
    pub(crate) is_limited: bool,
    /// Squared distance to the goal, cost and node: of the closed nodes the nearest, of equally near ones the cheapest.
    pub(crate) nearest: Option<(u64, u64, Node)>,
    /// Whether a path was left out because it exceeds the cost limit.
    pub(crate) cut: bool,
}

#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum Stop {
    /// The slice's budget of expansions is spent.
    Budget,
    /// A target was taken from the open list.
    Found(Node),
    Exhausted,
    /// The query's limit of expansions is reached.
    Limit,
    /// The search over intervals has used all the memory that it may take.
    Full,
}

impl Kernel<'_> {
    #[inline]
    fn estimate(&self, node: Node) -> u64 {
        self.targets.estimate(self.heuristic, self.costs, node)
    }
}

/// The kernel together with one algorithm's strategy, open list and observer.
pub(super) struct Loop<'l, 's, S, Q, L> {
    pub(super) kernel: &'l mut Kernel<'s>,
    pub(super) strategy: &'l S,
    pub(super) queue: &'l mut Q,
    pub(super) observer: &'l mut L,
}

impl<S: Strategy, Q: OpenList, L: SearchObserver> Loop<'_, '_, S, Q, L> {
    /// Opens `starts` at cost 0, and expands nodes until the search ends or the budget is spent.
    pub(super) fn run(&mut self, starts: &[Node], budget: u32) -> Stop {
        starts.iter().for_each(|&start| self.relax(start, start, 0));
        let mut left = budget;
        while left > 0 {
            let limits = &*self.kernel.limits;
            if limits.is_limited && self.kernel.metrics.expanded >= limits.expansions {
                return Stop::Limit;
            }
            let Some((_, node)) = self.queue.pop() else { return Stop::Exhausted };
            self.kernel.metrics.pops += 1;
            let Some(path) = self.kernel.nodes.open::<S::ParentEncoding>(node) else { continue };
            let most = self.kernel.limits.cost;
            let Some((g, parent)) = self.strategy.validate_parent(node, path, self.kernel.nodes, most) else {
                self.kernel.limits.cut = true;
                continue;
            };
            self.kernel.nodes.close(node);
            self.kernel.metrics.expanded += 1;
            left -= 1;
            self.tell(SearchEventKind::Closed, node, parent, g);
            if self.kernel.targets.contains(node) {
                return Stop::Found(node);
            }
            let limits = &mut *self.kernel.limits;
            if limits.is_limited {
                limits.update_nearest(self.kernel.targets, node, g);
            }
            self.strategy.expand(Expansion { node, parent, g }, self);
        }
        Stop::Budget
    }

    #[inline]
    fn tell(&mut self, kind: SearchEventKind, node: Node, parent: Node, g: u64) {
        if L::ACTIVE {
            let costs = self.kernel.costs;
            let (g, h) = (costs.cost(g), costs.cost(self.kernel.estimate(node)));
            self.observer.event(SearchEvent { kind, cell: node.cell(), parent: parent.cell(), g, h });
        }
    }
}

impl<S: Strategy, Q: OpenList, L: SearchObserver> SuccessorSink for Loop<'_, '_, S, Q, L> {
    #[inline]
    fn nodes(&self) -> &Nodes {
        self.kernel.nodes
    }

    #[inline]
    fn relax(&mut self, node: Node, parent: Node, g: u64) {
        self.kernel.metrics.generated += 1;
        if g > self.kernel.limits.cost {
            self.kernel.limits.cut = true;
            return;
        }
        if let Some(known) = self.kernel.nodes.relax::<S::ParentEncoding>(node, g, parent) {
            let key = self.strategy.key(g, self.kernel.estimate(node));
            self.queue.push(key, node);
            self.kernel.metrics.pushes += 1;
            let kind = if known { SearchEventKind::Reparented } else { SearchEventKind::Opened };
            self.tell(kind, node, parent, g);
        }
    }
}

impl UnitLimits {
    pub(crate) fn none() -> Self {
        Self { expansions: u64::MAX, cost: u64::MAX, is_limited: false, nearest: None, cut: false }
    }

    /// Makes a closed node `nearest` if it is nearer to the goal than that one, or as near and cheaper to reach.
    pub(crate) fn update_nearest(&mut self, targets: &Targets, node: Node, g: u64) {
        // As near as the nearest so far is not too far.
        let bound = self.nearest.map_or(u64::MAX, |(distance, ..)| distance.saturating_add(1));
        let end = (targets.distance_squared(node.cell(), bound), g, node);
        if self.nearest.is_none_or(|best| end < best) {
            self.nearest = Some(end);
        }
    }
}
