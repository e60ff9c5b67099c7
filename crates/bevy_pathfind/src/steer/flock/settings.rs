//! The settings of a flock's member.

use bevy::prelude::*;
use pathfind_core::steer::flock::{FlockModel, FlockSettings};
use serde::{Deserialize, Serialize};

use crate::agent::Agent;
use crate::attributes::{MeasuredIn, ZeroMeans};

/// A member of a flock: keeps its distance from flock mates, aligns with them, stays with them, and follows their
/// leader.
///
/// [`FlockOf`](super::FlockOf) tells which flock. The settings have Reynolds' terms; preset files also accept the
/// parameter names of Unity's scripts, which are given with each setting. For the models see
/// [`pathfind_core::steer::flock`].
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// fn spawn(mut commands: Commands) {
///     let leader = commands.spawn(FlockLeader::default()).id();
///     for i in 0..100 {
///         let at = Transform::from_xyz(i as f32 * 0.5, 0.0, 0.0);
///         commands.spawn((Agent::new(12.0), Flock::default(), FlockOf(leader), at));
///     }
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[require(Agent::new(12.0))]
pub struct Flock {
    /// The model that the settings are for. Default: `Robust`.
    pub model: FlockModel,
    /// Least speed of a member that moves at all (`minSpeed`). Unit: body units per second. Range: 0 to 10¹⁵.
    /// Default: `4.0`.
    #[reflect(@0.0..=30.0_f32, @MeasuredIn("body units per second"))]
    #[serde(alias = "minSpeed")]
    pub min_speed: f32,
    /// How fast its heading turns (`turnSpeed`). Unit: radians per second. Range: 0 and up. Default: `4.0`.
    #[reflect(@0.0..=25.0_f32, @MeasuredIn("radians per second"))]
    #[serde(alias = "turnSpeed")]
    pub turn_speed: f32,
    /// Greatest acceleration by all forces of the flock together. Unit: body units per second². Range: 0 and up,
    /// infinity too. Default: `30.0`.
    #[reflect(@0.0..=200.0_f32, @MeasuredIn("body units per second²"))]
    pub max_acceleration: f32,
    /// How often the random push changes (`randomFreq`). Unit: 1/s. Range: 0 and up. Default: `2.5`.
    #[reflect(@0.0..=30.0_f32, @MeasuredIn("1/s"))]
    #[serde(alias = "randomFreq")]
    pub noise_frequency: f32,
    /// Size of the random push (`randomForce`). Unit: body units per second². Range: 0 and up. Default: `3.0`.
    #[reflect(@0.0..=50.0_f32, @MeasuredIn("body units per second²"))]
    #[serde(alias = "randomForce")]
    pub noise_force: f32,
    /// Pull towards the leader at a distance of `leader_range` (`toOriginForce`). Unit: body units per second².
    /// Range: 0 and up. Default: `100.0`.
    #[reflect(@0.0..=500.0_f32, @MeasuredIn("body units per second²"))]
    #[serde(alias = "toOriginForce")]
    pub leader_force: f32,
    /// The distance for `leader_force` (`toOriginRange`); 0 for no pull. Unit: body units. Range: 0 and up.
    /// Default: `100.0`.
    #[reflect(@0.0..=500.0_f32, @MeasuredIn("body units"), @ZeroMeans("no pull"))]
    #[serde(alias = "toOriginRange")]
    pub leader_range: f32,
    /// Distance from the leader within which it does not pull, for a flock of one; it grows with the flock. Not
    /// read by `Tutorial`. Unit: body units. Range: 0 and up. Default: `1.25`.
    #[reflect(@0.0..=20.0_f32, @MeasuredIn("body units"))]
    pub leader_distance: f32,
    /// Damping ratio of the pull towards the leader; in `Tutorial` the part of the velocity that is lost in a
    /// second. Range: 0 and up. Default: `0.7`.
    #[reflect(@0.0..=3.0_f32)]
    pub damping: f32,
    /// Size of the pull towards mates (`gravity`). Unit: body units per second². Range: 0 and up. Default: `4.0`.
    #[reflect(@0.0..=50.0_f32, @MeasuredIn("body units per second²"))]
    #[serde(alias = "gravity")]
    pub cohesion_force: f32,
    /// Distance within which mates push it away (`avoidanceRadius`). Unit: body units. Range: 0 and up.
    /// Default: `2.5`.
    #[reflect(@0.0..=60.0_f32, @MeasuredIn("body units"))]
    #[serde(alias = "avoidanceRadius")]
    pub separation_radius: f32,
    /// Push away from a mate at distance 0 (`avoidanceForce`). Unit: body units per second². Range: 0 and up.
    /// Default: `40.0`.
    #[reflect(@0.0..=200.0_f32, @MeasuredIn("body units per second²"))]
    #[serde(alias = "avoidanceForce")]
    pub separation_force: f32,
    /// How strongly it aligns with its mates (`followVelocity`). In `Robust`, how much of the difference between
    /// the velocities is made up for in a second, in 1/s; in the other models the size of that force. Unit: body
    /// units per second². Range: 0 and up. Default: `2.857`.
    #[reflect(@0.0..=30.0_f32, @MeasuredIn("body units per second²"))]
    #[serde(alias = "followVelocity")]
    pub alignment_force: f32,
    /// Distance within which it aligns with mates (`followRadius`), and in `Robust` is drawn to them. Unit: body
    /// units. Range: 0 and up. Default: `6.0`.
    #[reflect(@0.0..=60.0_f32, @MeasuredIn("body units"))]
    #[serde(alias = "followRadius")]
    pub alignment_radius: f32,
    /// The full angle about its heading within which it sees the mates that it aligns with. Not read by
    /// `Tutorial`. Unit: radians. Range: 0 to 2π. Default: 2π.
    #[reflect(@0.0..=core::f32::consts::TAU, @MeasuredIn("radians"))]
    pub alignment_angle: f32,
    /// Distance within which mates draw it. Read by `Reynolds` only. Unit: body units. Range: 0 and up.
    /// Default: `9.0`.
    #[reflect(@0.0..=60.0_f32, @MeasuredIn("body units"))]
    pub cohesion_radius: f32,
    /// The full angle within which it sees mates that draw it. Read by `Reynolds` only. Unit: radians. Range: 0 to
    /// 2π. Default: `3.44`.
    #[reflect(@0.0..=core::f32::consts::TAU, @MeasuredIn("radians"))]
    pub cohesion_angle: f32,
    /// The full angle within which it sees mates that push. Read by `Reynolds` only. Unit: radians. Range: 0 to
    /// 2π. Default: `4.71`.
    #[reflect(@0.0..=core::f32::consts::TAU, @MeasuredIn("radians"))]
    pub separation_angle: f32,
}

impl Default for Flock {
    fn default() -> Self {
        FlockSettings::default().into()
    }
}

impl Flock {
    /// The numbers of Unity's `Seagull` script, with the model `Tutorial`.
    #[must_use]
    pub fn seagull() -> Self {
        FlockSettings::seagull().into()
    }

    /// The numbers of the book's `UnityFlock` script, with the same model.
    #[must_use]
    pub fn unity_flock() -> Self {
        FlockSettings::unity_flock().into()
    }

    /// The numbers of OpenSteer's boids, with the model `Reynolds`.
    #[must_use]
    pub fn reynolds() -> Self {
        FlockSettings::reynolds().into()
    }
}

/// Converts the settings to the core's type and back, field by field. The agent's speed is the greatest one.
macro_rules! setting_fields {
    ($($field:ident),* $(,)?) => {
        impl Flock {
            /// The settings as the core takes them, in world units.
            pub(super) fn settings(&self, agent: &Agent) -> FlockSettings {
                let &Self { model, $($field),* } = self;
                let settings = FlockSettings { model, max_speed: f32::INFINITY, $($field),* };
                settings.scaled(agent.body_unit())
            }
        }

        impl From<FlockSettings> for Flock {
            fn from(settings: FlockSettings) -> Self {
                let FlockSettings { model, max_speed: _, $($field),* } = settings;
                Self { model, $($field),* }
            }
        }
    };
}

setting_fields! {
    min_speed,
    turn_speed,
    max_acceleration,
    noise_frequency,
    noise_force,
    leader_force,
    leader_range,
    leader_distance,
    damping,
    cohesion_force,
    separation_radius,
    separation_force,
    alignment_force,
    alignment_radius,
    alignment_angle,
    cohesion_radius,
    cohesion_angle,
    separation_angle,
}
