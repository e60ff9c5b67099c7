//! Grids that follow their files.

use bevy::prelude::*;

use super::super::NavGrid;

/// Takes the grid of its entity from an asset: when that is loaded the entity gets its [`NavGrid`], and when
/// the file changes (with Bevy's `file_watcher`) or the asset is edited, the grid follows. Only the cells that
/// differ count as edited, so that agents are sent round what is new and all others walk on.
///
/// The file's word is final: cells that were edited on the component meanwhile are overwritten then.
#[derive(Component, Reflect, Debug, Clone, Default, PartialEq)]
#[reflect(Component, Default, Debug, PartialEq)]
#[require(Transform)]
pub struct NavGridSource(pub Handle<NavGrid>);

/// Which state of which asset a grid was taken from.
#[derive(Component, PartialEq)]
pub(super) struct TakenFrom {
    lineage: u64,
    revision: u64,
}

/// Takes over what files hold now. It compares with what was taken over before, and needs no messages.
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
