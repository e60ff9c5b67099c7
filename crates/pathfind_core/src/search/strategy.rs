//! The one open-list loop, and what an algorithm adds to it.

use super::costs::StepCosts;
use super::frontier::Frontier;
use super::nodes::{Node, Nodes};
use super::targets::Targets;
use super::{Event, EventKind, Heuristic, Listener, Metrics};

/// Says what an algorithm does differently: by what it orders open nodes, and where it goes from one.
pub(crate) trait Strategy {
    /// The key by which open nodes are ordered, least first.
    fn key(&self, g: u64, h: u64) -> u64;

    /// Hands over every successor of a node with the cost of the path to it.
    fn expand(&self, node: Node, parent: Node, g: u64, successor: impl FnMut(Node, u64));
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
}

impl Kernel<'_> {
    /// Opens the start.
    fn open<L: Listener>(
        &mut self,
        start: Node,
        strategy: &impl Strategy,
        queue: &mut impl Frontier,
        listener: &mut L,
    ) {
        let h = self.targets.estimate(self.heuristic, self.costs, start);
        self.nodes.improve(start, 0, start);
        queue.push(strategy.key(0, h), start);
        self.metrics.pushes += 1;
        self.tell(listener, EventKind::Opened, start, start, 0);
    }

    /// Opens the start, if it is given, and expands nodes until the search ends or the budget is spent.
    pub(crate) fn run<L: Listener>(
        mut self,
        start: Option<Node>,
        strategy: &impl Strategy,
        queue: &mut impl Frontier,
        budget: u32,
        listener: &mut L,
    ) -> Stop {
        if let Some(start) = start {
            self.open(start, strategy, queue, listener);
        }
        let mut left = budget;
        while left > 0 {
            let Some((_, node)) = queue.pop() else { return Stop::Exhausted };
            self.metrics.pops += 1;
            let Some(g) = self.nodes.close(node) else { continue };
            let parent = self.nodes.parent(node);
            self.metrics.expanded += 1;
            left -= 1;
            self.tell(listener, EventKind::Closed, node, parent, g);
            if self.targets.contains(node) {
                return Stop::Found(node);
            }
            if self.limits.watch && self.limits.keep(self.targets, node, g, self.metrics.expanded) {
                return Stop::Limit;
            }
            self.expand(strategy, queue, node, parent, g, listener);
        }
        Stop::Budget
    }

    #[inline]
    fn expand<L: Listener>(
        &mut self,
        strategy: &impl Strategy,
        queue: &mut impl Frontier,
        node: Node,
        parent: Node,
        g: u64,
        listener: &mut L,
    ) {
        strategy.expand(node, parent, g, |successor, g| {
            self.metrics.generated += 1;
            if g > self.limits.cost {
                self.limits.cut = true;
                return;
            }
            if let Some(known) = self.nodes.improve(successor, g, node) {
                let h = self.targets.estimate(self.heuristic, self.costs, successor);
                queue.push(strategy.key(g, h), successor);
                self.metrics.pushes += 1;
                let kind = if known { EventKind::Reparented } else { EventKind::Opened };
                self.tell(listener, kind, successor, node, g);
            }
        });
    }

    #[inline]
    fn tell<L: Listener>(&self, listener: &mut L, kind: EventKind, node: Node, parent: Node, g: u64) {
        if L::ACTIVE {
            let h = self.targets.estimate(self.heuristic, self.costs, node);
            let (g, h) = (self.costs.cost(g), self.costs.cost(h));
            listener.event(Event { kind, cell: node.cell(), parent: parent.cell(), g, h });
        }
    }
}

impl UnitLimits {
    /// Keeps a closed node if it is the best end so far; says whether the limit of expansions is reached.
    fn keep(&mut self, targets: &Targets, node: Node, g: u64, expanded: u64) -> bool {
        let end = (targets.distance_squared(node.cell()), g, node);
        if self.nearest.is_none_or(|best| end < best) {
            self.nearest = Some(end);
        }
        expanded >= self.expansions
    }
}
