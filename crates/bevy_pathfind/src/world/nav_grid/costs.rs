//! The extra costs of the cells of a [`NavGrid`], and the journal of their changes.

use std::sync::Arc;

use bevy::math::Vec2;
use pathfind_core::{CellRect, GridCell, KindId};

use super::NavGrid;

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
        if !touched.is_empty() {
            let index = usize::from(kind.0);
            self.cost_revisions.resize(self.cost_revisions.len().max(index + 1), 0);
            self.cost_revisions[index] = revision;
        }
        touched.into_iter().for_each(|rect| self.cost_changes.record(revision, rect));
    }

    /// The revision of the latest change of a kind's extra costs; 0 if there was none.
    pub(crate) fn cost_revision(&self, kind: KindId) -> u64 {
        self.cost_revisions.get(usize::from(kind.0)).copied().unwrap_or(0)
    }

    /// Whether any cell ever had an extra cost for any kind.
    pub(crate) const fn have_costs_changed(&self) -> bool {
        !self.cost_revisions.is_empty()
    }

    /// Whether a path from `a` to `b` through a change of extra costs after a revision can be shorter than `length`.
    pub(crate) fn costs_may_shorten(&self, revision: u64, a: Vec2, b: Vec2, length: f64) -> bool {
        self.cost_changes.may_shorten(revision, a, b, length as f32, 0.0)
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
