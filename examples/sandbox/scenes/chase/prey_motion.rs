//! The movement of the prey: a fixed motion, or the user's keys.

use bevy::prelude::*;
use bevy_pathfind::prelude::*;

use super::{ChaseSettings, FIELD, Prey, Round};

/// The movement of the prey.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum PreyMotion {
    /// Straight across the field.
    #[default]
    Straight,
    /// Across the field, with a sharp turn every 1.4 seconds.
    Zigzag,
    /// In a circle round the centre.
    Circle,
    /// Steered by the user's keys.
    Manual,
}

/// A prey this near to the end of the field has left it, in cells.
const EXIT: f32 = 3.0;
/// Duration of a leg of the zigzag, in seconds, and its angle to the straight direction, in radians.
const LEG: (f32, f32) = (1.4, 0.75);
/// Radius of the circle, in cells.
const RADIUS: f32 = 17.0;
/// Time limit of a round of a motion without an end, in seconds.
const LONGEST: f32 = 25.0;

impl PreyMotion {
    /// The next motion.
    pub(super) fn next(self) -> Self {
        const ALL: [PreyMotion; 4] =
            [PreyMotion::Straight, PreyMotion::Zigzag, PreyMotion::Circle, PreyMotion::Manual];
        ALL[(self as usize + 1) % ALL.len()]
    }

    /// Where the prey starts; `lane` is an offset.
    pub(super) fn start(self, lane: f32) -> Vec2 {
        match self {
            Self::Straight | Self::Zigzag => Vec2::new(EXIT - FIELD.x, 14.0 + lane),
            Self::Circle => Vec2::from_angle(lane) * RADIUS,
            Self::Manual => Vec2::new(lane, 14.0),
        }
    }

    /// Whether the prey has completed its motion.
    pub(super) fn is_over(self, at: Vec2, clock: f32) -> bool {
        match self {
            Self::Straight | Self::Zigzag => at.x > FIELD.x - EXIT,
            Self::Circle => clock > LONGEST,
            Self::Manual => clock > 2.0 * LONGEST,
        }
    }

    /// The direction in which the prey runs now; `None` leaves it to the keys.
    fn direction(self, at: Vec2, clock: f32) -> Option<Vec2> {
        match self {
            Self::Straight => Some(Vec2::X),
            Self::Zigzag => {
                let (long, turn) = LEG;
                let is_down = ((clock / long + 0.5) as u32).is_multiple_of(2);
                Some(Vec2::from_angle(if is_down { -turn } else { turn }))
            }
            Self::Circle => {
                let out = at.normalize_or(Vec2::X);
                Some((out.perp() + out * (RADIUS - at.length()) * 0.2).normalize_or(Vec2::X))
            }
            Self::Manual => None,
        }
    }
}

/// Drives the prey by its motion.
pub(super) fn drive(
    prey: Query<(Entity, &Transform, &Agent), With<Prey>>,
    settings: Res<ChaseSettings>,
    round: Res<Round>,
    mut commands: Commands,
) {
    for (prey, at, agent) in &prey {
        let direction = match round.pause {
            Some(_) => Some(Vec2::ZERO),
            None => settings.prey_motion.direction(at.translation.truncate(), round.clock),
        };
        if let Some(direction) = direction {
            let velocity = (direction * agent.speed).extend(0.0);
            commands.entity(prey).try_insert(ManualVelocity(velocity));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_motions_stay_on_the_field_and_end() {
        for prey_motion in [PreyMotion::Straight, PreyMotion::Zigzag, PreyMotion::Circle] {
            for lane in [-4.0, 4.0] {
                let (mut at, mut clock) = (prey_motion.start(lane), 0.0);
                while !prey_motion.is_over(at, clock) {
                    let direction = prey_motion.direction(at, clock).expect("a fixed motion has a direction");
                    assert!((direction.length() - 1.0).abs() < 1e-3, "{prey_motion:?} is a direction");
                    at += direction * 0.16;
                    clock += 0.016;
                    assert!(at.abs().cmple(FIELD).all(), "{prey_motion:?} at {at} stays on the field");
                    assert!(clock < 60.0, "{prey_motion:?} ends");
                }
            }
        }
    }
}
