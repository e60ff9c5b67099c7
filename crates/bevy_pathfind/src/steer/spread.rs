//! Work for many who have neighbours, place by place.

use core::ops::Range;

use bevy::prelude::*;

use super::parallel::in_parts;
use super::{Company, Slot};

/// A vector for each agent, found in the order of their places, in which neighbours lie near each other in
/// memory, and handed out by slot.
#[derive(Debug, Default)]
pub(super) struct Spread {
    by_place: Vec<Vec3>,
    by_slot: Vec<Vec3>,
}

/// Stands where there is no vector.
pub(super) const NOTHING: Vec3 = Vec3::NAN;

impl Spread {
    pub(super) fn clear(&mut self) {
        self.by_slot.clear();
    }

    /// The vector of an agent, if it has one.
    pub(super) fn get(&self, slot: Slot) -> Option<Vec3> {
        self.by_slot.get(slot.index()).copied().filter(|vector| !vector.is_nan())
    }

    /// Has `work` find the vectors of ranges of places, on as many threads as there are.
    pub(super) fn fill(&mut self, company: &Company, work: impl Fn(Range<usize>, &mut [Vec3]) + Sync) {
        let Self { by_place, by_slot } = self;
        by_place.clear();
        by_place.resize(company.neighbors().len(), NOTHING);
        in_parts(by_place, work);
        by_slot.clear();
        by_slot.resize(company.slots(), NOTHING);
        in_parts(by_slot, |slots, out| {
            for (slot, out) in slots.zip(out) {
                *out = company.place(slot).map_or(NOTHING, |place| by_place[place]);
            }
        });
    }
}
