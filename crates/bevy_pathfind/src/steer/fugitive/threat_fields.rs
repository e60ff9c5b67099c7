//! The distances of cells from threats, shared by all fugitives.

use std::collections::BTreeMap;
use std::sync::Arc;

use bevy::prelude::*;
use pathfind_core::{GridCell, KindId, Reach, SearchScratch, StepRules};

use crate::world::GridRef;

/// For how many ticks a field is kept after it was last read: more than fugitives with the default `decide_every` wait
/// between two decisions at 64 ticks a second, so that all of them read the same field of a threat that stands.
const KEPT_TICKS: u64 = 32;

/// A threat on a grid: where it stands, and its kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Threat {
    pub(super) cell: GridCell,
    pub(super) kind: KindId,
    /// Its top speed, if it is an agent, in world units per second.
    pub(super) speed: Option<f32>,
}

/// The paths from a threat's cell: grid, its lineage and revision, kind, row and column.
type FieldKey = (Entity, (u64, u64), u8, i32, i32);

/// The cells within some cost of a threat.
#[derive(Debug)]
struct ThreatField {
    /// The greatest cost of a path.
    bound: f64,
    /// The tick in which it was last read.
    read: u64,
    reach: Arc<Reach>,
}

/// The fields of all threats. A field reaches only as far as the fugitives near the threat need it, unlike a distance
/// field over the whole grid: its time does not grow with the map.
#[derive(Resource, Debug, Default)]
pub(crate) struct ThreatFields {
    fields: BTreeMap<FieldKey, ThreatField>,
    steps: StepRules,
    scratch: SearchScratch,
    tick: u64,
    /// How many fields have been made.
    pub(super) made: u64,
}

impl ThreatFields {
    /// Begins a tick with these rules for steps: frees what is no longer read.
    pub(super) fn begin(&mut self, tick: u64, steps: StepRules) {
        if self.steps != steps {
            self.fields.clear();
        }
        (self.steps, self.tick) = (steps, tick);
        self.fields.retain(|_, field| tick.wrapping_sub(field.read) <= KEPT_TICKS);
    }

    pub(super) const fn steps(&self) -> StepRules {
        self.steps
    }

    pub(super) const fn scratch(&mut self) -> &mut SearchScratch {
        &mut self.scratch
    }

    /// The cells to which a path costs the threat at most `bound`; `None` if it cannot stand where it is.
    pub(super) fn of(&mut self, grid: &GridRef, threat: Threat, bound: f64) -> Option<Arc<Reach>> {
        let Threat { cell, kind, .. } = threat;
        let map = grid.nav.grid();
        let key = (grid.entity, (grid.nav.lineage(), map.revision()), kind.0, cell.y, cell.x);
        if let Some(field) = self.fields.get_mut(&key).filter(|field| field.bound >= bound) {
            field.read = self.tick;
            return Some(field.reach.clone());
        }
        let reach = Reach::within_cost(map, kind, self.steps, cell, bound, &mut self.scratch).ok()?;
        let reach = Arc::new(reach);
        self.made += 1;
        self.fields.insert(key, ThreatField { bound, read: self.tick, reach: reach.clone() });
        Some(reach)
    }
}
