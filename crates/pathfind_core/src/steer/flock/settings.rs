//! The knobs of a flock.

use std::f32::consts::TAU;

/// Which rules a flock keeps.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FlockModel {
    /// Spacing that does not depend on the flock's size, and a budget of acceleration.
    #[default]
    Robust,
    /// The law of Unity's `Seagull`, as taught.
    Tutorial,
    /// The three rules of OpenSteer's boids.
    Reynolds,
}

/// All that one kind of member flies by. Numbers that are NaN or below their range count as 0.
///
/// Lengths are in units of the caller's, angles in radians.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct FlockSettings {
    /// Which rules read the knobs. Default: [`Robust`](FlockModel::Robust).
    pub model: FlockModel,
    /// What a member that moves at all moves at least. Unit: lengths/s. Range: 0 and up. Default: `4`.
    pub min_speed: f32,
    /// What it moves at most. Unit: lengths/s. Range: 0 and up, infinity too. Default: `12`.
    pub max_speed: f32,
    /// How fast its heading turns. Unit: radians/s. Range: 0 and up. Default: `4`.
    pub turn_speed: f32,
    /// All wishes together, at most. Unit: lengths/s². Range: 0 and up, infinity too. Default: `30`.
    pub max_acceleration: f32,
    /// How often chance changes its mind. Unit: 1/s. Range: 0 and up. Default: `2.5`.
    pub noise_frequency: f32,
    /// Size of the random push: its root mean square; for the tutorial's law its length. Unit: lengths/s².
    /// Range: 0 and up. Default: `3`.
    pub noise_force: f32,
    /// Pull towards the leader at a distance of `leader_range`. Unit: lengths/s². Range: 0 and up.
    /// Default: `100`.
    pub leader_force: f32,
    /// See `leader_force`; 0 means no pull. Unit: lengths. Range: 0 and up. Default: `100`.
    pub leader_range: f32,
    /// Room round the leader within which nothing pulls, for a flock of one; it grows with the cube root of
    /// the flock's size, in a plane with the square root. Not read by the tutorial's law. Unit: lengths.
    /// Range: 0 and up. Default: `1.25`.
    pub leader_distance: f32,
    /// Damping: for the tutorial's law the part of the velocity lost in a second, otherwise the damping
    /// ratio of the pull towards the leader (1 never overshoots). Range: 0 and up. Default: `0.7`.
    pub damping: f32,
    /// Size of the pull towards mates. Unit: lengths/s². Range: 0 and up. Default: `4`.
    pub cohesion_force: f32,
    /// How near mates push. Unit: lengths. Range: 0 and up. Default: `2.5`.
    pub separation_radius: f32,
    /// Push away from a mate at no distance. Unit: lengths/s². Range: 0 and up. Default: `40`.
    pub separation_force: f32,
    /// How strongly a member flies as its mates do: for the robust law how much of the difference is made up
    /// for in a second, else the size of that wish. Unit: 1/s, else lengths/s². Range: 0 and up.
    /// Default: `2.857` (a time of 0.35 s).
    pub alignment_force: f32,
    /// How near the mates are whose way it follows, and for the robust law those it is drawn to. Unit:
    /// lengths. Range: 0 and up. Default: `6`.
    pub alignment_radius: f32,
    /// The angle about its heading within which it sees those mates; all round pushes. Not read by the
    /// tutorial's law. Unit: radians. Range: 0 to 2π. Default: `2π`.
    pub alignment_angle: f32,
    /// How near the mates are that draw it. Read by Reynolds' law only. Unit: lengths. Range: 0 and up.
    /// Default: `9`.
    pub cohesion_radius: f32,
    /// The angle within which it sees those. Read by Reynolds' law only. Unit: radians. Range: 0 to 2π.
    /// Default: 3.44 (cosine of the half -0.15).
    pub cohesion_angle: f32,
    /// The angle within which it sees mates that push. Read by Reynolds' law only. Unit: radians. Range: 0
    /// to 2π. Default: 4.71 (cosine of the half -0.707).
    pub separation_angle: f32,
}

impl Default for FlockSettings {
    fn default() -> Self {
        Self {
            model: FlockModel::Robust,
            min_speed: 4.0,
            max_speed: 12.0,
            turn_speed: 4.0,
            max_acceleration: 30.0,
            noise_frequency: 2.5,
            noise_force: 3.0,
            leader_force: 100.0,
            leader_range: 100.0,
            leader_distance: 1.25,
            damping: 0.7,
            cohesion_force: 4.0,
            separation_radius: 2.5,
            separation_force: 40.0,
            alignment_force: 1.0 / 0.35,
            alignment_radius: 6.0,
            alignment_angle: TAU,
            cohesion_radius: 9.0,
            // Twice the arc cosines of -0.15 and -0.707.
            cohesion_angle: 3.442_730_3,
            separation_angle: 4.712_086_8,
        }
    }
}

impl FlockSettings {
    /// The numbers of Unity's `Seagull` script, with its law.
    #[must_use]
    pub fn seagull() -> Self {
        Self {
            model: FlockModel::Tutorial,
            min_speed: 10.0,
            max_speed: f32::INFINITY,
            turn_speed: 2.0,
            max_acceleration: f32::INFINITY,
            noise_frequency: 2.0,
            noise_force: 5.0,
            leader_force: 20.0,
            leader_range: 100.0,
            damping: 1.0,
            cohesion_force: 2.0,
            separation_radius: 20.0,
            separation_force: 20.0,
            alignment_force: 4.0,
            alignment_radius: 40.0,
            ..Self::default()
        }
    }

    /// The numbers of the book's `UnityFlock` script, with the same law.
    #[must_use]
    pub fn unity_flock() -> Self {
        Self {
            min_speed: 20.0,
            turn_speed: 20.0,
            noise_frequency: 20.0,
            noise_force: 20.0,
            leader_force: 50.0,
            leader_range: 100.0,
            cohesion_force: 2.0,
            separation_radius: 50.0,
            separation_force: 20.0,
            alignment_force: 4.0,
            alignment_radius: 40.0,
            ..Self::seagull()
        }
    }

    /// The numbers of OpenSteer's boids demo, with its three rules. The pull towards a leader, which the
    /// demo has none of, is that of the default.
    #[must_use]
    pub fn reynolds() -> Self {
        Self {
            model: FlockModel::Reynolds,
            min_speed: 0.0,
            max_speed: 9.0,
            max_acceleration: 27.0,
            noise_force: 0.0,
            cohesion_force: 8.0,
            separation_radius: 5.0,
            separation_force: 12.0,
            alignment_force: 8.0,
            alignment_radius: 7.5,
            // Twice the arc cosine of 0.7.
            alignment_angle: 1.590_797_7,
            ..Self::default()
        }
    }
}
