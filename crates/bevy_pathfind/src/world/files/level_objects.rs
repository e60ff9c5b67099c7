//! What is drawn on a level: obstacles, links, and named points.

use bevy::prelude::*;
use pathfind_core::{CellRect, GridCell, Terrain};

use super::super::{GridPlane, LinkEnd, NavGrid, NavLink, Obstacle, ObstacleShape};

/// How far an object may reach into a cell without lying on it, in cells.
const SLACK: f32 = 1e-3;

/// Something that is drawn on a level.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LevelObject {
    pub(super) name: String,
    /// Its centre and rotation, relative to the level's grid.
    pub(super) transform: Transform,
    pub(super) kind: LevelObjectKind,
}

/// What an object becomes.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum LevelObjectKind {
    Obstacle(Obstacle),
    Goal,
    /// A link, whose far end lies on the level of this index. The grids of both ends are placeholders.
    Link {
        link: NavLink,
        to_level: usize,
    },
}

/// A point that a level file names, by its entity's `Name`: where agents are sent, or start.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct LevelGoal;

/// A rectangle or an ellipse on a level. Unit: cells.
#[derive(Clone, Default)]
pub(super) struct DrawnShape {
    pub(super) center: Vec2,
    pub(super) size: Vec2,
    /// From columns towards rows, in radians.
    pub(super) turn: f32,
    pub(super) is_round: bool,
}

impl DrawnShape {
    /// The cells of a grid under the shape as if it were not turned; at least one.
    pub(super) fn cells(&self, grid: &NavGrid) -> CellRect {
        let bounds = grid.grid().bounds();
        let within = |cell: GridCell| {
            let at = |value: i32, min: i32, max: i32| value.clamp(min, max);
            GridCell::new(at(cell.x, bounds.min.x, bounds.max.x), at(cell.y, bounds.min.y, bounds.max.y))
        };
        let reach = (self.size / 2.0 - SLACK).max(Vec2::ZERO);
        let corner = |point: Vec2| within(GridCell::containing(point));
        CellRect::new(corner(self.center - reach), corner(self.center + reach))
    }

    /// Where the shape lies in the frame of its level's grid.
    pub(super) fn transform(&self, grid: &NavGrid) -> Transform {
        let plane = grid.plane();
        let axes = plane.axes();
        // In a plane whose columns, rows and normal are left-handed, columns turn to rows clockwise.
        let turn = Quat::from_axis_angle(plane.up(), self.turn * axes.determinant());
        let tilt = if let GridPlane::Tilted(tilt) = plane { tilt } else { Quat::IDENTITY };
        Transform::from_translation(axes * (self.center * grid.cell_size()).extend(0.0))
            .with_rotation(turn * tilt)
    }

    /// The obstacle that the shape is.
    pub(super) fn carved(&self, grid: &NavGrid, terrain: Terrain) -> Obstacle {
        let half = self.size.abs() / 2.0 * grid.cell_size();
        let in_frame = match grid.plane() {
            GridPlane::Xz => Vec3::new(half.x, 0.0, half.y),
            _ => half.extend(0.0),
        };
        let shape = match self.is_round {
            true => ObstacleShape::Sphere { radius: half.max_element() },
            false => ObstacleShape::Cuboid { half_size: in_frame },
        };
        Obstacle { shape, ..Obstacle::default() }.with_carved(terrain)
    }
}

/// A link between the cells of two shapes: cell by cell if they have as many, else between the cells in their middle.
pub(super) fn link_between(
    [from, to]: [(&DrawnShape, &NavGrid); 2],
    cost: Option<f32>,
    both_ways: Option<bool>,
) -> NavLink {
    let side = |min: i32, max: i32| i64::from(max) - i64::from(min) + 1;
    let count = |cells: CellRect| side(cells.min.x, cells.max.x) * side(cells.min.y, cells.max.y);
    let middle =
        |(shape, grid): (&DrawnShape, &NavGrid)| DrawnShape { size: Vec2::ZERO, ..shape.clone() }.cells(grid);
    let whole = [from, to].map(|(shape, grid)| shape.cells(grid));
    let cells = if count(whole[0]) == count(whole[1]) { whole } else { [from, to].map(middle) };
    let [from, to] = cells.map(|cells| LinkEnd::strip(Entity::PLACEHOLDER, cells));
    let link = NavLink::new(from, to);
    link.with_cost(cost.unwrap_or(link.cost)).with_both_ways(both_ways.unwrap_or(link.both_ways))
}
