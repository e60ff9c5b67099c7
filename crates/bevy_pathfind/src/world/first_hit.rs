//! The grid that a ray hits first: for clicks where there are several floors.

use bevy::prelude::*;
use pathfind_core::{Grid, GridCell, KindId};

use super::Grids;
use super::grids::is_ground;
use crate::numbers::is_finite;

/// Where a ray hits a grid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GridHit {
    /// The grid: the entity that you spawned, even if it is part of a [`JoinedGrid`](super::JoinedGrid).
    pub grid: Entity,
    /// Its cell.
    pub cell: GridCell,
    /// The point of the world.
    pub point: Vec3,
    /// How far it is from the origin of the ray, in world units.
    pub distance: f32,
}

/// Where a ray first hits the ground of a grid, from above or below; see `NavQuery::hit`.
pub(crate) fn first_hit(grids: &Grids, ray: Ray3d) -> Option<GridHit> {
    let hit = |grid: super::GridRef| {
        let [from, to] = [ray.origin, ray.get_point(1.0)]
            .map(|point| grid.place.to_grid(point).extend(grid.place.height(point)));
        let map = grid.nav.grid();
        let distance = if map.has_elevation() {
            first_ground(map, from, to - from)?
        } else {
            let distance = from.z / (from.z - to.z);
            (distance >= 0.0 && distance.is_finite()).then_some(distance)?
        };
        let cell = GridCell::containing(from.lerp(to, distance).truncate());
        is_ground(map, cell).then(|| (grid.entity, cell, ray.get_point(distance), distance))
    };
    let all = grids.all();
    let hits = all.usable().filter_map(hit);
    let (grid, cell, point, distance) = hits.min_by(|a, b| a.3.total_cmp(&b.3).then(a.0.cmp(&b.0)))?;
    let part = grids.part_at(grid, cell);
    let (_, frame) = grids.place_of(part);
    is_finite(point).then(|| GridHit { grid: part, cell: frame.cell_on(cell), point, distance })
}

/// The distance at which a ray of grid space (column, row, height) first hits the ground of a grid with elevation, in
/// multiples of `along`. The ray is followed in steps of a quarter of a cell. Where two steps lie on different sides
/// of the ground, the point between them is found by bisection.
fn first_ground(map: &Grid, from: Vec3, along: Vec3) -> Option<f32> {
    let kind = KindId::default();
    let above = |distance: f32| {
        let at = from + along * distance;
        at.z - map.elevation_at(kind, at.truncate())
    };
    let (mut first, mut last) = (0.0_f32, f32::INFINITY);
    for (from, along, side) in [(from.x, along.x, map.width()), (from.y, along.y, map.height())] {
        let [a, b] = [-from / along, (side as f32 - from) / along];
        if along != 0.0 {
            (first, last) = (first.max(a.min(b)), last.min(a.max(b)));
        } else if !(0.0..=side as f32).contains(&from) {
            return None;
        }
    }
    let flat = along.truncate().length();
    if flat < 1e-6 {
        // Straight down or up: the ground below or above is at one height.
        let distance = first - above(first) / along.z;
        return (distance >= 0.0 && distance.is_finite()).then_some(distance);
    }
    let (step, mut before) = (0.25 / flat, first);
    let steps = ((last - first) / step).ceil().max(0.0) as u32;
    for number in 1..=steps {
        let next = (first + number as f32 * step).min(last);
        if (above(before) >= 0.0) != (above(next) >= 0.0) {
            let (mut low, mut high) = (before, next);
            for _ in 0..20 {
                let middle = low.midpoint(high);
                *(if (above(middle) >= 0.0) == (above(low) >= 0.0) { &mut low } else { &mut high }) = middle;
            }
            if is_ground(map, GridCell::containing((from + along * high).truncate())) {
                return Some(high);
            }
        }
        before = next;
    }
    None
}

#[cfg(test)]
mod tests {
    use bevy::ecs::system::RunSystemOnce;
    use pathfind_core::Terrain;

    use super::*;
    use crate::world::{GridPlane, GridTransform, NavGrid};

    #[test]
    fn a_ray_meets_the_hill_before_the_ground_behind_it() {
        let ridge = |cell: GridCell| if cell.x == 5 { 3.0 } else { 0.0 };
        let map = Grid::new(10, 4).unwrap().with_elevation(ridge).unwrap();
        let hit = |from: Vec3, along: Vec3| first_ground(&map, from, along).map(|it| from + along * it);
        let near = |found: Option<Vec3>, x: f32, z: f32| {
            let found = found.expect("the ray meets the ground");
            assert!((found.x - x).abs() < 0.01 && (found.z - z).abs() < 0.01, "{found}");
        };
        near(hit(Vec3::new(0.5, 2.5, 2.0), Vec3::X), 5.0, 2.0);
        near(hit(Vec3::new(0.5, 2.5, 5.0), Vec3::new(1.0, 0.0, -0.5)), 5.0, 2.75);
        near(hit(Vec3::new(9.5, 2.5, 2.0), Vec3::new(-1.0, 0.0, -1.0)), 7.5, 0.0);
        near(hit(Vec3::new(5.5, 2.5, 9.0), Vec3::NEG_Z), 5.5, 3.0);
        assert_eq!(hit(Vec3::new(0.5, 2.5, 4.0), Vec3::X), None, "over the ridge");
        assert_eq!(hit(Vec3::new(0.5, 9.5, 1.0), Vec3::X), None, "beside the grid");
    }

    #[test]
    fn a_ray_meets_the_floor_that_is_first_on_its_way() {
        let mut world = World::new();
        let mut floor = |map: &str, height: f32| {
            let nav =
                NavGrid::new(Grid::from_ascii(map).unwrap()).with_plane(GridPlane::Xz).with_cell_size(2.0);
            let place = GridTransform::new(&nav, GlobalTransform::from_xyz(0.0, height, 0.0));
            world.spawn((nav, place)).id()
        };
        let (ground, upper) = (floor("....\n....", 0.0), floor("..\n..", 5.0));
        world.get_mut::<NavGrid>(upper).unwrap().set(GridCell::new(1, 1), Terrain::VOID).unwrap();
        let mut hit = |origin: Vec3, towards: Vec3| {
            let ray = Ray3d::new(origin, Dir3::new(towards).unwrap());
            let found = world.run_system_once(move |grids: Grids| first_hit(&grids, ray)).unwrap();
            found.map(|hit| (hit.grid, (hit.cell.x, hit.cell.y), hit.distance))
        };
        let high = |x: f32, z: f32| Vec3::new(x, 9.0, z);
        assert_eq!(hit(high(1.0, 1.0), Vec3::NEG_Y), Some((upper, (0, 0), 4.0)));
        assert_eq!(hit(high(5.0, 1.0), Vec3::NEG_Y), Some((ground, (2, 0), 9.0)), "beside the upper floor");
        assert_eq!(hit(high(3.0, 3.0), Vec3::NEG_Y), Some((ground, (1, 1), 9.0)), "through the hole");
        assert_eq!(hit(Vec3::new(1.0, -1.0, 1.0), Vec3::Y), Some((ground, (0, 0), 1.0)), "from below");
        assert_eq!(hit(high(1.0, 1.0), Vec3::Y), None, "up in the air");
        assert_eq!(hit(high(1.0, 1.0), Vec3::X), None, "along the floors");
        assert_eq!(hit(Vec3::NAN, Vec3::X), None);
    }
}
