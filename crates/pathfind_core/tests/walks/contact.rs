//! Steps that walls stop: where they end, and what they must not cross.

use glam::Vec2;
use pathfind_core::{
    AgentKind, AgentSize, CornerRule, Grid, GridCell, Terrain,
    steer::{CounterRng, contact::walls::slide},
};
use std::collections::HashSet;

use crate::map::{KIND, pick};

fn with_size(mut grid: Grid, size: AgentSize) -> Grid {
    grid.set_kind(KIND, AgentKind { size, ..Default::default() }).expect("the size is valid");
    grid
}

/// A position and direction, rotated about a point by all four quarter turns.
fn turned(center: Vec2, at: Vec2, motion: Vec2) -> [(Vec2, Vec2); 4] {
    [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y]
        .map(|turn| (center + turn.rotate(at - center), turn.rotate(motion)))
}

#[test]
fn a_disc_slides_past_a_convex_corner() {
    let mut rng = CounterRng::new(1, 0, 0);
    for _ in 0..500 {
        let radius = 0.1 + 0.9 * rng.unit();
        let step = 0.005 + 0.3 * rng.unit();
        let mut grid = Grid::new(13, 13).expect("the size is valid");
        grid.set(GridCell::new(6, 6), Terrain::WALL).expect("it lies on the grid");
        let grid = with_size(grid, AgentSize::Disc(radius));
        // The centre passes the wall at this fraction of the radius.
        let over = 0.05 + 0.9 * rng.unit();
        let middle = Vec2::splat(6.5);
        for (from, motion) in turned(middle, Vec2::new(4.0, 6.0 - radius * over), Vec2::X * step) {
            let is_past = |at: Vec2| (at - middle).dot(motion) > 1.6 * step;
            let mut at = from;
            for _ in 0..20_000 {
                at = slide(&grid, KIND, CornerRule::Never, at, at + motion);
                if is_past(at) {
                    break;
                }
            }
            assert!(is_past(at), "radius {radius}, {over} of it over the corner, by {motion}: stops at {at}");
        }
    }
}

#[test]
fn a_point_goes_round_the_end_of_a_wall_that_is_near_and_not_round_one_that_is_far() {
    let grid = Grid::from_ascii("....\n....\n..#.\n..#.").expect("it is a map");
    let walk = |from: Vec2| {
        (0..200).fold(from, |at, _| slide(&grid, KIND, CornerRule::OneFree, at, at + Vec2::X * 0.01))
    };
    let near = walk(Vec2::new(1.5, 2.05));
    assert!(near.x > 3.0 && near.y < 2.0, "it passes the end: {near}");
    let far = walk(Vec2::new(1.5, 2.3));
    assert!(far.x < 2.0 && far.y == 2.3, "it is stopped: {far}");
}

#[test]
fn points_pass_diagonally_between_walls_only_if_the_corner_rule_allows() {
    for map in [".#\n#.", "#.\n.#"] {
        let grid = Grid::from_ascii(map).expect("it is a map");
        let (from, to) = match map.starts_with('.') {
            true => (Vec2::new(0.5, 0.5), Vec2::new(1.5, 1.5)),
            false => (Vec2::new(1.5, 0.5), Vec2::new(0.5, 1.5)),
        };
        for (from, to) in [(from, to), (to, from)] {
            for (rule, step) in
                [(CornerRule::Never, 0.01), (CornerRule::OneFree, 0.3), (CornerRule::Always, 0.001)]
            {
                let mut at = from;
                for _ in 0..2_000 {
                    let motion = (to - at).clamp_length_max(step);
                    at = slide(&grid, KIND, rule, at, at + motion);
                }
                let passes = rule == CornerRule::Always;
                assert_eq!(at.distance(to) < 1e-3, passes, "{map:?}, {rule:?}: from {from} it comes to {at}");
            }
        }
    }
}

#[test]
fn a_disc_wider_than_its_room_stays_inside() {
    let grid = with_size(Grid::from_ascii(".#.#.#.").expect("it is a map"), AgentSize::Disc(2.2));
    for x in 0..4 {
        let cell = GridCell::new(2 * x, 0);
        for motion in [Vec2::ZERO, Vec2::X, Vec2::NEG_X, Vec2::new(0.3, 0.2)] {
            let end = slide(&grid, KIND, CornerRule::Never, cell.center(), cell.center() + motion);
            assert_eq!(GridCell::containing(end), cell, "from {} by {motion} to {end}", cell.center());
        }
    }
}

/// The cells that a point touches: inside, on an edge, or at a corner.
fn touched(at: Vec2) -> impl Iterator<Item = GridCell> {
    let cell = GridCell::containing(at);
    let on = (at.x.fract() == 0.0, at.y.fract() == 0.0);
    let before = [(0, 0), (1, 0), (0, 1), (1, 1)].into_iter();
    let before = before.filter(move |&(x, y)| (x == 0 || on.0) && (y == 0 || on.1));
    before.map(move |(x, y)| GridCell::new(cell.x - x, cell.y - y))
}

/// The free cells that are connected with given ones through edges and, if requested, corners.
fn region(grid: &Grid, from: impl Iterator<Item = GridCell>, over_corners: bool) -> HashSet<GridCell> {
    let is_free = |cell: &GridCell| grid.terrain(*cell) == Some(Terrain::GROUND);
    let mut reached = HashSet::new();
    let mut open: Vec<GridCell> = from.filter(is_free).collect();
    while let Some(cell) = open.pop() {
        if reached.insert(cell) {
            let around = (-1..=1).flat_map(|y| (-1..=1).map(move |x| (x, y)));
            let steps = around.filter(|(x, y): &(i32, i32)| over_corners || x.abs() + y.abs() == 1);
            open.extend(steps.map(|(x, y)| GridCell::new(cell.x + x, cell.y + y)).filter(is_free));
        }
    }
    reached
}

#[test]
fn no_step_leaves_the_region_that_it_starts_in() {
    let mut tried = 0;
    for seed in 0..60_000 {
        let mut rng = CounterRng::new(3, seed, 0);
        let part = 0.2 + 0.4 * rng.unit();
        let terrain = |_| if rng.unit() < part { Terrain::WALL } else { Terrain::GROUND };
        let grid = Grid::from_fn(8, 7, terrain).expect("the size is valid");
        let size = match pick(&mut rng, 3) {
            0 => AgentSize::Square(1),
            _ => AgentSize::Disc([0.1, 0.3, 0.5, 0.9, 2.2][pick(&mut rng, 5)]),
        };
        let rule = CornerRule::ALL[pick(&mut rng, 3)];
        let grid = with_size(grid, size);
        // Often on edges and corners of cells.
        let on_edges = rng.unit() < 0.7;
        let mut place = || {
            let at = Vec2::new(rng.unit(), rng.unit()) * Vec2::new(10.0, 9.0) - 1.0;
            if on_edges { (at * 2.0).round() / 2.0 } else { at }
        };
        let (from, to) = (place(), place());
        let over_corners = size == AgentSize::Square(1) && rule == CornerRule::Always;
        let reached = region(&grid, touched(from), over_corners);
        if reached.is_empty() {
            continue;
        }
        tried += 1;
        let mut at = from;
        for (steps, part) in [0.01, 0.3, 1.0, 1.0].into_iter().enumerate() {
            at = slide(&grid, KIND, rule, at, at + (to - at) * part);
            assert!(
                touched(at).any(|cell| reached.contains(&cell)),
                "seed {seed}: {size:?}, {rule:?}, from {from} to {to}: after {steps} steps more it is at {at}"
            );
        }
    }
    assert!(tried > 20_000, "most start outside of walls, not {tried}");
}
