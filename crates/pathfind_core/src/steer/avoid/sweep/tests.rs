//! Tests of [`Sweep`]: bodies that pass obstacles.

use glam::Quat;

use super::*;
use crate::steer::{
    Body, CounterRng, MovementPlane,
    contact::{Step, obstacles, walls},
    obstacle::{GridWalls, Obstacles, Shape},
};
use crate::{CornerRule, Grid, KindId};

const SPEED: f32 = 5.0;
const ACCELERATION: f32 = 20.0;

/// The result of one run.
struct Walk {
    body: Body,
    /// Time of arrival, in seconds.
    arrived: Option<f32>,
    /// How often it changed the side of passing.
    turnabouts: u32,
    /// Whether it touched an obstacle.
    touched: bool,
}

fn field(plane: Option<MovementPlane>, shapes: &[Shape]) -> Obstacles {
    Obstacles::of(plane, shapes.iter().copied(), 0.0)
}

/// A run of at most ten seconds, without the hard layer.
fn walk(field: &Obstacles, from: Vec3, goal: Vec3, rate: f32) -> Walk {
    let sweep = Sweep::default();
    let mut state = AvoidState::default();
    let body = Body::new(from, Vec3::ZERO).with_radius(0.5);
    let mut walk = Walk { body, arrived: None, turnabouts: 0, touched: false };
    for tick in 0..(10.0 * rate) as u32 {
        let body = &mut walk.body;
        let desired = (goal - body.position).normalize_or_zero() * SPEED;
        let input = AvoidanceInput { body: *body, desired, goal: Some(goal), plane: field.plane() };
        let before = state.side;
        let avoidance = sweep.steer(input, &mut state, 1.0 / rate, field);
        walk.turnabouts += u32::from(before.dot(state.side) < 0.0);
        let Avoidance { velocity, .. } = avoidance;
        assert!(velocity.is_finite() && velocity.length() < SPEED * 1.01, "{avoidance:?}");
        body.velocity = body.velocity.move_towards(velocity, ACCELERATION / rate);
        body.position += body.velocity / rate;
        let (to, mask) = (body.position, LayerMask::ALL);
        let here = Step { from, to, radius: 0.499, mask, except: None, dt: 0.0, since: 0.0 };
        walk.touched |= !obstacles::is_clear(here, field);
        if body.position.distance(goal) < 0.3 {
            walk.arrived = Some(tick as f32 / rate);
            break;
        }
    }
    walk
}

#[test]
fn in_front_of_a_box_it_takes_a_side_and_keeps_to_it() {
    let field = field(Some(MovementPlane::XY), &[Shape::cuboid(Vec3::X * 8.0, Vec3::new(1.0, 2.0, 1.0))]);
    for offset in [0.0, 0.01, -0.01, 0.5, -1.5] {
        let walk = walk(&field, Vec3::Y * offset, Vec3::X * 16.0, 60.0);
        assert!(walk.arrived.is_some_and(|at| at < 5.0), "it comes round: {:?}", walk.arrived);
        assert!(!walk.touched && walk.turnabouts == 0, "in one go: {} turnabouts", walk.turnabouts);
    }
}

#[test]
fn the_nearer_side_is_taken_and_mirrors_and_turns_do_not_matter() {
    let shapes = [
        Shape::cuboid(Vec3::new(6.0, 0.4, 0.0), Vec3::new(1.0, 1.5, 1.0)),
        Shape::sphere(Vec3::new(11.0, -0.7, 0.0), 1.2),
    ];
    let plane = Some(MovementPlane::XY);
    let end = |turn: Quat, mirror: Vec3| {
        let place = |v: Vec3| turn * (v * mirror);
        let placed = shapes.map(|shape| Shape { position: place(shape.position), rotation: turn, ..shape });
        let walk = walk(&field(plane, &placed), Vec3::ZERO, place(Vec3::X * 16.0), 60.0);
        (turn.inverse() * walk.body.position * mirror, walk.arrived)
    };
    let (place, time) = end(Quat::IDENTITY, Vec3::ONE);
    assert!(time.is_some(), "it arrives");
    for turn in [0.0, 1.0, 2.5, 4.0] {
        for mirror in [Vec3::ONE, Vec3::new(1.0, -1.0, 1.0)] {
            let (other, _) = end(Quat::from_rotation_z(turn), mirror);
            assert!(other.distance(place) < 0.05, "turned {turn}, mirrored {mirror}: {other}, not {place}");
        }
    }
}

#[test]
fn ticks_of_any_rate_come_round_alike() {
    let field = field(
        Some(MovementPlane::XZ),
        &[Shape::sphere(Vec3::new(5.0, 0.0, 0.3), 1.5), Shape::sphere(Vec3::new(10.0, 0.0, -1.5), 1.0)],
    );
    let times = [30.0, 60.0, 144.0].map(|rate| {
        let walk = walk(&field, Vec3::ZERO, Vec3::X * 16.0, rate);
        assert!(!walk.touched, "nothing is touched at {rate} Hz");
        walk.arrived.expect("it arrives")
    });
    assert!(times.iter().all(|time| (time - times[1]).abs() < 0.05 * times[1]), "{times:?}");
}

#[test]
fn goals_close_to_obstacles_are_reached() {
    let wall = |x: f32| Shape::cuboid(Vec3::X * x, Vec3::new(0.5, 2.0, 1.0));
    let before = walk(&field(Some(MovementPlane::XY), &[wall(9.2)]), Vec3::ZERO, Vec3::X * 8.0, 60.0);
    assert!(before.arrived.is_some_and(|at| at < 2.5) && !before.touched, "what lies beyond slows nobody");
    let gap = [Shape::sphere(Vec3::new(8.0, 1.7, 0.0), 1.0), Shape::sphere(Vec3::new(8.0, -1.7, 0.0), 1.0)];
    let between = walk(&field(Some(MovementPlane::XY), &gap), Vec3::Y * 2.0, Vec3::X * 8.0, 60.0);
    assert!(between.arrived.is_some() && !between.touched, "it goes in between");
    let behind = walk(&field(Some(MovementPlane::XY), &[wall(5.0)]), Vec3::Y, Vec3::X * 7.0, 60.0);
    assert!(behind.arrived.is_some() && !behind.touched, "and behind");
}

#[test]
fn in_space_it_passes_on_any_side() {
    let field = field(None, &[Shape::sphere(Vec3::new(6.0, 0.2, -0.1), 2.0)]);
    let walk = walk(&field, Vec3::ZERO, Vec3::new(12.0, 1.0, 0.0), 60.0);
    assert!(walk.arrived.is_some_and(|at| at < 4.0) && !walk.touched, "{:?}", walk.arrived);
}

#[test]
fn where_no_way_leads_round_it_brakes_and_stops() {
    let ring = core::array::from_fn::<_, 24, _>(|i| {
        let (sin, cos) = libm::sincosf(i as f32 * core::f32::consts::TAU / 24.0);
        Shape::sphere(Vec3::new(cos, 0.0, sin) * 6.0, 1.0)
    });
    let walk = walk(&field(Some(MovementPlane::XZ), &ring), Vec3::ZERO, Vec3::X * 30.0, 60.0);
    assert!(!walk.touched && walk.arrived.is_none(), "it stays inside of the ring");
    assert!(walk.body.position.length() < 4.6, "{}", walk.body.position);
}

#[test]
fn a_trap_on_a_grid_holds_it_and_breaks_nothing() {
    let grid =
        Grid::from_ascii("..........\n...#####..\n.......#..\n.......#..\n...#####..\n..........").unwrap();
    let kind = KindId::default();
    let probe = GridWalls { grid: &grid, kind };
    let goal = Vec3::new(9.5, 3.0, 0.0);
    let mut body = Body::new(Vec3::new(0.5, 3.0, 0.0), Vec3::ZERO).with_radius(0.4);
    let mut state = AvoidState::default();
    for _ in 0..1200 {
        let desired = (goal - body.position).normalize_or_zero() * SPEED;
        let input = AvoidanceInput { body, desired, goal: Some(goal), plane: Some(MovementPlane::XY) };
        let avoidance = Sweep::default().steer(input, &mut state, 1.0 / 60.0, &probe);
        assert!(avoidance.velocity.is_finite() && avoidance.velocity.z == 0.0, "planar in, planar out");
        body.velocity = body.velocity.move_towards(avoidance.velocity, ACCELERATION / 60.0);
        let (from, to) = (body.position.truncate(), (body.position + body.velocity / 60.0).truncate());
        let end = walls::slide(&grid, kind, CornerRule::Never, from, to);
        assert!(grid.is_walkable(kind, crate::GridCell::containing(end)), "never in a wall: {end}");
        body.position = end.extend(0.0);
    }
}

#[test]
fn nonsense_asks_for_nothing() {
    let field = field(None, &[Shape::sphere(Vec3::X * 3.0, 1.0)]);
    let body = Body::new(Vec3::ZERO, Vec3::ZERO).with_radius(0.5);
    let good = AvoidanceInput { body, desired: Vec3::X, goal: None, plane: None };
    let mut state = AvoidState { side: Vec3::NAN, left: f32::NAN };
    for bad in [
        AvoidanceInput { desired: Vec3::NAN, ..good },
        AvoidanceInput { body: Body::new(Vec3::INFINITY, Vec3::ZERO), ..good },
    ] {
        assert_eq!(Sweep::default().steer(bad, &mut state, 0.1, &field), Avoidance::none(Vec3::ZERO));
    }
    let lost = AvoidanceInput { goal: Some(Vec3::NAN), ..good };
    let avoidance = Sweep::default().steer(lost, &mut state, f32::NAN, &field);
    assert!(avoidance.velocity.is_finite(), "a goal that is no place is none");
    let wild = Sweep { reaction_time: f32::NAN, braking: -1.0, force: f32::INFINITY, ..Sweep::default() };
    for (plane, side) in [(None, Vec3::NAN), (Some(MovementPlane::XY), Vec3::NAN), (None, Vec3::INFINITY)] {
        let poisoned = &mut AvoidState { side, left: 1.0 };
        let input = AvoidanceInput { plane, ..good };
        let avoidance = wild.steer(input, poisoned, 0.1, &field);
        assert!(avoidance.velocity.is_finite(), "settings that are none: {avoidance:?} in {plane:?}");
        assert!(poisoned.side.is_finite(), "and a state of none are got over: {poisoned:?} in {plane:?}");
    }
}

#[test]
fn numbers_of_any_size_give_velocities_that_are_numbers() {
    for seed in 0..20_000 {
        let mut rng = CounterRng::new(35, seed, 0);
        let plane = [None, Some(MovementPlane::XY)][seed as usize % 2];
        let shapes = [Shape::sphere(rng.any_vector(), rng.any_number()), Shape::sphere(Vec3::X * 2.0, 1.0)];
        let field = field(plane, &shapes);
        let mut sweep = Sweep::default();
        if seed % 4 < 2 {
            sweep.reaction_time = rng.any_number();
            sweep.braking = rng.any_number();
            sweep.force = rng.any_number();
            sweep.margin = rng.any_number();
            sweep.side_hold_time = rng.any_number();
        }
        let body = Body::new(rng.any_vector(), rng.any_vector()).with_radius(rng.any_number());
        let input = AvoidanceInput { body, desired: rng.any_vector(), goal: Some(rng.any_vector()), plane };
        let avoidance = sweep.steer(input, &mut AvoidState::default(), rng.any_number(), &field);
        assert!(avoidance.velocity.is_finite(), "seed {seed}: {avoidance:?} for {input:?} by {sweep:?}");

        let step = Step {
            from: input.body.position,
            to: input.desired,
            radius: body.radius,
            mask: LayerMask::ALL,
            except: None,
            dt: rng.any_number(),
            since: rng.any_number(),
        };
        let end = obstacles::slide(step, &field);
        assert!(end.is_finite() || !step.from.is_finite(), "seed {seed}: {end} after {step:?}");
    }
}
