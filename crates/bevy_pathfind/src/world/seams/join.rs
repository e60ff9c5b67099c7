//! The system that joins grids that touch, and updates joined grids when their parts change.

use bevy::ecs::entity::EntityHashSet;
use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;

use super::super::grid_transform::fingerprint;
use super::super::{DisabledGrids, GridTransform, JoinedGrid, NavGrid, NavLink, OnGrid, PartOfGrid};
use super::group::{BLOCK, Edit, JoinGroup};
use super::touch::{Alone, Fault};
use super::{Candidates, JoinCandidateItem, Seams};
use crate::warnings::Warnings;

/// Joined grids; disabled ones too, as they are kept up to date.
type JoinedGrids<'w, 's> = Query<
    'w,
    's,
    (&'static mut NavGrid, &'static mut GridTransform, &'static mut Transform, Has<Disabled>),
    (With<JoinedGrid>, Allow<Disabled>),
>;

/// Joins grids that touch, and brings joined grids up to date.
pub(crate) fn join(
    mut seams: ResMut<Seams>,
    (grids, disabled): (Candidates, DisabledGrids),
    mut joined: JoinedGrids,
    links: Query<&NavLink>,
    mut warnings: Local<Warnings>,
    mut ties: Query<&mut OnGrid>,
    mut commands: Commands,
) {
    let seams = seams.bypass_change_detection();
    let now = fingerprint(grids.iter().map(|grid| (grid.entity, grid.standalone)));
    let others_exist = core::mem::replace(&mut seams.seen, now) != now;
    if seams.groups.keys().any(|&group| !joined.contains(group)) {
        // The application has despawned a joined grid: its parts are joined anew.
        seams.groups.retain(|&group, _| joined.contains(group));
        let Seams { groups, parts, merged, .. } = &mut *seams;
        parts.retain(|_, part| groups.contains_key(&part.joined));
        merged.retain(|_, target| groups.contains_key(target));
        seams.seen = 0;
    }
    let checks_all = others_exist || seams.seen == 0;
    let mut changed: Vec<Entity> = grids
        .iter()
        .filter(|grid| {
            let has_changed = grid.nav.is_changed() || grid.place.is_changed();
            let has_standalone_changed = || {
                let alone = seams.alone.get(&grid.entity);
                alone.map_or(grid.standalone, |alone| alone.standalone != grid.standalone)
            };
            has_changed || checks_all && (!seams.is_known(grid.entity) || has_standalone_changed())
        })
        .map(|grid| grid.entity)
        .collect();
    if changed.is_empty() && !checks_all {
        return;
    }
    if checks_all {
        remove_gone(seams, (&grids, &disabled), &mut ties, &mut commands);
    }
    // Sorted, so that the result does not depend on query order.
    changed.sort_unstable_by_key(|grid| grid.index_u32());
    seams.follow_kinds(&changed, &grids);
    let mut moved = seams.follow_anchors(&grids);
    let mut ungrouped = Vec::new();
    for grid in changed.iter().filter_map(|&entity| grids.get(entity).ok()) {
        if seams.is_in_place(&grid) {
            seams.note_edits(&grid);
        } else if !seams.alone.get(&grid.entity).is_some_and(|alone| alone.is_unchanged(&grid)) {
            if grid.is_part {
                commands.entity(grid.entity).try_remove::<PartOfGrid>();
            }
            seams.forget(grid.entity);
            ungrouped.push(grid.entity);
        }
    }
    // A group that has moved may touch other grids now.
    moved.retain(|part| seams.parts.contains_key(part));
    let mut fresh = EntityHashSet::default();
    for entity in ungrouped.into_iter().chain(moved) {
        let Ok(grid) = grids.get(entity) else { continue };
        if !seams.parts.contains_key(&entity) {
            seams.alone.insert(entity, Alone::of(&grid));
        }
        if grid.standalone || !grid.place.is_usable() {
            continue;
        }
        let (fits, mut faults) = seams.touching(&grid, &grids);
        faults.extend(unite(seams, entity, &fits, &grids, &mut fresh, &mut commands));
        warn_of_first(&faults, &grid, (&grids, &links), &mut warnings);
    }
    finish(seams, &grids, &mut joined, &fresh, &mut commands);
}

/// Removes grids that are despawned, or disabled and in no group; a part that is disabled stays in its group.
fn remove_gone(
    seams: &mut Seams,
    (grids, disabled): (&Candidates, &DisabledGrids),
    ties: &mut Query<&mut OnGrid>,
    commands: &mut Commands,
) {
    let known: Vec<_> = seams.parts.keys().chain(seams.alone.keys()).copied().collect();
    for gone in known.into_iter().filter(|&grid| !grids.contains(grid)) {
        if disabled.contains(gone) && seams.parts.contains_key(&gone) {
            seams.set_absent(gone);
            continue;
        }
        if let Some((group, _)) = seams.place_of(gone) {
            // Agents that were tied to the part are tied to the joined grid from now on.
            ties.iter_mut().filter(|tie| tie.0 == gone).for_each(|mut tie| tie.0 = group);
        }
        commands.entity(gone).try_remove::<PartOfGrid>();
        seams.forget(gone);
    }
}

/// Warns of the first grid that `grid` touches but cannot be joined with, unless a link joins both.
fn warn_of_first(
    faults: &[(Entity, Fault)],
    grid: &JoinCandidateItem,
    (grids, links): (&Candidates, &Query<&NavLink>),
    warnings: &mut Warnings,
) {
    let entity = grid.entity;
    let is_linked = |other: Entity| {
        let ends = |link: &NavLink| [link.from.grid, link.to.grid];
        links.iter().map(ends).any(|ends| ends == [entity, other] || ends == [other, entity])
    };
    if let Some(&(other, fault)) = faults.iter().find(|&&(other, _)| !is_linked(other)) {
        let name = grids.get(other).ok().and_then(|grid| grid.name.map(ToString::to_string));
        let (other, why) = (name.unwrap_or_else(|| other.to_string()), fault.text());
        let what =
            format!("touches the grid {other}, but is not joined with it: {why}; a NavLink can join them");
        warnings.warn(entity, grid.name, what);
    }
}

/// Puts a grid and the grids that it touches (`fits`) into one group, and merges their groups. Returns the grids that
/// cannot be joined, with the reason. The entities of new groups are added to `fresh`.
fn unite(
    seams: &mut Seams,
    entity: Entity,
    fits: &[Entity],
    grids: &Candidates,
    fresh: &mut EntityHashSet,
    commands: &mut Commands,
) -> Vec<(Entity, Fault)> {
    let Some(first) = fits.first() else { return Vec::new() };
    let mut groups: Vec<Entity> =
        fits.iter().chain([&entity]).filter_map(|grid| Some(seams.parts.get(grid)?.joined)).collect();
    groups.sort_unstable_by_key(|group| group.index_u32());
    groups.dedup();
    // The others are merged into the largest group.
    let largest = groups.iter().copied().max_by_key(|group| seams.groups[group].blocks.len());
    let target = largest.unwrap_or_else(|| {
        let joined = commands.spawn_empty().id();
        let anchor = grids.get(*first).expect("a grid that is touched exists");
        seams.groups.insert(joined, JoinGroup::new(&anchor));
        fresh.insert(joined);
        joined
    });
    let alone = fits.iter().chain([&entity]).copied().filter(|grid| seams.alone.contains_key(grid));
    let (mut members, mut faults): (Vec<Entity>, _) = (alone.collect(), Vec::new());
    for other in groups.into_iter().filter(|&group| group != target) {
        if let Err(fault) = seams.can_merge(other, target, grids) {
            faults.push((*first, fault));
            continue;
        }
        let group = seams.groups.remove(&other).expect("parts name groups that exist");
        fresh.remove(&other);
        commands.entity(other).try_despawn();
        seams.merged.values_mut().filter(|known| **known == other).for_each(|known| *known = target);
        seams.merged.insert(other, target);
        for part in group.parts() {
            seams.parts.remove(&part);
            seams.alone.extend(grids.get(part).map(|grid| (part, Alone::of(&grid))));
            members.push(part);
        }
    }
    for grid in members.into_iter().filter_map(|member| grids.get(member).ok()) {
        match seams.attach(target, &grid) {
            Ok(()) => _ = commands.entity(grid.entity).try_insert(PartOfGrid(target)),
            Err(fault) => {
                commands.entity(grid.entity).try_remove::<PartOfGrid>();
                faults.push((grid.entity, fault));
            }
        }
    }
    faults
}

/// Spawns, updates and despawns the joined grids of all groups.
fn finish(
    seams: &mut Seams,
    grids: &Candidates,
    joined: &mut JoinedGrids,
    fresh: &EntityHashSet,
    commands: &mut Commands,
) {
    let Seams { groups, parts, merged, .. } = seams;
    groups.retain(|&entity, group| {
        if group.blocks.is_empty() {
            merged.retain(|_, target| *target != entity);
            commands.entity(entity).try_despawn();
            return false;
        }
        if group.next_canvas().is_some() {
            // Perhaps the canvas is large enough without the parts that were removed.
            group.shrink(parts);
        }
        if fresh.contains(&entity) {
            if let Some((origin, size)) = group.next_canvas() {
                (group.origin, group.size) = (origin, size);
            }
            let Some(mut nav) = group.empty(grids) else { return false };
            let edits = core::mem::take(&mut group.edits);
            group.copy(edits, &mut nav, (grids, parts));
            let (place, at) = (group.place(), transform(&group.place(), &nav));
            commands.entity(entity).try_insert((JoinedGrid, Name::new("joined grid"), nav, place, at));
            return true;
        }
        let Ok((mut nav, mut known_place, mut at, is_disabled)) = joined.get_mut(entity) else {
            return false;
        };
        // Cells are cleared before the canvas changes: they may lie outside the next one, and have to be in the
        // journal.
        let edits = core::mem::take(&mut group.edits).into_iter();
        let (cleared, edits): (Vec<Edit>, Vec<Edit>) = edits.partition(|(_, source)| source.is_none());
        if !cleared.is_empty() {
            group.copy(cleared, &mut nav, (grids, parts));
        }
        if let Some((origin, size)) = group.next_canvas() {
            let before = core::mem::replace(&mut group.origin, origin);
            group.size = size;
            if nav.set_canvas(size, (before - origin) / BLOCK).is_err() {
                return false;
            }
        }
        if core::mem::take(&mut group.has_new_kinds) {
            nav.set_kinds(&group.kinds);
        }
        if !edits.is_empty() {
            group.copy(edits, &mut nav, (grids, parts));
        }
        // The joined grid is disabled while all of its parts are.
        let are_all_absent = group.blocks.values().flatten().all(|part| parts[part].is_absent);
        if are_all_absent && !is_disabled {
            commands.entity(entity).try_insert(Disabled);
        } else if is_disabled && !are_all_absent {
            commands.entity(entity).try_remove::<Disabled>();
        }
        let place = group.place();
        if known_place.set_if_neq(place) {
            *at = transform(&place, &nav);
        }
        true
    });
}

/// The transform of an entity whose grid has this placement.
fn transform(place: &GridTransform, nav: &NavGrid) -> Transform {
    GlobalTransform::from(place.to_world * nav.frame().inverse()).compute_transform()
}
