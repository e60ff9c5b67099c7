//! The hard layer: where a step may end.
//!
//! Soft rules ask, this decides. [`walls`] keep a step out of a grid's walls, [`obstacles`] out of shapes,
//! [`settle`] out of both; [`bodies`] keeps them all out of one another.

pub mod bodies;
pub mod obstacles;
pub mod walls;

use glam::Vec3;

use super::obstacle::{Mask, Obstacles};

/// A step that a body is about to take.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Step {
    /// Where its centre is.
    pub from: Vec3,
    /// Where it would go.
    pub to: Vec3,
    /// How far it reaches. Range: 0 and up.
    pub radius: f32,
    /// The layers of obstacles that stop it.
    pub mask: Mask,
    /// How long it takes, in seconds: obstacles go on meanwhile. Range: 0 and up.
    pub dt: f32,
}

/// How often walls and obstacles are asked in turn.
const ROUNDS: usize = 4;

/// Where a step ends that is kept out of walls and obstacles. `walls` says where a step from one place to
/// another ends because of walls; with obstacles alone, it says the second place.
///
/// A body that is squeezed between an obstacle on its way and a wall stays out of the wall, and overlaps the
/// obstacle until there is room: the wall wins.
#[must_use]
pub fn settle(step: Step, obstacles: &Obstacles, walls: impl Fn(Vec3, Vec3) -> Vec3) -> Vec3 {
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
