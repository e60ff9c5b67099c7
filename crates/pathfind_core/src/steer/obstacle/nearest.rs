//! The nearest points of walls and obstacles around a position, for reciprocal avoidance.

use glam::{Vec2, Vec3};

use super::{GridWalls, LayerMask, Obstacles};
use crate::grid::{Cell, CellRect};

impl GridWalls<'_> {
    /// The nearest point of each blocked cell within `reach` of a point in grid space, row by row; cells beyond
    /// the border are blocked, up to 64 cells from it. A cell that contains the point is left out, since no
    /// direction leads away from it. So is a cell behind other blocked cells: a velocity that keeps clear of those
    /// keeps clear of it.
    pub fn nearest_points(&self, at: Vec2, reach: f32) -> impl Iterator<Item = Vec2> {
        let costs = self.grid.kind(self.kind).map(|kind| &kind.costs);
        let is_sound = at.is_finite() && reach >= 0.0 && costs.is_some();
        let near = CellRect::new(Cell::containing(at - reach), Cell::containing(at + reach));
        let near = near.intersection(self.grid.bounds().grown(64)).filter(|_| is_sound);
        // A superset of the walls: cells where an agent may not stand are walls or near one.
        let cells = near.into_iter().flat_map(|near| self.grid.blocked_cells(self.kind, near));
        let is_wall = move |cell: Cell| {
            let terrain = self.grid.terrain(cell);
            !terrain.zip(costs).is_some_and(|(terrain, costs)| costs.is_passable(terrain))
        };
        let nearest = move |cell: Cell| at.clamp(cell.center() - 0.5, cell.center() + 0.5);
        let here = Cell::containing(at);
        let is_behind = move |cell: Cell| {
            let (x, y) = (here.x.cmp(&cell.x) as i32, here.y.cmp(&cell.y) as i32);
            // A cell that contains the point, if only on its border, is left out and hides no other.
            let is_shut = |x: i32, y: i32| {
                let beside = Cell::new(cell.x + x, cell.y + y);
                is_wall(beside) && nearest(beside) != at
            };
            (x == 0 || is_shut(x, 0)) && (y == 0 || is_shut(0, y)) && (x != 0 || y != 0)
        };
        cells.filter(move |&cell| is_wall(cell)).filter_map(move |cell| {
            let point = nearest(cell);
            (point != at && point.distance(at) <= reach && !is_behind(cell)).then_some(point)
        })
    }
}

impl Obstacles {
    /// The nearest point of each obstacle on some layers within `reach` of a position. An obstacle that contains
    /// the position is left out.
    pub fn nearest_points(&self, at: Vec3, reach: f32, mask: LayerMask) -> impl Iterator<Item = Vec3> {
        self.near(at, at, reach, mask).filter_map(move |solid| {
            let (gap, normal) = solid.gap(at - solid.shape().position, reach)?;
            (0.0 < gap).then(|| at - normal * gap)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Grid, KindId};
    use crate::steer::obstacle::Shape;
    use crate::steer::{CounterRng, MovementPlane};
    use crate::testing::scattered;

    #[test]
    fn walls_and_border_show_their_nearest_points() {
        let grid = Grid::from_ascii("...\n..#\n...").unwrap();
        let walls = GridWalls { grid: &grid, kind: KindId::default() };
        let near: Vec<_> = walls.nearest_points(Vec2::new(1.5, 1.25), 0.75).collect();
        assert_eq!(near, [Vec2::new(2.0, 1.25)], "one wall is near, and the border is not");
        let near: Vec<_> = walls.nearest_points(Vec2::new(0.25, 1.5), 0.5).collect();
        assert!(near.contains(&Vec2::new(0.0, 1.5)), "the border is a wall: {near:?}");
        let near: Vec<_> = walls.nearest_points(Vec2::new(2.0, 1.5), 1.25).collect();
        assert!(near.contains(&Vec2::new(3.0, 1.5)), "from a wall's side cells behind it count: {near:?}");
        assert_eq!(walls.nearest_points(Vec2::NAN, 1.0).count(), 0);
        assert!(walls.nearest_points(Vec2::new(1e18, 0.0), 2e18).count() > 0, "nor is a far point a panic");
        assert!(walls.nearest_points(Vec2::ONE, f32::INFINITY).count() < 140 * 140, "nothing far out is");
    }

    #[test]
    fn a_body_clear_of_the_nearest_points_is_clear_of_all_walls() {
        let (reach, radius) = (4.5, 0.4);
        let (mut hidden, mut kept_to) = (0, 0);
        for seed in 0..60 {
            let mut rng = CounterRng::new(3, seed, 0);
            let share = 0.1 + 0.5 * rng.unit();
            let grid = scattered(&mut rng, 12, 12, share);
            let at = Vec2::new(2.0 + 8.0 * rng.unit(), 2.0 + 8.0 * rng.unit());
            let gaps = |points: &[Vec2]| points.iter().map(|&point| point - at).collect::<Vec<_>>();
            let shown: Vec<_> =
                GridWalls { grid: &grid, kind: KindId::default() }.nearest_points(at, reach).collect();
            let around = CellRect::new(Cell::containing(at - reach), Cell::containing(at + reach));
            let walls = around.cells().filter(|&cell| !grid.is_walkable(KindId::default(), cell));
            let all: Vec<_> = walls
                .map(|cell| at.clamp(cell.center() - 0.5, cell.center() + 0.5))
                .filter(|&point| point.distance(at) > radius && point.distance(at) <= reach)
                .collect();
            hidden += all.len().saturating_sub(shown.len());
            // The speed towards each point is limited by the gap.
            let keeps = |velocity: Vec2, gaps: &[Vec2], more: f32| {
                gaps.iter().all(|gap| velocity.dot(*gap) <= gap.length() * (gap.length() - radius) + more)
            };
            for _ in 0..200 {
                let velocity = rng.direction().truncate() * 4.0 * rng.unit();
                if keeps(velocity, &gaps(&shown), 0.0) {
                    kept_to += 1;
                    assert!(keeps(velocity, &gaps(&all), 1e-3), "{velocity} at {at} on map {seed}");
                }
            }
        }
        assert!(hidden > 400 && kept_to > 1_000, "{hidden} are behind others, {kept_to} velocities tell");
    }

    #[test]
    fn obstacles_show_their_nearest_points() {
        let shapes = [Shape::sphere(Vec3::X * 3.0, 1.0), Shape::cuboid(Vec3::Y * 4.0, Vec3::ONE)];
        let set = Obstacles::of(Some(MovementPlane::XY), shapes, 0.0);
        let near: Vec<_> = set.nearest_points(Vec3::ZERO, 2.5, LayerMask::ALL).collect();
        assert_eq!(near, [Vec3::X * 2.0], "the box is too far");
        assert_eq!(set.nearest_points(Vec3::X * 3.0, 2.5, LayerMask::ALL).count(), 0, "it stands inside");
    }
}
