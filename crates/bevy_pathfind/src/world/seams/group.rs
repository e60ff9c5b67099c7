//! A group of grids on one lattice of cells, and the joined grid that holds a copy of their cells.
//!
//! The copy lies on a canvas: a rectangle of whole blocks of the lattice, 64×64 cells each. A canvas that has become
//! too small is replaced by a larger one with a margin, so that not every new grid needs another. Which grids are in
//! a group is decided in the parent module.

use bevy::ecs::entity::EntityHashMap;
use bevy::math::Affine3A;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use pathfind_core::{AgentKind, CellRect, EdgeRule, Grid, GridCell, GridEdit, Terrain};

use super::super::cell_frame::CellFrame;
use super::super::nav_grid::edges::{copy_edges, edge_between};
use super::super::nav_grid::kinds_of;
use super::super::{GridTransform, NavGrid};
use super::touch::BoundingSphere;
use super::{Candidates, JoinCandidateItem};

/// Cells along the side of a block.
pub(super) const BLOCK: i32 = Grid::BLOCK as i32;
/// The least and the greatest margin that a canvas gets on each side of its parts when it grows, in cells.
const CANVAS_MARGIN: [i32; 2] = [4 * BLOCK, 32 * BLOCK];

/// Grids that are joined: their cells lie on one lattice.
pub(super) struct JoinGroup {
    /// The lattice in the world.
    pub(super) lattice: GridTransform,
    /// The part with which the lattice moves.
    pub(super) anchor: Entity,
    /// The kinds of agents of all parts.
    pub(super) kinds: Vec<AgentKind>,
    /// Whether `kinds` has changed in this tick.
    pub(super) has_new_kinds: bool,
    /// Its parts, by the blocks of the lattice that they reach into.
    pub(super) blocks: HashMap<IVec2, Vec<Entity>>,
    /// A rectangle of the lattice that holds all parts, and perhaps parts that were removed.
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
pub(super) struct GroupPart {
    pub(super) joined: Entity,
    /// Where its cells lie on the lattice, one by one and as a rectangle.
    pub(super) frame: CellFrame,
    pub(super) rect: CellRect,
    /// The map id and the revision of its grid that were copied last.
    pub(super) map_id: u64,
    pub(super) revision: u64,
    /// Whether it is disabled: then its cells on the joined grid are void.
    pub(super) is_absent: bool,
}

impl JoinGroup {
    pub(super) fn new(anchor: &JoinCandidateItem) -> Self {
        Self {
            lattice: *anchor.place,
            anchor: anchor.entity,
            kinds: kinds_of(anchor.nav.grid()).cloned().collect(),
            has_new_kinds: false,
            blocks: HashMap::default(),
            extent: CellRect::new(GridCell::default(), GridCell::default()),
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

    /// The parts that reach into the blocks of a rectangle; a part in several blocks is returned for each.
    pub(super) fn parts_in(&self, rect: CellRect) -> impl Iterator<Item = Entity> {
        blocks_of(rect).filter_map(|block| self.blocks.get(&block)).flatten().copied()
    }

    /// Removes a part from its blocks; its cells become void.
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

    /// A sphere that encloses its parts, up to two cells larger, so that it meets the spheres of grids that touch
    /// them.
    pub(super) fn sphere(&self) -> BoundingSphere {
        let corners = [self.extent.min, self.extent.max].map(|corner| self.lattice.cell_center(corner));
        let center = corners[0].midpoint(corners[1]);
        BoundingSphere { center, radius: corners[0].distance(center) + 2.0 * self.lattice.cell_size() }
    }

    /// The rectangle of the lattice that holds its parts and another rectangle.
    pub(super) fn extent_with(&self, rect: CellRect) -> CellRect {
        if self.blocks.is_empty() { rect } else { self.extent.union(rect) }
    }

    /// Computes the extent again, without the parts that were removed.
    pub(super) fn shrink(&mut self, parts: &EntityHashMap<GroupPart>) {
        let rects = self.blocks.values().flatten().map(|part| parts[part].rect);
        self.extent = rects.reduce(CellRect::union).unwrap_or(self.extent);
    }

    /// The first cell and the size of the next canvas, if the parts do not fit on the present one.
    pub(super) fn next_canvas(&self) -> Option<(IVec2, UVec2)> {
        // A border of void, unless that makes the grid too large: agents that step off the ground stay on the canvas.
        let bordered = whole_blocks(self.extent.grown(1));
        let needed = if has_room(bordered) { bordered } else { whole_blocks(self.extent) };
        let is_first = self.size == UVec2::ZERO;
        let last = self.origin + self.size.as_ivec2() - 1;
        let holds = |cell: GridCell| {
            let at = IVec2::new(cell.x, cell.y);
            at.cmpge(self.origin).all() && at.cmple(last).all()
        };
        if !is_first && holds(needed.min) && holds(needed.max) {
            return None;
        }
        let margin_of = |side: i32| {
            let most = (Grid::MAX_SIDE as i32 - side) / 2;
            (side / 2).clamp(CANVAS_MARGIN[0], CANVAS_MARGIN[1]).min(most) & !(BLOCK - 1)
        };
        let size = size_of_rect(needed);
        // Many worlds are spawned in one tick and never grow: their canvas gets no margin.
        let margin = if is_first { IVec2::ZERO } else { IVec2::new(margin_of(size.x), margin_of(size.y)) };
        Some((IVec2::new(needed.min.x, needed.min.y) - margin, (size + 2 * margin).as_uvec2()))
    }

    /// Where the joined grid lies in the world.
    pub(super) fn place(&self) -> GridTransform {
        let shift = Affine3A::from_translation(self.origin.as_vec2().extend(0.0));
        GridTransform::of(self.lattice.to_world * shift)
    }

    /// A grid of void of the size of the canvas, with the kinds of the group, and cell size and plane of the anchor.
    pub(super) fn empty(&self, grids: &Candidates) -> Option<NavGrid> {
        let anchor = grids.get(self.anchor).ok()?;
        let mut cells = Grid::new(BLOCK as u32, BLOCK as u32).ok()?;
        cells.fill(cells.bounds(), Terrain::VOID);
        let cells = cells.on_canvas(self.size, IVec2::ZERO).ok()?;
        let mut nav =
            NavGrid::new(cells).with_cell_size(anchor.nav.cell_size()).with_plane(anchor.nav.plane());
        nav.set_kinds(&self.kinds);
        Some(nav)
    }

    /// Applies `edits` to the joined grid: copies cells of parts, and clears cells to void.
    pub(super) fn copy(
        &self,
        edits: Vec<Edit>,
        joined: &mut NavGrid,
        (grids, parts): (&Candidates, &EntityHashMap<GroupPart>),
    ) {
        let (origin, mut has_elevation) = (self.origin, joined.grid().has_elevation());
        let mut has_edges = joined.has_edges();
        joined.edit(|cells| {
            for (rect, source) in edits {
                let on_canvas = |cell: GridCell| GridCell::new(cell.x - origin.x, cell.y - origin.y);
                let rect = CellRect::new(on_canvas(rect.min), on_canvas(rect.max));
                match source.map(|entity| grids.get(entity).ok().zip(parts.get(&entity))) {
                    None => {
                        cells.fill(rect, Terrain::VOID);
                        if has_elevation {
                            set_heights(cells, rect, |_| 0.0);
                        }
                        if has_edges {
                            copy_edges(cells, rect, |_, _| Some(EdgeRule::Open));
                        }
                    }
                    Some(Some((grid, part))) => {
                        let frame = part.frame.relative_to(origin);
                        cells.map(rect, |cell, old| grid.nav.ground(frame.cell_on(cell)).unwrap_or(old));
                        has_elevation |= grid.nav.grid().has_elevation();
                        if has_elevation {
                            set_heights(cells, rect, |cell| grid.nav.grid().elevation(frame.cell_on(cell)));
                        }
                        has_edges |= grid.nav.has_edges();
                        if has_edges {
                            copy_edges(cells, rect, |a, b| {
                                let [a, b] = [a, b].map(|cell| frame.cell_on(cell));
                                grid.nav.contains(b).then(|| edge_between(grid.nav.grid(), a, b))
                            });
                        }
                    }
                    // The part was removed since; an edit of its own clears its cells.
                    Some(None) => (),
                }
            }
        });
    }
}

/// Sets the heights of the part of a rectangle that lies on the canvas.
fn set_heights(cells: &mut GridEdit, rect: CellRect, height: impl Fn(GridCell) -> f32) {
    for cell in rect.intersection(cells.bounds()).into_iter().flat_map(CellRect::cells) {
        cells
            .set_elevation(cell, height(cell))
            .expect("the cell is on the canvas, and the height is that of a part");
    }
}

/// Whether a grid may be as large as a rectangle.
pub(super) fn has_room(rect: CellRect) -> bool {
    size_of_rect(rect).max_element() <= Grid::MAX_SIDE as i32
}

/// Columns and rows of a rectangle.
const fn size_of_rect(CellRect { min, max }: CellRect) -> IVec2 {
    IVec2::new(max.x - min.x + 1, max.y - min.y + 1)
}

/// The blocks of the lattice that a rectangle reaches into.
pub(super) fn blocks_of(rect: CellRect) -> impl Iterator<Item = IVec2> {
    let block = |cell: GridCell| GridCell::new(cell.x.div_euclid(BLOCK), cell.y.div_euclid(BLOCK));
    CellRect::new(block(rect.min), block(rect.max)).cells().map(|block| IVec2::new(block.x, block.y))
}

/// The smallest rectangle of whole blocks round another one.
pub(super) fn whole_blocks(rect: CellRect) -> CellRect {
    let first = |at: i32| at.div_euclid(BLOCK) * BLOCK;
    let last = |at: i32| first(at) + BLOCK - 1;
    CellRect::new(
        GridCell::new(first(rect.min.x), first(rect.min.y)),
        GridCell::new(last(rect.max.x), last(rect.max.y)),
    )
}
