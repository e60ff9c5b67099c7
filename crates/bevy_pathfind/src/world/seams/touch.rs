//! The geometry of grids that touch: whether two grids touch, and why two that touch are not joined.

use bevy::prelude::*;
use pathfind_core::{AgentKind, CellRect, GridCell};

use super::super::GridTransform;
use super::super::cell_frame::Misfit;
use super::super::nav_grid::kinds_of;
use super::JoinCandidateItem;

/// Two grids on different lattices count as touching, of which the log warns, only if they are no farther apart than
/// this in height where their sides meet, in cells.
const MAX_HEIGHT_DIFFERENCE: f32 = 0.3;

/// A grid that is in no group, as it was when it was last compared with other grids.
pub(super) struct Alone {
    pub(super) sphere: BoundingSphere,
    place: GridTransform,
    size: UVec2,
    kinds: Vec<AgentKind>,
    pub(super) standalone: bool,
}

/// A sphere that encloses a grid, in the world.
#[derive(Clone, Copy)]
pub(super) struct BoundingSphere {
    pub(super) center: Vec3,
    pub(super) radius: f32,
}

/// Why a grid that touches another is not joined with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// Their cells do not lie on one lattice.
    Placement(Misfit),
    /// They have different kinds of agents.
    Kinds,
    /// One of them overlaps a part of the group.
    Overlap,
    /// A grid of both would be too large.
    TooFar,
}

/// Returns the parts of a group that reach into a rectangle of its lattice, and perhaps others near it, each with its
/// rectangle.
pub(super) type Others<'a> = dyn Fn(CellRect) -> Vec<(Entity, CellRect)> + 'a;

impl Alone {
    pub(super) fn of(grid: &JoinCandidateItem) -> Self {
        Self {
            sphere: BoundingSphere::of(grid),
            place: *grid.place,
            size: grid.nav.grid().size(),
            kinds: kinds_of(grid.nav.grid()).cloned().collect(),
            standalone: grid.standalone,
        }
    }

    /// Whether placement, size, kinds and `Standalone` of the grid have not changed; its cells may have.
    pub(super) fn is_unchanged(&self, grid: &JoinCandidateItem) -> bool {
        self.place == *grid.place
            && self.size == grid.nav.grid().size()
            && self.standalone == grid.standalone
            && kinds_of(grid.nav.grid()).eq(&self.kinds)
    }
}

impl BoundingSphere {
    pub(super) fn of(grid: &JoinCandidateItem) -> Self {
        let size = grid.nav.grid().size().as_vec2();
        let center = grid.place.to_world(size / 2.0, 0.0);
        let corners = [Vec2::ZERO, Vec2::new(size.x, 0.0)];
        let radius = corners.map(|corner| grid.place.to_world(corner, 0.0).distance(center));
        Self { center, radius: radius[0].max(radius[1]) }
    }

    /// Whether two spheres intersect, with a tolerance for rounding.
    pub(super) fn intersects(self, other: Self) -> bool {
        let reach = (self.radius + other.radius) * 1.001;
        self.center.distance_squared(other.center) <= reach * reach
    }
}

impl Fault {
    pub(super) const fn text(self) -> &'static str {
        match self {
            Self::Placement(Misfit::Size) => "their cells have different sizes",
            Self::Placement(Misfit::Angle) => "they lie at an angle that is no quarter turn",
            Self::Placement(Misfit::Offset) => "the borders of their cells are not aligned",
            Self::Kinds => "they have different kinds of agents",
            Self::Overlap => "one of them overlaps a third grid",
            Self::TooFar => "together they have more than 16,384 columns or rows",
        }
    }
}

/// Whether two rectangles that do not overlap share a part of a side.
pub(super) const fn touch(a: CellRect, b: CellRect) -> bool {
    let beside = a.min.x <= b.max.x && b.min.x <= a.max.x;
    let level = a.min.y <= b.max.y && b.min.y <= a.max.y;
    level && (a.max.x + 1 == b.min.x || b.max.x + 1 == a.min.x)
        || beside && (a.max.y + 1 == b.min.y || b.max.y + 1 == a.min.y)
}

/// The grids on a lattice that are touched by a side of `grid`, whose cells do not lie on that lattice. A side
/// touches a grid where half a cell outside the side lies a cell of that grid, and half a cell inside it lies none.
pub(super) fn touched_off_lattice(
    lattice: &GridTransform,
    grid: &JoinCandidateItem,
    others: &Others,
) -> Vec<Entity> {
    /// The number of tested points on each side: a grid that touches a sixteenth of the side is found.
    const SAMPLES: u16 = 16;
    let size = grid.nav.grid().size().as_vec2();
    let to_lattice = lattice.to_grid * grid.place.to_world;
    // The sides of a cell, in cells of the lattice.
    let scale = Vec2::new(to_lattice.matrix3.x_axis.length(), to_lattice.matrix3.y_axis.length());
    let mut touched = Vec::new();
    if !(scale.is_finite() && scale.min_element() > 0.0) {
        return touched;
    }
    let half = Vec2::splat(0.5) / scale;
    let under = |point: Vec2| {
        let at = to_lattice.transform_point3(point.extend(0.0));
        let cell = GridCell::containing(at.truncate());
        let near =
            if at.z.abs() < MAX_HEIGHT_DIFFERENCE { others(CellRect::new(cell, cell)) } else { Vec::new() };
        near.into_iter().find(|(_, rect)| rect.contains(cell)).map(|(entity, _)| entity)
    };
    for sample in 0..SAMPLES {
        let along = (f32::from(sample) + 0.5) / f32::from(SAMPLES);
        let sides = [
            (Vec2::new(0.0, along * size.y), Vec2::NEG_X),
            (Vec2::new(size.x, along * size.y), Vec2::X),
            (Vec2::new(along * size.x, 0.0), Vec2::NEG_Y),
            (Vec2::new(along * size.x, size.y), Vec2::Y),
        ];
        for (point, outward) in sides {
            if under(point - outward * half).is_none() {
                touched.extend(under(point + outward * half));
            }
        }
    }
    touched.sort_unstable();
    touched.dedup();
    touched
}
