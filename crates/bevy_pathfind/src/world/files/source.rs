//! Grids that are loaded from assets and follow their changes.

use bevy::prelude::*;

use super::super::NavGrid;

/// Takes the grid of its entity from an asset. When the asset is loaded, the entity gets its [`NavGrid`]; when
/// the file changes (with Bevy's `file_watcher`) or the asset is edited, the grid is updated. Only the cells that
/// differ count as edited, so that agents whose path they do not touch keep their paths.
///
/// The asset has precedence: cells that were edited on the component meanwhile are then overwritten. If the cell size
/// or the plane of the asset differs, the grid is replaced, and every path on it is planned anew.
#[derive(Component, Reflect, Debug, Clone, Default, PartialEq)]
#[reflect(Component, Default, Debug, PartialEq)]
#[require(Transform)]
pub struct NavGridSource(pub Handle<NavGrid>);

/// The asset, and its revision, that a grid was last taken from.
#[derive(Component, PartialEq)]
pub(super) struct TakenFrom {
    lineage: u64,
    revision: u64,
}

/// Updates grids from their assets. It compares revisions instead of reading asset messages, which fixed ticks can
/// miss.
pub(super) fn follow_files(
    mut sources: Query<(Entity, &NavGridSource, Option<&mut NavGrid>, Option<&TakenFrom>)>,
    assets: Res<Assets<NavGrid>>,
    mut commands: Commands,
) {
    for (entity, source, grid, taken) in &mut sources {
        let Some(asset) = assets.get(&source.0) else { continue };
        let now = TakenFrom { lineage: asset.lineage(), revision: asset.revision() };
        if grid.is_some() && taken == Some(&now) {
            continue;
        }
        match grid {
            Some(mut grid) => {
                grid.set_map(asset.grid());
                if (grid.cell_size(), grid.plane()) != (asset.cell_size(), asset.plane()) {
                    *grid = asset.anew();
                }
            }
            None => _ = commands.entity(entity).try_insert(asset.anew()),
        }
        commands.entity(entity).try_insert(now);
    }
}
