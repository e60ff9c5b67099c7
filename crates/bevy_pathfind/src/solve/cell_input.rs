//! The input of a search for the best cells, and its answer, between the world and the core.

use std::sync::Arc;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use pathfind_core::{
    CellFilter, CellQuery, CellScore, CellSearch, Grid, GridCell, InfluenceLayer, KindId, Progress,
    ScoredCell, SearchScratch,
};

use super::snapshot::{Ground, start_cell};
use crate::agent::Agent;
use crate::order::{
    CellCondition, CellRequest, CellValue, FoundCell, NavGoal, NavPath, PathError, Reservation, SlotClaim,
    Ticket,
};
use crate::world::{GridInfluence, GridRef, GridTransform, InfluenceId, TieOf};

/// The influence on the ground and the cells that agents take: the world, besides its grids, as requests for cells read
/// it.
#[derive(SystemParam)]
pub(super) struct CellSurroundings<'w, 's> {
    pub(super) influence: Query<'w, 's, &'static GridInfluence>,
    agents: Query<'w, 's, Occupant, With<Agent>>,
}

/// The components of an agent that say which cells it takes.
type Occupant = (
    Entity,
    Option<&'static Ticket>,
    Option<&'static NavPath>,
    Option<&'static SlotClaim>,
    Option<&'static Reservation>,
);

/// Who asks for cells.
#[derive(Clone, Copy)]
pub(super) struct CellAsker<'a> {
    /// The agent; `None` for a question without one.
    pub(super) agent: Option<Entity>,
    pub(super) kind: KindId,
    pub(super) from: Vec3,
    pub(super) tie: TieOf<'a>,
}

/// The input of a search for the best cells: a copy, which does not change while the search waits and runs.
pub(super) struct CellInput {
    source: CellSource,
    query: CellQuery,
}

/// A search for the best cells under way.
pub(super) struct CellRun {
    source: CellSource,
    search: CellSearch<Arc<Grid>>,
}

/// The map and the layers that a search reads, as they were when it was queued.
struct CellSource {
    grid: Entity,
    place: GridTransform,
    map: Arc<Grid>,
    layers: Vec<InfluenceLayer>,
}

/// The layers that a query names, by their index in the query.
#[derive(Default)]
struct QueryLayers(Vec<InfluenceId>);

impl QueryLayers {
    fn index(&mut self, layer: InfluenceId) -> usize {
        let known = self.0.iter().position(|&known| known == layer);
        known.unwrap_or_else(|| {
            self.0.push(layer);
            self.0.len() - 1
        })
    }
}

impl CellSurroundings<'_, '_> {
    /// The input of a search, as the world is now.
    pub(super) fn input(
        &self,
        ground: &Ground,
        asker: &CellAsker,
        request: &CellRequest,
    ) -> Result<CellInput, PathError> {
        let grid = ground.grids.of(asker.tie, asker.from)?;
        let mut layers = QueryLayers::default();
        let query = self.query(ground, (asker, &grid), request, &mut layers)?;
        let size = grid.nav.grid().size();
        let empty = || InfluenceLayer::new(size.x, size.y).expect("a grid has a legal size");
        let values = self.influence.get(grid.entity).ok();
        let layer = |id: InfluenceId| values.and_then(|values| values.layer(id)).cloned();
        let source = CellSource {
            grid: grid.entity,
            place: *grid.place,
            map: grid.nav.grid().clone(),
            layers: layers.0.into_iter().map(|id| layer(id).unwrap_or_else(empty)).collect(),
        };
        Ok(CellInput { source, query })
    }

    fn query(
        &self,
        ground: &Ground,
        (asker, grid): (&CellAsker, &GridRef),
        request: &CellRequest,
        layers: &mut QueryLayers,
    ) -> Result<CellQuery, PathError> {
        let cell_size = grid.place.cell_size();
        let point = |goal: &NavGoal| {
            let points = goal.points(&ground.positions)?;
            let point = points.first().map(|&point| grid.place.to_grid(point));
            point.filter(|point| point.is_finite()).ok_or(PathError::NotFinite)
        };
        let start = start_cell(grid.nav.grid(), asker.kind, grid.place.to_grid(asker.from));
        let mut query = CellQuery::new(start, request.within / cell_size)
            .with_kind(asker.kind)
            .with_steps(ground.defaults.steps())
            .with_count(request.count as usize);
        query.sight_kind = request.sight_kind;
        for condition in &request.conditions {
            query.filters.push(match condition {
                CellCondition::Sees(goal) => CellFilter::Sees(point(goal)?),
                CellCondition::HiddenFrom(goal) => CellFilter::HiddenFrom(point(goal)?),
                CellCondition::Distance { to, min, max } => {
                    CellFilter::Distance { to: point(to)?, min: min / cell_size, max: max / cell_size }
                }
                CellCondition::Free => CellFilter::NotIn(self.taken(ground, grid, asker.agent)),
                &CellCondition::InfluenceBelow { layer, bound } => {
                    CellFilter::LayerBelow { layer: layers.index(layer), bound }
                }
            });
        }
        for term in &request.scores {
            let (score, unit) = match &term.value {
                CellValue::PathCost => (CellScore::PathCost, cell_size),
                CellValue::Distance(goal) => (CellScore::Distance(point(goal)?), cell_size),
                &CellValue::Influence(layer) => (CellScore::Layer(layers.index(layer)), 1.0),
                CellValue::Cover(goal) => (CellScore::Cover(point(goal)?), 1.0),
            };
            query.scores.push((score, term.weight * unit));
        }
        Ok(query)
    }

    /// The cells on which other agents stand, to which they go, and those that they claim.
    fn taken(&self, ground: &Ground, grid: &GridRef, asker: Option<Entity>) -> Vec<GridCell> {
        let mut taken = Vec::new();
        for (entity, ticket, path, claim, reservation) in
            self.agents.iter().filter(|&(entity, ..)| Some(entity) != asker)
        {
            let at = ground.positions.of(entity).filter(|at| at.is_finite());
            taken.extend(at.map(|at| grid.cell(at)));
            let is_here = |path: &&NavPath| path.grid() == grid.entity;
            taken.extend(path.filter(is_here).map(|path| GridCell::containing(path.found_end())));
            taken.extend(ticket.filter(|ticket| ticket.grid == Some(grid.entity)).and_then(|it| it.slot));
            taken.extend(claim.map(|claim| grid.cell(claim.point)));
            let reservation = reservation.filter(|reservation| reservation.is_granted);
            taken.extend(reservation.map(|reservation| grid.cell(reservation.at)));
        }
        taken
    }
}

impl CellInput {
    pub(super) fn begin(self, scratch: SearchScratch) -> CellRun {
        let Self { source, query } = self;
        CellRun { search: CellSearch::new(source.map.clone(), query, scratch), source }
    }
}

impl CellRun {
    /// Expands up to `budget` cells; returns whether the search is over.
    pub(super) fn step(&mut self, budget: u32) -> bool {
        let values: Vec<_> = self.source.layers.iter().map(|layer| |cell| layer.value(cell)).collect();
        let layers: Vec<&dyn Fn(GridCell) -> f32> = values.iter().map(|value| value as _).collect();
        self.search.step(budget, &layers) == Progress::Done
    }

    /// Ends the search: what it found, and its memory.
    pub(super) fn finish(self, ground: &Ground) -> (Result<Vec<FoundCell>, PathError>, SearchScratch) {
        let Self { source, search } = self;
        let (best, scratch) = search.finish();
        let found = ground.grids.get(source.grid).ok_or(PathError::GridRemoved).and_then(|grid| {
            let in_world = |scored| found_cell(ground, &grid, (&source.map, &source.place), scored);
            Ok(best?.into_iter().map(in_world).collect())
        });
        (found, scratch)
    }
}

/// A cell of a grid that was searched, in the world. By now the cells of the grid may have other numbers: a joined grid
/// may have grown.
fn found_cell(
    ground: &Ground,
    grid: &GridRef,
    (map, place): (&Grid, &GridTransform),
    scored: ScoredCell,
) -> FoundCell {
    let center = scored.cell.center();
    let position = place.to_world(center, map.elevation_at(KindId::default(), center));
    let cell = grid.cell(position);
    let part = ground.grids.part_at(grid.entity, cell);
    FoundCell {
        position,
        grid: part,
        cell: ground.grids.place_of(part).1.cell_on(cell),
        score: scored.score,
        cost: scored.cost as f32 * place.cell_size(),
    }
}
