//! Steps that end outside of obstacles.

use glam::Vec3;

use super::Step;
use crate::steer::Body;
use crate::steer::obstacle::{Obstacles, Shape};

/// The most obstacles along which a step slides in turn. It bounds the time.
const SLIDES: usize = 6;
/// The most pushes of a body, each out of the obstacle that it is deepest in. It bounds the time.
const PUSHES: usize = 12;
/// Overlap that is ignored, as a part of the sum of the body's and the obstacle's size.
const TOUCH: f32 = 1e-4;
/// Least radius of a body: in units of length, and as a part of its largest coordinate. It is several times the
/// rounding error, so that a body that touches a side stays on its side of it.
const SMALLEST: (f32, f32) = (1e-3, 1e-6);
/// The greatest displacement of an obstacle in a step, and the greatest time: their sums are finite.
const LARGEST: f32 = 1e30;

/// Where a step ends that slides along the obstacles that it meets.
///
/// The whole path is swept, so that no body jumps over an obstacle at any speed. Obstacles move during the step by
/// their velocity and push bodies in front of them, each by at most six times the size of body and obstacle: one that
/// moves farther in a step passes the body by. A body that overlaps an obstacle at the start is first pushed out of
/// it by the shortest way. A body wedged between several is pushed out of them as far as possible. A body stays
/// where it is if its step has a number that is NaN or beyond ±10¹⁸, or a negative radius.
///
/// A body with a radius below 0.001, or below a millionth of its largest coordinate, is treated as one with that
/// radius: otherwise rounding could put it on the other side of boxes of no thickness.
#[must_use]
pub fn slide(step: Step, obstacles: &Obstacles) -> Vec3 {
    // The numbers of a step have the range of those of a body.
    let is_in_range = Body::new(step.from, step.to).with_radius(step.radius).is_in_range();
    if !is_in_range || step.radius < 0.0 {
        return step.from;
    }
    let step = checked(step);
    let along = step.to - step.from;
    if meets_nothing(along, &step, obstacles) {
        return step.from + along;
    }
    let mut at = push_out(step.from, &step, obstacles, step.since);
    let mut rest = along;
    let mut time = 0.0;
    for _ in 0..SLIDES {
        let Some(FirstContact { fraction, normal, carried, size }) =
            first_touch(at, rest, time, &step, obstacles)
        else {
            at += rest;
            break;
        };
        // Moved off by less than the ignored overlap, or rounding would report the same contact again.
        at += rest * fraction + normal * (0.5 * TOUCH * step.radius);
        time += (1.0 - time) * fraction;
        rest *= 1.0 - fraction;
        let carried = carried * (1.0 - fraction);
        let into = (rest - carried).dot(normal);
        let pushed = rest - normal * into.min(0.0);
        // While an obstacle moves farther than its size, the side that it turns to the body changes: it pushes the body
        // for a part of the time, then the contact is found anew.
        let part = size / carried.length();
        if part < 1.0 {
            at += pushed * part;
            time += (1.0 - time) * part;
            rest *= 1.0 - part;
        } else {
            rest = pushed;
        }
    }
    push_out(at, &step, obstacles, step.since + step.dt)
}

/// Whether a body overlaps no obstacle at the end of its step, up to the ignored overlap.
#[must_use]
pub fn is_clear(step: Step, obstacles: &Obstacles) -> bool {
    let step = checked(step);
    deepest(step.to, &step, obstacles, step.since + step.dt).is_none()
}

/// The same step with at least the least radius; times that are NaN, infinite or negative count as 0, and those above
/// [`LARGEST`] as that.
fn checked(step: Step) -> Step {
    let farthest = step.from.abs().max(step.to.abs()).max_element();
    let radius = step.radius.max(SMALLEST.0).max(farthest * SMALLEST.1);
    let time = |time: f32| if time.is_finite() { time.clamp(0.0, LARGEST) } else { 0.0 };
    Step { radius, dt: time(step.dt), since: time(step.since), ..step }
}

/// The displacement of an obstacle in a time.
fn moved(velocity: Vec3, time: f32) -> Vec3 {
    (velocity * time).clamp(Vec3::splat(-LARGEST), Vec3::splat(LARGEST))
}

/// Whether a body certainly touches nothing on its path, its start or its end: a fast path for nearly all bodies
/// of a crowd.
fn meets_nothing(along: Vec3, step: &Step, obstacles: &Obstacles) -> bool {
    let path = (step.from, step.from + along);
    obstacles.near(path, step.radius, step.mask, step.except).all(|solid| {
        let Shape { position, velocity, .. } = solid.shape;
        let from = step.from - position - moved(velocity, step.since);
        solid.is_missed(from, along - moved(velocity, step.dt), step.radius)
    })
}

/// The first contact on the rest of the path.
struct FirstContact {
    /// The part of the rest covered by then.
    fraction: f32,
    /// The normal of the obstacle's surface, towards the body.
    normal: Vec3,
    /// The displacement of the obstacle in the remaining time.
    carried: Vec3,
    /// The sum of the obstacle's and the body's size.
    size: f32,
}

fn first_touch(at: Vec3, rest: Vec3, time: f32, step: &Step, obstacles: &Obstacles) -> Option<FirstContact> {
    let (gone, left) = (step.since + step.dt * time, step.dt * (1.0 - time));
    let mut first: Option<(f64, FirstContact)> = None;
    for solid in obstacles.near((at, at + rest), step.radius, step.mask, step.except) {
        let Shape { position, velocity, .. } = solid.shape;
        let (from, carried) = (at - position - moved(velocity, gone), moved(velocity, left));
        if let Some((part, normal)) = solid.meets(from, rest - carried, step.radius)
            && first.as_ref().is_none_or(|&(nearest, _)| part < nearest)
        {
            let size = step.radius + solid.shape.bounding_radius();
            first = Some((part, FirstContact { fraction: part as f32, normal, carried, size }));
        }
    }
    first.map(|(_, touch)| touch)
}

/// A position outside of every obstacle as it is after `time`, as near as one is found.
fn push_out(at: Vec3, step: &Step, obstacles: &Obstacles, time: f32) -> Vec3 {
    let mut out = at;
    for _ in 0..PUSHES {
        let Some((depth, normal)) = deepest(out, step, obstacles, time) else { break };
        out += normal * depth;
    }
    out
}

/// The depth of a body in the obstacle that it is deepest in, and the direction out.
fn deepest(at: Vec3, step: &Step, obstacles: &Obstacles, time: f32) -> Option<(f32, Vec3)> {
    let mut deepest: Option<(f32, Vec3)> = None;
    for solid in obstacles.near((at, at), step.radius, step.mask, step.except) {
        let shape = &solid.shape;
        let point = at - shape.position - moved(shape.velocity, time);
        let Some((gap, normal)) = solid.gap(point.into(), step.radius) else { continue };
        let depth = step.radius - gap;
        if depth > TOUCH * (step.radius + shape.bounding_radius()).max(0.01)
            && deepest.is_none_or(|(most, _)| depth > most)
        {
            deepest = Some((depth, normal));
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec2};
    use proptest::prelude::*;

    use super::*;
    use crate::steer::contact::resolve_contacts;
    use crate::steer::obstacle::LayerMask;
    use crate::steer::{CounterRng, MovementPlane};

    fn set(plane: Option<MovementPlane>, shapes: &[Shape]) -> Obstacles {
        Obstacles::of(plane, shapes.iter().copied(), 1.0)
    }

    fn step(from: Vec3, to: Vec3) -> Step {
        Step { from, to, radius: 0.5, mask: LayerMask::ALL, except: None, dt: 0.1, since: 0.0 }
    }

    #[test]
    fn a_fast_step_slides_along_a_thin_box_and_does_not_jump_it() {
        let wall = set(Some(MovementPlane::XY), &[Shape::cuboid(Vec3::X * 5.0, Vec3::new(0.01, 50.0, 1.0))]);
        let end = slide(step(Vec3::ZERO, Vec3::new(1000.0, 3.0, 0.0)), &wall);
        assert!((end.x - 4.49).abs() < 1e-3, "it stops before it: {end}");
        assert!((end.y - 3.0).abs() < 1e-3, "and keeps the part along it: {end}");
    }

    #[test]
    fn a_moving_obstacle_pushes_bodies_and_never_runs_over_them() {
        let ball = Shape::sphere(Vec3::X * -50.0, 1.0).with_velocity(Vec3::X * 700.0);
        let end = slide(step(Vec3::Y * 0.1, Vec3::Y * 0.1), &set(Some(MovementPlane::XY), &[ball]));
        assert!(end.distance(Vec3::X * 20.0) >= 1.5 - 1e-3, "it is out of the way: {end}");
        assert!(end != Vec3::Y * 0.1, "it was pushed");
    }

    #[test]
    fn however_fast_an_obstacle_is_and_long_the_step_no_body_is_thrown_far() {
        let (near, far) = (Vec3::new(-3.0, 0.2, 0.0), Vec3::splat(-3.4e38));
        let turned = Quat::from_rotation_z(0.4);
        let shapes = [
            Shape::sphere(near, 1.0),
            Shape::cuboid(near, Vec3::ONE),
            Shape::cuboid(near, Vec3::ONE).with_rotation(turned),
            Shape::sphere(far, 1.0),
            Shape::cuboid(far, Vec3::splat(3.4e38)),
        ];
        let numbers = [0.0, 0.02, 1.0, 10.0, 1e3, 1e6, 1e9, 1e18, 1e30, f32::MAX];
        for (shape, plane) in shapes.into_iter().flat_map(|it| [(it, None), (it, Some(MovementPlane::XY))]) {
            for velocity in
                numbers.iter().flat_map(|speed| [Vec3::X, Vec3::NEG_X, Vec3::ONE].map(|it| it * speed))
            {
                for (dt, since) in numbers.into_iter().flat_map(|dt| [(dt, 0.0), (dt, 0.02), (0.02, dt)]) {
                    let set = set(plane, &[shape.with_velocity(velocity)]);
                    let step = Step { dt, since, ..step(Vec3::ZERO, Vec3::Y * 0.1) };
                    let end = slide(step, &set);
                    let most = 0.1 + 6.0 * (0.5 + shape.bounding_radius()) + 2.0;
                    let is_near = end.is_finite() && (end.length() < most || most.is_infinite());
                    assert!(is_near, "to {end} by {velocity} in {dt} s after {since}: {shape:?}");
                }
            }
        }
    }

    #[test]
    fn between_an_obstacle_and_a_wall_the_wall_wins() {
        let press = set(None, &[Shape::sphere(Vec3::X * -2.0, 1.0).with_velocity(Vec3::X * 20.0)]);
        let wall_at = 0.2;
        let walls = |_: Vec3, to: Vec3| to.with_x(to.x.min(wall_at));
        let end = resolve_contacts(step(Vec3::ZERO, Vec3::ZERO), &press, walls);
        assert!(end.x <= wall_at, "it is not pressed into the wall: {end}");
    }

    #[test]
    fn a_body_is_not_stopped_by_its_own_obstacle() {
        let shapes = [3, 4].map(|who| Shape::sphere(Vec3::X * (who - 3) as f32 * 5.0, 1.0).with_who(who));
        let field = set(None, &shapes);
        let along = Step { except: Some(3), ..step(Vec3::ZERO, Vec3::X * 9.0) };
        let end = slide(along, &field);
        assert!((end.x - 3.5).abs() < 1e-2, "it walks off, up to the obstacle of another: {end}");
        assert!(is_clear(Step { to: Vec3::ZERO, ..along }, &field));
    }

    #[test]
    fn nonsense_goes_nowhere() {
        let field = set(None, &[Shape::sphere(Vec3::ZERO, 1.0)]);
        let at = Vec3::X * 3.0;
        assert_eq!(slide(step(at, Vec3::NAN), &field), at);
        assert_eq!(slide(Step { radius: f32::NAN, ..step(at, Vec3::ZERO) }, &field), at);
        let endless = Step { dt: f32::NAN, ..step(at, Vec3::ZERO) };
        let end = slide(endless, &field);
        assert!(is_clear(Step { to: end, ..endless }, &field), "a time that is none is no time: {end}");
        assert!(!is_clear(endless, &field), "and moves no obstacle away");
        assert!(slide(step(Vec3::ZERO, Vec3::ZERO), &field).length() > 1.49, "out of the very middle");
    }

    /// A room with this many walls, made of sheets of no thickness that meet at their edges, in the plane about a
    /// centre.
    fn room(sides: u32, center: Vec3, width: f32, turn: f32) -> Vec<Shape> {
        let angle = core::f32::consts::PI / sides as f32;
        let wall = |side: u32| {
            let turned = Quat::from_rotation_z(turn + 2.0 * angle * side as f32);
            let half = Vec3::new(0.0, width * libm::tanf(angle), 1.0);
            Shape::cuboid(center + turned * Vec3::X * width, half).with_rotation(turned)
        };
        (0..sides).map(wall).collect()
    }

    #[test]
    fn no_body_leaves_a_closed_room_however_thin_its_walls_and_small_the_body() {
        for seed in 0..300 {
            let mut rng = CounterRng::new(21, seed, 0);
            let (sides, width) = (3 + rng.below(5), 1.0 + 9.0 * rng.unit());
            let center = rng.place().with_z(0.0) * [0.0, 10.0, 1000.0][seed as usize % 3];
            let shapes = room(sides, center, width, rng.signed() * 3.0);
            let radius = [0.0, 0.0, 1e-30, 1e-6, 1e-4, 0.01][seed as usize % 6];
            let reach = width * [0.01, 0.3, 5.0][seed as usize / 3 % 3];
            let walls = set(Some(MovementPlane::XY), &shapes);
            let mut at = center;
            for tick in 0..2_000 {
                let along = rng.direction().with_z(0.0) * reach * rng.unit();
                at = slide(Step { radius, ..step(at, at + along) }, &walls);
                for shape in &shapes {
                    let beyond = (at - shape.position).dot(shape.rotation * Vec3::X);
                    assert!(
                        beyond < 0.0,
                        "a body of {radius} left by {beyond} through a wall of {sides}: room {seed}, tick {tick}"
                    );
                }
            }
        }
    }

    fn flat(range: f32) -> impl Strategy<Value = Vec3> {
        [-range..range, -range..range].prop_map(|v| Vec2::from(v).extend(0.0))
    }

    proptest! {
        #[test]
        fn no_step_ends_in_an_obstacle(
            places in prop::collection::vec((flat(20.0), any::<bool>(), 0.0f32..3.0, flat(30.0)), 1..30),
            from in flat(20.0), along in flat(60.0), moving in any::<bool>(),
        ) {
            // Shapes far enough apart that a body fits between them at all times.
            let mut shapes: Vec<Shape> = Vec::new();
            for (place, round, turn, velocity) in places {
                let shape = if round {
                    Shape::sphere(place, 1.0)
                } else {
                    Shape::cuboid(place, Vec3::new(1.0, 0.3, 1.0)).with_rotation(Quat::from_rotation_z(turn))
                };
                let velocity = if moving { velocity } else { Vec3::ZERO };
                let shape = shape.with_velocity(velocity);
                let fits = |other: &Shape| {
                    let apart = |dt: f32| {
                        (shape.position - other.position + (shape.velocity - other.velocity) * dt).length()
                    };
                    (0..=10).all(|i| apart(0.01 * i as f32) > 4.5)
                };
                if shapes.iter().all(fits) {
                    shapes.push(shape);
                }
            }
            let field = set(Some(MovementPlane::XY), &shapes);
            let step = step(from, from + along);
            let end = slide(step, &field);
            prop_assert!(end.is_finite() && end.z == 0.0, "planar in, planar out: {end}");
            prop_assert!(is_clear(Step { to: end, ..step }, &field), "it ends in no obstacle: {end}");
        }
    }
}
