//! Obstacle avoidance: casts ahead of an agent, and turns its velocity aside from what the cast hits.
//!
//! The rules are in `pathfind_core::steer::avoid`; here they get the walls, obstacles and colliders of the world.
//! Other agents are no obstacles here: see `reciprocal`.

use bevy::ecs::system::{SystemParam, SystemParamItem};
use bevy::prelude::*;
use pathfind_core::KindId;
use pathfind_core::steer::avoid::AvoidanceInput;
use pathfind_core::steer::obstacle::{Cast, GridWalls, Hit, ObstacleProbe};
use pathfind_core::steer::{Body, MovementPlane};

use super::{AvoidMemory, AvoidProbe, Avoider, ObstacleAvoidance, Remaining};
use crate::agent::Agent;
use crate::rows::RowMut;
use crate::world::{GridRef, ObstacleMap};

/// A physics engine whose colliders are obstacles too; `()` is the absence of one.
pub(crate) trait Physics: SystemParam + 'static {
    /// Whether there may be any colliders; if not, casts against them are left out.
    const HAS_COLLIDERS: bool = true;

    /// What a swept ball, or a ray, hits first, except for the collider of the agent `me`.
    fn sweep(engine: &SystemParamItem<Self>, me: Entity, cast: &Cast) -> Option<Hit>;
}

impl Physics for () {
    const HAS_COLLIDERS: bool = false;

    fn sweep(_: &SystemParamItem<Self>, _: Entity, _: &Cast) -> Option<Hit> {
        None
    }
}

/// What surrounds an agent.
pub(in crate::steer) struct Surface<'a, 'w, 's, P: Physics> {
    pub(in crate::steer) grid: Option<&'a GridRef<'a>>,
    pub(in crate::steer) obstacles: &'a ObstacleMap,
    pub(in crate::steer) physics: &'a SystemParamItem<'w, 's, P>,
    /// Direction away from the ground, for agents on no grid.
    pub(in crate::steer) up: Option<Vec3>,
    pub(in crate::steer) me: Entity,
}

/// The components that obstacle avoidance reads and writes.
pub(in crate::steer) type AvoidanceColumns = (
    &'static Avoider,
    &'static Transform,
    &'static mut AvoidMemory,
    &'static mut AvoidProbe,
    &'static mut Remaining,
);

/// The same components of one agent.
pub(in crate::steer) type AvoidingAgent<'a> =
    (&'a Avoider, &'a Transform, RowMut<'a, AvoidMemory>, RowMut<'a, AvoidProbe>, RowMut<'a, Remaining>);

/// The motion of an agent, as obstacle avoidance needs it.
pub(in crate::steer) struct AvoidingMotion<'a> {
    pub(in crate::steer) agent: &'a Agent,
    pub(in crate::steer) body: &'a Body,
    pub(in crate::steer) desired: Vec3,
    /// The point that it finally goes to, if known: nothing beyond is avoided.
    pub(in crate::steer) goal: Option<Vec3>,
    /// How far it is to that point.
    pub(in crate::steer) remaining: Remaining,
    /// Whether it follows a path, which keeps out of walls by itself.
    pub(in crate::steer) is_on_path: bool,
    /// Whether it leaves blocked ground, whose walls and colliders do not hold it.
    pub(in crate::steer) is_escaping: bool,
    /// Whether it flees from something, and to no point.
    pub(in crate::steer) is_retreat: bool,
}

/// The velocity to have instead of the desired one; `None` if there is nothing to avoid. Stores `remaining` for
/// reciprocal avoidance, too.
pub(in crate::steer) fn avoiding_velocity<P: Physics>(
    (avoider, transform, mut memory, mut probe, mut remaining): AvoidingAgent,
    motion: &AvoidingMotion,
    surface: &Surface<P>,
    dt: f32,
) -> Option<Vec3> {
    *remaining.bypass_change_detection() = motion.remaining;
    let up = surface.grid.map_or(surface.up, |grid| Some(grid.place.up()));
    let walls = surface
        .grid
        .filter(|_| avoider.walls && !motion.is_on_path && !motion.is_escaping)
        .map(|grid| WorldWalls { grid, kind: motion.agent.kind });
    // Without walls, obstacles and colliders there is nothing to cast against.
    if walls.is_none() && surface.obstacles.is_empty() && !P::HAS_COLLIDERS {
        memory.set_if_neq(AvoidMemory::default());
        probe.set_if_neq(AvoidProbe::default());
        return None;
    }
    let engine = (!motion.is_escaping).then_some(Engine::<P>(surface.physics, surface.me));
    let obstacles = ((walls, surface.obstacles.seen(up)), engine);
    let &AvoidingMotion { agent, body, desired, goal, .. } = motion;
    let me = surface.me.to_bits();
    let plane = up.and_then(MovementPlane::from_up);
    let input = AvoidanceInput { body: *body, desired, goal, plane };
    let state = &mut memory.bypass_change_detection().0;
    let avoidance = match avoider.obstacles {
        ObstacleAvoidance::Off => return None,
        ObstacleAvoidance::Ray => {
            let ahead = agent.facing.ahead().map(|ahead| transform.rotation * ahead);
            avoider.ray_rule(agent, me).steer(input, ahead.unwrap_or(body.velocity), &obstacles)
        }
        ObstacleAvoidance::Sweep => {
            let rule = avoider.sweep_rule(me, agent.acceleration);
            let mut avoidance = rule.steer(input, state, dt, &obstacles);
            // A way round that leads back to what it flees from is none: in a corner it stands.
            if motion.is_retreat && avoidance.velocity.dot(desired) <= 0.0 {
                avoidance.velocity = Vec3::ZERO;
            }
            avoidance
        }
    };
    probe.set_if_neq(AvoidProbe::of(&avoidance, state.side));
    (avoidance.velocity != desired).then_some(avoidance.velocity)
}

/// The colliders of a physics engine, except for those of one agent.
struct Engine<'a, 'w, 's, P: Physics>(&'a SystemParamItem<'w, 's, P>, Entity);

impl<P: Physics> ObstacleProbe for Engine<'_, '_, '_, P> {
    fn sweep(&self, cast: &Cast) -> Option<Hit> {
        P::sweep(self.0, self.1, cast)
    }
}

/// The walls of a grid, for casts in world space.
struct WorldWalls<'a> {
    grid: &'a GridRef<'a>,
    kind: KindId,
}

impl ObstacleProbe for WorldWalls<'_> {
    fn sweep(&self, cast: &Cast) -> Option<Hit> {
        let place = self.grid.place;
        let origin = place.to_grid(cast.origin);
        let displacement = place.to_grid(cast.at(cast.max)) - origin;
        let cells = displacement.length();
        let per_unit = cells / cast.max;
        let direction = (displacement / cells).extend(0.0);
        let (origin, radius) = (origin.extend(0.0), cast.radius * per_unit);
        let inside = Cast { origin, direction, radius, max: cells, ..*cast };
        let hit = GridWalls { grid: self.grid.nav.grid(), kind: self.kind }.sweep(&inside)?;
        let to_world = |point: Vec3| place.to_world(point.truncate(), 0.0);
        let normal = to_world(hit.normal) - to_world(Vec3::ZERO);
        Some(Hit {
            distance: hit.distance / per_unit,
            point: place.to_world(hit.point.truncate(), place.height(cast.origin)),
            normal: normal.normalize_or_zero(),
            who: hit.who,
        })
    }
}
