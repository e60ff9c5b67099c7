//! Flow fields: made when they are new, made again when their goals have changed, and repaired when their grid has.

use std::sync::Arc;

use bevy::prelude::*;
use bevy::tasks::futures::check_ready;
use bevy::tasks::{AsyncComputeTaskPool, TaskPool};
use pathfind_core::{CellRect, DistanceField, Goal, Grid, SearchError, SearchScratch};

use super::{SolveMode, SolveSettings};
use crate::order::{DefaultSearch, FieldSource, FlowField, FlowFieldValues, PathError, UnderWay};
use crate::world::{GridRef, Grids, OnGrid, Positions};

/// The components of a flow field.
type Field = (&'static FlowField, Option<&'static OnGrid>, &'static mut FlowFieldValues);

/// Puts finished fields in place, and begins those that are out of date.
pub(super) fn keep_up(
    mut fields: Query<Field>,
    (grids, positions): (Grids, Positions),
    (defaults, settings): (Res<DefaultSearch>, Res<SolveSettings>),
    mut scratch: Local<SearchScratch>,
) {
    for (field, on, mut values) in &mut fields {
        // Tested first: writing marks the values as changed.
        if values.under_way.is_some()
            && let Some(mut under_way) = values.under_way.take()
        {
            match check_ready(&mut under_way.task) {
                Some((made, space)) => {
                    *scratch = space;
                    values.set(under_way.source, made);
                }
                // One at a time: what has changed meanwhile is for the next one.
                None => {
                    values.under_way = Some(under_way);
                    continue;
                }
            }
        }
        let (source, grid) = match source(field, on, &grids, &positions, &defaults) {
            Ok(found) => found,
            Err(error) => {
                note_error(&mut values, Some(error));
                continue;
            }
        };
        if let Some(error) = values.outcome(&source) {
            note_error(&mut values, error);
            continue;
        }
        let snapshot = grid.nav.grid().clone();
        let old = values.repairable(&source).and_then(|(field, revision)| {
            let edited: Vec<CellRect> = grid.nav.edits().after(revision)?.collect();
            Some((field.clone(), edited))
        });
        let work = Work { snapshot, source: source.clone(), old };
        if settings.available_mode() != SolveMode::Background {
            values.set(source, work.make(&mut scratch));
            continue;
        }
        let mut space = std::mem::take(&mut *scratch);
        let pool = AsyncComputeTaskPool::get_or_init(TaskPool::default);
        let task = pool.spawn(async move { (work.make(&mut space), space) });
        values.under_way = Some(UnderWay { source, task });
    }
}

/// A field to make.
struct Work {
    snapshot: Arc<Grid>,
    source: FieldSource,
    /// A field that differs only by edits of the grid, and where those are.
    old: Option<(Arc<DistanceField>, Vec<CellRect>)>,
}

impl Work {
    fn make(self, scratch: &mut SearchScratch) -> Result<DistanceField, SearchError> {
        let FieldSource { kind, steps, ref goals, .. } = self.source;
        let Some((old, edited)) = self.old else {
            return DistanceField::new(&self.snapshot, kind, steps, goals, scratch);
        };
        let mut field = Arc::unwrap_or_clone(old);
        field.repair(&self.snapshot, &edited, scratch)?;
        Ok(field)
    }
}

/// Sets the error of a field if it is another one: without need, values are not marked as changed.
fn note_error(values: &mut Mut<FlowFieldValues>, error: Option<PathError>) {
    if values.error() != error {
        values.set_error(error);
    }
}

/// The source of a field as the world is now, and the field's grid.
fn source<'g>(
    field: &FlowField,
    on: Option<&OnGrid>,
    grids: &'g Grids,
    positions: &Positions,
    defaults: &DefaultSearch,
) -> Result<(FieldSource, GridRef<'g>), PathError> {
    let first = field.goals.first().ok_or(PathError::Refused)?.points(positions)?;
    let grid = grids.of((on, None, None, None), first[0])?;
    let mut goals = Vec::new();
    for goal in &field.goals {
        let points = goal.points(positions)?;
        let cells = points.into_iter().map(|point| grid.cell(point)).collect();
        match goal.on(&grid, cells) {
            Goal::Cell(cell) => goals.push(cell),
            Goal::AnyOf(cells) => goals.extend(cells),
            Goal::Within { center, radius } => goals.extend(grid.nav.grid().cells_within(center, radius)),
            _ => return Err(PathError::Refused),
        }
    }
    goals.sort_unstable_by_key(|cell| (cell.y, cell.x));
    goals.dedup();
    let steps = field.options.unwrap_or(defaults.0).steps();
    let source = FieldSource {
        grid: grid.entity,
        lineage: grid.nav.lineage(),
        revision: grid.nav.revision(),
        kind: field.kind,
        steps,
        goals,
    };
    Ok((source, grid))
}
