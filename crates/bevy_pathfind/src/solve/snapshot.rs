//! What a search is given to work on: taken once, when the request's turn comes.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use pathfind_core::{Cell, Query as Question};

use super::worker::{Assignment, Spaces};
use super::{ClientItem, PathError, SolveSettings, Worker};
use crate::request::DefaultSearch;
use crate::world::{Grids, Positions};

/// Takes snapshots of the world for searches.
#[derive(SystemParam)]
pub(super) struct Snapshots<'w, 's> {
    grids: Grids<'w, 's>,
    positions: Positions<'w, 's>,
    defaults: Res<'w, DefaultSearch>,
    settings: Res<'w, SolveSettings>,
    spaces: Res<'w, Spaces>,
}

impl Snapshots<'_, '_> {
    /// A worker for an assignment.
    pub(super) fn worker(&self, assignment: Assignment) -> Worker {
        Worker::new(assignment, self.spaces.clone())
    }

    /// What a search for a client's request has to know, as the world is now.
    pub(super) fn assignment(&self, client: &ClientItem) -> Result<Assignment, PathError> {
        let from = self.positions.of(client.entity).unwrap_or(Vec3::NAN);
        let to = client.request.goal.point(&self.positions)?;
        let grid = client.ticket.grid.and_then(|entity| self.grids.get(entity));
        let grid = grid.ok_or(PathError::GridRemoved)?;
        if !grid.place.is_usable() {
            return Err(PathError::BadGrid);
        }
        let (from, to) = (grid.place.to_grid(from), grid.place.to_grid(to));
        if !from.is_finite() || !to.is_finite() {
            return Err(PathError::NotFinite);
        }
        let options = client.request.options.unwrap_or(self.defaults.0);
        let question = Question::new(Cell::containing(from), Cell::containing(to))
            .with_kind(client.agent.map(|agent| agent.kind).unwrap_or_default())
            .with_steps(options.steps())
            .with_algorithm(options.algorithm.into())
            .with_heuristic(options.heuristic.into())
            .with_weight(options.weight)
            .with_limits(options.limits())
            .with_partial(options.allow_partial);
        Ok(Assignment {
            number: client.ticket.number,
            grid: grid.entity,
            lineage: grid.nav.lineage(),
            snapshot: grid.nav.grid().clone(),
            from,
            to,
            question,
            corners: options.corners,
            straighten: options.straighten,
            record: self.settings.record,
        })
    }
}
