//! The walls of a grid as closed squares: which cells they are, and how far they are from a point.

use glam::{DVec2, Vec2};

use crate::grid::{AgentKind, AgentSize, Cell, CellRect, CostTable, Grid, KindId};

/// The walls that a kind of agent cannot enter: for a [disc](AgentSize::Disc) with its own width all cells
/// of terrain that blocks it, for any other kind the cells where it may not stand. All cells beyond the border
/// are walls.
#[derive(Copy, Clone)]
pub(crate) struct Solid<'g> {
    grid: &'g Grid,
    kind: KindId,
    /// What terrain costs, for a disc.
    costs: Option<&'g CostTable>,
}

/// A wall near a point.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct NearCell {
    pub(crate) cell: Cell,
    /// From the point to the nearest point of the cell. 0 on its edge and inside of it.
    pub(crate) gap: f64,
    /// From the nearest point of the cell to the point, of length 1; on the edge, out of the sides that the
    /// point is on. Zero inside of the cell.
    pub(crate) normal: DVec2,
}

impl<'g> Solid<'g> {
    /// The walls of a kind; `None` if the grid does not know the kind.
    pub(crate) fn of(grid: &'g Grid, kind: KindId) -> Option<Self> {
        let AgentKind { costs, size } = grid.kind(kind)?;
        Some(Self { grid, kind, costs: matches!(size, AgentSize::Disc(_)).then_some(costs) })
    }

    pub(crate) const fn grid(self) -> &'g Grid {
        self.grid
    }

    /// Whether walls are those of a disc.
    pub(super) const fn is_disc(self) -> bool {
        self.costs.is_some()
    }

    /// Whether a cell is a wall.
    pub(crate) fn at(self, cell: Cell) -> bool {
        match self.costs {
            Some(costs) => !self.grid.terrain(cell).is_some_and(|terrain| costs.is_passable(terrain)),
            None => !self.grid.is_walkable(self.kind, cell),
        }
    }

    /// Whether a point lies inside of the walls: every cell that it touches is one. A point on the edge
    /// between a wall and a free cell lies outside.
    pub(crate) fn holds(self, point: Vec2) -> bool {
        let cell = Cell::containing(point);
        self.at(cell) && cells_before(cell, point).all(|cell| self.at(cell))
    }

    /// How far a point is from the nearest wall, up to `most`; 0 inside of walls.
    pub(crate) fn room(self, point: Vec2, most: f32) -> f32 {
        let nearest = self.near(point.as_dvec2(), most.into()).map(|near| near.gap).reduce(f64::min);
        nearest.map_or(most, |gap| gap as f32)
    }

    /// The walls within a rectangle, row by row.
    pub(crate) fn cells(self, within: CellRect) -> impl Iterator<Item = Cell> {
        self.grid.blocked_cells(self.kind, within).filter(move |&cell| self.costs.is_none() || self.at(cell))
    }

    /// The walls nearer to a point than a distance.
    pub(crate) fn near(self, point: DVec2, within: f64) -> impl Iterator<Item = NearCell> {
        let corner = |by: f64| Cell::new(floor(point.x + by), floor(point.y + by));
        let around = CellRect::new(corner(-within), corner(within)).intersection(self.grid.bounds().grown(1));
        let cells = around.into_iter().flat_map(move |around| self.cells(around));
        cells.map(move |cell| NearCell::new(cell, point)).filter(move |near| near.gap < within)
    }
}

impl NearCell {
    fn new(cell: Cell, point: DVec2) -> Self {
        let low = DVec2::new(f64::from(cell.x), f64::from(cell.y));
        let high = low + 1.0;
        let away = point - point.clamp(low, high);
        let gap = away.length();
        if gap > 0.0 {
            return Self { cell, gap, normal: away / gap };
        }
        let out = |on_low: bool, on_high: bool| f64::from(i8::from(on_high) - i8::from(on_low));
        let sides =
            DVec2::new(out(point.x == low.x, point.x == high.x), out(point.y == low.y, point.y == high.y));
        Self { cell, gap: 0.0, normal: sides.normalize_or_zero() }
    }
}

/// The other cells that a point on the edge of its cell touches: first those that share the edge, then the one
/// that shares the corner.
pub(crate) fn cells_before(cell: Cell, point: Vec2) -> impl Iterator<Item = Cell> {
    let (on_x, on_y) = (point.x == cell.x as f32, point.y == cell.y as f32);
    let before = [(1, 0), (0, 1), (1, 1)].into_iter();
    let touched = before.filter(move |&(x, y)| (x == 0 || on_x) && (y == 0 || on_y));
    touched.map(move |(x, y)| Cell::new(cell.x.saturating_sub(x), cell.y.saturating_sub(y)))
}

/// The whole number below, without the call that `floor` is on older processors.
fn floor(x: f64) -> i32 {
    let towards_zero = x as i32;
    towards_zero.saturating_sub(i32::from(f64::from(towards_zero) > x))
}
