//! Grids that are loaded from assets and follow their changes.

use bevy::prelude::*;

use super::super::{NavGrid, NavLink};

/// Takes the grid of its entity from an asset. When the asset is loaded, the entity gets its [`NavGrid`]; when the
/// file changes (with Bevy's `file_watcher`) or the asset is edited, the grid is updated. Only the cells that differ
/// count as edited, so that agents whose path they do not touch keep their paths. The [links](NavGrid::links) of a
/// `.grid.ron` are spawned as children of the grid's entity, and again when the file's links change.
///
/// The asset has precedence: cells that were edited on the component meanwhile are then overwritten. If the cell size
/// or the plane of the asset differs, the grid is replaced, and every path on it is planned anew.
#[derive(Component, Reflect, Debug, Clone, Default, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq)]
#[require(Transform)]
pub struct NavGridSource(pub Handle<NavGrid>);

/// The map id and the revision of the asset from which the grid was last updated, and the links that were spawned
/// then.
#[derive(Component)]
pub(super) struct TakenFrom {
    map_id: u64,
    revision: u64,
    links: Vec<(Entity, NavLink)>,
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
        let (map_id, revision) = (asset.map_id(), asset.revision());
        if grid.is_some() && taken.is_some_and(|taken| (taken.map_id, taken.revision) == (map_id, revision)) {
            continue;
        }
        match grid {
            Some(mut grid) => {
                if (grid.cell_size(), grid.plane()) == (asset.cell_size(), asset.plane()) {
                    grid.set_map(asset.grid());
                    grid.take_links(asset);
                } else {
                    *grid = asset.anew();
                }
            }
            None => _ = commands.entity(entity).try_insert(asset.anew()),
        }
        let before = taken.map_or(&[][..], |taken| &taken.links);
        let links = if asset.links(entity).eq(before.iter().map(|(_, link)| *link)) {
            before.to_vec()
        } else {
            before.iter().for_each(|&(link, _)| commands.entity(link).try_despawn());
            let spawn = |link: NavLink| (commands.spawn((link, ChildOf(entity))).id(), link);
            asset.links(entity).map(spawn).collect()
        };
        commands.entity(entity).try_insert(TakenFrom { map_id, revision, links });
    }
}
