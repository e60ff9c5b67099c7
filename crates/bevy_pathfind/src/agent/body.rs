//! What a body can do.

use bevy::prelude::*;
use pathfind_core::KindId;
use serde::{Deserialize, Serialize};

use super::{AdjustedVelocity, AgentId, AgentVelocity, DesiredVelocity};

/// A body that can be moved: how fast it goes, speeds up and turns.
///
/// The defaults suit a body about one unit across on a grid with cells of one unit; on a grid with cells
/// of 16 units multiply speed, acceleration and radii by 16. Its `Transform` is moved along the plane of
/// its grid only: the height above the ground stays.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[require(Transform, AgentId, DesiredVelocity, AdjustedVelocity, AgentVelocity)]
pub struct Agent {
    /// Top speed. Unit: world units per second. Range: above 0. Default: `5.0`.
    #[reflect(@0.0..=50.0_f32)]
    pub speed: f32,
    /// Greatest change of velocity. Unit: world units per second². Range: above 0; infinity changes it at
    /// once. Default: `40.0`.
    #[reflect(@0.0..=400.0_f32)]
    pub acceleration: f32,
    /// How fast the body turns to face its way. Unit: radians per second. Range: 0 and up. Default: τ, one
    /// turn a second.
    #[reflect(@0.0..=25.0_f32)]
    pub turn_rate: f32,
    /// Radius of the body: how far it keeps out of obstacles, and, with an
    /// [`Avoider`](crate::steer::Avoider), of other agents. Room between walls is a matter of its kind: see
    /// [`AgentSize`](pathfind_core::AgentSize). Unit: world units. Range: 0 and up. Default: `0.4`.
    #[reflect(@0.0..=5.0_f32)]
    pub radius: f32,
    /// How near to the end of a path counts as arrived. Unit: world units. Range: 0 and up. Default: `0.1`.
    #[reflect(@0.0..=5.0_f32)]
    pub arrive_radius: f32,
    /// Which side of the body looks along the way. Default: `None`.
    pub facing: Facing,
    /// Its kind on its grid: what terrain costs it, and how much room it needs. Default: the kind that
    /// every grid knows.
    #[reflect(remote = ReflectedKindId)]
    pub kind: KindId,
}

impl Default for Agent {
    fn default() -> Self {
        Self {
            speed: 5.0,
            acceleration: 40.0,
            turn_rate: core::f32::consts::TAU,
            radius: 0.4,
            arrive_radius: 0.1,
            facing: Facing::default(),
            kind: KindId::default(),
        }
    }
}

impl Agent {
    /// An agent with this top speed, in world units per second, that needs an eighth of a second to reach
    /// it.
    #[must_use]
    pub fn with_speed(speed: f32) -> Self {
        Self { speed, acceleration: speed * 8.0, ..Self::default() }
    }

    /// The same agent, with a side that looks along the way.
    #[must_use]
    pub const fn with_facing(mut self, facing: Facing) -> Self {
        self.facing = facing;
        self
    }

    /// What is wrong with the settings, if they cannot move anything.
    ///
    /// # Errors
    /// [`AgentError::NotFinite`] for a speed or acceleration that is NaN or a speed that is infinite,
    /// [`AgentError::ZeroSpeed`] for one that is not above zero.
    pub(crate) fn check(&self) -> Result<(), AgentError> {
        if !self.speed.is_finite() || self.acceleration.is_nan() {
            Err(AgentError::NotFinite)
        } else if self.speed <= 0.0 || self.acceleration <= 0.0 {
            Err(AgentError::ZeroSpeed)
        } else {
            Ok(())
        }
    }
}

/// Why an agent's settings cannot move it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AgentError {
    /// The speed or the acceleration is NaN, or the speed is infinite.
    NotFinite,
    /// The speed or the acceleration is zero or negative.
    ZeroSpeed,
}

/// [`KindId`] as reflection sees it: the core knows no reflection.
#[bevy::reflect::reflect_remote(KindId)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[reflect(Default, Debug, PartialEq, Hash)]
pub struct ReflectedKindId(pub u8);

/// Which side of a body looks along the way.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Default, Debug, PartialEq, Serialize, Deserialize)]
pub enum Facing {
    /// None: the rotation is left alone.
    #[default]
    None,
    /// Local +X, as sprites that look to the right.
    Right,
    /// Local +Y, as sprites that look up.
    Up,
    /// Local -Z, as Bevy's 3D models and cameras, with +Y away from the ground.
    Forward,
}
