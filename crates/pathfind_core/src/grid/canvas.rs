//! The same map on a larger, smaller or shifted canvas: for a world whose parts are loaded and unloaded.

use std::borrow::Cow;
use std::sync::OnceLock;

use glam::{IVec2, UVec2};

use super::{CellRect, Edge, EdgeRule, Expanded, Grid, GridCell, GridError, Terrain};

impl Grid {
    /// Cells along the side of a block, the unit in which [`on_canvas`](Self::on_canvas) shifts a map.
    pub const BLOCK: u32 = 64;

    /// The same map on a canvas of `size` cells, on which every cell lies `by` blocks of 64 cells farther along
    /// columns and rows. What was outside the map is [`Terrain::VOID`]; what comes to lie outside the canvas is lost.
    /// Elevation, fences and other rules of edges move with the cells, the kinds of agents stay as they are, and the
    /// revision grows by 1.
    ///
    /// Data derived from the terrain is copied, not computed again, which is why maps are shifted by whole blocks: it
    /// costs as much as copying one byte for each cell of the smaller map, and another for each kind of agents.
    ///
    /// # Errors
    /// [`GridError::Empty`] and [`GridError::TooLarge`].
    ///
    /// ```
    /// # use glam::{IVec2, UVec2};
    /// # use pathfind_core::{GridCell, Grid, Terrain};
    /// let mut grid = Grid::new(64, 64)?.on_canvas(UVec2::new(192, 64), IVec2::new(1, 0))?;
    /// assert_eq!(grid.terrain(GridCell::new(63, 5)), Some(Terrain::VOID));
    /// assert_eq!(grid.terrain(GridCell::new(64, 5)), Some(Terrain::GROUND), "the old column 0");
    /// # Ok::<(), pathfind_core::GridError>(())
    /// ```
    pub fn on_canvas(&self, size: UVec2, by: IVec2) -> Result<Self, GridError> {
        let UVec2 { x: width, y: height } = size;
        Self::check_size(width, height)?;
        let lost = self.outside_of(size, by);
        let mut map = Cow::Borrowed(self);
        // The data derived from the cells that stay must not know those that are lost.
        let edges = lost.iter().flat_map(|&rect| self.fences_around(rect).chain(self.ruled_around(rect)));
        let edges: Vec<Edge> = edges.collect();
        if !edges.is_empty() || !lost.iter().all(|&rect| self.is_void(rect)) {
            map.to_mut().edit(|edit| {
                lost.iter().for_each(|&rect| _ = edit.fill(rect, Terrain::VOID));
                edges.iter().for_each(|&edge| _ = edit.put_edge(edge, EdgeRule::Open));
            });
        }
        // A map that is shifted by its greatest size has left the canvas; larger shifts could overflow.
        let far = (Self::MAX_SIDE / Self::BLOCK) as i32;
        let [columns, rows] = [by.x, by.y].map(|blocks| blocks.clamp(-far, far) as isize);
        let size = [height as usize, width as usize];
        let Expanded { terrain, terrain_counts, layers } = map.expanded();
        let mut terrain_counts = terrain_counts.clone();
        let others =
            (0..=u8::MAX).filter(|&it| it != Terrain::VOID.0).map(|it| terrain_counts[usize::from(it)]);
        // Their number fits: the longest side is 2¹⁴.
        terrain_counts[usize::from(Terrain::VOID.0)] = width * height - others.sum::<u32>();
        let expanded = Expanded {
            terrain: terrain.moved(size, [64 * rows, columns]),
            terrain_counts,
            layers: layers.iter().map(|layer| layer.moved(width, height, [columns, rows])).collect(),
        };
        Ok(Self {
            width,
            height,
            revision: self.revision + 1,
            elevation: map.elevation.as_ref().map(|elevation| elevation.moved(size, [64 * rows, columns])),
            fences: map.fences.as_ref().map(|fences| Box::new(fences.moved(width, height, [columns, rows]))),
            edge_rules: map.edge_rules().map(|rules| Box::new(rules.moved(width, height, [columns, rows]))),
            kinds: map.kinds.clone(),
            expanded: OnceLock::from(expanded),
            packed: None,
        })
    }

    /// The cells that come to lie outside a canvas, as at most four rectangles.
    fn outside_of(&self, size: UVec2, by: IVec2) -> Vec<CellRect> {
        let by = by.saturating_mul(IVec2::splat(Self::BLOCK as i32));
        let first = IVec2::ZERO.saturating_sub(by);
        let last = first.saturating_add(size.as_ivec2() - 1);
        let (min, max) = (GridCell::new(i32::MIN, i32::MIN), GridCell::new(i32::MAX, i32::MAX));
        let sides = [
            (first.y > 0).then(|| CellRect { min, max: GridCell::new(i32::MAX, first.y - 1) }),
            (last.y < i32::MAX).then(|| CellRect { min: GridCell::new(i32::MIN, last.y + 1), max }),
            (first.x > 0).then(|| CellRect { min, max: GridCell::new(first.x - 1, i32::MAX) }),
            (last.x < i32::MAX).then(|| CellRect { min: GridCell::new(last.x + 1, i32::MIN), max }),
        ];
        sides.into_iter().flatten().filter_map(|side| side.intersection(self.bounds())).collect()
    }

    /// Whether all cells of a rectangle, which lies on the grid, are [`Terrain::VOID`].
    fn is_void(&self, rect: CellRect) -> bool {
        let (columns, mut buffer) = (rect.min.x as usize..=rect.max.x as usize, Vec::new());
        (rect.min.y..=rect.max.y).all(|y| {
            let classes = self.all_classes().row(y as usize).values(&mut buffer);
            classes[columns.clone()].iter().all(|&class| class == Terrain::VOID.0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{AgentKind, AgentSize, CostTable, KindId};
    use crate::steer::CounterRng;
    use crate::testing::assert_same_grid;

    /// A map on another canvas is the same as one that is made there cell by cell, with all that is derived from it.
    #[test]
    fn a_map_on_another_canvas_is_as_if_it_had_been_made_there() {
        let mut rng = CounterRng::new(7, 0, 0);
        for round in 0..60 {
            let mut below = |end| rng.below(end);
            let [width, height, x, y] = [(); 4].map(|()| 1 + below(200));
            let (size, by) = (UVec2::new(x, y), IVec2::new(below(5) as i32 - 2, below(5) as i32 - 2));
            let classes = [Terrain::GROUND, Terrain::WALL, Terrain::weight(3), Terrain::WATER];
            let some = if round % 2 == 0 { 2 } else { 4 };
            let mut map = Grid::from_fn(width, height, |_| classes[below(some) as usize]).unwrap();
            let swimmer = CostTable::default().with(Terrain::WATER, 2.0).unwrap();
            map.add_kind(AgentKind { costs: swimmer.clone(), ..AgentKind::default() }).unwrap();
            map.add_kind(AgentKind { size: AgentSize::Square(3), costs: swimmer, ..AgentKind::default() })
                .unwrap();
            let moved = map.on_canvas(size, by).unwrap();
            let from = |cell: GridCell| GridCell::new(cell.x - 64 * by.x, cell.y - 64 * by.y);
            let mut made =
                Grid::from_fn(size.x, size.y, |cell| map.terrain(from(cell)).unwrap_or(Terrain::VOID))
                    .unwrap();
            for id in 1..3 {
                made.add_kind(map.kind(KindId(id)).unwrap().clone()).unwrap();
            }
            assert_same_grid(&moved, &made, &format!("round {round}"));
        }
    }

    #[test]
    fn what_was_lost_does_not_come_back() {
        let mut map = Grid::new(4096, 16).unwrap();
        map.fill(map.bounds(), Terrain::VOID);
        let cell = GridCell::new(2100, 3);
        map.edit(|edit| edit.set(cell, Terrain::GROUND).and(edit.set_elevation(cell, 5.0))).unwrap();
        // Wide enough that rows are stored in parts, and not as wide as whole parts are.
        let less = map.on_canvas(UVec2::new(2090, 16), IVec2::ZERO).unwrap();
        assert_eq!(less.revision(), map.revision() + 1);
        let again = less.on_canvas(map.size(), IVec2::ZERO).unwrap();
        assert_eq!((again.elevation(cell), again.terrain(cell)), (0.0, Some(Terrain::VOID)));
    }

    #[test]
    fn sizes_and_shifts_out_of_range_are_no_panic() {
        let map = Grid::new(70, 3).unwrap();
        assert!(map.on_canvas(UVec2::new(0, 5), IVec2::ZERO).is_err());
        assert!(map.on_canvas(UVec2::new(5, 20_000), IVec2::ZERO).is_err());
        for far in [i32::MIN, i32::MIN / 64, i32::MAX / 64, i32::MAX] {
            let moved = map.on_canvas(UVec2::new(100, 100), IVec2::splat(far)).unwrap();
            assert!(moved.bounds().cells().all(|cell| moved.terrain(cell) == Some(Terrain::VOID)), "{far}");
        }
    }
}
