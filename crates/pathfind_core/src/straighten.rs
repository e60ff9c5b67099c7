//! Straightening a path that a search found.

use glam::Vec2;

use crate::grid::{AgentShape, CornerRule, Direction, Grid, GridCell};
use crate::sight::line_of_sight;

/// How far a straightened leg stays from the ends of cliffs and of edges with rules, in cells: as far as an agent may
/// be beside its path.
const MARGIN: f32 = 0.25;

/// Straightens a path: joins points that see each other, and leaves out the points between them. From the start on,
/// each leg is made as long as doubling and then halving its number of steps finds one that is free; the time is
/// O(n log² n) for n cells on the path.
///
/// Points are in grid space. A leg along a row, column or diagonal from one cell's centre to another can be left
/// at each centre on it, not only at its ends. Where terrain costs differ, a short cut is taken only if it costs
/// no more than the legs that it replaces, so that a path round a swamp stays round it; nor does one go past
/// edges whose [rules](crate::EdgeRule) cost more than those on the legs. The result has the
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
pub fn straighten(
    grid: &Grid,
    shape: impl Into<AgentShape>,
    corners: CornerRule,
    points: &[Vec2],
) -> Vec<Vec2> {
    let shape = shape.into();
    let kind = shape.kind;
    let steps = unit_steps(grid, points);
    let cliffs = grid.cliffs(kind);
    let rules = grid.edge_rules();
    let weighted = rules.is_some() || grid.layer(kind).is_some_and(|layer| layer.costs.min < layer.costs.max);
    let legs = || steps.windows(2).filter(|_| weighted);
    let costs: Vec<f64> = legs().map(|leg| grid.leg_cost(kind, leg[0], leg[1])).collect();
    let surcharges = legs().filter(|_| rules.is_some()).map(|leg| grid.edge_cost(leg[0], leg[1]));
    let surcharges: Vec<f64> = surcharges.collect();
    let joins = |from: usize, to: usize| {
        #[cfg(test)]
        crate::testing::count(to - from);
        let (start, end) = (steps[from], steps[to]);
        // Sight comes first: it is false for points off the grid, and the test of cliffs visits each cell on the way.
        line_of_sight(grid, shape, corners, start, end)
            && cliffs.is_none_or(|cliffs| cliffs.lets_pass_beside(start, end, MARGIN))
            && (rules.is_none() || {
                let aside = (end - start).normalize_or_zero().perp() * MARGIN;
                let paid = surcharges[from..to].iter().sum::<f64>() * (1.0 + 1e-6);
                [-aside, aside].into_iter().all(|aside| grid.edge_cost(start + aside, end + aside) <= paid)
            })
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

/// Whether an agent can walk straight from one point of grid space to another: there is a [line of
/// sight](line_of_sight) between them, and no edge on the way has a [rule](crate::EdgeRule) that closes steps in this
/// direction.
#[must_use]
pub fn can_walk_straight(
    grid: &Grid,
    shape: impl Into<AgentShape>,
    corners: CornerRule,
    from: Vec2,
    to: Vec2,
) -> bool {
    line_of_sight(grid, shape, corners, from, to) && grid.edge_cost(from, to).is_finite()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{KindId, Terrain};
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
        let mut mud = flat.clone();
        mud.set(corner, Terrain::weight(5)).unwrap();
        // A bent path of 382 steps, and one that winds along the diagonal with a corner at each step.
        let ends = [(0.5, 255.5), (127.5, 128.5), (254.5, 128.5)].map(Vec2::from);
        let stairs: Vec<Vec2> =
            (0..500).map(|step| Vec2::new((step / 2) as f32 + 0.5, ((step + 1) / 2) as f32 + 0.5)).collect();
        for grid in [flat, cliff, mud] {
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
}
