//! Feeling for what is ahead, and turning aside.

use bevy::ecs::system::{SystemParam, SystemParamItem};
use bevy::prelude::*;
use pathfind_core::KindId;
use pathfind_core::steer::Body;
use pathfind_core::steer::avoid::AvoidanceInput;
use pathfind_core::steer::obstacle::{Cast, GridWalls, Hit, ObstacleProbe};

use super::{AvoidMemory, AvoidProbe, Avoider, ObstacleAvoidance, Remaining};
use crate::agent::Agent;
use crate::rows::RowMut;
use crate::world::{GridRef, ObstacleMap};

/// An engine whose colliders are obstacles too; `()` has none.
pub(crate) trait Physics: SystemParam + 'static {
    /// Whether it may have any.
    const HAS_COLLIDERS: bool = true;

    /// What a ball touches first, the agent itself left out.
    fn sweep(engine: &SystemParamItem<Self>, me: Entity, cast: &Cast) -> Option<Hit>;
}

impl Physics for () {
    const HAS_COLLIDERS: bool = false;

    fn sweep(_: &SystemParamItem<Self>, _: Entity, _: &Cast) -> Option<Hit> {
        None
    }
}

/// Everything that stands round an agent.
pub(in crate::steer) struct Surface<'a, 'w, 's, P: Physics> {
    pub(in crate::steer) grid: Option<GridRef<'a>>,
    pub(in crate::steer) obstacles: &'a ObstacleMap,
    pub(in crate::steer) physics: &'a SystemParamItem<'w, 's, P>,
    /// Away from the ground, where there is no grid.
    pub(in crate::steer) up: Option<Vec3>,
    pub(in crate::steer) me: Entity,
}

/// What avoiding asks the world for.
pub(in crate::steer) type Feeling = (
    &'static Avoider,
    &'static Transform,
    &'static mut AvoidMemory,
    &'static mut AvoidProbe,
    &'static mut Remaining,
);

/// What avoiding needs of an agent.
pub(in crate::steer) struct Feeler<'a> {
    avoider: &'a Avoider,
    transform: &'a Transform,
    memory: RowMut<'a, AvoidMemory>,
    probe: RowMut<'a, AvoidProbe>,
    remaining: RowMut<'a, Remaining>,
}

impl<'a> From<FeelerRow<'a>> for Feeler<'a> {
    fn from((avoider, transform, memory, probe, remaining): FeelerRow<'a>) -> Self {
        Self { avoider, transform, memory, probe, remaining }
    }
}

type FeelerRow<'a> =
    (&'a Avoider, &'a Transform, RowMut<'a, AvoidMemory>, RowMut<'a, AvoidProbe>, RowMut<'a, Remaining>);

/// An agent on its way.
pub(in crate::steer) struct Way<'a> {
    pub(in crate::steer) agent: &'a Agent,
    pub(in crate::steer) body: &'a Body,
    pub(in crate::steer) desired: Vec3,
    /// Where it goes in the end: nothing beyond is avoided.
    pub(in crate::steer) goal: Option<Vec3>,
    /// How far it is to there.
    pub(in crate::steer) remaining: Remaining,
    /// Its path keeps out of walls.
    pub(in crate::steer) is_on_path: bool,
}

impl Feeler<'_> {
    /// Whether the agent makes way for other agents by reciprocal avoidance.
    pub(in crate::steer) fn makes_way(&self) -> bool {
        self.avoider.makes_way()
    }

    /// The velocity to have instead of the desired one; `None` if there is nothing to avoid.
    pub(in crate::steer) fn feel<P: Physics>(
        &mut self,
        way: &Way,
        surface: &Surface<P>,
        dt: f32,
    ) -> Option<Vec3> {
        *self.remaining.bypass_change_detection() = way.remaining;
        let up = surface.grid.map_or(surface.up, |grid| Some(grid.place.up()));
        let walls = surface
            .grid
            .filter(|_| self.avoider.walls && !way.is_on_path)
            .map(|grid| WorldWalls { grid, kind: way.agent.kind });
        // Where nothing stands there is nothing to feel for.
        if walls.is_none() && surface.obstacles.is_empty() && !P::HAS_COLLIDERS {
            self.memory.set_if_neq(AvoidMemory::default());
            self.probe.set_if_neq(AvoidProbe::default());
            return None;
        }
        let probe = ((walls, surface.obstacles.seen(up)), Engine::<P>(surface.physics, surface.me));
        let &Way { agent, body, desired, goal, .. } = way;
        let course = AvoidanceInput { body: *body, desired, goal, up };
        let state = &mut self.memory.bypass_change_detection().0;
        let avoidance = match self.avoider.obstacles {
            ObstacleAvoidance::Off => return None,
            ObstacleAvoidance::Ray => {
                let ahead = agent.facing.ahead().map(|ahead| self.transform.rotation * ahead);
                self.avoider.ray_rule().steer(course, ahead.unwrap_or(body.velocity), &probe)
            }
            ObstacleAvoidance::Sweep => {
                self.avoider.sweep_rule(agent.acceleration).steer(course, state, dt, &probe)
            }
        };
        self.probe.set_if_neq(AvoidProbe::of(&avoidance, state.side));
        (avoidance.velocity != desired).then_some(avoidance.velocity)
    }
}

/// The colliders of an engine.
struct Engine<'a, 'w, 's, P: Physics>(&'a SystemParamItem<'w, 's, P>, Entity);

impl<P: Physics> ObstacleProbe for Engine<'_, '_, '_, P> {
    fn sweep(&self, cast: &Cast) -> Option<Hit> {
        P::sweep(self.0, self.1, cast)
    }
}

/// The walls of a grid, asked in the world's own space.
struct WorldWalls<'a> {
    grid: GridRef<'a>,
    kind: KindId,
}

impl ObstacleProbe for WorldWalls<'_> {
    fn sweep(&self, cast: &Cast) -> Option<Hit> {
        let place = self.grid.place;
        let origin = place.to_grid(cast.origin);
        let way = place.to_grid(cast.at(cast.max)) - origin;
        let cells = way.length();
        let per_unit = cells / cast.max;
        let direction = (way / cells).extend(0.0);
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
