//! The grid that a ray meets first: a click on one of several floors.

use core::fmt;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use pathfind_core::{Cell, Terrain};

use super::Grids;
use crate::numbers::is_finite;

/// Finds the ground under the pointer, or anywhere along a ray, where there are several floors.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// fn send(agent: Entity, ray: Ray3d, floors: GridPicker, mut commands: Commands) {
///     if let Some(hit) = floors.first_hit(ray) {
///         commands.entity(agent).insert(PathRequest::to(hit.point));
///     }
/// }
/// ```
#[derive(SystemParam)]
pub struct GridPicker<'w, 's> {
    grids: Grids<'w, 's>,
}

/// Where a ray meets a grid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GridHit {
    /// The grid: the entity that you spawned, also if it is part of a [`JoinedGrid`](super::JoinedGrid).
    pub grid: Entity,
    /// Its cell.
    pub cell: Cell,
    /// The point of the world.
    pub point: Vec3,
    /// How far it is from the origin of the ray, in world units.
    pub distance: f32,
}

impl fmt::Debug for GridPicker<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("GridPicker").finish_non_exhaustive()
    }
}

impl GridPicker<'_, '_> {
    /// Where a ray first meets the ground of a grid, from above or below; walls on the way do not count. Holes
    /// ([`Terrain::VOID`]) let it through. `None` if it meets none, or is not finite.
    #[must_use]
    pub fn first_hit(&self, ray: Ray3d) -> Option<GridHit> {
        let hit = |grid: super::GridRef| {
            let [from, to] = [ray.origin, ray.get_point(1.0)]
                .map(|point| grid.place.to_grid(point).extend(grid.place.height(point)));
            let distance = from.z / (from.z - to.z);
            let ahead = distance >= 0.0 && distance.is_finite();
            let at = from.lerp(to, distance).truncate();
            let cell = Cell::containing(at);
            let is_ground = ahead && grid.nav.grid().terrain(cell).is_some_and(|it| it != Terrain::VOID);
            is_ground.then(|| (grid.entity, cell, ray.get_point(distance), distance))
        };
        let all = self.grids.all();
        let hits = all.usable().filter_map(hit);
        let (grid, cell, point, distance) = hits.min_by(|a, b| a.3.total_cmp(&b.3).then(a.0.cmp(&b.0)))?;
        let part = self.grids.part_at(grid, cell);
        let (_, frame) = self.grids.place_of(part);
        is_finite(point).then(|| GridHit { grid: part, cell: frame.cell_on(cell), point, distance })
    }
}

#[cfg(test)]
mod tests {
    use bevy::ecs::system::RunSystemOnce;
    use pathfind_core::Grid;

    use super::*;
    use crate::world::{GridTransform, NavGrid, Plane};

    #[test]
    fn a_ray_meets_the_floor_that_is_first_on_its_way() {
        let mut world = World::new();
        let mut floor = |map: &str, height: f32| {
            let nav = NavGrid::new(Grid::from_ascii(map).unwrap()).with_plane(Plane::Xz).with_cell_size(2.0);
            let place = GridTransform::new(&nav, &GlobalTransform::from_xyz(0.0, height, 0.0));
            world.spawn((nav, place)).id()
        };
        let (ground, upper) = (floor("....\n....", 0.0), floor("..\n..", 5.0));
        world.get_mut::<NavGrid>(upper).unwrap().set(Cell::new(1, 1), Terrain::VOID).unwrap();
        let mut hit = |origin: Vec3, towards: Vec3| {
            let ray = Ray3d::new(origin, Dir3::new(towards).unwrap());
            let found = world.run_system_once(move |picker: GridPicker| picker.first_hit(ray)).unwrap();
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
