//! Stamps the sources of influence on the layers of their grids, lets the layers fade and spread, and turns the values
//! into extra costs of cells.

use bevy::math::ops;
use bevy::prelude::*;
use pathfind_core::{CellRect, Grid, GridCell, InfluenceStamp, KindId};

use super::{GridInfluence, InfluenceId, InfluenceLayers, InfluenceSettings, InfluenceSource, LayerCost};
use crate::warnings::Warnings;
use crate::world::{Grids, NavGrid, OnGrid, PartOfGrid, Positions};

/// A stamp, with the grid and the layer that it belongs to and the number of its source.
type PlacedStamp = (Entity, InfluenceId, u64, InfluenceStamp);

/// All grids but the parts of joined grids.
type WholeGrids<'w, 's> =
    Query<'w, 's, (Entity, &'static mut NavGrid, &'static mut GridInfluence), Without<PartOfGrid>>;

/// Brings the layers and the costs of cells up to date, every [`InfluenceLayers::apply_every`] seconds.
pub(in crate::world) fn apply(
    layers: Res<InfluenceLayers>,
    time: Res<Time>,
    mut waited: Local<f32>,
    sources: Query<(Entity, &InfluenceSource, Option<&OnGrid>, Option<&Name>)>,
    positions: Positions,
    mut grids: ParamSet<(Grids, WholeGrids)>,
    mut warnings: Local<Warnings>,
) {
    if layers.layers.is_empty() && sources.is_empty() {
        return;
    }
    *waited += time.delta_secs();
    if *waited < layers.apply_every && !layers.is_changed() {
        return;
    }
    let elapsed = core::mem::take(&mut *waited);
    let reader = grids.p0();
    let all = reader.all();
    let mut placed: Vec<PlacedStamp> = Vec::new();
    for (entity, source, on, name) in &sources {
        let Some(at) = positions.of(entity) else { continue };
        let Ok(grid) = all.of((on, None, None, None), at) else { continue };
        let stamp = source.stamp(grid.place.to_grid(at), grid.place.cell_size());
        if layers.settings(source.layer).is_none() {
            warnings.warn(
                entity,
                name,
                "has an InfluenceSource on a layer that InfluenceLayers does not have",
            );
        } else if stamp.is_valid() {
            placed.push((grid.entity, source.layer, entity.to_bits(), stamp));
        } else {
            let what =
                "has no influence: its InfluenceSource is not finite, or reaches over more than 256 cells";
            warnings.warn(entity, name, what);
        }
    }
    placed.sort_by_key(|&(grid, layer, source, _)| (grid, layer, source));
    for (entity, mut nav, mut influence) in &mut grids.p1() {
        let first = placed.partition_point(|&(grid, ..)| grid < entity);
        let here = placed[first..].partition_point(|&(grid, ..)| grid == entity);
        let here = &placed[first..first + here];
        if influence.is_unused() && here.is_empty() {
            continue;
        }
        influence.follow(&nav);
        for (id, settings) in layers.iter() {
            let first = here.partition_point(|&(_, layer, ..)| layer < id);
            let own = here[first..].partition_point(|&(_, layer, ..)| layer == id);
            influence.change(id, settings, &nav, &here[first..first + own], elapsed);
        }
        influence.set_costs(&layers, &mut nav);
    }
}

impl GridInfluence {
    /// Whether the grid has no values, and none were applied.
    fn is_unused(&self) -> bool {
        self.layers.is_empty() && self.costs.is_empty()
    }

    /// Moves the values with the cells of the grid; on another map there are none.
    fn follow(&mut self, nav: &NavGrid) {
        if self.map.0 == nav.map_id() {
            return;
        }
        let by = nav.moved_by(self.map.0);
        for layer in &mut self.layers {
            let moved = |by: IVec2| layer.as_ref()?.on_canvas(nav.size(), by / Grid::BLOCK as i32).ok();
            let is_first = self.map.0 == 0 && layer.as_ref().is_some_and(|layer| layer.size() == nav.size());
            if !is_first {
                *layer = by.and_then(moved);
            }
        }
        self.map = (nav.map_id(), u64::MAX);
    }

    /// Puts the stamps of the sources on a layer, and lets what is painted fade and spread.
    fn change(
        &mut self,
        id: InfluenceId,
        settings: &InfluenceSettings,
        nav: &NavGrid,
        stamps: &[PlacedStamp],
        elapsed: f32,
    ) {
        if self.layer(id).is_none() && stamps.is_empty() {
            return;
        }
        let layer = self.layer_mut(id, nav);
        let is_here = |source: &u64| stamps.binary_search_by_key(source, |&(_, _, source, _)| source).is_ok();
        let gone: Vec<u64> = layer.sources().filter(|source| !is_here(source)).collect();
        gone.into_iter().for_each(|source| _ = layer.set_stamp(source, None));
        stamps.iter().for_each(|&(_, _, source, stamp)| _ = layer.set_stamp(source, Some(stamp)));
        if let Some(half_life) = settings.half_life.filter(|&half_life| half_life > 0.0) {
            layer.fade(ops::exp2(-elapsed / half_life));
        }
        if settings.spread > 0.0 {
            layer.spread(settings.spread * elapsed, |cell| nav.is_walkable(KindId::default(), cell));
        }
    }

    /// Turns the values into extra costs of the cells, where they have changed.
    fn set_costs(&mut self, layers: &InfluenceLayers, nav: &mut Mut<NavGrid>) {
        let mut changed: Vec<CellRect> =
            self.layers.iter_mut().flatten().flat_map(pathfind_core::InfluenceLayer::update).collect();
        let map = (nav.map_id(), nav.kinds_changed());
        let kinds_of = |costs: &[LayerCost]| costs.iter().map(|cost| cost.kind).collect::<Vec<_>>();
        let mut kinds = kinds_of(&layers.costs);
        if map != self.map || self.costs != layers.costs {
            changed = vec![nav.bounds()];
            kinds.extend(kinds_of(&self.costs));
            (self.map, self.costs) = (map, layers.costs.clone());
        }
        kinds.sort_by_key(|kind| kind.0);
        kinds.dedup();
        kinds.retain(|&kind| nav.kind(kind).is_some());
        if changed.is_empty() {
            return;
        }
        changed.sort_by_key(|rect| (rect.min.y, rect.min.x));
        changed.dedup();
        for kind in kinds {
            let costs = layers.costs.iter().filter(|cost| cost.kind == kind);
            let costs: Vec<_> = costs.filter_map(|it| Some((self.layer(it.layer)?, it.cost))).collect();
            let extra = |cell: GridCell| costs.iter().map(|(layer, cost)| cost.of(layer.value(cell))).sum();
            nav.set_extra_costs(kind, &changed, extra);
        }
    }
}
