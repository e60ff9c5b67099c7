//! Flow fields: computed when they are new, computed again when their goals have changed, and repaired when their
//! grid was edited. Agents that follow a field are steered in `steer`.

use std::sync::Arc;

use bevy::prelude::*;
use bevy::tasks::futures::check_ready;
use bevy::tasks::{AsyncComputeTaskPool, TaskPool};
use pathfind_core::{CellRect, DistanceField, Goal, Grid, SearchError, SearchScratch};

use super::{SolveMode, SolveSettings};
use crate::order::{FieldSource, FlowField, FlowFieldValues, PathError, SearchOptions, UnderWay};
use crate::world::{GridRef, Grids, OnGrid, Positions};

type FieldComponents = (&'static FlowField, Option<&'static OnGrid>, &'static mut FlowFieldValues);

/// Stores finished fields, and begins to compute those that are new or out of date.
pub(super) fn update_fields(
    mut fields: Query<FieldComponents>,
    (grids, positions): (Grids, Positions),
    (defaults, settings): (Res<SearchOptions>, Res<SolveSettings>),
    mut scratch: Local<SearchScratch>,
) {
    for (field, on, mut values) in &mut fields {
        // An unfinished computation must not mark the values as changed.
        if let Some(under_way) = &mut values.bypass_change_detection().under_way {
            // One computation per field at a time: later changes are taken up by the next one.
            let Some((result, returned_scratch)) = check_ready(&mut under_way.task) else { continue };
            *scratch = returned_scratch;
            if let Some(UnderWay { source, .. }) = values.under_way.take() {
                values.set(source, result);
            }
        }
        let (source, grid) = match source(field, on, &grids, &positions, &defaults) {
            Ok(found) => found,
            Err(error) => {
                values.map_unchanged(|values| &mut values.error).set_if_neq(Some(error));
                continue;
            }
        };
        if let Some(error) = values.outcome(&source) {
            values.map_unchanged(|values| &mut values.error).set_if_neq(error);
            continue;
        }
        let snapshot = grid.nav.grid().clone();
        let edits_since = |revision| Some(grid.nav.changes_since(revision)?.collect());
        let old = values.take_repairable(&source, edits_since);
        let job = FieldJob { snapshot, source: source.clone(), old };
        if settings.available_mode() != SolveMode::Background {
            values.set(source, job.compute(&mut scratch));
            continue;
        }
        let mut scratch = std::mem::take(&mut *scratch);
        let pool = AsyncComputeTaskPool::get_or_init(TaskPool::default);
        let task = pool.spawn(async move { (job.compute(&mut scratch), scratch) });
        values.under_way = Some(UnderWay { source, task });
    }
}

struct FieldJob {
    snapshot: Arc<Grid>,
    source: FieldSource,
    /// A field with the same goals for an older revision of the grid, and the cells edited since; `None` if there is
    /// none to repair.
    old: Option<(Arc<DistanceField>, Vec<CellRect>)>,
}

impl FieldJob {
    fn compute(self, scratch: &mut SearchScratch) -> Result<DistanceField, SearchError> {
        let FieldSource { kind, steps, ref goals, .. } = self.source;
        let Some((old, edited)) = self.old else {
            return DistanceField::new(&self.snapshot, kind, steps, goals, scratch);
        };
        let mut field = Arc::unwrap_or_clone(old);
        field.repair(&self.snapshot, &edited, scratch)?;
        Ok(field)
    }
}

/// The source of a field as the world is now, and the field's grid.
fn source<'g>(
    field: &FlowField,
    on: Option<&OnGrid>,
    grids: &'g Grids,
    positions: &Positions,
    defaults: &SearchOptions,
) -> Result<(FieldSource, GridRef<'g>), PathError> {
    let first = field.goals.first().ok_or(PathError::InvalidQuery)?.points(positions)?;
    let grid = grids.of((on, None, None, None), first[0])?;
    let mut goals = Vec::new();
    for goal in &field.goals {
        let points = goal.points(positions)?;
        let cells = points.into_iter().map(|point| grid.cell(point)).collect();
        match goal.on(&grid, cells) {
            Goal::GridCell(cell) => goals.push(cell),
            Goal::AnyOf(cells) => goals.extend(cells),
            Goal::Within { center, radius } => goals.extend(grid.nav.grid().cells_within(center, radius)),
            _ => return Err(PathError::InvalidQuery),
        }
    }
    goals.sort_unstable_by_key(|cell| (cell.y, cell.x));
    goals.dedup();
    let steps = field.options.unwrap_or(*defaults).steps();
    let source = FieldSource {
        grid: grid.entity,
        map_id: grid.nav.map_id(),
        revision: grid.nav.revision(),
        kind: field.kind,
        steps,
        goals,
    };
    Ok((source, grid))
}
