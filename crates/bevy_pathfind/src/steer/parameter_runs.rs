//! Parameters per agent, where many agents have equal ones: these are stored once and computed together.

use core::ops::Range;

use super::CrowdIndex;

/// The parameters of each agent, by its [`CrowdIndex`].
#[derive(Debug)]
pub(super) struct ParameterRuns<M> {
    all: Vec<M>,
    /// For each agent an index into `all`, or [`NONE`].
    by_slot: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// How many of the latest parameters new ones are compared with: it bounds the time where all differ.
const LATEST: usize = 16;

impl<M> Default for ParameterRuns<M> {
    fn default() -> Self {
        Self { all: Vec::new(), by_slot: Vec::new() }
    }
}

impl<M: PartialEq> ParameterRuns<M> {
    /// Forgets all parameters, and makes room for those of `agents` agents.
    pub(super) fn clear(&mut self, agents: usize) {
        self.all.clear();
        self.by_slot.clear();
        self.by_slot.resize(agents, NONE);
    }

    /// Notes the parameters of an agent.
    pub(super) fn note(&mut self, slot: CrowdIndex, manner: M) {
        self.by_slot[slot.index()] = number_of(manner, &mut self.all);
    }

    /// All parameters that were noted; equal ones may be there more than once.
    pub(super) fn all(&self) -> &[M] {
        &self.all
    }

    /// Calls `work` for every run of adjacent agents with equal parameters in a range of places. `order` tells which
    /// agent, as a crowd index, is at which place. Agents without parameters are passed over.
    pub(super) fn for_each_alike(
        &self,
        order: &[u32],
        places: Range<usize>,
        mut work: impl FnMut(&M, Range<usize>),
    ) {
        let number = |slot: &u32| self.by_slot[*slot as usize];
        let mut start = places.start;
        for alike in order[places].chunk_by(|a, b| number(a) == number(b)) {
            let end = start + alike.len();
            if let Some(manner) = self.all.get(number(&alike[0]) as usize) {
                work(manner, start..end);
            }
            start = end;
        }
    }
}

/// The index of parameters in `all`, to which they are added if they are not among the [`LATEST`].
pub(super) fn number_of<M: PartialEq>(manner: M, all: &mut Vec<M>) -> u32 {
    let before = all.len().saturating_sub(LATEST);
    let known = all[before..].iter().rposition(|known| *known == manner);
    let number = known.map_or(all.len(), |place| before + place);
    if known.is_none() {
        all.push(manner);
    }
    number as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_in_order_with_equal_parameters_are_one_run() {
        let mut parameters = ParameterRuns::default();
        parameters.clear(6);
        for (slot, manner) in [(0, 'a'), (1, 'b'), (2, 'a'), (4, 'b'), (5, 'a')] {
            parameters.note(CrowdIndex::at(slot), manner);
        }
        assert_eq!(parameters.all(), ['a', 'b'], "each is noted once");
        let mut runs = Vec::new();
        parameters.for_each_alike(&[2, 0, 5, 3, 1, 4], 1..6, |&manner, places| runs.push((manner, places)));
        assert_eq!(runs, [('a', 1..3), ('b', 4..6)], "the one without a manner is passed over");
    }

    #[test]
    fn where_all_differ_each_is_noted() {
        let mut parameters = ParameterRuns::default();
        parameters.clear(100);
        for slot in 0..100 {
            parameters.note(CrowdIndex::at(slot), slot);
        }
        let mut seen = Vec::new();
        let order: Vec<u32> = (0..100).collect();
        parameters.for_each_alike(&order, 0..100, |&manner, places| seen.push((manner as usize, places)));
        assert!(seen.iter().cloned().eq((0..100).map(|at| (at, at..at + 1))), "{seen:?}");
    }
}
