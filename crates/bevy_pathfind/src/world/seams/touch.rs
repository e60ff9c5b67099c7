//! Which grids touch one another, and why those that do cannot be joined.

use bevy::prelude::*;
use pathfind_core::{AgentKind, Cell, CellRect};

use super::super::GridTransform;
use super::super::cell_frame::Misfit;
use super::CandidateItem;
use super::group::kinds_of;

/// How far above or below the other a grid may begin that touches it, in cells.
const LEVEL: f32 = 0.3;

/// A grid that is in no group, as it was when it was last compared with others.
pub(super) struct Alone {
    /// A ball round it in the world.
    pub(super) ball: Ball,
    place: GridTransform,
    size: UVec2,
    kinds: Vec<AgentKind>,
    pub(super) standalone: bool,
}

/// A ball in the world.
#[derive(Clone, Copy)]
pub(super) struct Ball {
    pub(super) center: Vec3,
    pub(super) radius: f32,
}

/// Why a grid that touches another is not joined with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    Placement(Misfit),
    Kinds,
    Overlap,
    TooFar,
}

/// Finds the parts of a group that reach into a rectangle of its lattice, and perhaps others near it.
pub(super) type Others<'a> = dyn Fn(CellRect) -> Vec<(Entity, CellRect)> + 'a;

impl Alone {
    pub(super) fn of(grid: &CandidateItem) -> Self {
        Self {
            ball: Ball::round(grid),
            place: *grid.place,
            size: grid.nav.grid().size(),
            kinds: kinds_of(&grid.nav).cloned().collect(),
            standalone: grid.standalone,
        }
    }

    /// Whether the grid is as it was, but perhaps for its cells.
    pub(super) fn is(&self, grid: &CandidateItem) -> bool {
        self.place == *grid.place
            && self.size == grid.nav.grid().size()
            && self.standalone == grid.standalone
            && kinds_of(&grid.nav).eq(&self.kinds)
    }
}

impl Ball {
    pub(super) fn round(grid: &CandidateItem) -> Self {
        let size = grid.nav.grid().size().as_vec2();
        let center = grid.place.to_world(size / 2.0, 0.0);
        let corners = [Vec2::ZERO, Vec2::new(size.x, 0.0)];
        let radius = corners.map(|corner| grid.place.to_world(corner, 0.0).distance(center));
        Self { center, radius: radius[0].max(radius[1]) }
    }

    pub(super) fn meets(self, other: Self) -> bool {
        let reach = (self.radius + other.radius) * 1.001;
        self.center.distance_squared(other.center) <= reach * reach
    }
}

impl Fault {
    pub(super) const fn text(self) -> &'static str {
        match self {
            Self::Placement(Misfit::Size) => "their cells have different sizes",
            Self::Placement(Misfit::Angle) => "they lie at an angle that is no quarter turn",
            Self::Placement(Misfit::Offset) => "the lines between their cells do not meet",
            Self::Kinds => "they have different kinds of agents",
            Self::Overlap => "one of them overlaps a third grid",
            Self::TooFar => "together they have more than 16,384 columns or rows",
        }
    }
}

/// Whether two rectangles that do not overlap share a part of an edge.
pub(super) const fn touch(a: CellRect, b: CellRect) -> bool {
    let beside = a.min.x <= b.max.x && b.min.x <= a.max.x;
    let level = a.min.y <= b.max.y && b.min.y <= a.max.y;
    level && (a.max.x + 1 == b.min.x || b.max.x + 1 == a.min.x)
        || beside && (a.max.y + 1 == b.min.y || b.max.y + 1 == a.min.y)
}

/// The grids of a lattice that another grid, which does not lie on it, touches with one of its sides: half a cell
/// beyond the side lies ground of theirs, half a cell before it does not.
pub(super) fn touched_askew(lattice: &GridTransform, grid: &CandidateItem, others: &Others) -> Vec<Entity> {
    /// At how many places a side is tested: enough to find what touches a sixteenth of it.
    const PLACES: u16 = 16;
    let size = grid.nav.grid().size().as_vec2();
    let to_lattice = lattice.world_to_grid() * grid.place.grid_to_world();
    // The sides of a cell, in cells of the lattice.
    let scale = Vec2::new(to_lattice.matrix3.x_axis.length(), to_lattice.matrix3.y_axis.length());
    let mut touched = Vec::new();
    if !(scale.is_finite() && scale.min_element() > 0.0) {
        return touched;
    }
    let half = Vec2::splat(0.5) / scale;
    let under = |point: Vec2| {
        let at = to_lattice.transform_point3(point.extend(0.0));
        let cell = Cell::containing(at.truncate());
        let near = if at.z.abs() < LEVEL { others(CellRect::new(cell, cell)) } else { Vec::new() };
        near.into_iter().find(|(_, rect)| rect.contains(cell)).map(|(entity, _)| entity)
    };
    for place in 0..PLACES {
        let along = (f32::from(place) + 0.5) / f32::from(PLACES);
        let sides = [
            (Vec2::new(0.0, along * size.y), Vec2::NEG_X),
            (Vec2::new(size.x, along * size.y), Vec2::X),
            (Vec2::new(along * size.x, 0.0), Vec2::NEG_Y),
            (Vec2::new(along * size.x, size.y), Vec2::Y),
        ];
        for (point, out) in sides {
            if under(point - out * half).is_none() {
                touched.extend(under(point + out * half));
            }
        }
    }
    touched.sort_unstable();
    touched.dedup();
    touched
}
