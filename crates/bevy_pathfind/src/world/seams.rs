//! Finds grids that touch edge to edge, and keeps the grid that they make together up to date.
//!
//! Grids that continue one another make a [`Sheet`], whose cells are copied to one [`JoinedGrid`]. Each tick what has changed
//! is looked at: grids that were spawned, moved, edited, disabled or despawned. What the plugin walks on is only the joined
//! grid; [`Seams::place_of`] says where the cells of its parts lie there.

mod sheet;
mod touch;

use bevy::ecs::entity::{EntityHashMap, EntityHashSet};
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::query::QueryData;
use bevy::prelude::*;
use pathfind_core::{Cell, CellRect};

use super::cell_frame::CellFrame;
use super::grid_transform::fingerprint;
use super::{DisabledGrids, GridTransform, JoinedGrid, NavGrid, NavLink, OnGrid, PartOfGrid, Standalone};
use crate::warnings::Warnings;
use sheet::{BLOCK, Edit, Part, Sheet, blocks_of, has_room, kinds_of, whole_blocks};
use touch::{Alone, Ball, Fault, Others, touch, touched_askew};

/// All grids that are not joined ones, and what has been made of them.
#[derive(Resource, Default)]
pub(crate) struct Seams {
    /// By the entity of the joined grid.
    sheets: EntityHashMap<Sheet>,
    parts: EntityHashMap<Part>,
    /// The grids that are on no sheet: they touch no other, do not fit to it, or are [`Standalone`].
    alone: EntityHashMap<Alone>,
    /// Joined grids that have become one with another: requests and paths may still name them.
    merged: EntityHashMap<Entity>,
    /// The [`fingerprint`] of all grids in the last run.
    seen: u64,
}

/// A grid that can be joined with others.
#[derive(QueryData)]
pub(super) struct Candidate {
    entity: Entity,
    nav: Ref<'static, NavGrid>,
    place: Ref<'static, GridTransform>,
    standalone: Has<Standalone>,
    is_part: Has<PartOfGrid>,
    name: Option<&'static Name>,
}

type Candidates<'w, 's> = Query<'w, 's, Candidate, Without<JoinedGrid>>;

/// Joined grids; disabled ones too, as they are kept up to date.
type JoinedGrids<'w, 's> = Query<
    'w,
    's,
    (&'static mut NavGrid, &'static mut GridTransform, &'static mut Transform, Has<Disabled>),
    (With<JoinedGrid>, Allow<Disabled>),
>;

impl Seams {
    /// Whether a grid is a joined one.
    pub(crate) fn is_joined(&self, grid: Entity) -> bool {
        self.sheets.contains_key(&grid)
    }

    /// The joined grid that a grid is part of, and where its cells lie there.
    pub(crate) fn place_of(&self, grid: Entity) -> Option<(Entity, CellFrame)> {
        if let Some(part) = self.parts.get(&grid) {
            return Some((part.joined, part.frame.seen_from(self.sheets.get(&part.joined)?.origin)));
        }
        Some((*self.merged.get(&grid)?, CellFrame::IDENTITY))
    }

    /// The grid whose cell lies on this cell of a joined grid.
    pub(crate) fn part_at(&self, joined: Entity, cell: Cell) -> Option<Entity> {
        let sheet = self.sheets.get(&joined)?;
        let cell = Cell::new(cell.x.saturating_add(sheet.origin.x), cell.y.saturating_add(sheet.origin.y));
        let holds = |part: &Entity| !self.parts[part].is_absent && self.parts[part].rect.contains(cell);
        sheet.parts_in(CellRect::new(cell, cell)).find(holds)
    }

    /// The parts of a joined grid, in the order of their entities; `None` if there are more than 64.
    pub(crate) fn few_parts_of(&self, joined: Entity) -> Option<Vec<Entity>> {
        const FEW: usize = 64;
        let sheet = self.sheets.get(&joined)?;
        (sheet.blocks.len() <= FEW).then(|| sheet.parts()).filter(|parts| parts.len() <= FEW)
    }

    /// Whether a grid is known, and not disabled when it was last seen.
    fn is_known(&self, grid: Entity) -> bool {
        self.parts.get(&grid).is_some_and(|part| !part.is_absent) || self.alone.contains_key(&grid)
    }

    /// Keeps the place of a part that is disabled; its cells on the joined grid become void.
    fn set_absent(&mut self, grid: Entity) {
        let Some(part) = self.parts.get_mut(&grid).filter(|part| !part.is_absent) else { return };
        part.is_absent = true;
        if let Some(sheet) = self.sheets.get_mut(&part.joined) {
            sheet.edits.push((part.rect, None));
        }
    }

    /// Forgets a grid; its cells on the joined grid become void.
    fn forget(&mut self, grid: Entity) {
        self.alone.remove(&grid);
        if let Some(part) = self.parts.remove(&grid)
            && let Some(sheet) = self.sheets.get_mut(&part.joined)
        {
            sheet.remove(grid, part.rect);
        }
    }

    /// The grids that a grid touches so that they can be joined, and those that it touches in vain. Those on its own sheet
    /// do not count.
    fn touching(&self, grid: &CandidateItem, grids: &Candidates) -> (Vec<Entity>, Vec<(Entity, Fault)>) {
        let (mut fits, mut faults) = (Vec::new(), Vec::new());
        let (ball, own) = (Ball::round(grid), self.parts.get(&grid.entity).map(|part| part.joined));
        let mut test = |lattice: &GridTransform, has_kinds: bool, others: &Others| match CellFrame::between(
            lattice,
            &grid.place,
            grid.nav.grid().size(),
        ) {
            Ok(frame) => {
                let rect = frame.rect(grid.nav.grid().bounds());
                let near = others(rect.grown(1));
                if near.iter().any(|(_, other)| other.intersection(rect).is_some()) {
                    return;
                }
                let touched = near.into_iter().filter(|(_, other)| touch(*other, rect));
                match has_kinds {
                    true => fits.extend(touched.map(|(entity, _)| entity)),
                    false => faults.extend(touched.map(|(entity, _)| (entity, Fault::Kinds))),
                }
            }
            Err(misfit) => {
                let touched = touched_askew(lattice, grid, others).into_iter();
                faults.extend(touched.map(|entity| (entity, Fault::Lattice(misfit))));
            }
        };
        for (&joined, sheet) in &self.sheets {
            if Some(joined) == own || !ball.meets(sheet.ball()) {
                continue;
            }
            let others = |rect: CellRect| {
                let present = sheet.parts_in(rect).filter(|part| !self.parts[part].is_absent);
                let mut near: Vec<_> = present.map(|part| (part, self.parts[&part].rect)).collect();
                near.sort_unstable_by_key(|&(entity, _)| entity);
                near.dedup();
                near
            };
            test(&sheet.lattice, kinds_of(&grid.nav).eq(&sheet.kinds), &others);
        }
        for (&entity, other) in &self.alone {
            let may_touch = entity != grid.entity && !other.standalone && ball.meets(other.ball);
            if may_touch && let Some(other) = grids.get(entity).ok().filter(|it| it.place.is_usable()) {
                let bounds = other.nav.grid().bounds();
                let others = |_: CellRect| vec![(entity, bounds)];
                test(&other.place, kinds_of(&grid.nav).eq(kinds_of(&other.nav)), &others);
            }
        }
        fits.sort_unstable_by_key(|grid| grid.index_u32());
        fits.dedup();
        faults.sort_unstable_by_key(|&(entity, _)| entity.index_u32());
        (fits, faults)
    }

    /// Where a grid would lie on the lattice of a sheet, unless it would overlap a part.
    fn fit(&self, joined: Entity, grid: &CandidateItem) -> Result<(CellFrame, CellRect), Fault> {
        let sheet = &self.sheets[&joined];
        let size = grid.nav.grid().size();
        let frame = CellFrame::between(&sheet.lattice, &grid.place, size).map_err(Fault::Lattice)?;
        let rect = frame.rect(grid.nav.grid().bounds());
        let overlaps = |part: Entity| {
            !self.parts[&part].is_absent && self.parts[&part].rect.intersection(rect).is_some()
        };
        if sheet.parts_in(rect).any(overlaps) { Err(Fault::Overlap) } else { Ok((frame, rect)) }
    }

    /// Puts a grid on a sheet. What is disabled there in its place is forgotten.
    fn attach(&mut self, joined: Entity, grid: &CandidateItem) -> Result<(), Fault> {
        let (frame, rect) = self.fit(joined, grid)?;
        let hidden: Vec<_> = self.sheets[&joined].parts_in(rect).collect();
        for part in hidden {
            if self.parts.get(&part).is_some_and(|part| part.rect.intersection(rect).is_some()) {
                self.forget(part);
            }
        }
        let Some(sheet) = self.sheets.get_mut(&joined) else { return Err(Fault::TooFar) };
        if !has_room(whole_blocks(sheet.extent_with(rect))) {
            // Parts that have gone may still be counted.
            sheet.shrink(&self.parts);
            if !has_room(whole_blocks(sheet.extent_with(rect))) {
                return Err(Fault::TooFar);
            }
        }
        sheet.extent = sheet.extent_with(rect);
        for block in blocks_of(rect) {
            sheet.blocks.entry(block).or_default().push(grid.entity);
        }
        sheet.edits.push((rect, Some(grid.entity)));
        let (lineage, revision) = (grid.nav.lineage(), grid.nav.revision());
        let part = Part { joined, frame, rect, lineage, revision, is_absent: false };
        self.parts.insert(grid.entity, part);
        self.alone.remove(&grid.entity);
        Ok(())
    }

    /// Whether all parts of a sheet could lie on another one.
    fn can_merge(&self, from: Entity, into: Entity, grids: &Candidates) -> Result<(), Fault> {
        let mut extent = None::<CellRect>;
        for part in self.sheets[&from].parts() {
            let Ok(grid) = grids.get(part) else { continue };
            let (_, rect) = self.fit(into, &grid)?;
            extent = Some(extent.map_or(rect, |extent| extent.union(rect)));
        }
        let whole = extent.map(|extent| whole_blocks(self.sheets[&into].extent_with(extent)));
        if whole.is_none_or(has_room) { Ok(()) } else { Err(Fault::TooFar) }
    }

    /// Whether a part still lies where it lay on its sheet, and has the kinds of agents of the others.
    fn is_in_place(&self, grid: &CandidateItem) -> bool {
        let Some(part) = self.parts.get(&grid.entity).filter(|_| !grid.standalone) else { return false };
        let Some(sheet) = self.sheets.get(&part.joined) else { return false };
        let frame = CellFrame::between(&sheet.lattice, &grid.place, grid.nav.grid().size());
        frame == Ok(part.frame)
            && part.frame.rect(grid.nav.grid().bounds()) == part.rect
            && kinds_of(&grid.nav).eq(&sheet.kinds)
    }

    /// Notes the cells of a part that have been edited; all of them, if it was disabled.
    fn note_edits(&mut self, grid: &CandidateItem) {
        let Some(part) = self.parts.get_mut(&grid.entity) else { return };
        let Some(sheet) = self.sheets.get_mut(&part.joined) else { return };
        let was_absent = core::mem::take(&mut part.is_absent);
        let is_same = part.lineage == grid.nav.lineage() && !was_absent;
        match grid.nav.changes_since(part.revision).filter(|_| is_same) {
            Some(rects) => sheet.edits.extend(rects.map(|rect| (part.frame.rect(rect), Some(grid.entity)))),
            None => sheet.edits.push((part.rect, Some(grid.entity))),
        }
        (part.lineage, part.revision) = (grid.nav.lineage(), grid.nav.revision());
    }

    /// Gives a sheet other kinds of agents if all of its parts have got them.
    fn follow_kinds(&mut self, news: &[Entity], grids: &Candidates) {
        for grid in news.iter().filter_map(|&entity| grids.get(entity).ok()) {
            let joined = self.parts.get(&grid.entity).map(|part| part.joined);
            let Some(sheet) = joined.and_then(|joined| self.sheets.get_mut(&joined)) else { continue };
            let is_less = grid.nav.grid().kind_count() < sheet.kinds.len();
            if is_less || kinds_of(&grid.nav).eq(&sheet.kinds) {
                continue;
            }
            let has_them = |part: Entity| {
                grids.get(part).map_or(true, |other| kinds_of(&other.nav).eq(kinds_of(&grid.nav)))
            };
            if sheet.parts().into_iter().all(has_them) {
                sheet.kinds = kinds_of(&grid.nav).cloned().collect();
                sheet.has_new_kinds = true;
            }
        }
    }

    /// Moves the lattice of each sheet with its anchor. An anchor that has moved alone is replaced by another part. Returns
    /// the parts of the sheets that have moved.
    fn follow_anchors(&mut self, grids: &Candidates) -> Vec<Entity> {
        let mut moved = Vec::new();
        for (&joined, sheet) in &mut self.sheets {
            let lattice_of = |entity: Entity| {
                let (grid, part) = (grids.get(entity).ok()?, self.parts.get(&entity)?);
                let is_still = part.joined == joined && !grid.standalone && grid.place.is_usable();
                is_still.then(|| GridTransform::of(grid.place.grid_to_world() * part.frame.inverse()))
            };
            let is_moved = |&entity: &Entity| grids.get(entity).is_ok_and(|grid| grid.place.is_changed());
            if lattice_of(sheet.anchor).is_some() && !is_moved(&sheet.anchor) {
                continue;
            }
            let parts = sheet.parts();
            let still = parts.iter().copied().find(|part| lattice_of(*part).is_some() && !is_moved(part));
            let any = || parts.iter().copied().find(|part| lattice_of(*part).is_some());
            // As long as one part lies still the lattice does; else all move together.
            let anchor = still
                .or_else(|| Some(sheet.anchor).filter(|&anchor| lattice_of(anchor).is_some()))
                .or_else(any);
            if let Some((anchor, lattice)) = anchor.and_then(|anchor| Some((anchor, lattice_of(anchor)?))) {
                sheet.anchor = anchor;
                if still.is_none() {
                    sheet.lattice = lattice;
                    moved.extend(parts);
                }
            }
        }
        moved.sort_unstable_by_key(|grid| grid.index_u32());
        moved
    }
}

/// The grids that have been named in a warning: each is named once.
#[derive(Default)]
pub(super) struct Named {
    grids: EntityHashSet,
    warnings: Warnings,
}

/// Joins grids that touch, and brings joined grids up to date.
pub(super) fn join(
    mut seams: ResMut<Seams>,
    (grids, disabled): (Candidates, DisabledGrids),
    mut joined: JoinedGrids,
    links: Query<&NavLink>,
    mut named: Local<Named>,
    mut ties: Query<&mut OnGrid>,
    mut commands: Commands,
) {
    let seams = seams.bypass_change_detection();
    let now = fingerprint(grids.iter().map(|grid| (grid.entity, grid.standalone)));
    let are_others = core::mem::replace(&mut seams.seen, now) != now;
    if seams.sheets.keys().any(|&sheet| !joined.contains(sheet)) {
        // Somebody has despawned it: it is made again of all that is there.
        seams.sheets.retain(|&sheet, _| joined.contains(sheet));
        let Seams { sheets, parts, .. } = &mut *seams;
        parts.retain(|_, part| sheets.contains_key(&part.joined));
        seams.seen = 0;
    }
    let looks_at_all = are_others || seams.seen == 0;
    let mut news: Vec<Entity> = grids
        .iter()
        .filter(|grid| {
            let has_changed = grid.nav.is_changed() || grid.place.is_changed();
            let has_flipped = || {
                let alone = seams.alone.get(&grid.entity);
                alone.map_or(grid.standalone, |alone| alone.standalone != grid.standalone)
            };
            has_changed || looks_at_all && (!seams.is_known(grid.entity) || has_flipped())
        })
        .map(|grid| grid.entity)
        .collect();
    if news.is_empty() && !looks_at_all {
        return;
    }
    if looks_at_all {
        let known: Vec<_> = seams.parts.keys().chain(seams.alone.keys()).copied().collect();
        for gone in known.into_iter().filter(|&grid| !grids.contains(grid)) {
            if disabled.contains(gone) && seams.parts.contains_key(&gone) {
                seams.set_absent(gone);
                continue;
            }
            if let Some((sheet, _)) = seams.place_of(gone) {
                // Agents that were tied to it stay on what it was part of.
                ties.iter_mut().filter(|tie| tie.0 == gone).for_each(|mut tie| tie.0 = sheet);
            }
            commands.entity(gone).try_remove::<PartOfGrid>();
            seams.forget(gone);
            named.grids.remove(&gone);
        }
    }
    // In an order that does not depend on how entities are stored.
    news.sort_unstable_by_key(|grid| grid.index_u32());
    seams.follow_kinds(&news, &grids);
    let mut moved = seams.follow_anchors(&grids);
    let mut loose = Vec::new();
    for grid in news.iter().filter_map(|&entity| grids.get(entity).ok()) {
        if seams.is_in_place(&grid) {
            seams.note_edits(&grid);
        } else if !seams.alone.get(&grid.entity).is_some_and(|alone| alone.is(&grid)) {
            if grid.is_part {
                commands.entity(grid.entity).try_remove::<PartOfGrid>();
            }
            seams.forget(grid.entity);
            loose.push(grid.entity);
        }
    }
    // A sheet that has moved may touch others now.
    moved.retain(|part| seams.parts.contains_key(part));
    let mut fresh = EntityHashSet::default();
    for entity in loose.into_iter().chain(moved) {
        let Ok(grid) = grids.get(entity) else { continue };
        if !seams.parts.contains_key(&entity) {
            seams.alone.insert(entity, Alone::of(&grid));
        }
        if grid.standalone || !grid.place.is_usable() {
            continue;
        }
        let (fits, mut faults) = seams.touching(&grid, &grids);
        faults.extend(unite(seams, entity, &fits, &grids, &mut fresh, &mut commands));
        let is_linked = |other: Entity| {
            let ends = |link: &NavLink| [link.from.grid, link.to.grid];
            links.iter().map(ends).any(|ends| ends == [entity, other] || ends == [other, entity])
        };
        faults.retain(|&(other, _)| !is_linked(other));
        if let Some(&(other, fault)) = faults.first()
            && named.grids.insert(entity)
        {
            let name = grids.get(other).ok().and_then(|grid| grid.name.map(ToString::to_string));
            let (other, why) = (name.unwrap_or_else(|| other.to_string()), fault.text());
            let what = format!(
                "touches the grid {other}, but is not joined with it: {why}; a NavLink can join them"
            );
            named.warnings.warn(entity, grid.name, what);
        }
    }
    finish(seams, &grids, &mut joined, &fresh, &mut commands);
}

/// Puts a grid and those that it touches on one sheet. Returns those that could not be put on it.
fn unite(
    seams: &mut Seams,
    entity: Entity,
    fits: &[Entity],
    grids: &Candidates,
    fresh: &mut EntityHashSet,
    commands: &mut Commands,
) -> Vec<(Entity, Fault)> {
    let Some(first) = fits.first() else { return Vec::new() };
    let mut sheets: Vec<Entity> =
        fits.iter().chain([&entity]).filter_map(|grid| Some(seams.parts.get(grid)?.joined)).collect();
    sheets.sort_unstable_by_key(|sheet| sheet.index_u32());
    sheets.dedup();
    // The largest stays.
    let largest = sheets.iter().copied().max_by_key(|sheet| seams.sheets[sheet].blocks.len());
    let target = largest.unwrap_or_else(|| {
        let joined = commands.spawn_empty().id();
        let anchor = grids.get(*first).expect("it was found just now");
        seams.sheets.insert(joined, Sheet::new(&anchor));
        fresh.insert(joined);
        joined
    });
    let alone = fits.iter().chain([&entity]).copied().filter(|grid| seams.alone.contains_key(grid));
    let (mut members, mut faults): (Vec<Entity>, _) = (alone.collect(), Vec::new());
    for other in sheets.into_iter().filter(|&sheet| sheet != target) {
        if let Err(fault) = seams.can_merge(other, target, grids) {
            faults.push((*first, fault));
            continue;
        }
        let sheet = seams.sheets.remove(&other).expect("it was found just now");
        fresh.remove(&other);
        commands.entity(other).try_despawn();
        seams.merged.values_mut().filter(|known| **known == other).for_each(|known| *known = target);
        seams.merged.insert(other, target);
        for part in sheet.parts() {
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

/// Spawns, updates and despawns joined grids.
fn finish(
    seams: &mut Seams,
    grids: &Candidates,
    joined: &mut JoinedGrids,
    fresh: &EntityHashSet,
    commands: &mut Commands,
) {
    let Seams { sheets, parts, merged, .. } = seams;
    sheets.retain(|&entity, sheet| {
        if sheet.blocks.is_empty() {
            merged.retain(|_, target| *target != entity);
            commands.entity(entity).try_despawn();
            return false;
        }
        if sheet.next_canvas().is_some() {
            // Parts that have gone no longer count.
            sheet.shrink(parts);
        }
        if fresh.contains(&entity) {
            if let Some((origin, size)) = sheet.next_canvas() {
                (sheet.origin, sheet.size) = (origin, size);
            }
            let Some(mut nav) = sheet.empty(grids) else { return false };
            let edits = core::mem::take(&mut sheet.edits);
            sheet.copy(edits, &mut nav, (grids, parts));
            let (place, at) = (sheet.place(), transform(&sheet.place(), &nav));
            commands.entity(entity).try_insert((JoinedGrid, Name::new("joined grid"), nav, place, at));
            return true;
        }
        let Ok((mut nav, mut known_place, mut at, is_disabled)) = joined.get_mut(entity) else {
            return false;
        };
        // What is gone may lie outside the next canvas: the journal has to tell of it.
        let edits = core::mem::take(&mut sheet.edits).into_iter();
        let (gone, edits): (Vec<Edit>, Vec<Edit>) = edits.partition(|(_, source)| source.is_none());
        if !gone.is_empty() {
            sheet.copy(gone, &mut nav, (grids, parts));
        }
        if let Some((origin, size)) = sheet.next_canvas() {
            let before = core::mem::replace(&mut sheet.origin, origin);
            sheet.size = size;
            if nav.set_canvas(size, (before - origin) / BLOCK).is_err() {
                return false;
            }
        }
        if core::mem::take(&mut sheet.has_new_kinds) {
            sheet.give_kinds(&mut nav);
        }
        if !edits.is_empty() {
            sheet.copy(edits, &mut nav, (grids, parts));
        }
        // It is disabled with the last of its parts, and enabled with the first.
        let are_absent = sheet.blocks.values().flatten().all(|part| parts[part].is_absent);
        if are_absent && !is_disabled {
            commands.entity(entity).try_insert(Disabled);
        } else if is_disabled && !are_absent {
            commands.entity(entity).try_remove::<Disabled>();
        }
        let place = sheet.place();
        if known_place.set_if_neq(place) {
            *at = transform(&place, &nav);
        }
        true
    });
}

/// The transform of an entity whose grid has this placement.
fn transform(place: &GridTransform, nav: &NavGrid) -> Transform {
    GlobalTransform::from(place.grid_to_world() * nav.frame().inverse()).compute_transform()
}
