//! Groups in formation: on open ground, through narrow places, with losses; and agents that are sent as they stand.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, solve::SolveMode, world::Grid};

use crate::support::*;

pub(crate) const RADIUS: f32 = 0.4;
pub(crate) const SPEED: f32 = 4.0;
/// The default distance of neighbours.
pub(crate) const SPACING: f32 = 1.25;
/// Ground with a door of one cell, a corridor of two cells, and both, with rooms between and behind.
const DOOR: &[(i32, i32, i32)] = &[(24, 25, 1)];
pub(crate) const CORRIDOR: &[(i32, i32, i32)] = &[(24, 44, 2)];
const BOTH: &[(i32, i32, i32)] = &[(24, 25, 1), (45, 65, 2)];

/// A map of 24 rows with walls in these columns, but for so many rows in the middle.
pub(crate) fn rooms(width: u32, walls: &[(i32, i32, i32)]) -> Grid {
    let is_wall = |cell: GridCell| {
        walls.iter().any(|&(from, to, gap)| (from..to).contains(&cell.x) && !(12..12 + gap).contains(&cell.y))
    };
    Grid::from_fn(width, 24, |cell| if is_wall(cell) { Terrain::WALL } else { Terrain::GROUND })
        .expect("it is small")
}

pub(crate) fn body() -> (Agent, Avoider) {
    (Agent { radius: RADIUS, ..Agent::new(SPEED) }, Avoider::default())
}

/// Where the members of a block of 40 start: five columns of eight.
fn start(index: usize) -> Vec3 {
    Vec3::new(4.5 + (index / 8) as f32 * 1.3, 7.5 + (index % 8) as f32 * 1.3, 0.0)
}

pub(crate) struct Legion {
    pub(crate) app: App,
    pub(crate) group: Entity,
    pub(crate) members: Vec<Entity>,
}

impl Legion {
    pub(crate) fn new(map: Grid, formation: Formation, count: usize) -> Self {
        let mut app = app(SolveMode::Inline);
        app.insert_resource(SearchOptions::default());
        spawn_grid(&mut app, map);
        let world = app.world_mut();
        let group = world.spawn(formation).id();
        let member = |index| (body(), FormationOf::new(group), Transform::from_translation(start(index)));
        let members = (0..count).map(|index| world.spawn(member(index)).id()).collect();
        Self { app, group, members }
    }

    pub(crate) fn order(&mut self, x: f32, y: f32) {
        self.app.world_mut().commands().entity(self.group).go_to(Vec3::new(x, y, 0.0));
        self.app.world_mut().flush();
    }

    pub(crate) fn arrivals(&self, of: Entity) -> usize {
        count(&self.app, &LoggedEvent::Arrived(of))
    }

    /// Seconds until something is so; infinity after `limit` seconds.
    pub(crate) fn until(&mut self, limit: usize, is_so: impl Fn(&Self) -> bool) -> f32 {
        for tick in 0..64 * limit {
            if is_so(self) {
                return tick as f32 / 64.0;
            }
            self.app.update();
        }
        f32::INFINITY
    }

    pub(crate) fn run(&mut self, seconds: f32) {
        (0..(64.0 * seconds) as usize).for_each(|_| self.app.update());
    }

    pub(crate) fn places(&self) -> Vec<Vec2> {
        let world = self.app.world();
        self.members
            .iter()
            .filter_map(|&member| Some(world.get::<Transform>(member)?.translation.truncate()))
            .collect()
    }

    /// The mean distance of the members from the places of the formation, whose front points at `forward`.
    pub(crate) fn off(&self, forward: Vec2) -> f32 {
        let (members, world) = (self.places(), self.app.world());
        let formation = world.get::<Formation>(self.group).expect("it is a group");
        let center = members.iter().sum::<Vec2>() / members.len() as f32;
        let ideal = formation.shape.places(members.len(), formation.abreast.map(|it| it as usize));
        let middle = ideal.iter().sum::<Vec2>() / ideal.len() as f32;
        // Without walls x grows to the right of y.
        let right = Vec2::new(forward.y, -forward.x);
        let mut free: Vec<_> = ideal
            .iter()
            .map(|place| center + ((place.x - middle.x) * right + (place.y - middle.y) * forward) * SPACING)
            .collect();
        let mut off = 0.0;
        // Greedily: the pair that is nearest first.
        let mut left = members.clone();
        while !left.is_empty() {
            let pairs = left
                .iter()
                .enumerate()
                .flat_map(|(i, a)| free.iter().enumerate().map(move |(j, b)| (a.distance(*b), i, j)));
            let (gap, i, j) = pairs.min_by(|a, b| a.0.total_cmp(&b.0)).expect("as many places as members");
            off += gap;
            left.swap_remove(i);
            free.swap_remove(j);
        }
        off / members.len() as f32
    }
}

fn all_shapes() -> [Formation; 7] {
    let tips = (0..10).map(|index| Vec2::new(index as f32 - 4.5, -(index as f32 - 4.5).abs()));
    [
        Formation::line(),
        Formation::column(),
        Formation::wedge(),
        Formation::square(),
        Formation::ring(),
        Formation::loose(),
        Formation::offsets(tips),
    ]
}

/// Seconds until 40 single agents are all beyond a column, and until all have arrived.
fn alone(map: Grid, beyond: f32, goal: (f32, f32)) -> (f32, f32) {
    let mut legion = Legion::new(map, Formation::line(), 0);
    let goal = Vec3::new(goal.0, goal.1, 0.0);
    legion.members = (0..40)
        .map(|index| {
            let at = Transform::from_translation(start(index));
            legion.app.world_mut().spawn((body(), at, PathRequest::to(goal))).id()
        })
        .collect();
    let through = legion.until(120, |legion| legion.places().iter().all(|at| at.x > beyond));
    let rest = legion.until(60, |legion| legion.members.iter().all(|&it| legion.arrivals(it) > 0));
    (through, through + rest)
}

#[test]
fn every_shape_arrives_in_form() {
    for formation in all_shapes() {
        let name = format!("{:?}", formation.shape);
        let mut legion = Legion::new(open(70, 24), formation, 40);
        legion.order(50.5, 12.5);
        let seconds = legion.until(40, |legion| legion.arrivals(legion.group) > 0);
        let off = legion.off(Vec2::X);
        println!("{name}: arrives after {seconds} s, {off} off");
        assert!(seconds < 20.0, "{name}: it arrives after {seconds} s");
        assert!(off < SPACING / 2.0, "{name}: {off} from the places");
        assert!(legion.members.iter().all(|&member| legion.arrivals(member) == 0), "only the group tells");
    }
}

#[test]
fn a_formation_passes_narrow_ground_as_fast_as_single_agents() {
    for (name, walls, width, goal) in
        [("door", DOOR, 60, 44.5), ("corridor", CORRIDOR, 80, 64.5), ("both", BOTH, 100, 84.5)]
    {
        let beyond = walls.iter().map(|it| it.1).max().expect("there is one") as f32;
        let (through, end) = alone(rooms(width, walls), beyond, (goal, 12.5));
        for formation in [Formation::line(), Formation::column(), Formation::wedge(), Formation::square()] {
            let shape = format!("{:?}", formation.shape);
            let mut legion = Legion::new(rooms(width, walls), formation, 40);
            legion.order(goal, 12.5);
            let all = legion.until(120, |legion| legion.places().iter().all(|at| at.x > beyond));
            legion.run(3.0);
            let off = legion.off(Vec2::X);
            let rest = legion.until(60, |legion| legion.arrivals(legion.group) > 0);
            println!(
                "{name}, {shape}: through {all} s (alone {through}), {off} off 3 s later, arrives {} s (alone {end})",
                all + 3.0 + rest
            );
            assert!(all < through * 1.15, "{name}, {shape}: through {all} s, alone {through} s");
            assert!(off < SPACING / 2.0, "{name}, {shape}: 3 s later they are {off} off");
            assert!(rest.is_finite(), "{name}, {shape}: it arrives");
        }
    }
}

#[test]
fn ranks_close_after_losses_and_shapes_change_on_the_way() {
    let mut legion = Legion::new(open(90, 24), Formation::square(), 40);
    legion.order(40.5, 12.5);
    legion.until(30, |legion| legion.arrivals(legion.group) > 0);
    for member in legion.members.drain(..15).collect::<Vec<_>>() {
        legion.app.world_mut().despawn(member);
    }
    legion.run(4.0);
    let off = legion.off(Vec2::X);
    assert!(off < SPACING / 4.0, "25 of 40 are {off} from the places of 25");
    legion.app.world_mut().get_mut::<Formation>(legion.group).expect("it is there").shape =
        Formation::ring().shape;
    legion.run(5.0);
    let off = legion.off(Vec2::X);
    assert!(off < SPACING / 4.0, "in a ring they are {off} off");
    legion.order(70.5, 12.5);
    legion.run(2.0);
    legion.order(60.5, 8.5);
    let seconds = legion.until(20, |legion| legion.arrivals(legion.group) > 1);
    let center = legion.places().iter().sum::<Vec2>() / 25.0;
    assert!(
        seconds.is_finite() && center.distance(Vec2::new(60.5, 8.5)) < 1.0,
        "the last order counts: {center}"
    );
}

#[test]
fn anybody_may_be_despawned_at_any_time() {
    for (after, who) in [(0.0, 40), (0.5, 40), (3.0, 40), (9.0, 40), (1.0, 3), (8.0, 3), (9.0, 39)] {
        let mut legion = Legion::new(rooms(60, DOOR), Formation::line(), 40);
        legion.order(44.5, 12.5);
        legion.run(after);
        let group = legion.group;
        let gone: Vec<_> = if who == 40 { vec![group] } else { legion.members.drain(..who).collect() };
        gone.iter().for_each(|&entity| _ = legion.app.world_mut().despawn(entity));
        legion.run(1.0);
        let before = legion.places();
        legion.run(1.0);
        if who == 40 {
            assert_eq!(before, legion.places(), "without a group they stand ({after} s)");
            let status =
                |&member: &Entity| *legion.app.world().get::<PathStatus>(member).expect("it is an agent");
            assert!(legion.members.iter().map(status).all(|status| status == PathStatus::Idle));
        } else {
            let seconds = legion.until(60, |legion| legion.arrivals(group) > 0);
            assert!(seconds.is_finite(), "{} members arrive", legion.members.len());
        }
    }
}

#[test]
fn the_group_is_as_slow_as_its_slowest() {
    for (keeps_together, range) in [(true, 17.0..26.0), (false, 8.0..14.0)] {
        let mut legion = Legion::new(open(90, 24), Formation { keeps_together, ..Formation::square() }, 12);
        let slow = legion.members[3];
        legion.app.world_mut().get_mut::<Agent>(slow).expect("it is an agent").speed = 2.0;
        legion.order(44.5, 12.5);
        let fast: Vec<_> = legion.members.iter().copied().filter(|&it| it != slow).collect();
        let x = |legion: &Legion, it: Entity| {
            legion.app.world().get::<Transform>(it).expect("it has one").translation.x
        };
        let first = legion.until(40, |legion| fast.iter().all(|&it| x(legion, it) > 40.0));
        assert!(range.contains(&first), "together: {keeps_together}: the fast ones come after {first} s");
    }
}

#[test]
fn bad_input_is_an_error_and_small_groups_are_groups() {
    let bad = [
        Formation { spacing: f32::NAN, ..default() },
        Formation { spacing: 0.0, ..default() },
        Formation::offsets([Vec2::NAN]),
        Formation::line().with_facing(Vec3::INFINITY),
    ];
    for formation in bad {
        let mut legion = Legion::new(open(60, 24), formation, 5);
        legion.order(40.5, 12.5);
        let before = legion.places();
        legion.run(2.0);
        let failures = count(&legion.app, &LoggedEvent::Failed(legion.group, PathError::BadFormation));
        assert_eq!((failures, legion.places()), (1, before), "one error, and nobody moves");
    }
    for size in [0, 1, 2] {
        let mut legion = Legion::new(open(60, 24), Formation::wedge().with_abreast(0), size);
        legion.order(40.5, 12.5);
        let seconds = legion.until(30, |legion| legion.arrivals(legion.group) > 0);
        assert!(seconds.is_finite(), "{size} members arrive");
    }
    let mut legion = Legion::new(rooms(60, DOOR), Formation::square(), 12);
    legion.order(24.5, 3.5);
    legion.run(20.0);
    let status = *legion.app.world().get::<PathStatus>(legion.group).expect("it is a group");
    assert!(matches!(status, PathStatus::EndedShort(_)), "a goal in a wall: {status:?}");
}

#[test]
fn a_formation_wheels_round_a_corner_and_parts_round_a_tree() {
    let is_wall = |cell: GridCell| cell.x < 30 && (10..12).contains(&cell.y) || cell == GridCell::new(45, 20);
    let map = Grid::from_fn(70, 40, |cell| if is_wall(cell) { Terrain::WALL } else { Terrain::GROUND })
        .expect("small");
    let mut legion = Legion::new(map, Formation::line(), 40);
    // Above the wall, and back below it.
    (0..40).for_each(|index| {
        let at = Vec3::new(4.5 + (index / 8) as f32, 1.5 + (index % 8) as f32, 0.0);
        let member = legion.members[index];
        legion.app.world_mut().get_mut::<Transform>(member).expect("it has one").translation = at;
    });
    legion.order(20.5, 26.5);
    let seconds = legion.until(60, |legion| legion.arrivals(legion.group) > 0);
    println!("round the corner: {seconds} s");
    assert!(seconds < 40.0, "round the corner: {seconds} s");
    legion.order(60.5, 20.5);
    let seconds = legion.until(60, |legion| legion.arrivals(legion.group) > 1);
    println!("round the tree: {seconds} s");
    assert!(seconds < 25.0, "round the tree: {seconds} s");
}

#[test]
fn the_front_points_where_it_shall_and_shields_stand_in_front() {
    let mut legion = Legion::new(open(70, 30), Formation::line().with_facing(Vec3::Y), 40);
    for (index, &member) in legion.members.clone().iter().enumerate() {
        let rank = i32::from(index % 3 > 0);
        legion.app.world_mut().entity_mut(member).insert(FormationOf::new(legion.group).with_rank(rank));
    }
    legion.order(50.5, 14.5);
    legion.until(40, |legion| legion.arrivals(legion.group) > 0);
    legion.run(1.0);
    let off = legion.off(Vec2::Y);
    assert!(off < SPACING / 4.0, "{off} off");
    let y: Vec<_> = legion.places().iter().map(|at| at.y).collect();
    let of_rank = |rank: usize| {
        y.iter().enumerate().filter(move |(index, _)| usize::from(index % 3 > 0) == rank).map(|it| *it.1)
    };
    let shields = of_rank(0).fold(f32::INFINITY, f32::min);
    assert!(of_rank(1).all(|archer| archer < shields + SPACING / 2.0), "no archer before a shield");
}

#[test]
fn a_member_with_an_order_of_its_own_is_taken_back() {
    let mut legion = Legion::new(open(60, 24), Formation::square(), 9);
    legion.order(30.5, 12.5);
    legion.run(1.0);
    let scout = legion.members[4];
    legion.app.world_mut().commands().entity(scout).go_to(Vec3::new(50.5, 3.5, 0.0));
    legion.until(30, |legion| legion.arrivals(scout) > 0 && legion.arrivals(legion.group) > 0);
    let at = |legion: &Legion| legion.app.world().get::<Transform>(scout).expect("it has one").translation;
    assert!(at(&legion).distance(Vec3::new(50.5, 3.5, 0.0)) < 0.5, "it is where it was sent");
    legion.order(32.5, 12.5);
    legion.until(30, |legion| legion.arrivals(legion.group) > 1);
    assert!(legion.off(Vec2::X) < SPACING / 2.0, "it is back");
}

#[test]
fn two_runs_are_the_same() {
    let run = || {
        let mut legion = Legion::new(rooms(60, DOOR), Formation::wedge(), 40);
        legion.order(44.5, 12.5);
        legion.run(15.0);
        legion.places()
    };
    assert_eq!(run(), run());
}

#[test]
fn agents_sent_as_they_stand_keep_their_places_among_the_others() {
    let mut legion = Legion::new(open(70, 24), Formation::line(), 0);
    let spawn =
        |index| legion.app.world_mut().spawn((body(), Transform::from_translation(start(index)))).id();
    legion.members = (0..40).map(spawn).collect();
    let before = legion.places();
    let goal = Vec3::new(50.5, 12.5, 0.0);
    let order = Formation::as_they_stand(&legion.members, goal);
    legion.app.world_mut().commands().queue(order);
    let seconds = legion.until(40, |legion| legion.members.iter().all(|&it| legion.arrivals(it) > 0));
    let after = legion.places();
    let [from, to] = [&before, &after].map(|places| places.iter().sum::<Vec2>() / 40.0);
    let off = before.iter().zip(&after).map(|(a, b)| (*a - from).distance(*b - to)).collect::<Vec<_>>();
    let (mean, worst) = (off.iter().sum::<f32>() / 40.0, off.iter().copied().fold(0.0, f32::max));
    assert!(seconds < 20.0 && mean < 0.3 && worst < 1.0, "{mean}, {worst} off after {seconds} s");
    assert!(to.distance(goal.truncate()) < 0.2, "round the goal: {to}");
}

/// The time of a tick of 2,000 agents alone and in 50 formations, on open ground.
#[test]
#[ignore = "it measures time"]
fn cost_of_a_tick() {
    let measure = |in_groups: bool| {
        let mut app = app(SolveMode::Inline);
        app.insert_resource(SearchOptions::default());
        spawn_grid(&mut app, open(400, 400));
        for group in 0..50 {
            let corner = Vec2::new((group % 5) as f32 * 70.0 + 10.0, (group / 5) as f32 * 36.0 + 10.0);
            let goal = (corner + Vec2::new(60.0, 6.0)).extend(0.0);
            let leader = app.world_mut().spawn(Formation::square()).id();
            for index in 0..40 {
                let at = corner + start(index).truncate() - Vec2::new(4.5, 7.5);
                let mut agent = app.world_mut().spawn((body(), Transform::from_translation(at.extend(0.0))));
                match in_groups {
                    true => _ = agent.insert(FormationOf::new(leader)),
                    false => _ = agent.insert(PathRequest::to(goal)),
                }
            }
            if in_groups {
                app.world_mut().commands().entity(leader).go_to(goal);
            }
        }
        (0..128).for_each(|_| app.update());
        let begin = std::time::Instant::now();
        (0..256).for_each(|_| app.update());
        begin.elapsed().as_secs_f64() * 1000.0 / 256.0
    };
    for _ in 0..3 {
        let [alone, grouped] = [false, true].map(measure);
        println!("{alone:.3} ms alone, {grouped:.3} ms in formation: {:.2}", grouped / alone);
    }
}
