//! Flashes: walls that come and go, and agents that plan anew.

use bevy::prelude::*;
use bevy_pathfind::{order::PathInvalidated, prelude::*};

use super::StressSettings;
use crate::theme;

/// The flashes on screen.
#[derive(Resource, Default)]
pub(super) struct Flashes(Vec<Flash>);

struct Flash {
    at: Vec2,
    /// The side of a square; `None` for a ring round an agent.
    side: Option<f32>,
    color: Color,
    age: f32,
}

/// How long a flash lasts, in seconds.
const DURATION: f32 = 0.5;
/// The most rings at a time: more would be confetti.
const MOST: usize = 300;

impl Flashes {
    /// A wall has come or gone.
    pub(super) fn edit(&mut self, at: Vec2, is_wall: bool) {
        let color = if is_wall { theme::HUNTER } else { theme::FRIEND };
        self.0.push(Flash { at, side: Some(4.0), color, age: 0.0 });
    }
}

/// An agent whose path an edit has touched plans anew.
pub(super) fn note_replanned(
    invalidated: On<PathInvalidated>,
    agents: Query<&Transform, With<Agent>>,
    mut flashes: ResMut<Flashes>,
) {
    if flashes.0.len() < MOST
        && let Ok(at) = agents.get(invalidated.entity)
    {
        flashes.0.push(Flash { at: at.translation.truncate(), side: None, color: theme::OPENED, age: 0.0 });
    }
}

pub(super) fn show(
    mut flashes: ResMut<Flashes>,
    settings: Res<StressSettings>,
    time: Res<Time>,
    mut gizmos: Gizmos,
) {
    for flash in &mut flashes.0 {
        flash.age += time.delta_secs();
        let share = (flash.age / DURATION).min(1.0);
        let color = flash.color.with_alpha(1.0 - share);
        if !settings.flashes {
            continue;
        }
        match flash.side {
            Some(side) => {
                for grown in [0.0, 0.4] {
                    gizmos.rect_2d(flash.at, Vec2::splat(side + grown + 2.0 * share), color);
                }
            }
            None => _ = gizmos.circle_2d(flash.at, 0.6 + share, color).resolution(16),
        }
    }
    flashes.0.retain(|flash| flash.age < DURATION);
}
