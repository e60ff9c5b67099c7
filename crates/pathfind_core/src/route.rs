//! Straightening a path that a search found, measuring it, and moving along it.
//!
//! Steering an agent along a path is not done here, but in [`steer`](crate::steer).

use glam::Vec2;

use crate::grid::{CornerRule, Direction, Grid, GridCell, KindId};
use crate::sight::line_of_sight;

/// How far a straightened leg stays from the ends of cliffs, in cells: as far as an agent may be beside its path.
const CLIFF_MARGIN: f32 = 0.25;

/// Straightens a path: joins points that see each other, and leaves out the points between them. From the start on,
/// each leg is made as long as doubling and then halving its number of steps finds one that is free; the time is
/// O(n log² n) for n cells on the path.
///
/// Points are in grid space. A leg along a row, column or diagonal from one cell's centre to another can be left
/// at each centre on it, not only at its ends. Where terrain costs differ, a short cut is taken only if it costs
/// no more than the legs that it replaces, so that a path round a swamp stays round it. The result has the
/// same start and end, is never longer, and is as legal under the corner rule as the path was.
///
/// ```
/// use pathfind_core::{CornerRule, Grid, KindId, straighten};
/// use glam::Vec2;
/// let grid = Grid::new(9, 5)?;
/// let path = [Vec2::new(0.5, 0.5), Vec2::new(3.5, 3.5), Vec2::new(8.5, 3.5)];
/// let straight = straighten(&grid, KindId::default(), CornerRule::Never, &path);
/// assert_eq!(straight, [path[0], path[2]]);
/// # Ok::<(), pathfind_core::GridError>(())
/// ```
#[must_use]
pub fn straighten(grid: &Grid, kind: KindId, corners: CornerRule, points: &[Vec2]) -> Vec<Vec2> {
    let steps = unit_steps(grid, points);
    let cliffs = grid.cliffs(kind);
    let weighted = grid.cost_span(kind).is_some_and(|span| span.min < span.max);
    let legs = steps.windows(2).filter(|_| weighted);
    let costs: Vec<f64> = legs.map(|leg| grid.leg_cost(kind, leg[0], leg[1])).collect();
    let joins = |from: usize, to: usize| {
        #[cfg(test)]
        crate::testing::count(to - from);
        let (start, end) = (steps[from], steps[to]);
        // Sight comes first: it is false for points off the grid, and the test of cliffs visits each cell on the way.
        line_of_sight(grid, kind, corners, start, end)
            && cliffs.is_none_or(|cliffs| cliffs.lets_pass_beside(start, end, CLIFF_MARGIN))
            // Equal costs may differ by rounding: tolerate one part in a million.
            && (!weighted
                || grid.leg_cost(kind, start, end) <= costs[from..to].iter().sum::<f64>() * (1.0 + 1e-6))
    };
    let mut straight: Vec<Vec2> = steps.first().copied().into_iter().collect();
    let mut anchor = 0;
    while anchor + 1 < steps.len() {
        // The leg may end at `end`, and not at `beyond`.
        let (mut end, mut beyond) = (anchor + 1, steps.len());
        while end + 1 < beyond {
            let doubled = anchor + 2 * (end - anchor);
            let next = if beyond == steps.len() { doubled.min(beyond - 1) } else { end.midpoint(beyond) };
            *(if joins(anchor, next) { &mut end } else { &mut beyond }) = next;
        }
        if steps[end] != steps[anchor] {
            straight.push(steps[end]);
        }
        anchor = end;
    }
    straight
}

/// The points of a path, and between them the centres of the cells on each leg along a row, column or diagonal.
fn unit_steps(grid: &Grid, points: &[Vec2]) -> Vec<Vec2> {
    let mut steps: Vec<Vec2> = points.first().copied().into_iter().collect();
    for leg in points.windows(2) {
        let (from, to) = (GridCell::containing(leg[0]), GridCell::containing(leg[1]));
        let is_by_centers = from.center() == leg[0] && to.center() == leg[1];
        if is_by_centers
            && grid.contains(from)
            && grid.contains(to)
            && let Some(direction) = Direction::between(from, to)
        {
            let cells = std::iter::successors(Some(from.step(direction)), |cell| Some(cell.step(direction)));
            steps.extend(cells.take_while(|&cell| cell != to).map(GridCell::center));
        }
        steps.push(leg[1]);
    }
    steps
}

/// A path as a polyline: points, and the distance along the path to each.
///
/// Only the points are serialized.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Vec<Vec2>", into = "Vec<Vec2>"))]
pub struct Route {
    points: Vec<Vec2>,
    /// Distance from the start to each point, along the route. In `f64`, so that small steps are not lost to
    /// rounding at the end of a long route.
    distances: Vec<f64>,
}

impl Route {
    /// A route through points, in their order; points that are not finite are left out.
    #[must_use]
    pub fn new(mut points: Vec<Vec2>) -> Self {
        points.retain(|point| point.is_finite());
        let mut walked = 0.0;
        let mut last = points.first().copied().unwrap_or_default();
        let distance_of = |&point: &Vec2| {
            walked += last.as_dvec2().distance(point.as_dvec2());
            last = point;
            walked
        };
        let distances = points.iter().map(distance_of).collect();
        Self { points, distances }
    }

    /// The points of the route from start to end.
    #[must_use]
    pub fn points(&self) -> &[Vec2] {
        &self.points
    }

    /// The length of the route, in the unit of its points; 0 for an empty route, at most `f32::MAX`.
    #[must_use]
    pub fn length(&self) -> f32 {
        self.end().min(f64::from(f32::MAX)) as f32
    }

    /// The length of the route, as `f64`.
    fn end(&self) -> f64 {
        self.distances.last().copied().unwrap_or(0.0)
    }

    /// The point at a distance from the start along the route. A negative distance or NaN gives the start, one
    /// beyond the length the end; an empty route gives `None`.
    #[must_use]
    pub fn point_at(&self, distance: f32) -> Option<Vec2> {
        self.point_at_wide(f64::from(distance))
    }

    fn point_at_wide(&self, distance: f64) -> Option<Vec2> {
        let end = self.distances.partition_point(|&d| d < distance);
        match (end.checked_sub(1), self.points.get(end)) {
            (None, first) => first.copied(),
            (Some(before), None) => Some(self.points[before]),
            (Some(before), Some(&point)) => {
                let leg = self.distances[end] - self.distances[before];
                let part = (distance - self.distances[before]) / leg;
                Some(self.points[before].lerp(point, part as f32))
            }
        }
    }
}

impl From<Vec<Vec2>> for Route {
    fn from(points: Vec<Vec2>) -> Self {
        Self::new(points)
    }
}

impl From<Route> for Vec<Vec2> {
    fn from(route: Route) -> Self {
        route.points
    }
}

/// A position on a [`Route`], as the distance from its start. It moves forwards by distances, and reports every
/// corner that it passes.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Distance"))]
pub struct Cursor {
    /// Distance from the start, along the route. In `f64`, so that small steps add up on a long route.
    distance: f64,
}

/// A deserialized cursor before its distance is checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Distance {
    distance: f64,
}

#[cfg(feature = "serde")]
impl TryFrom<Distance> for Cursor {
    type Error = &'static str;

    fn try_from(Distance { distance }: Distance) -> Result<Self, Self::Error> {
        (distance >= 0.0 && distance.is_finite())
            .then_some(Self { distance })
            .ok_or("a cursor's distance is a finite number, and not below 0")
    }
}

impl Cursor {
    /// The distance from the start of the route, in the unit of its points; at most `f32::MAX`.
    #[must_use]
    pub fn distance(self) -> f32 {
        self.distance.min(f64::from(f32::MAX)) as f32
    }

    /// Moves the cursor forwards by a distance, at most to the end of the route, and returns the points of the
    /// route that it passed, then the point reached. An agent that goes to each in turn cuts no corner, however
    /// large the move. A negative distance or NaN does not move the cursor.
    pub fn advance<'r>(&mut self, route: &'r Route, by: f32) -> impl Iterator<Item = Vec2> + use<'r> {
        let from = self.distance;
        // `max` turns NaN and negative distances into 0.
        let to = (from + f64::from(by.max(0.0))).min(route.end()).max(from);
        self.distance = to;
        let first = route.distances.partition_point(|&d| d <= from);
        let last = route.distances.partition_point(|&d| d < to);
        route.points[first.min(last)..last].iter().copied().chain(route.point_at_wide(to))
    }

    /// Whether the end of the route is reached.
    #[must_use]
    pub fn is_at_end(self, route: &Route) -> bool {
        self.distance >= route.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Terrain;
    use crate::testing::work_of;

    #[test]
    fn nothing_stays_nothing() {
        let grid = Grid::new(3, 3).unwrap();
        assert!(straighten(&grid, KindId::default(), CornerRule::Never, &[]).is_empty());
        let twice = [Vec2::splat(0.5); 2];
        assert_eq!(straighten(&grid, KindId::default(), CornerRule::Never, &twice), [Vec2::splat(0.5)]);
    }

    /// The work is the number of steps that the tested legs span, all together.
    #[test]
    fn the_work_of_straightening_is_near_linear_on_any_ground() {
        let side = 256;
        let flat = Grid::new(side, side).unwrap();
        let corner = GridCell::new(side as i32 - 1, 0);
        let cliff = flat.clone().with_elevation(|cell| if cell == corner { 9.0 } else { 0.0 }).unwrap();
        let mud =
            Grid::from_fn(
                side,
                side,
                |cell| if cell == corner { Terrain::weight(5) } else { Terrain::GROUND },
            );
        // A bent path of 382 steps, and one that winds along the diagonal with a corner at each step.
        let ends = [(0.5, 255.5), (127.5, 128.5), (254.5, 128.5)].map(Vec2::from);
        let stairs: Vec<Vec2> =
            (0..500).map(|step| Vec2::new((step / 2) as f32 + 0.5, ((step + 1) / 2) as f32 + 0.5)).collect();
        for grid in [flat, cliff, mud.unwrap()] {
            for path in [&ends[..], &stairs] {
                let steps = unit_steps(&grid, path).len() as u64;
                let mut straight = Vec::new();
                let work =
                    work_of(|| straight = straighten(&grid, KindId::default(), CornerRule::Never, path));
                assert!(work < 4 * steps, "{steps} steps cost {work}");
                assert_eq!(straight.len(), 2, "all is one leg");
            }
        }
    }

    #[test]
    fn points_far_beyond_all_maps_are_no_trouble() {
        let ends = [Vec2::splat(-3e38), Vec2::splat(3e38), Vec2::ZERO];
        let route = Route::new(vec![ends[0], Vec2::NAN, ends[1], ends[2]]);
        assert_eq!((route.points(), route.length()), (&ends[..], f32::MAX), "a length is a number");
        for distance in [-1.0, 0.0, 1e38, 3e38, f32::INFINITY, f32::NAN] {
            assert!(route.point_at(distance).unwrap().is_finite(), "at {distance}");
        }
    }

    #[test]
    fn a_cursor_passes_every_corner() {
        let route = Route::new(vec![Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::new(4.0, 1.0)]);
        assert_eq!((route.length(), route.point_at(1.5)), (5.0, Some(Vec2::new(1.0, 0.5))));
        let mut cursor = Cursor::default();
        let passed: Vec<Vec2> = cursor.advance(&route, 2.5).collect();
        assert_eq!(passed, [Vec2::X, Vec2::ONE, Vec2::new(1.5, 1.0)]);
        assert_eq!(cursor.advance(&route, f32::NAN).count(), 1, "it stays, and says where");
        assert!(!cursor.is_at_end(&route));
        assert_eq!(cursor.advance(&route, f32::INFINITY).last(), Some(Vec2::new(4.0, 1.0)));
        assert!(cursor.is_at_end(&route));
        assert_eq!(Cursor::default().advance(&Route::default(), 1.0).count(), 0);
    }

    #[test]
    fn small_steps_lead_on_however_far_the_cursor_is() {
        let route = Route::new(vec![Vec2::ZERO, Vec2::new(3e6, 0.0)]);
        for start in [1e3, 262_144.0, 2e6_f32] {
            let mut cursor = Cursor::default();
            let _ = cursor.advance(&route, start);
            (0..10_000).for_each(|_| drop(cursor.advance(&route, 0.005)));
            let walked = cursor.distance() - start;
            assert!((walked - 50.0).abs() < 0.3, "50 units in steps of 0.005 from {start}, not {walked}");
        }
    }
}
