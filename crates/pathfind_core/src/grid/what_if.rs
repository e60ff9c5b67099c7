//! Predictions: the effect of an edit, found without the edit.

use std::collections::BTreeSet;

use super::layer::Layer;
use super::{CellData, CellRect, Grid, GridCell, KindId, StepRules, Terrain, directions_of};

impl Grid {
    /// Whether walls ([`Terrain::WALL`]) on some cells would cut off `from` from `to`: whether a path of legal steps
    /// joins the two now, and none would then. Cells outside the grid are ignored. A wall on `from` or `to` itself cuts
    /// it off.
    ///
    /// The question of a tower defence before it lets the player build. The grid does not change, nor does its
    /// revision; the time is that of edits that set the cells one by one.
    ///
    /// ```
    /// use pathfind_core::{GridCell, Grid, KindId, StepRules};
    /// let grid = Grid::from_ascii("....\n.##.\n....")?;
    /// let (spawn, base) = (GridCell::new(0, 0), GridCell::new(3, 2));
    /// let cuts = |cells: &[GridCell]| grid.would_disconnect(KindId::default(), StepRules::default(), cells, spawn, base);
    /// assert!(!cuts(&[GridCell::new(1, 0)]), "the lower way is left");
    /// assert!(cuts(&[GridCell::new(1, 0), GridCell::new(1, 2)]));
    /// # Ok::<(), pathfind_core::TextError>(())
    /// ```
    #[must_use]
    pub fn would_disconnect(
        &self,
        kind: KindId,
        steps: StepRules,
        cells: &[GridCell],
        from: GridCell,
        to: GridCell,
    ) -> bool {
        let (Some(layer), steps) = (self.layer(kind), self.steps_for(kind, steps)) else { return false };
        if !self.leads(layer, steps, from, to) {
            return false;
        }
        let (mut terrain, mut layer) = (self.expanded().terrain.clone(), layer.clone());
        let mut rects = Vec::new();
        for &cell in cells.iter().filter(|&&cell| self.contains(cell)) {
            terrain.set(cell.y as usize, cell.x as usize, Terrain::WALL.0);
            rects.push(CellRect::new(cell, cell));
        }
        layer.refresh(CellData { terrain: &terrain, ..self.data() }, &rects);
        !self.leads(&layer, steps, from, to)
    }

    /// Whether a path of legal steps leads from one cell to another, by the walkable cells of a layer. Only where edges
    /// have rules, cells are visited one by one.
    fn leads(&self, layer: &Layer, steps: StepRules, from: GridCell, to: GridCell) -> bool {
        let region = |cell: GridCell| {
            (self.contains(cell) && layer.rows.get(cell.y, cell.x))
                .then(|| layer.region(steps.joins_corners(), cell))
        };
        if region(from).is_none() || region(from) != region(to) {
            return false;
        }
        let Some(rules) = self.edge_rules() else { return true };
        let (mut seen, mut open) = (BTreeSet::from([(from.y, from.x)]), vec![from]);
        while let Some(cell) = open.pop().filter(|&cell| cell != to) {
            let legal = steps.table()[layer.neighbor_mask(cell)];
            let next = directions_of(rules.open_steps::<false>(cell, legal)).map(|to| cell.step(to));
            open.extend(next.filter(|next| seen.insert((next.y, next.x))));
        }
        seen.contains(&(to.y, to.x))
    }
}
