//! The knobs of a flock.

use bevy::prelude::*;
use pathfind_core::steer::flock as core_flock;
use pathfind_core::steer::flock::FlockSettings;
use serde::{Deserialize, Serialize};

use crate::agent::Agent;
use crate::mirror::mirrored;

mirrored! {
    /// Which rules a flock keeps.
    FlockModel of core_flock::FlockModel {
        /// Spacing that does not depend on the flock's size, and a budget of acceleration.
        #[default]
        Robust,
        /// The law of Unity's island demo and the book that took it over, as taught.
        Tutorial,
        /// The three rules of OpenSteer's boids.
        Reynolds,
    }
}

/// A member of a flock: keeps off its mates, flies as they do, stays with them, and follows their leader.
///
/// Which flock is said by [`FlockOf`](super::FlockOf). The knobs have the names that the laws' sources know
/// them by; see [`pathfind_core::steer::flock`].
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// fn spawn(mut commands: Commands) {
///     let leader = commands.spawn(FlockLeader::default()).id();
///     for i in 0..100 {
///         let at = Transform::from_xyz(i as f32 * 0.5, 0.0, 0.0);
///         commands.spawn((Agent::with_speed(12.0), Flock::default(), FlockOf(leader), at));
///     }
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[require(Agent)]
pub struct Flock {
    /// Which rules read the knobs. Default: `Robust`.
    pub model: FlockModel,
    /// What a member that moves at all moves at least. Unit: world units per second. Range: 0 and up. Default:
    /// `4.0`.
    #[reflect(@0.0..=30.0_f32)]
    pub min_speed: f32,
    /// What it moves at most, within its agent's speed. Unit: world units per second. Range: 0 and up, infinity
    /// too. Default: `12.0`.
    #[reflect(@0.0..=50.0_f32)]
    pub max_speed: f32,
    /// How fast its course turns. Unit: radians per second. Range: 0 and up. Default: `4.0`.
    #[reflect(@0.0..=25.0_f32)]
    pub turn_speed: f32,
    /// All wishes of the flock together, at most. Unit: world units per second². Range: 0 and up, infinity too.
    /// Default: `30.0`.
    #[reflect(@0.0..=200.0_f32)]
    pub max_acceleration: f32,
    /// How often chance changes its mind. Unit: 1/s. Range: 0 and up. Default: `2.5`.
    #[reflect(@0.0..=30.0_f32)]
    pub noise_frequency: f32,
    /// Size of the random push. Unit: world units per second². Range: 0 and up. Default: `3.0`.
    #[reflect(@0.0..=50.0_f32)]
    pub noise_force: f32,
    /// Pull towards the leader at a distance of `leader_range`. Unit: world units per second². Range: 0 and
    /// up. Default: `100.0`.
    #[reflect(@0.0..=500.0_f32)]
    pub leader_force: f32,
    /// The distance for `leader_force`; 0 for no pull. Unit: world units. Range: 0 and up. Default: `100.0`.
    #[reflect(@0.0..=500.0_f32)]
    pub leader_range: f32,
    /// Room round the leader within which nothing pulls, for a flock of one; it grows with the flock. Not read
    /// by the tutorial's law. Unit: world units. Range: 0 and up. Default: `1.25`.
    #[reflect(@0.0..=20.0_f32)]
    pub leader_distance: f32,
    /// Damping ratio of the pull towards the leader; for the tutorial's law the part of the velocity that is lost
    /// in a second. Range: 0 and up. Default: `0.7`.
    #[reflect(@0.0..=3.0_f32)]
    pub damping: f32,
    /// Size of the pull towards mates. Unit: world units per second². Range: 0 and up. Default: `4.0`.
    #[reflect(@0.0..=50.0_f32)]
    pub cohesion_force: f32,
    /// How near mates push. Unit: world units. Range: 0 and up. Default: `2.5`.
    #[reflect(@0.0..=60.0_f32)]
    pub separation_radius: f32,
    /// Push away from a mate at no distance. Unit: world units per second². Range: 0 and up. Default: `40.0`.
    #[reflect(@0.0..=200.0_f32)]
    pub separation_force: f32,
    /// How strongly it flies as its mates do: how much of the difference is made up for in a second, in 1/s; for
    /// the other laws the size of that wish. Unit: world units per second². Range: 0 and up. Default: `2.857`.
    #[reflect(@0.0..=30.0_f32)]
    pub alignment_force: f32,
    /// How near the mates are whose way it follows. Unit: world units. Range: 0 and up. Default: `6.0`.
    #[reflect(@0.0..=60.0_f32)]
    pub alignment_radius: f32,
    /// The angle about its heading within which it sees those mates. Not read by the tutorial's law. Unit:
    /// radians. Range: 0 to 2π. Default: 2π.
    #[reflect(@0.0..=core::f32::consts::TAU)]
    pub alignment_angle: f32,
    /// How near the mates are that draw it. Read by Reynolds' law only. Unit: world units. Range: 0 and up.
    /// Default: `9.0`.
    #[reflect(@0.0..=60.0_f32)]
    pub cohesion_radius: f32,
    /// The angle within which it sees those. Read by Reynolds' law only. Unit: radians. Range: 0 to 2π. Default:
    /// `3.44`.
    #[reflect(@0.0..=core::f32::consts::TAU)]
    pub cohesion_angle: f32,
    /// The angle within which it sees mates that push. Read by Reynolds' law only. Unit: radians. Range: 0 to
    /// 2π. Default: `4.71`.
    #[reflect(@0.0..=core::f32::consts::TAU)]
    pub separation_angle: f32,
}

impl Default for Flock {
    fn default() -> Self {
        FlockSettings::default().into()
    }
}

impl Flock {
    /// The numbers of Unity's `Seagull` script, with its law.
    #[must_use]
    pub fn seagull() -> Self {
        FlockSettings::seagull().into()
    }

    /// The numbers of the book's `UnityFlock` script, with the same law.
    #[must_use]
    pub fn unity_flock() -> Self {
        FlockSettings::unity_flock().into()
    }

    /// The numbers of OpenSteer's boids, with its three rules.
    #[must_use]
    pub fn reynolds() -> Self {
        FlockSettings::reynolds().into()
    }
}

/// The way of the knobs to the core and back, each by its name.
macro_rules! setting_fields {
    ($($knob:ident),* $(,)?) => {
        impl Flock {
            /// The knobs as the core takes them.
            pub(super) fn settings(&self) -> FlockSettings {
                let &Self { model, $($knob),* } = self;
                FlockSettings { model: model.into(), $($knob),* }
            }
        }

        impl From<FlockSettings> for Flock {
            fn from(settings: FlockSettings) -> Self {
                let FlockSettings { model, $($knob),* } = settings;
                Self { model: model.into(), $($knob),* }
            }
        }
    };
}

setting_fields! {
    min_speed,
    max_speed,
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
