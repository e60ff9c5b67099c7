//! WASD and the arrow keys drive agents with a [`Keyboard`].

use bevy::prelude::*;
use bevy_pathfind::prelude::*;

use crate::keys::Keys;

/// Put it on an agent, and the keys drive it.
#[derive(Component, Debug, Default)]
#[require(SteeringOverride)]
pub(crate) struct Keyboard {
    /// Whether a key drives the agent now.
    pub is_driven: bool,
    /// Seconds since a key last drove it, or since it was spawned.
    pub idle: f32,
}

const WAYS: [(KeyCode, KeyCode, Vec2); 4] = [
    (KeyCode::KeyW, KeyCode::ArrowUp, Vec2::Y),
    (KeyCode::KeyA, KeyCode::ArrowLeft, Vec2::NEG_X),
    (KeyCode::KeyS, KeyCode::ArrowDown, Vec2::NEG_Y),
    (KeyCode::KeyD, KeyCode::ArrowRight, Vec2::X),
];

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Update, drive);
}

fn drive(
    mut commands: Commands,
    mut driven: Query<(Entity, &mut Keyboard, &mut SteeringOverride, &Agent)>,
    keys: Keys,
    time: Res<Time>,
) {
    let way: Vec2 = WAYS
        .iter()
        .filter(|(letter, arrow, _)| keys.any_pressed([*letter, *arrow]))
        .map(|&(_, _, way)| way)
        .sum();
    let way = way.normalize_or_zero().extend(0.0);
    for (entity, mut keyboard, mut wish, agent) in &mut driven {
        keyboard.is_driven = way != Vec3::ZERO;
        keyboard.idle = if keyboard.is_driven { 0.0 } else { keyboard.idle + time.delta_secs() };
        if keyboard.is_driven {
            // Driving cancels the agent's path request.
            commands.entity(entity).try_remove::<PathRequest>();
        }
        wish.set_if_neq(SteeringOverride(way * agent.speed));
    }
}
