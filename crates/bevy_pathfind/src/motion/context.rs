//! Hard constraints: where a step of an agent may end, given walls and obstacles.

use bevy::prelude::*;
use pathfind_core::CornerRule;
use pathfind_core::steer::contact::{Step, resolve_contacts, walls};
use pathfind_core::steer::obstacle::LayerMask;

use crate::agent::Agent;
use crate::order::NavPath;
use crate::steer::Avoider;
use crate::world::{GridRef, ObstacleMap, OwnObstacles};

/// Everything that blocks an agent.
pub(super) struct MotionContext<'a> {
    pub(super) grid: Option<&'a GridRef<'a>>,
    pub(super) obstacles: &'a ObstacleMap,
    /// The obstacles that the agent carries, which do not block it.
    pub(super) own: Option<&'a OwnObstacles>,
    /// The direction away from the ground for agents on no grid; `None` in three dimensions.
    pub(super) up: Option<Vec3>,
    /// How much of the tick has passed, in seconds: moving obstacles have moved on by as much.
    pub(super) since: f32,
}

impl MotionContext<'_> {
    /// The direction away from the ground; `None` in three dimensions.
    pub(super) fn up(&self) -> Option<Vec3> {
        self.grid.map_or(self.up, |grid| Some(grid.place.up()))
    }

    /// Whether nothing can block a step.
    pub(super) fn is_open(&self) -> bool {
        self.grid.is_none() && self.obstacles.is_empty()
    }

    /// Where a step from `from` to `to` ends that keeps out of blocked cells and obstacles; the component across the
    /// grid is not changed by walls.
    #[inline(always)]
    pub(super) fn resolve(
        &self,
        agent: &Agent,
        path: Option<&NavPath>,
        avoider: Option<&Avoider>,
        from: Vec3,
        to: Vec3,
        dt: f32,
    ) -> Vec3 {
        if self.is_open() {
            return to;
        }
        if self.obstacles.is_empty() {
            return self.past_walls(agent, path, from, to);
        }
        self.past_obstacles(agent, path, avoider, (from, to), dt)
    }

    /// The same, if there are obstacles. The positions are passed as a tuple: as separate arguments they would be kept
    /// in memory, which would slow down the common cases without obstacles.
    #[inline(never)]
    fn past_obstacles(
        &self,
        agent: &Agent,
        path: Option<&NavPath>,
        avoider: Option<&Avoider>,
        (from, to): (Vec3, Vec3),
        dt: f32,
    ) -> Vec3 {
        let past_walls = |from: Vec3, to: Vec3| self.past_walls(agent, path, from, to);
        let mask = avoider.map_or(LayerMask::ALL, |avoider| LayerMask(avoider.mask));
        let except = self.own.map(|own| own.0);
        let step = Step { from, to, radius: agent.valid_radius(), mask, except, dt, since: self.since };
        resolve_contacts(step, self.obstacles.seen(self.up()), past_walls)
    }

    #[inline(always)]
    fn past_walls(&self, agent: &Agent, path: Option<&NavPath>, from: Vec3, to: Vec3) -> Vec3 {
        let Some(grid) = self.grid.filter(|_| from != to) else { return to };
        let (start, aim) = (grid.place.to_grid(from), grid.place.to_grid(to));
        let shape = agent.shape(grid.place.cell_size());
        // Most steps end here, without reading the path.
        if walls::is_certainly_free(grid.nav.grid(), shape, start, aim) {
            return to;
        }
        let corners = path.map_or(CornerRule::Never, NavPath::corners);
        let end = walls::slide(grid.nav.grid(), shape, corners, start, aim);
        if end == aim { to } else { grid.place.to_world(end, grid.place.height(to)) }
    }
}
