//! The data of a grid that is derived for one kind of agent, and its update when terrain changes.

use std::collections::BTreeMap;

use super::clearance::AgentFootprint;
use super::extra_costs::ExtraCosts;
use super::regions::{Regions, WalkableCells};
use super::{
    AgentKind, Bitmap, Borders, CellRect, Classes, Cliffs, CostTable, EdgeRules, EdgeSet, GridCell, Heights,
    JumpStops, Terrain,
};

/// The data derived from the terrain for one kind of agent.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub(crate) kind: AgentKind,
    footprint: AgentFootprint,
    /// The cells of passable terrain, along rows; `None` for an agent of one cell: `rows` are the same.
    passable: Option<Bitmap>,
    /// The walkable cells, where the agent may stand: along rows and along columns.
    pub(crate) rows: Bitmap,
    pub(crate) columns: Bitmap,
    pub(crate) row_stops: JumpStops,
    pub(crate) column_stops: JumpStops,
    /// Regions of cells joined along edges only, and of cells joined also across corners.
    regions: [Regions; 2],
    pub(crate) costs: CostSpan,
    /// What cells cost in addition to their terrain; `None` if none does.
    pub(super) extra_costs: Option<ExtraCosts>,
    /// The cells where terrain costs change, if they differ at all, and those at cliffs and near edges with rules.
    pub(crate) borders: Option<Borders>,
    /// The cliffs, fences among them; `None` until a cell has an elevation or a fence.
    cliffs: Option<Cliffs>,
}

/// The cells of a grid, from which the data of a layer is derived.
#[derive(Copy, Clone)]
pub(super) struct CellData<'g> {
    pub(super) terrain: &'g Classes,
    pub(super) terrain_counts: &'g [u32; 256],
    pub(super) elevation: Option<&'g Heights>,
    pub(super) fences: Option<&'g EdgeSet>,
    pub(super) edge_rules: Option<&'g EdgeRules>,
}

/// The least and the greatest cost among the passable classes that occur on a grid.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct CostSpan {
    pub(crate) min: f32,
    pub(crate) max: f32,
}

impl Layer {
    pub(super) fn new(kind: AgentKind, data: CellData<'_>) -> Self {
        let CellData { terrain, terrain_counts, .. } = data;
        let (width, height) = (terrain.row_len() as u32, terrain.rows() as u32);
        let costs = CostSpan::of(&kind.costs, terrain_counts);
        let rows = Bitmap::new(height, width);
        let regions = [false, true].map(|corners| Regions::new(width, height, corners));
        let row_stops = JumpStops::new(height, width);
        // On a square they share what stays empty.
        let is_square = width == height;
        let columns = if is_square { rows.clone() } else { Bitmap::new(width, height) };
        let column_stops = if is_square { row_stops.clone() } else { JumpStops::new(width, height) };
        let footprint = AgentFootprint::new(kind.size);
        let passable = (!footprint.is_one_cell()).then(|| rows.clone());
        let mut layer = Self {
            kind,
            footprint,
            passable,
            rows,
            columns,
            row_stops,
            column_stops,
            regions,
            costs,
            extra_costs: None,
            borders: None,
            cliffs: None,
        };
        layer.refresh(data, &[bounds(terrain)]);
        layer
    }

    /// The same data for a canvas of other size, on which the map lies so many blocks of 64 cells farther. The rest
    /// of it is [`Terrain::VOID`], which every kind counts as blocked.
    pub(crate) fn moved(&self, width: u32, height: u32, by @ [columns, rows]: [isize; 2]) -> Self {
        let mut moved = self.clone();
        for (bits, is_by_columns) in moved.bitmaps_mut() {
            *bits = if is_by_columns {
                bits.moved(width, height, [columns, rows])
            } else {
                bits.moved(height, width, [rows, columns])
            };
        }
        moved.extra_costs = self.extra_costs.as_ref().map(|extra| extra.moved(width, height, by));
        moved.regions = self.regions.each_ref().map(|regions| regions.moved(width, height, by));
        moved
    }

    /// All bitmaps, and whether their lines are columns.
    fn bitmaps_mut(&mut self) -> impl Iterator<Item = (&mut Bitmap, bool)> {
        let Self { passable, rows, columns, row_stops, column_stops, borders, cliffs, .. } = self;
        let (border_rows, border_columns) =
            borders.as_mut().map(|it| (&mut it.rows, &mut it.columns)).unzip();
        let by_rows = row_stops.bitmaps_mut().into_iter().chain([rows]).chain(passable).chain(border_rows);
        let by_rows = by_rows.chain(cliffs.iter_mut().flat_map(Cliffs::bitmaps_mut));
        let by_columns = column_stops.bitmaps_mut().into_iter().chain([columns]).chain(border_columns);
        by_rows.map(|bits| (bits, false)).chain(by_columns.map(|bits| (bits, true)))
    }

    /// Updates the derived data after terrain, elevation or fences changed in some rectangles.
    pub(super) fn refresh(&mut self, data: CellData<'_>, changed: &[CellRect]) {
        let terrain = data.terrain;
        let costs = &self.kind.costs;
        if let Some(extra) = &mut self.extra_costs {
            changed.iter().for_each(|&rect| extra.follow(terrain, costs, rect));
        }
        self.refresh_cost_span(data.terrain_counts);
        let costs = &self.kind.costs;
        let is_passable: [bool; 256] = std::array::from_fn(|class| costs.is_passable(Terrain(class as u8)));
        let passable = self.passable.as_mut().unwrap_or(&mut self.rows);
        let mut flipped: Vec<CellRect> = changed
            .iter()
            .filter_map(|&rect| refresh_passable(passable, terrain, &is_passable, rect))
            .collect();
        if let Some(passable) = &self.passable {
            let erode = |rect: CellRect| {
                let rect = rect.grown(self.footprint.reach()).intersection(bounds(terrain))?;
                let mut flipped = None;
                let put = |y, x, word| put_word(&mut self.rows, y, x, word, &mut flipped);
                self.footprint.erode(passable, data.fences, rect, put);
                flipped
            };
            // Where fences changed, the passable cells did not.
            let stale = if data.fences.is_some() { changed.to_vec() } else { flipped };
            flipped = stale.into_iter().filter_map(erode).collect();
        }
        for &rect in &flipped {
            self.columns.set_transpose_of(&self.rows, rect);
        }
        let cliffs = self.refresh_cliffs(data, changed);
        flipped.extend(cliffs);
        let mut stopped = self.refresh_borders((terrain, data.edge_rules), changed, &flipped);
        stopped.extend(&flipped);
        self.refresh_stops(&stopped);
        if !flipped.is_empty() {
            let cliffs = self.cliffs.as_ref().filter(|cliffs| !cliffs.is_empty());
            let walkable = WalkableCells { rows: &self.rows, columns: &self.columns, cliffs };
            for regions in &mut self.regions {
                regions.update(walkable, &flipped);
            }
        }
        self.release(&stopped);
    }

    /// Sets the extra costs in some rectangles. Returns the rectangles in which costs changed.
    pub(super) fn set_extra_costs(
        &mut self,
        (terrain, terrain_counts, edge_rules): (&Classes, &[u32; 256], Option<&EdgeRules>),
        rects: &[CellRect],
        mut extra: impl FnMut(GridCell) -> f32,
    ) -> Vec<CellRect> {
        let Self { extra_costs, kind, .. } = self;
        let new = || ExtraCosts::new(terrain, terrain_counts, &kind.costs);
        let costs = extra_costs.get_or_insert_with(new);
        // One rectangle a block of 64 by 64 cells: what is derived is updated by words of 64 cells.
        let mut touched = BTreeMap::<_, CellRect>::new();
        for rect in rects.iter().filter_map(|&rect| costs.set(&kind.costs, rect, &mut extra)) {
            let block = (rect.min.y >> 6, rect.min.x >> 6);
            touched.entry(block).and_modify(|touched| *touched = touched.union(rect)).or_insert(rect);
        }
        let touched: Vec<_> = touched.into_values().collect();
        if costs.is_empty() {
            *extra_costs = None;
        }
        if !touched.is_empty() {
            self.refresh_cost_span(terrain_counts);
            let stopped = self.refresh_borders((terrain, edge_rules), &touched, &[]);
            self.refresh_stops(&stopped);
            self.release(&stopped);
        }
        touched
    }

    /// The class of each cell by which the costs of the kind are found.
    pub(crate) fn cost_classes<'g>(&'g self, terrain: &'g Classes) -> &'g Classes {
        self.extra_costs.as_ref().map_or(terrain, |extra| &extra.classes)
    }

    /// The cost of each of these classes.
    pub(crate) fn cost_table(&self) -> &CostTable {
        self.extra_costs.as_ref().map_or(&self.kind.costs, |extra| &extra.table)
    }

    /// How many cells have each of these classes.
    pub(crate) fn cost_class_counts<'g>(&'g self, terrain_counts: &'g [u32; 256]) -> &'g [u32; 256] {
        self.extra_costs.as_ref().map_or(terrain_counts, |extra| &extra.counts)
    }

    fn refresh_cost_span(&mut self, terrain_counts: &[u32; 256]) {
        self.costs = CostSpan::of(self.cost_table(), self.cost_class_counts(terrain_counts));
    }

    /// Updates where jumps stop, after walkable cells or borders changed in some rectangles.
    fn refresh_stops(&mut self, changed: &[CellRect]) {
        let [border_rows, border_columns] =
            self.borders.as_ref().map_or([None; 2], |borders| [Some(&borders.rows), Some(&borders.columns)]);
        for &rect in changed {
            self.row_stops.refresh(&self.rows, border_rows, rect);
            self.column_stops.refresh(&self.columns, border_columns, rect.transposed());
        }
    }

    /// Gives back the memory of lines that have become empty in some rectangles.
    fn release(&mut self, changed: &[CellRect]) {
        for &rect in changed {
            self.bitmaps_mut().for_each(|(bits, is_by_columns)| {
                bits.release(if is_by_columns { rect.transposed() } else { rect });
            });
        }
    }

    /// Updates the cliffs after terrain, elevation or fences changed in some rectangles. Returns the rectangles of the
    /// cells beside which there may be other cliffs than before.
    fn refresh_cliffs(&mut self, data: CellData<'_>, changed: &[CellRect]) -> Vec<CellRect> {
        if data.elevation.is_none() && data.fences.is_none() {
            return Vec::new();
        }
        let (width, height) = (data.terrain.row_len() as u32, data.terrain.rows() as u32);
        let cliffs = self.cliffs.get_or_insert_with(|| Cliffs::new(width, height));
        let passable = self.passable.as_ref().unwrap_or(&self.rows);
        let climb = self.kind.climb;
        let flipped = changed.iter().filter(|&&rect| cliffs.refresh(passable, data, climb, rect));
        flipped.filter_map(|rect| rect.grown(1).intersection(bounds(data.terrain))).collect()
    }

    #[inline]
    pub(crate) fn cliffs(&self) -> Option<&Cliffs> {
        self.cliffs.as_ref().filter(|cliffs| !cliffs.is_empty())
    }

    /// The walkable neighbours of a cell, less those beyond a cliff; see [`Bitmap::neighbor_mask`].
    pub(crate) fn neighbor_mask(&self, cell: GridCell) -> usize {
        let beyond = self.cliffs().map_or(0, |cliffs| cliffs.beyond(cell.x, cell.y));
        self.rows.neighbor_mask(cell.y, cell.x) & !usize::from(beyond)
    }

    /// Updates the borders after terrain or rules of edges changed in some rectangles and walkability or cliffs in
    /// others. Returns the rectangles in which they may have changed.
    fn refresh_borders(
        &mut self,
        (terrain, edge_rules): (&Classes, Option<&EdgeRules>),
        changed: &[CellRect],
        flipped: &[CellRect],
    ) -> Vec<CellRect> {
        let has_borders = self.costs.min < self.costs.max || self.cliffs().is_some() || edge_rules.is_some();
        if !has_borders && self.borders.take().is_none() {
            return Vec::new();
        }
        // A cell also decides whether its neighbours are borders. Farther away none comes or goes.
        let rects = changed.iter().chain(flipped);
        let rects: Vec<_> = rects.filter_map(|rect| rect.grown(1).intersection(bounds(terrain))).collect();
        if has_borders {
            let (width, height) = (terrain.row_len() as u32, terrain.rows() as u32);
            let cliffs = self.cliffs.as_ref().filter(|cliffs| !cliffs.is_empty());
            let extra = self.extra_costs.as_ref();
            let (classes, table) =
                extra.map_or((terrain, &self.kind.costs), |extra| (&extra.classes, &extra.table));
            let borders = self.borders.get_or_insert_with(|| Borders::new(width, height));
            for &rect in &rects {
                borders.refresh(&self.rows, classes, (table, cliffs, edge_rules), rect);
            }
        }
        rects
    }

    /// The connected regions, with the cells that they are made of.
    pub(crate) fn regions(&self, joins_corners: bool) -> (&Regions, WalkableCells<'_>) {
        (&self.regions[usize::from(joins_corners)], self.walkable())
    }

    pub(crate) fn region(&self, joins_corners: bool, cell: GridCell) -> u32 {
        self.regions[usize::from(joins_corners)].region(self.walkable(), cell)
    }

    fn walkable(&self) -> WalkableCells<'_> {
        WalkableCells { rows: &self.rows, columns: &self.columns, cliffs: self.cliffs() }
    }
}

/// Updates which cells of a rectangle are passable. Returns the smallest rectangle of the changed cells, not rounded to
/// words: later updates read columns, which are far apart in memory.
fn refresh_passable(
    passable: &mut Bitmap,
    terrain: &Classes,
    is_passable: &[bool; 256],
    rect: CellRect,
) -> Option<CellRect> {
    let mut flipped = None;
    for y in rect.min.y..=rect.max.y {
        let classes = terrain.row(y as usize);
        let mut x = rect.min.x;
        while x <= rect.max.x {
            let end = (x | 63).min(rect.max.x);
            let mut word = passable.word(y, x);
            for (x, &class) in (x..=end).zip(&classes.piece(x as usize / 64)[x as usize % 64..]) {
                let bit = u64::from(is_passable[usize::from(class)]) << (x & 63);
                word = word & !(1 << (x & 63)) | bit;
            }
            put_word(passable, y, x, word, &mut flipped);
            x = end + 1;
        }
    }
    flipped
}

/// Replaces the word of a row that holds cell `x`, and grows the rectangle `flipped` by the changed cells.
fn put_word(bits: &mut Bitmap, y: i32, x: i32, new: u64, flipped: &mut Option<CellRect>) {
    let old = bits.word(y, x);
    if new == old {
        return;
    }
    bits.set_word(y, x, new);
    let (first, changed) = (x & !63, old ^ new);
    let [min, max] = [changed.trailing_zeros(), 63 - changed.leading_zeros()];
    let cells = CellRect::new(GridCell::new(first + min as i32, y), GridCell::new(first + max as i32, y));
    *flipped = Some(flipped.map_or(cells, |rect| rect.union(cells)));
}

impl CostSpan {
    fn of(costs: &CostTable, terrain_counts: &[u32; 256]) -> Self {
        let (min, max) = present_costs(costs, terrain_counts)
            .fold((f32::INFINITY, 0.0f32), |(min, max), cost| (min.min(cost), max.max(cost)));
        // No passable class: no step will be taken, so the span is arbitrary.
        if min > max { Self { min: 1.0, max: 1.0 } } else { Self { min, max } }
    }
}

/// The costs of the passable terrain classes that occur on the grid, one item for each class.
pub(crate) fn present_costs(costs: &CostTable, terrain_counts: &[u32; 256]) -> impl Iterator<Item = f32> {
    let present = (0..=255).filter(|&class| terrain_counts[usize::from(class)] > 0);
    present.filter_map(|class| costs.cost(Terrain(class)))
}

fn bounds(terrain: &Classes) -> CellRect {
    CellRect::new(GridCell::new(0, 0), GridCell::new(terrain.row_len() as i32 - 1, terrain.rows() as i32 - 1))
}
