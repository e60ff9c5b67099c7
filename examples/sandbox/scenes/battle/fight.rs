//! Fighting: soldiers go at enemies that come near, strike those within reach, and fall.

use std::collections::BTreeMap;

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, steer::FormationMembers};

use super::armies::{Company, Side, Soldier, TROOPS};
use crate::pulse::Pulses;

/// A soldier goes at an enemy that is nearer than the first, and lets go of one that is farther than the second, in
/// cells; archers stay where they are.
const SIGHT: [f32; 2] = [4.5, 9.0];
/// The time between two strikes, in seconds.
const STRIKE: f32 = 0.9;
/// How often soldiers look for enemies, in seconds.
const LOOK: f32 = 0.2;
/// For how long an arrow is shown, in seconds.
pub(super) const FLIGHT: f32 = 0.35;

/// The strikes that are shown: from where to where, how long ago, and from which side.
#[derive(Resource, Default)]
pub(super) struct Flights(pub(super) Vec<(Vec2, Vec2, f32, Side)>);

/// The soldiers of each side by the square of the field that they are in.
#[derive(Default)]
struct Squares(BTreeMap<(bool, i32, i32), Vec<(Entity, Vec2)>>);

/// The side of a square, in cells: nothing reaches farther.
const SQUARE: f32 = 12.0;

impl Squares {
    fn of<'a>(soldiers: impl Iterator<Item = (Entity, &'a Soldier, &'a Transform)>) -> Self {
        let mut squares = Self::default();
        for (entity, soldier, at) in soldiers {
            let at = at.translation.truncate();
            let square = (at / SQUARE).floor().as_ivec2();
            let key = (soldier.side == Side::Ours, square.x, square.y);
            squares.0.entry(key).or_default().push((entity, at));
        }
        squares
    }

    /// The nearest enemy within a range.
    fn nearest_enemy(&self, side: Side, at: Vec2, range: f32) -> Option<(Entity, Vec2)> {
        let square = (at / SQUARE).floor().as_ivec2();
        let near = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
        near.filter_map(|(dx, dy)| self.0.get(&(side != Side::Ours, square.x + dx, square.y + dy)))
            .flatten()
            .filter(|(_, other)| other.distance(at) <= range)
            .min_by(|a, b| a.1.distance(at).total_cmp(&b.1.distance(at)))
            .copied()
    }
}

/// Soldiers go at enemies that are near, and back to their places when there is none.
pub(super) fn engage(
    soldiers: Query<(Entity, &Soldier, &Transform)>,
    pursuers: Query<&Pursuer>,
    time: Res<Time>,
    mut waited: Local<f32>,
    mut commands: Commands,
) {
    *waited += time.delta_secs();
    if *waited < LOOK {
        return;
    }
    *waited = 0.0;
    let squares = Squares::of(soldiers.iter());
    for (entity, soldier, at) in &soldiers {
        let reach = TROOPS[soldier.troop].reach;
        let pursuer = pursuers.get(entity).ok();
        let range = if pursuer.is_some() { SIGHT[1] } else { SIGHT[0] };
        let enemy = squares.nearest_enemy(soldier.side, at.translation.truncate(), range);
        match (enemy.filter(|_| reach < SIGHT[0]), pursuer) {
            (Some((enemy, _)), Some(pursuer)) if pursuer.target == enemy => {}
            (Some((enemy, _)), _) => {
                _ = commands
                    .entity(entity)
                    .try_insert(Pursuer::line_of_sight(enemy).with_catch_radius(reach));
            }
            (None, Some(_)) => _ = commands.entity(entity).try_remove::<Pursuer>(),
            (None, None) => {}
        }
    }
}

/// Soldiers strike the nearest enemy within reach. A soldier without health falls, and a company without soldiers is
/// despawned.
pub(super) fn strike(
    mut soldiers: Query<(Entity, &mut Soldier, &Transform, &Agent)>,
    companies: Query<(Entity, Option<&FormationMembers>), With<Company>>,
    time: Res<Time>,
    (mut flights, mut pulses): (ResMut<Flights>, ResMut<Pulses>),
    mut commands: Commands,
) {
    let squares = Squares::of(soldiers.iter().map(|(entity, soldier, at, _)| (entity, soldier, at)));
    let mut struck = Vec::new();
    for (_, mut soldier, at, agent) in &mut soldiers {
        soldier.rest = (soldier.rest - time.delta_secs()).max(0.0);
        let (at, reach) = (at.translation.truncate(), TROOPS[soldier.troop].reach + 2.0 * agent.radius);
        if soldier.rest > 0.0 {
            continue;
        }
        if let Some((enemy, to)) = squares.nearest_enemy(soldier.side, at, reach) {
            soldier.rest = STRIKE;
            struck.push(enemy);
            flights.0.push((at, to, 0.0, soldier.side));
        }
    }
    for enemy in struck {
        let Ok((_, mut soldier, at, _)) = soldiers.get_mut(enemy) else { continue };
        // Several may strike the same one in a tick.
        if soldier.health == 1 {
            pulses.add(at.translation, soldier.side.color());
            commands.entity(enemy).despawn();
        }
        soldier.health = soldier.health.saturating_sub(1);
    }
    for (company, _) in companies.iter().filter(|(_, members)| members.is_none()) {
        commands.entity(company).despawn();
    }
}
