//! The walls of a grid as an [`ObstacleProbe`].

use glam::Vec2;

use super::{Cast, Hit, ObstacleProbe};
use crate::grid::{Grid, KindId};
use crate::sight::sweep_disc;

/// The cells of a grid that a kind of agent cannot enter, and the [fences](Grid::set_fence), in grid space: x and y are
/// those of the grid, z is ignored. They lie on every layer; [`Hit::who`] is the index of the cell, row by row, or
/// `u64::MAX` for the border; for a fence, the index of the cell beyond it.
///
/// A ball whose centre is in a wall gets no hit, so that it can leave the wall.
#[derive(Copy, Clone, Debug)]
pub struct GridWalls<'g> {
    /// The grid.
    pub grid: &'g Grid,
    /// The kind of agent; the cells that it cannot enter are walls.
    pub kind: KindId,
}

impl ObstacleProbe for GridWalls<'_> {
    fn sweep(&self, cast: &Cast) -> Option<Hit> {
        if !cast.is_valid() {
            return None;
        }
        let (from, to) = (cast.origin.truncate(), cast.at(cast.max).truncate());
        let hit = sweep_disc(self.grid, self.kind, from, to, cast.radius)?;
        let is_inside = hit.normal == Vec2::ZERO;
        (!is_inside).then(|| Hit {
            distance: hit.fraction * cast.max,
            point: hit.point.extend(cast.origin.z),
            normal: hit.normal.extend(0.0),
            who: if self.grid.contains(hit.cell) {
                hit.cell.y as u64 * u64::from(self.grid.width()) + hit.cell.x as u64
            } else {
                u64::MAX
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    #[test]
    fn walls_are_hit_by_the_rim() {
        let grid = Grid::from_ascii("....\n....\n..#.").unwrap();
        let walls = GridWalls { grid: &grid, kind: KindId::default() };
        let cast = Cast::new(Vec3::new(0.5, 1.75, 3.0), Vec3::X, 0.4, 3.0);
        let hit = walls.sweep(&cast).unwrap();
        assert_eq!(hit.who, 10, "the cell's index");
        assert!(hit.normal.y < 0.0 && hit.point.abs_diff_eq(Vec3::new(2.0, 2.0, 3.0), 1e-5), "{hit:?}");
        assert_eq!(
            walls.sweep(&Cast { radius: 0.2, max: 9.0, ..cast }).unwrap().who,
            u64::MAX,
            "the border stands"
        );
        assert_eq!(walls.sweep(&Cast { max: 0.5, ..cast }), None);
    }
}
