//! Gizmos of grids: cells, terrain costs, regions, clearance, a flow field, and links.

use core::ops::RangeInclusive;

use bevy::prelude::*;
use pathfind_core::steer::obstacle::GridWalls;
use pathfind_core::{Direction, DistanceField, EdgeRule, GridCell, KindId, SearchScratch, StepRules};

use super::view::CameraViews;
use super::{WorldGizmos, ground_line, on_ground, square};
use crate::order::{PathRequest, SearchOptions};
use crate::show::NavGizmos;
use crate::solve::SolveStats;
use crate::world::{
    GridInfluence, GridTransform, JoinedGrid, NavGrid, NavLink, PartOfGrid, Positions, Terrain,
};

/// The most cells whose details are drawn: more would be too dense to read, and slow.
const MAX_CELLS: u32 = 40_000;
/// The largest clearance that is measured, in cells.
const MAX_CLEARANCE: f32 = 8.0;

pub(super) fn draw_grids(
    mut gizmos: Gizmos<WorldGizmos>,
    grids: Query<(&NavGrid, &GridTransform), Without<JoinedGrid>>,
    views: CameraViews,
    show: Res<NavGizmos>,
) {
    for (nav, place) in &grids {
        let mut line = |a: Vec2, b: Vec2| {
            gizmos.linestrip(ground_line(nav, place, a, b), show.grid_color);
        };
        let size = nav.grid().size().as_vec2();
        let corners = [Vec2::ZERO, Vec2::new(size.x, 0.0), size, Vec2::new(0.0, size.y)];
        for (from, to) in corners.into_iter().zip(corners.into_iter().cycle().skip(1)) {
            line(from, to);
        }
        let Some(cells) = views.cells(nav, place, MAX_CELLS) else { continue };
        let is_there = |x: i32, y: i32| nav.terrain(GridCell::new(x, y)) != Some(Terrain::VOID);
        for x in cells.min.x + 1..=cells.max.x {
            for (from, to) in runs(cells.min.y..=cells.max.y, |y| is_there(x - 1, y) || is_there(x, y)) {
                line(Vec2::new(x as f32, from), Vec2::new(x as f32, to));
            }
        }
        for y in cells.min.y + 1..=cells.max.y {
            for (from, to) in runs(cells.min.x..=cells.max.x, |x| is_there(x, y - 1) || is_there(x, y)) {
                line(Vec2::new(from, y as f32), Vec2::new(to, y as f32));
            }
        }
        for cell in cells.cells() {
            for direction in [Direction::E, Direction::S] {
                let over = Vec2::new(direction.offset().0 as f32, direction.offset().1 as f32) / 2.0;
                match nav.edge(cell, direction) {
                    EdgeRule::Open => (),
                    // A bar beside the edge on each side of it, so that it stands out from the line between the cells.
                    EdgeRule::Fence => [0.9, 1.0, 1.1].into_iter().for_each(|side| {
                        let middle = cell.center() + over * side;
                        line(middle + over.perp(), middle - over.perp());
                    }),
                    // An arrow in each direction in which steps lead.
                    EdgeRule::Directed { there, back } => {
                        for (_, along) in
                            [(there, over), (back, -over)].into_iter().filter(|it| it.0.is_some())
                        {
                            let tip = cell.center() + over + (along + along.perp()) * 0.5;
                            line(tip - along, tip);
                            [1.0, -1.0].into_iter().for_each(|side| {
                                line(tip - along * 0.4 + along.perp() * 0.3 * side, tip);
                            });
                        }
                    }
                }
            }
        }
        let is_wall =
            |&cell: &GridCell| !nav.grid().is_walkable(KindId::default(), cell) && is_there(cell.x, cell.y);
        for center in cells.cells().filter(is_wall).map(GridCell::center) {
            line(center - 0.5, center + 0.5);
            line(center + Vec2::new(-0.5, 0.5), center + Vec2::new(0.5, -0.5));
        }
    }
}

/// The runs of columns or rows for which something holds, each from its first border to its last.
fn runs(all: RangeInclusive<i32>, mut holds: impl FnMut(i32) -> bool) -> impl Iterator<Item = (f32, f32)> {
    let mut rest = all;
    core::iter::from_fn(move || {
        let first = rest.find(|&at| holds(at))?;
        let past = rest.find(|&at| !holds(at)).unwrap_or(rest.end() + 1);
        Some((first as f32, past as f32))
    })
}

pub(super) fn draw_terrain(
    mut gizmos: Gizmos<WorldGizmos>,
    grids: Query<(&NavGrid, &GridTransform), Without<PartOfGrid>>,
    views: CameraViews,
    show: Res<NavGizmos>,
) {
    for (nav, place) in &grids {
        let Some(cells) = views.cells(nav, place, MAX_CELLS) else { continue };
        let costs = |cell: GridCell| nav.grid().cost(KindId::default(), cell).filter(|&cost| cost != 1.0);
        let dearest = cells.cells().filter_map(costs).fold(2.0_f32, f32::max);
        for (cell, cost) in cells.cells().filter_map(|cell| Some((cell, costs(cell)?))) {
            let share = (cost / dearest).sqrt().clamp(0.2, 1.0);
            let color = show.terrain_color.with_alpha(share);
            for half in [0.42, 0.42 - 0.3 * share] {
                gizmos.lineloop(square(nav, place, cell, half), color);
            }
        }
    }
}

pub(super) fn draw_influence(
    mut gizmos: Gizmos<WorldGizmos>,
    grids: Query<(&NavGrid, &GridTransform, &GridInfluence), Without<PartOfGrid>>,
    views: CameraViews,
) {
    for (nav, place, influence) in &grids {
        let Some(view) = views.cells(nav, place, MAX_CELLS) else { continue };
        for (index, layer) in influence.layers() {
            let hue = f32::from(index.0) * 137.508 % 360.0;
            let rects: Vec<_> = layer.filled().filter_map(|rect| rect.intersection(view)).collect();
            let cells = || rects.iter().flat_map(|rect| rect.cells()).map(|cell| (cell, layer.value(cell)));
            let most = cells().map(|(_, value)| value.abs()).fold(f32::MIN_POSITIVE, f32::max);
            for (cell, value) in cells().filter(|&(_, value)| value != 0.0) {
                let share = (value.abs() / most).sqrt();
                let color = Color::hsla(hue, 0.85, 0.6, share.clamp(0.15, 1.0));
                gizmos.lineloop(square(nav, place, cell, 0.45 * share), color);
                if value < 0.0 {
                    gizmos.lineloop(square(nav, place, cell, 0.3 * share), color);
                }
            }
        }
    }
}

pub(super) fn draw_links(
    mut gizmos: Gizmos<WorldGizmos>,
    links: Query<&NavLink>,
    grids: Query<(&NavGrid, &GridTransform)>,
    show: Res<NavGizmos>,
) {
    for link in &links {
        let Ok([(nav, from), (other, to)]) = grids.get_many([link.from.grid, link.to.grid]) else { continue };
        let color = show.link_color.with_alpha(if link.is_open { 1.0 } else { 0.25 });
        for (start, end) in link.from.cells.cells().zip(link.to.cells.cells()) {
            gizmos.lineloop(square(nav, from, start, 0.4), color);
            gizmos.lineloop(square(other, to, end, 0.4), color);
            let (start, end) = (on_ground(nav, from, start.center()), on_ground(other, to, end.center()));
            let tip = 0.3 * from.cell_size();
            gizmos.arrow(start, end, color).with_tip_length(tip);
            if link.both_ways {
                gizmos.arrow(end, start, color).with_tip_length(tip);
            }
        }
    }
}

pub(super) fn draw_regions(
    mut gizmos: Gizmos<WorldGizmos>,
    grids: Query<(&NavGrid, &GridTransform), Without<PartOfGrid>>,
    views: CameraViews,
    defaults: Option<Res<SearchOptions>>,
) {
    let steps = defaults.map_or(StepRules::default(), |defaults| defaults.steps());
    for (nav, place) in &grids {
        let Some(cells) = views.cells(nav, place, MAX_CELLS) else { continue };
        for cell in cells.cells() {
            let Some(region) = nav.grid().region(KindId::default(), steps, cell) else { continue };
            // Multiples of the golden angle give neighbouring region numbers very different hues.
            let color = Color::hsl(region as f32 * 137.508 % 360.0, 0.7, 0.55);
            gizmos.lineloop(square(nav, place, cell, 0.3), color);
        }
    }
}

pub(super) fn draw_clearance(
    mut gizmos: Gizmos<WorldGizmos>,
    grids: Query<(&NavGrid, &GridTransform), Without<PartOfGrid>>,
    views: CameraViews,
    show: Res<NavGizmos>,
) {
    for (nav, place) in &grids {
        let Some(cells) = views.cells(nav, place, MAX_CELLS / 8) else { continue };
        let turn = Quat::from_rotation_arc(Vec3::Z, place.up());
        let walls = GridWalls { grid: nav.grid(), kind: KindId::default() };
        for cell in cells.cells().filter(|&cell| nav.grid().is_walkable(walls.kind, cell)) {
            let gap = clearance(walls, cell.center());
            let at = Isometry3d::new(on_ground(nav, place, cell.center()), turn);
            let color = show.clearance_color.with_alpha(0.7);
            gizmos.circle(at, gap.min(0.5) * place.cell_size() * 0.9, color).resolution(8);
            if gap > 1.0 {
                let inner = (gap / MAX_CLEARANCE).min(1.0) * 0.4;
                gizmos.circle(at, inner * place.cell_size(), color).resolution(8);
            }
        }
    }
}

/// The distance from a point of grid space to the nearest wall, in cells, at most [`MAX_CLEARANCE`].
fn clearance(walls: GridWalls, at: Vec2) -> f32 {
    let nearest = |reach| walls.nearest_points(at, reach).map(|point| point.distance(at)).reduce(f32::min);
    [1.0, 2.0, 4.0, MAX_CLEARANCE].into_iter().find_map(nearest).unwrap_or(MAX_CLEARANCE)
}

/// The flow field that is drawn, with the grid and goal that it was computed for.
pub(super) struct Flow {
    grid: Entity,
    goal: GridCell,
    field: DistanceField,
}

#[expect(clippy::too_many_arguments, reason = "a system's parameters are what it reads")]
pub(super) fn draw_flow(
    mut gizmos: Gizmos<WorldGizmos>,
    grids: Query<(&NavGrid, &GridTransform)>,
    requests: Query<&PathRequest>,
    positions: Positions,
    views: CameraViews,
    stats: Res<SolveStats>,
    show: Res<NavGizmos>,
    mut flow: Local<Option<Flow>>,
) {
    let Some(last) = &stats.last else { return };
    let Ok((nav, place)) = grids.get(last.grid) else { return };
    let asked = requests.get(last.agent).ok().and_then(|request| request.goal.points(&positions).ok());
    let goal = asked.and_then(|goals| Some(GridCell::containing(place.to_grid(*goals.first()?))));
    let Some(goal) = goal.or_else(|| flow.as_ref().map(|flow| flow.goal)) else { return };
    let is_current = |flow: &Flow| {
        (flow.grid, flow.goal, flow.field.revision()) == (last.grid, goal, nav.grid().revision())
    };
    if !flow.as_ref().is_some_and(is_current) {
        let (kind, mut scratch) = (KindId::default(), SearchScratch::default());
        let field = DistanceField::new(nav.grid(), kind, StepRules::default(), &[goal], &mut scratch);
        *flow = field.ok().map(|field| Flow { grid: last.grid, goal, field });
    }
    let Some(Flow { field, .. }) = &*flow else { return };
    let Some(cells) = views.cells(nav, place, MAX_CELLS / 2) else { return };
    for cell in cells.cells() {
        let Some(direction) = field.flow(cell.center()) else { continue };
        let (from, to) = (cell.center() - direction * 0.3, cell.center() + direction * 0.3);
        let ground = |point: Vec2| on_ground(nav, place, point);
        gizmos.line(ground(from), ground(to), show.flow_color);
        let side = direction.perp() * 0.15;
        for side in [side, -side] {
            let back = cell.center() + direction * 0.1 + side;
            gizmos.line(ground(to), ground(back), show.flow_color);
        }
    }
}

#[cfg(test)]
mod tests {
    use pathfind_core::Grid;

    use super::*;

    #[test]
    fn clearance_is_the_distance_to_the_nearest_wall() {
        let grid = Grid::from_ascii(".......\n.......\n...#...\n.......\n.......").expect("a map");
        let at = |x, y| {
            let walls = GridWalls { grid: &grid, kind: KindId::default() };
            clearance(walls, GridCell::new(x, y).center())
        };
        assert_eq!(at(2, 2), 0.5, "beside a wall it is half a cell");
        assert_eq!(at(0, 0), 0.5, "so it is beside the border");
        assert_eq!(at(1, 1), 1.5, "one cell from the border it is one and a half");
    }
}
