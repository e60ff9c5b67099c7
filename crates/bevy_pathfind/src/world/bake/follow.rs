//! Notices what has changed, and starts the work.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use bevy::ecs::entity::{EntityHashMap, EntityHashSet};
use bevy::ecs::system::SystemParam;
use bevy::math::Affine3A;
use bevy::prelude::*;
use bevy::tasks::futures::check_ready;
use bevy::tasks::{AsyncComputeTaskPool, Task, TaskPool};
use pathfind_core::bake::{BakeError, BakedLink};

use super::job::{BakeJob, BakeOutcome, BakeStore, PlacedSource};
use super::source::terrain_of;
use super::{BakeSource, BakeTerrain, BakedGround, NavGridBake};
use crate::bevy_version::OnRemove;

/// The state of a bake between ticks.
#[derive(Component, Debug, Default)]
pub(super) struct BakeWork {
    /// The work under way. Dropping it ends it.
    pub(super) task: Option<Task<BakeOutcome>>,
    /// Work that was done in this tick.
    pub(super) done: Option<BakeOutcome>,
    progress: Arc<AtomicU32>,
    pub(super) store: Option<Box<BakeStore>>,
    /// The sources as they were baked, or are being baked.
    known: EntityHashMap<PlacedSource>,
    /// Sources that may have changed since.
    changed: EntityHashSet,
    /// Whether all has to be baked.
    is_stale: bool,
    /// The links of the bake, each with its entity.
    pub(super) links: Vec<(BakedLink, Entity)>,
}

/// The entities that have lost their source since the last tick.
#[derive(Resource, Debug, Default)]
pub(super) struct LostSources(EntityHashSet);

pub(super) fn note_lost(on: OnRemove<BakeSource>, mut lost: ResMut<LostSources>) {
    lost.0.insert(on.entity);
}

type SourceMoved = Or<(Changed<BakeSource>, Changed<Transform>, Changed<GlobalTransform>)>;

/// The sources of the world.
#[derive(SystemParam)]
pub(super) struct Sources<'w, 's> {
    all: Query<'w, 's, (Entity, &'static BakeSource)>,
    moved: Query<'w, 's, Entity, (With<BakeSource>, SourceMoved)>,
    repainted: Query<'w, 's, Entity, Changed<BakeTerrain>>,
    children: Query<'w, 's, &'static Children>,
    terrains: Query<'w, 's, &'static BakeTerrain>,
    parents: Query<'w, 's, &'static ChildOf>,
    transforms: TransformHelper<'w, 's>,
}

impl Sources<'_, '_> {
    /// The sources that may have changed since the last tick.
    fn changed(&self) -> impl Iterator<Item = Entity> {
        let below = |entity| core::iter::once(entity).chain(self.children.iter_descendants(entity));
        self.moved.iter().chain(self.repainted.iter().flat_map(below))
    }

    /// A source as it stands in a box; `None` if it is gone.
    fn placed(&self, entity: Entity, to_grid: &Affine3A) -> Option<PlacedSource> {
        let (_, source) = self.all.get(entity).ok()?;
        let at = self.transforms.compute_global_transform(entity).ok()?;
        let terrain = terrain_of(entity, &self.terrains, &self.parents);
        Some(PlacedSource { mesh: source.0.clone(), terrain, to_grid: *to_grid * at.affine() })
    }
}

/// Starts a bake where one is due and none is under way.
pub(super) fn follow(
    mut bakes: Query<(Entity, Ref<NavGridBake>, &mut BakeWork, &mut BakedGround)>,
    mut lost: ResMut<LostSources>,
    sources: Sources,
) {
    let lost = core::mem::take(&mut lost.0);
    if bakes.is_empty() {
        return;
    }
    let changed: EntityHashSet = sources.changed().chain(lost).collect();
    for (entity, bake, mut work, mut ground) in &mut bakes {
        let work = work.bypass_change_detection();
        work.is_stale |= bake.is_changed();
        work.changed.extend(&changed);
        if work.task.is_none()
            && work.done.is_none()
            && let Some(job) = due(entity, &bake, work, &sources)
        {
            work.progress.store(0, Ordering::Relaxed);
            let run = job.map(|job| job.run(work.progress.clone()));
            match run {
                Err(error) => work.done = Some(BakeOutcome { error: Some(error), ..default() }),
                Ok(run) if bake.is_inline => work.done = Some(finish(run)),
                Ok(run) => work.task = Some(AsyncComputeTaskPool::get_or_init(TaskPool::default).spawn(run)),
            }
        }
        let is_idle = work.task.is_none();
        let progress = if is_idle { 1.0 } else { f32::from_bits(work.progress.load(Ordering::Relaxed)) };
        if ground.progress != progress {
            ground.progress = progress;
        }
    }
}

/// Does work at once: it yields to others, but waits for nothing.
fn finish(run: impl Future<Output = BakeOutcome>) -> BakeOutcome {
    let mut run = core::pin::pin!(run);
    loop {
        if let Some(outcome) = check_ready(&mut run) {
            return outcome;
        }
    }
}

/// The work that is due.
fn due(
    entity: Entity,
    bake: &NavGridBake,
    work: &mut BakeWork,
    sources: &Sources,
) -> Option<Result<BakeJob, BakeError>> {
    if !work.is_stale && work.changed.is_empty() {
        return None;
    }
    let at = sources.transforms.compute_global_transform(entity).ok()?;
    let to_grid = (at.affine() * bake.frame()).inverse();
    let changed = core::mem::take(&mut work.changed);
    if work.is_stale || work.store.is_none() {
        work.is_stale = false;
        // The bake before goes with its settings.
        work.store = None;
        let all = sources.all.iter().filter_map(|(it, _)| Some((it, sources.placed(it, &to_grid)?)));
        let all: Vec<_> = all.collect();
        work.known = all.iter().cloned().collect();
        return Some(bake.in_cells().map(|settings| BakeJob::All { settings, sources: all }));
    }
    let mut changes = Vec::new();
    for source in changed {
        let now = sources.placed(source, &to_grid);
        if work.known.get(&source) == now.as_ref() {
            continue;
        }
        match &now {
            Some(placed) => _ = work.known.insert(source, placed.clone()),
            None => _ = work.known.remove(&source),
        }
        changes.push((source, now));
    }
    if changes.is_empty() {
        return None;
    }
    let store = work.store.take()?;
    Some(Ok(BakeJob::Part { store, changes }))
}
