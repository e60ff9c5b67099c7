//! Line of sight compared with exact geometry: every cell near the segment is tested by itself, in integers.

use super::common::{Random, Style, styled_grid};
use glam::{DVec2, Vec2};
use pathfind_core::{
    AgentKind, AgentShape, AgentSize, CornerRule, Grid, GridCell, KindId, Terrain, line_of_sight,
};

/// Points are multiples of this fraction of a cell.
const PARTS: i128 = 1024;

type Point = (i128, i128);

/// Whether one point sees another, by the definition of the corner rules.
pub(crate) fn sees(grid: &Grid, kind: KindId, corners: CornerRule, from: Vec2, to: Vec2) -> bool {
    let parts = |v: f32| (f64::from(v) * PARTS as f64).round() as i128;
    let (a, b) = ((parts(from.x), parts(from.y)), (parts(to.x), parts(to.y)));
    // In each row the cells near the segment, and some more.
    let cells = || {
        (a.1.min(b.1).div_euclid(PARTS) - 1..=a.1.max(b.1).div_euclid(PARTS) + 1).flat_map(|y| {
            let ends = [y - 1, y + 2].map(|y| (y * PARTS).clamp(a.1.min(b.1), a.1.max(b.1)) - a.1);
            let [p, q] = ends.map(|dy| if a.1 == b.1 { 0 } else { dy * (b.0 - a.0) / (b.1 - a.1) });
            let (p, q) = if a.1 == b.1 { (a.0, b.0) } else { (a.0 + p, a.0 + q) };
            (p.min(q).div_euclid(PARTS) - 2..=p.max(q).div_euclid(PARTS) + 2).map(move |x| (x, y))
        })
    };
    let is_free = |x: i128, y: i128| grid.is_walkable(kind, GridCell::new(x as i32, y as i32));
    let mut walls = cells().filter(|&(x, y)| !is_free(x, y));
    if corners == CornerRule::Never {
        return walls.all(|wall| !touches(a, b, wall));
    }
    if walls.any(|wall| enters(a, b, wall)) {
        return false;
    }
    if a == b {
        return cells().any(|(x, y)| is_free(x, y) && touches(a, b, (x, y)));
    }
    // Each corner of cells, with the edges to its right and below it.
    cells().all(|(x, y)| {
        let [nw, ne, sw, se] = [is_free(x - 1, y - 1), is_free(x, y - 1), is_free(x - 1, y), is_free(x, y)];
        let overlaps =
            |p: i128, q: i128, cell: i128| p.min(q).max(cell * PARTS) < p.max(q).min((cell + 1) * PARTS);
        let along_edge = (a.1, b.1) == (y * PARTS, y * PARTS) && overlaps(a.0, b.0, x) && !ne && !se
            || (a.0, b.0) == (x * PARTS, x * PARTS) && overlaps(a.1, b.1, y) && !sw && !se;
        let leans = (b.0 - a.0).signum() * (b.1 - a.1).signum();
        let is_between = !ne && !sw && leans >= 0 || !nw && !se && leans <= 0;
        let squeezes = corners == CornerRule::OneFree && is_between && passes(a, b, (x * PARTS, y * PARTS));
        !along_edge && !squeezes
    })
}

/// The side of a segment on which a point is; 0 on the line through it.
fn side(a: Point, b: Point, point: Point) -> i128 {
    ((b.0 - a.0) * (point.1 - a.1) - (b.1 - a.1) * (point.0 - a.0)).signum()
}

fn sides_of_corners(a: Point, b: Point, (x, y): Point) -> [i128; 4] {
    let [(left, right), (top, bottom)] = [x, y].map(|first| (first * PARTS, (first + 1) * PARTS));
    [(left, top), (right, top), (left, bottom), (right, bottom)].map(|corner| side(a, b, corner))
}

/// Whether a segment meets a cell, including its edges and corners.
fn touches(a: Point, b: Point, cell: Point) -> bool {
    let reaches =
        |p: i128, q: i128, first: i128| p.max(q) >= first * PARTS && p.min(q) <= (first + 1) * PARTS;
    let sides = sides_of_corners(a, b, cell);
    let is_beside = sides.iter().all(|&side| side > 0) || sides.iter().all(|&side| side < 0);
    reaches(a.0, b.0, cell.0) && reaches(a.1, b.1, cell.1) && !is_beside
}

/// Whether a segment meets the inside of a cell.
fn enters(a: Point, b: Point, cell: Point) -> bool {
    let reaches = |p: i128, q: i128, first: i128| p.max(q) > first * PARTS && p.min(q) < (first + 1) * PARTS;
    let sides = sides_of_corners(a, b, cell);
    let runs_through = sides.iter().any(|&side| side > 0) && sides.iter().any(|&side| side < 0);
    reaches(a.0, b.0, cell.0) && reaches(a.1, b.1, cell.1) && (runs_through || a == b)
}

/// Whether a segment passes through a point between its ends.
fn passes(a: Point, b: Point, point: Point) -> bool {
    let (along, there) = ((b.0 - a.0, b.1 - a.1), (point.0 - a.0, point.1 - a.1));
    let gone = there.0 * along.0 + there.1 * along.1;
    side(a, b, point) == 0 && gone > 0 && gone < along.0 * along.0 + along.1 * along.1
}

fn check(grid: &Grid, from: Vec2, to: Vec2) {
    for &corners in CornerRule::ALL {
        let seen = line_of_sight(grid, KindId::default(), corners, from, to);
        let expected = sees(grid, KindId::default(), corners, from, to);
        assert_eq!(seen, expected, "{corners:?}, {from} to {to} on\n{}", grid.to_ascii().unwrap());
        let back = line_of_sight(grid, KindId::default(), corners, to, from);
        assert_eq!(back, seen, "{corners:?}, {to} back to {from}");
    }
}

#[test]
fn line_of_sight_matches_its_definition() {
    let mut random = Random(41);
    for round in 0..800 {
        let (width, height) = match round % 4 {
            0 => (60 + random.below(90), 1 + random.below(9)),
            1 => (1 + random.below(9), 60 + random.below(90)),
            _ => (1 + random.below(14), 1 + random.below(14)),
        };
        let grid = styled_grid(&mut random, Style::ALL[round % 5 % 4], width, height);
        for _ in 0..20 {
            let parts = [1, 2, 4, 1024][random.below(4) as usize];
            let mut along = |side: u32| random.below(side * parts + 1) as f32 / parts as f32;
            let (from, to) = (Vec2::new(along(width), along(height)), Vec2::new(along(width), along(height)));
            check(&grid, from, to);
            check(&grid, from, from);
        }
    }
}

#[test]
fn sight_is_exact_across_the_longest_grid() {
    let mut random = Random(42);
    let posts: Vec<GridCell> =
        (0..60).map(|_| GridCell::new(random.below(Grid::MAX_SIDE) as i32, random.below(5) as i32)).collect();
    let mut clear = 0;
    for is_upright in [false, true] {
        let (width, height) = if is_upright { (5, Grid::MAX_SIDE) } else { (Grid::MAX_SIDE, 5) };
        let turned = |cell: GridCell| if is_upright { GridCell::new(cell.y, cell.x) } else { cell };
        let mut grid = Grid::new(width, height).unwrap();
        posts.iter().for_each(|&post| _ = grid.set(turned(post), Terrain::WALL));
        for _ in 0..12 {
            let mut point = || {
                let (far, near) = (random.below(Grid::MAX_SIDE * 4 + 1), random.below(5 * 4 + 1));
                let point = Vec2::new(far as f32, near as f32) / 4.0;
                if is_upright { Vec2::new(point.y, point.x) } else { point }
            };
            let (from, to) = (point(), point());
            for &corners in CornerRule::ALL {
                let seen = line_of_sight(&grid, KindId::default(), corners, from, to);
                clear += u32::from(seen);
                let expected = sees(&grid, KindId::default(), corners, from, to);
                assert_eq!(seen, expected, "{corners:?}, {from} to {to}");
            }
        }
    }
    assert!((10..60).contains(&clear), "of 72 lines {clear} are clear");
}

/// The distance from a segment to a cell that it does not cross.
fn distance(from: DVec2, to: DVec2, cell: GridCell) -> f64 {
    let low = DVec2::new(f64::from(cell.x), f64::from(cell.y));
    let to_cell = |point: DVec2| point.distance(point.clamp(low, low + 1.0));
    let along = to - from;
    let to_way = |point: DVec2| {
        let part =
            if along == DVec2::ZERO { 0.0 } else { (point - from).dot(along) / along.length_squared() };
        point.distance(from + along * part.clamp(0.0, 1.0))
    };
    let corners = [DVec2::ZERO, DVec2::X, DVec2::Y, DVec2::ONE].map(|corner| to_way(low + corner));
    corners.into_iter().fold(to_cell(from).min(to_cell(to)), f64::min)
}

#[test]
fn line_of_sight_of_a_disc_needs_its_radius_of_clearance() {
    let mut random = Random(43);
    let (mut seen, mut short_of_room) = (0, 0);
    for round in 0..300 {
        let (width, height) = (4 + random.below(40), 4 + random.below(12));
        let mut grid = styled_grid(&mut random, Style::ALL[round % 4], width, height);
        let radius = [0.2, 0.5, 0.75, 1.3][round / 4 % 4];
        let size = AgentSize::Disc(radius);
        let kind = grid.add_kind(AgentKind { size, ..AgentKind::default() }).unwrap();
        let walls: Vec<GridCell> = grid
            .bounds()
            .grown(2)
            .cells()
            .filter(|&cell| !grid.is_walkable(KindId::default(), cell))
            .collect();
        for _ in 0..20 {
            let mut along = |side: u32| random.below(side * 4 + 1) as f32 / 4.0;
            let (from, to) = (Vec2::new(along(width), along(height)), Vec2::new(along(width), along(height)));
            let is_clear = sees(&grid, kind, CornerRule::Never, from, to);
            let room = walls.iter().map(|&wall| distance(from.as_dvec2(), to.as_dvec2(), wall));
            let room = room.fold(f64::INFINITY, f64::min);
            let is_seen = line_of_sight(&grid, kind, CornerRule::Never, from, to);
            if radius <= 0.5 {
                let shape = AgentShape { radius, ..AgentShape::default() };
                let seen = line_of_sight(&grid, shape, CornerRule::Never, from, to);
                assert_eq!(seen, is_seen, "a body of the default kind is the same disc");
            }
            assert!(!is_seen || is_clear && room > f64::from(radius) - 1e-3, "{from} to {to}: {room}");
            assert!(is_seen || !is_clear || room < f64::from(radius) + 1e-3, "{from} to {to}: {room}");
            seen += u32::from(is_seen);
            short_of_room += u32::from(is_clear && !is_seen);
        }
    }
    assert!(seen > 300 && short_of_room > 30, "{seen} lines were clear, {short_of_room} were too narrow");
}
