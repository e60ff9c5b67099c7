//! Finds grids that touch edge to edge, and keeps the grid that they make together up to date.
//!
//! Grids that continue one another make a [`Sheet`], whose cells are copied to one [`JoinedGrid`]. Each tick what has changed
//! is looked at: grids that were spawned, moved, edited, disabled or despawned. What the plugin walks on is only the joined
//! grid; [`Seams::place_of`] says where the cells of its parts lie there.

mod join;
mod sheet;
mod touch;

use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::query::QueryData;
use bevy::prelude::*;
use pathfind_core::{Cell, CellRect};

use super::cell_frame::CellFrame;
use super::{GridTransform, JoinedGrid, NavGrid, PartOfGrid, Standalone};
pub(super) use join::join;
use sheet::{Part, Sheet, blocks_of, has_room, kinds_of, whole_blocks};
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
    /// The [`fingerprint`](super::grid_transform::fingerprint) of all grids in the last run.
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
                faults.extend(touched.map(|entity| (entity, Fault::Placement(misfit))));
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
        let frame = CellFrame::between(&sheet.lattice, &grid.place, size).map_err(Fault::Placement)?;
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
