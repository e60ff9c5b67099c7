//! Keeps with a leader, and off its flock mates.

use bevy::platform::collections::HashMap;
use bevy::prelude::*;

use super::Wish;
use crate::motion::Agent;
use crate::world::Positions;

/// A member of the flock round a leader: drawn to it, and pushed away by mates that are too near.
///
/// The leader may be anything with a `Transform`. A member whose leader is gone rests; so does one within
/// the avoidance radius of its leader that nobody crowds. Members look at all their mates, so a flock of
/// many hundreds costs time.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Component, Default, Debug, PartialEq)]
#[require(Agent)]
pub struct Flock {
    /// Whom to keep with. Default: nobody.
    pub leader: Entity,
    /// How fast it is drawn to the leader: speed for each unit of distance. Unit: 1/s. Range: 0 and up.
    /// Default: `1.0`.
    #[reflect(@0.0..=10.0_f32)]
    pub to_origin_force: f32,
    /// How near mates and leader may come before it moves away, in world units. Range: 0 and up.
    /// Default: `1.5`.
    #[reflect(@0.0..=20.0_f32)]
    pub avoidance_radius: f32,
    /// How fast it moves away from a mate at no distance, in world units per second. Range: 0 and up.
    /// Default: `5.0`.
    #[reflect(@0.0..=50.0_f32)]
    pub avoidance_force: f32,
}

impl Default for Flock {
    fn default() -> Self {
        let leader = Entity::PLACEHOLDER;
        Self { leader, to_origin_force: 1.0, avoidance_radius: 1.5, avoidance_force: 5.0 }
    }
}

impl Flock {
    /// A member of the flock round a leader.
    #[must_use]
    pub fn of(leader: Entity) -> Self {
        Self { leader, ..Self::default() }
    }
}

/// States the wishes of flocks.
pub(super) fn flock(mut members: Query<(Entity, &Flock, &mut Wish)>, positions: Positions) {
    let mut flocks: HashMap<Entity, Vec<(Entity, Vec3)>> = HashMap::default();
    for (entity, flock, _) in &members {
        if let Some(at) = positions.of(entity).filter(|at| at.is_finite()) {
            flocks.entry(flock.leader).or_default().push((entity, at));
        }
    }
    // Sums of floats depend on their order; the query's order is nobody's promise.
    flocks.values_mut().for_each(|mates| mates.sort_by_key(|(entity, _)| entity.index_u32()));
    for (entity, flock, mut wish) in &mut members {
        let Some(leader) = positions.of(flock.leader).filter(|at| at.is_finite()) else { continue };
        let mates = flocks.get(&flock.leader).map_or(&[][..], Vec::as_slice);
        let Some(&(_, at)) = mates.iter().find(|(mate, _)| *mate == entity) else { continue };
        let away: Vec3 = mates
            .iter()
            .filter(|(mate, _)| *mate != entity)
            .map(|&(mate, from)| flock.away(at - from, entity, mate))
            .sum();
        let to_leader = leader - at;
        let drawn = (to_leader.length() - flock.avoidance_radius).max(0.0) * flock.to_origin_force;
        let wished = to_leader.normalize_or_zero() * drawn + away;
        wish.bypass_change_detection().flock = Some(wished).filter(|wished| wished.is_finite());
    }
}

impl Flock {
    /// The push away from a mate at an offset; mates on one spot part in a direction of their own.
    fn away(&self, offset: Vec3, entity: Entity, mate: Entity) -> Vec3 {
        let distance = offset.length();
        if distance >= self.avoidance_radius {
            return Vec3::ZERO;
        }
        let apart = offset.try_normalize().unwrap_or_else(|| {
            let side = if entity.index_u32() < mate.index_u32() { Vec3::X } else { Vec3::NEG_X };
            // An angle for each pair, so that many on one spot do not part along one line.
            let pair = entity.index_u32().wrapping_add(mate.index_u32()) % 64;
            Quat::from_rotation_z(pair as f32 * 0.1) * side
        });
        apart * self.avoidance_force * (1.0 - distance / self.avoidance_radius)
    }
}
