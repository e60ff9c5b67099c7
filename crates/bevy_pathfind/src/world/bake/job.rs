//! The work of a bake, away from the main thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use bevy::ecs::entity::EntityHashMap;
use bevy::math::Affine3A;
use bevy::prelude::*;
use bevy::tasks::futures_lite::future::yield_now;
use pathfind_core::bake::{BakeError, BakeMesh, BakeRun, BakeSettings, Baked, BakedLink};
use pathfind_core::{CellRect, Grid, Terrain};

/// How many rows are baked before other work gets a turn.
const ROWS: u32 = 16;
/// So many rectangles are baked again one by one; more are one.
const MAX_RECTS: usize = 64;

/// A source as it stands in a box.
#[derive(Debug, Clone)]
pub(super) struct PlacedSource {
    pub(super) mesh: Arc<BakeMesh>,
    pub(super) terrain: Option<Terrain>,
    /// The map from its frame to the grid space of the box.
    pub(super) to_grid: Affine3A,
}

impl PartialEq for PlacedSource {
    fn eq(&self, other: &Self) -> bool {
        let is_same_mesh = Arc::ptr_eq(&self.mesh, &other.mesh);
        is_same_mesh && self.terrain == other.terrain && self.to_grid == other.to_grid
    }
}

impl PlacedSource {
    /// Its triangles in grid space; `None` if they lie outside the box, or are not finite there.
    fn in_box(&self, size: UVec2) -> Option<BakeMesh> {
        let mesh = self.mesh.transformed(&self.to_grid).ok()?;
        mesh.cells(size)?;
        Some(self.terrain.map_or_else(|| mesh.clone(), |terrain| mesh.clone().with_terrain(terrain)))
    }
}

/// What a rebake needs of the bake before: it goes to the job and comes back.
#[derive(Debug)]
pub(super) struct BakeStore {
    pub(super) baked: Baked,
    /// The meshes in the box, in its grid space.
    meshes: EntityHashMap<BakeMesh>,
}

/// What is to be done.
#[derive(Debug)]
pub(super) enum BakeJob {
    All {
        settings: BakeSettings,
        sources: Vec<(Entity, PlacedSource)>,
    },
    /// Sources that have changed; `None` for those that are gone.
    Part {
        store: Box<BakeStore>,
        changes: Vec<(Entity, Option<PlacedSource>)>,
    },
}

/// What was done.
#[derive(Debug, Default)]
pub(super) struct BakeOutcome {
    pub(super) store: Option<Box<BakeStore>>,
    /// The grids of new floors: of all floors, after a full bake.
    pub(super) grids: Vec<Grid>,
    /// The cells that were baked again; `None` after a full bake.
    pub(super) cells: Option<Vec<CellRect>>,
    /// The links, if they have changed.
    pub(super) links: Option<Vec<BakedLink>>,
    pub(super) error: Option<BakeError>,
}

impl BakeJob {
    /// Does it. `progress` gets the part that is done, as the bits of a number from 0 to 1.
    pub(super) async fn run(self, progress: Arc<AtomicU32>) -> BakeOutcome {
        match self {
            Self::All { settings, sources } => bake(settings, sources, &progress)
                .await
                .unwrap_or_else(|error| BakeOutcome { error: Some(error), ..BakeOutcome::default() }),
            Self::Part { store, changes } => rebake(store, changes),
        }
    }
}

async fn bake(
    settings: BakeSettings,
    sources: Vec<(Entity, PlacedSource)>,
    progress: &AtomicU32,
) -> Result<BakeOutcome, BakeError> {
    let mut meshes = EntityHashMap::default();
    for (entity, source) in sources {
        meshes.extend(source.in_box(settings.size).map(|mesh| (entity, mesh)));
        yield_now().await;
    }
    let mut run = BakeRun::new(settings, &meshes.values().collect::<Vec<_>>())?;
    while !run.step(ROWS) {
        progress.store(run.progress().to_bits(), Ordering::Relaxed);
        yield_now().await;
    }
    let baked = run.finish()?;
    let mut grids = Vec::new();
    for floor in 0..baked.floor_count() {
        yield_now().await;
        grids.push(baked.grid(floor));
    }
    let links = Some(baked.links());
    let store = Some(Box::new(BakeStore { baked, meshes }));
    Ok(BakeOutcome { store, grids, links, ..BakeOutcome::default() })
}

fn rebake(mut store: Box<BakeStore>, changes: Vec<(Entity, Option<PlacedSource>)>) -> BakeOutcome {
    let BakeStore { baked, meshes } = &mut *store;
    let size = baked.settings().size;
    let mut rects = Vec::new();
    for (entity, source) in changes {
        let new = source.and_then(|source| source.in_box(size));
        rects.extend(new.as_ref().and_then(|mesh| mesh.cells(size)));
        let old = match new {
            Some(mesh) => meshes.insert(entity, mesh),
            None => meshes.remove(&entity),
        };
        rects.extend(old.and_then(|mesh| mesh.cells(size)));
    }
    let rects = merged(rects);
    let floors = baked.floor_count();
    let all: Vec<&BakeMesh> = meshes.values().collect();
    let (mut is_relinked, mut error) = (false, None);
    for &rect in &rects {
        match baked.rebake(rect, &all) {
            Ok(rebaked) => is_relinked |= rebaked.links,
            Err(what) => error = Some(what),
        }
    }
    let grids = (floors..baked.floor_count()).map(|floor| baked.grid(floor)).collect();
    let links = is_relinked.then(|| baked.links());
    BakeOutcome { store: Some(store), grids, cells: Some(rects), links, error }
}

/// Rectangles that cover the same cells and do not overlap: those that do are made one.
fn merged(rects: Vec<CellRect>) -> Vec<CellRect> {
    if rects.len() > MAX_RECTS {
        return rects.into_iter().reduce(CellRect::union).into_iter().collect();
    }
    let mut apart: Vec<CellRect> = Vec::new();
    for mut rect in rects {
        while let Some(at) = apart.iter().position(|other| other.intersection(rect).is_some()) {
            rect = rect.union(apart.swap_remove(at));
        }
        apart.push(rect);
    }
    apart
}

#[cfg(test)]
mod tests {
    use pathfind_core::GridCell;

    use super::*;

    #[test]
    fn rectangles_that_overlap_are_baked_once() {
        let rect = |x, y, side| CellRect::new(GridCell::new(x, y), GridCell::new(x + side, y + side));
        assert_eq!(merged(vec![rect(0, 0, 2), rect(9, 9, 2), rect(2, 2, 2)]), [rect(9, 9, 2), rect(0, 0, 4)]);
        assert_eq!(merged(vec![rect(0, 0, 2), rect(6, 0, 2), rect(1, 1, 6)]).len(), 1);
        let many: Vec<_> = (0..100).map(|i| rect(i * 3, 0, 1)).collect();
        assert_eq!(merged(many).len(), 1);
    }
}
