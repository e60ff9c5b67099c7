//! Paths of vehicles compared with a search over poses of another discretisation, and checked against the walls by
//! dense samples.

use std::collections::{BinaryHeap, HashSet};

use super::common::{Entry, KIND, Random};
use glam::{DVec2, Vec2};
use pathfind_core::{
    Algorithm, CellRect, Direction, EdgeRule, Grid, GridCell, KindId, Limits, Outcome, PartialReason,
    PathQuery, Progress, SearchError, SearchScratch, Terrain, VehicleBody, VehiclePath, VehiclePose,
    VehicleQuery, VehicleSearch, solve, solve_vehicle,
};

const TRUCK: VehicleBody = VehicleBody { length: 2.0, width: 1.0, turning_radius: 3.0, reverses: true };

/// A pose in the test's own numbers.
#[derive(Copy, Clone, Debug, PartialEq)]
struct Pose {
    at: DVec2,
    heading: f64,
}

impl Pose {
    fn of(pose: VehiclePose) -> Self {
        Self { at: pose.position.as_dvec2(), heading: pose.heading.into() }
    }

    fn driven(self, curvature: f64, distance: f64) -> Self {
        // By the chord: the middle heading, and the length of the chord.
        let turn = curvature * distance;
        let chord = if turn.abs() < 1e-9 { distance } else { distance * (turn / 2.0).sin() / (turn / 2.0) };
        let middle = self.heading + turn / 2.0;
        Self { at: self.at + DVec2::new(middle.cos(), middle.sin()) * chord, heading: self.heading + turn }
    }

    /// How deep the body is in a wall or beyond the border: 0 if it overlaps none.
    fn depth(self, grid: &Grid, body: &VehicleBody) -> f64 {
        let along = DVec2::new(self.heading.cos(), self.heading.sin());
        let half = [f64::from(body.length) / 2.0, f64::from(body.width) / 2.0];
        let extent = half[0] * along.abs() + half[1] * along.perp().abs();
        let [low, high] = [(self.at - extent).floor(), (self.at + extent).floor()];
        let mut deepest = 0.0f64;
        for y in low.y as i32..=high.y as i32 {
            for x in low.x as i32..=high.x as i32 {
                if grid.is_walkable(KIND, GridCell::new(x, y)) {
                    continue;
                }
                let away = DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5) - self.at;
                let own =
                    |axis: DVec2| half[0] * axis.dot(along).abs() + half[1] * axis.dot(along.perp()).abs();
                let depth = [DVec2::X, DVec2::Y, along, along.perp()]
                    .map(|axis| own(axis) + 0.5 * (axis.x.abs() + axis.y.abs()) - axis.dot(away).abs());
                deepest = deepest.max(depth.into_iter().fold(f64::INFINITY, f64::min));
            }
        }
        deepest
    }
}

/// The cost and the length of the cheapest drive of a fine lattice: positions in squares of a quarter cell, headings
/// of 5 degrees, arcs of the turning circle and of twice its radius, drives of 0.36 cells. The poses are exact, so
/// that what it finds can be driven.
fn oracle(grid: &Grid, query: &VehicleQuery) -> Option<(f64, f64)> {
    const DRIVE: f64 = 0.36;
    let (body, goal) = (&query.body, query.goal.as_dvec2());
    let place = |pose: &Pose| {
        let heading = (pose.heading.to_degrees() / 5.0).round() as i32;
        ((pose.at.x * 4.0) as i32, (pose.at.y * 4.0) as i32, heading.rem_euclid(72))
    };
    let tightest = 1.0 / f64::from(body.turning_radius);
    let curvatures = [0.0, tightest, -tightest, tightest / 2.0, -tightest / 2.0];
    let gears: &[f64] = if body.reverses { &[1.0, -1.0] } else { &[1.0] };
    let start = Pose::of(query.start);
    let mut open = BinaryHeap::from([Entry(start.at.distance(goal), (start, 0.0, 0.0, 0.0))]);
    let mut closed = HashSet::new();
    while let Some(Entry(_, (pose, gear, cost, length))) = open.pop() {
        if !closed.insert(place(&pose)) {
            continue;
        }
        if pose.at.distance(goal) <= f64::from(query.reach) {
            return Some((cost + pose.at.distance(goal), length + pose.at.distance(goal)));
        }
        for &next in gears {
            for curvature in curvatures {
                let end = pose.driven(curvature, next * DRIVE);
                let is_free = |part: u32| {
                    pose.driven(curvature, next * DRIVE * f64::from(part) / 4.0).depth(grid, body) <= 1e-6
                };
                if closed.contains(&place(&end)) || !(1..=4).all(is_free) {
                    continue;
                }
                let changed = if gear != 0.0 && gear != next { VehicleQuery::GEAR_COST } else { 0.0 };
                let factor = if next < 0.0 { VehicleQuery::REVERSE_COST } else { 1.0 };
                let cost = cost + changed + factor * DRIVE;
                open.push(Entry(cost + end.at.distance(goal), (end, next, cost, length + DRIVE)));
            }
        }
    }
    None
}

/// Checks that a path can be driven: legs join, no arc is tighter than the turning circle, and dense samples overlap
/// no wall.
fn check(grid: &Grid, query: &VehicleQuery, path: &VehiclePath) {
    let mut before = query.start;
    for leg in &path.legs {
        let (a, b) = (Pose::of(before), Pose::of(leg.start));
        assert!(a.at.distance(b.at) < 1e-3, "legs join: {before:?} {leg:?}");
        let turned = (a.heading - b.heading) / std::f64::consts::TAU;
        assert!((turned - turned.round()).abs() < 1e-3, "headings join: {before:?} {leg:?}");
        assert!(
            f64::from(leg.curvature.abs()) * f64::from(query.body.turning_radius) <= 1.0 + 1e-5,
            "{leg:?}"
        );
        assert!(query.body.reverses || !leg.is_reverse, "{leg:?}");
        let parts = (leg.length / 0.02).ceil() as u32;
        let direction = if leg.is_reverse { -1.0 } else { 1.0 };
        for part in 0..=parts {
            let distance = leg.length * part as f32 / parts as f32;
            let pose = b.driven(leg.curvature.into(), direction * f64::from(distance));
            let depth = pose.depth(grid, &query.body);
            assert!(depth <= 2e-3, "at {pose:?} it is {depth} deep in a wall: {leg:?}");
            let told = Pose::of(leg.pose_at(distance));
            assert!(told.at.distance(pose.at) < 1e-3, "{told:?} {pose:?}");
        }
        before = leg.end();
    }
    let end = path.end.position;
    assert!(end.distance(before.position) < 1e-3);
    assert!(
        !path.is_complete() || end.distance(query.goal) <= query.reach + 1e-3,
        "it ends at the goal: {path:?}"
    );
    let length: f64 = path.legs.iter().map(|leg| f64::from(leg.length)).sum();
    assert!((length - path.length).abs() < 1e-3);
}

/// A map of one of three styles: single walls, houses, and rooms with doors.
fn random_map(random: &mut Random, style: u32, side: u32) -> Grid {
    let mut grid = Grid::new(side, side).unwrap();
    let mut fill = |x: u32, y: u32, width: u32, height: u32| {
        let corner = GridCell::new(x as i32, y as i32);
        let other = GridCell::new((x + width) as i32 - 1, (y + height) as i32 - 1);
        grid.fill(CellRect::new(corner, other), Terrain::WALL);
    };
    match style {
        0 => (0..side * side * (2 + random.below(7)) / 100)
            .for_each(|_| fill(random.below(side), random.below(side), 1, 1)),
        1 => (0..side * side / (25 + random.below(20))).for_each(|_| {
            fill(random.below(side), random.below(side), 1 + random.below(4), 1 + random.below(4));
        }),
        _ => {
            let room = 5 + random.below(4);
            for wall in (room..side).step_by(room as usize + 1) {
                fill(wall, 0, 1, side);
                fill(0, wall, side, 1);
            }
            let doors: Vec<(u32, u32)> =
                (0..2 * side).map(|_| (random.below(side), random.below(side))).collect();
            for (x, y) in doors {
                let [low, high] = [(x, y), (x + 2, y + 2)].map(|(x, y)| GridCell::new(x as i32, y as i32));
                grid.fill(CellRect::new(low, high), Terrain::GROUND);
            }
        }
    }
    grid
}

/// A query from a free pose to a free pose's middle.
fn random_query(random: &mut Random, grid: &Grid, body: VehicleBody) -> Option<VehicleQuery> {
    let mut pose = || {
        let unit = |random: &mut Random| random.below(1000) as f32 / 1000.0;
        let side = grid.width() as f32;
        (0..200).find_map(|_| {
            let position = Vec2::new(unit(random), unit(random)) * side;
            let pose = VehiclePose { position, heading: unit(random) * 6.2 - 3.1 };
            (Pose::of(pose).depth(grid, &body) == 0.0).then_some(pose)
        })
    };
    Some(VehicleQuery::new(pose()?, pose()?.position, body))
}

/// Where the lattice finds a drive, the search does. Its path is seldom longer: both keep one pose of each part of a
/// cell, so that neither is the shortest.
#[test]
fn a_truck_arrives_wherever_a_drive_leads() {
    let (mut random, scratch) = (Random(53), &mut SearchScratch::default());
    let (mut ratios, mut expanded, mut none) = (Vec::new(), Vec::new(), 0);
    for round in 0..100 {
        let grid = random_map(&mut random, round % 3, 24);
        let body = VehicleBody { reverses: round % 4 != 3, ..TRUCK };
        let query = random_query(&mut random, &grid, body).expect("there is room");
        let path = solve_vehicle(&grid, query, scratch);
        if let Ok(path) = &path {
            check(&grid, &query, path);
            assert!(path.is_complete(), "round {round}: {path:?}");
            let [from, to] = [query.start.position, query.goal].map(GridCell::containing);
            let steps = PathQuery { algorithm: Algorithm::AStar, ..PathQuery::new(from, to) };
            let steps = solve(&grid, &steps, scratch).unwrap().metrics.expanded;
            expanded.push(path.metrics.expanded as f64 / steps as f64);
        }
        match (oracle(&grid, &query), path) {
            (Some((cost, length)), Ok(path)) => ratios.push([path.length / length, path.cost / cost]),
            (Some(best), Err(error)) => panic!("round {round}: {error}, although {best:?}: {query:?}"),
            (None, found) => none += u32::from(found.is_err()),
        }
    }
    let count = ratios.len();
    assert!(count >= 80 && none >= 5, "most goals are reached, and some cannot be: {count}, {none}");
    expanded.sort_by(f64::total_cmp);
    println!("expansions for each of A*: median {}", expanded[expanded.len() / 2]);
    assert!(expanded[expanded.len() / 2] <= 10.0, "{expanded:?}");
    for (what, ratios) in [0, 1].map(|what| (["length", "cost"][what], ratios.iter().map(move |it| it[what])))
    {
        let mut ratios: Vec<f64> = ratios.collect();
        ratios.sort_by(f64::total_cmp);
        let within = ratios.iter().filter(|&&ratio| ratio <= 1.1).count();
        let mean = ratios.iter().sum::<f64>() / count as f64;
        println!("{what}: {within} of {count} within 1.1, mean {mean}, greatest {}", ratios[count - 1]);
        assert!(mean <= 1.02 && within * 100 >= count * 94 && ratios[count - 1] <= 1.3, "{what}: {ratios:?}");
    }
}

#[test]
fn slices_do_not_show() {
    let (mut random, scratch) = (Random(54), &mut SearchScratch::default());
    for round in 0..12 {
        let grid = random_map(&mut random, round % 3, 20);
        let query = random_query(&mut random, &grid, TRUCK).expect("there is room");
        let whole = solve_vehicle(&grid, query, scratch);
        for budget in [1, 7, 100] {
            let mut search = VehicleSearch::new(&grid, query, SearchScratch::default());
            while search.step(budget) == Progress::Running {}
            assert_eq!(search.finish().0, whole, "slices of {budget}");
        }
    }
    let grid = Grid::new(9, 9).unwrap();
    let query = VehicleQuery::new(at(4.5, 4.5, 0.0), Vec2::new(7.5, 7.5), TRUCK);
    assert_eq!(
        VehicleSearch::new(&grid, query, SearchScratch::default()).finish().0,
        Err(SearchError::Unfinished)
    );
}

fn at(x: f32, y: f32, degrees: f32) -> VehiclePose {
    VehiclePose { position: Vec2::new(x, y), heading: degrees.to_radians() }
}

fn found(map: &str, query: VehicleQuery) -> Result<VehiclePath, SearchError> {
    let grid = Grid::from_ascii(map).unwrap();
    let path = solve_vehicle(&grid, query, &mut SearchScratch::default());
    if let Ok(path) = &path {
        check(&grid, &query, path);
    }
    path
}

/// The road leads round two corners that are wide enough to turn.
const ROAD: &str = "
################
#......#########
#......#########
#......#########
#..............#
######.........#
######.........#
##########.....#
##########....##
##########.#####
##########.#####
##########.#####
################";

#[test]
fn a_road_that_is_a_tenth_wider_is_wide_enough() {
    let wide = VehicleBody { length: 1.8, width: 0.9, turning_radius: 2.0, reverses: false };
    let query = VehicleQuery::new(at(2.3, 2.1, 20.0), Vec2::new(10.5, 10.9), wide);
    assert!(found(ROAD.trim_start(), query).unwrap().is_complete());
    let wider = VehicleBody { width: 1.01, ..wide };
    assert_eq!(
        found(ROAD.trim_start(), VehicleQuery { body: wider, ..query }),
        Err(SearchError::NotDrivable)
    );
}

/// Without a proof that no drive leads through the gap, all poses on this side would be searched.
#[test]
fn behind_a_gap_that_is_too_narrow_nothing_is_searched() {
    let mut grid = Grid::new(64, 40).unwrap();
    grid.fill(CellRect::new(GridCell::new(30, 0), GridCell::new(30, 39)), Terrain::WALL);
    let search = |grid: &Grid, width: f32| {
        let body = VehicleBody { width, ..TRUCK };
        let query = VehicleQuery::new(at(10.0, 20.5, 0.0), Vec2::new(50.0, 20.5), body);
        let mut search = VehicleSearch::new(grid, query, SearchScratch::default());
        while search.step(50) == Progress::Running {}
        let expanded = search.metrics().expanded;
        (search.finish().0.map(|path| path.is_complete()), expanded)
    };
    assert_eq!(search(&grid, 1.6), (Err(SearchError::Unreachable), 0), "there is no gap");
    grid.set(GridCell::new(30, 20), Terrain::GROUND).unwrap();
    assert_eq!(search(&grid, 1.0).0, Ok(true));
    assert_eq!(search(&grid, 1.6), (Err(SearchError::NotDrivable), 0));
    grid.set(GridCell::new(30, 21), Terrain::GROUND).unwrap();
    assert_eq!(search(&grid, 1.6).0, Ok(true), "between the cells of the gap");
}

#[test]
fn in_a_dead_end_it_turns_in_three_drives() {
    let map = "########################\n".to_owned()
        + &"#......................#\n".repeat(5)
        + "########################";
    let query = VehicleQuery::new(at(20.0, 3.5, 0.0), Vec2::new(2.0, 3.5), TRUCK);
    let path = found(&map, query).unwrap();
    let gears: Vec<bool> =
        path.legs.chunk_by(|a, b| a.is_reverse == b.is_reverse).map(|it| it[0].is_reverse).collect();
    assert!(gears.contains(&true) && path.is_complete(), "{gears:?}");
    let forwards = VehicleQuery { body: VehicleBody { reverses: false, ..TRUCK }, ..query };
    assert_eq!(found(&map, forwards), Err(SearchError::NotDrivable), "it cannot turn on a road of 5");
}

#[test]
fn fences_rules_of_edges_and_costs_of_terrain_count() {
    let scratch = &mut SearchScratch::default();
    let mut grid = Grid::new(16, 9).unwrap();
    let query = VehicleQuery::new(at(2.0, 4.5, 0.0), Vec2::new(13.0, 4.5), TRUCK);
    let mut path = |grid: &Grid, query: VehicleQuery| solve_vehicle(grid, query, scratch);
    assert!((path(&grid, query).unwrap().length - 11.0).abs() < 1e-3, "straight on");
    // A fence that leaves room on one side.
    (2..9).for_each(|y| _ = grid.set_fence(GridCell::new(7, y), Direction::E, true).unwrap());
    let round = path(&grid, query).unwrap();
    assert!(round.is_complete() && round.length > 11.3);
    assert!(round.points(0.05).all(|point| (point.x - 8.0).abs() > 0.05 || point.y < 2.0), "past the fence");
    (0..9).for_each(|y| _ = grid.set_edge(GridCell::new(7, y), Direction::E, EdgeRule::ONE_WAY).unwrap());
    assert!((path(&grid, query).unwrap().length - 11.0).abs() < 1e-3, "over one-way edges");
    let back = VehicleQuery { start: at(13.0, 4.5, 180.0), goal: query.start.position, ..query };
    assert_eq!(path(&grid, back), Err(SearchError::Unreachable), "not back");
    let mut grid = Grid::new(16, 9).unwrap();
    grid.fill(CellRect::new(GridCell::new(6, 2), GridCell::new(9, 6)), Terrain::weight(9));
    let round = path(&grid, query).unwrap();
    assert!(round.length > 11.3 && round.cost < 20.0, "round the mud: {round:?}");
}

#[test]
fn bad_input_and_limits_have_typed_answers() {
    let (grid, scratch) = (Grid::from_ascii(ROAD.trim_start()).unwrap(), &mut SearchScratch::default());
    let query = VehicleQuery::new(at(2.3, 2.1, 20.0), Vec2::new(13.5, 5.5), TRUCK);
    let mut error = |query| solve_vehicle(&grid, query, scratch).unwrap_err();
    for bad in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e9] {
        for body in [
            VehicleBody { length: bad, ..TRUCK },
            VehicleBody { width: bad, ..TRUCK },
            VehicleBody { turning_radius: bad, ..TRUCK },
        ] {
            assert_eq!(error(VehicleQuery { body, ..query }), SearchError::BadBody);
        }
    }
    let start = |x, y, degrees| VehicleQuery { start: at(x, y, degrees), ..query };
    assert_eq!(error(start(f32::NAN, 1.0, 0.0)), SearchError::BadPoint);
    assert_eq!(error(start(2.3, 2.1, f32::INFINITY)), SearchError::BadHeading);
    assert_eq!(error(start(0.5, 0.5, 0.0)), SearchError::StartBlocked(GridCell::new(0, 0)));
    assert_eq!(
        error(start(1.5, 1.6, 0.0)),
        SearchError::StartBlocked(GridCell::new(1, 1)),
        "its end is in a wall"
    );
    assert_eq!(error(start(-9.0, 1.0, 0.0)), SearchError::StartOutside(GridCell::new(-9, 1)));
    let goal = |x, y| VehicleQuery { goal: Vec2::new(x, y), ..query };
    assert_eq!(error(goal(f32::NAN, 1.0)), SearchError::BadPoint);
    assert_eq!(error(goal(0.5, 0.5)), SearchError::GoalBlocked(GridCell::new(0, 0)));
    assert_eq!(error(goal(99.0, 0.5)), SearchError::GoalOutside(GridCell::new(99, 0)));
    assert_eq!(error(query.with_reach(-1.0)), SearchError::BadRadius);
    assert_eq!(error(query.with_kind(KindId(9))), SearchError::UnknownKind(KindId(9)));
    assert_eq!(
        error(query.with_limits(Limits { expansions: None, cost: Some(f64::NAN) })),
        SearchError::BadCost
    );
    let huge = VehicleBody { length: 40.0, ..TRUCK };
    assert_eq!(error(VehicleQuery { body: huge, ..query }), SearchError::StartBlocked(GridCell::new(2, 2)));
    let far = solve_vehicle(&grid, start(2.3, 2.1, 1e30), scratch).unwrap();
    assert!(far.is_complete(), "any finite heading is one");
    let none = query.with_limits(Limits { expansions: Some(0), cost: None });
    let path = solve_vehicle(&grid, none, scratch).unwrap();
    assert_eq!((path.legs.len(), path.end), (0, query.start));
    let few = Limits { expansions: Some(3), cost: None };
    let cheap = Limits { expansions: None, cost: Some(3.0) };
    for (limits, why) in [(few, PartialReason::ExpansionLimit), (cheap, PartialReason::CostLimit)] {
        let path = solve_vehicle(&grid, query.with_limits(limits), scratch).unwrap();
        check(&grid, &query, &path);
        assert!(matches!(path.outcome, Outcome::Partial { reason, .. } if reason == why), "{path:?}");
    }
    let there = solve_vehicle(&grid, VehicleQuery { goal: query.start.position, ..query }, scratch).unwrap();
    assert_eq!((there.is_complete(), there.length, there.points(1.0).count()), (true, 0.0, 1));
}
