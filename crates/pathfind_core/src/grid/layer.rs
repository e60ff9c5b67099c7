//! What one kind of agent knows of a grid, kept up to date with the terrain.

use super::bands::Bands;
use super::bits::Bits;
use super::regions::Regions;
use super::stops::Stops;
use super::{AgentKind, Cell, CellRect, CostTable, Terrain};

#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub(crate) kind: AgentKind,
    footprint: Vec<Cell>,
    /// Where the agent may stand, along rows and along columns.
    pub(crate) rows: Bits,
    pub(crate) columns: Bits,
    /// Where straight runs along them stop.
    pub(crate) row_stops: Stops,
    pub(crate) column_stops: Stops,
    /// Regions joined along edges, and also across corners.
    regions: [Regions; 2],
    pub(crate) costs: CostSpan,
}

/// The least and the greatest cost among the passable classes that occur on a grid.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct CostSpan {
    pub(crate) min: f32,
    pub(crate) max: f32,
}

impl Layer {
    pub(crate) fn new(kind: AgentKind, terrain: &Bands<u8>, census: &[u32; 256]) -> Self {
        let (width, height) = (terrain.row_len() as u32, terrain.rows() as u32);
        let costs = CostSpan::of(&kind.costs, census);
        let rows = Bits::new(height, width);
        let regions = [false, true].map(|corners| Regions::new(width, height, corners));
        let columns = Bits::new(width, height);
        let (row_stops, column_stops) = (Stops::new(height, width), Stops::new(width, height));
        let footprint = kind.size.footprint();
        let mut layer = Self { kind, footprint, rows, columns, row_stops, column_stops, regions, costs };
        layer.refresh(terrain, census, &[bounds(terrain)]);
        layer
    }

    /// Takes in rectangles of changed terrain.
    pub(crate) fn refresh(&mut self, terrain: &Bands<u8>, census: &[u32; 256], changed: &[CellRect]) {
        self.costs = CostSpan::of(&self.kind.costs, census);
        let reach = self.footprint.iter().map(|c| c.x.abs().max(c.y.abs())).max().unwrap_or(0);
        let mut flipped = Vec::new();
        for rect in changed {
            let around = rect.grown(reach).intersection(bounds(terrain));
            flipped.extend(self.refresh_rows(terrain, around.expect("changed cells lie on the grid")));
        }
        for rect in &flipped {
            for y in (rect.min.y & !63..=rect.max.y).step_by(64) {
                for x in (rect.min.x & !63..=rect.max.x).step_by(64) {
                    let columns = rect.min.x.max(x)..=rect.max.x.min(x + 63);
                    self.columns.set_transposed(columns, y, self.rows.block(y, x));
                }
            }
        }
        for &rect in &flipped {
            self.row_stops.refresh(&self.rows, rect);
            self.column_stops.refresh(&self.columns, rect.transposed());
        }
        if !flipped.is_empty() {
            for regions in &mut self.regions {
                regions.update(&self.rows, &self.columns, &flipped);
            }
        }
    }

    /// Decides a rectangle of cells anew; says in which rectangle any changed, to the cell: what follows from
    /// it reads columns, which lie far apart in memory.
    fn refresh_rows(&mut self, terrain: &Bands<u8>, rect: CellRect) -> Option<CellRect> {
        let passable: [bool; 256] =
            std::array::from_fn(|class| self.kind.costs.is_passable(Terrain(class as u8)));
        let bounds = bounds(terrain);
        let mut flipped: Option<CellRect> = None;
        for y in rect.min.y..=rect.max.y {
            let mut x = rect.min.x;
            while x <= rect.max.x {
                let end = (x | 63).min(rect.max.x);
                let old = self.rows.word(y, x);
                let mut new = old;
                for x in x..=end {
                    let fits = self.footprint.iter().all(|offset| {
                        let cell = Cell::new(x + offset.x, y + offset.y);
                        bounds.contains(cell)
                            && passable[usize::from(terrain.get(cell.y as usize, cell.x as usize))]
                    });
                    new = new & !(1 << (x & 63)) | u64::from(fits) << (x & 63);
                }
                if new != old {
                    self.rows.set_word(y, x, new);
                    let (word, changed) = (x & !63, old ^ new);
                    let first = Cell::new(word + changed.trailing_zeros() as i32, y);
                    let last = Cell::new(word + 63 - changed.leading_zeros() as i32, y);
                    let cells = CellRect::new(first, last);
                    flipped = Some(flipped.map_or(cells, |rect| rect.union(cells)));
                }
                x = end + 1;
            }
        }
        flipped
    }

    /// Whether the agent may stand anywhere.
    pub(crate) fn any_walkable(&self) -> bool {
        self.regions[0].any()
    }

    /// The connected region of a walkable cell.
    pub(crate) fn region(&self, joins_corners: bool, cell: Cell) -> u32 {
        self.regions[usize::from(joins_corners)].region(&self.rows, cell)
    }

    /// The nearest cells of a region to another cell, in order of rows.
    pub(crate) fn nearest_in_region(
        &self,
        joins_corners: bool,
        region: u32,
        to: Cell,
        found: &mut Vec<Cell>,
    ) {
        self.regions[usize::from(joins_corners)].nearest(&self.rows, region, to, found);
    }
}

impl CostSpan {
    fn of(costs: &CostTable, census: &[u32; 256]) -> Self {
        let (min, max) = present_costs(costs, census)
            .fold((f32::INFINITY, 0.0f32), |(min, max), cost| (min.min(cost), max.max(cost)));
        // Nothing passable: any span will do, for no step will be taken.
        if min > max { Self { min: 1.0, max: 1.0 } } else { Self { min, max } }
    }
}

/// The costs of the passable classes that occur, as often as classes have them.
pub(crate) fn present_costs(costs: &CostTable, census: &[u32; 256]) -> impl Iterator<Item = f32> {
    let present = (0..=255).filter(|&class| census[usize::from(class)] > 0);
    present.filter_map(|class| costs.cost(Terrain(class)))
}

fn bounds(terrain: &Bands<u8>) -> CellRect {
    CellRect::new(Cell::new(0, 0), Cell::new(terrain.row_len() as i32 - 1, terrain.rows() as i32 - 1))
}
