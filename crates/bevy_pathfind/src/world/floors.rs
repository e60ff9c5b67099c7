//! The floors of grids that lie over one another: agents on different floors ignore each other. The floor of each
//! agent is computed in [`steer`](crate::steer) and [`motion`](crate::motion).

use bevy::ecs::entity::EntityHashSet;
use bevy::prelude::*;
use pathfind_core::{CellRect, GridCell};

use super::{GridRef, Grids, TieOf};

/// Two grids count as parallel if the cosine between their normals is above this: about one degree.
const MIN_COSINE: f32 = 0.9998;
/// Two grids that overlap by less than this lie side by side: a tolerance for rounding, in cells.
const EDGE_TOLERANCE: f32 = 1e-2;

/// A floor. Agents on different floors never meet; agents on the same floor meet if their heights fit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Floor {
    /// The floor of all agents that are not tied to a grid, and of the first of the grids that lie over one another.
    #[default]
    Ground,
    /// Another floor, by its number from 1. A greater number does not mean that the floor is higher.
    Upper(u32),
    /// The floor of airborne agents.
    Air,
}

/// The floors of the grids that agents are tied to.
///
/// Grids that lie over one another have different floors, numbered in the order of their entities. Other grids may
/// share a floor. Grids on the [`Ground`](Floor::Ground) are not listed.
#[derive(Debug, Default)]
pub(crate) struct Floors(Vec<(Entity, Floor)>);

impl Floors {
    /// Assigns floors to the grids in `tied`, which may name a grid more than once; `widest` is the greatest radius
    /// of a body, in world units.
    pub(crate) fn new(all: &Grids, tied: impl Iterator<Item = Entity>, widest: f32) -> Self {
        let mut grids: Vec<_> = tied.collect::<EntityHashSet>().into_iter().collect();
        grids.sort_unstable_by_key(|grid| grid.index_u32());
        if grids.len() < 2 {
            return Self::default();
        }
        // All parts of a joined grid are on one floor.
        let mut whole: Vec<(GridRef, Vec<Entity>)> = Vec::new();
        for &tied in &grids {
            let (joined, _) = all.place_of(tied);
            match whole.iter_mut().find(|(known, _)| known.entity == joined) {
                Some((_, all_tied)) => all_tied.push(tied),
                None => {
                    let usable = all.own(joined).filter(|grid| grid.place.is_usable());
                    whole.extend(usable.map(|grid| (grid, vec![tied])));
                }
            }
        }
        let mut numbers: Vec<u32> = Vec::with_capacity(whole.len());
        for (index, (grid, _)) in whole.iter().enumerate() {
            let taken: Vec<_> = (0..index)
                .filter(|&other| are_floors(all, grid, &whole[other].0, 2.0 * widest))
                .map(|other| numbers[other])
                .collect();
            let free = (0..).find(|number| !taken.contains(number));
            numbers.push(free.unwrap_or_default());
        }
        let upper = whole.iter().zip(numbers).filter(|&(_, number)| number > 0);
        let each = |((_, tied), number): (&(GridRef, Vec<Entity>), u32)| {
            tied.iter().map(|&grid| (grid, Floor::Upper(number))).collect::<Vec<_>>()
        };
        Self(upper.flat_map(each).collect())
    }

    /// The floor of an agent.
    pub(crate) fn of(&self, (on, airborne, ..): TieOf) -> Floor {
        if airborne.is_some() {
            return Floor::Air;
        }
        let tied = on.and_then(|on| self.0.iter().find(|(grid, _)| *grid == on.0));
        tied.map_or(Floor::Ground, |&(_, floor)| floor)
    }
}

/// Whether two grids [lie over one another](lie_over_one_another); of joined grids, two of their parts: between the parts
/// there is void.
fn are_floors(all: &Grids, a: &GridRef, b: &GridRef, nearer_than: f32) -> bool {
    let is_part_of_a = |part: &GridRef| are_floors(all, part, b, nearer_than);
    let is_part_of_b = |part: &GridRef| are_floors(all, a, part, nearer_than);
    lie_over_one_another(a, b, nearer_than)
        && all
            .any_part_near(a.entity, cells_along(a, b), is_part_of_a)
            .or_else(|| all.any_part_near(b.entity, cells_along(b, a), is_part_of_b))
            .unwrap_or(true)
}

/// The cells of a grid on a rectangle that holds the projection of another grid.
fn cells_along(grid: &GridRef, other: &GridRef) -> CellRect {
    let (low, high) = bounds_on(grid, &other.corners());
    CellRect::new(GridCell::containing(low), GridCell::containing(high))
}

/// Whether two grids are parallel, closer together than `nearer_than`, and overlap as seen along their normal.
fn lie_over_one_another(a: &GridRef, b: &GridRef, nearer_than: f32) -> bool {
    let up = a.place.up();
    let (from, to) = (a.corners(), b.corners());
    up.dot(b.place.up()).abs() > MIN_COSINE
        && (to[0] - from[0]).dot(up).abs() < nearer_than
        && overlaps(a, &to)
        && overlaps(b, &from)
}

/// Whether a grid and a parallelogram overlap, tested along the axes of the grid only (half of a separating axis
/// test).
fn overlaps(grid: &GridRef, corners: &[Vec3; 4]) -> bool {
    let (low, high) = bounds_on(grid, corners);
    low.cmplt(grid.size() - EDGE_TOLERANCE).all() && high.cmpgt(Vec2::splat(EDGE_TOLERANCE)).all()
}

/// The bounds of a parallelogram in the space of a grid.
fn bounds_on(grid: &GridRef, corners: &[Vec3; 4]) -> (Vec2, Vec2) {
    let corners = corners.map(|corner| grid.place.to_grid(corner));
    corners
        .into_iter()
        .fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(low, high), corner| (low.min(corner), high.max(corner)))
}

impl GridRef<'_> {
    /// The corners of the grid in the world.
    fn corners(&self) -> [Vec3; 4] {
        let size = self.size();
        [Vec2::ZERO, Vec2::new(size.x, 0.0), size, Vec2::new(0.0, size.y)]
            .map(|corner| self.place.to_world(corner, 0.0))
    }
}

#[cfg(test)]
mod tests {
    use bevy::ecs::system::RunSystemOnce;
    use pathfind_core::Grid;

    use super::*;
    use crate::world::{Airborne, GridPlane, GridTransform, NavGrid, OnGrid};

    /// The floors of grids of 10 by 10 cells with these transforms.
    fn floors(places: &[Transform]) -> Vec<Floor> {
        let mut world = World::new();
        let grids: Vec<_> = places
            .iter()
            .map(|&place| {
                let nav = NavGrid::new(Grid::new(10, 10).expect("a small grid")).with_plane(GridPlane::Xy);
                let place = GridTransform::new(&nav, place);
                world.spawn((nav, place)).id()
            })
            .collect();
        world
            .run_system_once(move |all: Grids| {
                let floors = Floors::new(&all, grids.iter().copied(), 0.5);
                grids
                    .iter()
                    .map(|&grid| floors.of((Some(&OnGrid(grid)), None, None, None)))
                    .collect::<Vec<_>>()
            })
            .expect("the system needs only grids")
    }

    fn at(x: f32, y: f32, z: f32) -> Transform {
        Transform::from_xyz(x, y, z)
    }

    #[test]
    fn grids_over_one_another_are_floors_and_grids_side_by_side_are_not() {
        use Floor::{Ground, Upper};
        assert_eq!(floors(&[at(0.0, 0.0, 0.0), at(0.0, 0.0, 0.0)]), [Ground, Upper(1)], "in one place");
        assert_eq!(floors(&[at(0.0, 0.0, 0.0), at(4.0, -4.0, 0.9)]), [Ground, Upper(1)], "a little above");
        assert_eq!(floors(&[at(0.0, 0.0, 0.0), at(10.0, 0.0, 0.0)]), [Ground, Ground], "side by side");
        assert_eq!(floors(&[at(0.0, 0.0, 0.0), at(10.0, 10.0, 0.0)]), [Ground, Ground], "corner to corner");
        assert_eq!(
            floors(&[at(0.0, 0.0, 0.0), at(0.0, 0.0, 3.0)]),
            [Ground, Ground],
            "agents so far apart in height do not meet anyway"
        );
        let three = [at(0.0, 0.0, 0.0), at(0.0, 0.0, 0.1), at(5.0, 0.0, 0.2)];
        assert_eq!(floors(&three), [Ground, Upper(1), Upper(2)], "three over one another");
        let bridge = [at(0.0, 0.0, 0.0), at(5.0, 0.0, 0.0), at(10.0, 0.0, 0.0)];
        assert_eq!(
            floors(&bridge),
            [Ground, Upper(1), Ground],
            "the first and the third grid do not overlap"
        );
    }

    #[test]
    fn turned_grids_are_compared_by_the_sides_of_both() {
        use Floor::{Ground, Upper};
        let turned =
            |x: f32, y: f32| at(x, y, 0.0).with_rotation(Quat::from_rotation_z(core::f32::consts::FRAC_PI_4));
        // A diamond beside the corner of the first grid: the bounding boxes overlap, the grids do not.
        assert_eq!(floors(&[at(0.0, 0.0, 0.0), turned(16.5, 4.0)]), [Ground, Ground]);
        assert_eq!(floors(&[at(0.0, 0.0, 0.0), turned(10.0, 0.0)]), [Ground, Upper(1)]);
        let ramp = at(0.0, 0.0, 0.0).with_rotation(Quat::from_rotation_x(0.3));
        assert_eq!(floors(&[at(0.0, 0.0, 0.0), ramp]), [Ground, Ground], "a ramp is no floor");
    }

    #[test]
    fn the_air_is_a_floor_of_its_own() {
        let floors = Floors::default();
        assert_eq!(floors.of((None, Some(&Airborne), None, None)), Floor::Air);
        assert_eq!(floors.of((Some(&OnGrid(Entity::PLACEHOLDER)), None, None, None)), Floor::Ground);
    }
}
