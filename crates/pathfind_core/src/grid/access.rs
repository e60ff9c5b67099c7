//! Queries of a [`Grid`] for one kind of agent: walkable cells, costs, legal steps and connected regions.

use glam::Vec2;

use super::layer::present_costs;
use super::regions::{Regions, WalkableCells};
use super::{
    AgentSize, Bitmap, Borders, CellRect, Cliffs, CornerRule, Direction, Grid, GridCell, KindId, Layer,
    StepRules, Terrain, directions_of,
};

impl Grid {
    /// Whether an agent may stand on a cell; `false` outside the grid and for an unknown kind.
    #[must_use]
    pub fn is_walkable(&self, kind: KindId, cell: GridCell) -> bool {
        self.contains(cell) && self.layer(kind).is_some_and(|layer| layer.rows.get(cell.y, cell.x))
    }

    /// The blocked cells of a rectangle, row by row. Outside the grid, and for an unknown kind, every cell is blocked.
    pub(crate) fn blocked_cells(&self, kind: KindId, within: CellRect) -> impl Iterator<Item = GridCell> {
        let (rows, width) = (self.rows(kind), self.width as i32);
        let end = width.min(within.max.x.saturating_add(1));
        (within.min.y..=within.max.y).flat_map(move |y| {
            let rows = rows.filter(|_| (0..self.height as i32).contains(&y));
            let mut next = within.min.x;
            std::iter::from_fn(move || {
                let x = match rows {
                    Some(rows) if (0..end).contains(&next) => rows.next(y, next, 1, false, end),
                    _ => next,
                };
                next = x + 1;
                (x <= within.max.x).then_some(GridCell::new(x, y))
            })
        })
    }

    /// The cost of a cell for an agent, per unit of length; `None` if the agent may not stand on the cell.
    #[must_use]
    pub fn cost(&self, kind: KindId, cell: GridCell) -> Option<f32> {
        let layer = self.layer(kind).filter(|_| self.is_walkable(kind, cell))?;
        let class = layer.cost_classes(self.all_classes()).get(cell.y as usize, cell.x as usize);
        layer.cost_table().cost(Terrain(class))
    }

    /// The step rules that apply to a kind of agent: those given, but `CornerRule::Never` for a disc of any width,
    /// because a disc that cuts a corner would overlap the wall.
    pub(crate) fn steps_for(&self, kind: KindId, steps: StepRules) -> StepRules {
        match self.kind(kind).map(|kind| kind.size) {
            Some(AgentSize::Disc(radius)) if radius > 0.0 => {
                StepRules { corners: CornerRule::Never, ..steps }
            }
            _ => steps,
        }
    }

    /// The cells of the grid whose centres are at most `radius` cells from that of `center`, row by row. Blocked cells
    /// are among them. None if the radius is negative or NaN.
    pub fn cells_within(&self, center: GridCell, radius: f32) -> impl Iterator<Item = GridCell> + use<> {
        let round = CellRect::new(center, center).grown(radius as i32).intersection(self.bounds());
        let squared = f64::from(radius).powi(2);
        let near = round.filter(|_| radius >= 0.0).into_iter().flat_map(CellRect::cells);
        near.filter(move |cell| cell.distance_squared(center) as f64 <= squared)
    }

    /// The legal steps out of a cell, straight steps first; none if the agent may not stand on the cell.
    pub fn steps_from(
        &self,
        kind: KindId,
        steps: StepRules,
        cell: GridCell,
    ) -> impl Iterator<Item = Direction> + use<> {
        let steps = self.steps_for(kind, steps);
        let legal =
            if self.is_walkable(kind, cell) { self.legal_steps::<false>(kind, steps, cell) } else { 0 };
        directions_of(legal)
    }

    /// The legal steps out of a walkable cell, one bit for each of [`SUCCESSORS`](super::SUCCESSORS); with `BACK`,
    /// those that lead from the neighbours to the cell, in the directions to the neighbours.
    pub(crate) fn legal_steps<const BACK: bool>(&self, kind: KindId, steps: StepRules, cell: GridCell) -> u8 {
        let legal = self.layer(kind).map_or(0, |layer| steps.table()[layer.neighbor_mask(cell)]);
        self.edge_rules().map_or(legal, |rules| rules.open_steps::<BACK>(cell, legal))
    }

    #[inline]
    pub(crate) fn cliffs(&self, kind: KindId) -> Option<&Cliffs> {
        self.layer(kind)?.cliffs()
    }

    /// Whether a path of legal steps joins two cells; `false` if either is not walkable. Rules of edges other than
    /// fences do not count: where [directed rules](super::EdgeRule::Directed) close steps, `true` does not mean that
    /// there is a path, but `false` still means that there is none.
    #[must_use]
    pub fn connected(&self, kind: KindId, steps: StepRules, a: GridCell, b: GridCell) -> bool {
        let region = self.region(kind, steps, a);
        region.is_some() && region == self.region(kind, steps, b)
    }

    /// The number of the connected region of a walkable cell; `None` for any other cell. A path joins two cells
    /// exactly if their region numbers are equal; as in [`connected`](Self::connected), directed rules of edges do not
    /// count. Numbers are valid until the next edit.
    #[must_use]
    pub fn region(&self, kind: KindId, steps: StepRules, cell: GridCell) -> Option<u32> {
        let layer = self.layer(kind).filter(|layer| self.contains(cell) && layer.rows.get(cell.y, cell.x))?;
        Some(layer.region(self.steps_for(kind, steps).joins_corners(), cell))
    }

    /// The connected regions of a kind that the grid has, under some step rules, with the cells that they are made of.
    pub(crate) fn regions(&self, kind: KindId, steps: StepRules) -> (&Regions, WalkableCells<'_>) {
        self.known(kind).regions(self.steps_for(kind, steps).joins_corners())
    }

    /// The walkable cells of a kind, with rows as the lines of the bitmap.
    pub(crate) fn rows(&self, kind: KindId) -> Option<&Bitmap> {
        self.layer(kind).map(|layer| &layer.rows)
    }

    /// Whether all cells that a rectangle of grid space touches are walkable, and no fence stands between two of them.
    pub(crate) fn is_open_all_over(&self, kind: KindId, low: Vec2, high: Vec2) -> bool {
        let (first, last) = (GridCell::containing(low), GridCell::containing(high));
        let is_clear = |rows: &Bitmap| (first.y..=last.y).all(|y| rows.all_walkable(y, first.x, last.x));
        self.contains(first)
            && self.contains(last)
            && self.rows(kind).is_some_and(is_clear)
            && self.fences.as_ref().is_none_or(|fences| !fences.are_within(CellRect::new(first, last)))
    }

    /// Finds the cells of a region that are nearest to any of `to`, in order of rows. `to` must not be empty.
    pub(crate) fn nearest_in_region(
        &self,
        kind: KindId,
        steps: StepRules,
        region: u32,
        to: &[GridCell],
        found: &mut Vec<GridCell>,
    ) {
        let (regions, walkable) = self.regions(kind, steps);
        regions.nearest(walkable, region, to, found);
    }

    /// The costs of the passable terrain classes that occur on the grid, one item for each class.
    pub(crate) fn present_costs(&self, kind: KindId) -> impl Iterator<Item = f32> {
        let counts = &self.expanded().terrain_counts;
        let layer = self.layer(kind).into_iter();
        layer.flat_map(|layer| present_costs(layer.cost_table(), layer.cost_class_counts(counts)))
    }

    /// The cells where terrain costs change and those at cliffs; `None` if there is neither.
    pub(crate) fn borders(&self, kind: KindId) -> Option<&Borders> {
        self.layer(kind)?.borders.as_ref()
    }

    /// Whether at most half of the walkable cells are borders between costs, by a sample of some hundred places.
    pub(crate) fn has_wide_areas(&self, kind: KindId) -> bool {
        let (Some(rows), Some(borders)) = (self.rows(kind), self.borders(kind)) else { return true };
        let (width, height) = (self.width() as usize, self.height() as usize);
        let (mut walkable, mut border) = (0, 0);
        // An odd step: rows at even distances would all lie on the edges of square patches, or all inside them.
        for y in (0..height).step_by(height.div_ceil(16) | 1) {
            for x in (0..width).step_by(width.div_ceil(1024) * 64) {
                let (x, y) = (x as i32, y as i32);
                walkable += rows.word(y, x).count_ones();
                border += borders.rows.word(y, x).count_ones();
            }
        }
        2 * border <= walkable
    }

    /// Whether a cell has this class among those by which the costs of a kind that the grid has are found.
    pub(crate) fn has_cost_class(&self, kind: KindId, class: u8) -> bool {
        self.known(kind).cost_class_counts(&self.expanded().terrain_counts)[usize::from(class)] > 0
    }

    /// The data derived for a kind of agent.
    pub(crate) fn layer(&self, kind: KindId) -> Option<&Layer> {
        self.expanded().layers.get(usize::from(kind.0))
    }

    /// The same for a kind that the grid has.
    pub(crate) fn known(&self, kind: KindId) -> &Layer {
        self.layer(kind).expect("the kind was checked")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_within_a_radius_of_any_cell_are_found() {
        let grid = Grid::new(5, 4).unwrap();
        for center in [
            GridCell::new(2, 1),
            GridCell::new(-3, 9),
            GridCell::new(-100_000, 2),
            GridCell::new(2, i32::MAX / 2),
        ] {
            for radius in [f32::NAN, -1.0, 0.0, 1.5, 8.0, 99_999.0, 100_002.5, 2e9, f32::INFINITY] {
                let is_near =
                    |cell: &GridCell| (cell.distance_squared(center) as f64).sqrt() <= f64::from(radius);
                let near = grid.bounds().cells().filter(is_near);
                assert!(grid.cells_within(center, radius).eq(near), "{radius} round {center}");
            }
        }
    }
}
