//! Grids on one lattice of cells, and the joined grid that is a copy of them.
//!
//! The copy lies on a canvas, a rectangle of the lattice whose corners lie on multiples of 64 cells: so a grid of
//! 64×64 cells is one block of it. A canvas that has become too small is replaced by one with room to grow.

use bevy::ecs::entity::EntityHashMap;
use bevy::math::Affine3A;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use pathfind_core::{AgentKind, Cell, CellRect, Grid, GridEdit, KindId, Terrain};

use super::super::cell_frame::CellFrame;
use super::super::{GridTransform, NavGrid};
use super::touch::Ball;
use super::{CandidateItem, Candidates};

/// Cells along the side of a block.
pub(super) const BLOCK: i32 = Grid::BLOCK as i32;
/// The least and the greatest margin round its parts that a canvas gets when it grows, in cells.
const CANVAS_MARGIN: [i32; 2] = [4 * BLOCK, 32 * BLOCK];

/// Grids that are joined: their cells lie on one lattice.
pub(super) struct JoinGroup {
    /// The lattice in the world.
    pub(super) lattice: GridTransform,
    /// The part whose placement is that of the lattice.
    pub(super) anchor: Entity,
    pub(super) kinds: Vec<AgentKind>,
    /// Whether its kinds have changed in this tick.
    pub(super) has_new_kinds: bool,
    /// Its parts, by the blocks of the lattice that they reach into.
    pub(super) blocks: HashMap<IVec2, Vec<Entity>>,
    /// A rectangle of the lattice that holds all parts, and perhaps some that have gone.
    pub(super) extent: CellRect,
    /// The first cell of the canvas on the lattice.
    pub(super) origin: IVec2,
    /// The size of the canvas; zero before there is one.
    pub(super) size: UVec2,
    /// What is to be copied to the joined grid in this tick.
    pub(super) edits: Vec<Edit>,
}

/// A rectangle of the lattice, and the part to copy from; `None` for void.
pub(super) type Edit = (CellRect, Option<Entity>);

/// A grid that belongs to a group.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) joined: Entity,
    /// Its cells on the lattice.
    pub(super) frame: CellFrame,
    pub(super) rect: CellRect,
    /// What has been copied.
    pub(super) lineage: u64,
    pub(super) revision: u64,
    /// Whether it is disabled: its cells are void, and its place is kept.
    pub(super) is_absent: bool,
}

impl JoinGroup {
    pub(super) fn new(anchor: &CandidateItem) -> Self {
        Self {
            lattice: *anchor.place,
            anchor: anchor.entity,
            kinds: kinds_of(&anchor.nav).cloned().collect(),
            has_new_kinds: false,
            blocks: HashMap::default(),
            extent: CellRect::new(Cell::default(), Cell::default()),
            origin: IVec2::ZERO,
            size: UVec2::ZERO,
            edits: Vec::new(),
        }
    }

    /// All parts, in the order of their entities.
    pub(super) fn parts(&self) -> Vec<Entity> {
        let mut parts: Vec<_> = self.blocks.values().flatten().copied().collect();
        parts.sort_unstable_by_key(|grid| grid.index_u32());
        parts.dedup();
        parts
    }

    /// The parts that reach into the blocks of a rectangle, some perhaps several times.
    pub(super) fn parts_in(&self, rect: CellRect) -> impl Iterator<Item = Entity> {
        blocks_of(rect).filter_map(|block| self.blocks.get(&block)).flatten().copied()
    }

    /// Takes a part off its blocks; its cells become void.
    pub(super) fn remove(&mut self, grid: Entity, rect: CellRect) {
        for block in blocks_of(rect) {
            if let Some(parts) = self.blocks.get_mut(&block) {
                parts.retain(|&other| other != grid);
                if parts.is_empty() {
                    self.blocks.remove(&block);
                }
            }
        }
        self.edits.push((rect, None));
    }

    /// A ball round its parts, in the world.
    pub(super) fn ball(&self) -> Ball {
        let corners = [self.extent.min, self.extent.max].map(|corner| self.lattice.cell_center(corner));
        let center = corners[0].midpoint(corners[1]);
        Ball { center, radius: corners[0].distance(center) + 2.0 * self.lattice.cell_size() }
    }

    /// The rectangle of the lattice that holds its parts and another rectangle.
    pub(super) fn extent_with(&self, rect: CellRect) -> CellRect {
        if self.blocks.is_empty() { rect } else { self.extent.union(rect) }
    }

    /// Computes the extent again, from the parts that it has.
    pub(super) fn shrink(&mut self, parts: &EntityHashMap<Part>) {
        let rects = self.blocks.values().flatten().map(|part| parts[part].rect);
        self.extent = rects.reduce(CellRect::union).unwrap_or(self.extent);
    }

    /// The canvas that its parts need, as first cell and size, if they have grown out of the present one.
    pub(super) fn next_canvas(&self) -> Option<(IVec2, UVec2)> {
        // Void all round, as far as there is room: agents that step off the ground are still on the canvas.
        let rimmed = whole_blocks(self.extent.grown(1));
        let needed = if has_room(rimmed) { rimmed } else { whole_blocks(self.extent) };
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
            (side / 2).clamp(CANVAS_MARGIN[0], CANVAS_MARGIN[1]).min(most) & !(BLOCK - 1)
        };
        let sides = side(needed);
        // A world that is spawned at once stays as it is.
        let room = if is_first { IVec2::ZERO } else { IVec2::new(room(sides.x), room(sides.y)) };
        Some((IVec2::new(needed.min.x, needed.min.y) - room, (sides + 2 * room).as_uvec2()))
    }

    /// The joined grid in the world.
    pub(super) fn place(&self) -> GridTransform {
        let shift = Affine3A::from_translation(self.origin.as_vec2().extend(0.0));
        GridTransform::of(self.lattice.grid_to_world() * shift)
    }

    /// A grid without ground, of the size of the canvas, that lies in its plane as the anchor does.
    pub(super) fn empty(&self, grids: &Candidates) -> Option<NavGrid> {
        let anchor = grids.get(self.anchor).ok()?;
        let mut cells = Grid::new(BLOCK as u32, BLOCK as u32).ok()?;
        cells.fill(cells.bounds(), Terrain::VOID);
        let cells = cells.on_canvas(self.size, IVec2::ZERO).ok()?;
        let mut nav =
            NavGrid::new(cells).with_cell_size(anchor.nav.cell_size()).with_plane(anchor.nav.plane());
        self.give_kinds(&mut nav);
        Some(nav)
    }

    /// Gives the joined grid the kinds of agents of the parts.
    pub(super) fn give_kinds(&self, joined: &mut NavGrid) {
        for (id, kind) in (0u8..).zip(&self.kinds) {
            let given = match joined.grid().kind(KindId(id)) {
                Some(_) => joined.set_kind(KindId(id), kind.clone()).map(|_| ()),
                None => joined.add_kind(kind.clone()).map(|_| ()),
            };
            given.expect("kinds of one grid are in range on another");
        }
    }

    /// Copies cells to the joined grid.
    pub(super) fn copy(
        &self,
        edits: Vec<Edit>,
        joined: &mut NavGrid,
        (grids, parts): (&Candidates, &EntityHashMap<Part>),
    ) {
        let (origin, mut has_elevation) = (self.origin, joined.grid().has_elevation());
        joined.edit(|cells| {
            for (rect, source) in edits {
                let on_canvas = |cell: Cell| Cell::new(cell.x - origin.x, cell.y - origin.y);
                let rect = CellRect::new(on_canvas(rect.min), on_canvas(rect.max));
                match source.map(|entity| grids.get(entity).ok().zip(parts.get(&entity))) {
                    None => {
                        cells.fill(rect, Terrain::VOID);
                        if has_elevation {
                            raise(cells, rect, |_| 0.0);
                        }
                    }
                    Some(Some((grid, part))) => {
                        let frame = part.frame.seen_from(origin);
                        cells.map(rect, |cell, old| grid.nav.ground(frame.cell_on(cell)).unwrap_or(old));
                        has_elevation |= grid.nav.grid().has_elevation();
                        if has_elevation {
                            raise(cells, rect, |cell| grid.nav.grid().elevation(frame.cell_on(cell)));
                        }
                    }
                    // It has gone again, which is an edit of its own.
                    Some(None) => (),
                }
            }
        });
    }
}

/// Sets the heights of the part of a rectangle that lies on the canvas.
fn raise(cells: &mut GridEdit, rect: CellRect, height: impl Fn(Cell) -> f32) {
    for cell in rect.intersection(cells.bounds()).into_iter().flat_map(CellRect::cells) {
        cells
            .set_elevation(cell, height(cell))
            .expect("the cell is on the canvas, and a part has its height");
    }
}

pub(super) fn kinds_of(nav: &NavGrid) -> impl Iterator<Item = &AgentKind> {
    (0..nav.grid().kind_count()).filter_map(|id| nav.grid().kind(KindId(id as u8)))
}

/// Whether a rectangle is not too large for a grid.
pub(super) fn has_room(rect: CellRect) -> bool {
    side(rect).max_element() <= Grid::MAX_SIDE as i32
}

/// Columns and rows of a rectangle.
const fn side(CellRect { min, max }: CellRect) -> IVec2 {
    IVec2::new(max.x - min.x + 1, max.y - min.y + 1)
}

/// The blocks of the lattice that a rectangle reaches into.
pub(super) fn blocks_of(rect: CellRect) -> impl Iterator<Item = IVec2> {
    let block = |cell: Cell| Cell::new(cell.x.div_euclid(BLOCK), cell.y.div_euclid(BLOCK));
    CellRect::new(block(rect.min), block(rect.max)).cells().map(|block| IVec2::new(block.x, block.y))
}

/// The smallest rectangle of whole blocks round another one.
pub(super) fn whole_blocks(rect: CellRect) -> CellRect {
    let first = |at: i32| at.div_euclid(BLOCK) * BLOCK;
    let last = |at: i32| first(at) + BLOCK - 1;
    CellRect::new(
        Cell::new(first(rect.min.x), first(rect.min.y)),
        Cell::new(last(rect.max.x), last(rect.max.y)),
    )
}
