//! Bodies that stand in the way of an agent, and do not make way by going on.

use bevy::prelude::*;
use pathfind_core::steer::Body;

use super::detour::{FORESIGHT, StandingBody};
use super::help::{Helped, HelpedReadOnlyItem};
use crate::order::NavPath;
use crate::steer::{AgentAvoidance, Avoider, Crowd};
use crate::world::GridRef;

/// An agent that moves at less than this share of another one's speed stands in its way. Not measured.
const STANDING_SHARE: f32 = 0.1;
/// Two directions are opposite if the cosine of the angle between them is less than this: 120 degrees.
const OPPOSITE_COSINE: f32 = -0.5;

/// The bodies near an agent, which is `at` a point of the world, that have no way to go, or one that leads against its own.
/// All agents are looked at, in the arrays of the crowd; the components of those that are near and stand are read.
pub(super) fn standing_bodies(
    walker: &HelpedReadOnlyItem,
    (grid, at): (&GridRef, Vec3),
    crowd: &Crowd,
    walkers: &Query<Helped>,
    avoiders: &Query<&Avoider>,
) -> Vec<StandingBody> {
    let is_solid = |avoider: &Avoider| avoider.agents != AgentAvoidance::Ignore;
    if !walker.avoider.is_some_and(is_solid) {
        return Vec::new();
    }
    let cell_size = grid.place.cell_size();
    let (foresight, slow) = (FORESIGHT * cell_size, STANDING_SHARE * walker.agent.speed);
    let way = |path: &NavPath| path.leg().map_or(Vec2::ZERO, |(from, to)| (to - from).normalize_or_zero());
    let own_way = way(walker.path);
    let goes_on = |entity: Entity| {
        let other = walkers.get(entity).ok().filter(|other| !other.path.is_finished());
        other.is_some_and(|other| way(other.path).dot(own_way) > OPPOSITE_COSINE)
    };
    let stands_near = |body: &Body| {
        let reach = foresight + body.radius;
        let above = || grid.place.height(body.position) - grid.place.height(at);
        body.position.distance_squared(at) <= reach * reach
            && body.velocity.length_squared() < slow * slow
            && above().abs() <= body.radius + walker.agent.radius
    };
    let is_in_way = |&(entity, body): &(Entity, &Body)| {
        stands_near(body)
            && entity != walker.entity
            && avoiders.get(entity).is_ok_and(is_solid)
            && !goes_on(entity)
    };
    let in_grid = |(_, body): (Entity, &Body)| StandingBody {
        at: grid.place.to_grid(body.position),
        radius: body.radius / cell_size,
    };
    crowd.all().filter(is_in_way).map(in_grid).collect()
}
