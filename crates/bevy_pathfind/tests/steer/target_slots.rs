//! Slots at targets and reservations of cells: who gets them, who waits, and what releases them.

use std::collections::{HashMap, HashSet};

use bevy::ecs::system::RunSystemOnce;
use bevy::math::ops;
use bevy::prelude::*;
use bevy_pathfind::order::{CellRequest, ReservationEnd, ReservationEnded};
use bevy_pathfind::{prelude::*, solve::SolveMode, world::Grid};

use crate::support::*;

const RADIUS: f32 = 0.4;
const SPEED: f32 = 4.0;
/// The default distance of slots in a ring.
const SPACING: f32 = 1.25;

fn fighter(target: Entity) -> impl Bundle {
    (Agent { radius: RADIUS, ..Agent::new(SPEED) }, Avoider::default(), Pursuer::intercept(target))
}

/// A target that goes in a circle, at a speed.
#[derive(Component)]
struct Circling(f32);

fn circle(mut circling: Query<(&Circling, &mut ManualVelocity, &mut Transform)>, time: Res<Time>) {
    for (&Circling(speed), mut velocity, mut transform) in &mut circling {
        let angle = time.elapsed_secs() * speed / 8.0;
        let (sin, cos) = ops::sin_cos(angle);
        velocity.0 = speed * Vec3::new(cos, sin, 0.0);
        transform.rotation = Quat::from_rotation_z(angle);
    }
}

fn world(map: Grid) -> App {
    let mut app = app(SolveMode::Inline);
    app.insert_resource(SearchOptions::default()).add_systems(FixedPreUpdate, circle);
    spawn_grid(&mut app, map);
    app
}

fn slot(app: &App, agent: Entity) -> Option<u32> {
    app.world().get::<SlotClaim>(agent).and_then(SlotClaim::slot)
}

/// Whether an agent stands in its slot, within half a body.
fn is_in_slot(app: &App, agent: Entity) -> bool {
    let claim = app.world().get::<SlotClaim>(agent).filter(|claim| claim.slot().is_some());
    claim.is_some_and(|claim| claim.point().distance(position(app, agent)) <= RADIUS)
}

/// How the agents that wait change their headings: how often by more than 45 degrees while they move.
#[derive(Default)]
struct Headings {
    last: HashMap<Entity, Vec3>,
    changes: HashMap<Entity, usize>,
}

impl Headings {
    fn note(&mut self, agent: Entity, velocity: Vec3) {
        if velocity.length() < 0.1 * SPEED {
            return;
        }
        let heading = velocity.normalize();
        let last = self.last.entry(agent).or_insert(heading);
        if last.dot(heading) < 0.5_f32.sqrt() {
            *last = heading;
            *self.changes.entry(agent).or_default() += 1;
        }
    }
}

/// What was measured of a melee.
#[derive(Debug)]
struct Melee {
    /// When the first slot was filled, and when all, in seconds.
    first_after: f32,
    full_after: f32,
    /// The share of slots that are filled from then on, on average.
    filled: f32,
    /// The least time between two changes of slot of one agent, in seconds, and how many changes there were in all.
    least_between: f32,
    changes: usize,
    /// Heading changes of an agent that waits in a second: the mean, and the most of one agent.
    mean_headings: f32,
    most_headings: f32,
}

/// A hundred fighters and a target that goes with a speed, for so many seconds.
fn melee(speed: f32, start: impl Fn(usize) -> Vec3, seconds: usize) -> Melee {
    let mut app = world(open(120, 120));
    let ogre = (Agent { radius: 0.8, ..Agent::new(SPEED) }, Avoider::default(), Circling(speed));
    let at = Transform::from_xyz(60.0, 60.0, 0.0);
    let target =
        app.world_mut().spawn((ogre, ManualVelocity::default(), TargetSlots::ring(2.0, 2.0), at)).id();
    let agents: Vec<_> = (0..100)
        .map(|index| app.world_mut().spawn((fighter(target), Transform::from_translation(start(index)))).id())
        .collect();
    let slots = (core::f32::consts::TAU * 2.0 / SPACING).floor() as usize;
    let (mut first_after, mut full_after, mut filled, mut counted) = (f32::INFINITY, f32::INFINITY, 0.0, 0);
    let mut last: HashMap<Entity, (Option<u32>, f32)> = HashMap::new();
    let (mut least_between, mut changes) = (f32::INFINITY, 0);
    let mut headings = Headings::default();
    let mut waited = 0.0;
    for tick in 0..64 * seconds {
        app.update();
        let now = (tick + 1) as f32 / 64.0;
        let held: Vec<_> = agents.iter().filter_map(|&agent| slot(&app, agent)).collect();
        assert_eq!(held.len(), held.iter().collect::<HashSet<_>>().len(), "no two share a slot, {now} s");
        let there = agents.iter().filter(|&&agent| is_in_slot(&app, agent)).count();
        if there > 0 {
            first_after = first_after.min(now);
        }
        if there == slots {
            full_after = full_after.min(now);
        }
        if full_after.is_finite() {
            filled += there as f32 / slots as f32;
            counted += 1;
        }
        for &agent in &agents {
            let has = slot(&app, agent);
            match last.get_mut(&agent) {
                None => _ = last.insert(agent, (has, f32::NEG_INFINITY)),
                Some((before, changed)) if *before != has => {
                    least_between = least_between.min(now - *changed);
                    (*before, *changed) = (has, now);
                    changes += 1;
                }
                _ => (),
            }
            if has.is_none() && now > 3.0 {
                headings.note(agent, velocity(&app, agent));
                waited += 1.0 / 64.0;
            } else {
                headings.last.remove(&agent);
            }
        }
    }
    let of_one = (seconds - 3) as f32;
    Melee {
        first_after,
        full_after,
        filled: filled / counted as f32,
        least_between,
        changes,
        mean_headings: headings.changes.values().sum::<usize>() as f32 / waited,
        most_headings: headings.changes.values().copied().max().unwrap_or(0) as f32 / of_one,
    }
}

#[test]
fn a_hundred_fighters_surround_one_target() {
    // A block to the left of the target, and a ring round it.
    let block = |index: usize| Vec3::new(55.5 - (index / 10) as f32, 55.5 + (index % 10) as f32, 0.0);
    let round = |index: usize| {
        let (angle, radius) = (index as f32 * 2.4, 4.0 + index as f32 * 0.06);
        let (sin, cos) = ops::sin_cos(angle);
        Vec3::new(60.0 + radius * cos, 60.0 + radius * sin, 0.0)
    };
    let all = [
        ("block, stands", melee(0.0, block, 12)),
        ("block, moves", melee(1.0, block, 12)),
        ("round, stands", melee(0.0, round, 12)),
        ("round, moves", melee(1.0, round, 12)),
    ];
    for (name, measured) in &all {
        println!("{name}: {measured:?}");
    }
    for (name, measured) in all {
        let Melee { first_after, full_after, .. } = measured;
        // Those that come from one side have to go round it first.
        let most = if name.starts_with("block") { first_after + 3.5 } else { 3.0 };
        assert!(full_after <= most, "{name}: the ring fills from {first_after} to {full_after} s");
        assert!(
            measured.least_between >= 1.0,
            "{name}: {} changes, the least time between is {} s",
            measured.changes,
            measured.least_between
        );
        assert!(measured.mean_headings < 1.0 && measured.most_headings < 1.0, "{name}: {measured:?}");
        assert!(measured.filled > 0.95, "{name}: {} of the ring is filled", measured.filled);
    }
}

/// Sends workers to slots at an entity.
fn work(app: &mut App, cells: &[(i32, i32)], bench: Entity) -> Vec<Entity> {
    let order = || (PathRequest::to(NavGoal::SlotOf(bench)), Avoider::default());
    cells.iter().map(|&cell| spawn_with(app, cell, order())).collect()
}

/// An open map with a workbench of two sides in the middle of cell (15, 10), and the workers sent there.
fn workshop(cells: &[(i32, i32)]) -> (App, Entity, Vec<Entity>) {
    let mut app = world(open(30, 20));
    let sides = TargetSlots::points([Vec3::new(-1.0, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.0)]);
    let bench = app.world_mut().spawn((sides, Transform::from_translation(at((15, 10))))).id();
    let workers = work(&mut app, cells, bench);
    (app, bench, workers)
}

fn seconds(app: &mut App, seconds: f32) {
    ticks(app, (64.0 * seconds) as usize);
}

#[test]
fn the_third_worker_waits_and_takes_the_slot_that_is_given_back() {
    for release in ["despawn", "order", "stop"] {
        let (mut app, _, workers) = workshop(&[(2, 10), (27, 10), (29, 19)]);
        seconds(&mut app, 6.0);
        let slots: Vec<_> = workers.iter().map(|&it| slot(&app, it)).collect();
        assert_eq!(slots, [Some(0), Some(1), None], "each takes the side on which it comes");
        stands_at(&app, workers[0], (14, 10), 0.1);
        stands_at(&app, workers[1], (16, 10), 0.1);
        let third = workers[2];
        assert_eq!(
            (status(&app, third), count(&app, &LoggedEvent::Arrived(third))),
            (PathStatus::AwaitingSlot, 0)
        );
        let gap = position(&app, third).distance(at((15, 10)));
        assert!((2.0..5.0).contains(&gap), "it waits near: {gap}");
        match release {
            "despawn" => _ = app.world_mut().despawn(workers[1]),
            "order" => _ = app.world_mut().commands().entity(workers[1]).go_to(at((27, 3))),
            _ => _ = app.world_mut().commands().entity(workers[1]).stop(),
        }
        if release == "stop" {
            // It stands in the way: it is sent aside.
            seconds(&mut app, 0.1);
            assert!(app.world().get::<SlotClaim>(workers[1]).is_none(), "it claims nothing more");
            order(&mut app, workers[1], at((27, 3)));
        }
        seconds(&mut app, 4.0);
        assert_eq!(slot(&app, third), Some(1), "after {release}");
        assert_eq!(
            (status(&app, third), count(&app, &LoggedEvent::Arrived(third))),
            (PathStatus::Arrived, 1)
        );
        stands_at(&app, third, (16, 10), 0.1);
    }
}

#[test]
fn a_slot_that_is_not_come_to_is_given_back_after_some_time() {
    let (mut app, _, workers) = workshop(&[(13, 10), (17, 10), (15, 2)]);
    app.world_mut().entity_mut(workers[0]).insert(HoldPosition);
    seconds(&mut app, 2.5);
    assert_eq!(slot(&app, workers[0]), Some(0), "it has some time");
    seconds(&mut app, 6.0);
    assert_eq!((slot(&app, workers[0]), slot(&app, workers[2])), (None, Some(0)), "then the third has it");
    stands_at(&app, workers[2], (14, 10), 0.3);
}

#[test]
fn slots_move_and_turn_with_their_target() {
    let (mut app, bench, workers) = workshop(&[(12, 10), (18, 10)]);
    seconds(&mut app, 3.0);
    let turned =
        Transform::from_translation(at((10, 5))).with_rotation(Quat::from_rotation_z(90_f32.to_radians()));
    app.world_mut().entity_mut(bench).insert(turned);
    seconds(&mut app, 6.0);
    assert_eq!([slot(&app, workers[0]), slot(&app, workers[1])], [Some(0), Some(1)], "they keep their slots");
    stands_at(&app, workers[0], (10, 4), 0.3);
    stands_at(&app, workers[1], (10, 6), 0.3);
}

#[test]
fn slots_in_walls_do_not_exist() {
    let (mut app, _, workers) = workshop(&[(2, 10), (27, 10)]);
    let nav =
        app.world_mut().query_filtered::<Entity, With<NavGrid>>().single(app.world()).expect("one grid");
    wall(&mut app, nav, (14, 10), (14, 10));
    seconds(&mut app, 6.0);
    let held: Vec<_> = workers.iter().filter_map(|&it| slot(&app, it)).collect();
    assert_eq!(held, [1], "there is one slot, and one worker has it");
    assert_eq!(workers.iter().filter(|&&it| status(&app, it) == PathStatus::AwaitingSlot).count(), 1);
    // A slot that gets into a wall is lost.
    wall(&mut app, nav, (16, 10), (16, 10));
    edit(&mut app, nav, (14, 10), Terrain::GROUND);
    seconds(&mut app, 6.0);
    let held: Vec<_> = workers.iter().filter_map(|&it| slot(&app, it)).collect();
    assert_eq!(held, [0]);
    // A ring beside a wall: no slot beyond it.
    let ogre =
        app.world_mut().spawn((TargetSlots::ring(2.0, 2.0), Transform::from_translation(at((4, 10))))).id();
    wall(&mut app, nav, (2, 0), (2, 19));
    let agents: Vec<_> = (0..12).map(|row| spawn_with(&mut app, (20, row + 4), fighter(ogre))).collect();
    seconds(&mut app, 8.0);
    let places: Vec<_> =
        agents.iter().filter(|&&it| slot(&app, it).is_some()).map(|&it| position(&app, it)).collect();
    assert!((4..10).contains(&places.len()), "some of the ten slots are left: {}", places.len());
    assert!(places.iter().all(|place| place.x > 3.0), "this side of the wall: {places:?}");
}

#[test]
fn the_slot_is_the_nearest_by_path() {
    let mut app = world(grid(
        "\
........
.####.#.
......#.
.####.#.
........",
    ));
    // The slot behind the wall is the nearer one in a straight line.
    let slots = TargetSlots::points([at((7, 2)), at((0, 4))]);
    let bench = app.world_mut().spawn(slots).id();
    let worker = work(&mut app, &[(5, 2)], bench)[0];
    ticks(&mut app, 2);
    assert_eq!(slot(&app, worker), Some(0), "round one end of the wall");
    let mut app = world(grid(
        "\
........
.####.#.
......#.
.####.#.
......#.",
    ));
    let bench = app.world_mut().spawn(TargetSlots::points([at((7, 4)), at((2, 4))])).id();
    let worker = work(&mut app, &[(5, 4)], bench)[0];
    ticks(&mut app, 2);
    assert_eq!(slot(&app, worker), Some(1), "the other one is only near in a straight line");
}

#[test]
fn a_queue_of_goals_waits_for_a_slot_and_goes_on() {
    let (mut app, bench, workers) = workshop(&[(12, 10), (18, 10)]);
    let queue = GoalQueue::to([NavGoal::SlotOf(bench), at((28, 18)).into()]).with_wait(0.5);
    let third = spawn_with(&mut app, (15, 2), (queue, Avoider::default()));
    seconds(&mut app, 5.0);
    assert_eq!((status(&app, third), slot(&app, third)), (PathStatus::AwaitingSlot, None));
    app.world_mut().despawn(workers[0]);
    seconds(&mut app, 12.0);
    assert_eq!(count(&app, &LoggedEvent::Arrived(third)), 2, "at the bench, and at the goal after it");
    stands_at(&app, third, (28, 18), 0.3);
    assert!(app.world().get::<SlotClaim>(third).is_none(), "it has given the slot back");
}

#[test]
fn a_target_that_is_gone_is_told_once() {
    for without in ["target", "slots", "grid"] {
        let (mut app, bench, workers) = workshop(&[(2, 10), (27, 10), (15, 2)]);
        let hunter = spawn_with(&mut app, (2, 2), fighter(bench));
        seconds(&mut app, 1.0);
        let expected = match without {
            "target" => {
                app.world_mut().despawn(bench);
                PathError::TargetGone
            }
            "slots" => {
                app.world_mut().entity_mut(bench).remove::<TargetSlots>();
                PathError::NoSlot
            }
            _ => {
                let grids = app
                    .world_mut()
                    .query_filtered::<Entity, With<NavGrid>>()
                    .iter(app.world())
                    .collect::<Vec<_>>();
                grids.into_iter().for_each(|grid| _ = app.world_mut().despawn(grid));
                PathError::NoGrid
            }
        };
        seconds(&mut app, 3.0);
        for &worker in &workers {
            let failures = count(&app, &LoggedEvent::Failed(worker, expected));
            assert_eq!(
                (failures, status(&app, worker)),
                (1, PathStatus::Failed(expected)),
                "without {without}"
            );
            assert!(app.world().get::<SlotClaim>(worker).is_none());
        }
        let lost = count(&app, &LoggedEvent::Lost(hunter, bench));
        assert_eq!(lost, usize::from(without == "target"), "without {without}");
    }
}

#[test]
fn bad_slots_are_an_error_and_are_told_once() {
    let bad = [
        TargetSlots::ring(f32::NAN, 2.0),
        TargetSlots::ring(0.0, 2.0),
        TargetSlots::ring(2.0, f32::INFINITY),
        TargetSlots::points([Vec3::NAN]),
        TargetSlots::default().with_spacing(-1.0),
        TargetSlots::default().with_patience(f32::NAN),
    ];
    for slots in bad {
        let (mut app, bench, workers) = workshop(&[(2, 10)]);
        let hunter = spawn_with(&mut app, (2, 2), fighter(bench));
        app.world_mut().entity_mut(bench).insert(slots.clone());
        seconds(&mut app, 2.0);
        for agent in [workers[0], hunter] {
            let failures = count(&app, &LoggedEvent::Failed(agent, PathError::BadSlots));
            assert_eq!((failures, slot(&app, agent)), (1, None), "{slots:?}");
        }
        app.world_mut().entity_mut(bench).insert(TargetSlots::default());
        seconds(&mut app, 6.0);
        assert!(is_in_slot(&app, workers[0]) && is_in_slot(&app, hunter), "mended, they go");
    }
    // Extreme numbers cost no memory, and no slots are none.
    for slots in [TargetSlots::ring(1e9, 2e9), TargetSlots::ring(1e-9, 1.0), TargetSlots::points([])] {
        let (mut app, bench, workers) = workshop(&[(2, 10)]);
        app.world_mut().entity_mut(bench).insert(slots);
        seconds(&mut app, 3.0);
        assert!(matches!(
            status(&app, workers[0]),
            PathStatus::AwaitingSlot | PathStatus::Arrived | PathStatus::Failed(_)
        ));
    }
}

#[test]
fn anybody_may_be_despawned_and_runs_are_the_same() {
    let run = |despawns: bool| {
        let mut app = world(open(60, 60));
        let ogre = (Agent::new(2.0), ManualVelocity(Vec3::X), TargetSlots::ring(2.0, 2.0));
        let ogre = app.world_mut().spawn((ogre, Transform::from_xyz(20.0, 30.0, 0.0))).id();
        let mut agents: Vec<_> = (0..30)
            .map(|index| spawn_with(&mut app, (10 + index % 6, 20 + index / 6), fighter(ogre)))
            .collect();
        let mut random = Random(5);
        for tick in 0..64 * 6 {
            app.update();
            if despawns && tick % 20 == 0 {
                let victim = agents.swap_remove(random.below(agents.len() as u32) as usize);
                app.world_mut().despawn(victim);
            }
            if despawns && tick == 300 {
                app.world_mut().despawn(ogre);
            }
        }
        agents.iter().map(|&agent| position(&app, agent)).collect::<Vec<_>>()
    };
    assert_eq!(run(true), run(true));
    assert_eq!(run(false), run(false));
}

/// The best cells from the middle of the map that no agent takes, asked without an agent.
fn free_cells(app: &mut App, count: u32) -> Vec<GridCell> {
    let ask = move |nav: NavQuery| nav.best_cells(at((5, 5)), &CellRequest::free_spots(count, 3.0));
    let found = app.world_mut().run_system_once(ask).expect("it runs").expect("it is on the grid");
    found.into_iter().map(|found| found.cell).collect()
}

#[derive(Resource, Default)]
struct Ended(Vec<(Entity, ReservationEnd)>);

/// An open map where the ends of reservations are logged, and an agent far from the cell (5, 5).
fn reserved() -> (App, Entity) {
    let mut app = world(open(12, 12));
    app.init_resource::<Ended>().add_observer(|on: On<ReservationEnded>, mut ended: ResMut<Ended>| {
        ended.0.push((on.entity, on.reason))
    });
    let owner = spawn_with(&mut app, (0, 0), Reservation::of(at((5, 5))));
    ticks(&mut app, 2);
    (app, owner)
}

#[test]
fn a_reserved_cell_is_seen_by_goals_slots_and_queries() {
    let (mut app, owner) = reserved();
    assert!(!free_cells(&mut app, 50).contains(&GridCell::new(5, 5)), "it is not free");
    let guest = send(&mut app, (11, 5), (5, 5));
    seconds(&mut app, 4.0);
    let gap = position(&app, guest).distance(at((5, 5)));
    assert!((0.7..2.3).contains(&gap) && status(&app, guest) == PathStatus::Arrived, "beside it: {gap}");
    app.world_mut().despawn(guest);
    let slots = TargetSlots::points([Vec3::ZERO]);
    let bench = app.world_mut().spawn((slots, Transform::from_translation(at((5, 5))))).id();
    let worker = work(&mut app, &[(5, 11)], bench)[0];
    seconds(&mut app, 4.0);
    assert_eq!(slot(&app, worker), None, "a slot there is not given out");
    app.world_mut().commands().entity(owner).go_to(at((5, 5)));
    seconds(&mut app, 5.0);
    stands_at(&app, owner, (5, 5), 0.3);
    assert!(app.world().get::<Reservation>(owner).is_some(), "it is its own");
    app.world_mut().despawn(owner);
    seconds(&mut app, 3.0);
    assert_eq!(slot(&app, worker), Some(0), "released with the agent");
}

#[test]
fn reservations_end_by_themselves() {
    let middle = GridCell::new(5, 5);
    let (mut app, owner) = reserved();
    app.world_mut().entity_mut(owner).insert(Reservation::of(at((5, 5))).with_seconds(1.0));
    seconds(&mut app, 0.9);
    assert!(!free_cells(&mut app, 50).contains(&middle));
    seconds(&mut app, 0.2);
    assert!(free_cells(&mut app, 50).contains(&middle), "its time is over");
    assert_eq!(app.world().resource::<Ended>().0, [(owner, ReservationEnd::TimeOver)]);

    let (mut app, owner) = reserved();
    app.world_mut().commands().entity(owner).go_to(at((2, 2)));
    ticks(&mut app, 2);
    assert!(free_cells(&mut app, 50).contains(&middle), "another order releases it");

    let (mut app, owner) = reserved();
    let late = spawn_with(&mut app, (1, 0), Reservation::of(at((5, 5)) + 0.2));
    let nowhere = [Vec3::NAN, Vec3::splat(99.0)].map(|at| spawn_with(&mut app, (2, 0), Reservation::of(at)));
    seconds(&mut app, 1.0);
    let ended = &app.world().resource::<Ended>().0;
    let expected = [
        (late, ReservationEnd::Taken),
        (nowhere[0], ReservationEnd::NoCell),
        (nowhere[1], ReservationEnd::NoCell),
    ];
    assert_eq!(ended, &expected, "each told once");
    assert!(
        app.world().get::<Reservation>(owner).is_some() && app.world().get::<Reservation>(late).is_none()
    );
}
