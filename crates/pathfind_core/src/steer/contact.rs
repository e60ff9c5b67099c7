//! The hard layer: constraints on where a step may end.
//!
//! The other rules propose velocities; this module decides positions. [`walls`] keeps a step out of a grid's
//! walls, [`obstacles`] out of shapes, [`resolve_contacts`] out of both; [`bodies`] pushes overlapping bodies
//! apart.

pub mod bodies;
pub mod obstacles;
pub mod walls;

use glam::Vec3;

use super::obstacle::{LayerMask, Obstacles};

/// A step that a body is about to take.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Step {
    /// Position of its centre before the step. Unit: lengths. Range: ±10¹⁸.
    pub from: Vec3,
    /// Position that it would like to reach. Unit: lengths. Range: ±10¹⁸.
    pub to: Vec3,
    /// Radius of the body. Unit: lengths. Range: 0 to 10¹⁸.
    pub radius: f32,
    /// The layers of obstacles that stop it.
    pub mask: LayerMask,
    /// The number of the obstacles that do not stop it: those of the body itself.
    pub except: Option<u64>,
    /// Duration of the step; obstacles move during it. Unit: seconds. Range: 0 to 10³⁰; infinity counts as 0.
    pub dt: f32,
    /// Time between the obstacles' stated positions and the start of the step. Unit and range: as `dt`.
    pub since: f32,
}

/// The most rounds of obstacles and walls in turn. It bounds the time.
const ROUNDS: usize = 4;

/// Where a step ends that is kept out of walls and obstacles. `walls(from, to)` returns where a step ends because
/// of walls; if there are only obstacles, it returns `to`.
///
/// A body squeezed between a moving obstacle and a wall stays out of the wall and overlaps the obstacle until
/// there is room: walls have precedence.
#[must_use]
pub fn resolve_contacts(step: Step, obstacles: &Obstacles, walls: impl Fn(Vec3, Vec3) -> Vec3) -> Vec3 {
    let mut to = step.to;
    for _ in 0..ROUNDS {
        let past = obstacles::slide(Step { to, ..step }, obstacles);
        let end = walls(step.from, past);
        if end == past || obstacles::is_clear(Step { to: end, ..step }, obstacles) {
            return end;
        }
        to = end;
    }
    walls(step.from, obstacles::slide(Step { to: step.from, ..step }, obstacles))
}

/// The velocity after a step of `dt` seconds of a body that others have pushed by `pushed`, in units of length:
/// the part of the velocity that the push undid is removed.
///
/// At most that part is removed: a body that touches the one ahead goes on as fast as that one. Nothing is added:
/// a push gives no speed. A push or a step that is not a number, or a step of 0, changes nothing.
#[must_use]
pub fn slowed(velocity: Vec3, pushed: Vec3, dt: f32) -> Vec3 {
    let (push_direction, most) = (pushed.normalize_or_zero(), pushed.length() / dt);
    let lost = (-velocity.dot(push_direction)).min(most);
    if lost > 0.0 && most.is_finite() { velocity + push_direction * lost } else { velocity }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steer::obstacle::Shape;
    use crate::steer::{CounterRng, MovementPlane};
    use crate::testing::{distance_to_wall, walled};
    use crate::{AgentKind, AgentSize, CornerRule, Grid, GridCell};

    /// A maze of corridors one cell wide: from every second cell one leads on, east or south.
    fn maze(side: u32) -> Grid {
        let leads_east = |x: i32, y: i32| CounterRng::new(5, x as u64, y as u64).unit() < 0.5;
        let border = side as i32 - 1;
        walled(side, side, |GridCell { x, y }| {
            let is_open = match (x % 2, y % 2) {
                (1, 1) => true,
                (0, 1) => leads_east(x - 1, y),
                (1, 0) => !leads_east(x, y - 1),
                _ => false,
            };
            !is_open || x.min(y) == 0 || x.max(y) == border
        })
    }

    #[test]
    fn a_crowd_in_a_maze_is_never_inside_a_wall_or_an_obstacle() {
        let mut grid = maze(41);
        let sizes = [AgentSize::Square(1), AgentSize::Disc(0.3), AgentSize::Disc(0.5)];
        let kinds = sizes.map(|size| grid.add_kind(AgentKind { size, ..AgentKind::default() }).unwrap());
        let radii = [0.0, 0.3, 0.5];
        let posts = (0..10).map(|i| Shape::sphere(Vec3::new(3.2 + 4.0 * i as f32, 5.0, 0.0), 0.2));
        let field = Obstacles::of(Some(MovementPlane::XY), posts, 0.0);
        let home = |id: i32| GridCell::new(1 + 2 * (id % 20), 1 + 2 * (id / 20 * 4)).center();
        let mut crowd: Vec<_> = (0..100).map(|id| (id, home(id), Vec3::ZERO)).collect();
        for tick in 0..10_000 {
            for (id, place, velocity) in &mut crowd {
                let size = *id as usize % 3;
                let mut rng = CounterRng::new(11, *id as u64, tick);
                // Mostly small steps, now and then one across several walls.
                let haste = if rng.unit() < 0.01 { 4.0 } else { 0.05 };
                *velocity = *velocity * 0.9 + rng.direction() * haste;
                let from = place.extend(0.0);
                let to = (from + *velocity).with_z(0.0);
                let (radius, dt) = (radii[size], 1.0 / 60.0);
                let step = Step { from, to, radius, mask: LayerMask::ALL, except: None, dt, since: 0.0 };
                let end = resolve_contacts(step, &field, |from, to| {
                    let (from, to) = (from.truncate(), to.truncate());
                    walls::slide(&grid, kinds[size], CornerRule::Never, from, to).extend(0.0)
                });
                *place = end.truncate();
                let free = distance_to_wall(&grid, kinds[size], *place, radii[size]);
                assert!(free >= radii[size] - 2.0 * walls::OVERLAP, "{id} in a wall at {place}, tick {tick}");
                let is_walkable = grid.is_walkable(kinds[0], GridCell::containing(*place));
                assert!(is_walkable, "{id} at {place}, tick {tick}");
                let here = Step { to: end, ..step };
                assert!(obstacles::is_clear(here, &field), "{id} is in an obstacle at {place}, tick {tick}");
            }
        }
        let moved = crowd.iter().filter(|(id, place, _)| home(*id).distance(*place) > 2.0);
        assert!(moved.count() > 50, "the crowd gets about");
    }

    #[test]
    fn a_push_takes_away_what_did_not_get_a_body_on_and_adds_nothing() {
        let (velocity, dt) = (Vec3::new(3.0, 1.0, 0.0), 0.1);
        let slower = slowed(velocity, Vec3::X * -0.1, dt);
        assert!(slower.distance(Vec3::new(2.0, 1.0, 0.0)) < 1e-5, "as fast as it got on: {slower}");
        let stopped = slowed(velocity, Vec3::X * -0.5, dt);
        assert!(stopped.distance(Vec3::Y) < 1e-5, "it is stopped, not thrown back: {stopped}");
        assert_eq!(slowed(velocity, Vec3::X * 0.5, dt), velocity, "a push from behind makes it no faster");
        for (pushed, dt) in [(Vec3::NAN, dt), (Vec3::X * -0.1, f32::NAN), (Vec3::X * -0.1, 0.0)] {
            assert_eq!(slowed(velocity, pushed, dt), velocity, "pushed by {pushed} in {dt} s");
        }
    }
}
