//! Finds grids that touch edge to edge, and keeps the grid that they make together up to date.
//!
//! The grids of a [sheet](Sheet) lie on one lattice of cells. Its [`JoinedGrid`] is a copy of their cells on a canvas, a
//! rectangle of the lattice whose corners lie on multiples of 64 cells: so a grid of 64×64 cells is one block of it. A canvas
//! that has become too small is replaced by one with room to grow.

use bevy::ecs::entity::{EntityHashMap, EntityHashSet};
use bevy::ecs::query::QueryData;
use bevy::math::Affine3A;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use pathfind_core::{AgentKind, Cell, CellRect, Grid, KindId, Terrain};

use super::cell_frame::{CellFrame, Misfit};
use super::{GridTransform, JoinedGrid, NavGrid, NavLink, OnGrid, PartOfGrid, Standalone};
use crate::warnings::Warnings;

/// Cells along the side of a block.
const BLOCK: i32 = Grid::BLOCK as i32;
/// The least and the greatest room that a canvas gets on each side once it grows, in cells.
const ROOM: [i32; 2] = [4 * BLOCK, 32 * BLOCK];
/// How far above or below the other a grid may begin that touches it, in cells.
const LEVEL: f32 = 0.3;

/// All grids that are not joined ones, and what has been made of them.
#[derive(Resource, Default)]
pub(crate) struct Seams {
    /// By the entity of the joined grid.
    sheets: EntityHashMap<Sheet>,
    parts: EntityHashMap<Part>,
    /// The grids that touch no other.
    alone: EntityHashMap<Alone>,
    /// Joined grids that have become one with another: requests and paths may still name them.
    merged: EntityHashMap<Entity>,
    /// How many grids have a [`Standalone`].
    standalone: usize,
}

/// Grids on one lattice, and the joined grid made of them.
struct Sheet {
    /// The lattice in the world.
    lattice: GridTransform,
    /// The part whose placement is that of the lattice.
    anchor: Entity,
    kinds: Vec<AgentKind>,
    /// Its parts, by the blocks of the lattice that they reach into.
    blocks: HashMap<IVec2, Vec<Entity>>,
    /// The rectangle of the lattice that holds all parts.
    extent: CellRect,
    /// The canvas: its first cell on the lattice, and its size.
    origin: IVec2,
    size: UVec2,
    /// What is to be copied to the joined grid in this tick, as rectangles of the lattice; nothing for what is gone.
    edits: Vec<(CellRect, Option<Entity>)>,
}

/// A grid that belongs to a sheet.
#[derive(Clone, Copy)]
struct Part {
    joined: Entity,
    /// Its cells on the lattice.
    frame: CellFrame,
    rect: CellRect,
    /// What has been copied.
    lineage: u64,
    revision: u64,
}

/// A grid that touches no other: a ball round it in the world.
#[derive(Clone, Copy)]
struct Alone {
    center: Vec3,
    radius: f32,
}

/// A grid that can be joined with others.
#[derive(QueryData)]
pub(super) struct Candidate {
    entity: Entity,
    nav: Ref<'static, NavGrid>,
    place: Ref<'static, GridTransform>,
    standalone: Has<Standalone>,
    name: Option<&'static Name>,
}

type Candidates<'w, 's> = Query<'w, 's, Candidate, Without<JoinedGrid>>;
type JoinedGrids<'w, 's> = Query<
    'w,
    's,
    (&'static mut NavGrid, &'static mut GridTransform, &'static mut Transform),
    With<JoinedGrid>,
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
        sheet.parts_in(CellRect::new(cell, cell)).find(|part| self.parts[part].rect.contains(cell))
    }

    /// Forgets a grid; its cells on the joined grid become void.
    fn forget(&mut self, grid: Entity) {
        self.alone.remove(&grid);
        let Some(part) = self.parts.remove(&grid) else { return };
        let Some(sheet) = self.sheets.get_mut(&part.joined) else { return };
        for block in blocks_of(part.rect) {
            if let Some(parts) = sheet.blocks.get_mut(&block) {
                parts.retain(|&other| other != grid);
                if parts.is_empty() {
                    sheet.blocks.remove(&block);
                }
            }
        }
        sheet.edits.push((part.rect, None));
    }

    /// The grids that a grid touches so that they can be joined, and those that it touches in vain.
    fn touching(&self, grid: &CandidateItem, grids: &Candidates) -> (Vec<Entity>, Vec<(Entity, Fault)>) {
        let (mut fits, mut faults) = (Vec::new(), Vec::new());
        let ball = Alone::of(grid);
        let mut test = |lattice: &GridTransform,
                        kinds: &dyn Fn(&NavGrid) -> bool,
                        others: &dyn Fn(CellRect) -> Vec<(Entity, CellRect)>| {
            match CellFrame::between(lattice, &grid.place, grid.nav.grid().size()) {
                Ok(frame) => {
                    let rect = frame.rect(grid.nav.grid().bounds());
                    let near = others(rect.grown(1));
                    if near.iter().any(|(_, other)| other.intersection(rect).is_some()) {
                        return;
                    }
                    let touched = near.into_iter().filter(|(_, other)| touch(*other, rect));
                    match kinds(&grid.nav) {
                        true => fits.extend(touched.map(|(entity, _)| entity)),
                        false => faults.extend(touched.map(|(entity, _)| (entity, Fault::Kinds))),
                    }
                }
                Err(misfit) => {
                    let touched = touched_askew(lattice, grid, others);
                    faults.extend(touched.map(|entity| (entity, Fault::Lattice(misfit))));
                }
            }
        };
        for sheet in self.sheets.values() {
            let others = |rect: CellRect| {
                let mut near: Vec<_> =
                    sheet.parts_in(rect).map(|entity| (entity, self.parts[&entity].rect)).collect();
                near.sort_unstable_by_key(|&(entity, _)| entity);
                near.dedup();
                near
            };
            test(&sheet.lattice, &|nav| kinds_of(nav).eq(&sheet.kinds), &others);
        }
        for (&entity, other) in &self.alone {
            let reach = (ball.radius + other.radius) * 1.001;
            if ball.center.distance_squared(other.center) <= reach * reach
                && let Ok(other) = grids.get(entity)
            {
                let bounds = other.nav.grid().bounds();
                let others = |_: CellRect| vec![(entity, bounds)];
                test(&other.place, &|nav| kinds_of(nav).eq(kinds_of(&other.nav)), &others);
            }
        }
        fits.sort_unstable();
        fits.dedup();
        faults.sort_unstable_by_key(|&(entity, _)| entity);
        (fits, faults)
    }

    /// Puts a grid on a sheet, unless it overlaps a part or lies too far from the others.
    fn attach(&mut self, joined: Entity, grid: &CandidateItem) -> Result<(), Fault> {
        let sheet = self.sheets.get_mut(&joined).expect("the sheet was found or made just now");
        let frame = CellFrame::between(&sheet.lattice, &grid.place, grid.nav.grid().size())
            .map_err(Fault::Lattice)?;
        let rect = frame.rect(grid.nav.grid().bounds());
        let overlaps = sheet.parts_in(rect).any(|part| self.parts[&part].rect.intersection(rect).is_some());
        if overlaps {
            return Err(Fault::Overlap);
        }
        let extent = if sheet.blocks.is_empty() { rect } else { sheet.extent.union(rect) };
        let canvas = whole_blocks(extent);
        if side(canvas).max_element() > Grid::MAX_SIDE as i32 {
            return Err(Fault::TooFar);
        }
        sheet.extent = extent;
        for block in blocks_of(rect) {
            sheet.blocks.entry(block).or_default().push(grid.entity);
        }
        sheet.edits.push((rect, Some(grid.entity)));
        let (lineage, revision) = (grid.nav.lineage(), grid.nav.revision());
        self.parts.insert(grid.entity, Part { joined, frame, rect, lineage, revision });
        self.alone.remove(&grid.entity);
        Ok(())
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

    /// Notes the cells of a part that have been edited.
    fn note_edits(&mut self, grid: &CandidateItem) {
        let Some(part) = self.parts.get_mut(&grid.entity) else { return };
        let Some(sheet) = self.sheets.get_mut(&part.joined) else { return };
        let is_same = part.lineage == grid.nav.lineage();
        match grid.nav.changes_since(part.revision).filter(|_| is_same) {
            Some(rects) => sheet.edits.extend(rects.map(|rect| (part.frame.rect(rect), Some(grid.entity)))),
            None => sheet.edits.push((part.rect, Some(grid.entity))),
        }
        (part.lineage, part.revision) = (grid.nav.lineage(), grid.nav.revision());
    }

    /// Moves the lattice of each sheet with its anchor. An anchor that has moved alone is replaced by another part.
    fn follow_anchors(&mut self, grids: &Candidates) {
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
            let mut parts: Vec<_> = sheet.blocks.values().flatten().copied().collect();
            parts.sort_unstable();
            let still = parts.iter().copied().find(|part| lattice_of(*part).is_some() && !is_moved(part));
            let all = || parts.iter().copied().find(|part| lattice_of(*part).is_some());
            // As long as one part lies still the lattice does; else all move together.
            let anchor = still
                .or_else(|| Some(sheet.anchor).filter(|&anchor| lattice_of(anchor).is_some()))
                .or_else(all);
            if let Some((anchor, lattice)) = anchor.and_then(|anchor| Some((anchor, lattice_of(anchor)?))) {
                sheet.anchor = anchor;
                if still.is_none() {
                    sheet.lattice = lattice;
                }
            }
        }
    }
}

impl Sheet {
    fn new(anchor: &CandidateItem) -> Self {
        let corner = CellRect::new(Cell::default(), Cell::default());
        Self {
            lattice: *anchor.place,
            anchor: anchor.entity,
            kinds: kinds_of(&anchor.nav).cloned().collect(),
            blocks: HashMap::default(),
            extent: corner,
            origin: IVec2::ZERO,
            size: UVec2::ZERO,
            edits: Vec::new(),
        }
    }

    /// The parts that reach into the blocks of a rectangle, some perhaps several times.
    fn parts_in(&self, rect: CellRect) -> impl Iterator<Item = Entity> {
        blocks_of(rect).filter_map(|block| self.blocks.get(&block)).flatten().copied()
    }

    /// The canvas that its parts need, as first cell and size, if they have grown out of the present one.
    fn next_canvas(&self) -> Option<(IVec2, UVec2)> {
        // Void all round, so that a goal beyond it is one that cannot be reached yet.
        let rimmed = whole_blocks(self.extent.grown(1));
        let fits = side(rimmed).max_element() <= Grid::MAX_SIDE as i32;
        let needed = if fits { rimmed } else { whole_blocks(self.extent) };
        let is_first = self.size == UVec2::ZERO;
        let last = self.origin + self.size.as_ivec2() - 1;
        let holds = |cell: Cell| {
            let at = IVec2::new(cell.x, cell.y);
            at.cmpge(self.origin).all() && at.cmple(last).all()
        };
        if !is_first && holds(needed.min) && holds(needed.max) {
            return None;
        }
        let room = |side: i32| {
            let most = (Grid::MAX_SIDE as i32 - side) / 2;
            (side / 2).clamp(ROOM[0], ROOM[1]).min(most) & !(BLOCK - 1)
        };
        let sides = side(needed);
        // A world that is spawned at once stays as it is.
        let room = if is_first { IVec2::ZERO } else { IVec2::new(room(sides.x), room(sides.y)) };
        Some((IVec2::new(needed.min.x, needed.min.y) - room, (sides + 2 * room).as_uvec2()))
    }

    /// The joined grid in the world.
    fn place(&self) -> GridTransform {
        let shift = Affine3A::from_translation(self.origin.as_vec2().extend(0.0));
        GridTransform::of(self.lattice.grid_to_world() * shift)
    }

    /// Copies what has changed to the joined grid.
    fn update(&mut self, joined: &mut NavGrid, grids: &Candidates, parts: &EntityHashMap<Part>) {
        let edits = core::mem::take(&mut self.edits);
        let origin = self.origin;
        joined.edit(|cells| {
            for (rect, source) in edits {
                let on_canvas = |cell: Cell| Cell::new(cell.x - origin.x, cell.y - origin.y);
                let rect = CellRect::new(on_canvas(rect.min), on_canvas(rect.max));
                match source.map(|entity| grids.get(entity).ok().zip(parts.get(&entity))) {
                    None => _ = cells.fill(rect, Terrain::VOID),
                    Some(Some((grid, part))) => {
                        let frame = part.frame.seen_from(origin);
                        cells.map(rect, |cell, old| grid.nav.ground(frame.cell_on(cell)).unwrap_or(old));
                    }
                    // It has gone again, which is an edit of its own.
                    Some(None) => (),
                }
            }
        });
    }
}

impl Alone {
    fn of(grid: &CandidateItem) -> Self {
        let size = grid.nav.grid().size().as_vec2();
        let center = grid.place.to_world(size / 2.0, 0.0);
        let corners = [Vec2::ZERO, Vec2::new(size.x, 0.0)];
        let radius = corners.map(|corner| grid.place.to_world(corner, 0.0).distance(center));
        Self { center, radius: radius[0].max(radius[1]) }
    }
}

/// Why a grid that touches another is not joined with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Lattice(Misfit),
    Kinds,
    Overlap,
    TooFar,
}

impl Fault {
    const fn text(self) -> &'static str {
        match self {
            Self::Lattice(Misfit::Size) => "their cells have different sizes",
            Self::Lattice(Misfit::Angle) => "they lie at an angle that is no quarter turn",
            Self::Lattice(Misfit::Offset) => "the lines between their cells do not meet",
            Self::Kinds => "they have different kinds of agents",
            Self::Overlap => "it overlaps a third one",
            Self::TooFar => "together they have more than 16,384 columns or rows",
        }
    }
}

/// Joins grids that touch, and brings joined grids up to date.
#[expect(clippy::too_many_arguments, reason = "a system's parameters are what it reads")]
pub(super) fn join(
    mut seams: ResMut<Seams>,
    grids: Candidates,
    standalone: Query<(), (With<NavGrid>, With<Standalone>)>,
    mut joined: JoinedGrids,
    links: Query<&NavLink>,
    (mut warned, mut warnings): (Local<EntityHashSet>, Local<Warnings>),
    mut ties: Query<&mut OnGrid>,
    mut commands: Commands,
) {
    let seams = seams.bypass_change_detection();
    let has_lost_a_sheet = joined.iter().len() != seams.sheets.len();
    let mut news: Vec<Entity> = grids
        .iter()
        .filter(|grid| grid.nav.is_changed() || grid.place.is_changed())
        .map(|grid| grid.entity)
        .collect();
    let is_known = |seams: &Seams, grid| seams.parts.contains_key(&grid) || seams.alone.contains_key(&grid);
    let new = news.iter().filter(|&&grid| !is_known(seams, grid)).count();
    let count = standalone.iter().len();
    let is_as_counted = seams.parts.len() + seams.alone.len() + new == grids.iter().len()
        && core::mem::replace(&mut seams.standalone, count) == count;
    if is_as_counted && news.is_empty() && !has_lost_a_sheet {
        return;
    }
    if has_lost_a_sheet {
        seams.sheets.retain(|&sheet, _| joined.contains(sheet));
        let Seams { sheets, parts, .. } = &mut *seams;
        parts.retain(|_, part| sheets.contains_key(&part.joined));
    }
    if !is_as_counted || has_lost_a_sheet {
        let known: Vec<_> = seams.parts.keys().chain(seams.alone.keys()).copied().collect();
        for gone in known.into_iter().filter(|&grid| !grids.contains(grid)) {
            if let Some((sheet, _)) = seams.place_of(gone) {
                commands.entity(gone).try_remove::<PartOfGrid>();
                // Agents that were tied to it stay on what it was part of.
                ties.iter_mut().filter(|tie| tie.0 == gone).for_each(|mut tie| tie.0 = sheet);
            }
            seams.forget(gone);
            warned.remove(&gone);
        }
        news = grids.iter().map(|grid| grid.entity).collect();
    }
    // In an order that does not depend on how entities are stored.
    news.sort_unstable_by_key(|grid| grid.index_u32());
    seams.follow_anchors(&grids);
    let mut loose = Vec::new();
    for grid in news.iter().filter_map(|&entity| grids.get(entity).ok()) {
        if seams.is_in_place(&grid) {
            seams.note_edits(&grid);
        } else {
            if seams.parts.contains_key(&grid.entity) {
                commands.entity(grid.entity).try_remove::<PartOfGrid>();
            }
            seams.forget(grid.entity);
            loose.push(grid.entity);
        }
    }
    let mut fresh: EntityHashSet = EntityHashSet::default();
    for entity in loose {
        let Ok(grid) = grids.get(entity) else { continue };
        seams.alone.insert(entity, Alone::of(&grid));
        if grid.standalone || !grid.place.is_usable() {
            continue;
        }
        seams.alone.remove(&entity);
        let (fits, mut faults) = seams.touching(&grid, &grids);
        seams.alone.insert(entity, Alone::of(&grid));
        faults.extend(unite(seams, entity, &fits, &grids, &mut fresh, &mut commands));
        let is_linked = |other: Entity| {
            let ends = |link: &NavLink| [link.from.grid, link.to.grid];
            links.iter().map(ends).any(|ends| ends == [entity, other] || ends == [other, entity])
        };
        faults.retain(|&(other, _)| !is_linked(other));
        if let Some(&(other, fault)) = faults.first()
            && warned.insert(entity)
        {
            let other = grids
                .get(other)
                .ok()
                .and_then(|grid| grid.name.map(ToString::to_string))
                .unwrap_or_else(|| other.to_string());
            let what = format!(
                "touches the grid {other}, but is not joined with it: {}; a NavLink can join them",
                fault.text()
            );
            warnings.warn(entity, grid.name, what);
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
        fits.iter().filter_map(|grid| Some(seams.parts.get(grid)?.joined)).collect();
    sheets.sort_unstable();
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
    let mut members: Vec<Entity> =
        fits.iter().copied().filter(|grid| seams.alone.contains_key(grid)).collect();
    members.push(entity);
    for other in sheets.into_iter().filter(|&sheet| sheet != target) {
        let sheet = seams.sheets.remove(&other).expect("it was found just now");
        fresh.remove(&other);
        commands.entity(other).try_despawn();
        seams.merged.values_mut().filter(|known| **known == other).for_each(|known| *known = target);
        seams.merged.insert(other, target);
        let mut parts: Vec<_> = sheet.blocks.into_values().flatten().collect();
        parts.sort_unstable();
        parts.dedup();
        for part in parts {
            seams.parts.remove(&part);
            seams.alone.extend(grids.get(part).map(|grid| (part, Alone::of(&grid))));
            members.push(part);
        }
    }
    let mut faults = Vec::new();
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
        let mut canvas = sheet.next_canvas();
        if canvas.is_some() {
            // Parts that have gone no longer count.
            let rects = sheet.blocks.values().flatten().map(|part| parts[part].rect);
            sheet.extent = rects.reduce(CellRect::union).unwrap_or(sheet.extent);
            canvas = sheet.next_canvas();
        }
        let before = sheet.origin;
        if let Some((origin, size)) = canvas {
            (sheet.origin, sheet.size) = (origin, size);
        }
        let place = sheet.place();
        if fresh.contains(&entity) {
            let Some(mut nav) = empty(sheet, grids) else { return false };
            sheet.update(&mut nav, grids, parts);
            let at = transform(&place, &nav);
            commands.entity(entity).try_insert((JoinedGrid, Name::new("joined grid"), nav, place, at));
            return true;
        }
        let Ok((mut nav, mut known_place, mut at)) = joined.get_mut(entity) else { return false };
        if canvas.is_some() && nav.set_canvas(sheet.size, (before - sheet.origin) / BLOCK).is_err() {
            return false;
        }
        if !sheet.edits.is_empty() {
            sheet.update(&mut nav, grids, parts);
        }
        if known_place.set_if_neq(place) {
            *at = transform(&place, &nav);
        }
        true
    });
}

/// A grid without ground, of the size of a canvas, that lies in its plane as the anchor of the sheet does.
fn empty(sheet: &Sheet, grids: &Candidates) -> Option<NavGrid> {
    let anchor = grids.get(sheet.anchor).ok()?;
    let mut cells = Grid::new(BLOCK as u32, BLOCK as u32).ok()?;
    cells.fill(cells.bounds(), Terrain::VOID);
    let mut cells = cells.on_canvas(sheet.size, IVec2::ZERO).ok()?;
    for (id, kind) in (0u8..).zip(&sheet.kinds) {
        if cells.set_kind(KindId(id), kind.clone()).is_err() {
            cells.add_kind(kind.clone()).ok()?;
        }
    }
    Some(NavGrid::new(cells).with_cell_size(anchor.nav.cell_size()).with_plane(anchor.nav.plane()))
}

/// The transform of an entity whose grid has this placement.
fn transform(place: &GridTransform, nav: &NavGrid) -> Transform {
    GlobalTransform::from(place.grid_to_world() * nav.frame().inverse()).compute_transform()
}

fn kinds_of(nav: &NavGrid) -> impl Iterator<Item = &AgentKind> {
    (0..nav.grid().kind_count()).filter_map(|id| nav.grid().kind(KindId(id as u8)))
}

/// Columns and rows of a rectangle.
const fn side(CellRect { min, max }: CellRect) -> IVec2 {
    IVec2::new(max.x - min.x + 1, max.y - min.y + 1)
}

/// The blocks of the lattice that a rectangle reaches into.
fn blocks_of(rect: CellRect) -> impl Iterator<Item = IVec2> {
    let block = |cell: Cell| Cell::new(cell.x.div_euclid(BLOCK), cell.y.div_euclid(BLOCK));
    CellRect::new(block(rect.min), block(rect.max)).cells().map(|block| IVec2::new(block.x, block.y))
}

/// The smallest rectangle of whole blocks round another one.
fn whole_blocks(rect: CellRect) -> CellRect {
    let first = |at: i32| at.div_euclid(BLOCK) * BLOCK;
    let last = |at: i32| first(at) + BLOCK - 1;
    CellRect::new(
        Cell::new(first(rect.min.x), first(rect.min.y)),
        Cell::new(last(rect.max.x), last(rect.max.y)),
    )
}

/// Whether two rectangles that do not overlap share a part of an edge.
const fn touch(a: CellRect, b: CellRect) -> bool {
    let beside = a.min.x <= b.max.x && b.min.x <= a.max.x;
    let level = a.min.y <= b.max.y && b.min.y <= a.max.y;
    level && (a.max.x + 1 == b.min.x || b.max.x + 1 == a.min.x)
        || beside && (a.max.y + 1 == b.min.y || b.max.y + 1 == a.min.y)
}

/// The grids of a lattice that another grid, which does not lie on it, touches with one of its sides: half a cell beyond
/// the side lies ground of theirs, half a cell before it does not.
fn touched_askew(
    lattice: &GridTransform,
    grid: &CandidateItem,
    others: &dyn Fn(CellRect) -> Vec<(Entity, CellRect)>,
) -> impl Iterator<Item = Entity> + use<> {
    let size = grid.nav.grid().size().as_vec2();
    let to_lattice = lattice.world_to_grid() * grid.place.grid_to_world();
    // In cells of the lattice.
    let scale = Vec2::new(to_lattice.matrix3.x_axis.length(), to_lattice.matrix3.y_axis.length());
    let under = |point: Vec2| {
        let at = to_lattice.transform_point3(point.extend(0.0));
        let cell = Cell::containing(at.truncate());
        let near = if at.z.abs() < LEVEL { others(CellRect::new(cell, cell)) } else { Vec::new() };
        near.into_iter().find(|(_, rect)| rect.contains(cell)).map(|(entity, _)| entity)
    };
    /// At how many places a side is tested: enough to find what touches a sixteenth of it.
    const PLACES: u16 = 16;
    let mut touched = Vec::new();
    if scale.is_finite() && scale.min_element() > 0.0 {
        for place in 0..PLACES {
            let along = (f32::from(place) + 0.5) / f32::from(PLACES);
            let half = Vec2::splat(0.5) / scale;
            let sides = [
                (Vec2::new(0.0, along * size.y), Vec2::NEG_X),
                (Vec2::new(size.x, along * size.y), Vec2::X),
                (Vec2::new(along * size.x, 0.0), Vec2::NEG_Y),
                (Vec2::new(along * size.x, size.y), Vec2::Y),
            ];
            for (point, out) in sides {
                if under(point - out * half).is_none() {
                    touched.extend(under(point + out * half));
                }
            }
        }
    }
    touched.sort_unstable();
    touched.dedup();
    touched.into_iter()
}
