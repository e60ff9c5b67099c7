//! Predictions: the effect of an edit, found without the edit.

use super::layer::CellData;
use super::{Cell, CellRect, Grid, KindId, Steps, Terrain};

impl Grid {
    /// Whether walls ([`Terrain::WALL`]) on some cells would cut off `from` from `to`: whether a path of legal steps
    /// joins the two now, and none would then. Cells outside the grid are ignored. A wall on `from` or `to` itself cuts
    /// it off.
    ///
    /// The question of a tower defence before it lets the player build. The grid does not change, nor does its
    /// revision; the time is that of edits that set the cells one by one.
    ///
    /// ```
    /// use pathfind_core::{Cell, Grid, KindId, Steps};
    /// let grid = Grid::from_ascii("....\n.##.\n....")?;
    /// let (spawn, base) = (Cell::new(0, 0), Cell::new(3, 2));
    /// let cuts = |cells: &[Cell]| grid.would_disconnect(KindId::default(), Steps::default(), cells, spawn, base);
    /// assert!(!cuts(&[Cell::new(1, 0)]), "the lower way is left");
    /// assert!(cuts(&[Cell::new(1, 0), Cell::new(1, 2)]));
    /// # Ok::<(), pathfind_core::TextError>(())
    /// ```
    #[must_use]
    pub fn would_disconnect(&self, kind: KindId, steps: Steps, cells: &[Cell], from: Cell, to: Cell) -> bool {
        if !self.connected(kind, steps, from, to) {
            return false;
        }
        let Some(layer) = self.layer(kind) else { return false };
        let steps = self.steps_for(kind, steps);
        let (mut terrain, mut layer) = (self.expanded().terrain.clone(), layer.clone());
        let mut rects = Vec::new();
        for &cell in cells.iter().filter(|&&cell| self.contains(cell)) {
            terrain.set(cell.y as usize, cell.x as usize, Terrain::WALL.0);
            rects.push(CellRect::new(cell, cell));
        }
        layer.refresh(CellData { terrain: &terrain, ..self.data() }, &rects);
        let region =
            |cell: Cell| layer.rows.get(cell.y, cell.x).then(|| layer.region(steps.joins_corners(), cell));
        region(from).is_none() || region(from) != region(to)
    }
}
