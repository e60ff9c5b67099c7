//! The one open-list loop, and what an algorithm adds to it.

use super::costs::StepCosts;
use super::nodes::{Node, Nodes, ParentEncoding};
use super::open_list::OpenList;
use super::targets::Targets;
use super::{Heuristic, Metrics, SearchEvent, SearchEventKind, SearchObserver};

/// Says what an algorithm does differently: by what it orders open nodes, where it goes from one, and
/// how a node is linked to its parent.
pub(crate) trait Strategy {
    /// How far from a node its parent may lie.
    type ParentEncoding: ParentEncoding;

    /// The key by which open nodes are ordered, least first.
    fn key(&self, g: u64, h: u64) -> u64 {
        g + h
    }

    /// Puts right what was only assumed when a node was opened, just before it is closed: the cost of the
    /// path to it, and its parent. `None` if that costs more than `most`.
    #[inline]
    fn validate_parent(&self, _: Node, path: (u64, Node), _: &mut Nodes, _most: u64) -> Option<(u64, Node)> {
        Some(path)
    }

    /// Offers every successor of a node.
    fn expand(&self, from: Expansion, open: &mut impl SuccessorSink);
}

/// A node that is being expanded.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Expansion {
    pub(crate) node: Node,
    pub(crate) parent: Node,
    pub(crate) g: u64,
}

/// Where successors are offered.
pub(crate) trait SuccessorSink {
    /// What a path to a node has to cost less than to be taken: nothing does if the node is closed.
    fn acceptance_limit(&self, node: Node) -> u64;
    /// The cost of the best known path to a node of this search.
    fn g(&self, node: Node) -> u64;
    /// Takes a path to a node if it is the best known, and opens the node.
    fn relax(&mut self, node: Node, parent: Node, g: u64);
}

/// The parts of a search that every algorithm shares.
pub(crate) struct Kernel<'s> {
    pub(crate) nodes: &'s mut Nodes,
    pub(crate) costs: &'s StepCosts,
    pub(crate) targets: &'s Targets,
    pub(crate) heuristic: Heuristic,
    pub(crate) metrics: &'s mut Metrics,
    pub(crate) limits: &'s mut UnitLimits,
}

/// Limits in units of the search, and the best end so far should one be reached.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnitLimits {
    pub(crate) expansions: u64,
    pub(crate) cost: u64,
    /// Whether the nearest node is to be kept.
    pub(crate) watch: bool,
    /// Distance, cost and node: the nearest, then cheapest closed so far.
    pub(crate) nearest: Option<(u64, u64, Node)>,
    /// Whether a successor was left out for its cost.
    pub(crate) cut: bool,
}

/// Why the loop stopped.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum Stop {
    /// The budget of this slice is spent.
    Budget,
    /// A target was taken from the open list.
    Found(Node),
    /// The open list is empty.
    Exhausted,
    /// The limit of expansions is reached.
    Limit,
    /// The search over intervals has used up its memory.
    Full,
}

impl Kernel<'_> {
    /// Opens the starts that are given, and expands nodes until the search ends or the budget is spent.
    pub(crate) fn run<S: Strategy, Q: OpenList, L: SearchObserver>(
        &mut self,
        starts: &[Node],
        strategy: &S,
        queue: &mut Q,
        budget: u32,
        observer: &mut L,
    ) -> Stop {
        let mut search = Loop { kernel: self, strategy, queue, observer };
        for &start in starts {
            search.relax(start, start, 0);
        }
        search.run(budget)
    }

    #[inline]
    fn estimate(&self, node: Node) -> u64 {
        self.targets.estimate(self.heuristic, self.costs, node)
    }
}

/// The kernel with what is particular to one algorithm.
struct Loop<'l, 's, S, Q, L> {
    kernel: &'l mut Kernel<'s>,
    strategy: &'l S,
    queue: &'l mut Q,
    observer: &'l mut L,
}

impl<S: Strategy, Q: OpenList, L: SearchObserver> Loop<'_, '_, S, Q, L> {
    fn run(&mut self, budget: u32) -> Stop {
        let mut left = budget;
        while left > 0 {
            let limits = &*self.kernel.limits;
            if limits.watch && self.kernel.metrics.expanded >= limits.expansions {
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
            if limits.watch {
                limits.keep(self.kernel.targets, node, g);
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
    fn acceptance_limit(&self, node: Node) -> u64 {
        self.kernel.nodes.acceptance_limit::<S::ParentEncoding>(node)
    }

    #[inline]
    fn g(&self, node: Node) -> u64 {
        self.kernel.nodes.g::<S::ParentEncoding>(node)
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
            self.tell(
                if known { SearchEventKind::Reparented } else { SearchEventKind::Opened },
                node,
                parent,
                g,
            );
        }
    }
}

impl UnitLimits {
    /// No limit but that of the numbers.
    pub(crate) fn none() -> Self {
        Self { expansions: u64::MAX, cost: u64::MAX, watch: false, nearest: None, cut: false }
    }

    /// Keeps a closed node if it is the best end so far.
    pub(crate) fn keep(&mut self, targets: &Targets, node: Node, g: u64) {
        let end = (targets.distance_squared(node.cell()), g, node);
        if self.nearest.is_none_or(|best| end < best) {
            self.nearest = Some(end);
        }
    }
}
