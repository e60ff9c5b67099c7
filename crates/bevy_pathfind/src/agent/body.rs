//! The `Agent` component.

use bevy::prelude::*;
use pathfind_core::{AgentShape, KindId};
use serde::{Deserialize, Serialize};

use super::{AdjustedVelocity, AgentId, AgentVelocity, DesiredVelocity};

use crate::attributes::MeasuredIn;

/// A body that the plugin moves: its top speed, acceleration, turn rate and size.
///
/// Its lengths are in world units, and nothing else has to be told how large a world is: the lengths in the settings of
/// steering (`Separation`, `Flock`) are in [body units](Self::body_unit) and grow with the radius. The
/// defaults suit a grid with cells of one unit; with cells of 32 units write
/// `Agent::new(4.0 * 32.0).with_radius(0.4 * 32.0)`.
///
/// On a grid, paths, pursuit, behaviours and flocks move the agent along the grid's plane; its height above the plane
/// stays. Without a grid the agent moves in three dimensions, unless
/// [`NavSettings::up`](crate::settings::NavSettings::up) is set.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[require(Transform, AgentId, DesiredVelocity, AdjustedVelocity, AgentVelocity)]
pub struct Agent {
    /// Top speed. With 0 the agent stands, such as under a spell: its orders wait, and it goes on once the speed is
    /// above 0 again. Unit: world units per second. Range: 0 and up. Default: `5.0`.
    #[reflect(@0.0..=50.0_f32, @MeasuredIn("world units per second"))]
    pub speed: f32,
    /// Greatest change of velocity. Unit: world units per second². Range: above 0; with infinity the velocity changes
    /// at once. Default: `40.0`.
    #[reflect(@0.0..=400.0_f32, @MeasuredIn("world units per second²"))]
    pub acceleration: f32,
    /// How fast the body turns into its direction of motion. Unit: radians per second. Range: 0 and up. Default: τ,
    /// one turn a second.
    #[reflect(@0.0..=25.0_f32, @MeasuredIn("radians per second"))]
    pub turn_rate: f32,
    /// Radius of the body: how far it keeps from walls, obstacles and, with an [`Avoider`](crate::steer::Avoider), from
    /// other agents. From walls an agent of the default kind keeps its radius up to half a cell; the size of a wider
    /// one, and of a point, is the [`AgentSize`](pathfind_core::AgentSize) of its kind. See
    /// [`AgentShape`](pathfind_core::AgentShape). Unit: world units. Range: 0 and up. Default: `0.4`.
    #[reflect(@0.0..=5.0_f32, @MeasuredIn("world units"))]
    pub radius: f32,
    /// Distance to the end of a path that counts as arrived. Unit: world units. Range: 0 and up. Default: `0.1`.
    #[reflect(@0.0..=5.0_f32, @MeasuredIn("world units"))]
    pub arrive_radius: f32,
    /// Which side of the body points in the direction of motion. Default: `None`.
    pub facing: AgentFacing,
    /// Its kind, one of [`AgentKinds`](crate::world::AgentKinds): what terrain costs it, and which cells it covers.
    /// Default: the kind that every grid has.
    pub kind: KindId,
}

/// The radius of a body whose [body unit](Agent::body_unit) is one world unit.
const STANDARD_RADIUS: f32 = 0.4;

impl Default for Agent {
    fn default() -> Self {
        Self {
            speed: 5.0,
            acceleration: 40.0,
            turn_rate: core::f32::consts::TAU,
            radius: STANDARD_RADIUS,
            arrive_radius: 0.1,
            facing: AgentFacing::default(),
            kind: KindId::default(),
        }
    }
}

impl Agent {
    /// An agent with this top speed, in world units per second, which it reaches in an eighth of a second. Its radius
    /// is the default one. To make an agent walk or run, write [`speed`](Self::speed) alone at any time: it then speeds
    /// up as before.
    #[must_use]
    pub fn new(speed: f32) -> Self {
        Self { speed, acceleration: speed * 8.0, ..Self::default() }
    }

    /// With another radius, in world units. It arrives within a quarter of it.
    #[must_use]
    pub const fn with_radius(mut self, radius: f32) -> Self {
        self.radius = radius;
        self.arrive_radius = radius / 4.0;
        self
    }

    /// Of another kind.
    #[must_use]
    pub const fn with_kind(mut self, kind: KindId) -> Self {
        self.kind = kind;
        self
    }

    /// The unit of the lengths in the settings of its steering: 2.5 radii, in world units; for a body of the default
    /// radius, and for one without a radius, 1.
    ///
    /// ```
    /// # use bevy_pathfind::prelude::*;
    /// assert_eq!(Agent::default().body_unit(), 1.0);
    /// assert_eq!(Agent::new(100.0).with_radius(12.8).body_unit(), 32.0);
    /// ```
    #[must_use]
    pub fn body_unit(&self) -> f32 {
        let unit = self.radius / STANDARD_RADIUS;
        if unit > 0.0 && unit.is_finite() { unit } else { 1.0 }
    }

    /// The radius; 0 for one that is negative, NaN or infinite.
    pub(crate) fn valid_radius(&self) -> f32 {
        if self.radius.is_finite() { self.radius.max(0.0) } else { 0.0 }
    }

    /// Its kind and its size.
    pub(crate) fn body(&self) -> AgentBody {
        AgentBody { kind: self.kind, radius: self.valid_radius() }
    }

    /// Its shape on a grid with cells of this side, in world units.
    pub(crate) fn shape(&self, cell_size: f32) -> AgentShape {
        self.body().shape(cell_size)
    }

    /// The same agent, with a side that points in the direction of motion.
    #[must_use]
    pub const fn with_facing(mut self, facing: AgentFacing) -> Self {
        self.facing = facing;
        self
    }

    /// Whether these settings can move the agent.
    ///
    /// # Errors
    /// [`AgentError::NotFinite`] for a speed or acceleration that is NaN or a speed that is infinite,
    /// [`AgentError::BadSpeed`] for a speed below zero, or an acceleration that is not above zero
    /// unless both are zero.
    pub(crate) fn check(&self) -> Result<(), AgentError> {
        if !self.speed.is_finite() || self.acceleration.is_nan() {
            Err(AgentError::NotFinite)
        } else if self.speed == 0.0 && self.acceleration == 0.0 {
            Ok(())
        } else if self.speed < 0.0 || self.acceleration <= 0.0 {
            Err(AgentError::BadSpeed)
        } else {
            Ok(())
        }
    }
}

/// The values of an agent on which its path depends.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct AgentBody {
    pub(crate) kind: KindId,
    /// The radius, in world units: finite, and not negative.
    pub(crate) radius: f32,
}

impl AgentBody {
    /// Its shape on a grid with cells of this side, in world units.
    pub(crate) fn shape(self, cell_size: f32) -> AgentShape {
        AgentShape { kind: self.kind, radius: self.radius / cell_size }
    }
}

/// Why an agent's settings cannot move it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AgentError {
    /// The speed or the acceleration is NaN, or the speed is infinite.
    NotFinite,
    /// The speed is negative, or the acceleration is zero or negative.
    BadSpeed,
}

/// Which side of a body points in the direction of motion. The plugin does not rotate an agent that stands: to let it
/// look around, rotate it yourself after [`NavSystems::Motion`](crate::stage::NavSystems::Motion).
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Default, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum AgentFacing {
    /// None: the rotation is left alone.
    #[default]
    None,
    /// Local +X: sprites drawn facing right.
    Right,
    /// Local +Y: sprites drawn facing up.
    Up,
    /// Local -Z: Bevy's 3D models and cameras; +Y points away from the ground.
    Forward,
}
