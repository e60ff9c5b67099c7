//! The situation of a pursuer in a tick: what it sees of its target, and of the points before that.

use bevy::prelude::*;
use pathfind_core::steer::Body;
use pathfind_core::{CornerRule, SIGHT_ROUNDING, can_walk_straight, cast_ray};

use crate::agent::Agent;
use crate::order::SlotClaim;
use crate::world::GridRef;

/// The situation of a pursuer in this tick.
pub(super) struct Situation<'a> {
    /// `None` in open space.
    pub(super) grid: Option<&'a GridRef<'a>>,
    pub(super) corners: CornerRule,
    /// Its position in the world.
    pub(super) at: Vec3,
    pub(super) target: Body,
    /// The velocity at which the target moves by itself: an agent that others push has none.
    pub(super) pace: Vec3,
    /// The claim at the target, if there is one: its point is then the target.
    pub(super) claim: Option<SlotClaim>,
    /// Whether the target is in sight.
    pub(super) sees: bool,
    /// The pursuer's top speed on the terrain under it, in world units per second.
    pub(super) speed: f32,
    pub(super) dt: f32,
}

impl Situation<'_> {
    /// The vector from the pursuer to a point, along the plane of the grid.
    pub(super) fn gap(&self, point: Vec3) -> Vec3 {
        let gap = point - self.at;
        self.grid.map_or(gap, |grid| grid.place.flatten(gap))
    }

    /// A body moved to the pursuer's height, with its velocity along the plane of the grid.
    pub(super) fn flattened(&self, body: Body) -> Body {
        let velocity = self.grid.map_or(body.velocity, |grid| grid.place.flatten(body.velocity));
        Body { position: self.at + self.gap(body.position), velocity, ..body }
    }

    /// Whether a body can be seen from another, with no one-way edge against the way there. One that touches a wall is
    /// rounded into it by the test of sight.
    pub(super) fn sees(&self, agent: &Agent, from: Vec3, to: Vec3) -> bool {
        self.is_in_sight(agent, from, to, |point| point) || self.is_in_sight(agent, from, to, off_border)
    }

    /// Whether one point is in sight of another on the grid, after both are moved there.
    fn is_in_sight(&self, agent: &Agent, from: Vec3, to: Vec3, moved: fn(Vec2) -> Vec2) -> bool {
        self.grid.is_none_or(|grid| {
            let [from, to] = [from, to].map(|point| moved(grid.place.to_grid(point)));
            can_walk_straight(grid.nav.grid(), agent.kind, self.corners, from, to)
        })
    }

    /// The aim if it is in sight; else, of a few points between the target, which is in sight, and the aim, the point
    /// in sight that is farthest from the target.
    pub(super) fn visible_aim(&self, agent: &Agent, aim: Vec3) -> Vec3 {
        let Some(grid) = self.grid else { return aim };
        let target = self.at + self.gap(self.target.position);
        let (from, to) = (grid.place.to_grid(target), grid.place.to_grid(aim));
        let free = cast_ray(grid.nav.grid(), agent.kind, from, to).map_or(1.0, |hit| hit.fraction);
        let sees = |point: Vec3| self.is_in_sight(agent, self.at, point, |point| point);
        if free == 1.0 && sees(aim) {
            return aim;
        }
        // The first point is half a cell before the wall; each further one is nearer to the target.
        let max = if free < 1.0 { (free - 0.5 / from.distance(to)).max(0.0) } else { 1.0 };
        [1.0, 0.75, 0.5, 0.25]
            .into_iter()
            .map(|part| target.lerp(aim, max * part))
            .find(|&point| sees(point))
            .unwrap_or(target)
    }
}

/// A point of grid space, moved off the border of its cell by as much as the test of sight rounds.
fn off_border(point: Vec2) -> Vec2 {
    let room = Vec2::splat(0.5 - 2.0 * SIGHT_ROUNDING);
    let center = point.floor() + 0.5;
    point.clamp(center - room, center + room)
}
