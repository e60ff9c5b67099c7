//! The assignment of slots, and of points to wait at, to the agents that ask at one target.

use bevy::platform::collections::HashSet;
use bevy::prelude::*;
use pathfind_core::{
    AgentShape, Goal, GridCell, Limits, PathQuery, SearchError, SearchScratch, StepRules, solve,
};

use super::slot_points::SlotPoints;
use crate::order::SlotPlace;

/// An agent has the same slot, or none, for at least this time, in seconds.
const MIN_AGE: f32 = 1.0;
/// The most searches for the nearest slot in a tick, and the most cells that each expands, to bound the time. Not measured.
pub(super) const MAX_SEARCHES: u32 = 16;
const MAX_EXPANSIONS: u64 = 4096;

/// An agent that asks for a place at a target.
pub(super) struct Asker {
    pub(super) entity: Entity,
    /// Where it is, in the space of the target's grid, and whether it is on that grid.
    pub(super) here: Vec2,
    pub(super) is_on_grid: bool,
    pub(super) shape: AgentShape,
    /// Whether a pursuit asks, and not a request.
    pub(super) is_pursuit: bool,
    pub(super) place: Option<SlotPlace>,
    /// For how long it has had the same slot, or none; infinite before the first.
    pub(super) age: f32,
    /// Whether it has come no nearer to its slot for too long.
    pub(super) is_stalled: bool,
}

impl Asker {
    pub(super) fn slot(&self) -> Option<u32> {
        self.place.and_then(SlotPlace::slot)
    }

    const fn may_change(&self) -> bool {
        self.age >= MIN_AGE
    }

    fn set(&mut self, place: Option<SlotPlace>) {
        if self.slot() != place.and_then(SlotPlace::slot) {
            self.age = 0.0;
        }
        self.place = place;
    }
}

/// Gives out the places. `is_clear` says whether no agent of another target claims a point for itself.
pub(super) fn assign(
    points: &SlotPoints,
    askers: &mut [Asker],
    searches: &mut u32,
    is_clear: impl Fn(&Asker, Vec2) -> bool,
) {
    let given_up = give_back(askers);
    exchange(points, askers);
    fill_slots(points, askers, &given_up, searches, is_clear);
    fill_waiting(points, askers);
}

/// Takes their slots from agents that come no nearer, for others that wait; returns the indices of those agents.
fn give_back(askers: &mut [Asker]) -> Vec<usize> {
    let waiting = askers.iter().filter(|asker| asker.slot().is_none() && asker.may_change()).count();
    let is_stalled = |asker: &Asker| asker.slot().is_some() && asker.is_stalled && asker.may_change();
    let stalled = (0..askers.len()).filter(|&index| is_stalled(&askers[index]));
    let given_up: Vec<_> = stalled.take(waiting).collect();
    given_up.iter().for_each(|&index| askers[index].set(None));
    given_up
}

/// Lets pursuers on the way to their slots change places with those that wait and are nearer to these.
fn exchange(points: &SlotPoints, askers: &mut [Asker]) {
    for holder in 0..askers.len() {
        let Some(slot) = askers[holder].slot().and_then(|slot| points.slots.get(slot as usize)) else {
            continue;
        };
        let gap = |asker: &Asker| points.way_round(asker.here, *slot).1;
        let way = gap(&askers[holder]);
        let is_free = |asker: &Asker| asker.is_pursuit && asker.may_change();
        if !is_free(&askers[holder]) || way <= points.spacing {
            continue;
        }
        let waits = |asker: &Asker| asker.slot().is_none() && asker.place.is_some() && is_free(asker);
        let nearest = (0..askers.len())
            .filter(|&index| waits(&askers[index]))
            .map(|index| (gap(&askers[index]), index))
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .filter(|&(gap, _)| gap + points.spacing < way);
        let Some((_, nearest)) = nearest else { continue };
        let [held, waited] = [holder, nearest].map(|index| askers[index].place);
        let can = |index: usize, place: Option<SlotPlace>| {
            place.is_some_and(|place| points.exists(place, askers[index].shape))
        };
        if can(holder, waited) && can(nearest, held) {
            askers[holder].set(waited);
            askers[nearest].set(held);
        }
    }
}

/// Gives the free slots to agents without one. If there are enough agents for all, the slot that is farthest from its
/// nearest agent comes first, so that all are filled soon; else the nearest pair does. The agent takes the slot that is
/// nearest to it by path if it does not see the other.
fn fill_slots(
    points: &SlotPoints,
    askers: &mut [Asker],
    given_up: &[usize],
    searches: &mut u32,
    is_clear: impl Fn(&Asker, Vec2) -> bool,
) {
    let held: HashSet<u32> = askers.iter().filter_map(Asker::slot).collect();
    let free: Vec<u32> = (0..points.slots.len() as u32).filter(|slot| !held.contains(slot)).collect();
    let seeks = |index: &usize| {
        askers[*index].slot().is_none() && askers[*index].may_change() && !given_up.contains(index)
    };
    // The way, the agent and the slot; the shortest way first.
    let mut pairs = Vec::new();
    for index in (0..askers.len()).filter(seeks) {
        let asker = &askers[index];
        let can = |&&slot: &&u32| {
            let place = SlotPlace::Slot(slot);
            points.exists(place, asker.shape) && is_clear(asker, points.slots[slot as usize])
        };
        let way = |&slot: &u32| (points.way_round(asker.here, points.slots[slot as usize]).1, index, slot);
        pairs.extend(free.iter().filter(can).map(way));
    }
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    while let Some(&first) = pairs.first() {
        // The first pair of each slot.
        let mut slots = HashSet::new();
        let nearest: Vec<_> = pairs.iter().filter(|pair| slots.insert(pair.2)).copied().collect();
        let agents = pairs.iter().map(|pair| pair.1).collect::<HashSet<_>>().len();
        let &(_, index, slot) = nearest.last().filter(|_| agents >= nearest.len()).unwrap_or(&first);
        let asker = &askers[index];
        let chosen = if points.sees(asker.shape, asker.here, points.slots[slot as usize]) {
            Some(slot)
        } else {
            let own = pairs.iter().filter(|pair| pair.1 == index).map(|pair| pair.2);
            points.nearest_by_path(asker, own.collect(), searches)
        };
        pairs.retain(|pair| pair.1 != index && Some(pair.2) != chosen);
        if let Some(slot) = chosen {
            askers[index].set(Some(SlotPlace::Slot(slot)));
        }
    }
}

impl SlotPoints<'_> {
    /// Of some slots, which are sorted by their straight distances, the one that is nearest to an agent by path; `None` if
    /// no path leads to any of them.
    fn nearest_by_path(&self, asker: &Asker, slots: Vec<u32>, searches: &mut u32) -> Option<u32> {
        if !asker.is_on_grid || *searches == 0 {
            return slots.first().copied();
        }
        *searches -= 1;
        let cell = |slot: &u32| GridCell::containing(self.slots[*slot as usize]);
        let query =
            PathQuery::new(GridCell::containing(asker.here), Goal::AnyOf(slots.iter().map(cell).collect()))
                .with_kind(asker.shape.kind)
                .with_steps(StepRules::eight(self.corners))
                .with_limits(Limits { expansions: Some(MAX_EXPANSIONS), cost: None })
                .with_partial(false);
        match solve(self.grid.nav.grid(), &query, &mut SearchScratch::default()) {
            Ok(path) => slots.iter().copied().find(|slot| cell(slot) == path.end()),
            Err(SearchError::Unreachable | SearchError::GoalBlocked(_)) => None,
            Err(_) => slots.first().copied(),
        }
    }
}

/// Gives places to agents that wait: near to where they are, and near to the target.
fn fill_waiting(points: &SlotPoints, askers: &mut [Asker]) {
    let mut taken: HashSet<u32> = HashSet::default();
    taken.extend(askers.iter().filter_map(|asker| match asker.place {
        Some(SlotPlace::Waiting(number)) => Some(number),
        _ => None,
    }));
    for asker in askers.iter_mut().filter(|asker| asker.place.is_none()) {
        // The distance from the innermost ring counts twice, so that the inner rings fill first.
        let score = |number: u32| {
            let (point, out) = points.waiting[number as usize];
            asker.here.distance(point) + 2.0 * out
        };
        let mut free: Vec<_> = (0..points.waiting.len() as u32)
            .filter(|number| !taken.contains(number))
            .map(|number| (score(number), number))
            .collect();
        free.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let place = |&(_, number): &(f32, u32)| SlotPlace::Waiting(number);
        if let Some(found) = free.iter().map(place).find(|&place| points.exists(place, asker.shape)) {
            if let SlotPlace::Waiting(number) = found {
                taken.insert(number);
            }
            asker.set(Some(found));
        }
    }
}
