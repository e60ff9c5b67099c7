//! Keeps agents off what is in the way: walls, obstacles, one another.
//!
//! Two layers. Obstacles ahead are felt for with a ray or with the body's own width, and the velocity is
//! turned aside; other agents are made way for by reciprocal avoidance. Both are soft, and `motion` has the
//! last word.

#[cfg(any(feature = "avian2d", feature = "avian3d"))]
pub(super) mod avian;
mod feel;
mod reciprocal;
mod settings;

use bevy::prelude::*;
use pathfind_core::steer::avoid::{AvoidState, Avoidance};

pub(super) use feel::{Feeler, Feeling, Physics, Surface, Way};
pub(super) use reciprocal::{OrcaScratch, make_way};
pub use settings::{AgentAvoidance, Avoider, ObstacleAvoidance};

/// What an avoider remembers from tick to tick.
#[derive(Component, Debug, Default, PartialEq)]
pub(crate) struct AvoidMemory(AvoidState);

/// How far an agent has yet to go.
#[derive(Component, Debug, Clone, Copy, PartialEq)]
pub(crate) struct Remaining {
    /// In world units: infinity, if that is not known; 0, if it does not want to go anywhere.
    pub(crate) distance: f32,
    /// Whether it finds a place beside its goal where others stand in it.
    pub(crate) spreads: bool,
}

impl Remaining {
    pub(crate) const UNKNOWN: Self = Self::new(f32::INFINITY);

    pub(crate) const fn new(distance: f32) -> Self {
        Self { distance, spreads: true }
    }
}

impl Default for Remaining {
    fn default() -> Self {
        Self::new(0.0)
    }
}

/// How an avoider felt ahead in the last tick, and what it found: for show.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq)]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct AvoidProbe {
    /// From where, in the world.
    pub from: Vec3,
    /// How far it looked from there; zero if it did not.
    pub look: Vec3,
    /// The width that it felt with, as a radius. 0 for a ray.
    pub radius: f32,
    /// Where it touched something.
    pub hit: Option<Vec3>,
    /// Out of what it touched; zero if it touched nothing.
    pub normal: Vec3,
    /// On which side it goes round: across its way; zero if on none.
    pub side: Vec3,
}

impl AvoidProbe {
    fn of(avoidance: &Avoidance, side: Vec3) -> Self {
        let Some(cast) = avoidance.probed else { return Self::default() };
        Self {
            from: cast.origin,
            look: cast.direction * cast.max,
            radius: cast.radius,
            hit: avoidance.hit.map(|hit| hit.point),
            normal: avoidance.hit.map_or(Vec3::ZERO, |hit| hit.normal),
            side,
        }
    }
}
