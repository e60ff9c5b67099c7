//! The walls of a grid as closed squares, and its fences as segments: which cells are walls, and how far walls and
//! fences are from a point.

use glam::{DVec2, Vec2};

use super::swept_disc::SweptDisc;
use crate::grid::{
    AgentKind, AgentShape, AgentSize, CellRect, CornerRule, CostTable, Edge, Grid, GridCell, KindId, floor,
};

/// The fences, and the walls that a kind of agent cannot enter. For a [disc](AgentSize::Disc) these are the cells of blocked terrain,
/// because callers account for its radius; for any other size they are the cells where the agent may not stand. All
/// cells beyond the border are walls.
#[derive(Copy, Clone)]
pub(crate) struct Solid<'g> {
    pub(super) grid: &'g Grid,
    pub(super) kind: KindId,
    /// The costs by terrain class; only for a kind that is a disc.
    disc_costs: Option<&'g CostTable>,
}

/// What stops a disc: a convex set of points.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Barrier {
    /// A blocked cell, with its edges.
    Wall(GridCell),
    /// A segment.
    Fence(Edge),
}

/// A barrier near a point.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct NearBarrier {
    pub(crate) barrier: Barrier,
    /// The distance from the point to the barrier: 0 on its edge and inside of it.
    pub(crate) gap: f64,
    /// The direction from the nearest point of the barrier to the point, of length 1. For a point on the edge, the
    /// outward normal of the sides that it lies on; zero for a point inside, or on a fence but not at its end.
    pub(crate) normal: DVec2,
}

impl Default for Barrier {
    fn default() -> Self {
        Self::Wall(GridCell::default())
    }
}

impl Barrier {
    /// The corners of least and of greatest coordinates, in grid space.
    pub(super) fn corners(self) -> [DVec2; 2] {
        match self {
            Self::Wall(cell) => {
                let low = DVec2::new(f64::from(cell.x), f64::from(cell.y));
                [low, low + 1.0]
            }
            Self::Fence(fence) => fence.ends(),
        }
    }

    /// The wall, or the cell at the far side of a fence from a disc that touches it; `normal` points to the disc.
    pub(super) fn cell_behind(self, normal: DVec2) -> GridCell {
        match self {
            Self::Wall(cell) => cell,
            Self::Fence(fence) => {
                let [low, high] = fence.cells();
                let side = if fence.is_south { normal.y } else { normal.x };
                if side > 0.0 { low } else { high }
            }
        }
    }
}

impl<'g> Solid<'g> {
    /// The walls of a kind; `None` if the grid does not know the kind.
    pub(crate) fn of(grid: &'g Grid, kind: KindId) -> Option<Self> {
        let disc_costs = match grid.kind(kind)? {
            AgentKind { size: AgentSize::Disc(_), costs, .. } => Some(costs),
            _ => None,
        };
        Some(Self { grid, kind, disc_costs })
    }

    /// The walls of an agent, and the radius of its disc; `None` unless it is a disc with a radius above 0.
    pub(crate) fn of_disc(grid: &'g Grid, shape: AgentShape, corners: CornerRule) -> Option<(Self, f32)> {
        let radius = shape.disc(grid, corners)?;
        Some((Self::of(grid, shape.kind)?, radius))
    }

    pub(crate) const fn grid(self) -> &'g Grid {
        self.grid
    }

    pub(super) const fn is_disc(self) -> bool {
        self.disc_costs.is_some()
    }

    pub(crate) fn at(self, cell: GridCell) -> bool {
        match self.disc_costs {
            Some(costs) => !self.grid.terrain(cell).is_some_and(|terrain| costs.is_passable(terrain)),
            None => !self.grid.is_walkable(self.kind, cell),
        }
    }

    /// Whether a point lies inside of the walls: all cells that it touches are walls. A point on the edge
    /// between a wall and a free cell lies outside.
    pub(crate) fn holds(self, point: Vec2) -> bool {
        let cell = GridCell::containing(point);
        self.at(cell) && cells_before(cell, point).all(|cell| self.at(cell))
    }

    /// The distance from a point to the nearest wall or fence, at most `most`; 0 inside of walls.
    pub(crate) fn distance_to_wall(self, point: Vec2, most: f32) -> f32 {
        let nearest = self.near(point.as_dvec2(), most.into()).map(|near| near.gap).reduce(f64::min);
        nearest.map_or(most, |gap| gap as f32)
    }

    /// The walls within a rectangle, row by row.
    pub(crate) fn cells(self, within: CellRect) -> impl Iterator<Item = GridCell> {
        self.grid
            .blocked_cells(self.kind, within)
            .filter(move |&cell| self.disc_costs.is_none() || self.at(cell))
    }

    /// The walls within a rectangle, row by row, and the fences at its cells.
    pub(super) fn barriers(self, within: CellRect) -> impl Iterator<Item = Barrier> {
        self.cells(within).map(Barrier::Wall).chain(self.grid.fences_around(within).map(Barrier::Fence))
    }

    /// Whether a disc overlaps no wall and no fence, by more than 1e-4 of a cell, along a segment.
    pub(crate) fn lets_pass(self, radius: f32, from: Vec2, to: Vec2) -> bool {
        let covered = SweptDisc::new(self.grid, from.as_dvec2(), (to - from).as_dvec2(), radius.into());
        let mut barriers = covered.rows().flat_map(|y| self.barriers(covered.row(y, 1.0)));
        barriers.all(|barrier| match barrier {
            Barrier::Wall(cell) => distance_to_cell(from, to, cell) >= radius - 1e-4,
            Barrier::Fence(fence) => distance_to_fence(from, to, fence) >= f64::from(radius) - 1e-4,
        })
    }

    /// The walls and fences whose distance from a point is less than `within`.
    pub(crate) fn near(self, point: DVec2, within: f64) -> impl Iterator<Item = NearBarrier> {
        let corner = |by: f64| GridCell::new(floor(point.x + by), floor(point.y + by));
        let around = CellRect::new(corner(-within), corner(within)).intersection(self.grid.bounds().grown(1));
        let barriers = around.into_iter().flat_map(move |around| self.barriers(around));
        barriers.map(move |barrier| NearBarrier::new(barrier, point)).filter(move |near| near.gap < within)
    }
}

impl NearBarrier {
    fn new(barrier: Barrier, point: DVec2) -> Self {
        let [low, high] = barrier.corners();
        let away = point - point.clamp(low, high);
        let gap = away.length();
        if gap > 0.0 {
            return Self { barrier, gap, normal: away / gap };
        }
        let out = |on_low: bool, on_high: bool| f64::from(i8::from(on_high) - i8::from(on_low));
        let sides =
            DVec2::new(out(point.x == low.x, point.x == high.x), out(point.y == low.y, point.y == high.y));
        Self { barrier, gap: 0.0, normal: sides.normalize_or_zero() }
    }
}

/// The other cells that a point on the low edges of its cell touches: across an edge, then across the corner.
pub(crate) fn cells_before(cell: GridCell, point: Vec2) -> impl Iterator<Item = GridCell> {
    let (on_x, on_y) = (point.x == cell.x as f32, point.y == cell.y as f32);
    let before = [(1, 0), (0, 1), (1, 1)].into_iter();
    let touched = before.filter(move |&(x, y)| (x == 0 || on_x) && (y == 0 || on_y));
    touched.map(move |(x, y)| GridCell::new(cell.x.saturating_sub(x), cell.y.saturating_sub(y)))
}

/// The distance between a segment and a fence; 0, up to rounding, if they cross.
fn distance_to_fence(from: Vec2, to: Vec2, fence: Edge) -> f64 {
    let (from, along, [low, high]) = (from.as_dvec2(), (to - from).as_dvec2(), fence.ends());
    let to_fence = |part: f64| {
        let point = from + along * if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 };
        point.distance(point.clamp(low, high))
    };
    // A nearest point of the segment is one of its ends, the one nearest to an end of the fence, or where they cross.
    let [near_low, near_high] = [low, high].map(|end| (end - from).dot(along) / along.length_squared());
    let axis = usize::from(fence.is_south);
    let crossing = (low[axis] - from[axis]) / along[axis];
    [0.0, 1.0, near_low, near_high, crossing].into_iter().map(to_fence).fold(f64::INFINITY, f64::min)
}

/// The distance between a segment and a cell; 0 if they overlap.
fn distance_to_cell(from: Vec2, to: Vec2, cell: GridCell) -> f32 {
    let (center, along) = (cell.center(), to - from);
    let length_squared = along.length_squared();
    let on_segment = |point: Vec2| {
        if length_squared == 0.0 {
            return from;
        }
        from + along * ((point - from).dot(along) / length_squared).clamp(0.0, 1.0)
    };
    let to_cell = |point: Vec2| ((point - center).abs() - 0.5).max(Vec2::ZERO).length();
    // If a segment and a square do not meet, an end of the segment or a corner of the square is a nearest point.
    let corners = [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)].map(|half| center + Vec2::from(half));
    let ends = to_cell(from).min(to_cell(to));
    let nearest = corners.iter().map(|&corner| on_segment(corner).distance(corner)).fold(ends, f32::min);
    // The segment may also pass through the square with both ends outside: then corners lie on both sides of it.
    let sides = corners.map(|corner| along.perp_dot(corner - from));
    let straddles = sides.iter().any(|&side| side > 0.0) && sides.iter().any(|&side| side < 0.0);
    if straddles && to_cell(on_segment(center)) == 0.0 { 0.0 } else { nearest }
}
