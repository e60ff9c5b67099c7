//! How a grid stores its terrain: expanded, with all that searches need, or [compact](Grid::compact), as a chunk of a
//! larger grid that is hardly ever searched.

use glam::UVec2;

use super::{
    AgentKind, CellData, CellRect, Classes, EdgeRules, EdgeSet, Grid, GridCell, Heights, KindId, Layer,
    PackedTerrain, Terrain,
};

/// The terrain of a grid, one byte for each cell, and all that is derived from it.
#[derive(Clone, Debug)]
pub(super) struct Expanded {
    pub(super) terrain: Classes,
    pub(super) terrain_counts: Box<[u32; 256]>,
    pub(super) layers: Vec<Layer>,
}

impl Grid {
    /// Frees most of the memory of the grid: of what searches need, only heights, fences, rules of edges and terrain
    /// are kept, the terrain in at most half a byte for each cell where there are up to 16 classes, and an eighth where
    /// there are two.
    ///
    /// Meant for grids that are kept but hardly ever searched, such as the chunks of a larger grid that holds a copy
    /// of their cells. Everything works as before; edits and [`terrain`](Self::terrain) leave the grid compact. The
    /// first call that needs more, such as [`is_walkable`](Self::is_walkable) or a search, expands the grid, which
    /// takes as long as making it; a clone made before that call expands by itself.
    pub fn compact(&mut self) {
        if let Some(Expanded { terrain, .. }) = self.expanded.take() {
            self.packed.get_or_insert_with(|| PackedTerrain::of(&terrain));
        }
    }

    /// Whether the grid is compact. True only after [`compact`](Self::compact), until the first call that needs more
    /// than the terrain.
    #[must_use]
    pub fn is_compact(&self) -> bool {
        self.expanded.get().is_none()
    }

    /// The terrain in the form that searches read; expands a compact grid.
    #[inline]
    pub(super) fn expanded(&self) -> &Expanded {
        self.expanded.get_or_init(|| {
            let packed = self.packed();
            let class_at = |x, y| packed.get(self.cell_index(x as i32, y as i32));
            let relief = (self.elevation.as_ref(), self.fences.as_deref(), self.edge_rules());
            Expanded::from_fn(self.size(), relief, &self.kinds, class_at)
        })
    }

    fn packed(&self) -> &PackedTerrain {
        self.packed.as_ref().expect("a grid that is not expanded is compact")
    }

    /// The index of a cell in the order of rows.
    const fn cell_index(&self, x: i32, y: i32) -> usize {
        y as usize * self.width as usize + x as usize
    }

    /// Replaces the class of a cell on the grid; [`commit`](Self::commit) has to follow. Returns whether it changed.
    pub(super) fn replace_class(&mut self, GridCell { x, y }: GridCell, new: u8) -> bool {
        let (old, index) = (self.class(x, y), self.cell_index(x, y));
        if old == new {
            return false;
        }
        if let Some(Expanded { terrain, terrain_counts, .. }) = self.expanded.get_mut() {
            terrain.set(y as usize, x as usize, new);
            terrain_counts[usize::from(old)] -= 1;
            terrain_counts[usize::from(new)] += 1;
        } else if let Some(packed) = &mut self.packed {
            packed.set(index, new);
        }
        true
    }

    /// The data of the cells, from which that of each kind of agent is derived.
    pub(super) fn data(&self) -> CellData<'_> {
        let Expanded { terrain, terrain_counts, .. } = self.expanded();
        let (elevation, fences) = (self.elevation.as_ref(), self.fences.as_deref());
        CellData { terrain, terrain_counts, elevation, fences, edge_rules: self.edge_rules() }
    }

    pub(crate) fn all_classes(&self) -> &Classes {
        &self.expanded().terrain
    }

    /// The class of each cell by which the costs of a kind that the grid has are found.
    pub(crate) fn cost_classes(&self, kind: KindId) -> &Classes {
        self.known(kind).cost_classes(self.all_classes())
    }

    /// The terrain class of a cell that lies on the grid.
    #[inline]
    pub(crate) fn class(&self, x: i32, y: i32) -> u8 {
        match self.expanded.get() {
            Some(expanded) => expanded.terrain.get(y as usize, x as usize),
            None => self.packed().get(self.cell_index(x, y)),
        }
    }
}

impl Expanded {
    /// Sets the extra costs of a kind that the grid has in some rectangles. Returns those in which costs changed.
    pub(super) fn set_extra_costs(
        &mut self,
        kind: KindId,
        edge_rules: Option<&EdgeRules>,
        rects: &[CellRect],
        extra: impl FnMut(GridCell) -> f32,
    ) -> Vec<CellRect> {
        let Self { terrain, terrain_counts, layers } = self;
        layers[usize::from(kind.0)].set_extra_costs((terrain, terrain_counts, edge_rules), rects, extra)
    }

    /// The terrain whose classes come from a function of column and row, called row by row.
    pub(super) fn from_fn(
        size: UVec2,
        (elevation, fences, edge_rules): (Option<&Heights>, Option<&EdgeSet>, Option<&EdgeRules>),
        kinds: &[AgentKind],
        mut class_at: impl FnMut(u32, u32) -> u8,
    ) -> Self {
        let UVec2 { x: width, y: height } = size;
        let mut terrain = Classes::new(height as usize, width as usize, Terrain::VOID.0);
        let mut terrain_counts = Box::new([0; 256]);
        for y in 0..height {
            for (x, class) in terrain.row_mut(y as usize).iter_mut().enumerate() {
                *class = class_at(x as u32, y);
                terrain_counts[usize::from(*class)] += 1;
            }
            // Block by block, so that a world that is mostly void never takes its full memory.
            if (y + 1) % Grid::BLOCK == 0 || y + 1 == height {
                let first = y / Grid::BLOCK * Grid::BLOCK;
                terrain.release([first, y].map(|y| y as usize), [0, width as usize - 1]);
            }
        }
        let data =
            CellData { terrain: &terrain, terrain_counts: &terrain_counts, elevation, fences, edge_rules };
        let layers = kinds.iter().map(|kind| Layer::new(kind.clone(), data)).collect();
        Self { terrain, terrain_counts, layers }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;
    use crate::grid::{AgentSize, KindId};
    use crate::steer::CounterRng;
    use crate::testing::assert_same_grid;

    /// Whether it is compact or not before each edit, a grid gives the same answers.
    #[test]
    fn a_compact_grid_answers_as_before() {
        let mut rng = CounterRng::new(17, 0, 0);
        for round in 0..40 {
            let mut kept = Grid::new(1 + rng.below(90), 1 + rng.below(90)).unwrap();
            let mut compact = kept.clone();
            for _ in 0..8 {
                compact.compact();
                let (center, radius) = (Vec2::new(rng.unit(), rng.unit()) * 90.0, rng.unit() * 12.0);
                let terrain = Terrain(rng.below(5) as u8);
                let cell = GridCell::new(rng.below(90) as i32, rng.below(90) as i32);
                let size = AgentSize::Square(1 + rng.below(3) as u8);
                let canvas = UVec2::new(1 + rng.below(90), 1 + rng.below(90));
                let (what, kind) = (rng.below(6), AgentKind::default().with_size(size));
                for grid in [&mut kept, &mut compact] {
                    match what {
                        0 => _ = grid.add_kind(kind.clone()).unwrap(),
                        1 => _ = grid.set_kind(KindId(0), kind.clone()).unwrap(),
                        2 => *grid = grid.on_canvas(canvas, glam::IVec2::ZERO).unwrap(),
                        3 => _ = grid.edit(|edit| edit.set_elevation(cell, 1.5)).is_ok(),
                        _ => _ = grid.fill_disc(center, radius, terrain),
                    }
                }
                assert!(!kept.is_compact());
                assert_eq!(compact.is_compact(), what != 2, "an edit leaves it compact");
                assert_eq!(kept.revision(), compact.revision(), "round {round}");
                assert_same_grid(&kept, &compact, &format!("round {round}"));
            }
        }
    }
}
