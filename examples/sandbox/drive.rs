//! WASD and the arrow keys drive agents with a [`KeyboardControl`].

use bevy::prelude::*;
use bevy_pathfind::prelude::*;

use crate::keys::Keys;

/// Put it on an agent, and the keys drive it.
#[derive(Component, Debug, Default)]
pub(crate) struct KeyboardControl {
    /// Whether a key drives the agent now.
    pub is_driven: bool,
    /// Seconds since a key last drove it, or since it was spawned.
    pub idle: f32,
}

const KEY_DIRECTIONS: [(KeyCode, KeyCode, Vec3); 4] = [
    (KeyCode::KeyW, KeyCode::ArrowUp, Vec3::Y),
    (KeyCode::KeyA, KeyCode::ArrowLeft, Vec3::NEG_X),
    (KeyCode::KeyS, KeyCode::ArrowDown, Vec3::NEG_Y),
    (KeyCode::KeyD, KeyCode::ArrowRight, Vec3::X),
];

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Update, drive);
}

fn drive(
    mut commands: Commands,
    mut driven: Query<(Entity, &mut KeyboardControl, &Agent)>,
    keys: Keys,
    time: Res<Time>,
) {
    let direction = keys.direction(&KEY_DIRECTIONS);
    for (entity, mut keyboard, agent) in &mut driven {
        let was_driven = core::mem::replace(&mut keyboard.is_driven, direction != Vec3::ZERO);
        keyboard.idle = if keyboard.is_driven { 0.0 } else { keyboard.idle + time.delta_secs() };
        if keyboard.is_driven {
            // Driving cancels the agent's path request.
            let velocity = ManualVelocity(direction * agent.speed);
            commands.entity(entity).try_remove::<PathRequest>().try_insert(velocity);
        } else if was_driven {
            commands.entity(entity).try_remove::<ManualVelocity>();
        }
    }
}
