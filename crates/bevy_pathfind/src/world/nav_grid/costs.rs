//! The extra costs of the cells of a [`NavGrid`], and the journal of their changes.

use std::sync::Arc;

use bevy::math::Vec2;
use pathfind_core::{CellRect, GridCell, KindId};

use super::super::edits::Edits;
use super::NavGrid;

/// The journal of the changes of extra costs.
#[derive(Debug, Clone)]
pub(super) struct CostJournal {
    /// The latest changes, which touch no path.
    pub(super) changes: Edits,
    /// The revision of the latest change for each kind of agent that ever had extra costs.
    revisions: Vec<u64>,
}

impl NavGrid {
    /// Sets what cells of some rectangles cost a kind in addition to their terrain. Unlike an edit of the terrain it
    /// invalidates no path.
    pub(in crate::world) fn set_extra_costs(
        &mut self,
        kind: KindId,
        rects: &[CellRect],
        extra: impl FnMut(GridCell) -> f32,
    ) {
        let touched = Arc::make_mut(&mut self.grid).set_extra_costs(kind, rects, extra).unwrap_or_default();
        let revision = self.grid.revision();
        if touched.is_empty() {
            return;
        }
        let new = || Box::new(CostJournal { changes: Edits::since(0), revisions: Vec::new() });
        let CostJournal { changes, revisions } = &mut **self.costs.get_or_insert_with(new);
        let index = usize::from(kind.0);
        revisions.resize(revisions.len().max(index + 1), 0);
        revisions[index] = revision;
        touched.into_iter().for_each(|rect| changes.record(revision, rect));
    }

    /// The revision of the latest change of a kind's extra costs; 0 if there was none.
    pub(crate) fn cost_revision(&self, kind: KindId) -> u64 {
        self.costs.as_ref().and_then(|costs| costs.revisions.get(usize::from(kind.0))).copied().unwrap_or(0)
    }

    /// Whether any cell ever had an extra cost for any kind.
    pub(crate) const fn have_costs_changed(&self) -> bool {
        self.costs.is_some()
    }

    /// Whether a path from `a` to `b` through a change of extra costs after a revision can be shorter than `length`.
    pub(crate) fn costs_may_shorten(&self, revision: u64, a: Vec2, b: Vec2, length: f64) -> bool {
        self.costs.as_ref().is_some_and(|costs| costs.changes.may_shorten(revision, a, b, length as f32, 0.0))
    }

    /// The revision of the latest change that may invalidate paths: of terrain, elevation or kinds of agents.
    pub(crate) fn map_revision(&self) -> u64 {
        self.edits.latest()
    }

    /// The revision at which a kind of agent was last replaced, and so lost its extra costs.
    pub(in crate::world) const fn kinds_changed(&self) -> u64 {
        self.kinds_changed
    }
}
