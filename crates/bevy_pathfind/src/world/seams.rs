//! Finds grids that touch edge to edge, and keeps the grid that they make together up to date.
//!
//! Grids whose cells continue one another make a [`JoinGroup`], whose cells are copied to one [`JoinedGrid`]. In each
//! tick only the grids that were spawned, moved, edited, disabled or despawned since the last tick are processed.
//! Agents walk on the joined grid alone; [`Seams::place_of`] says where the cells of its parts lie there.
//!
//! This file holds the relation between grids and groups, `group` the copy of the cells, `touch` the geometry, and
//! `join` the system that runs them.

mod group;
mod join;
mod touch;

use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::query::QueryData;
use bevy::prelude::*;
use pathfind_core::{CellRect, GridCell};

use super::cell_frame::CellFrame;
use super::nav_grid::kinds_of;
use super::{GridTransform, JoinedGrid, NavGrid, PartOfGrid, Standalone};
use group::{GroupPart, JoinGroup, blocks_of, has_room, whole_blocks};
pub(super) use join::join;
use touch::{Alone, BoundingSphere, Fault, Others, touch, touched_off_lattice};

/// The groups that grids make, and the grids that are in none.
#[derive(Resource, Default)]
pub(crate) struct Seams {
    /// By the entity of the joined grid.
    groups: EntityHashMap<JoinGroup>,
    /// The grids that are in a group, by their entity.
    parts: EntityHashMap<GroupPart>,
    /// The grids that are in no group: they touch no other grid, cannot be joined with it, or are [`Standalone`].
    alone: EntityHashMap<Alone>,
    /// Joined grids that were merged into another one, with that one: requests and paths may still name them.
    merged: EntityHashMap<Entity>,
    /// The [`fingerprint`](super::grid_transform::fingerprint) of all grids in the last run.
    seen: u64,
}

/// A grid that can be joined with others.
#[derive(QueryData)]
pub(super) struct JoinCandidate {
    entity: Entity,
    nav: Ref<'static, NavGrid>,
    place: Ref<'static, GridTransform>,
    standalone: Has<Standalone>,
    is_part: Has<PartOfGrid>,
    name: Option<&'static Name>,
}

type Candidates<'w, 's> = Query<'w, 's, JoinCandidate, Without<JoinedGrid>>;

impl Seams {
    pub(crate) fn is_joined(&self, grid: Entity) -> bool {
        self.groups.contains_key(&grid)
    }

    /// The joined grid that a grid is part of, and where its cells lie there.
    pub(crate) fn place_of(&self, grid: Entity) -> Option<(Entity, CellFrame)> {
        if let Some(part) = self.parts.get(&grid) {
            return Some((part.joined, part.frame.relative_to(self.groups.get(&part.joined)?.origin)));
        }
        Some((*self.merged.get(&grid)?, CellFrame::IDENTITY))
    }

    /// The part to which a cell of a joined grid belongs.
    pub(crate) fn part_at(&self, joined: Entity, cell: GridCell) -> Option<Entity> {
        let group = self.groups.get(&joined)?;
        let cell =
            GridCell::new(cell.x.saturating_add(group.origin.x), cell.y.saturating_add(group.origin.y));
        let holds = |part: &Entity| !self.parts[part].is_absent && self.parts[part].rect.contains(cell);
        group.parts_in(CellRect::new(cell, cell)).find(holds)
    }

    /// The parts of a joined grid near a rectangle of its cells; `None` for other grids.
    pub(crate) fn parts_near(&self, joined: Entity, rect: CellRect) -> Option<impl Iterator<Item = Entity>> {
        let group = self.groups.get(&joined)?;
        let IVec2 { x, y } = group.origin;
        let on_lattice = |cell: GridCell| GridCell::new(cell.x.saturating_add(x), cell.y.saturating_add(y));
        let rect = CellRect::new(on_lattice(rect.min), on_lattice(rect.max)).intersection(group.extent);
        Some(rect.into_iter().flat_map(|rect| group.parts_in(rect)))
    }

    /// Whether a grid is known, and not disabled when it was last seen.
    fn is_known(&self, grid: Entity) -> bool {
        self.parts.get(&grid).is_some_and(|part| !part.is_absent) || self.alone.contains_key(&grid)
    }

    /// Notes that a part is disabled: it stays in its group, but its cells on the joined grid become void.
    fn set_absent(&mut self, grid: Entity) {
        let Some(part) = self.parts.get_mut(&grid).filter(|part| !part.is_absent) else { return };
        part.is_absent = true;
        if let Some(group) = self.groups.get_mut(&part.joined) {
            group.edits.push((part.rect, None));
        }
    }

    /// Forgets a grid; its cells on the joined grid become void.
    fn forget(&mut self, grid: Entity) {
        self.alone.remove(&grid);
        if let Some(part) = self.parts.remove(&grid)
            && let Some(group) = self.groups.get_mut(&part.joined)
        {
            group.remove(grid, part.rect);
        }
    }

    /// The grids that a grid touches and can be joined with, and the grids that it touches but cannot be joined with,
    /// each with the reason. Grids of its own group are left out.
    fn touching(&self, grid: &JoinCandidateItem, grids: &Candidates) -> (Vec<Entity>, Vec<(Entity, Fault)>) {
        let (mut fits, mut faults) = (Vec::new(), Vec::new());
        let own = self.parts.get(&grid.entity).map(|part| part.joined);
        let sphere = BoundingSphere::of(grid);
        let mut test = |lattice: &GridTransform, has_same_kinds: bool, others: &Others| {
            let frame = match CellFrame::between(lattice, &grid.place, grid.nav.grid().size()) {
                Ok(frame) => frame,
                Err(misfit) => {
                    let touched = touched_off_lattice(lattice, grid, others).into_iter();
                    faults.extend(touched.map(|entity| (entity, Fault::Placement(misfit))));
                    return;
                }
            };
            let rect = frame.rect(grid.nav.grid().bounds());
            let near = others(rect.grown(1));
            // Grids that overlap are not joined: they are floors.
            if near.iter().any(|(_, other)| other.intersection(rect).is_some()) {
                return;
            }
            let touched = near.into_iter().filter(|(_, other)| touch(*other, rect)).map(|(entity, _)| entity);
            if has_same_kinds {
                fits.extend(touched);
            } else {
                faults.extend(touched.map(|entity| (entity, Fault::Kinds)));
            }
        };
        for (&joined, group) in &self.groups {
            if Some(joined) == own || !sphere.intersects(group.sphere()) {
                continue;
            }
            let others = |rect: CellRect| {
                let present = group.parts_in(rect).filter(|part| !self.parts[part].is_absent);
                let mut near: Vec<_> = present.map(|part| (part, self.parts[&part].rect)).collect();
                near.sort_unstable_by_key(|&(entity, _)| entity);
                near.dedup();
                near
            };
            test(&group.lattice, kinds_of(grid.nav.grid()).eq(&group.kinds), &others);
        }
        for (&entity, other) in &self.alone {
            let may_touch = entity != grid.entity && !other.standalone && sphere.intersects(other.sphere);
            if may_touch && let Some(other) = grids.get(entity).ok().filter(|it| it.place.is_usable()) {
                let bounds = other.nav.grid().bounds();
                let others = |_: CellRect| vec![(entity, bounds)];
                test(&other.place, kinds_of(grid.nav.grid()).eq(kinds_of(other.nav.grid())), &others);
            }
        }
        fits.sort_unstable_by_key(|grid| grid.index_u32());
        fits.dedup();
        faults.sort_unstable_by_key(|&(entity, _)| entity.index_u32());
        (fits, faults)
    }

    /// Where a grid would lie on the lattice of a group.
    ///
    /// # Errors
    /// The reason why it cannot be a part: its placement, or an overlap with an enabled part.
    fn fit(&self, joined: Entity, grid: &JoinCandidateItem) -> Result<(CellFrame, CellRect), Fault> {
        let group = &self.groups[&joined];
        let size = grid.nav.grid().size();
        let frame = CellFrame::between(&group.lattice, &grid.place, size).map_err(Fault::Placement)?;
        let rect = frame.rect(grid.nav.grid().bounds());
        let overlaps = |part: Entity| {
            !self.parts[&part].is_absent && self.parts[&part].rect.intersection(rect).is_some()
        };
        if group.parts_in(rect).any(overlaps) { Err(Fault::Overlap) } else { Ok((frame, rect)) }
    }

    /// Adds a grid to a group. Disabled parts that it overlaps are removed.
    ///
    /// # Errors
    /// The reason why it cannot be a part.
    fn attach(&mut self, joined: Entity, grid: &JoinCandidateItem) -> Result<(), Fault> {
        let (frame, rect) = self.fit(joined, grid)?;
        let near: Vec<_> = self.groups[&joined].parts_in(rect).collect();
        for part in near {
            if self.parts.get(&part).is_some_and(|part| part.rect.intersection(rect).is_some()) {
                self.forget(part);
            }
        }
        let Some(group) = self.groups.get_mut(&joined) else { return Err(Fault::TooFar) };
        if !has_room(whole_blocks(group.extent_with(rect))) {
            // The extent may still include parts that were removed.
            group.shrink(&self.parts);
            if !has_room(whole_blocks(group.extent_with(rect))) {
                return Err(Fault::TooFar);
            }
        }
        group.extent = group.extent_with(rect);
        for block in blocks_of(rect) {
            group.blocks.entry(block).or_default().push(grid.entity);
        }
        group.edits.push((rect, Some(grid.entity)));
        let (map_id, revision) = (grid.nav.map_id(), grid.nav.revision());
        let part = GroupPart { joined, frame, rect, map_id, revision, is_absent: false };
        self.parts.insert(grid.entity, part);
        self.alone.remove(&grid.entity);
        Ok(())
    }

    /// Whether all parts of the group `from` can be added to the group `into`.
    ///
    /// # Errors
    /// The reason why one of them cannot.
    fn can_merge(&self, from: Entity, into: Entity, grids: &Candidates) -> Result<(), Fault> {
        let mut extent = None::<CellRect>;
        for part in self.groups[&from].parts() {
            let Ok(grid) = grids.get(part) else { continue };
            let (_, rect) = self.fit(into, &grid)?;
            extent = Some(extent.map_or(rect, |extent| extent.union(rect)));
        }
        let whole = extent.map(|extent| whole_blocks(self.groups[&into].extent_with(extent)));
        if whole.is_none_or(has_room) { Ok(()) } else { Err(Fault::TooFar) }
    }

    /// Whether a grid is a part that has not moved on the lattice of its group, and has the kinds of agents of the
    /// group.
    fn is_in_place(&self, grid: &JoinCandidateItem) -> bool {
        let Some(part) = self.parts.get(&grid.entity).filter(|_| !grid.standalone) else { return false };
        let Some(group) = self.groups.get(&part.joined) else { return false };
        let frame = CellFrame::between(&group.lattice, &grid.place, grid.nav.grid().size());
        frame == Ok(part.frame)
            && part.frame.rect(grid.nav.grid().bounds()) == part.rect
            && kinds_of(grid.nav.grid()).eq(&group.kinds)
    }

    /// Marks the edited cells of a part to be copied; all of them, if it was disabled.
    fn note_edits(&mut self, grid: &JoinCandidateItem) {
        let Some(part) = self.parts.get_mut(&grid.entity) else { return };
        let Some(group) = self.groups.get_mut(&part.joined) else { return };
        let was_absent = core::mem::take(&mut part.is_absent);
        let is_same = part.map_id == grid.nav.map_id() && !was_absent;
        match grid.nav.changes_since(part.revision).filter(|_| is_same) {
            Some(rects) => group.edits.extend(rects.map(|rect| (part.frame.rect(rect), Some(grid.entity)))),
            None => group.edits.push((part.rect, Some(grid.entity))),
        }
        (part.map_id, part.revision) = (grid.nav.map_id(), grid.nav.revision());
    }

    /// Gives a group the kinds of agents of a changed part once all of its parts have them.
    fn follow_kinds(&mut self, changed: &[Entity], grids: &Candidates) {
        for grid in changed.iter().filter_map(|&entity| grids.get(entity).ok()) {
            let joined = self.parts.get(&grid.entity).map(|part| part.joined);
            let Some(group) = joined.and_then(|joined| self.groups.get_mut(&joined)) else { continue };
            let has_fewer = grid.nav.grid().kind_count() < group.kinds.len();
            if has_fewer || kinds_of(grid.nav.grid()).eq(&group.kinds) {
                continue;
            }
            let has_same_kinds = |part: Entity| {
                let other = grids.get(part);
                other.map_or(true, |other| kinds_of(other.nav.grid()).eq(kinds_of(grid.nav.grid())))
            };
            if group.parts().into_iter().all(has_same_kinds) {
                group.kinds = kinds_of(grid.nav.grid()).cloned().collect();
                group.has_new_kinds = true;
            }
        }
    }

    /// Moves the lattice of each group whose parts have all moved, with its anchor. If only some parts have moved,
    /// the lattice stays, and one that has not moved becomes the anchor. Returns the parts of the groups that have
    /// moved.
    fn follow_anchors(&mut self, grids: &Candidates) -> Vec<Entity> {
        let mut moved = Vec::new();
        for (&joined, group) in &mut self.groups {
            // Where the lattice lies by the present placement of a part; `None` if it cannot be the anchor.
            let lattice_of = |entity: Entity| {
                let (grid, part) = (grids.get(entity).ok()?, self.parts.get(&entity)?);
                let may_anchor = part.joined == joined && !grid.standalone && grid.place.is_usable();
                may_anchor.then(|| GridTransform::of(grid.place.to_world * part.frame.inverse()))
            };
            let is_moved = |&entity: &Entity| grids.get(entity).is_ok_and(|grid| grid.place.is_changed());
            if lattice_of(group.anchor).is_some() && !is_moved(&group.anchor) {
                continue;
            }
            let parts = group.parts();
            let unmoved = parts.iter().copied().find(|part| lattice_of(*part).is_some() && !is_moved(part));
            let any = || parts.iter().copied().find(|part| lattice_of(*part).is_some());
            let anchor = unmoved
                .or_else(|| Some(group.anchor).filter(|&anchor| lattice_of(anchor).is_some()))
                .or_else(any);
            if let Some((anchor, lattice)) = anchor.and_then(|anchor| Some((anchor, lattice_of(anchor)?))) {
                group.anchor = anchor;
                if unmoved.is_none() {
                    group.lattice = lattice;
                    moved.extend(parts);
                }
            }
        }
        moved.sort_unstable_by_key(|grid| grid.index_u32());
        moved
    }
}
