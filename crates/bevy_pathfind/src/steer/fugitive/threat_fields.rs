//! The distances of cells from threats, shared by all fugitives.

use std::collections::BTreeMap;
use std::sync::Arc;

use bevy::prelude::*;
use pathfind_core::{CellRect, GridCell, KindId, Reach, SearchScratch, StepRules};

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

/// The paths from a threat's cell: grid, its map id and revision, kind, row and column.
type FieldKey = (Entity, (u64, u64), u8, i32, i32);

/// The cells within some cost of a threat.
#[derive(Debug)]
struct ThreatField {
    /// The greatest cost of a path.
    bound: f64,
    /// The tick in which it was last read.
    read: u64,
    costs: Arc<ThreatCosts>,
}

/// The costs of a threat's ways, as a table over the rectangle of the cells that it reaches: each decision reads the costs
/// of thousands of cells.
#[derive(Debug)]
pub(super) struct ThreatCosts {
    rect: CellRect,
    /// Row by row; infinite for a cell that is not reached.
    costs: Vec<f32>,
}

impl ThreatCosts {
    fn new(reach: &Reach) -> Self {
        let cells: Vec<_> = reach.cells().collect();
        let rects = cells.iter().map(|&(cell, _)| CellRect::new(cell, cell));
        let rect = rects.reduce(CellRect::union).expect("the start is reached");
        let rows = rect.max.y.abs_diff(rect.min.y) as usize + 1;
        let mut table = Self { rect, costs: Vec::new() };
        table.costs = vec![f32::INFINITY; table.width() * rows];
        for (cell, cost) in cells {
            let index = table.index(cell);
            table.costs[index] = cost as f32;
        }
        table
    }

    const fn width(&self) -> usize {
        self.rect.max.x.abs_diff(self.rect.min.x) as usize + 1
    }

    const fn index(&self, cell: GridCell) -> usize {
        let (column, row) = (cell.x.abs_diff(self.rect.min.x), cell.y.abs_diff(self.rect.min.y));
        row as usize * self.width() + column as usize
    }

    /// The cost of the way to a cell; infinite if it is not reached.
    pub(super) fn of(&self, cell: GridCell) -> f32 {
        if self.rect.contains(cell) { self.costs[self.index(cell)] } else { f32::INFINITY }
    }
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

    /// The costs of the ways that cost the threat at most `bound`; `None` if it cannot stand where it is.
    pub(super) fn of(&mut self, grid: &GridRef, threat: Threat, bound: f64) -> Option<Arc<ThreatCosts>> {
        let Threat { cell, kind, .. } = threat;
        let map = grid.nav.grid();
        let key = (grid.entity, (grid.nav.map_id(), map.revision()), kind.0, cell.y, cell.x);
        if let Some(field) = self.fields.get_mut(&key).filter(|field| field.bound >= bound) {
            field.read = self.tick;
            return Some(field.costs.clone());
        }
        let reach = Reach::within_cost(map, kind, self.steps, cell, bound, &mut self.scratch).ok()?;
        let costs = Arc::new(ThreatCosts::new(&reach));
        self.made += 1;
        self.fields.insert(key, ThreatField { bound, read: self.tick, costs: costs.clone() });
        Some(costs)
    }
}
