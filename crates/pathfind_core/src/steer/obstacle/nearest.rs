//! The nearest points of walls and obstacles around a position, for reciprocal avoidance.

use glam::{Vec2, Vec3};

use super::{GridWalls, LayerMask, Obstacles};
use crate::grid::{CellRect, Edge, GridCell};

impl GridWalls<'_> {
    /// The nearest point of each blocked cell within `reach` of a point in grid space, row by row; cells beyond
    /// the border are blocked, up to 64 cells from it. A cell that contains the point is left out, since no
    /// direction leads away from it. So is a cell whose neighbour towards the point, in its row or column, is blocked
    /// too: a velocity that keeps clear of the neighbour keeps clear of it. So a straight wall has one point, and does
    /// not bar the direction along it. After the cells come [fences](crate::Grid::set_fence), by the same rules.
    pub fn nearest_points(&self, at: Vec2, reach: f32) -> impl Iterator<Item = Vec2> {
        let costs = self.grid.kind(self.kind).map(|kind| &kind.costs);
        let is_sound = at.is_finite() && reach >= 0.0 && costs.is_some();
        let near = CellRect::new(GridCell::containing(at - reach), GridCell::containing(at + reach));
        let near = near.intersection(self.grid.bounds().grown(64)).filter(|_| is_sound);
        // A superset of the walls: cells where an agent may not stand are walls or near one.
        let cells = near.into_iter().flat_map(|near| self.grid.blocked_cells(self.kind, near));
        let is_wall = move |cell: GridCell| {
            let terrain = self.grid.terrain(cell);
            !terrain.zip(costs).is_some_and(|(terrain, costs)| costs.is_passable(terrain))
        };
        let nearest = move |cell: GridCell| at.clamp(cell.center() - 0.5, cell.center() + 0.5);
        let here = GridCell::containing(at);
        let is_behind = move |cell: GridCell| {
            let (x, y) = (here.x.cmp(&cell.x) as i32, here.y.cmp(&cell.y) as i32);
            // A cell that contains the point, if only on its border, is left out and hides no other.
            let is_shut = |x: i32, y: i32| {
                let beside = GridCell::new(cell.x + x, cell.y + y);
                is_wall(beside) && nearest(beside) != at
            };
            (x != 0 && is_shut(x, 0)) || (y != 0 && is_shut(0, y))
        };
        let walls = cells.filter(move |&cell| is_wall(cell)).filter_map(move |cell| {
            let point = nearest(cell);
            (point != at && point.distance(at) <= reach && !is_behind(cell)).then_some(point)
        });
        let fences = near.into_iter().flat_map(|near| self.grid.fences_around(near));
        let fences = fences.filter_map(move |fence| {
            let nearest = |fence: Edge| {
                let [low, high] = fence.ends().map(|end| end.as_vec2());
                at.clamp(low, high)
            };
            let point = nearest(fence);
            let toward = |here: i32, own: i32| here.cmp(&own) as i32;
            let beside = match fence {
                Edge { cell, is_south: true } => GridCell::new(cell.x + toward(here.x, cell.x), cell.y),
                Edge { cell, is_south: false } => GridCell::new(cell.x, cell.y + toward(here.y, cell.y)),
            };
            let next = Edge { cell: beside, ..fence };
            let is_behind =
                beside != fence.cell && self.grid.has_fence(beside, fence.direction()) && nearest(next) != at;
            let is_at_wall = fence.cells().into_iter().any(is_wall);
            let is_near = point != at && point.distance(at) <= reach;
            (is_near && !is_behind && !is_at_wall).then_some(point)
        });
        walls.chain(fences)
    }
}

impl Obstacles {
    /// The nearest point of each obstacle on some layers within `reach` of a position. An obstacle that contains
    /// the position is left out.
    pub fn nearest_points(&self, at: Vec3, reach: f32, mask: LayerMask) -> impl Iterator<Item = Vec3> {
        self.nearest_points_except(at, reach, mask, None)
    }

    /// The same without the obstacles that have the number `except`: those of the body itself.
    pub fn nearest_points_except(
        &self,
        at: Vec3,
        reach: f32,
        mask: LayerMask,
        except: Option<u64>,
    ) -> impl Iterator<Item = Vec3> {
        self.near((at, at), reach, mask, except).filter_map(move |solid| {
            let (gap, normal) = solid.gap(solid.offset_of(at), reach)?;
            (0.0 < gap).then(|| at - normal * gap).filter(|point| point.is_finite())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Direction, Grid, KindId};
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

    /// A velocity is clear of a point if it uses up the gap to it in one second at the earliest.
    #[test]
    fn a_body_clear_of_the_nearest_points_is_clear_of_all_walls() {
        let (reach, radius) = (4.5, 0.4);
        let (mut hidden, mut moved) = (0, 0);
        for seed in 0..200 {
            let mut rng = CounterRng::new(3, seed, 0);
            let share = 0.1 + 0.5 * rng.unit();
            let mut grid = scattered(&mut rng, 12, 12, share);
            for cell in grid.bounds().cells().filter(|_| seed % 2 == 0) {
                if let Some(&direction) = [Direction::E, Direction::S].get(rng.below(12) as usize) {
                    _ = grid.set_fence(cell, direction, true);
                }
            }
            let at = Vec2::new(2.0 + 8.0 * rng.unit(), 2.0 + 8.0 * rng.unit());
            let shown: Vec<_> =
                GridWalls { grid: &grid, kind: KindId::default() }.nearest_points(at, reach).collect();
            let around = CellRect::new(GridCell::containing(at - reach), GridCell::containing(at + reach));
            let walls = around.cells().filter(|&cell| !grid.is_walkable(KindId::default(), cell));
            let fences: Vec<_> =
                grid.fences_around(around).map(|fence| fence.ends().map(|end| end.as_vec2())).collect();
            let walls: Vec<_> = walls.map(|cell| cell.center()).collect();
            let is_clear = |at: Vec2, least: f32| {
                walls.iter().all(|&wall| at.clamp(wall - 0.5, wall + 0.5).distance(at) >= least)
                    && fences.iter().all(|&[low, high]| at.clamp(low, high).distance(at) >= least)
            };
            if !is_clear(at, radius) {
                continue;
            }
            hidden += walls.len().saturating_sub(shown.len());
            for _ in 0..200 {
                let velocity = rng.direction().truncate() * 4.0 * rng.unit();
                let gaps = shown.iter().map(|&point| point - at);
                if gaps
                    .map(|gap| (gap, gap.length()))
                    .all(|(gap, far)| velocity.dot(gap) <= far * (far - radius))
                {
                    moved += 1;
                    let mut places = (0..=16).map(|step| at + velocity * (step as f32 / 16.0));
                    assert!(places.all(|at| is_clear(at, radius - 1e-4)), "{velocity} at {at} on map {seed}");
                }
            }
        }
        assert!(hidden > 400 && moved > 1_000, "{hidden} are behind others, {moved} velocities tell");
    }

    #[test]
    fn of_a_straight_wall_only_the_point_beside_is_shown() {
        let corridor = Grid::from_ascii("#######\n.......\n#######").unwrap();
        let walls = GridWalls { grid: &corridor, kind: KindId::default() };
        let near: Vec<_> = walls.nearest_points(Vec2::new(3.25, 1.5), 3.0).collect();
        assert_eq!(near, [Vec2::new(3.25, 1.0), Vec2::new(3.25, 2.0)], "none bars the corridor");
        let mut fenced = Grid::new(7, 3).unwrap();
        fenced
            .bounds()
            .cells()
            .for_each(|cell| _ = cell.y < 2 && fenced.set_fence(cell, Direction::S, true).is_ok());
        let walls = GridWalls { grid: &fenced, kind: KindId::default() };
        let between: Vec<_> = walls.nearest_points(Vec2::new(3.25, 1.5), 1.0).collect();
        assert_eq!(between, near, "nor do fences");
    }

    #[test]
    fn points_and_shapes_of_any_size_have_points_that_are_numbers() {
        let far = f32::MAX;
        for at in [Vec3::ZERO, Vec3::X * -far, Vec3::splat(far), Vec3::new(-far, far, 0.0)] {
            for center in [Vec3::ZERO, Vec3::X * far, Vec3::splat(-far)] {
                let round = [1.0, 1e30, far].map(|radius| Shape::sphere(center, radius));
                let boxes = [1.0, 1e30, far].map(|half| Shape::cuboid(center, Vec3::splat(half)));
                for (shape, plane) in
                    round.into_iter().chain(boxes).flat_map(|it| [(it, None), (it, Some(MovementPlane::XY))])
                {
                    let set = Obstacles::of(plane, [shape, Shape::sphere(Vec3::Y * 3.0, 1.0)], 1.0);
                    for reach in [1.0, 1e30, far, f32::INFINITY] {
                        let mut points = set.nearest_points(at, reach, LayerMask::ALL);
                        assert!(points.all(|point| point.is_finite()), "{shape:?} within {reach} of {at}");
                    }
                }
            }
        }
    }

    #[test]
    fn obstacles_show_their_nearest_points() {
        let shapes = [Shape::sphere(Vec3::X * 3.0, 1.0), Shape::cuboid(Vec3::Y * 4.0, Vec3::ONE)];
        let set = Obstacles::of(Some(MovementPlane::XY), shapes, 0.0);
        let near: Vec<_> = set.nearest_points(Vec3::ZERO, 2.5, LayerMask::ALL).collect();
        assert_eq!(near, [Vec3::X * 2.0], "the box is too far");
        assert_eq!(set.nearest_points(Vec3::X * 3.0, 2.5, LayerMask::ALL).count(), 0, "it stands inside");
        let others = set.nearest_points_except(Vec3::ZERO, 2.5, LayerMask::ALL, Some(0));
        assert_eq!(others.count(), 0, "both have the number 0");
    }
}
