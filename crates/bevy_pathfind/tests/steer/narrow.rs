//! Streams of agents through gaps, doors and corridors, and across one another in the open.

use std::collections::BTreeSet;

use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    solve::SolveMode,
    steer::{AgentAvoidance, SteerSettings},
    world::Grid,
};

use crate::fixture::Xorshift;
use crate::support::*;

/// The arrivals and the agents that gave way, since the beginning.
#[derive(Resource, Default)]
struct Seen {
    arrived: usize,
    /// The agents that have let others pass.
    yielded: BTreeSet<Entity>,
}

/// An application with a map; agents that arrive are despawned.
fn streams(map: Grid) -> App {
    let mut app = app(SolveMode::Inline);
    app.init_resource::<Seen>()
        .add_observer(|on: On<AgentArrived>, mut seen: ResMut<Seen>, mut commands: Commands| {
            seen.arrived += 1;
            commands.entity(on.entity).despawn();
        })
        .add_systems(Update, note_yielding);
    spawn_grid(&mut app, map);
    app
}

fn note_yielding(agents: Query<(Entity, &PathStatus)>, mut seen: ResMut<Seen>) {
    seen.yielded.extend(agents.iter().filter(|(_, status)| **status == PathStatus::Yielding).map(|it| it.0));
}

/// A map with walls in these columns, except in these rows.
fn with_gap(
    (width, height): (u32, u32),
    columns: core::ops::Range<i32>,
    rows: core::ops::Range<i32>,
) -> Grid {
    let is_wall = |cell: GridCell| columns.contains(&cell.x) && !rows.contains(&cell.y);
    Grid::from_fn(width, height, |cell| if is_wall(cell) { Terrain::WALL } else { Terrain::GROUND })
        .expect("it is small")
}

/// Spawns an agent of radius 0.3 with a speed of 3 cells per second.
fn send(app: &mut App, from: Vec2, goal: NavGoal) -> Entity {
    let body = Agent { radius: 0.3, arrive_radius: 0.4, ..Agent::new(3.0) };
    let from = Transform::from_translation(from.extend(0.0));
    app.world_mut().spawn((body, Avoider::default(), from, PathRequest::to(goal))).id()
}

/// Seconds until `count` agents have arrived; infinity if that takes longer than `limit`.
fn seconds_until(app: &mut App, count: usize, limit: usize) -> f32 {
    for tick in 0..64 * limit {
        app.update();
        if app.world().resource::<Seen>().arrived == count {
            return tick as f32 / 64.0;
        }
    }
    f32::INFINITY
}

#[test]
fn agents_in_one_gap_from_two_sides_do_not_turn_back() {
    for gap in [1, 4] {
        let mut app = streams(with_gap((44, 30), 20..21, 14..14 + gap));
        let base = Vec3::new(41.5, 14.5, 0.0);
        let mut agents = Vec::new();
        for tick in 0..64 * 40 {
            if tick % 10 == 0 && agents.len() < 40 {
                let (i, side) = (agents.len() as f32 % 5.0, agents.len() % 2);
                let from = Vec2::new(2.0 + 0.4 * i, if side == 0 { 4.0 } else { 25.0 } + 0.3 * i);
                agents.push(send(&mut app, from, base.into()));
            }
            app.update();
            for &agent in &agents {
                let end = app.world().get::<NavPath>(agent).and_then(|path| path.waypoints().last().copied());
                assert!(
                    end.is_none_or(|end| end.distance(base) < 8.0),
                    "gap of {gap}, tick {tick}: every path leads to the base, not to {end:?}"
                );
            }
        }
        assert_eq!(app.world().resource::<Seen>().arrived, 40, "gap of {gap}: all arrive");
    }
}

#[test]
fn eighty_agents_leave_a_room_by_a_one_cell_door_in_time() {
    let mut app = streams(with_gap((30, 20), 16..17, 9..10));
    for i in 0..80 {
        let from = Vec2::new(2.0 + (i % 10) as f32, 4.0 + (i / 10) as f32 * 1.3);
        send(&mut app, from, NavGoal::within(Vec3::new(25.5, 9.5, 0.0), 4.0));
    }
    let seconds = seconds_until(&mut app, 80, 60);
    // In a queue of touching bodies they would take 16 s; the path alone takes 4 s to 8 s.
    assert!(seconds < 45.0, "the last of them arrives after {seconds} s");
}

/// Only the centre of such a body stays out of walls.
const POINT: AgentSize = AgentSize::Disc(0.0);

/// Seconds that `count` agents take each way through a corridor of 20 cells; unhindered: 18 s.
fn each_way(width: i32, count: usize, plane: GridPlane, size: AgentSize) -> f32 {
    let mut app = streams(with_gap((60, 20), 20..40, 8..8 + width));
    let mut grids = app.world_mut().query::<&mut NavGrid>();
    let mut grid = grids.single_mut(app.world_mut()).expect("there is one");
    *grid = grid.clone().with_plane(plane);
    let kind = AgentKind::default().with_size(size);
    app.world_mut().resource_mut::<AgentKinds>().set(KindId::default(), kind).expect("it is a kind");
    let place = |x: f32, y: f32| plane.column() * x + plane.row() * y;
    for i in 0..count {
        let (x, y) = (1.0 + (i % 10) as f32 * 1.2, 3.0 + (i / 10) as f32 * 1.2);
        for (from, goal) in [(x, 56.0), (60.0 - x, 4.0)] {
            let agent = send(&mut app, Vec2::ZERO, NavGoal::within(place(goal, 9.0), 3.0));
            app.world_mut().get_mut::<Transform>(agent).expect("it has one").translation = place(from, y);
        }
    }
    seconds_until(&mut app, 2 * count, 90)
}

#[test]
fn two_streams_pass_each_other_in_a_corridor() {
    // RVO2 takes for the same scenes, with unlimited acceleration: 142 s, never, never, 18.4 s, 80 s.
    for (width, count, limit) in [(2, 20, 22.0), (2, 60, 50.0), (3, 60, 35.0), (5, 20, 20.2), (5, 60, 35.0)] {
        let seconds = each_way(width, count, GridPlane::Xy, POINT);
        assert!(seconds < limit, "{count} each way, {width} cells: the last arrives after {seconds} s");
    }
    // Whole bodies have less room: three discs side by side do not fit in two cells.
    for (width, count, limit) in [(2, 20, 22.0), (2, 60, 65.0), (3, 60, 35.0), (5, 60, 35.0)] {
        let seconds = each_way(width, count, GridPlane::Xy, AgentSize::default());
        assert!(seconds < limit, "{count} discs each way, {width} cells: the last arrives after {seconds} s");
    }
    // Where rows run the other way, right is on the other side of the grid.
    for plane in [GridPlane::Xz, GridPlane::XyDown] {
        let seconds = each_way(2, 60, plane, POINT);
        assert!(seconds < 50.0, "60 each way on {plane:?}: the last arrives after {seconds} s");
    }
}

/// An application with a map for discs of this radius, and their kind.
fn disc_streams(mut map: Grid, radius: f32) -> (App, KindId) {
    let kind = map.add_kind(AgentKind { size: AgentSize::Disc(radius), ..default() });
    (streams(map), kind.expect("there is room for a kind"))
}

/// Spawns a disc with a speed of 3 cells per second.
fn send_disc(app: &mut App, (kind, radius): (KindId, f32), from: Vec2, goal: Vec3) {
    let agent = send(app, from, NavGoal::within(goal, 4.0));
    let mut agent = app.world_mut().get_mut::<Agent>(agent).expect("it is one");
    (agent.kind, agent.radius) = (kind, radius);
}

#[test]
fn discs_pass_doors_and_corridors_as_others_do() {
    for (radius, limit) in [(0.3, 16.0), (0.4, 21.0)] {
        let (mut app, kind) = disc_streams(with_gap((30, 20), 16..17, 9..10), radius);
        for i in 0..20 {
            let from = Vec2::new(2.0 + (i % 10) as f32, 4.0 + (i / 10) as f32 * 1.3);
            send_disc(&mut app, (kind, radius), from, Vec3::new(25.5, 9.5, 0.0));
        }
        let seconds = seconds_until(&mut app, 20, 60);
        // A single one takes 6.8 s.
        assert!(seconds < limit, "twenty of radius {radius} by a door of one cell: {seconds} s");

        let (mut app, kind) = disc_streams(with_gap((60, 20), 20..40, 8..10), radius);
        for i in 0..10 {
            let x = 1.0 + i as f32 * 1.2;
            for (from, goal) in [(x, 56.0), (60.0 - x, 4.0)] {
                send_disc(&mut app, (kind, radius), Vec2::new(from, 3.0), Vec3::new(goal, 9.0, 0.0));
            }
        }
        let seconds = seconds_until(&mut app, 20, 60);
        // Unhindered: 17.4 s.
        assert!(
            seconds < 21.0,
            "ten of radius {radius} each way, 2 cells: the last arrives after {seconds} s"
        );
    }
}

/// Sends discs of radius 0.45 through a corridor of one cell, `count` from each side, and returns their entities.
fn discs_each_way(app: &mut App, kind: KindId, counts: [usize; 2]) -> Vec<Entity> {
    let mut sent = Vec::new();
    for (count, origin, way, goal) in [(counts[0], 1.0, 1.2, 56.0), (counts[1], 59.0, -1.2, 4.0)] {
        for i in 0..count {
            let from = Vec2::new(origin + way * (i % 10) as f32, 3.0 + 1.2 * (i / 10) as f32);
            let goal = NavGoal::within(Vec3::new(goal, 9.0, 0.0), 3.0);
            let agent = Agent { radius: 0.45, kind, arrive_radius: 0.4, ..Agent::new(3.0) };
            let body = (agent, Avoider::default(), Transform::from_translation(from.extend(0.0)));
            sent.push(app.world_mut().spawn((body, PathRequest::to(goal))).id());
        }
    }
    sent
}

#[test]
fn a_corridor_of_one_cell_has_one_direction_at_a_time() {
    // Alone: 17.7 s.
    for (counts, limit) in [([6, 6], 40.0), ([20, 3], 45.0), ([30, 30], 160.0)] {
        let (mut app, kind) = disc_streams(with_gap((60, 20), 20..40, 8..9), 0.45);
        discs_each_way(&mut app, kind, counts);
        let seconds = seconds_until(&mut app, counts[0] + counts[1], 300);
        assert!(seconds < limit, "{counts:?}: the last arrives after {seconds} s");
    }
}

#[test]
fn right_of_way_goes_with_the_agent_that_had_it() {
    let (mut app, kind) = disc_streams(with_gap((60, 20), 20..40, 8..9), 0.45);
    let agents = discs_each_way(&mut app, kind, [1, 1]);
    let status = |app: &App, agent: Entity| *app.world().get::<PathStatus>(agent).expect("it is an agent");
    let waits = |app: &App| agents.iter().position(|&agent| status(app, agent) == PathStatus::Yielding);
    let waiting = (0..64 * 20).find_map(|_| {
        app.update();
        waits(&app)
    });
    let waiting = waiting.expect("one of the two waits for the other");
    app.world_mut().despawn(agents[1 - waiting]);
    (0..4).for_each(|_| app.update());
    assert_eq!(status(&app, agents[waiting]), PathStatus::Following, "the corridor is clear");
    assert!(seconds_until(&mut app, 1, 30).is_finite(), "and it arrives");
}

#[test]
fn without_right_of_way_all_go_in_at_once() {
    let (mut app, kind) = disc_streams(with_gap((60, 20), 20..40, 8..9), 0.45);
    app.world_mut().resource_mut::<SteerSettings>().right_of_way = false;
    discs_each_way(&mut app, kind, [6, 6]);
    assert!(seconds_until(&mut app, 12, 60).is_infinite(), "they jam");
}

/// The cells from which and to which an agent is sent.
type Way = ((i32, i32), (i32, i32));

/// Seconds until all of some agents in a narrow place have arrived, each sent from one cell to another; how many of them
/// have let others pass.
fn seconds_in(map: &str, radius: f32, ways: &[Way], has_right_of_way: bool) -> (f32, usize) {
    let mut app = streams(grid(map));
    app.world_mut().resource_mut::<SteerSettings>().right_of_way = has_right_of_way;
    for &(from, to) in ways {
        let body = (Agent { radius, ..default() }, Avoider::default());
        app.world_mut().spawn((body, Transform::from_translation(at(from)), PathRequest::to(at(to))));
    }
    let seconds = seconds_until(&mut app, ways.len(), 60);
    (seconds, app.world().resource::<Seen>().yielded.len())
}

#[test]
fn of_two_that_were_in_one_corridor_one_goes_back() {
    let map = "###################\n#.................#\n###.###############";
    let (ahead, back) = (((1, 1), (17, 1)), ((17, 1), (1, 1)));
    for radius in [0.3, 0.45] {
        for ways in [[ahead, back], [back, ahead]] {
            let (seconds, yielded) = seconds_in(map, radius, &ways, true);
            println!("radius {radius}: {seconds} s");
            assert!(seconds.is_finite(), "of two with radius {radius} both arrive");
            assert_eq!(yielded, 1, "one of them goes back");
        }
    }
    let (seconds, yielded) = seconds_in(map, 0.45, &[ahead, back], false);
    assert!(seconds.is_infinite() && yielded == 0, "without right of way neither does");
}

#[test]
fn those_who_have_room_behind_them_go_back_for_one_who_has_none() {
    // A mine: one comes out of the blind end, and one or two have gone in.
    let map = "......##########\n................\n......##########\n......##########";
    let out = ((15, 1), (0, 2));
    for inside in [&[((8, 1), (13, 1))][..], &[((8, 1), (13, 1)), ((7, 1), (12, 1))]] {
        for is_first in [true, false] {
            let mut ways = inside.to_vec();
            ways.insert(if is_first { 0 } else { inside.len() }, out);
            let (seconds, yielded) = seconds_in(map, 0.4, &ways, true);
            println!("{} in the mine: {seconds} s", inside.len());
            assert!(
                seconds.is_finite(),
                "{} in the mine, the one who comes out ordered first: {is_first}",
                inside.len()
            );
            assert_eq!(yielded, inside.len(), "those who go in go back");
        }
    }
}

#[test]
fn what_stands_in_the_way_is_gone_round() {
    let open = ".........\n.........\n.........\n.........\n.........";
    // The corridor is two cells wide, and its corner is taken.
    let bent = "..........\n..........\n########..\n########..\n########..";
    for others in [AgentAvoidance::Contact, AgentAvoidance::Reciprocal] {
        let avoider = Avoider { agents: others, ..default() };
        let seconds = |map: &str, ways: &[Way], standing: &[(i32, i32)]| {
            let mut app = streams(grid(map));
            let body = (Agent { radius: 0.4, ..default() }, avoider);
            for &(from, to) in ways {
                app.world_mut().spawn((body, Transform::from_translation(at(from)), PathRequest::to(at(to))));
            }
            for &stand in standing {
                app.world_mut().spawn((body, Transform::from_translation(at(stand))));
            }
            seconds_until(&mut app, ways.len(), 30)
        };
        let face_to_face = seconds(open, &[((0, 2), (8, 2)), ((8, 2), (0, 2))], &[]);
        assert!(face_to_face < 10.0, "{others:?}: two face to face take {face_to_face} s");
        let round_a_stander = seconds(open, &[((0, 2), (8, 2))], &[(4, 2)]);
        assert!(round_a_stander < 10.0, "{others:?}: round one that stands, {round_a_stander} s");
        let round_a_corner = seconds(bent, &[((0, 0), (9, 4))], &[(8, 1)]);
        assert!(round_a_corner < 15.0, "{others:?}: round one at a corner, {round_a_corner} s");
    }
}

#[test]
fn a_winding_stream_is_not_treated_as_two_streams() {
    // The direction is reversed beyond each wall.
    let is_wall = |cell: GridCell| cell.y % 3 == 2 && if cell.y % 2 == 0 { cell.x > 1 } else { cell.x < 28 };
    let map = Grid::from_fn(30, 14, |cell| if is_wall(cell) { Terrain::WALL } else { Terrain::GROUND });
    let mut app = streams(map.expect("it is small"));
    for i in 0..40 {
        let from = Vec2::new(1.0 + (i / 2) as f32 * 0.7, 0.5 + (i % 2) as f32);
        send(&mut app, from, NavGoal::within(Vec3::new(28.0, 13.0, 0.0), 3.0));
    }
    let seconds = seconds_until(&mut app, 40, 120);
    // A single agent takes 35 s. If agents kept to the right here, they would jam.
    assert!(seconds < 50.0, "the last arrives after {seconds} s");
}

/// Seconds that 60 agents take to one point, from two sides, one every 10 ticks. The last sets out after 9 s, and
/// walks for 19 s.
fn to_one_point(seed: u64) -> f32 {
    let mut app = streams(Grid::new(64, 40).expect("it is small"));
    let mut rng = Xorshift::new(seed);
    for i in 0..60 {
        let from =
            Vec2::new(3.5, if i % 2 == 0 { 8.5 } else { 32.5 }) + Vec2::new(rng.signed(), rng.signed()) * 2.0;
        let agent = send(&mut app, from, Vec3::new(60.5, 20.5, 0.0).into());
        let mut agent = app.world_mut().entity_mut(agent);
        agent.get_mut::<PathRequest>().expect("it has one").spread_at_goal = false;
        agent.get_mut::<Agent>().expect("it is one").arrive_radius = 0.2;
        agent.get_mut::<Avoider>().expect("it is one").neighbor_range = Some(5.0);
        ticks(&mut app, 10);
    }
    9.4 + seconds_until(&mut app, 60, 60)
}

#[test]
fn agents_that_do_not_spread_come_to_one_point_one_after_another() {
    let seconds = (1..=4).map(to_one_point).sum::<f32>() / 4.0;
    assert!(seconds < 44.5, "the last arrives after {seconds} s in the mean");
}

/// Seconds until the last of some agents has arrived, all sent at once on an open map.
fn in_the_open(agents: impl Iterator<Item = (Vec2, Vec2)>) -> f32 {
    let mut app = streams(Grid::new(70, 70).expect("it is small"));
    let count = agents.map(|(from, to)| send(&mut app, from, to.extend(0.0).into())).count();
    seconds_until(&mut app, count, 90)
}

#[test]
fn sixty_agents_change_places_on_a_circle() {
    let middle = Vec2::splat(35.0);
    let seconds = in_the_open((0..60).map(|i| {
        let from = Vec2::from_angle(i as f32 * core::f32::consts::TAU / 60.0) * 25.0;
        (middle + from, middle - from)
    }));
    println!("sixty on a circle: {seconds} s");
    // Unhindered: 17 s; RVO2: 22.9 s.
    assert!(seconds < 1.1 * 22.9, "the last of them arrives after {seconds} s");
}

#[test]
fn two_opposed_streams_pass_in_the_open() {
    let seconds = in_the_open((0..200).map(|i| {
        let (side, row, column) = (i % 2, i / 2 % 10, i / 20);
        let from = Vec2::new(5.0 + 1.2 * column as f32, 30.0 + 1.2 * row as f32);
        let to = Vec2::new(65.0 - from.x, from.y);
        if side == 0 { (from, to) } else { (to, from) }
    }));
    println!("a hundred through a hundred: {seconds} s");
    // RVO2 with the same number of agents on a similar map: 23.0 s.
    assert!(seconds < 1.1 * 23.0, "the last of them arrives after {seconds} s");
}

#[test]
fn a_hunter_that_sees_its_prey_through_a_gap_lets_walkers_come_out() {
    for (depth, avoider) in [(1, Avoider::default()), (1, Avoider::contact()), (4, Avoider::contact())] {
        let mut app = streams(with_gap((30, 15), 15..15 + depth, 7..8));
        let body = Agent { radius: 0.35, ..Agent::new(4.6) };
        let at = |x: f32, y: f32| Transform::from_xyz(x, y, 0.0);
        let prey = app.world_mut().spawn((body, avoider, at(27.0, 7.5))).id();
        let start = at(9.5 + depth as f32 / 2.0, 7.5);
        let hunter = app.world_mut().spawn((body, avoider, start, Pursuer::line_of_sight(prey))).id();
        for y in [7.1, 7.9] {
            let (from, goal) = (at(20.0 + depth as f32, y), PathRequest::to(Vec3::new(3.5, 7.5, 0.0)));
            app.world_mut().spawn((body, avoider, from, goal));
        }
        let seconds = seconds_until(&mut app, 2, 15);
        assert!(seconds < 15.0, "depth {depth}: the last of them arrives after {seconds} s");
        for _ in 0..64 * 10 {
            app.update();
        }
        assert!(position(&app, hunter).x > 24.0, "depth {depth}: the hunter comes to its prey");
    }
}

#[test]
fn a_crowd_that_stands_lets_a_walker_through() {
    let body = Agent { radius: 0.4, ..Agent::new(3.0) };
    let at = |x: f32, y: f32| Transform::from_xyz(x, y, 0.0);
    // The ranks reach from wall to wall, or there is a way round them.
    for (height, files, spacing) in [(10, 9, 1.0), (40, 12, 0.85)] {
        let mut app = streams(Grid::new(40, height).expect("it is small"));
        let middle = height as f32 / 2.0;
        let mut crowd = Vec::new();
        for i in 0..8 * files {
            let (rank, file) = ((i / files) as f32, (i % files) as f32 - (files - 1) as f32 / 2.0);
            let place = at(16.0 + rank * spacing, middle + file * spacing);
            crowd.push((app.world_mut().spawn((body, Avoider::default(), place)).id(), place.translation));
        }
        let goal = PathRequest::to(Vec3::new(35.5, middle, 0.0));
        app.world_mut().spawn((body, Avoider::default(), at(4.5, middle), goal));
        let seconds = seconds_until(&mut app, 1, 60);
        assert!(seconds < 60.0, "{files} files {spacing} apart: it arrives");
        let moved = crowd.iter().map(|&(entity, place)| position(&app, entity).distance(place));
        let farthest = moved.fold(0.0, f32::max);
        assert!(farthest < 2.0, "{files} files {spacing} apart: they step aside, {farthest} cells at most");
    }
}

#[test]
fn faster_agents_overtake_in_corridors_of_two_cells_and_more() {
    for width in [2, 3] {
        let mut app = streams(with_gap((70, 15), 10..50, 6..6 + width));
        let middle = 6.0 + width as f32 / 2.0;
        let body = |speed| Agent { radius: 0.3, arrive_radius: 0.4, ..Agent::new(speed) };
        let at = |x: f32, y: f32| Transform::from_xyz(x, y, 0.0);
        let goal = PathRequest::to(NavGoal::within(Vec3::new(62.0, middle, 0.0), 3.0));
        app.world_mut().spawn((body(0.75), Avoider::default(), at(14.0, middle), goal.clone()));
        for i in 0..6 {
            let from = at(7.0 - (i / 2) as f32, middle - 0.5 + (i % 2) as f32);
            app.world_mut().spawn((body(3.0), Avoider::default(), from, goal.clone()));
        }
        // Alone they take 17.4 s; the slow one takes over a minute.
        let seconds = seconds_until(&mut app, 6, 30);
        assert!(seconds < 21.0, "{width} cells: the last of the fast ones arrives after {seconds} s");
    }
}
