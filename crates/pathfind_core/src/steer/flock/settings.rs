//! The knobs of a flock.

use std::f32::consts::TAU;

/// Which rules a flock keeps.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FlockLaw {
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
    /// Which rules read the knobs. Default: [`Robust`](FlockLaw::Robust).
    pub law: FlockLaw,
    /// What a member that moves at all moves at least. Unit: lengths/s. Range: 0 and up. Default: `4`.
    pub min_speed: f32,
    /// What it moves at most. Unit: lengths/s. Range: 0 and up, infinity too. Default: `12`.
    pub max_speed: f32,
    /// How fast its heading turns. Unit: radians/s. Range: 0 and up. Default: `4`.
    pub turn_speed: f32,
    /// All wishes together, at most. Unit: lengths/s². Range: 0 and up, infinity too. Default: `30`.
    pub max_acceleration: f32,
    /// How often chance changes its mind. Unit: 1/s. Range: 0 and up. Default: `2.5`.
    pub random_freq: f32,
    /// Size of the random push: its root mean square; for the tutorial's law its length. Unit: lengths/s².
    /// Range: 0 and up. Default: `3`.
    pub random_force: f32,
    /// Pull towards the leader at a distance of `to_origin_range`. Unit: lengths/s². Range: 0 and up.
    /// Default: `100`.
    pub to_origin_force: f32,
    /// See `to_origin_force`; 0 means no pull. Unit: lengths. Range: 0 and up. Default: `100`.
    pub to_origin_range: f32,
    /// Room round the leader within which nothing pulls, for a flock of one; it grows with the cube root of
    /// the flock's size, in a plane with the square root. Not read by the tutorial's law. Unit: lengths.
    /// Range: 0 and up. Default: `1.25`.
    pub to_origin_room: f32,
    /// Damping: for the tutorial's law the part of the velocity lost in a second, otherwise the damping
    /// ratio of the pull towards the leader (1 never overshoots). Range: 0 and up. Default: `0.7`.
    pub damping: f32,
    /// Size of the pull towards mates. Unit: lengths/s². Range: 0 and up. Default: `4`.
    pub gravity: f32,
    /// How near mates push. Unit: lengths. Range: 0 and up. Default: `2.5`.
    pub avoidance_radius: f32,
    /// Push away from a mate at no distance. Unit: lengths/s². Range: 0 and up. Default: `40`.
    pub avoidance_force: f32,
    /// How strongly a member flies as its mates do: for the robust law how much of the difference is made up
    /// for in a second, else the size of that wish. Unit: 1/s, else lengths/s². Range: 0 and up.
    /// Default: `2.857` (a time of 0.35 s).
    pub follow_velocity: f32,
    /// How near the mates are whose way it follows, and for the robust law those it is drawn to. Unit:
    /// lengths. Range: 0 and up. Default: `6`.
    pub follow_radius: f32,
    /// The angle about its heading within which it sees those mates; all round pushes. Not read by the
    /// tutorial's law. Unit: radians. Range: 0 to 2π. Default: `2π`.
    pub follow_view: f32,
    /// How near the mates are that draw it. Read by Reynolds' law only. Unit: lengths. Range: 0 and up.
    /// Default: `9`.
    pub gravity_radius: f32,
    /// The angle within which it sees those. Read by Reynolds' law only. Unit: radians. Range: 0 to 2π.
    /// Default: 3.44 (cosine of the half -0.15).
    pub gravity_view: f32,
    /// The angle within which it sees mates that push. Read by Reynolds' law only. Unit: radians. Range: 0
    /// to 2π. Default: 4.71 (cosine of the half -0.707).
    pub avoidance_view: f32,
}

impl Default for FlockSettings {
    fn default() -> Self {
        Self {
            law: FlockLaw::Robust,
            min_speed: 4.0,
            max_speed: 12.0,
            turn_speed: 4.0,
            max_acceleration: 30.0,
            random_freq: 2.5,
            random_force: 3.0,
            to_origin_force: 100.0,
            to_origin_range: 100.0,
            to_origin_room: 1.25,
            damping: 0.7,
            gravity: 4.0,
            avoidance_radius: 2.5,
            avoidance_force: 40.0,
            follow_velocity: 1.0 / 0.35,
            follow_radius: 6.0,
            follow_view: TAU,
            gravity_radius: 9.0,
            // Twice the arc cosines of -0.15 and -0.707.
            gravity_view: 3.442_730_3,
            avoidance_view: 4.712_086_8,
        }
    }
}

impl FlockSettings {
    /// The numbers of Unity's `Seagull` script, with its law.
    #[must_use]
    pub fn seagull() -> Self {
        Self {
            law: FlockLaw::Tutorial,
            min_speed: 10.0,
            max_speed: f32::INFINITY,
            turn_speed: 2.0,
            max_acceleration: f32::INFINITY,
            random_freq: 2.0,
            random_force: 5.0,
            to_origin_force: 20.0,
            to_origin_range: 100.0,
            damping: 1.0,
            gravity: 2.0,
            avoidance_radius: 20.0,
            avoidance_force: 20.0,
            follow_velocity: 4.0,
            follow_radius: 40.0,
            ..Self::default()
        }
    }

    /// The numbers of the book's `UnityFlock` script, with the same law.
    #[must_use]
    pub fn book() -> Self {
        Self {
            min_speed: 20.0,
            turn_speed: 20.0,
            random_freq: 20.0,
            random_force: 20.0,
            to_origin_force: 50.0,
            to_origin_range: 100.0,
            gravity: 2.0,
            avoidance_radius: 50.0,
            avoidance_force: 20.0,
            follow_velocity: 4.0,
            follow_radius: 40.0,
            ..Self::seagull()
        }
    }

    /// The numbers of OpenSteer's boids demo, with its three rules. The pull towards a leader, which the
    /// demo has none of, is that of the default.
    #[must_use]
    pub fn reynolds() -> Self {
        Self {
            law: FlockLaw::Reynolds,
            min_speed: 0.0,
            max_speed: 9.0,
            max_acceleration: 27.0,
            random_force: 0.0,
            gravity: 8.0,
            avoidance_radius: 5.0,
            avoidance_force: 12.0,
            follow_velocity: 8.0,
            follow_radius: 7.5,
            // Twice the arc cosine of 0.7.
            follow_view: 1.590_797_7,
            ..Self::default()
        }
    }
}
