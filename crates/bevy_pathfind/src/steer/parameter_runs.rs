//! The parameters of agents, of which many are equal: equal parameters are stored once, and adjacent agents with
//! equal parameters are computed together.

use core::ops::Range;

use super::CrowdIndex;

/// The parameters of each agent, by its [`CrowdIndex`].
#[derive(Debug)]
pub(super) struct ParameterRuns<P> {
    all: Vec<P>,
    /// For each agent an index into `all`, or [`NONE`].
    by_slot: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// With how many of the latest stored parameters new ones are compared, to bound the time if all differ. Not
/// measured.
const MAX_COMPARED: usize = 16;

impl<P> Default for ParameterRuns<P> {
    fn default() -> Self {
        Self { all: Vec::new(), by_slot: Vec::new() }
    }
}

impl<P: PartialEq> ParameterRuns<P> {
    /// Removes all parameters, and resizes the list for `agents` agents.
    pub(super) fn clear(&mut self, agents: usize) {
        self.all.clear();
        self.by_slot.clear();
        self.by_slot.resize(agents, NONE);
    }

    /// Notes the parameters of an agent.
    pub(super) fn note(&mut self, slot: CrowdIndex, parameters: P) {
        self.by_slot[slot.index()] = find_or_push(parameters, &mut self.all);
    }

    /// All parameters that were noted; equal ones may be there more than once.
    pub(super) fn all(&self) -> &[P] {
        &self.all
    }

    /// Calls `work` for every run of adjacent agents with equal parameters in a range of places. `order` tells which
    /// agent, as a crowd index, is at which place. Agents without parameters are passed over.
    pub(super) fn for_each_run(
        &self,
        order: &[u32],
        places: Range<usize>,
        mut work: impl FnMut(&P, Range<usize>),
    ) {
        let index = |slot: &u32| self.by_slot[*slot as usize];
        let mut start = places.start;
        for run in order[places].chunk_by(|a, b| index(a) == index(b)) {
            let end = start + run.len();
            if let Some(parameters) = self.all.get(index(&run[0]) as usize) {
                work(parameters, start..end);
            }
            start = end;
        }
    }
}

/// The index of parameters in `all`. They are added if they are not among the last [`MAX_COMPARED`].
pub(super) fn find_or_push<P: PartialEq>(parameters: P, all: &mut Vec<P>) -> u32 {
    let before = all.len().saturating_sub(MAX_COMPARED);
    let known = all[before..].iter().rposition(|known| *known == parameters);
    let index = known.map_or(all.len(), |index| before + index);
    if known.is_none() {
        all.push(parameters);
    }
    index as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_in_order_with_equal_parameters_are_one_run() {
        let mut parameters = ParameterRuns::default();
        parameters.clear(6);
        for (slot, value) in [(0, 'a'), (1, 'b'), (2, 'a'), (4, 'b'), (5, 'a')] {
            parameters.note(CrowdIndex::at(slot), value);
        }
        assert_eq!(parameters.all(), ['a', 'b'], "each is noted once");
        let mut runs = Vec::new();
        parameters.for_each_run(&[2, 0, 5, 3, 1, 4], 1..6, |&value, places| runs.push((value, places)));
        assert_eq!(runs, [('a', 1..3), ('b', 4..6)], "the agent without parameters is passed over");
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
        parameters.for_each_run(&order, 0..100, |&value, places| seen.push((value as usize, places)));
        assert!(seen.iter().cloned().eq((0..100).map(|at| (at, at..at + 1))), "{seen:?}");
    }
}
