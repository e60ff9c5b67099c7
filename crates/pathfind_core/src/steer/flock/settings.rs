//! The settings of a flock, and presets with their sources.

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
use std::f32::consts::TAU;

/// The model of flocking; [`flock`](super) has the formulas.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect), type_path = "bevy_pathfind")]
#[cfg_attr(feature = "bevy_reflect", reflect(Default, Debug, PartialEq, Hash, Serialize, Deserialize))]
#[non_exhaustive]
pub enum FlockModel {
    /// Spacing that does not depend on the flock's size, and a limit of acceleration that is shared by priority.
    #[default]
    Robust,
    /// The model of Unity's `Seagull` script, defects included.
    Tutorial,
    /// Separation, alignment and cohesion as in OpenSteer's boids.
    Reynolds,
}

/// The settings of a flock's members. Numbers that are NaN or below their range count as 0; so does infinity, except
/// where the range names it. Angles above 2π count as 2π, a least speed or a noise above 10¹⁵ as that.
///
/// Lengths are in any unit of the caller's, angles in radians. The defaults are this library's own, for the robust
/// model; the table in [`flock`](super) has what was measured with them.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct FlockSettings {
    /// The model that reads the settings. Default: [`Robust`](FlockModel::Robust).
    pub model: FlockModel,
    /// Least speed of a member that moves at all. Unit: lengths/s. Range: 0 to 10¹⁵. Default: `4`.
    pub min_speed: f32,
    /// Greatest speed. Unit: lengths/s. Range: 0 and up, infinity too. Default: `12`.
    #[cfg_attr(feature = "serde", serde(with = "crate::saved::infinite"))]
    pub max_speed: f32,
    /// Greatest turn rate of the heading. Unit: radians/s. Range: 0 and up. Default: `4`.
    pub turn_speed: f32,
    /// Greatest acceleration. Unit: lengths/s². Range: 0 and up, infinity too. Default: `30`.
    #[cfg_attr(feature = "serde", serde(with = "crate::saved::infinite"))]
    pub max_acceleration: f32,
    /// How fast the random push changes: its time constant is 1 over this; in the tutorial's model it is drawn
    /// anew so many times a second, in the mean. Unit: 1/s. Range: 0 and up. Default: `2.5`.
    pub noise_frequency: f32,
    /// Size of the random push: its root mean square; in the tutorial's model its length. Unit: lengths/s².
    /// Range: 0 to 10¹⁵. Default: `3`.
    pub noise_force: f32,
    /// Pull towards the leader at a distance of `leader_range`. Unit: lengths/s². Range: 0 and up.
    /// Default: `100`.
    pub leader_force: f32,
    /// Distance at which the pull towards the leader is `leader_force`; 0 means no pull. Unit: lengths. Range: 0
    /// and up. Default: `100`.
    pub leader_range: f32,
    /// Distance from the leader within which nothing pulls, for a flock of one; it grows with the cube root of the
    /// flock's size, in a plane with the square root. Not read by the tutorial's model. Unit: lengths. Range: 0
    /// and up. Default: `1.25`.
    pub leader_distance: f32,
    /// Damping: in the tutorial's model the rate at which velocity is lost, otherwise the damping ratio of the pull
    /// towards the leader (1 never overshoots). Unit: 1/s, else none. Range: 0 and up. Default: `0.7`.
    pub damping: f32,
    /// Pull towards the mates' centre; in the robust model the greatest. Unit: lengths/s². Range: 0 and up.
    /// Default: `4`.
    pub cohesion_force: f32,
    /// Distance within which mates push. Unit: lengths. Range: 0 and up. Default: `2.5`.
    pub separation_radius: f32,
    /// Push away from a mate at no distance; in the Reynolds model the push away from all mates together.
    /// Unit: lengths/s². Range: 0 and up. Default: `40`.
    pub separation_force: f32,
    /// Strength of alignment: in the robust model the part of the difference in velocity that is made up per
    /// second, otherwise an acceleration. Unit: 1/s, else lengths/s². Range: 0 and up. Default: `2.857` (a time of
    /// 0.35 s).
    pub alignment_force: f32,
    /// Distance within which mates count for alignment, and in the robust model for cohesion. Unit: lengths.
    /// Range: 0 and up. Default: `6`.
    pub alignment_radius: f32,
    /// Angle about the heading within which mates count for alignment, and in the robust model for cohesion; in
    /// that model mates push at any angle. Not read by the tutorial's model. Unit: radians. Range: 0 to 2π.
    /// Default: `2π`.
    pub alignment_angle: f32,
    /// Distance within which mates count for cohesion. Read by the Reynolds model only. Unit: lengths. Range: 0
    /// and up. Default: `9`.
    pub cohesion_radius: f32,
    /// Angle about the heading within which mates count for cohesion. Read by the Reynolds model only.
    /// Unit: radians. Range: 0 to 2π. Default: 3.44 (cosine of the half -0.15).
    pub cohesion_angle: f32,
    /// Angle about the heading within which mates push. Read by the Reynolds model only. Unit: radians. Range: 0
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
            // Twice the arc cosines of -0.15 and -0.707, OpenSteer's numbers.
            cohesion_angle: 3.442_730_3,
            separation_angle: 4.712_086_8,
        }
    }
}

impl FlockSettings {
    /// The same settings for bodies `factor` times as large: speeds, distances and forces are multiplied, times and
    /// angles stay.
    #[must_use]
    pub fn scaled(mut self, factor: f32) -> Self {
        for length in [
            &mut self.min_speed,
            &mut self.max_speed,
            &mut self.max_acceleration,
            &mut self.noise_force,
            &mut self.leader_force,
            &mut self.leader_range,
            &mut self.leader_distance,
            &mut self.cohesion_force,
            &mut self.separation_radius,
            &mut self.separation_force,
            &mut self.alignment_radius,
            &mut self.cohesion_radius,
        ] {
            *length *= factor;
        }
        // In `Robust` it is a rate.
        if self.model != FlockModel::Robust {
            self.alignment_force *= factor;
        }
        self
    }

    /// The numbers of Unity's `Seagull` script, with its model. The script has no greatest speed or acceleration.
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

    /// The numbers of the `UnityFlock` script in the book "Unity AI Programming Essentials" (Packt), with the same
    /// model.
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

    /// The numbers of OpenSteer's boids demo (`Boids.cpp`), with its three rules. The demo has no leader: the pull
    /// towards one is that of the default.
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
            // Twice the arc cosine of 0.7, OpenSteer's number.
            alignment_angle: 1.590_797_7,
            ..Self::default()
        }
    }
}
